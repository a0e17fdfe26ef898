//! What a variant's men reach, looked up instead of walked: made once when a variant is loaded.
//!
//! Everything here comes from [`Steps`] and is compared with walking them. Must not know positions,
//! transfer or check.

use crate::cells::CellSet;
use crate::men::Colour;
use crate::movement::{May, PieceMovement, Reach, Steps, oriented};
use crate::rules::{Movement, Rules};
use crate::shape::{Cell, Shape};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A set for every cell number that a [`Cell`] can have, so that looking one up needs no bounds check.
pub(crate) type ByCell<S> = Box<[S; 256]>;

fn by_cell<S: CellSet>(shape: Shape, of: impl Fn(Cell) -> S) -> ByCell<S> {
    let mut sets = Box::new([S::EMPTY; 256]);
    for cell in shape.all() {
        sets[cell.index()] = of(cell);
    }
    sets
}

/// The most cells whose occupation one lookup of a [`Slider`] may depend on: 4096 sets a cell.
const MOST_RELEVANT: u32 = 12;

/// One line through a cell: the cells on its two arms.
#[derive(Clone, Copy, Default)]
struct Line<S> {
    /// The arm on which cell numbers fall.
    down: S,
    /// The arm on which they rise.
    up: S,
}

impl<S: CellSet> Line<S> {
    /// The cells that a rider sees along the line.
    ///
    /// Subtracting the nearest man below from the men above flips just the bits from the one up to
    /// the nearest of the others, whatever the direction of the line, since numbers rise along it.
    #[inline(always)]
    fn seen(self, occupied: S) -> S {
        let below = (self.down & occupied).highest_or_first();
        let above = self.up & occupied;
        (above ^ above.minus(below)) & (self.down | self.up)
    }
}

/// Unlimited rides in some directions, always asked together: a rook's four, a bishop's four.
pub(crate) struct Slider<S> {
    /// The directions, sorted.
    directions: Vec<[i8; 3]>,
    /// The cells seen on an empty board.
    pub(crate) reach: ByCell<S>,
    /// For each cell its lines, `lines_per_cell` of them.
    lines: Vec<Line<S>>,
    lines_per_cell: usize,
    /// Where the width of the set allows it: for each cell which cells' occupation matters and where
    /// its answers begin, and the answers.
    relevant: Box<[(S, u32); 256]>,
    answers: Vec<S>,
}

/// The cells of a ride on a board occupied like this.
fn ride<S: CellSet>(shape: Shape, from: Cell, direction: [i8; 3], occupied: S) -> S {
    let mut seen = S::EMPTY;
    let mut at = from;
    while let Some(next) = shape.step(at, direction) {
        seen |= S::of(next);
        if occupied.has(next) {
            break;
        }
        at = next;
    }
    seen
}

/// The cells of a ride whose occupation matters: all but the last before the edge.
fn inner<S: CellSet>(shape: Shape, from: Cell, direction: [i8; 3]) -> S {
    let ray = ride(shape, from, direction, S::EMPTY);
    ray.cells().filter(|c| shape.step(*c, direction).is_some()).fold(S::EMPTY, |set, c| set | S::of(c))
}

fn opposite(direction: [i8; 3]) -> [i8; 3] {
    direction.map(|d| -d)
}

impl<S: CellSet> Slider<S> {
    fn new(shape: Shape, directions: Vec<[i8; 3]>) -> Self {
        let union =
            |from, occupied| directions.iter().fold(S::EMPTY, |set, d| set | ride(shape, from, *d, occupied));
        let rises = |d: &[i8; 3]| {
            let step = |axis: usize, size: usize| i32::from(d[axis]) * size as i32;
            step(0, 1) + step(1, shape.files()) + step(2, shape.files() * shape.ranks()) > 0
        };
        // A line for each pair of opposite directions; a direction without its opposite has one arm.
        let mut pairs: Vec<[Option<[i8; 3]>; 2]> = Vec::new();
        for d in &directions {
            let both = directions.contains(&opposite(*d));
            if rises(d) {
                pairs.push([both.then(|| opposite(*d)), Some(*d)]);
            } else if !both {
                pairs.push([Some(*d), None]);
            }
        }
        let arm = |cell, d: Option<[i8; 3]>| d.map_or(S::EMPTY, |d| ride(shape, cell, d, S::EMPTY));
        let lines = shape
            .all()
            .flat_map(|c| pairs.iter().map(move |[down, up]| (c, *down, *up)))
            .map(|(c, down, up)| Line { down: arm(c, down), up: arm(c, up) })
            .collect();
        let mut slider = Self {
            reach: by_cell(shape, |c| union(c, S::EMPTY)),
            lines,
            lines_per_cell: pairs.len(),
            relevant: Box::new([(S::EMPTY, 0); 256]),
            answers: Vec::new(),
            directions: directions.clone(),
        };
        let relevant =
            by_cell(shape, |c| directions.iter().fold(S::EMPTY, |set, d| set | inner(shape, c, *d)));
        let most = relevant.iter().map(|r| r.count()).max().unwrap_or(0);
        if S::EXTRACTS && most <= MOST_RELEVANT {
            for cell in shape.all() {
                let relevant = relevant[cell.index()];
                slider.relevant[cell.index()] = (relevant, slider.answers.len() as u32);
                for n in 0..1u64 << relevant.count() {
                    let answer = slider.along_lines(cell, relevant.spread(n));
                    slider.answers.push(answer);
                }
            }
        }
        slider
    }

