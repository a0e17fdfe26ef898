//! Laws of explanations, in random positions of every game.

use alice_cli::explain::{Reason, Verdict, explain};
use alice_core::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::sync::Arc;

struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// A text of a move that is legal, or nearly, or not at all.
    fn text(&mut self, position: &Position, legal: &[Move]) -> String {
        let rules = position.rules();
        let setup = position.setup();
        let men: Vec<_> = setup.men().collect();
        let cells: Vec<_> = rules.shape.all().collect();
        let boards: Vec<Option<Board>> = rules.all_boards().map(Some).chain([None, None]).collect();
        let (square, _) = self.pick(&men);
        let mut pattern = Pattern {
            from: square.cell,
            origin: Some(square.board),
            to: self.pick(&cells),
            landing: None,
            promotion: None,
        };
        if !legal.is_empty() && self.below(2) == 0 {
            let mv = self.pick(legal);
            let promotion = mv.promotion.map(|k| rules.man(k).letter.to_ascii_lowercase());
            let (origin, landing) = (Some(mv.origin), Some(mv.landing));
            pattern = Pattern { from: mv.from, origin, to: mv.to, landing, promotion };
        }
        match self.below(6) {
            0 => pattern.landing = self.pick(&boards),
            1 => pattern.origin = self.pick(&boards),
            2 => pattern.promotion = Some(self.pick(&rules.men).letter.to_ascii_lowercase()),
            3 => pattern.to = pattern.from,
            4 => pattern.from = self.pick(&cells),
            _ => {}
        }
        let board = |b: Option<Board>| b.map_or_else(String::new, |b| b.to_string());
        let cell = |c| rules.shape.cell_name(c);
        let mut text =
            cell(pattern.from) + &board(pattern.origin) + &cell(pattern.to) + &board(pattern.landing);
        text.extend(pattern.promotion);
        text
    }
}

#[test]
fn a_move_is_explained_as_legal_just_where_it_is_accepted_and_else_with_a_reason() {
    let mut dice = Dice(Xoshiro256PlusPlus::seed_from_u64(1));
    let mut told = std::collections::BTreeSet::new();
    let files = [
        ("hoppers", include_str!("../../../tests/cli/files/hoppers.toml")),
        ("landing", include_str!("../../../tests/cli/files/landing.toml")),
    ];
    let built_in = alice_config::builtin_names().into_iter().map(|name| alice_config::load(name).unwrap());
    let files = files.into_iter().map(|(name, text)| alice_config::parse(name, text).unwrap());
    for config in built_in.chain(files) {
        let name = &config.name;
        let mut record = Record::new(config.variant.start());
        for ply in 0..100 {
            let position = record.position().clone();
            let legal = position.legal_moves();
            if ply % 4 == 0 {
                for _ in 0..30 {
                    let text = dice.text(&position, &legal);
                    judge(&position, &text, &format!("{name}: {text} in {position}"), &mut told);
                }
            }
            if legal.is_empty() {
                break;
            }
            record.play(&dice.pick(&legal));
        }
    }
    // That the dice are not loaded.
    assert!(told.len() > 20, "{told:?}");
}

fn judge(
    position: &Position,
    text: &str,
    context: &str,
    told: &mut std::collections::BTreeSet<&'static str>,
) {
    let (rules, setup) = (position.rules(), position.setup());
    let verdict = explain(position, text, Language::English).unwrap_or_else(|e| panic!("{context}: {e}"));
    let accepted = position.read_move(text);
    match verdict {
        Verdict::Legal(mv) => assert_eq!(accepted, Ok(mv), "{context}"),
        Verdict::Open { moves, .. } => {
            assert!(accepted.is_err() && !moves.is_empty(), "{context}");
            for mv in moves {
                assert_eq!(position.read_move(&mv.exact(rules)), Ok(mv), "{context}");
            }
        }
        Verdict::Illegal(reasons) => {
            assert!(accepted.is_err() && !reasons.is_empty(), "{context}");
            for reason in &reasons {
                assert!(!reason.sentence(rules, &setup).is_empty(), "{context}");
                // No built-in game has code that could refuse a move without saying why.
                assert!(!matches!(reason, Reason::RuleSet { .. }), "{context}");
                assert!(!told_without_the_men_it_names(position, text, reason), "{context}: {reason:?}");
                told.insert(reason.rule());
            }
        }
    }
}

/// Whether a reason that blames men is still told when these men are gone.
fn told_without_the_men_it_names(position: &Position, text: &str, reason: &Reason) -> bool {
    let blamed = match reason {
        Reason::TwinOccupied { square, .. }
        | Reason::OwnMan { square, .. }
        | Reason::OnlyToVacant { square, .. }
        | Reason::EnemyMan { square, .. } => vec![*square],
        Reason::Blocked { by, .. } | Reason::CastlingBlocked { by, .. } => by.clone(),
        Reason::CheckBefore { attackers, .. }
        | Reason::CheckAfter { attackers, .. }
        | Reason::CastlingAttacked { attackers, .. } => attackers.clone(),
        _ => return false,
    };
    let mut setup = position.setup();
    for square in blamed {
        setup.put(square, None);
    }
    let position = position.variant().position(&setup, Strictness::Problem);
    let Ok(Ok(Verdict::Illegal(reasons))) = position.map(|p| explain(&p, text, Language::English)) else {
        return false;
    };
    reasons.contains(reason)
}

/// Rules in code: men land on the other board, but not in some cells; or never leave their board, and
/// may not arrive in these cells.
struct Closed {
    cells: &'static [&'static str],
    stays: bool,
    shape: Shape,
}

impl<S: CellSet> TransferPolicy<S> for Closed {
    fn landings(&self, origin: Board) -> BoardSet {
        BoardSet::of(if self.stays { origin } else { Board(1 - origin.0) })
    }
    fn landing_cells(&self, _: &Mover, origin: Board, landing: Board, boards: &dyn Boards<S>) -> S {
        let closed = self.cells.iter().filter_map(|name| self.shape.read_cell(name));
        let open = closed.fold(boards.all(), |open, (cell, _)| open & !S::of(cell));
        if landing == origin { open } else { open & !boards.occupied(landing) }
    }
}

#[test]
fn a_rule_in_code_is_named_where_it_lets_nobody_land() {
    for stays in [false, true] {
        let mut rules = alice_config::load("alice").unwrap().variant.rules().clone();
        let shape = rules.shape;
        rules.transfer = Transfer::Foreign(Arc::new(Closed { cells: &["e4", "c3"], stays, shape }));
        let start = Variant::new(rules).unwrap().start();
        for (text, closed) in [("e2e4", true), ("b1c3", true), ("e2e3", false), ("b1a3", false)] {
            let board = Board(u8::from(!stays));
            let cell = shape.read_cell(&text[2..]).unwrap().0;
            match explain(&start, text, Language::English).unwrap() {
                Verdict::Legal(mv) => assert!(!closed && mv.landing == board, "{text}"),
                Verdict::Illegal(reasons) => {
                    assert!(closed, "{text}");
                    let from = Square { board: Board(0), cell: shape.read_cell(text).unwrap().0 };
                    let (man, square) = (start.man(from).unwrap(), Square { board, cell });
                    assert_eq!(reasons, [Reason::RuleSet { man, from, square, castling: false }]);
                }
                Verdict::Open { .. } => panic!("{text}"),
            }
        }
    }
}
