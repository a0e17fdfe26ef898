//! Published problems solve as published: those of `tests/cases.jsonl`, and those of
//! `tests/published/`, a file each. Such a file has lines `variant`, `position`, `stipulation`, `options`
//! and `source`, an empty line, and the whole output.

use alice_problems::{Options, Play, Problem, Solution, Stipulation, Watch, castling_at_home, solve};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

fn here(path: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), path].iter().collect()
}

/// A problem as its text says; castling where men stand at home if it says nothing of that.
fn problem(variant: &str, position: &str, stipulation: &str) -> Problem {
    let variant = alice_config::load(variant).unwrap().variant;
    let mut setup = variant.read_setup(position).unwrap();
    if position.split_whitespace().count() < 3 {
        setup.castling = castling_at_home(variant.rules(), &setup);
    }
    Problem::new(&variant, setup, Stipulation::read(stipulation).unwrap()).unwrap()
}

#[test]
fn the_problems_among_the_cases_have_their_published_solutions() {
    let cases = std::fs::read_to_string(here("../../tests/cases.jsonl")).unwrap();
    let mut solved = 0;
    for line in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        if case["kind"] != "problem" {
            continue;
        }
        let (start, expect) = (&case["start"], &case["expect"]);
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_string();
        let boards: Vec<String> = start["boards"].as_object().unwrap().values().map(text).collect();
        let position = format!("{} {} {}", boards.join("|"), text(&start["turn"]), text(&start["castling"]));
        let problem = problem(&text(&case["variant"]), &position, &text(&case["stipulation"]));
        let options = Options { tries: true, ..Options::default() };
        let solution = solve(&problem, &options, &Watch::default());
        assert!(solution.complete());
        let rules = problem.position().rules();
        match &solution {
            Solution::Battle(battle) => {
                let keys: Vec<_> =
                    battle.keys.iter().map(|key| (key.mv.origin.to_string(), key.mv.short(rules))).collect();
                let key = &expect["key"];
                assert_eq!(keys, [(text(&key["board"]), text(&key["uci"]))], "{}", case["id"]);
                let tries =
                    expect.get("tries_with_single_refutation_computed").or(expect.get("refuted_tries"));
                let tries = tries.unwrap().as_object().unwrap().iter();
                let bare = |mv: &str| mv.trim_end_matches(['+', '#']).trim_end_matches("/A").to_string();
                let tries: BTreeMap<String, String> =
                    tries.map(|(mv, by)| (bare(mv), bare(&text(by)))).collect();
                let found = battle.tries.iter().map(|attack| {
                    let by = attack
                        .defence
                        .as_ref()
                        .unwrap()
                        .replies
                        .iter()
                        .find(|reply| reply.refutes())
                        .unwrap();
                    let after = problem.position().after(&attack.mv);
                    (bare(&problem.position().algebraic(&attack.mv)), bare(&after.algebraic(&by.mv)))
                });
                assert_eq!(found.collect::<BTreeMap<_, _>>(), tries, "{}", case["id"]);
            }
            Solution::Lines(lines) => {
                assert_eq!(problem.stipulation().play, Play::Help);
                assert_eq!(lines.lines.len() as u64, expect["solution_count"].as_u64().unwrap());
                // `1.Bd5-b7/B Rg2-e2/B …`: cell left, cell and board where it lands.
                let published: BTreeSet<String> =
                    expect["solutions"].as_array().unwrap().iter().map(text).collect();
                let published: BTreeSet<String> = published
                    .iter()
                    .map(|line| line.split(' ').map(plain).collect::<Vec<_>>().join(" "))
                    .collect();
                let found = lines.lines.iter().map(|line| {
                    let mv = |mv: &alice_core::Move| {
                        let cell = |cell| rules.shape.cell_name(cell);
                        format!("{}-{}/{}", cell(mv.from), cell(mv.to), mv.landing)
                    };
                    line.iter().map(mv).collect::<Vec<_>>().join(" ")
                });
                assert_eq!(found.collect::<BTreeSet<_>>(), published, "{}", case["id"]);
            }
        }
        solved += 1;
    }
    assert_eq!(solved, 3);
}

/// `1.Bd5-b7/B#` without number, man and sign.
fn plain(mv: &str) -> String {
    let mv = mv.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c.is_ascii_uppercase());
    mv.trim_end_matches(['+', '#']).to_string()
}

#[test]
fn published_problems_print_their_published_solutions() {
    let mut files: Vec<_> =
        std::fs::read_dir(here("tests/published")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 8);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let (head, expected) = text.split_once("\n\n").unwrap();
        let fields: BTreeMap<&str, &str> = head.lines().map(|line| line.split_once(' ').unwrap()).collect();
        let options = fields.get("options").copied().unwrap_or_default();
        let options = Options {
            tries: options.contains("tries"),
            set_play: options.contains("set"),
            threads: 2,
            ..Options::default()
        };
        let problem = problem(fields["variant"], fields["position"], fields["stipulation"]);
        let solution = solve(&problem, &options, &Watch::default());
        assert_eq!(solution.text(&problem), expected, "{}", file.display());
    }
}