    fn along_lines(&self, from: Cell, occupied: S) -> S {
        let start = from.index() * self.lines_per_cell;
        self.lines[start..start + self.lines_per_cell]
            .iter()
            .fold(S::EMPTY, |set, line| set | line.seen(occupied))
    }

    /// The cells seen from a cell, each arm up to and including the nearest man.
    #[inline(always)]
    pub(crate) fn seen(&self, from: Cell, occupied: S) -> S {
        if S::EXTRACTS && !self.answers.is_empty() {
            let (relevant, first) = self.relevant[from.index()];
            return self.answers[first as usize + occupied.extract(relevant)];
        }
        self.along_lines(from, occupied)
    }
}

/// A move to `target` that needs all of `vacant` vacant.
#[derive(Clone, Copy)]
pub(crate) struct Conditional<S> {
    pub(crate) target: S,
    pub(crate) vacant: S,
}

/// A leap of a whole set of men at once: those on `from` move by the same offset.
#[derive(Clone, Copy)]
pub(crate) struct Shift<S> {
    pub(crate) from: S,
    pub(crate) by: u32,
}

impl<S: CellSet> Shift<S> {
    #[inline(always)]
    pub(crate) fn of(self, men: S) -> S {
        (men & self.from).rotate(self.by)
    }
}

/// A double step, or any step over cells on the way, of a whole set of men at once.
#[derive(Clone, Copy)]
pub(crate) struct ShiftOver<S> {
    pub(crate) first: Shift<S>,
    pub(crate) second: Shift<S>,
}

/// How a pawn, or a man like it, moves as a whole set. What it lacks is there, but from no cell.
pub(crate) struct Shifts<S> {
    pub(crate) quiet: Shift<S>,
    pub(crate) over: ShiftOver<S>,
    pub(crate) attack: [Shift<S>; 2],
}

/// The rides of a man that moves and captures alike.
pub(crate) enum Rides<S> {
    None,
    One(Arc<Slider<S>>),
    Two(Arc<Slider<S>>, Arc<Slider<S>>),
    /// More than two, or captures that differ from moves: look at everything.
    Other,
}

/// What men of one kind and colour reach.
pub(crate) struct Reached<S> {
    /// Leaps to vacant cells.
    pub(crate) quiet_leaps: ByCell<S>,
    /// Leaps onto enemies.
    pub(crate) attack_leaps: ByCell<S>,
    /// From where such a man attacks a cell by a leap.
    pub(crate) leaps_onto: ByCell<S>,
    pub(crate) has_attack_leaps: bool,
    /// Rides to vacant cells.
    pub(crate) quiet_sliders: Vec<Arc<Slider<S>>>,
    /// Rides onto enemies.
    pub(crate) attack_sliders: Vec<Arc<Slider<S>>>,
    /// Steps to a vacant cell that depend on other cells; by cell, at most a few.
    pub(crate) conditional: Option<Box<[Vec<Conditional<S>>; 256]>>,
    /// The rides in short, where vacant cells and enemies are reached alike.
    pub(crate) rides: Rides<S>,
    /// Moving as a whole set, where that is quicker.
    pub(crate) shifts: Option<Shifts<S>>,
    /// Answers for what tables can't say: hoppers, lame or limited captures, foreign movement.
    pub(crate) asked: Option<Arc<dyn PieceMovement<S>>>,
}

