//! The solver against plain search, on random small positions of every built-in game: no table, no
//! ordering, no bounds, no walk; and for mates in one not even the engine, but its slow twin.

use alice_core::{Colour, Kind, Man, Move, Position, Setup, Square, Strictness, Variant};
use alice_problems::{Goal, Options, Play, Problem, Solution, Stipulation, Watch, solve};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::BTreeSet;

/// Random numbers, the same on every run.
struct Dice(SplitMix64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }
}

/// As many as asked for; a tenth without optimisation.
fn cases(n: usize) -> usize {
    if cfg!(debug_assertions) { n.div_ceil(10) } else { n }
}

/// All moves of a position, by the slow twin or by the engine.
fn moves(position: &Position, slow: bool) -> Vec<Move> {
    match slow {
        true => position.variant().reference().legal_moves(&position.setup()),
        false => position.legal_moves(),
    }
}

/// Whether the side to move can't, and is or is not in check as the goal wants it.
fn reached(position: &Position, goal: Goal, slow: bool) -> bool {
    let check = match slow {
        true => !position.checkers().is_empty(),
        false => position.in_check(),
    };
    check == (goal == Goal::Mate) && moves(position, slow).is_empty()
}

/// Plain search, straight from what the stipulations mean.
struct Plain {
    stipulation: Stipulation,
    slow: bool,
}

impl Plain {
    /// Whether a first move, one of so many, solves.
    fn forces(&self, after: &Position, moves_left: u32) -> bool {
        let (goal, slow) = (self.stipulation.goal, self.slow);
        let replies = moves(after, slow);
        if self.stipulation.play == Play::Direct {
            if replies.is_empty() {
                return reached(after, goal, slow);
            }
            return moves_left > 1
                && replies.iter().all(|reply| self.solvable(&after.after(reply), moves_left - 1));
        }
        let meets = |next: &Position| {
            reached(next, goal, slow) || moves_left > 1 && self.solvable(next, moves_left - 1)
        };
        !replies.is_empty() && replies.iter().all(|reply| meets(&after.after(reply)))
    }

    fn solvable(&self, position: &Position, moves_left: u32) -> bool {
        moves(position, self.slow).iter().any(|mv| self.forces(&position.after(mv), moves_left))
    }

    /// The replies after which the attacker, with one move less, fails.
    fn refutations(&self, after: &Position, moves_left: u32) -> Vec<Move> {
        let goal = self.stipulation.goal;
        let refutes = |reply: &Move| {
            let next = after.after(reply);
            let met = self.stipulation.play == Play::SelfPlay && reached(&next, goal, self.slow);
            !met && (moves_left == 1 || !self.solvable(&next, moves_left - 1))
        };
        let mut all = moves(after, self.slow);
        all.retain(refutes);
        all
    }
}

/// A position of a few random men, the kings among them, where the side not to move is not in check.
fn random(variant: &Variant, dice: &mut Dice, white: usize, black: usize) -> Position {
    let rules = variant.rules();
    let royal = rules.royal().unwrap();
    loop {
        let mut setup = Setup::empty(rules.shape, rules.boards);
        let mut put = |dice: &mut Dice, man: Man| {
            loop {
                let board = alice_core::Board(dice.below(usize::from(rules.boards)) as u8);
                let cell = alice_core::Cell(dice.below(rules.shape.cells()) as u8);
                // Kings of mated sides stand at the edge, most of the time.
                let [file, rank, _] = rules.shape.coordinates(cell);
                let edge = file == 0 || rank == 0 || rank + 1 == rules.shape.ranks() as i32;
                let wanted = man.kind != royal || edge || dice.below(4) == 0;
                let square = Square { board, cell };
                if wanted && setup.man(square).is_none() {
                    setup.put(square, Some(man));
                    return;
                }
            }
        };
        for (colour, men) in [(Colour::White, white), (Colour::Black, black)] {
            put(dice, Man { kind: royal, colour });
            for _ in 0..men {
                // Pawns never stand where they would have promoted, and not often.
                let kind = loop {
                    let kind = Kind(dice.below(rules.men.len()) as u8);
                    if kind != royal && (!rules.man(kind).pawn || dice.below(2) == 0) {
                        break kind;
                    }
                };
                put(dice, Man { kind, colour });
            }
        }
        let last = |(square, man): (Square, Man)| rules.promotes(man.kind, man.colour, square.cell);
        if setup.men().any(last) {
            continue;
        }
        if let Ok(position) = variant.position(&setup, Strictness::Game) {
            return position;
        }
    }
}

