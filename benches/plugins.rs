//! The same rules built in, linked in and loaded from a library: what a plug-in costs.
//!
//! `cargo bench --bench plugins` measures each by itself, then all by turns, and ends in a table of ratios.
//! `seesaw`, which has to be asked in every position, has no twin that is built in; it is compared with itself
//! linked in. Loading a library is timed too.

mod counts;

use alice_core::{Rules, Transfer, Variant};
use alice_host::{Consent, ForeignTransfer, Guard, Home, PluginFile, game_of};
use alice_plugin::Plugin;
use counts::{Run, best_of, counts, measures, seconds};
use criterion::{Criterion, Throughput};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The library of a crate that is a dev-dependency: cargo has built it beside this bench.
fn library(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("a program knows where it is");
    let name = name.replace('-', "_");
    own.with_file_name(format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX))
}

/// Some rules with a plug-in's rule for their transfer.
fn foreign(rules: &Rules, plugin: &'static Plugin) -> Variant {
    let mut rules = rules.clone();
    let set = plugin.rule_sets().expect("our own plug-ins are in order")[0];
    let rule = ForeignTransfer::new("bench", &set, &game_of(&rules), "", &Arc::new(Guard::new()));
    rules.transfer = Transfer::Foreign(Arc::new(rule.unwrap_or_else(|error| panic!("{error}"))));
    Variant::new(rules).expect("rules that were in order with another transfer")
}

fn load(home: &Home, name: &str) -> &'static Plugin {
    let file = PluginFile::read(&library(name)).expect("cargo has built it");
    home.load(&file, Consent::ThisSession).expect("it is our own")
}

fn main() {
    let measures = measures();
    let most = if measures { 8_000_000 } else { 50_000 };
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let home = Home::at(folder.path());
    let begin = seconds();
    let seesaw = load(&home, "seesaw");
    let loading = seconds() - begin;

    let run = |variant: Variant, depth: u32, expected: u64| {
        let start = variant.start();
        Run { count: Box::new(move || start.perft(depth)), expected }
    };
    let mut cases: Vec<(String, Vec<(&str, Run)>)> = Vec::new();
    let known: [(&str, &'static Plugin); 4] = [
        ("alice", &parton::PLUGIN),
        ("odonohue", &odonohue::PLUGIN),
        ("duo", &duo::PLUGIN),
        ("mrs-alice", &mrs_alice::PLUGIN),
    ];
    for (name, linked) in known {
        let data = alice_config::load(name).expect("a built-in game").variant;
        let counts = counts(name, "start");
        let within = counts.iter().zip(1..).take_while(|(count, _)| **count <= most);
        let (expected, depth) =
            within.last().map(|(count, depth)| (*count, depth)).expect("depth 1 is small");
        let mut runs = vec![("built in", run(data.clone(), depth, expected))];
        runs.push(("linked in", run(foreign(data.rules(), linked), depth, expected)));
        let plugin = load(&home, if name == "alice" { "parton" } else { name });
        runs.push(("loaded", run(foreign(data.rules(), plugin), depth, expected)));
        cases.push((format!("{name}, depth {depth}"), runs));
    }
    let alice = alice_config::load("alice").expect("a built-in game").variant;
    let (depth, expected) = if measures { (4, 226_900) } else { (3, 9544) };
    cases.push((
        format!("seesaw, depth {depth}"),
        vec![
            ("linked in", run(foreign(alice.rules(), &seesaw::PLUGIN), depth, expected)),
            ("loaded", run(foreign(alice.rules(), seesaw), depth, expected)),
        ],
    ));

    if !measures {
        cases.iter().flat_map(|(_, runs)| runs).for_each(|(_, run)| {
            run.once();
        });
        return;
    }
    let mut criterion = Criterion::default().measurement_time(Duration::from_secs(2)).sample_size(10);
    for (name, runs) in &cases {
        let mut group = criterion.benchmark_group(format!("plug-ins: {name}"));
        for (how, run) in runs {
            group.throughput(Throughput::Elements(run.expected));
            group.bench_function(*how, |bencher| bencher.iter(|| run.once()));
        }
        group.finish();
    }
    println!("\n{:<24} {:>10} {:>10} {:>8}", "game", "rule is", "seconds", "ratio");
    for (name, runs) in cases {
        let (names, runs): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
        let best = best_of(15, &runs);
        for (how, seconds) in names.iter().zip(&best) {
            println!("{name:<24} {how:>10} {seconds:>10.4} {:>8.3}", seconds / best[0]);
        }
    }
    println!("\nloading a plug-in took {:.1} ms", loading * 1e3);
}
