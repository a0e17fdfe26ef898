//! Laws of every position and every move of every game, whatever its rules: checked along random games
//! and on random positions of all built-in games.

use crate::perft::slow_perft;
use crate::{both_ways, exact, game, games};
use alice_core::{
    Boards, Cell, Colour, EnPassant, EnPassantRule, Kind, Man, Move, MoveError, MoveKind, Position, Setup,
    Square, Staying, Strictness, Transfer, Variant,
};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestError, TestRunner};
use std::collections::HashMap;

/// As many cases as asked for, the same on every run; a tenth without optimisation. `LAWS_TIMES=20` runs
/// twenty times as many, `LAWS_SEED=7` others.
fn seeded(cases: u32) -> ProptestConfig {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let cases = if cfg!(debug_assertions) { cases.div_ceil(10) } else { cases };
    ProptestConfig {
        cases: cases * number("LAWS_TIMES").unwrap_or(1) as u32,
        rng_seed: RngSeed::Fixed(number("LAWS_SEED").unwrap_or(1871)),
        failure_persistence: None,
        max_shrink_iters: 1000,
        ..Default::default()
    }
}

fn men_of(setup: &Setup, colour: Colour) -> usize {
    setup.men().filter(|(_, man)| man.colour == colour).count()
}

/// What a move captures, by the rules of each kind of move.
pub fn captured(setup: &Setup, mv: &Move) -> Option<Man> {
    match mv.kind {
        MoveKind::Ordinary => setup.man(Square { board: mv.origin, cell: mv.to }),
        MoveKind::Zero => setup.man(mv.end()),
        MoveKind::Castling(_) => None,
        // The pawn that has passed; where it stands is the position's business.
        MoveKind::EnPassant => setup.men().map(|(_, man)| man).find(|man| man.colour != setup.turn),
    }
}

