//! What a position is worth without looking ahead: the men where they stand, how far they may go, how
//! exposed the kings are.
//!
//! Everything is made from weights and rules when a player is; must not know the search.

use crate::grounds::Grounds;
use crate::men::{Men, number};
use crate::value::MOST_POINTS;
use crate::weights::{GENERAL, MAN, Weights};
use alice_core::Reach as Reaching;
use alice_core::{Cell, Colour, Kind, MAX_CELLS, MAX_KINDS, May, Movement, Rules, Square, Walk, oriented};

/// What men are worth by themselves.
pub(crate) struct Worth {
    /// By man (`2 * kind + colour`) and cell, as White sees it.
    at: Vec<[i32; 256]>,
    /// By kind.
    value: Vec<i32>,
    /// By kind: the value of those that are neither royal nor ever promote.
    strength: Vec<i32>,
    /// By kind: what it is worth more on the board of the enemy's king, and on that of its own.
    beside: Vec<[i32; 2]>,
    /// Whether any of these is not nothing.
    boards_count: bool,
    royal: usize,
}

impl Worth {
    #[inline]
    pub(crate) fn at(&self, man: usize, cell: usize) -> i32 {
        self.at[man][cell]
    }
    /// What a kind of man is worth.
    #[inline]
    pub(crate) fn value(&self, kind: usize) -> i32 {
        self.value[kind]
    }
    #[inline]
    pub(crate) fn strength(&self, kind: usize) -> i32 {
        self.strength[kind]
    }
    #[inline]
    pub(crate) fn beside(&self, kind: usize) -> [i32; 2] {
        self.beside[kind]
    }
    #[inline]
    pub(crate) fn boards_count(&self) -> bool {
        self.boards_count
    }
    #[inline]
    pub(crate) fn is_royal(&self, kind: usize) -> bool {
        kind == self.royal
    }

    fn new(rules: &Rules, weights: &Weights, grounds: &Grounds) -> Self {
        let kinds = rules.men.len();
        let value: Vec<i32> = (0..kinds).map(|k| weights.man(rules, k).value.round() as i32).collect();
        let promotes = |k: usize| !rules.men[k].promotes_to.is_empty();
        let at = (0..2 * kinds).map(|man| {
            let (k, colour) = (man / 2, Colour::BOTH[man % 2]);
            let weights = weights.man(rules, k);
            let gain = gain(rules, &value, k);
            let mut worth = [0; 256];
            for cell in rules.shape.all() {
                let ground = grounds.of(k, colour, cell);
                let sum = f64::from(value[k])
                    + weights.place * ground.place
                    + weights.advance * ground.advance
                    + weights.progress * gain * ground.nearness;
                worth[cell.index()] = if colour == Colour::White { sum } else { -sum }.round() as i32;
            }
            worth
        });
        let royal = rules.royal().map_or(usize::MAX, Kind::index);
        let strong = |k: usize| if k == royal || promotes(k) { 0 } else { value[k] };
        // On one board, everybody stands where the kings are.
        let beside = |k: usize| match rules.boards > 1 && k != royal {
            true => {
                let weights = weights.man(rules, k);
                [weights.hunter.round() as i32, weights.guard.round() as i32]
            }
            false => [0; 2],
        };
        let beside: Vec<_> = (0..kinds).map(beside).collect();
        Self {
            at: at.collect(),
            strength: (0..kinds).map(strong).collect(),
            boards_count: beside.iter().flatten().any(|n| *n != 0),
            beside,
            value,
            royal,
        }
    }
}

/// What a man gains by promoting; nothing if it never does.
fn gain(rules: &Rules, value: &[i32], kind: usize) -> f64 {
    let gain = rules.men[kind].promotes_to.iter().map(|to| value[to.index()] - value[kind]).max();
    f64::from(gain.unwrap_or(0))
}

/// By how much more than men and places is taken to change an evaluation at most.
const DOUBT: i32 = 300;

/// How positions of a variant are judged.
pub(crate) struct Evaluation {
    pub(crate) worth: Worth,
    /// By kind, in sixteenths of a hundredth of a point for each move.
    mobility: Vec<i32>,
    tempo: i32,
    /// In 1024ths of a hundredth of a point for each cell, at full strength of the enemy.
    exposure: i32,
    /// What a side's strong men are worth at the start.
    full: i32,
    royal: usize,
    hunt: i32,
    /// For each side's king and cell, how much less it reaches than elsewhere.
    cornered: [Vec<i32>; 2],
    /// By cell, its coordinates.
    places: Vec<[i32; 3]>,
    /// For each side's king and cell, the lines along which enemies may attack it: the length of each, and its
    /// cells from the king on.
    lines: [Vec<Vec<u8>>; 2],
}

