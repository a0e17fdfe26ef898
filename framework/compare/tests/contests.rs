//! Contests from the first game to the result: the same however they are played, and nothing is lost or mixed up.

use alice_compare::{
    Bout, Conditions, Contest, ContestError, Effort, Entrant, Field, Folder, FolderError, Heading, Pairing,
    Settings, Side, Sprt, Tally, fingerprint,
};
use alice_core::Variant;
use alice_play::{Manner, Stop, Weights};
use std::collections::BTreeMap;
use std::path::Path;

const CONDITIONS: Conditions = Conditions { seed: 7, openings: 4, longest: 60 };
const GREEDY: Entrant = Entrant::Novice(Manner::Greedy);
const RANDOM: Entrant = Entrant::Novice(Manner::Random);

type Bouts = BTreeMap<u64, Bout>;

fn small() -> Variant {
    alice_config::load("alice-8x4").unwrap().variant
}

fn engine(variant: &Variant, effort: Effort) -> Entrant {
    Entrant::Engine { weights: Weights::of_rules(variant.rules()), effort }
}

fn contest(variant: &Variant, entrants: [Entrant; 2], games: u64) -> Contest<'_> {
    Contest {
        name: "alice-8x4",
        variant,
        entrants,
        conditions: CONDITIONS,
        games,
        sprt: None,
        threads: 1,
        memory: 1 << 20,
        sound: &|| true,
    }
}

fn played(contest: &Contest) -> (Tally, Bouts) {
    let mut bouts = Bouts::new();
    let tally = contest.run(None, &mut bouts, &Stop::new(), &mut |_, _| {}).unwrap();
    (tally, bouts)
}

fn pairing(contest: &Contest) -> Pairing {
    let rules = fingerprint(contest.variant, "");
    Pairing {
        version: "1".into(),
        entrants: contest.entrants.each_ref().map(ToString::to_string),
        conditions: contest.conditions,
        variants: vec![Field { name: contest.name.into(), rules, weights: ["a".into(), "b".into()] }],
    }
}

fn open(folder: &Path, pairing: &Pairing) -> (Folder<Pairing>, Bouts) {
    let (folder, opened) = Folder::open(folder, pairing).unwrap();
    (folder, opened.games.into_iter().map(|((_, number), bout)| (number, bout)).collect())
}

#[test]
fn games_are_the_same_on_one_thread_on_three_and_after_a_break() {
    let variant = small();
    let first = engine(&variant, Effort::Nodes(60));
    let others = [engine(&variant, Effort::Nodes(20)), engine(&variant, Effort::Depth(1)), GREEDY, RANDOM];
    let home = tempfile::tempdir().unwrap();
    for (n, other) in others.into_iter().enumerate() {
        let contest = contest(&variant, [first.clone(), other], 6);
        let at_once = played(&contest);
        assert_eq!((at_once.0.games(), at_once.1.len()), (6, 6));
        assert_eq!(played(&Contest { threads: 3, ..contest.clone() }), at_once);
        let path = home.path().join(n.to_string());
        let (mut folder, mut bouts) = open(&path, &pairing(&contest));
        let stop = Stop::new();
        let tally = contest.run(Some(&mut folder), &mut bouts, &stop, &mut |progress, _| {
            if progress.done == 3 {
                stop.raise();
            }
        });
        let tally = tally.unwrap();
        assert!(bouts.len() >= 3 && bouts.len() < 6 && tally.games() < 6 && !contest.is_over(&tally));
        drop(folder);
        // The run was killed in the middle of a line.
        let file = path.join("games.jsonl");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, &text[..text.len() - 9]).unwrap();
        let (mut folder, mut bouts) = open(&path, &pairing(&contest));
        let tally = contest.run(Some(&mut folder), &mut bouts, &Stop::new(), &mut |_, _| {}).unwrap();
        assert_eq!((tally, bouts), at_once);
        drop(folder);
        assert_eq!(open(&path, &pairing(&contest)).1, at_once.1);
    }
}

#[test]
fn a_pair_is_one_opening_with_colours_changed() {
    let variant = small();
    let contest = contest(&variant, [engine(&variant, Effort::Nodes(40)), RANDOM], 6);
    let (_, bouts) = played(&contest);
    let drawn = |number: u64| {
        let bout = &bouts[&number];
        assert_eq!(bout.drawn, 4);
        bout.moves.split(' ').take(4).collect::<Vec<_>>()
    };
    for pair in 0..3 {
        let (one, other) = (2 * pair, 2 * pair + 1);
        assert_eq!(drawn(one), drawn(other));
        assert_eq!((bouts[&one].white, bouts[&other].white), (Side::First, Side::Second));
    }
    assert_ne!(drawn(0), drawn(2));
    let seed = Conditions { seed: 8, ..CONDITIONS };
    assert_ne!(played(&Contest { conditions: seed, ..contest }).1, bouts);
}

#[test]
fn who_changes_places_changes_wins_for_losses() {
    let variant = small();
    let (one, other) = (engine(&variant, Effort::Nodes(150)), engine(&variant, Effort::Depth(1)));
    let (there, _) = played(&contest(&variant, [one.clone(), other.clone()], 8));
    let (back, _) = played(&contest(&variant, [other, one], 8));
    assert_eq!((there.wins, there.draws, there.losses), (back.losses, back.draws, back.wins));
    assert!(there.wins > there.losses, "{there:?}");
}