/// Checks a position and all its moves; gives the moves, in order.
pub fn position_holds(position: &Position) -> Vec<Move> {
    let variant = position.variant();
    let setup = position.setup();
    let (fast, slow) = both_ways(position);
    assert_eq!(exact(position, &fast), exact(position, &slow), "legal moves, fast and slow: {position}");
    assert_eq!(fast, slow, "{position}");
    assert_eq!(position.perft(1), fast.len() as u64, "moves counted but not listed: {position}");
    assert_eq!(position.in_check(), !position.checkers().is_empty(), "check: {position}");

    let text = position.to_string();
    let again = variant.read_setup(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(again, setup, "the text of a position says all: {text}");
    let again =
        variant.position(&again, Strictness::Problem).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(again.to_string(), text);
    assert_eq!(again.hash(), position.hash(), "the hash of a position that was read: {text}");

    let shorts: Vec<String> = fast.iter().map(|mv| mv.short(position.rules())).collect();
    // Reading a move looks at all moves: where there are hundreds, some must do.
    let some = 1 + fast.len() / 60;
    for (n, (mv, short)) in fast.iter().zip(&shorts).enumerate() {
        move_holds(position, &setup, mv);
        if n % some != 0 {
            continue;
        }
        let exact = mv.exact(position.rules());
        assert_eq!(position.read_move(&exact).as_ref(), Ok(mv), "{text}: {exact}");
        let alike = shorts.iter().filter(|s| *s == short).count();
        match position.read_move(short) {
            Ok(read) => assert!(alike == 1 && read == *mv, "{text}: {short} read as {read:?}"),
            Err(MoveError::Ambiguous { candidates, .. }) => {
                assert!(
                    alike > 1 && candidates.len() == alike && candidates.contains(&exact),
                    "{text}: {short}"
                );
            }
            Err(error) => panic!("{text}: {short}: {error}"),
        }
    }
    walk_holds(position, &setup, &fast);
    assert_eq!(position.setup(), setup, "moves made from a copy leave the original alone: {text}");
    assert_eq!(position.to_string(), text);
    fast
}

/// Checks that a walk from here sees what the position says, and finds its way back.
fn walk_holds(position: &Position, before: &Setup, moves: &[Move]) {
    let mut walk = position.walk();
    let sorted = |mut moves: Vec<Move>| {
        moves.sort();
        moves
    };
    let those =
        |wanted: &dyn Fn(&Move) -> bool| moves.iter().filter(|mv| wanted(mv)).copied().collect::<Vec<_>>();
    let mut found = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    walk.moves(&mut found[0]);
    walk.captures(&mut found[1]);
    walk.checks(&mut found[2]);
    walk.quiets(&mut found[3]);
    let [all, captures, checks, quiets] = found.map(sorted);
    assert_eq!(all, moves, "all moves of a walk: {position}");
    let takes = |mv: &Move| captured(before, mv).filter(|man| man.colour != before.turn);
    let capturing = those(&|mv| takes(mv).is_some() || mv.promotion.is_some());
    assert_eq!(captures, capturing, "captures and promotions: {position}");
    assert_eq!(quiets, those(&|mv| !capturing.contains(mv)), "all other moves: {position}");
    assert_eq!(checks, those(&|mv| position.after(mv).in_check()), "moves that give check: {position}");
    let ends = |mv: &Move| {
        let after = position.after(mv);
        after.in_check() && position.variant().reference().legal_moves(&after.setup()).is_empty()
    };
    let mut mates = Vec::new();
    walk.mates(&mut mates);
    assert_eq!(sorted(mates.clone()), those(&|mv| checks.contains(mv) && ends(mv)), "mates: {position}");
    assert_eq!(walk.has_mate(), !mates.is_empty(), "whether there is a mate: {position}");
    assert_eq!(walk.has_moves(), !moves.is_empty(), "whether there is a move: {position}");
    assert_eq!(walk.count_moves(), moves.len() as u64, "{position}");
    let mut mobility = [0; alice_core::MAX_KINDS];
    let mut ways = moves.to_vec();
    ways.iter_mut().filter(|mv| mv.kind != MoveKind::EnPassant).for_each(|mv| mv.promotion = None);
    ways.dedup();
    for mv in &ways {
        mobility[before.man(mv.start()).expect("a man moves").kind.index()] += 1;
    }
    assert_eq!(walk.mobility(), mobility, "moves by kind: {position}");
    let theirs = {
        let mut passed = walk.clone();
        passed.pass();
        passed.mobility()
    };
    assert_eq!(walk.mobilities(), [mobility, theirs], "moves by kind of both sides: {position}");
    let mut men = Vec::new();
    walk.each_man(|square, man| men.push((square, man)));
    men.sort_by_key(|(square, _)| (square.board.index(), square.cell.index()));
    assert_eq!(men, before.men().collect::<Vec<_>>(), "{position}");
    for (n, mv) in moves.iter().enumerate() {
        let taken = walk.captured(mv);
        let right = match mv.kind {
            MoveKind::EnPassant => {
                taken.is_some_and(|man| man.colour != before.turn && position.rules().man(man.kind).pawn)
            }
            _ => taken == takes(mv),
        };
        assert!(right, "captures {taken:?}: {position} {}", mv.exact(position.rules()));
        assert!(walk.is_legal(mv), "{position} {}", mv.exact(position.rules()));
        let others = if n % 5 == 0 { near(position, mv) } else { Vec::new() };
        for other in others {
            let legal = moves.binary_search(&other).is_ok();
            assert_eq!(walk.is_legal(&other), legal, "{position} {other:?}");
        }
        walk.play(mv);
        assert_eq!(walk.hash(), position.after(mv).hash(), "{position} {}", mv.exact(position.rules()));
        walk.back();
    }
    walk.pass();
    let mut passed = before.clone();
    passed.turn = !before.turn;
    passed.en_passant = None;
    passed.halfmoves = before.halfmoves.saturating_add(1);
    assert_eq!(walk.position().setup(), passed, "a pass: {position}");
    assert_eq!(walk.hash(), walk.position().hash_from_scratch(), "the hash after a pass: {position}");
    let king =
        |(_, man): &&(Square, Man)| man.colour == before.turn && Some(man.kind) == position.rules().royal();
    for (square, _) in men.iter().filter(king) {
        assert_eq!(walk.attacked(*square, !before.turn), position.in_check(), "{position}");
    }
    walk.back();
    assert_eq!(walk.position().setup(), *before, "back where it began: {position}");
}

/// Moves that differ from one in a single thing, legal or not, some of them nonsense.
fn near(position: &Position, mv: &Move) -> Vec<Move> {
    let rules = position.rules();
    let other = |cell: Cell, by: usize| Cell(((cell.index() + by) % rules.shape.cells()) as u8);
    let boards =
        rules.all_boards().flat_map(|board| [Move { origin: board, ..*mv }, Move { landing: board, ..*mv }]);
    let kinds = [None, Some(Kind(0)), Some(Kind(rules.men.len() as u8 - 1))]
        .map(|promotion| Move { promotion, ..*mv });
    let ways = [MoveKind::Ordinary, MoveKind::Zero, MoveKind::EnPassant].map(|kind| Move { kind, ..*mv });
    let cells = [1, 7, 9, 56]
        .into_iter()
        .flat_map(|by| [Move { from: other(mv.from, by), ..*mv }, Move { to: other(mv.to, by), ..*mv }]);
    let back = Move { from: mv.to, to: mv.from, ..*mv };
    boards.chain(kinds).chain(ways).chain(cells).chain([back]).collect()
}

/// Checks what one legal move makes of a position.
fn move_holds(position: &Position, before: &Setup, mv: &Move) {
    let next = position.after(mv);
    let after = next.setup();
    let named = || format!("{position} {}", mv.exact(position.rules()));
    assert_eq!(after, position.variant().reference().make(before, mv), "made fast and slow: {}", named());
    assert_eq!(next.hash(), next.hash_from_scratch(), "running hash: {}", named());
    let (us, them) = (before.turn, !before.turn);
    let taken = captured(before, mv).is_some_and(|man| man.colour == them);
    assert_eq!(men_of(&after, us), men_of(before, us), "own men: {}", named());
    assert_eq!(
        men_of(&after, them) + usize::from(taken),
        men_of(before, them),
        "men are only captured: {}",
        named()
    );
    let pawn = before.man(mv.start()).is_some_and(|man| position.rules().man(man.kind).pawn);
    let clock = if taken || pawn { 0 } else { before.halfmoves.saturating_add(1) };
    assert_eq!(after.halfmoves, clock, "moves without progress: {}", named());
}

/// Men that share a cell on two boards.
fn shared_cells(setup: &Setup) -> usize {
    let twins = |(square, _): &(Square, Man)| setup.men().filter(|(s, _)| s.cell == square.cell).count() > 1;
    setup.men().filter(twins).count()
}

/// Whether a man may only ever land on a vacant twin of one other board: then no two share a cell.
fn keeps_cells_apart(variant: &Variant) -> bool {
    let Transfer::Standard(transfer) = &variant.rules().transfer else { return false };
    variant.rules().boards == 2 && transfer.staying == Staying::Never
}

/// Follows choices of moves from a position on: `each` sees every position and gives its moves, in
/// order. One choice in three is among captures and other moves that change much, if there are any.
pub fn follow(start: Position, choices: &[u16], mut each: impl FnMut(&Position) -> Vec<Move>) -> Position {
    let mut position = start;
    for choice in choices {
        let moves = each(&position);
        let setup = position.setup();
        let lively = |mv: &&Move| {
            mv.promotion.is_some()
                || !matches!(mv.kind, MoveKind::Ordinary | MoveKind::Zero)
                || captured(&setup, mv).is_some()
        };
        let lively: Vec<&Move> = moves.iter().filter(lively).collect();
        let n = usize::from(choice / 3);
        let chosen = match (choice % 3, lively.len(), moves.len()) {
            (_, _, 0) => break,
            (0, 1.., _) => *lively[n % lively.len()],
            (_, _, all) => moves[n % all],
        };
        position.play(&chosen);
    }
    position
}

pub fn choices(most: usize) -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..most)
}