impl Evaluation {
    pub(crate) fn new(rules: &Rules, weights: &Weights) -> Self {
        let grounds = Grounds::new(rules);
        let worth = Worth::new(rules, weights, &grounds);
        let (shape, kinds, royal) = (rules.shape, rules.men.len(), worth.royal);
        let start = rules.start.men().map(|(_, man)| worth.strength(man.kind.index())).sum::<i32>();
        let mobility = |k| (weights.man(rules, k).mobility * 16.0).round() as i32;
        Self {
            worth,
            mobility: (0..kinds).map(mobility).collect(),
            tempo: weights.tempo.round() as i32,
            exposure: (weights.exposure * 1024.0).round() as i32,
            full: (start / 2).max(1),
            royal,
            hunt: weights.hunt.round() as i32,
            cornered: Colour::BOTH.map(|side| {
                let place =
                    |cell: Cell| if royal < kinds { grounds.of(royal, side, cell).place } else { 0.0 };
                shape.all().map(|cell| (-weights.hunt * place(cell)).round() as i32).collect()
            }),
            places: shape.all().map(|cell| shape.coordinates(cell)).collect(),
            lines: Colour::BOTH.map(|side| lines(rules, !side)),
        }
    }

    /// What men and places alone say, if they decide against this window by far.
    pub(crate) fn rough(&self, men: &Men, us: Colour, alpha: i32, beta: i32) -> Option<i32> {
        let rough = self.seen_from(us, men);
        let far = rough + DOUBT <= alpha || rough - DOUBT >= beta;
        far.then_some(rough.clamp(-MOST_POINTS, MOST_POINTS))
    }

    /// What men and places alone say.
    pub(crate) fn seen_from(&self, us: Colour, men: &Men) -> i32 {
        let mut worth = self.tempo + if us == Colour::White { men.worth() } else { -men.worth() };
        if self.worth.boards_count {
            worth += men.beside_kings(us) - men.beside_kings(!us);
        }
        worth
    }

    /// What the walk's position is worth to the side to move, which must not be in check.
    pub(crate) fn judge(&self, walk: &Walk, men: &Men) -> i32 {
        let us = walk.turn();
        let exposure = self.exposed(men, us) - self.exposed(men, !us);
        let [our_moves, their_moves] = walk.mobilities();
        let mobile = self.mobile(&our_moves) - self.mobile(&their_moves);
        let hunt = self.hunted(men, !us, &their_moves) - self.hunted(men, us, &our_moves);
        (self.seen_from(us, men) + mobile + hunt - exposure).clamp(-MOST_POINTS, MOST_POINTS)
    }

    /// What a side's strong men are worth at the start.
    pub(crate) fn full(&self) -> i32 {
        self.full
    }

    fn mobile(&self, moves: &[u32; MAX_KINDS]) -> i32 {
        let sum: i32 = self.mobility.iter().zip(moves).map(|(weight, n)| *n as i32 * weight).sum();
        sum / 16
    }

    /// How nearly a side's king is caught that has lost almost all its men.
    fn hunted(&self, men: &Men, side: Colour, moves: &[u32; MAX_KINDS]) -> i32 {
        self.caught(men, side, moves).map_or(0, |(king, nearly, odds)| {
            (self.cornered[side.index()][king.cell.index()] + self.hunt * nearly) * odds / 16
        })
    }

    /// Where the king of a side is that has lost almost all its men, how few cells it has and how near the
    /// other king is, and how great the odds are, in sixteenths of twelfths of full strength: the greater,
    /// the less there is to do but to mate.
    fn caught(&self, men: &Men, side: Colour, moves: &[u32; MAX_KINDS]) -> Option<(Square, i32, i32)> {
        let (weak, strong) = (men.strength(side), men.strength(!side));
        if weak * 6 > self.full || strong - weak < self.full / 12 {
            return None;
        }
        let (king, hunter) = (men.king(side)?, men.king(!side)?);
        let (at, from) = (self.places[king.cell.index()], self.places[hunter.cell.index()]);
        let apart = (0..3).map(|axis| (at[axis] - from[axis]).abs()).max().unwrap_or(0);
        let goes = moves.get(self.royal).map_or(0, |n| *n as i32);
        let odds = (16 * 12 * (strong - weak) / self.full).min(16 * 12);
        Some((king, 8 - goes - apart, odds))
    }

    /// How exposed a side's king is.
    fn exposed(&self, men: &Men, side: Colour) -> i32 {
        let strength = i64::from(men.strength(!side));
        let share = self.seen(men, side) as i64 * i64::from(self.exposure) * strength / i64::from(self.full);
        (share >> 10).clamp(-2_000, 2_000) as i32
    }

