//! `alice tune` as its users meet it: weights that are learnt, proved, kept, and refused. Whether a fit on so few
//! games gains anything is a matter of luck, so that both ends are right; what is told must be what was done.

mod command;

use command::{fails, works};
use std::path::Path;

/// A small game of a file, tuned once in the folder `once`; returns the weights it began with.
fn small_game(folder: &Path) -> String {
    let config = folder.join("small.toml");
    std::fs::write(&config, "extends = \"alice-8x4\"\n[about]\ntitle = \"Small\"\nsource = \"none\"\n")
        .unwrap();
    let json = works(folder, "tune small.toml --out once --games 60 --nodes 60 --match-games 2 --json");
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(report["samples"].as_u64().unwrap() > 100, "{json}");
    std::fs::read_to_string(folder.join("once/before.toml")).unwrap()
}

#[test]
fn bad_weights_are_replaced_by_better_ones_which_are_proved_first_and_then_played_by() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let right = small_game(folder);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let weights = folder.join("weights");
    std::fs::create_dir(&weights).unwrap();
    // Who thinks a queen no better than a pawn has much to learn.
    let wrong: String = right
        .lines()
        .map(|line| match line.strip_prefix("value = ") {
            Some(value) if value != "0.0" => "value = 100.0\n".to_string(),
            _ => format!("{line}\n"),
        })
        .collect();
    std::fs::write(weights.join("small.toml"), &wrong).unwrap();
    let line = "tune small.toml --out tuning --games 200 --nodes 100 --match-games 600 --longest 150";
    let said = works(folder, line);
    assert!(said.contains("They are in weights/small.toml now."), "{said}");
    let new = read("weights/small.toml");
    assert!(new.starts_with("# How the engine weighs men in Small"), "{new}");
    assert_eq!(new, read("tuning/taken.toml"));
    assert_eq!(read("tuning/before.toml"), wrong);
    // Nothing more is played, and the same is told again.
    let games = read("tuning/match-1/games.jsonl");
    assert_eq!(works(folder, line), said);
    assert_eq!((read("tuning/match-1/games.jsonl"), read("weights/small.toml")), (games, new));
    // They are played by: with other weights the engine thinks otherwise.
    let thought = |extra: &str| works(folder, &format!("analyze small.toml --nodes 2000 {extra}"));
    assert_eq!(thought(""), thought("--weights tuning/taken.toml"));
    assert_ne!(thought(""), thought("--weights tuning/before.toml"));
    // What was proved better than bad weights may be worse than others.
    std::fs::write(weights.join("small.toml"), wrong.replace("tempo = 15.0", "tempo = 16.0")).unwrap();
    fails(folder, line, "tuning began with other weights");
    assert!(read("weights/small.toml").contains("tempo = 16.0"));
    std::fs::remove_file(weights.join("small.toml")).unwrap();
    fails(folder, line, "tuning began with other weights");
    fails(
        folder,
        &format!("{line} --weights tuning/before.toml --untuned"),
        "tuning began with other weights",
    );
}

#[test]
fn what_is_not_proved_replaces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small_game(folder);
    // Two games prove nothing.
    let said = works(folder, "tune small.toml --out once --games 60 --nodes 60 --match-games 2");
    assert!(said.contains("No gain is proved, and nothing was replaced"), "{said}");
    assert!(!folder.join("weights").exists());
}

#[test]
fn what_can_not_be_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fails(folder, "tune alice", "--out");
    fails(folder, "tune alice --out x --games 0", "0 is not in 1..");
    fails(folder, "tune alice --out x --match-games 3", "games come in pairs");
    fails(folder, "tune alise --out x", "did you mean alice");
    fails(folder, "tune alice --out nowhere/x", "the folder above it must exist");
    fails(folder, "tune alice --out x --games 2 --nodes 5 --longest 8", "play more, with --games");
    fails(folder, "tune alice --out x --openings 8 --longest 8", "leaves nothing to play");
    fails(folder, "tune alice --out x --weights nowhere/w.toml", "there is no folder nowhere");
    works(folder, "compare alice --games 1 --nodes 5 --longest 10 --out games");
    fails(folder, "tune alice --out games", "is the folder of a comparison or a match");
    std::fs::write(folder.join("file"), "").unwrap();
    fails(folder, "tune alice --out file", "file is no folder");
    std::fs::write(folder.join("bad.toml"), "tempo = 1\n").unwrap();
    fails(folder, "tune alice --out y --weights bad.toml", "bad.toml");
    fails(folder, "analyze alice --weights bad.toml", "missing field");
    fails(folder, "analyze alice --weights none.toml", "none.toml");
    std::fs::write(folder.join("bad.toml"), [0xff, 0xfe]).unwrap();
    fails(folder, "analyze alice --weights bad.toml", "is not UTF-8");
    fails(folder, "play alice --opponent engine --weights bad.toml", "is not UTF-8");
    std::fs::write(folder.join("stuck.toml"), stuck()).unwrap();
    fails(folder, "tune stuck.toml --out z", "is over before its first move");
    // Weights of another game are not for this one.
    works(folder, "tune chess --out chess --games 40 --nodes 100 --match-games 2");
    fails(folder, "analyze raumschach --weights chess/candidate.toml", "say nothing of the unicorn");
}

/// A game in which nobody can move.
fn stuck() -> &'static str {
    "[about]\ntitle = \"Stuck\"\nsource = \"none\"\n[boards]\ncount = 1\nfiles = 2\nranks = 1\n\
     [start]\nA = \"kK\"\n[men.king]\nletter = \"K\"\nroyal = true\nmovement = [{ leap = [0, 2, 0] }]\n"
}
