//! A comparison from the first game to the report: games come out the same however they are played, and none
//! is lost or mixed up.

use alice_compare::{
    Folder, FolderError, Game, Heading, Played, Report, Run, Settings, Shard, fingerprint, join, run,
};
use alice_core::Variant;
use alice_play::{Player, Stop};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const SETTINGS: Settings = Settings { nodes: Some(60), time: None, seed: 7, openings: 4, longest: 60 };
const WHOLE: Shard = Shard { part: 1, of: 1 };

type Games = BTreeMap<(usize, u64), Game>;

fn variants() -> Vec<(String, Variant)> {
    let load = |name: &str| (name.to_string(), alice_config::load(name).unwrap().variant);
    ["alice", "alice-8x4", "chess"].map(load).into()
}

fn heading() -> Heading {
    let played = |(name, variant): &(String, Variant)| Played {
        name: name.clone(),
        source: name.clone(),
        rules: fingerprint(variant, ""),
    };
    Heading { version: "1".into(), settings: SETTINGS, variants: variants().iter().map(played).collect() }
}

fn player(variant: &Variant) -> Player {
    let mut player = Player::new(variant);
    player.set_memory(1 << 20);
    player
}

/// Plays in a folder, or without one; stops after so many games.
fn played(folder: Option<&Path>, shard: Shard, threads: usize, most: usize) -> Games {
    let variants = variants();
    let (mut folder, mut games) = match folder {
        None => (None, Games::new()),
        Some(path) => {
            let (folder, opened) = Folder::open(path, &heading()).unwrap();
            (Some(folder), opened.games)
        }
    };
    let stop = Stop::new();
    let what = Run {
        variants: &variants,
        settings: SETTINGS,
        games: 4,
        shard,
        threads,
        player: &|n| player(&variants[n].1),
        sound: &|_| true,
    };
    run(&what, &mut folder, &mut games, &stop, &mut |progress| {
        if progress.done >= most {
            stop.raise();
        }
    })
    .unwrap();
    games
}

fn lines(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
    text.lines().map(String::from).collect()
}

#[test]
fn games_are_the_same_on_one_thread_on_three_in_shards_and_after_a_break() {
    let at_once = played(None, WHOLE, 1, usize::MAX);
    assert_eq!(at_once.len(), 12);
    assert_eq!(played(None, WHOLE, 3, usize::MAX), at_once);
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    let broken_off = played(Some(&path("broken")), WHOLE, 1, 5);
    assert!(broken_off.len() >= 5 && broken_off.len() < 12);
    // The run was killed in the middle of a line.
    let file = path("broken").join("games.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &text[..text.len() - 9]).unwrap();
    assert_eq!(played(Some(&path("broken")), WHOLE, 2, usize::MAX), at_once);
    assert_eq!(lines(&path("broken")).len(), 12);
    let parts: Vec<PathBuf> = (1..=3)
        .map(|part| {
            let folder = path(&format!("part-{part}"));
            played(Some(&folder), Shard { part, of: 3 }, 1, usize::MAX);
            folder
        })
        .collect();
    let (joined, dropped) = join(&parts).unwrap();
    let (_, whole) = joined.put(&path("whole")).unwrap();
    assert_eq!((whole.games, dropped), (at_once, vec![]));
    assert_eq!(lines(&path("whole")).len(), 12);
}

#[test]
fn another_seed_gives_other_games() {
    let variants = variants();
    let play = |seed| {
        let mut games = Games::new();
        let settings = Settings { seed, ..SETTINGS };
        let what = Run {
            variants: &variants,
            settings,
            games: 1,
            shard: WHOLE,
            threads: 1,
            player: &|n| player(&variants[n].1),
            sound: &|_| true,
        };
        run(&what, &mut None, &mut games, &Stop::new(), &mut |_| {}).unwrap();
        games
    };
    assert_ne!(play(1), play(2));
}

#[test]
fn what_does_not_belong_together_is_not_mixed() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("games");
    let (first, _) = Folder::open(&folder, &heading()).unwrap();
    assert!(matches!(Folder::open(&folder, &heading()), Err(FolderError::Busy { .. })));
    drop(first);
    let others: [(&str, Heading); 4] = [
        ("seed 8 here, 7 there", Heading { settings: Settings { seed: 8, ..SETTINGS }, ..heading() }),
        (
            "nodes none here, 60 there",
            Heading { settings: Settings { nodes: None, ..SETTINGS }, ..heading() },
        ),
        ("version 2 here, 1 there", Heading { version: "2".into(), ..heading() }),
        ("the rules of alice differ, or the weights that it is played by", {
            let mut other = heading();
            other.variants[0].rules = "others".into();
            other
        }),
    ];
    for (why, other) in others {
        let Err(FolderError::Other { difference, .. }) = Folder::open(&folder, &other) else {
            panic!("{why} was taken");
        };
        let turned = why.split_once(" here, ").and_then(|(here, there)| {
            let ((name, here), there) = (here.rsplit_once(' ')?, there.strip_suffix(" there")?);
            Some(format!("{name} {there} here, {here} there"))
        });
        assert_eq!(difference, turned.unwrap_or(why.into()));
    }
    let Err(empty) = join(&[home.path().into()]) else { panic!("there is nothing to merge") };
    assert!(empty.to_string().contains("has no settings.json"), "{empty}");
}

#[test]
fn damage_before_the_last_line_is_refused_with_its_line() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("games");
    played(Some(&folder), WHOLE, 1, usize::MAX);
    let whole = lines(&folder);
    let refused = |lines: &[String]| {
        std::fs::write(folder.join("games.jsonl"), lines.join("\n") + "\n").unwrap();
        Folder::open(&folder, &heading()).map(drop).unwrap_err().to_string()
    };
    let mut damaged = whole.clone();
    damaged[2].truncate(20);
    assert!(refused(&damaged).contains("games.jsonl, line 3: "), "{}", refused(&damaged));
    let twice = [whole.clone(), whole[4..5].to_vec()].concat();
    assert!(refused(&twice).contains("line 13: game 1 of alice-8x4 is there twice"), "{}", refused(&twice));
}

#[test]
fn a_report_says_the_same_in_a_table_in_csv_in_json_and_as_a_page() {
    let games = played(None, WHOLE, 1, usize::MAX);
    let report = Report::new(&heading(), &variants(), games.values()).unwrap();
    let transfers = |name: &str| {
        let entry = report.variants.iter().find(|entry| entry.name == name).unwrap();
        entry.measures.iter().find(|m| m.measure == "transfers").unwrap().estimate.unwrap().value
    };
    assert_eq!((transfers("alice"), transfers("chess")), (1.0, 0.0));
    assert!(report.apart["transfers"].contains(&("alice".into(), "chess".into())));
    assert!(report.csv().contains("alice,transfers,1,1,1,4\n"), "{}", report.csv());
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    assert_eq!(json["variants"][0]["games"], 4);
    assert!(report.table(120).contains("100.0 % [100.0, 100.0]"));
    let page = report.html();
    assert!(page.contains("alice, alice-8x4 and chess compared") && page.matches("<svg").count() > 10);
    assert!(
        !page.contains("http://")
            || page.matches("http://").count() == page.matches("http://www.w3.org/").count()
    );

    // A game that has been tampered with is found.
    let mut wrong = games.clone();
    wrong.get_mut(&(0, 0)).unwrap().moves.push_str(" a1Aa8B");
    let wrong = Report::new(&heading(), &variants(), wrong.values()).unwrap_err();
    assert!(wrong.to_string().starts_with("game 0 of alice: move "), "{wrong}");
}
