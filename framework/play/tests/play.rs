//! A player plays every built-in game: legally, repeatably, and well enough.

use alice_core::{Colour, Outcome, Position, Record, Strictness, Variant};
use alice_play::{Judge, Limits, Manner, Novice, Player, Stop, Value, Weights, WeightsError};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::Value as Json;

fn game(name: &str) -> Variant {
    alice_config::load(name).unwrap_or_else(|e| panic!("{e}")).variant
}

fn games() -> impl Iterator<Item = (&'static str, Variant)> {
    alice_config::builtin_names().into_iter().map(|name| (name, game(name)))
}

/// A few moves at random.
fn opening(variant: &Variant, plies: usize, seed: u64) -> Record {
    let mut random = SplitMix64::seed_from_u64(seed);
    let mut record = Record::new(variant.start());
    while record.moves().len() < plies && record.outcome().is_none() {
        let moves = record.position().legal_moves();
        let pick = random.next_u64() as usize % moves.len();
        record.play(&moves[pick]);
    }
    record
}

/// Whether the side to move mates within `n` moves, found by trying everything.
fn mates(position: &Position, n: u32) -> bool {
    position.legal_moves().iter().any(|mv| {
        let after = position.after(mv);
        let replies = after.legal_moves();
        if replies.is_empty() {
            return after.in_check();
        }
        n > 1 && replies.iter().all(|reply| mates(&after.after(reply), n - 1))
    })
}

/// The games and problems among the cases, of games that end in mate.
fn mating_cases() -> Vec<(String, Variant, Record, Json)> {
    let cases = include_str!("../../../tests/cases.jsonl").lines();
    let mut mating = Vec::new();
    for case in cases.map(|line| serde_json::from_str::<Json>(line).unwrap()) {
        let expect = &case["expect"];
        if expect["checkmate"] != true && expect["mate_in"].is_null() || case["kind"] == "claim" {
            continue;
        }
        let variant = game(case["variant"].as_str().unwrap());
        let start = &case["start"];
        let boards: Vec<_> =
            start["boards"].as_object().unwrap().values().map(|b| b.as_str().unwrap()).collect();
        let text = |key: &str| start[key].as_str().unwrap().to_string();
        let setup = format!("{} {} {} - 0 1", boards.join("|"), text("turn"), text("castling"));
        let setup = variant.read_setup(&setup).unwrap();
        let mut record = Record::new(variant.position(&setup, Strictness::Problem).unwrap());
        let key_only = !expect["mate_in"].is_null();
        for mv in case["moves"].as_array().unwrap().iter().take(if key_only { 0 } else { usize::MAX }) {
            let (uci, board) = (mv["uci"].as_str().unwrap(), mv["board"].as_str().unwrap());
            let exact = format!("{}{board}{}", &uci[..2], &uci[2..]);
            let mv = record.position().read_move(&exact).unwrap();
            record.play(&mv);
        }
        mating.push((case["id"].as_str().unwrap().to_string(), variant, record, expect.clone()));
    }
    mating
}

#[test]
fn published_games_are_mated_as_soon_as_they_can_be_from_three_moves_before_their_end() {
    let (mut tried, mut forced) = (0, 0);
    for (id, variant, mut record, expect) in mating_cases() {
        if !expect["mate_in"].is_null() {
            continue;
        }
        for n in 1..=3_u32 {
            if record.undo().is_none() {
                break;
            }
            tried += 1;
            let Some(n) = (1..=n).find(|n| mates(record.position(), *n)) else {
                record.undo();
                continue;
            };
            forced += 1;
            let report = Player::new(&variant).choose(&record, &Limits::nodes(60_000));
            assert_eq!(report.value().wins_in(), Some(2 * n - 1), "{id} {}", record.position());
            record.undo();
        }
    }
    assert!(tried >= 12 && forced >= 7, "{tried} positions, {forced} of them won by force");
}

