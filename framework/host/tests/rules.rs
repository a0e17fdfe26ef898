//! Rules of plug-ins in games: equal to the same rules as data, however they come; and rules that no
//! config can say, equal to themselves by the slow path.

mod support;

use alice_core::{Movement, Position, Variant};
use alice_host::{ForeignMovement, Guard, game_of};
use alice_plugin::Plugin;
use std::path::PathBuf;
use std::sync::Arc;

/// Positions of a game in which each move is chosen by a number that grows with the ply.
fn game(start: Position, seed: usize, plies: usize) -> Vec<Position> {
    let mut positions = vec![start];
    for ply in 0..plies {
        let now = positions.last().unwrap();
        let mut moves = now.legal_moves();
        moves.sort();
        if moves.is_empty() {
            break;
        }
        let chosen = moves[(seed + 7 * ply * ply + 13 * ply) % moves.len()];
        positions.push(now.after(&chosen));
    }
    positions
}

fn moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<_> = position.legal_moves().iter().map(|m| m.exact(position.rules())).collect();
    moves.sort();
    moves
}

/// Both have the same moves in the positions of some games of the first.
fn agree(one: &Variant, other: &Variant, counts: &[u64]) {
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(other.start().perft(depth), *count);
    }
    for seed in 0..12 {
        for position in game(one.start(), seed, 60) {
            let text = position.to_string();
            assert_eq!(moves(&position), moves(&other.read_position(&text).unwrap()), "{text}");
        }
    }
}

/// The fast path and its slow twin agree in the positions of some games.
fn agrees_with_itself(variant: &Variant) {
    for seed in 0..6 {
        for position in game(variant.start(), seed, 60) {
            let mut slow = variant.reference().legal_moves(&position.setup());
            let mut fast = position.legal_moves();
            slow.sort();
            fast.sort();
            assert_eq!(fast, slow, "{position}");
        }
    }
}

#[test]
fn rules_as_code_equal_rules_as_data() {
    let (_folder, home) = support::home();
    let cases: [(&str, &'static Plugin, &[u64]); 3] = [
        ("odonohue", &odonohue::PLUGIN, &[20, 400, 9854]),
        ("duo", &duo::PLUGIN, &[48, 2304]),
        ("mrs-alice", &mrs_alice::PLUGIN, &[36, 1296]),
    ];
    for (name, linked, counts) in cases {
        let data = alice_config::load(name).unwrap().variant;
        let loaded = support::load(&home, &support::library(&name.replace('-', "_")));
        for plugin in [linked, loaded] {
            let (code, guard) = support::foreign(name, plugin, "");
            agree(&data, &code, counts);
            assert_eq!(guard.violation(), None);
        }
    }
}

#[test]
fn rules_that_no_config_can_say_agree_with_their_slow_twin() {
    let chequered = support::compile(&support::root().join("variants/chequered/chequered.c"), "rules");
    let (_folder, home) = support::home();
    let library = |name: &str| support::load(&home, &support::library(name));
    let cases: [(&'static Plugin, &str, &[u64]); 6] = [
        (library("seesaw"), "", &[20, 400]),
        (library("seesaw"), "tip=5", &[20, 400]),
        (library("travellers"), "", &[24, 576]),
        (library("travellers"), "men=pawn\nmen=Q", &[36, 1296]),
        (support::load(&home, &chequered), "", &[20, 400]),
        (support::load(&home, &chequered), "transfer=dark", &[20, 400]),
    ];
    for (plugin, parameters, counts) in cases {
        let (variant, guard) = support::foreign("alice", plugin, parameters);
        agrees_with_itself(&variant);
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(variant.start().perft(depth), *count);
        }
        assert_eq!(guard.violation(), None);
    }
}

#[test]
fn a_rose_moves_and_gives_check_by_the_same_sets() {
    let (_folder, home) = support::home();
    let plugin: [&'static Plugin; 2] = [&rose::PLUGIN, support::load(&home, &support::library("rose"))];
    for (variant, plugin) in ["alice", "chess"].into_iter().zip(plugin) {
        let mut rules = support::rules(variant);
        let guard = Arc::new(Guard::new());
        let set = plugin.rule_sets().unwrap()[0];
        let movement = ForeignMovement::new("rose", &set, &game_of(&rules), "", &guard).unwrap();
        let knight = rules.kind_of_letter('N').unwrap();
        rules.men[knight.index()].movement = Movement::Foreign(Arc::new(movement));
        let variant = Variant::new(rules).unwrap();
        agrees_with_itself(&variant);
        assert_eq!(guard.violation(), None);
    }
}

#[test]
fn a_plugin_built_for_the_last_minor_version_still_loads() {
    let header = support::root().join("framework/host/tests/1.0");
    let source = support::root().join("variants/chequered/chequered.c");
    let library = support::compile_with(&header, &source, "version-1.0");
    assert_eq!(alice_host::PluginFile::read(&library).unwrap().identity().minor, 0);
    let (_folder, home) = support::home();
    let plugin = support::load(&home, &library);
    let (variant, guard) = support::foreign("alice", plugin, "");
    assert_eq!((variant.start().perft(2), guard.violation()), (400, None));
    alice_plugin::kit::check(plugin).unwrap();
}

#[test]
fn the_makefile_of_the_plugin_in_c_works() {
    let folder = tempfile::tempdir().unwrap();
    let out = format!("OUT={}", folder.path().display());
    let variant = support::root().join("variants/chequered");
    let made = std::process::Command::new("make").arg("-C").arg(variant).arg(out).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let library: PathBuf = folder.path().join("libchequered.so");
    let (_home, home) = support::home();
    alice_plugin::kit::check(support::load(&home, &library)).unwrap();
    alice_plugin::kit::Kit::new(support::load(&home, &library))
        .with("chequered", "transfer=dark")
        .check()
        .unwrap();
}