/// What all men of a variant reach.
pub(crate) struct Tables<S> {
    /// By colour, then by kind.
    pub(crate) men: [Vec<Reached<S>>; 2],
    pub(crate) sliders: Vec<Arc<Slider<S>>>,
    /// For each slider, the number of the one that looks back along its lines.
    pub(crate) reverse: Vec<u16>,
    /// Between two cells of one line, and on from the first through the second to the edge; empty
    /// where no slider joins them. By `a * cells + b`.
    pub(crate) between: Vec<S>,
    pub(crate) cells: usize,
    /// Whether every attack is a leap or an unlimited ride, and no two rides share a stretch: what the
    /// masks of the fast path rely on.
    pub(crate) plain_attacks: bool,
}

type Classes = BTreeMap<[i8; 3], u128>;

impl<S: CellSet> Tables<S> {
    pub(crate) fn new(rules: &Rules, foreign: impl Fn(&Movement) -> Arc<dyn PieceMovement<S>>) -> Self {
        let shape = rules.shape;
        let asked = |steps: &Steps| {
            steps.steps.iter().any(|s| match &s.reach {
                Reach::HopOver { .. } | Reach::HopBehind { .. } => true,
                Reach::Lame { .. } => s.may != May::Move,
                Reach::Ride { limit } => (*limit > 1 || s.initial) && s.may != May::Move,
                Reach::Leap => s.initial && s.may != May::Move,
            })
        };
        // Directions that always go together (for the same kinds, colours, purposes) are one slider.
        let mut classes = Classes::new();
        for (k, man) in rules.men.iter().enumerate() {
            let Movement::Steps(steps) = &man.movement else { continue };
            for step in steps.steps.iter().filter(|s| s.reach == (Reach::Ride { limit: 0 }) && !s.initial) {
                for colour in Colour::BOTH {
                    let quiet = u128::from(step.may != May::Capture);
                    let attack = u128::from(step.may != May::Move);
                    *classes.entry(oriented(step.offset, colour)).or_default() |=
                        (quiet | attack << 1) << (4 * k + 2 * colour as usize);
                }
            }
        }
        let mut tables = Self {
            men: [Vec::new(), Vec::new()],
            sliders: Vec::new(),
            reverse: Vec::new(),
            between: vec![S::EMPTY; shape.cells() * shape.cells()],
            cells: shape.cells(),
            plain_attacks: true,
        };
        tables.group(shape, classes);
        for man in &rules.men {
            for colour in Colour::BOTH {
                let reached = match &man.movement {
                    Movement::Steps(steps) if !asked(steps) => tables.reached(steps, colour),
                    other => {
                        tables.plain_attacks = false;
                        Reached::only_asked(foreign(other))
                    }
                };
                tables.men[colour.index()].push(reached);
            }
        }
        tables.join(shape);
        tables
    }

    /// Makes the sliders: one for each class of directions, split where a class is too large for tables.
    fn group(&mut self, shape: Shape, classes: Classes) {
        let mut grouped: BTreeMap<u128, Vec<[i8; 3]>> = BTreeMap::new();
        for (direction, users) in classes {
            grouped.entry(users).or_default().push(direction);
        }
        for directions in grouped.into_values() {
            let mut left = directions;
            while let Some(first) = left.first().copied() {
                let mut chosen: Vec<[i8; 3]> = Vec::new();
                let relevant = |chosen: &[[i8; 3]]| {
                    let of = |c| chosen.iter().map(|d| inner::<S>(shape, c, *d).count()).sum::<u32>();
                    shape.all().map(of).max().unwrap_or(0)
                };
                // Directions of one sort first, and opposite ones together, so that what has to be split
                // splits like a queen into rook and bishop, and those into lines.
                let mut order = left.clone();
                order.sort_by_key(|d| {
                    let sort = |v: [i8; 3]| {
                        let mut v = v.map(i8::unsigned_abs);
                        v.sort_unstable();
                        v
                    };
                    (sort(*d) != sort(first), (*d).max(opposite(*d)), *d)
                });
                for d in order {
                    chosen.push(d);
                    if S::EXTRACTS && chosen.len() > 1 && relevant(&chosen) > MOST_RELEVANT {
                        chosen.pop();
                    }
                }
                left.retain(|d| !chosen.contains(d));
                chosen.sort_unstable();
                self.slider(shape, chosen);
            }
        }
        for i in 0..self.sliders.len() {
            let mut back: Vec<_> = self.sliders[i].directions.iter().map(|d| opposite(*d)).collect();
            back.sort_unstable();
            let number = self.slider(shape, back);
            self.reverse.push(number);
        }
        for i in self.reverse.len()..self.sliders.len() {
            let forth = self.reverse.iter().position(|r| usize::from(*r) == i);
            self.reverse.push(forth.expect("added as the reverse of an earlier slider") as u16);
        }
    }