#[test]
fn problems_are_solved_by_their_keys() {
    let mut solved = 0;
    for (id, variant, record, expect) in mating_cases() {
        let Some(n) = expect["mate_in"].as_u64() else { continue };
        // Problems live on moves that one would rather not make.
        let mut player = Player::new(&variant);
        player.set_passes(false);
        let report = player.choose(&record, &Limits::nodes(400_000));
        assert_eq!(report.value().wins_in(), Some(2 * n as u32 - 1), "{id}");
        let key = &expect["key"];
        let best = report.best().unwrap().short(variant.rules());
        assert_eq!(best, key["uci"].as_str().unwrap(), "{id}");
        solved += 1;
    }
    assert!(solved >= 2);
}

#[test]
fn one_thread_with_a_limit_of_positions_does_the_same_every_time() {
    for (name, variant) in games() {
        let record = opening(&variant, 6, 1);
        let mut player = Player::new(&variant);
        let limits = Limits { lines: 2, ..Limits::nodes(3_000) };
        let first = player.choose(&record, &limits);
        player.forget();
        let again = player.choose(&record, &limits);
        let other = Player::new(&variant).choose(&record, &limits);
        assert!(first.nodes <= 3_000, "{name}");
        for report in [again, other] {
            assert_eq!((&first.lines, first.nodes, first.depth), (&report.lines, report.nodes, report.depth));
        }
    }
}

#[test]
fn every_move_of_every_line_is_legal_in_every_game() {
    for (name, variant) in games() {
        let mut player = Player::new(&variant);
        player.set_memory(1 << 16);
        let mut record = opening(&variant, 4, 2);
        for ply in 0..60 {
            if record.outcome().is_some() {
                break;
            }
            player.set_threads(1 + ply % 2);
            let report = player.choose(&record, &Limits { lines: 1 + ply % 3, ..Limits::nodes(400) });
            for line in &report.lines {
                let mut position = record.position().clone();
                for mv in &line.moves {
                    assert!(position.legal_moves().contains(mv), "{name}: {mv:?} in {position}");
                    position.play(mv);
                }
            }
            record.play(&report.best().unwrap());
        }
    }
}

#[test]
fn whoever_only_grabs_what_it_can_is_beaten_in_every_game() {
    let (mut won, mut played) = (0, 0);
    for (_, variant) in games() {
        let mut player = Player::new(&variant);
        let mut greedy = Novice::new(Manner::Greedy, &variant, 3);
        for side in Colour::BOTH {
            let mut record = opening(&variant, 2, side as u64);
            while record.outcome().is_none() && record.moves().len() < 200 {
                let mv = match record.position().turn() == side {
                    true => player.choose(&record, &Limits::nodes(1_500)).best().unwrap(),
                    false => greedy.choose(&record).unwrap(),
                };
                record.play(&mv);
            }
            let winner = record.outcome().and_then(Outcome::winner);
            assert_ne!(winner, Some(!side), "{}: {:?}", variant.rules().name, record.position());
            won += usize::from(winner == Some(side));
            played += 1;
        }
    }
    assert!(won * 10 >= played * 9, "{won} of {played} won");
}

#[test]
fn a_search_ends_when_the_flag_is_raised_and_has_a_move_even_then() {
    let variant = game("alice");
    let record = Record::new(variant.start());
    for threads in [1, 3] {
        let mut player = Player::new(&variant);
        player.set_threads(threads);
        let limits = Limits { endless: true, ..Limits::default() };
        let stop: Stop = limits.stop.clone();
        let report = player.think(&record, &limits, &mut |report| {
            if report.depth == 3 {
                stop.raise();
            }
        });
        assert!(report.best().is_some() && report.depth >= 3);
        // The flag is still up.
        assert!(player.choose(&record, &limits).best().is_some());
    }
}

