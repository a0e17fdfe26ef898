//! `alice compare`, `alice merge` and `alice match` as their users meet them: parts, breaks, refusals. What games are
//! played is not compared with anything here, so that a better player breaks no test.

mod command;

use command::{alice, fails, works};
use std::process::Command;

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
    // A game that is none is told with its line, and nothing is written of it.
    std::fs::write(&games, whole.replacen("\"score\":\"", "\"score\":\"7", 1)).unwrap();
    for line in ["merge games --out both", &format!("compare alice {FEW} --out games")] {
        fails(folder, line, "games.jsonl, line 1: game ");
    }
    assert!(!folder.join("both").exists());
    // A part that is missing is told of.
    std::fs::write(&games, whole.lines().nth(1).unwrap().to_string() + "\n").unwrap();
    let said = alice(folder, "merge games --out part");
    assert!(said.code == Some(0) && said.errors.contains("games of alice are missing"), "{}", said.errors);
    // So are games that are all the same.
    let said = alice(folder, "compare alice --games 3 --nodes 5 --openings 0 --longest 12");
    assert!(said.errors.contains("the 3 games of alice are only 1 different ones"), "{}", said.errors);
    fails(folder, "compare alice --openings 6 --longest 6", "leaves nothing to play");
    fails(folder, "match alice --against random --openings 6 --longest 6", "leaves nothing to play");
    let mated = "extends = \"chess\"\n[about]\ntitle = \"Over\"\nsource = \"a test\"\n[start]\n\
        A = \"7k/5KQ1/8/8/8/8/8/8\"\nturn = \"black\"\ncastling = \"-\"\n";
    std::fs::write(folder.join("over.toml"), mated).unwrap();
    fails(folder, "compare over.toml --games 2", "there is nothing to compare");
}

#[test]
fn a_match_says_the_same_in_a_table_and_in_json_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let what = "match alice-8x4 alice --nodes 60 --against random --games 6 --longest 60";
    let table = works(folder, &format!("{what} --out games --threads 2"));
    assert!(table.starts_with("nodes=60 against random\n") && table.contains("How games ended:"), "{table}");
    // Games that are there are not played again.
    assert_eq!(works(folder, &format!("{what} --out games --threads 1")), table);
    let json = works(folder, &format!("{what} --json --threads 1"));
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let results = report["results"].as_array().unwrap();
    let sum = |key: &str| results.iter().map(|result| result[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("games"), &report["together"]["games"]), (12, &12.into()));
    assert_eq!(sum("wins") + sum("draws") + sum("losses"), 12);
    assert_eq!(report["together"]["wins"], sum("wins"));
    for result in results {
        let name = result["variant"].as_str().unwrap();
        let row = table.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        let numbers = ["games", "wins", "draws", "losses"].map(|key| result[key].to_string());
        assert_eq!(row.split_whitespace().skip(1).take(4).collect::<Vec<_>>(), numbers, "{table}");
        let score = format!("{:.1} % [", 100.0 * result["score"]["value"].as_f64().unwrap());
        assert!(row.contains(&score), "{table}");
    }
}

#[test]
fn a_match_ends_when_it_is_decided_and_weights_can_meet() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let decided = works(
        folder,
        "match alice-8x4 --depth 1 --against random --sprt 0,200 --games 1000 --longest 100 --json",
    );
    let report: serde_json::Value = serde_json::from_str(&decided).unwrap();
    let result = &report["results"][0];
    assert_eq!(result["sprt"]["verdict"], "accepted", "{decided}");
    assert!(result["games"].as_u64().unwrap() < 1000 && report["together"].is_null(), "{decided}");
    let undecided = "match alice-8x4 --nodes 20 --against nodes=20 --games 2 --longest 20 --sprt -10,10";
    assert!(works(folder, undecided).contains("undecided"));
    std::fs::write(folder.join("nobody.toml"), "tempo = 1").unwrap();
    fails(folder, "match alice --games 2 --nodes 20 --against-weights nobody.toml", "nobody.toml");
}

#[test]
fn impossible_matches_are_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let small = "match alice-8x4 --nodes 20 --games 2 --longest 20";
    works(folder, &format!("{small} --against greedy --out games"));
    works(folder, &format!("compare alice-8x4 {FEW} --out comparison"));
    fails(folder, "match alice", "--against");
    fails(folder, "match alice --against nobody", "write greedy, random, depth=N");
    fails(folder, "match alice --against nodes=0", "with a number from 1 up");
    fails(folder, "match alice --against random --games 3", "games come in pairs");
    fails(folder, "match alice --against random --games 0", "games come in pairs");
    fails(folder, "match alice --against random --depth 0", "0 is not in 1..");
    fails(folder, "match alice --against random --depth 3 --time 5", "cannot be used with");
    fails(folder, "match alice --against random --sprt 5", "write two Elo differences");
    fails(folder, "match alice --against random --sprt 5,5", "the first must be smaller");
    fails(folder, "match alise --against random", "alise");
    fails(folder, "match alice alice --against random", "name each variant once");
    fails(folder, "match alice --against greedy --against-weights x", "--against-weights is for the engine");
    fails(
        folder,
        &format!("{small} --against random --out games"),
        "second player greedy here, random there",
    );
    fails(folder, &format!("{small} --against greedy --out comparison"), "is not the folder of a contest");
    fails(folder, &format!("compare alice-8x4 {FEW} --out games"), "is not the folder of a comparison");
    fails(folder, &format!("{small} --against greedy --out nowhere/games"), "the folder above it must exist");
    let mated = "extends = \"chess\"\n[about]\ntitle = \"Over\"\nsource = \"a test\"\n[start]\n\
        A = \"7k/5KQ1/8/8/8/8/8/8\"\nturn = \"black\"\ncastling = \"-\"\n";
    std::fs::write(folder.join("over.toml"), mated).unwrap();
    fails(folder, "match over.toml --against random", "there is nothing to play");
    let games = folder.join("games/games.jsonl");
    let whole = std::fs::read_to_string(&games).unwrap();
    std::fs::write(&games, whole.replacen("\"white\":\"first\"", "\"white\":\"second\"", 1)).unwrap();
    fails(
        folder,
        &format!("{small} --against greedy --out games"),
        "game 0 of alice-8x4: it says that the other",
    );
}

#[cfg(unix)]
#[test]
fn a_match_that_is_interrupted_keeps_its_games_and_goes_on_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let what = "match alice-8x4 --nodes 50 --against random --longest 60";
    let mut running = Command::new(env!("CARGO_BIN_EXE_alice"))
        .args(format!("{what} --games 1000000 --threads 1 --out games").split_whitespace())
        .current_dir(folder)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let games = folder.join("games/games.jsonl");
    let finished = || std::fs::read_to_string(&games).map_or(0, |text| text.lines().count());
    while finished() < 3 {
        assert!(running.try_wait().unwrap().is_none(), "a million games are not played so soon");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    let output = running.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("the same command goes on with them"), "{errors}");
    let kept = std::fs::read_to_string(&games).unwrap();
    let more = finished() / 2 * 2 + 2;
    let on = works(folder, &format!("{what} --games {more} --out games"));
    assert!(std::fs::read_to_string(&games).unwrap().starts_with(&kept));
    assert_eq!(works(folder, &format!("{what} --games {more}")), on);
}