    /// The number of the slider with these directions, made if need be.
    fn slider(&mut self, shape: Shape, directions: Vec<[i8; 3]>) -> u16 {
        let known = self.sliders.iter().position(|s| s.directions == directions);
        let number = known.unwrap_or_else(|| {
            self.sliders.push(Arc::new(Slider::new(shape, directions)));
            self.sliders.len() - 1
        });
        number as u16
    }

    fn reached(&self, steps: &Steps, colour: Colour) -> Reached<S> {
        let shape = steps.shape;
        let initial = |c: Cell| steps.initial[colour.index()][c.index()];
        let leaps = |quiet: bool| {
            by_cell(shape, |cell| {
                let wanted = steps.steps.iter().filter(|s| {
                    let purpose = if quiet { s.may != May::Capture } else { s.may != May::Move };
                    purpose && matches!(s.reach, Reach::Leap | Reach::Ride { limit: 1 })
                });
                wanted
                    .filter(|s| !s.initial || initial(cell))
                    .filter_map(|s| shape.step(cell, oriented(s.offset, colour)))
                    .filter(|c| *c != cell)
                    .fold(S::EMPTY, |set, c| set | S::of(c))
            })
        };
        let sliders = |quiet: bool| {
            let mine: Vec<_> = steps
                .steps
                .iter()
                .filter(|s| if quiet { s.may != May::Capture } else { s.may != May::Move })
                .filter(|s| s.reach == (Reach::Ride { limit: 0 }) && !s.initial)
                .map(|s| oriented(s.offset, colour))
                .collect();
            let uses = |s: &Slider<S>| s.directions.iter().all(|d| mine.contains(d));
            self.sliders.iter().filter(|s| uses(s)).cloned().collect::<Vec<_>>()
        };
        let (quiet_leaps, attack_leaps) = (leaps(true), leaps(false));
        let (quiet_sliders, attack_sliders) = (sliders(true), sliders(false));
        let conditional = conditional(steps, colour);
        let leaps_onto = by_cell(shape, |to| {
            shape
                .all()
                .filter(|from| attack_leaps[from.index()].has(to))
                .fold(S::EMPTY, |set, c| set | S::of(c))
        });
        let same = |a: &[Arc<Slider<S>>], b: &[Arc<Slider<S>>]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
        };
        let alike =
            quiet_leaps == attack_leaps && same(&quiet_sliders, &attack_sliders) && conditional.is_none();
        Reached {
            rides: match attack_sliders.as_slice() {
                _ if !alike => Rides::Other,
                [] => Rides::None,
                [one] => Rides::One(one.clone()),
                [one, two] => Rides::Two(one.clone(), two.clone()),
                _ => Rides::Other,
            },
            has_attack_leaps: attack_leaps.iter().any(|s| !s.is_empty()),
            leaps_onto,
            shifts: shifts(steps, colour),
            quiet_leaps,
            attack_leaps,
            quiet_sliders,
            attack_sliders,
            conditional,
            asked: None,
        }
    }

    /// Fills in what lies between cells, and sees whether every line is used by one direction only.
    fn join(&mut self, shape: Shape) {
        let mut joined = vec![false; self.between.len()];
        let mut directions: Vec<_> = self.sliders.iter().flat_map(|s| s.directions.clone()).collect();
        directions.sort_unstable();
        directions.dedup();
        for from in shape.all() {
            for d in &directions {
                let mut passed = S::EMPTY;
                let mut at = from;
                while let Some(next) = shape.step(at, *d) {
                    let pair = from.index() * self.cells + next.index();
                    // Two directions that share a stretch: masks made from one would forget the other.
                    self.plain_attacks &= !joined[pair];
                    joined[pair] = true;
                    self.between[pair] = passed;
                    passed |= S::of(next);
                    at = next;
                }
            }
        }
    }

    /// The cells between two cells of one line.
    #[inline(always)]
    pub(crate) fn between(&self, a: Cell, b: Cell) -> S {
        self.between[a.index() * self.cells + b.index()]
    }
}