/// What has to be equal for two positions to have one hash.
fn without_clocks(position: &Position) -> Setup {
    Setup { halfmoves: 0, fullmoves: 1, ..position.setup() }
}

/// Men thrown onto boards: for each a square and a man, by number; then kings, and castling men at home.
#[derive(Clone, Debug)]
pub struct Thrown {
    men: Vec<(u16, u8, bool)>,
    kings: [u16; 2],
    at_home: u8,
    black: bool,
    en_passant: u16,
}

pub fn thrown() -> impl Strategy<Value = Thrown> {
    let men = prop::collection::vec((any::<u16>(), any::<u8>(), any::<bool>()), 0..36);
    (men, any::<[u16; 2]>(), 0..24u8, any::<bool>(), any::<u16>()).prop_map(
        |(men, kings, at_home, black, en_passant)| Thrown { men, kings, at_home, black, en_passant },
    )
}

impl Thrown {
    pub fn setup(&self, variant: &Variant) -> Setup {
        let rules = variant.rules();
        let royal = rules.royal().unwrap();
        let cells = rules.shape.cells();
        let square = |n: u16| {
            let n = usize::from(n) % (cells * usize::from(rules.boards));
            Square { board: alice_core::Board((n / cells) as u8), cell: Cell((n % cells) as u8) }
        };
        let mut setup = Setup::empty(rules.shape, rules.boards);
        let others: Vec<Kind> = (0..rules.men.len() as u8).map(Kind).filter(|k| *k != royal).collect();
        for (n, kind, black) in &self.men {
            let kind = others[usize::from(*kind) % others.len()];
            let colour = if *black { Colour::Black } else { Colour::White };
            setup.put(square(*n), Some(Man { kind, colour }));
        }
        let mut homes = [false; 2];
        for castling in rules.castling.iter().filter(|c| self.at_home & c.right() != 0) {
            let colour = castling.colour;
            for (kind, cell) in [(royal, castling.king_from), (castling.rook, castling.rook_from)] {
                setup.put(Square { board: castling.board, cell }, Some(Man { kind, colour }));
            }
            setup.castling |= castling.right();
            homes[colour.index()] = true;
        }
        for colour in Colour::BOTH.into_iter().filter(|c| !homes[c.index()]) {
            let free = (0..).map(|i| square(self.kings[colour.index()].wrapping_add(i)));
            let free = free.take(cells * 8).find(|s| setup.man(*s).is_none());
            free.into_iter().for_each(|s| setup.put(s, Some(Man { kind: royal, colour })));
        }
        setup.turn = if self.black { Colour::Black } else { Colour::White };
        self.double_step(variant, &mut setup);
        setup
    }