/// The one of a few random positions in which Black could do least: where there are mates.
fn tight(variant: &Variant, dice: &mut Dice, white: usize, black: usize) -> Position {
    let freedom = |position: &Position| {
        let mut setup = position.setup();
        setup.turn = Colour::Black;
        variant.position(&setup, Strictness::Problem).map_or(u64::MAX, |black| black.perft(1))
    };
    let few = std::iter::repeat_with(|| random(variant, dice, white, black)).take(12);
    few.min_by_key(freedom).expect("twelve are more than none")
}

fn stipulation(text: &str) -> Stipulation {
    Stipulation::read(text).unwrap()
}

fn variants() -> Vec<(&'static str, Variant)> {
    let names = alice_config::builtin_names().into_iter();
    names.map(|name| (name, alice_config::load(name).unwrap().variant)).collect()
}

#[test]
fn keys_and_tries_are_those_of_a_plain_search_on_500_positions_of_every_game() {
    for (name, variant) in variants() {
        let mut dice = Dice(SplitMix64::seed_from_u64(1953));
        let wide = variant.rules().shape.cells() > 64;
        // Stipulation, how many positions, whether by the slow twin, men of each side besides the kings.
        let kinds = [
            ("#1", 25, true, 4, 1),
            ("#1", if wide { 270 } else { 265 }, false, 4, 1),
            ("=1", 20, true, 3, 0),
            ("s#1", 20, true, 3, 1),
            ("#2", 100, false, 4, 1),
            ("=2", 20, false, 2, 0),
            ("s#2", 30, false, 2, 2),
            ("s=2", 10, false, 2, 1),
            ("#3", if wide { 5 } else { 10 }, false, 2, 1),
        ];
        let (mut positions, mut keys, mut tries) = (0, 0, 0);
        for (text, many, slow, white, black) in kinds {
            let asked = stipulation(text);
            let plain = Plain { stipulation: asked, slow };
            for _ in 0..cases(many) {
                let position = tight(&variant, &mut dice, white, black);
                let problem = Problem::new(&variant, position.setup(), asked).unwrap();
                let options = Options { tries: true, variations: false, ..Options::default() };
                let Solution::Battle(battle) = solve(&problem, &options, &Watch::default()) else {
                    panic!("{text} is a battle");
                };
                let set =
                    |all: &[alice_problems::Attack]| all.iter().map(|one| one.mv).collect::<BTreeSet<_>>();
                let (mut right, mut once) = (BTreeSet::new(), BTreeSet::new());
                for mv in position.legal_moves() {
                    let after = position.after(&mv);
                    if plain.forces(&after, asked.moves) {
                        right.insert(mv);
                    } else if asked.moves < 3 && plain.refutations(&after, asked.moves).len() == 1 {
                        once.insert(mv);
                    }
                }
                assert_eq!(set(&battle.keys), right, "keys of {text} {name} {position}");
                if asked.moves < 3 {
                    assert_eq!(set(&battle.tries), once, "tries of {text} {name} {position}");
                }
                positions += 1;
                keys += usize::from(!right.is_empty());
                tries += usize::from(!once.is_empty());
            }
        }
        println!("{name}: {positions} positions, {keys} with keys, {tries} with tries");
        assert!(keys * 20 > positions, "{name}: too few positions have keys to prove anything");
    }
}

/// All lines of just so many plies that reach the goal; a series passes for the other side.
fn plain_lines(
    position: &Position,
    left: u32,
    asked: Stipulation,
    found: &mut Vec<Vec<Move>>,
    line: &mut Vec<Move>,
) {
    for mv in position.legal_moves() {
        let next = position.after(&mv);
        line.push(mv);
        if left == 1 {
            if reached(&next, asked.goal, false) {
                found.push(line.clone());
            }
        } else if asked.play == Play::SeriesHelp && left > 2 {
            if !next.in_check() {
                let mut setup = next.setup();
                setup.turn = !setup.turn;
                setup.en_passant = None;
                let passed = next.variant().position(&setup, Strictness::Problem).unwrap();
                plain_lines(&passed, left - 1, asked, found, line);
            }
        } else {
            plain_lines(&next, left - 1, asked, found, line);
        }
        line.pop();
    }
}

