//! What a position is worth without looking ahead: the men where they stand, how far they may go, how
//! exposed the kings are.
//!
//! Everything is made from weights and rules when a player is; must not know the search.

use crate::men::{Men, number};
use crate::value::MOST_POINTS;
use crate::weights::{Reach, Weights};
use alice_core::Reach as Reaching;
use alice_core::{
    Cell, CellSet, Colour, Kind, MAX_CELLS, MAX_KINDS, May, Movement, Rules, Walk, Wide, oriented,
};

/// What men are worth by themselves.
pub(crate) struct Worth {
    /// By man (`2 * kind + colour`) and cell, as White sees it.
    at: Vec<[i32; 256]>,
    /// By kind.
    value: Vec<i32>,
    /// By kind: the value of those that are neither royal nor ever promote.
    strength: Vec<i32>,
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
    pub(crate) fn is_royal(&self, kind: usize) -> bool {
        kind == self.royal
    }

    fn new(rules: &Rules, weights: &Weights, reach: &Reach) -> Self {
        let kinds = rules.men.len();
        let value: Vec<i32> = (0..kinds).map(|k| weights.man(rules, k).value.round() as i32).collect();
        let promotes = |k: usize| !rules.men[k].promotes_to.is_empty();
        let at = (0..2 * kinds).map(|man| {
            let (k, colour) = (man / 2, Colour::BOTH[man % 2]);
            let weights = weights.man(rules, k);
            let gain = rules.men[k].promotes_to.iter().map(|to| value[to.index()] - value[k]).max();
            let away = promotion_distance(rules, k, colour);
            let mut worth = [0; 256];
            for cell in rules.shape.all() {
                let place = weights.place * reach.above(k, colour, cell.index());
                let progress = match (gain, away[cell.index()]) {
                    (Some(gain), Some(moves @ 1..=16)) => {
                        weights.progress * f64::from(gain) * 0.5_f64.powi(moves as i32 - 1)
                    }
                    _ => 0.0,
                };
                let sum = f64::from(value[k]) + place + progress;
                worth[cell.index()] = if colour == Colour::White { sum } else { -sum }.round() as i32;
            }
            worth
        });
        let royal = rules.royal().map_or(usize::MAX, Kind::index);
        let strong = |k: usize| if k == royal || promotes(k) { 0 } else { value[k] };
        Self { at: at.collect(), strength: (0..kinds).map(strong).collect(), value, royal }
    }
}

/// By cell, how many moves a man needs to promote on an empty board; none if it can't.
fn promotion_distance(rules: &Rules, kind: usize, colour: Colour) -> Vec<Option<u32>> {
    let shape = rules.shape;
    let mut away = vec![None; shape.cells()];
    let man = &rules.men[kind];
    if man.promotes_to.is_empty() {
        return away;
    }
    let movement = man.movement.wide();
    let goes: Vec<Wide> = shape.all().map(|c| movement.quiet(c, colour, Wide::of(c))).collect();
    for cell in shape.all().filter(|c| man.promotion[colour.index()][c.index()]) {
        away[cell.index()] = Some(0);
    }
    for moves in 1..=shape.cells() as u32 {
        let mut found = false;
        for cell in shape.all() {
            if away[cell.index()].is_none()
                && goes[cell.index()].cells().any(|to| away.get(to.index()) == Some(&Some(moves - 1)))
            {
                away[cell.index()] = Some(moves);
                found = true;
            }
        }
        if !found {
            break;
        }
    }
    away
}

/// By how much more than men and places is taken to change an evaluation at most.
const DOUBT: i32 = 300;

/// How positions of a variant are judged.
pub(crate) struct Evaluation {
    pub(crate) worth: Worth,
    mobility: [i32; MAX_KINDS],
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
    /// For each side's king and cell, the lines along which enemies may attack it, each from the king on.
    lines: [Vec<Vec<Vec<u8>>>; 2],
}

impl Evaluation {
    pub(crate) fn new(rules: &Rules, weights: &Weights) -> Self {
        let reach = Reach::new(rules);
        let worth = Worth::new(rules, weights, &reach);
        let (shape, kinds, royal) = (rules.shape, rules.men.len(), worth.royal);
        let start = rules.start.men().map(|(_, man)| worth.strength(man.kind.index())).sum::<i32>();
        let mobility = std::array::from_fn(|k| match k < rules.men.len() {
            true => (weights.man(rules, k).mobility * 16.0).round() as i32,
            false => 0,
        });
        Self {
            worth,
            mobility,
            tempo: weights.tempo.round() as i32,
            exposure: (weights.exposure * 1024.0).round() as i32,
            full: (start / 2).max(1),
            royal,
            hunt: weights.hunt.round() as i32,
            cornered: Colour::BOTH.map(|side| {
                let above =
                    |cell: Cell| if royal < kinds { reach.above(royal, side, cell.index()) } else { 0.0 };
                shape.all().map(|cell| (-weights.hunt * above(cell)).round() as i32).collect()
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
        self.tempo + if us == Colour::White { men.worth() } else { -men.worth() }
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
        let sum: i32 = moves.iter().zip(&self.mobility).map(|(n, weight)| *n as i32 * weight).sum();
        sum / 16
    }

    /// How nearly a side's king is caught that has lost almost all its men.
    fn hunted(&self, men: &Men, side: Colour, moves: &[u32; MAX_KINDS]) -> i32 {
        let (weak, strong) = (men.strength(side), men.strength(!side));
        if weak * 6 > self.full || strong - weak < self.full / 12 {
            return 0;
        }
        let (Some(king), Some(hunter)) = (men.king(side), men.king(!side)) else { return 0 };
        let cornered = self.cornered[side.index()][king.cell.index()];
        let (at, from) = (self.places[king.cell.index()], self.places[hunter.cell.index()]);
        let apart = (0..3).map(|axis| (at[axis] - from[axis]).abs()).max().unwrap_or(0);
        let goes = moves.get(self.royal).map_or(0, |n| *n as i32);
        cornered + self.hunt * (8 - goes - apart)
    }

    /// How exposed a side's king is.
    fn exposed(&self, men: &Men, side: Colour) -> i32 {
        let Some(king) = men.king(side) else { return 0 };
        let lines = &self.lines[side.index()][king.cell.index()];
        let vacant = |cell: &&u8| men.at(number(king.board, Cell(**cell))).kind().is_none();
        let seen: usize = lines.iter().map(|line| line.iter().take_while(vacant).count()).sum();
        let strength = i64::from(men.strength(!side));
        let share = seen as i64 * i64::from(self.exposure) * strength / i64::from(self.full);
        (share >> 10).clamp(0, 2_000) as i32
    }
}

/// By cell, the lines along which men of that colour may attack it from afar.
fn lines(rules: &Rules, attacker: Colour) -> Vec<Vec<Vec<u8>>> {
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
        std::iter::successors(next(&from), next).take(MAX_CELLS).map(|c| c.0).collect::<Vec<u8>>()
    };
    shape
        .all()
        .map(|cell| directions.iter().map(|d| line(cell, *d)).filter(|l| !l.is_empty()).collect())
        .collect()
}