    /// Lets one of the pawns have double-stepped, if one can have.
    fn double_step(&self, variant: &Variant, setup: &mut Setup) {
        let rules = variant.rules();
        if rules.en_passant == EnPassantRule::None {
            return;
        }
        let boards = || rules.all_boards();
        let rights = boards().flat_map(|origin| boards().map(move |landing| (origin, landing)));
        let rights = rights.flat_map(|(origin, landing)| {
            rules.shape.all().map(move |passed| EnPassant { passed, origin, landing })
        });
        let possible = |right: &EnPassant| {
            let with = Setup { en_passant: Some(*right), ..setup.clone() };
            variant.position(&with, Strictness::Problem).is_ok()
        };
        let rights: Vec<EnPassant> = rights.filter(possible).collect();
        if !rights.is_empty() {
            setup.en_passant = Some(rights[usize::from(self.en_passant) % rights.len()]);
        }
    }
}

/// Runs a property on cases of a strategy, the same on every run.
pub fn always<S: Strategy>(cases: u32, strategy: S, property: impl Fn(S::Value)) {
    let mut runner = TestRunner::new(seeded(cases));
    let outcome = runner.run(&strategy, |case| {
        property(case);
        Ok(())
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, smallest)) => panic!("{reason}\nsmallest case: {smallest:?}"),
        Err(abort) => panic!("{abort}"),
    }
}

#[test]
fn every_law_holds_along_random_games() {
    for (name, variant) in games() {
        let apart = keeps_cells_apart(&variant);
        always(20, choices(160), |choices| {
            let end = follow(variant.start(), &choices, |position| {
                let text = position.to_string();
                let read = variant.read_position(&text);
                assert!(read.is_ok(), "{name}: {text} is refused: {}", read.unwrap_err());
                assert!(
                    !apart || shared_cells(&position.setup()) == 0,
                    "{name}: two men share a cell: {text}"
                );
                position_holds(position)
            });
            position_holds(&end);
        });
    }
}