#[test]
fn helpmates_and_series_of_every_game_have_the_lines_of_a_plain_search() {
    for (name, variant) in variants() {
        let mut dice = Dice(SplitMix64::seed_from_u64(1973));
        let mut solutions = 0;
        for (text, many) in [
            ("h#1", 20),
            ("h#1.5", 20),
            ("h#2", 4),
            ("h=1.5", 6),
            ("ser-h#2", 8),
            ("ser-h=2", 4),
            ("ser-h#3", 2),
        ] {
            let asked = stipulation(text);
            for _ in 0..cases(many) {
                // The side that begins a series or a help-mate of whole moves gets mated.
                let position = random(&variant, &mut dice, 2, 1);
                let mut setup = position.setup();
                if !asked.half {
                    setup.turn = Colour::Black;
                }
                let Ok(problem) = Problem::new(&variant, setup, asked) else { continue };
                let Solution::Lines(lines) = solve(&problem, &Options::default(), &Watch::default()) else {
                    panic!("{text} has lines");
                };
                let plain = |plies: u32| {
                    let mut found = Vec::new();
                    plain_lines(problem.position(), plies, asked, &mut found, &mut Vec::new());
                    found.sort();
                    found
                };
                let here = problem.position();
                assert_eq!(lines.lines, plain(asked.plies()), "{text} {name} {here}");
                let step = if asked.play == Play::SeriesHelp { 1 } else { 2 };
                let least = if asked.play == Play::SeriesHelp { 2 } else { 2 - asked.plies() % 2 };
                let fewer: Vec<_> = (least..asked.plies()).step_by(step).flat_map(plain).collect();
                assert_eq!(lines.short, fewer, "fewer moves, {text} {name} {here}");
                solutions += lines.lines.len();
            }
        }
        println!("{name}: {solutions} solutions");
        assert!(solutions > 10 || cfg!(debug_assertions), "{name}: too few solutions to prove anything");
    }
}

/// All games of just so many plies that end with these men.
fn plain_games(
    position: &Position,
    left: u32,
    men: &[(Square, Man)],
    found: &mut Vec<Vec<Move>>,
    line: &mut Vec<Move>,
) {
    if left == 0 {
        if position.setup().men().eq(men.iter().copied()) {
            found.push(line.clone());
        }
        return;
    }
    for mv in position.legal_moves() {
        line.push(mv);
        plain_games(&position.after(&mv), left - 1, men, found, line);
        line.pop();
    }
}

#[test]
fn proof_games_of_every_game_are_those_of_a_plain_search() {
    let mut all: Vec<(String, Variant, u32)> = Vec::new();
    for (name, variant) in variants() {
        let plies = if variant.start().perft(1) > 20 { 2 } else { 3 };
        all.push((name.into(), variant, plies));
    }
    // Few men, so that there is room to capture, castle, promote and capture en passant.
    let starts = [
        ("castling", "r3k3/6p1/8/8/8/8/1P6/4K2R"),
        ("captures", "4k3/3p4/8/2p5/8/4N3/2P5/4K3"),
        ("promotion", "7k/P7/8/8/3n4/8/4p3/K7"),
    ];
    for base in ["chess", "alice", "odonohue", "duo", "mrs-alice", "three-board"] {
        for (what, start) in starts {
            let text = format!(
                "extends = \"{base}\"\nen-passant = \"origin\"\n[about]\ntitle = \"a test\"\nsource = \"a test\"\n\
                 [start]\nA = \"{start}\"\n{}",
                if base == "duo" { "B = \"8/8/8/8/8/8/8/8\"\ncastling = \"-\"\n" } else { "" }
            );
            let name = format!("{base} {what}");
            let config = alice_config::parse(&name, &text).unwrap_or_else(|error| panic!("{name}:\n{error}"));
            let plies = if matches!(base, "chess" | "alice" | "odonohue") { 4 } else { 3 };
            all.push((name, config.variant, plies));
        }
    }
    let mut dice = Dice(SplitMix64::seed_from_u64(2025));
    for (name, variant, plies) in all {
        for _ in 0..cases(6) {
            let mut end = variant.start();
            for _ in 0..plies {
                let moves = end.legal_moves();
                // Captures are rare by chance alone.
                let captures: Vec<_> = moves
                    .iter()
                    .filter(|mv| end.man(Square { board: mv.origin, cell: mv.to }).is_some())
                    .collect();
                let mv = match captures.as_slice() {
                    [_, ..] if dice.below(2) == 0 => *captures[dice.below(captures.len())],
                    _ => moves[dice.below(moves.len())],
                };
                end.play(&mv);
            }
            let mut setup = end.setup();
            (setup.castling, setup.en_passant) = (0, None);
            let asked = stipulation(&format!("pg {}{}", plies / 2, if plies % 2 == 1 { ".5" } else { "" }));
            let problem = Problem::new(&variant, setup.clone(), asked).unwrap();
            let Solution::Lines(lines) = solve(&problem, &Options::default(), &Watch::default()) else {
                panic!("a proof game has lines");
            };
            let mut found = Vec::new();
            let men: Vec<_> = setup.men().collect();
            plain_games(&variant.start(), plies, &men, &mut found, &mut Vec::new());
            found.sort();
            assert!(!found.is_empty());
            assert_eq!(lines.lines, found, "{name} {end}");
        }
    }
}