impl<S: CellSet> Reached<S> {
    fn only_asked(movement: Arc<dyn PieceMovement<S>>) -> Self {
        let nothing = || Box::new([S::EMPTY; 256]);
        Self {
            quiet_leaps: nothing(),
            attack_leaps: nothing(),
            leaps_onto: nothing(),
            has_attack_leaps: false,
            quiet_sliders: Vec::new(),
            attack_sliders: Vec::new(),
            conditional: None,
            rides: Rides::Other,
            shifts: None,
            asked: Some(movement),
        }
    }
}

/// The steps to vacant cells that depend on other cells, cell by cell.
fn conditional<S: CellSet>(steps: &Steps, colour: Colour) -> Option<Box<[Vec<Conditional<S>>; 256]>> {
    let shape = steps.shape;
    let mut list = Box::new(std::array::from_fn(|_| Vec::new()));
    for step in steps.steps.iter().filter(|s| s.may != May::Capture) {
        let offset = oriented(step.offset, colour);
        for from in shape.all() {
            if step.initial && !steps.initial[colour.index()][from.index()] {
                continue;
            }
            let here: &mut Vec<Conditional<S>> = &mut list[from.index()];
            match &step.reach {
                Reach::Lame { over } => {
                    let over: Option<Vec<Cell>> =
                        over.iter().map(|o| shape.step(from, oriented(*o, colour))).collect();
                    if let (Some(over), Some(to)) = (over, shape.step(from, offset)) {
                        let vacant = over.into_iter().fold(S::of(to), |set, c| set | S::of(c));
                        here.push(Conditional { target: S::of(to), vacant });
                    }
                }
                Reach::Ride { limit } if *limit > 1 || (*limit == 0 && step.initial) => {
                    let (mut at, mut vacant) = (from, S::EMPTY);
                    let mut left = if *limit == 0 { u8::MAX } else { *limit };
                    while let Some(to) = shape.step(at, offset).filter(|_| left > 0) {
                        vacant |= S::of(to);
                        here.push(Conditional { target: S::of(to), vacant });
                        (at, left) = (to, left - 1);
                    }
                }
                _ => {}
            }
        }
    }
    list.iter().any(|l| !l.is_empty()).then_some(list)
}

/// The men's leaps as shifts of whole sets: only for men with at most one step to vacant cells, one
/// double step and two captures.
fn shifts<S: CellSet>(steps: &Steps, colour: Colour) -> Option<Shifts<S>> {
    let shape = steps.shape;
    let shift = |offset: [i8; 3], initial: bool| {
        let offset = oriented(offset, colour);
        let number = i32::from(offset[0])
            + shape.files() as i32 * (i32::from(offset[1]) + shape.ranks() as i32 * i32::from(offset[2]));
        let from = shape
            .all()
            .filter(|c| shape.step(*c, offset).is_some())
            .filter(|c| !initial || steps.initial[colour.index()][c.index()])
            .fold(S::EMPTY, |set, c| set | S::of(c));
        Shift { from, by: number.rem_euclid(S::BITS as i32) as u32 }
    };
    let nowhere = Shift { from: S::EMPTY, by: 0 };
    let (mut quiet, mut over, mut attack) = (Vec::new(), Vec::new(), Vec::new());
    for step in &steps.steps {
        match (&step.reach, step.may) {
            (Reach::Leap, May::Move) if !step.initial => quiet.push(step.offset),
            (Reach::Leap, May::Capture) if !step.initial => attack.push(step.offset),
            (Reach::Lame { over: cells }, May::Move) if cells.len() == 1 => {
                over.push((step.offset, cells[0], step.initial));
            }
            _ => return None,
        }
    }
    // Two ways to one cell would be counted twice.
    let twice = attack.len() == 2 && attack[0] == attack[1]
        || over.first().is_some_and(|(to, ..)| quiet.contains(to));
    if quiet.len() > 1 || over.len() > 1 || attack.len() > 2 || twice {
        return None;
    }
    let attack = |n: usize| attack.get(n).map_or(nowhere, |offset| shift(*offset, false));
    Some(Shifts {
        quiet: quiet.first().map_or(nowhere, |offset| shift(*offset, false)),
        over: over.first().map_or(ShiftOver { first: nowhere, second: nowhere }, |(to, first, initial)| {
            let second = std::array::from_fn(|i| to[i] - first[i]);
            ShiftOver { first: shift(*first, *initial), second: shift(second, false) }
        }),
        attack: [attack(0), attack(1)],
    })
}