#[test]
fn a_contest_ends_with_the_pair_that_decides_it_on_any_number_of_threads() {
    let variant = small();
    let entrants = [engine(&variant, Effort::Nodes(60)), RANDOM];
    let whole = contest(&variant, entrants, 40);
    let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05).ok();
    let decided = played(&Contest { sprt, ..whole.clone() });
    assert!((2..40).contains(&decided.0.games()), "{:?}", decided.0);
    assert_eq!(decided.0.games(), decided.1.len() as u64);
    let (mut reached, mut bouts) = (None, Bouts::new());
    let threads = Contest { sprt, threads: 3, ..whole.clone() };
    let tally =
        threads.run(None, &mut bouts, &Stop::new(), &mut |progress, _| reached = Some(progress)).unwrap();
    let reached = reached.map(|progress| (progress.done, progress.all));
    assert_eq!(reached, Some((bouts.len(), bouts.len())));
    assert_eq!((tally, bouts), decided);
    // The same games, as far as they go; and later ones that are known change nothing.
    let (_, mut all) = played(&whole);
    assert!(decided.1.iter().all(|(number, bout)| all[number] == *bout));
    let again = threads.run(None, &mut all, &Stop::new(), &mut |_, _| {}).unwrap();
    assert_eq!((again, all), decided);
}

#[test]
fn what_does_not_belong_together_is_not_mixed() {
    let variant = small();
    let contest = contest(&variant, [engine(&variant, Effort::Nodes(20)), RANDOM], 2);
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("games");
    let about = pairing(&contest);
    let (mut folder, mut bouts) = open(&path, &about);
    contest.run(Some(&mut folder), &mut bouts, &Stop::new(), &mut |_, _| {}).unwrap();
    assert!(matches!(Folder::open(&path, &about), Err(FolderError::Busy { .. })));
    drop(folder);
    let field = |change: fn(&mut Field)| {
        let mut other = about.clone();
        change(&mut other.variants[0]);
        other
    };
    let others = [
        (
            "seed 7 here, 8 there",
            Pairing { conditions: Conditions { seed: 8, ..CONDITIONS }, ..about.clone() },
        ),
        (
            "second player random here, greedy there",
            Pairing { entrants: ["nodes=20".into(), "greedy".into()], ..about.clone() },
        ),
        ("variants alice-8x4 here, alice there", field(|field| field.name = "alice".into())),
        ("the rules of alice-8x4 differ", field(|field| field.rules = "others".into())),
        ("the second player's weights for alice-8x4 differ", field(|field| field.weights[1] = "c".into())),
    ];
    for (why, other) in others {
        let error = Folder::open(&path, &other).map(drop).unwrap_err().to_string();
        assert!(error.contains(&format!("belongs to another contest: {why}; ")), "{error}");
    }
    let settings = Settings { nodes: Some(20), time: None, seed: 7, openings: 4, longest: 60 };
    let comparison = Heading { version: "1".into(), settings, variants: vec![] };
    let error = Folder::open(&path, &comparison).map(drop).unwrap_err().to_string();
    assert!(
        error.contains("is not the folder of a comparison: its settings.json is of something else"),
        "{error}"
    );
}

#[test]
fn games_that_do_not_bear_themselves_out_are_refused() {
    let variant = small();
    let contest = contest(&variant, [engine(&variant, Effort::Nodes(20)), RANDOM], 2);
    let (_, bouts) = played(&contest);
    type Change = fn(&mut Bout);
    let refused = |change: Change| {
        let mut bouts = bouts.clone();
        change(bouts.get_mut(&1).unwrap());
        contest.run(None, &mut bouts, &Stop::new(), &mut |_, _| {}).unwrap_err().to_string()
    };
    let cases: [(&str, Change); 4] = [
        ("game 1 of alice-8x4: move ", |bout| bout.moves += " a1Aa8B"),
        ("game 1 of alice-8x4: it says 2-0 by ", |bout| bout.score = "2-0".into()),
        ("game 1 of alice-8x4: it says that the other player had White", |bout| bout.white = Side::First),
        ("game 1 of alice-8x4: it says that 10000 of its ", |bout| bout.drawn = 10_000),
    ];
    for (why, change) in cases {
        assert!(refused(change).starts_with(why), "{}", refused(change));
    }
}

#[test]
fn impossible_contests_are_refused() {
    let variant = small();
    let run =
        |contest: &Contest| contest.run(None, &mut Bouts::new(), &Stop::new(), &mut |_, _| {}).unwrap_err();
    for games in [0, 3] {
        let error = run(&contest(&variant, [GREEDY, RANDOM], games));
        assert!(matches!(error, ContestError::Games(n) if n == games), "{error}");
    }
    let mut weights = Weights::of_rules(variant.rules());
    weights.men.clear();
    let nobody = Entrant::Engine { weights, effort: Effort::Depth(1) };
    let error = run(&contest(&variant, [GREEDY, nobody], 2));
    assert!(error.to_string().starts_with("the weights say nothing of the "), "{error}");
}