    /// How many cells a side's king sees along the lines by which enemies might attack it.
    fn seen(&self, men: &Men, side: Colour) -> usize {
        let Some(king) = men.king(side) else { return 0 };
        let mut lines = &self.lines[side.index()][king.cell.index()][..];
        let vacant = |cell: &&u8| men.at(number(king.board, Cell(**cell))).kind().is_none();
        let mut seen = 0;
        while let [length, rest @ ..] = lines {
            let (line, others) = rest.split_at(usize::from(*length));
            seen += line.iter().take_while(vacant).count();
            lines = others;
        }
        seen
    }
}

/// How often each weight counts in an evaluation: the slow twin of [`Evaluation::judge`].
pub(crate) struct Terms {
    grounds: Grounds,
    /// By kind, what it gains by promoting.
    gains: Vec<f64>,
    boards: u8,
}

impl Terms {
    pub(crate) fn new(rules: &Rules, evaluation: &Evaluation) -> Self {
        let gains = (0..rules.men.len()).map(|kind| gain(rules, &evaluation.worth.value, kind)).collect();
        Self { grounds: Grounds::new(rules), gains, boards: rules.boards }
    }

    /// In the order of [`Weights::numbers`], for the side to move.
    pub(crate) fn of(&self, evaluation: &Evaluation, walk: &mut Walk, men: &Men) -> Vec<f64> {
        let us = walk.turn();
        let mut terms = vec![0.0; GENERAL.len() + MAN.len() * self.gains.len()];
        let kings = Colour::BOTH.map(|side| men.king(side).map(|king| king.board));
        walk.each_man(|square, man| {
            let (kind, sign) = (man.kind.index(), if man.colour == us { 1.0 } else { -1.0 });
            let ground = self.grounds.of(kind, man.colour, square.cell);
            let beside = |side: Colour| {
                let counts = self.boards > 1 && !evaluation.worth.is_royal(kind);
                f64::from(u8::from(counts && kings[side.index()] == Some(square.board)))
            };
            let row = [
                1.0,
                ground.place,
                0.0,
                ground.nearness * self.gains[kind],
                ground.advance,
                beside(!man.colour),
                beside(man.colour),
            ];
            let at = GENERAL.len() + MAN.len() * kind;
            for (term, more) in terms[at..].iter_mut().zip(row) {
                *term += sign * more;
            }
        });
        let our_moves = walk.mobility();
        walk.pass();
        let their_moves = walk.mobility();
        walk.back();
        for kind in 0..self.gains.len() {
            let mobility = f64::from(our_moves[kind]) - f64::from(their_moves[kind]);
            terms[GENERAL.len() + MAN.len() * kind + 2] = mobility;
        }
        let exposed = |side: Colour| {
            evaluation.seen(men, side) as f64 * f64::from(men.strength(!side)) / f64::from(evaluation.full)
        };
        let hunted = |side: Colour, moves| {
            evaluation.caught(men, side, moves).map_or(0.0, |(king, nearly, odds)| {
                let place = self.grounds.of(evaluation.royal, side, king.cell).place;
                (f64::from(nearly) - place) * f64::from(odds) / 16.0
            })
        };
        terms[0] = 1.0;
        terms[1] = exposed(!us) - exposed(us);
        terms[2] = hunted(!us, &their_moves) - hunted(us, &our_moves);
        terms
    }
}

/// By cell, the lines along which men of that colour may attack it from afar, each with its length before it.
fn lines(rules: &Rules, attacker: Colour) -> Vec<Vec<u8>> {
    let shape = rules.shape;
    let mut directions: Vec<[i8; 3]> = Vec::new();
    for man in &rules.men {
        let Movement::Steps(steps) = &man.movement else { continue };
        for step in &steps.steps {
            let far = matches!(step.reach, Reaching::Ride { limit } if limit != 1) && step.may != May::Move;
            let back = oriented(step.offset, attacker).map(|d| -d);
            if far && !directions.contains(&back) {
                directions.push(back);
            }
        }
    }
    let line = |from: Cell, direction: [i8; 3]| {
        let next = |cell: &Cell| shape.step(*cell, direction);
        let cells = std::iter::successors(next(&from), next).take(MAX_CELLS - 1);
        let cells: Vec<u8> = cells.map(|cell| cell.0).collect();
        std::iter::once(cells.len() as u8).chain(cells)
    };
    let lines = |cell: Cell| directions.iter().flat_map(|d| line(cell, *d)).collect();
    shape.all().map(lines).collect()
}
