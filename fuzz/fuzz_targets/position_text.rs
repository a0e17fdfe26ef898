//! Any text as a position of any built-in game, written `game;position`: refused with every fault in its
//! place, or a position that its own text gives again and whose moves both paths see alike.

#![no_main]

use alice_core::{Strictness, Variant};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static GAMES: LazyLock<Vec<Variant>> = LazyLock::new(|| {
    let names = alice_config::builtin_names();
    names.into_iter().map(|name| alice_config::load(name).unwrap().variant).collect()
});

fuzz_target!(|input: &str| {
    let (name, text) = input.split_once(';').unwrap_or(("alice", input));
    let variant = GAMES.iter().find(|game| game.rules().name == name).unwrap_or(&GAMES[name.len() % 13]);
    let setup = variant.read_setup(text);
    match variant.read_position(text) {
        Ok(position) => {
            let written = position.to_string();
            let again = variant.read_position(&written).unwrap();
            assert_eq!((again.setup(), again.hash()), (setup.unwrap(), position.hash()), "{written}");
        }
        Err(error) => {
            assert!(!error.faults.is_empty() && !error.to_string().is_empty());
            for fault in error.faults {
                assert!(text.get(fault.at.clone()).is_some(), "{fault:?} is not in {text:?}");
                assert!(!fault.problem.is_empty() && !fault.advice.is_empty(), "{fault:?}");
            }
        }
    }
    // What no game could reach can still be a problem.
    if let Ok(setup) = variant.read_setup(text)
        && let Ok(position) = variant.position(&setup, Strictness::Problem)
    {
        let (mut fast, mut slow) = (position.legal_moves(), variant.reference().legal_moves(&setup));
        fast.sort();
        slow.sort();
        assert_eq!(fast, slow, "{position}");
        assert_eq!(position.perft(1), fast.len() as u64, "{position}");
        assert_eq!(position.in_check(), !position.checkers().is_empty(), "{position}");
        let _ = position.outcome();
    }
});
