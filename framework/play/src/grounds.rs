//! What the rules say of a man on each cell, before anything is weighed: how far it reaches, how far it
//! has come, how near it is to promoting.
//!
//! Must not know weights nor positions.

use alice_core::{Cell, CellSet, Colour, Kind, Rules, Wide};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// By kind, colour and cell, counted once for a variant.
pub(crate) struct Grounds {
    kinds: Vec<[Vec<Ground>; 2]>,
    /// By kind: how many cells it reaches on average.
    means: Vec<f64>,
}

/// What the rules say of a man on one cell.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ground {
    /// How many cells it reaches on boards as full as they are halfway through a game, more than it does
    /// from others.
    pub(crate) place: f64,
    /// How many ranks and levels it has come forward, more than the middle of the board.
    pub(crate) advance: f64,
    /// 1 if it may promote with its next move, half as much a move earlier, and so on; 0 if it never does.
    pub(crate) nearness: f64,
}

impl Grounds {
    pub(crate) fn new(rules: &Rules) -> Self {
        let samples = samples(rules);
        let kinds: Vec<[Vec<Ground>; 2]> = (0..rules.men.len())
            .map(|kind| {
                Colour::BOTH.map(|colour| {
                    let away = promotion_distance(rules, kind, colour);
                    let near = |moves: Option<u32>| match moves {
                        Some(moves @ 1..=16) => 0.5_f64.powi(moves as i32 - 1),
                        _ => 0.0,
                    };
                    let ground = |cell: Cell| Ground {
                        place: reached(rules, &samples, kind, colour, cell),
                        advance: advance(rules, colour, cell),
                        nearness: near(away[cell.index()]),
                    };
                    rules.shape.all().map(ground).collect()
                })
            })
            .collect();
        let mean = |[white, black]: &[Vec<Ground>; 2]| {
            let sum: f64 = white.iter().chain(black).map(|ground| ground.place).sum();
            sum / (2 * white.len()).max(1) as f64
        };
        let means: Vec<f64> = kinds.iter().map(mean).collect();
        let mut grounds = Self { kinds, means };
        for (kind, mean) in grounds.kinds.iter_mut().zip(&grounds.means) {
            kind.iter_mut().flatten().for_each(|ground| ground.place -= mean);
        }
        grounds
    }

    /// How many cells a kind reaches on average.
    pub(crate) fn mean(&self, kind: usize) -> f64 {
        self.means[kind]
    }

    pub(crate) fn of(&self, kind: usize, colour: Colour, cell: Cell) -> Ground {
        self.kinds[kind][colour.index()][cell.index()]
    }
}

/// On how many boards at random it is counted how far men reach.
const SAMPLES: usize = 8;

/// Occupied cells of boards that are as full as boards are halfway through a game.
fn samples(rules: &Rules) -> Vec<Wide> {
    let shape = rules.shape;
    let men = rules.start.men().count() as f64;
    let density = 0.7 * men / (shape.cells() as f64 * f64::from(rules.boards));
    let mut random = SplitMix64::seed_from_u64(0x0100_c1a5);
    let chance = (density.clamp(0.02, 0.6) * u64::MAX as f64) as u64;
    (0..SAMPLES)
        .map(|_| {
            let cells = shape.all().filter(|_| random.next_u64() < chance);
            cells.fold(Wide::EMPTY, |set, cell| set | Wide::of(cell))
        })
        .collect()
}

/// How many cells a man reaches from a cell, on average over the samples.
fn reached(rules: &Rules, samples: &[Wide], kind: usize, colour: Colour, cell: Cell) -> f64 {
    let movement = rules.man(Kind(kind as u8)).movement.wide();
    let all = Wide::first_n(rules.shape.cells());
    let sum: u32 = samples
        .iter()
        .map(|sample| {
            let own = Wide::of(cell);
            let occupied = *sample | own;
            let quiet = movement.quiet(cell, colour, occupied) & !occupied & all;
            let attacks = movement.attacks(cell, colour, occupied) & all & !own;
            // Who moves and captures alike counts whole, who only does one of both, half.
            quiet.count() + attacks.count()
        })
        .sum();
    f64::from(sum) / (2.0 * samples.len() as f64)
}

fn advance(rules: &Rules, colour: Colour, cell: Cell) -> f64 {
    let [_, rank, level] = rules.shape.coordinates(cell);
    let last = rules.shape.coordinates(Cell((rules.shape.cells() - 1) as u8));
    let above = f64::from(rank + level) - f64::from(last[1] + last[2]) / 2.0;
    if colour == Colour::White { above } else { -above }
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
