//! `alice compare` and `alice merge` as their users meet them: parts, breaks, refusals. What games are played
//! is not compared with anything here, so that a better player breaks no test.

use std::path::Path;
use std::process::Command;

struct Said {
    out: String,
    errors: String,
    code: Option<i32>,
}

fn alice(folder: &Path, line: &str) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_alice"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .env("COLUMNS", "100")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Said { out: text(output.stdout), errors: text(output.stderr), code: output.status.code() }
}

fn works(folder: &Path, line: &str) -> String {
    let said = alice(folder, line);
    assert_eq!((said.errors.as_str(), said.code), ("", Some(0)), "{line}");
    said.out
}

fn fails(folder: &Path, line: &str, with: &str) {
    let said = alice(folder, line);
    assert_eq!(said.code, Some(2), "{line}: {}{}", said.out, said.errors);
    assert!(said.errors.contains(with), "{line}: {}", said.errors);
}

const FEW: &str = "--games 3 --nodes 20 --longest 30";

#[test]
fn parts_that_are_merged_make_the_same_report_as_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let whole = works(folder, &format!("compare alice alice-8x4 {FEW} --out whole --threads 2"));
    assert!(whole.contains("transfers") && whole.contains("report.html"), "{whole}");
    works(folder, &format!("compare alice alice-8x4 {FEW} --out one --shard 1/2"));
    works(folder, &format!("compare alice alice-8x4 {FEW} --out two --shard 2/2 --threads 1"));
    works(folder, "merge one two --out both");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("both/report.csv"), read("whole/report.csv"));
    assert_eq!(read("both/report.json"), read("whole/report.json"));
    let without = works(folder, &format!("compare alice alice-8x4 {FEW} --json"));
    assert_eq!(without, read("whole/report.json"));
    // A run that is complete plays nothing more; a longer one goes on.
    assert_eq!(works(folder, &format!("compare alice alice-8x4 {FEW} --out whole --threads 2")), whole);
    works(folder, "compare alice alice-8x4 --games 4 --nodes 20 --longest 30 --out whole");
    assert_eq!(read("whole/games.jsonl").lines().count(), 8);
}

#[test]
fn what_can_not_be_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    works(folder, &format!("compare alice {FEW} --threads 1 --out games"));
    fails(folder, "compare alice --games 0", "0 is not in 1..");
    fails(folder, "compare alice --nodes 0", "0 is not in 1..");
    fails(folder, "compare alice --games 3 --shard 3/2 --out x", "write which part of how many");
    fails(folder, "compare alice --games 3 --shard 1/2", "--out");
    fails(folder, "compare alice alice", "name each variant once");
    fails(folder, "compare alise", "alise");
    fails(folder, &format!("compare alice {FEW} --seed 2 --out games"), "seed 1 here, 2 there");
    fails(folder, &format!("compare alice {FEW} --out nowhere/games"), "the folder above it must exist");
    fails(folder, "merge nothing --out both", "nothing");
    works(folder, &format!("compare alice --seed 2 {FEW} --out others"));
    fails(folder, "merge games others --out both", "seed 1 here, 2 there");
    assert!(!folder.join("both").exists());
    let games = folder.join("games/games.jsonl");
    let whole = std::fs::read_to_string(&games).unwrap();
    std::fs::write(&games, whole.replacen("\"number\":0", "\"number\":zero", 1)).unwrap();
    fails(folder, &format!("compare alice {FEW} --out games"), "games.jsonl, line 1: column ");
    std::fs::write(&games, &whole[..whole.len() - 20]).unwrap();
    let said = alice(folder, &format!("compare alice {FEW} --out games"));
    assert_eq!(said.code, Some(0));
    assert!(said.errors.contains("the last game was not finished; it is dropped"), "{}", said.errors);
    assert_eq!(std::fs::read_to_string(&games).unwrap(), whole);
    let mated = "extends = \"chess\"\n[about]\ntitle = \"Over\"\nsource = \"a test\"\n[start]\n\
        position = \"7k/5KQ1/8/8/8/8/8/8 b - - 0 1\"\n";
    std::fs::write(folder.join("over.toml"), mated).unwrap();
    fails(folder, "compare over.toml --games 2", "over");
}
