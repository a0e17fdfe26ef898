//! Every plug-in of `tests/bad-plugins` gets the error that its first line says, and none of them
//! crashes the program.

mod support;

use alice_core::{Transfer, Variant};
use alice_host::check;
use alice_host::{Consent, ForeignTransfer, Guard, Home, PluginFile, game_of};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// Where both sides may castle.
const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R|8/8/8/8/8/8/8/8 w KQkq - 0 1";

/// Goes as far as it gets with a plug-in's first rule; says where it stopped, and why.
fn first_error(home: &Home, path: &Path) -> (&'static str, String) {
    let mut rules = support::rules("alice");
    let file = match PluginFile::read(path) {
        Ok(file) => file,
        Err(error) => return ("read", error.problem.to_string()),
    };
    let plugin = match home.load(&file, Consent::ThisSession) {
        Ok(plugin) => plugin,
        Err(alice_host::TrustError::File(error)) => return ("load", error.problem.to_string()),
        Err(error) => return ("load", error.to_string()),
    };
    let guard = Arc::new(Guard::new());
    let set = plugin.rule_sets().unwrap()[0];
    let named = format!("{} {}", file.identity().id, file.identity().version);
    match ForeignTransfer::new(&named, &set, &game_of(&rules), "", &guard) {
        Ok(rule) => rules.transfer = Transfer::Foreign(Arc::new(rule)),
        Err(error) => return ("create", error.to_string()),
    }
    let variant = Variant::new(rules).unwrap();
    let moves = variant.read_position(CASTLING).unwrap().legal_moves();
    match guard.violation() {
        Some(violation) => {
            // Every rule of the guard now answers with nothing, so that no game goes on unnoticed.
            assert_eq!(variant.start().legal_moves(), []);
            ("call", violation.to_string())
        }
        None => ("nothing", format!("{} moves", moves.len())),
    }
}

/// Tests one law in a child; what was seen.
fn broken_law(home: &Home, path: &Path, law: &str, limit: Duration) -> String {
    let command = |law: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_check-law"));
        child.arg(home.folder()).arg(path).arg(law);
        child
    };
    let law = check::laws().find(|l| l.id == law).unwrap();
    let text = check::check_law(&command, law, limit).unwrap().to_string();
    match text.split_once("      seen: ") {
        Some((_, seen)) => seen.split_once("\n      what to do: ").unwrap().0.into(),
        None => text,
    }
}

/// Whether a text is like a pattern in which `.*` stands for anything.
fn is_like(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split(".*");
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap()) else { return false };
    let mut last = "";
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = part;
    }
    rest.is_empty() || last.is_empty() && pattern.ends_with(".*")
}

/// The errors that are not those written in a file.
fn wrong(home: &Home, source: &Path) -> Option<String> {
    let text = std::fs::read_to_string(source).unwrap();
    let first = text.lines().next().unwrap();
    let (stage, expected) = first.strip_prefix("// ").unwrap().split_once(": ").unwrap();
    let path = support::compile(source, "bad-plugins");
    let canonical = path.canonicalize().unwrap();
    let (seen_stage, seen) = match stage.strip_prefix("law ") {
        // Far more than it takes where it ends at all, and little where it never does.
        Some(law) => {
            let limit = if text.contains("forever") { 2 } else { 300 };
            (stage, broken_law(home, &path, law, Duration::from_secs(limit)))
        }
        None => first_error(home, &path),
    };
    let seen = seen.replace(canonical.to_str().unwrap(), "FILE");
    let name = source.file_name().unwrap().display();
    (seen_stage != stage || !is_like(&seen, expected))
        .then(|| format!("{name}\n  expected {stage}: {expected}\n  but {seen_stage}: {seen}"))
}

#[test]
fn each_bad_plugin_gets_its_error() {
    let (_folder, home) = support::home();
    let folder = support::root().join("tests/bad-plugins");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut sources: Vec<_> = entries.filter(|p| p.extension().is_some_and(|e| e == "c")).collect();
    sources.sort();
    assert!(sources.len() > 40);
    let halves = sources.split_at(sources.len() / 2);
    let test =
        |sources: &[std::path::PathBuf]| sources.iter().filter_map(|s| wrong(&home, s)).collect::<Vec<_>>();
    let wrong = std::thread::scope(|scope| {
        let other = scope.spawn(|| test(halves.1));
        [test(halves.0), other.join().unwrap()].concat()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_panic_never_leaves_a_plugin() {
    let (_folder, home) = support::home();
    let plugin = support::load(&home, &support::library("panics"));
    let rules = support::rules("alice");
    let seen = plugin.rule_sets().unwrap().into_iter().map(|set| {
        let guard = Arc::new(Guard::new());
        let mut rules = rules.clone();
        match ForeignTransfer::new("panics 1.0.0", &set, &game_of(&rules), "", &guard) {
            Ok(rule) => rules.transfer = Transfer::Foreign(Arc::new(rule)),
            Err(error) => return format!("{}: {error}", set.name),
        }
        let moves = Variant::new(rules).unwrap().start().legal_moves();
        match guard.violation() {
            Some(violation) => violation.to_string(),
            None => format!("{}: {} moves", set.name, moves.len()),
        }
    });
    let says = "panicked: a programming error in the plug-in, which has printed more about it";
    let about = "asked about White's men of board A, landing on B";
    assert_eq!(
        seen.collect::<Vec<_>>(),
        [
            format!("create: create {says}"),
            "destroy: 20 moves".into(),
            format!("facts: facts {says}"),
            format!("landings: landings {says}"),
            format!("plug-in panics 1.0.0, rule landing-cells: landing_cells {says}; {about}"),
            format!("plug-in panics 1.0.0, rule twice: landing_cells {says}; {about}"),
        ]
    );
}

#[test]
fn a_violation_is_reported_with_position_and_move_and_the_record_is_kept() {
    let (_folder, home) = support::home();
    let source = support::root().join("tests/bad-plugins/cell-out-of-range.c");
    let plugin = support::load(&home, &support::compile(&source, "violation"));
    let (variant, guard) = support::foreign("alice", plugin, "");
    let record = alice_core::Record::new(variant.start());
    assert_eq!(record.position().legal_moves(), []);
    let report = guard.violation().unwrap().during(&record.position().to_string(), Some("e2Ae4B"));
    assert_eq!(
        report,
        "plug-in it, rule bad: landing_cells answered with cell number 70, but a board has only the cells 0 to 63; \
         asked about White's men of board A, landing on B\n  \
         position: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|8/8/8/8/8/8/8/8 w KQkq - 0 1\n  \
         move: e2Ae4B\n  \
         The game ends here, its record is kept. Tell the author of the plug-in, who can find the fault with \
         `alice plugin check`."
    );
}