#[test]
fn what_was_found_of_a_position_is_not_believed_of_one_with_a_man_on_another_board() {
    let variant = game("alice");
    let here = variant.read_position("7k/8/6K1/8/8/8/8/R7|8/8/8/8/8/8/8/R7 w - - 0 1").unwrap();
    let there = variant.read_position("7k/8/6K1/8/8/8/8/RR6|8/8/8/8/8/8/8/8 w - - 0 1").unwrap();
    let search = |player: &mut Player, position: &Position| {
        player.choose(&Record::new(position.clone()), &Limits::depth(5)).value()
    };
    let (mut first, mut second) = (Player::new(&variant), Player::new(&variant));
    let (fresh_here, fresh_there) = (search(&mut first, &here), search(&mut second, &there));
    assert_eq!(fresh_here.wins_in().is_some(), mates(&here, 2) || mates(&here, 3));
    assert_eq!(fresh_there.wins_in().is_some(), mates(&there, 2) || mates(&there, 3));
    assert_ne!(fresh_here.wins_in(), fresh_there.wins_in(), "the board makes a difference");
    assert_eq!(search(&mut first, &there).wins_in(), fresh_there.wins_in());
    assert_eq!(search(&mut second, &here).wins_in(), fresh_here.wins_in());
}

#[test]
fn a_draw_by_repetition_is_taken_by_who_would_lose_and_shunned_by_who_would_win() {
    let variant = game("chess");
    // Black is a queen up; White checks for ever.
    let record = Record::new(variant.read_position("6k1/5ppp/8/8/8/1q6/1r3PPP/4Q1K1 w - - 0 1").unwrap());
    assert_eq!(Player::new(&variant).choose(&record, &Limits::depth(3)).value().wins_in(), Some(1));
    let position = "7k/6pp/8/4Q3/8/1r5P/q5PK/8 w - - 0 1";
    let record = Record::new(variant.read_position(position).unwrap());
    let report = Player::new(&variant).choose(&record, &Limits::depth(9));
    assert!(report.value() >= Value::of_points(0), "{}", report.value());
}

#[test]
fn stalemate_counts_as_the_variant_says() {
    let position = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
    let choose = |ends: &str| {
        let text = format!(
            "extends = \"chess\"\n[about]\ntitle = \"T\"\nsource = \"none\"\n[ends]\nstalemate = \"{ends}\"\n"
        );
        let variant = alice_config::parse("test", &text).unwrap().variant;
        let record = Record::new(variant.read_position(position).unwrap());
        let mut player = Player::new(&variant);
        let mv = player.choose(&record, &Limits::depth(4)).best().unwrap();
        let mut record = record;
        record.play(&mv);
        (record.outcome(), player.choose(&record, &Limits::depth(2)).lines.len())
    };
    for ends in ["draw", "loss", "win"] {
        let (outcome, lines) = choose(ends);
        assert!(matches!(outcome, Some(Outcome::Mate { winner: Colour::White })), "{ends}");
        assert_eq!(lines, 0, "who is mated has nothing to choose");
    }
    // Where stalemating wins, a lone pawn is enough.
    let text =
        "extends = \"chess\"\n[about]\ntitle = \"T\"\nsource = \"none\"\n[ends]\nstalemate = \"loss\"\n";
    let variant = alice_config::parse("test", text).unwrap().variant;
    let record = Record::new(variant.read_position("5k2/5P2/4K3/8/8/8/8/8 w - - 0 1").unwrap());
    let report = Player::new(&variant).choose(&record, &Limits::depth(4));
    assert_eq!(report.value().wins_in(), Some(1));
}