#[test]
fn every_law_holds_on_random_positions() {
    for (_, variant) in games() {
        always(600, thrown(), |thrown| {
            let setup = thrown.setup(&variant);
            position_holds(&variant.position(&setup, Strictness::Problem).unwrap());
        });
    }
}

#[test]
fn two_plies_are_counted_alike_in_bulk_one_by_one_and_slowly() {
    for (name, variant) in games() {
        always(4, choices(60), |choices| {
            let end = follow(variant.start(), &choices, |position| {
                let mut moves = position.legal_moves();
                moves.sort();
                moves
            });
            let counts = [end.perft(2), end.perft_full(2), slow_perft(&end, &end.setup(), 2)];
            assert_eq!(counts, [counts[0]; 3], "{name}: {end}");
        });
    }
}

#[test]
fn positions_that_differ_in_men_boards_side_or_rights_have_other_hashes() {
    for (name, variant) in games() {
        let seen = std::cell::RefCell::new(HashMap::<u64, Setup>::new());
        let meet = |position: &Position| {
            let mut seen = seen.borrow_mut();
            let key = without_clocks(position);
            let known = seen.entry(position.hash()).or_insert_with(|| key.clone());
            assert_eq!(*known, key, "{name}: one hash for two positions");
        };
        always(40, thrown(), |thrown| {
            let setup = thrown.setup(&variant);
            let mut all = vec![setup.clone(), Setup { turn: !setup.turn, en_passant: None, ..setup.clone() }];
            // Each right taken away, and each man gone to each vacant twin.
            let mut rights = setup.castling;
            while rights != 0 {
                rights &= rights - 1;
                all.push(Setup { castling: rights, ..setup.clone() });
            }
            all.push(Setup { en_passant: None, ..setup.clone() });
            let bare = Setup { castling: 0, en_passant: None, ..setup };
            for (square, man) in bare.men() {
                for board in variant.rules().all_boards() {
                    let twin = Square { board, ..square };
                    if bare.man(twin).is_none() {
                        let mut moved = bare.clone();
                        moved.put(square, None);
                        moved.put(twin, Some(man));
                        all.push(moved);
                    }
                }
            }
            for setup in all {
                meet(&variant.position(&setup, Strictness::Problem).unwrap());
            }
        });
        assert!(seen.borrow().len() > 20, "{name}: too few positions to say anything");
    }
}

#[test]
fn a_bishop_keeps_the_colour_of_its_cells_over_all_boards() {
    for (name, variant) in games() {
        let bishop = variant.rules().kind_of_letter('B').unwrap();
        let colour = |cell| variant.rules().shape.coordinates(cell).iter().sum::<i32>() % 2;
        always(10, thrown(), |thrown| {
            let setup = thrown.setup(&variant);
            let position = variant.position(&setup, Strictness::Problem).unwrap();
            for mv in position.legal_moves() {
                if setup.man(mv.start()).is_some_and(|man| man.kind == bishop) {
                    assert_eq!(
                        colour(mv.from),
                        colour(mv.to),
                        "{name}: {position} {}",
                        mv.exact(variant.rules())
                    );
                }
            }
        });
    }
}

#[test]
fn a_position_of_two_8x8_boards_takes_at_most_512_bytes() {
    for name in ["alice", "alice2", "mrs-alice", "odonohue", "duo", "alice-8x4"] {
        assert!(game(name).start().bytes() <= 512, "{name}");
    }
}

#[test]
fn plies_are_counted_from_whites_first_move_even_where_moves_are_numbered_from_0() {
    let mut setup = game("alice").rules().start.clone();
    for (fullmoves, turn, ply) in [(1, Colour::White, 0), (1, Colour::Black, 1), (3, Colour::White, 4)] {
        (setup.fullmoves, setup.turn) = (fullmoves, turn);
        assert_eq!(Boards::<u64>::ply(&setup), ply);
    }
    setup.fullmoves = 0;
    assert_eq!(Boards::<u64>::ply(&setup), 0);
}