#[test]
fn weights_can_be_written_read_and_checked() {
    for (name, variant) in games() {
        let weights = Weights::of_rules(variant.rules());
        let text = weights.text();
        assert_eq!(Weights::read(&text).unwrap(), weights, "{name}\n{text}");
        let numbers = weights.numbers(variant.rules());
        assert_eq!(numbers.len(), Weights::names(variant.rules()).len());
        assert_eq!(Weights::of_numbers(variant.rules(), &numbers), Some(weights.clone()));
        assert_eq!(Weights::of_numbers(variant.rules(), &numbers[1..]), None);
        assert_eq!(weights.check(variant.rules()), Ok(()));
        if let Some(text) = alice_config::builtin_weights(name) {
            let tuned = Weights::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(tuned.check(variant.rules()), Ok(()), "{name}");
            assert_ne!(tuned, weights, "{name}");
        }
    }
    let chess = game("chess");
    let mut weights = Weights::of_rules(chess.rules());
    weights.tempo = f64::NAN;
    assert!(matches!(weights.check(chess.rules()), Err(WeightsError::Impossible(..))));
    weights.tempo = 1.0;
    let queen = weights.men.remove("queen").unwrap();
    assert_eq!(weights.check(chess.rules()), Err(WeightsError::Missing("queen".into())));
    weights.men.insert("queen".into(), queen);
    weights.men.insert("dragon".into(), queen);
    let error = Player::with_weights(&chess, weights).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "the weights speak of a dragon, which chess does not have");
}

#[test]
fn an_evaluation_is_the_sum_of_its_terms_in_every_game() {
    let mut random = SplitMix64::seed_from_u64(8);
    for (name, variant) in games() {
        let rules = variant.rules();
        let mut numbers = Weights::of_rules(rules).numbers(rules);
        for number in &mut numbers {
            // Also weights that the rules say nothing of, and negative ones.
            let lot = random.next_u64() as f64 / u64::MAX as f64;
            *number = (*number + 30.0 * (lot - 0.4)).round();
        }
        let progress = |name: &String| name.starts_with("progress");
        for (number, name) in numbers.iter_mut().zip(Weights::names(rules)) {
            if progress(&name) {
                *number = (number.abs() / 100.0).min(0.5);
            }
        }
        let weights = Weights::of_numbers(rules, &numbers).unwrap();
        let judge = Judge::new(&variant, &weights).unwrap();
        let mut judged = 0;
        for seed in 0..12 {
            let record = opening(&variant, 10 * seed as usize, seed);
            let position = record.position();
            if position.in_check() || record.outcome().is_some() {
                continue;
            }
            judged += 1;
            let terms = judge.terms(position);
            let sum: f64 = terms.iter().zip(&numbers).map(|(term, number)| term * number).sum();
            let value = f64::from(judge.judge(position).number());
            // Each man's worth is rounded, and a few sums are.
            let rounded = 0.5 * position.setup().men().count() as f64 + 6.0;
            assert!((sum - value).abs() <= rounded, "{name}: {sum} for {value} in {position}");
        }
        assert!(judged >= 6, "{name}: {judged}");
    }
}

#[test]
fn a_search_judges_by_board_as_a_judge_does() {
    // Men are worth more on the board of a king only where weights say so; the search keeps these sums move
    // by move, the judge makes them anew.
    let variant = game("alice");
    let rules = variant.rules();
    let mut weights = Weights::of_rules(rules);
    for man in weights.men.values_mut() {
        (man.hunter, man.guard) = (25.0, -13.0);
    }
    let judge = Judge::new(&variant, &weights).unwrap();
    let mut player = Player::with_weights(&variant, weights).unwrap();
    let mut compared = 0;
    for seed in 0..20 {
        let record = opening(&variant, 12, seed);
        let report = player.choose(&record, &Limits::depth(1));
        // One ply without captures or checks: the value is the judgement of the position after it.
        let mut position = record.position().clone();
        let [mv] = report.lines[0].moves[..] else { continue };
        position.play(&mv);
        if !position.in_check() {
            compared += 1;
            assert_eq!(report.value(), judge.judge(&position).turned(), "{position}");
        }
    }
    assert!(compared >= 5, "{compared}");
}
