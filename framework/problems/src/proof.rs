//! Shortest proof games: all ways to play from the start of the game to a position.

use crate::Options;
use crate::distance::{Distances, Place, Places};
use crate::help::Lines;
use crate::problem::{Problem, foreign, key};
use crate::share::share_out;
use crate::table::Table;
use crate::watch::{Count, Stopped, Watch};
use alice_core::{Colour, Move, MoveKind, Rules, Setup, Square, Walk};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The men of both sides, each by its number, and what is left for them to do.
#[derive(Clone)]
struct Standing<'a> {
    rules: &'a Rules,
    places: Places,
    distances: &'a [Distances; 2],
    /// Where each man is, or that it has been captured.
    men: [Vec<Place>; 2],
    /// How many of each side are left.
    left: [usize; 2],
    /// How far all men of each side are from the nearest men that they could become.
    near: [u32; 2],
    /// The number of the man on each square.
    on: Vec<u16>,
    /// Whether each side may still castle, which moves two men at once.
    may_castle: [bool; 2],
    turn: Colour,
    /// What has been changed: side, number of the man, and where it was.
    changes: Vec<(usize, usize, Place)>,
}

const NOBODY: u16 = u16::MAX;

/// How many of the next `left` moves are the side's whose turn it is, and the other's.
fn shared(left: u32) -> [u32; 2] {
    [left.div_ceil(2), left / 2]
}

/// How to get back to before a move.
#[derive(Clone, Copy)]
struct Mark {
    changes: usize,
    may_castle: [bool; 2],
}

impl<'a> Standing<'a> {
    fn new(rules: &'a Rules, distances: &'a [Distances; 2], setup: &Setup) -> Self {
        let places = Places::new(rules);
        let mut standing = Self {
            rules,
            places,
            distances,
            men: [Vec::new(), Vec::new()],
            left: [0; 2],
            near: [0; 2],
            on: vec![NOBODY; places.squares()],
            may_castle: Colour::BOTH.map(|colour| {
                rules.castling.iter().any(|rule| rule.colour == colour && setup.castling & rule.right() != 0)
            }),
            turn: setup.turn,
            changes: Vec::new(),
        };
        for (square, man) in setup.men() {
            let side = man.colour.index();
            standing.men[side].push(places.captured());
            standing.put(side, standing.men[side].len() - 1, places.of(man.kind, square));
        }
        standing
    }

    /// Men that are more than those wanted.
    fn surplus(&self, side: usize) -> u32 {
        (self.left[side] - self.distances[side].wanted) as u32
    }

    /// Puts a man somewhere, or takes it off the boards.
    fn put(&mut self, side: usize, man: usize, to: Place) {
        let from = std::mem::replace(&mut self.men[side][man], to);
        let distances = &self.distances[side];
        self.near[side] = self.near[side] + distances.nearest(to) - distances.nearest(from);
        match self.places.square_of(from) {
            Some(square) => self.on[square] = NOBODY,
            None => self.left[side] += 1,
        }
        match self.places.square_of(to) {
            Some(square) => self.on[square] = man as u16,
            None => self.left[side] -= 1,
        }
    }

    fn change(&mut self, side: usize, man: usize, to: Place) {
        self.changes.push((side, man, self.men[side][man]));
        self.put(side, man, to);
    }

    fn undo(&mut self, mark: Mark) {
        while self.changes.len() > mark.changes {
            let (side, man, from) = self.changes.pop().expect("there are more than the mark says");
            self.put(side, man, from);
        }
        self.may_castle = mark.may_castle;
        self.turn = !self.turn;
    }

    /// Makes a move in which nothing but a step or a capture happens, unless it leads away.
    fn make(&mut self, mv: &Move, walk: &Walk, left: u32) -> Option<Mark> {
        let (us, them) = (self.turn.index(), (!self.turn).index());
        let [own, others] = shared(left);
        let own = own - 1;
        let man = usize::from(self.on[self.places.square(mv.start())]);
        let from = self.men[us][man];
        let kind = self.places.kind_of(from);
        let to = self.places.of(mv.promotion.unwrap_or(kind), mv.end());
        let may_castle = self.may_castle[us] && !self.rules.man(kind).royal;
        // What castling saves is not known before it is done.
        let saved = |may_castle: bool, moves: u32| u32::from(may_castle && moves > 0);
        let limit = own + saved(may_castle, own);
        let castling = matches!(mv.kind, MoveKind::Castling(_));
        let distances = &self.distances[us];
        let near = self.near[us] + distances.nearest(to) - distances.nearest(from);
        if !castling && self.surplus(us) == 0 && near > limit {
            return None;
        }
        let taken = self.struck(mv, walk).map(|square| self.on[square]).filter(|man| *man != NOBODY);
        if taken.is_some() && self.surplus(them) == 0 {
            return None;
        }
        let mark = Mark { changes: self.changes.len(), may_castle: self.may_castle };
        self.may_castle[us] = may_castle;
        self.turn = !self.turn;
        if let Some(taken) = taken {
            self.change(them, usize::from(taken), self.places.captured());
        }
        let rule =
            self.rules.castling.iter().find(|rule| {
                castling && rule.colour.index() == us && mv.kind == MoveKind::Castling(rule.wing)
            });
        let rook = rule.map(|rule| {
            let home = Square { board: mv.origin, cell: rule.rook_from };
            let rook = usize::from(self.on[self.places.square(home)]);
            self.change(us, rook, self.places.captured());
            (rook, self.places.of(rule.rook, Square { board: mv.landing, cell: rule.rook_to }))
        });
        self.change(us, man, to);
        if let Some((rook, to)) = rook {
            self.change(us, rook, to);
        }
        let fits = self.surplus(them) <= own
            && self.surplus(us) <= others
            && self.distances[us].within(&self.men[us], self.left[us], limit)
            && (taken.is_none() || {
                let limit = others + saved(self.may_castle[them], others);
                self.distances[them].within(&self.men[them], self.left[them], limit)
            });
        if !fits {
            self.undo(mark);
            return None;
        }
        Some(mark)
    }

    /// The square on which a move captures, if anybody stands there.
    fn struck(&self, mv: &Move, walk: &Walk) -> Option<usize> {
        let square = match mv.kind {
            MoveKind::Ordinary => Square { board: mv.origin, cell: mv.to },
            MoveKind::Zero => mv.end(),
            MoveKind::Castling(_) => return None,
            MoveKind::EnPassant => {
                let right = walk.position().setup().en_passant?;
                let back = if self.turn == Colour::White { -1 } else { 1 };
                Square { board: right.landing, cell: self.rules.shape.step(right.passed, [0, back, 0])? }
            }
        };
        Some(self.places.square(square))
    }
}

/// Searches one problem on one thread.
struct Search<'a> {
    walk: Walk,
    standing: Standing<'a>,
    foreign: bool,
    table: &'a Table,
    count: Count<'a>,
    lists: Vec<Vec<Move>>,
    line: Vec<Move>,
    found: Vec<Vec<Move>>,
    total: &'a AtomicUsize,
    most: usize,
}

impl Search<'_> {
    /// Makes a move, unless it leads away.
    fn forth(&mut self, mv: &Move, left: u32) -> Option<Mark> {
        let mark = self.standing.make(mv, &self.walk, left)?;
        self.walk.play(mv);
        Some(mark)
    }

    fn back(&mut self, mark: Mark) {
        self.walk.back();
        self.standing.undo(mark);
    }

    /// Finds all games of just so many moves more; says whether there is any.
    fn lines(&mut self, left: u32) -> Result<bool, Stopped> {
        if left == 0 {
            if self.total.fetch_add(1, Ordering::Relaxed) >= self.most {
                return Err(Stopped);
            }
            self.found.push(self.line.clone());
            return Ok(true);
        }
        let place = key(&self.walk, self.foreign) ^ u64::from(left).wrapping_mul(0xd6e8_feb8_6659_fd93);
        if left > 1 && self.table.get(place).is_some() {
            return Ok(false);
        }
        let mut list = self.lists.pop().unwrap_or_else(|| Vec::with_capacity(64));
        self.walk.moves(&mut list);
        let mut any = false;
        for mv in &list {
            self.count.node()?;
            if let Some(mark) = self.forth(mv, left) {
                self.line.push(*mv);
                let found = self.lines(left - 1);
                self.line.pop();
                self.back(mark);
                any |= found?;
            }
        }
        list.clear();
        self.lists.push(list);
        if !any && left > 1 {
            self.table.put(place, 1);
        }
        Ok(any)
    }
}

pub(crate) fn solve(problem: &Problem, options: &Options, watch: &Watch) -> Lines {
    let plies = problem.stipulation().plies();
    let variant = problem.position().variant();
    let rules = variant.rules();
    let target = problem.position().setup();
    let start = problem.beginning();
    let distances = Colour::BOTH.map(|colour| Distances::new(variant, &target, colour));
    let standing = Standing::new(rules, &distances, &start.setup());
    let table = Table::new(if plies < 8 { 16 } else { 22 });
    let mut lines = Lines { complete: true, ..Lines::default() };
    let all_lines = |plies: u32, lines: &mut Lines| {
        let total = AtomicUsize::new(0);
        let search = || Search {
            walk: start.walk(),
            standing: standing.clone(),
            foreign: foreign(rules),
            table: &table,
            count: Count::new(watch),
            lists: Vec::new(),
            line: Vec::new(),
            found: Vec::new(),
            total: &total,
            most: options.most,
        };
        let [own, others] = shared(plies);
        let fits = |side: usize, moves: u32| {
            let saved = u32::from(standing.may_castle[side] && moves > 0);
            distances[side].within(&standing.men[side], standing.left[side], moves + saved)
        };
        if !fits(start.turn().index(), own) || !fits((!start.turn()).index(), others) {
            return Vec::new();
        }
        let shares =
            if plies == 0 { vec![Vec::new()] } else { crate::help::beginnings(&mut start.walk(), plies) };
        watch.more_shares(shares.len());
        let found = share_out(options.threads, &shares, search, |search, share| {
            let mut marks = Vec::new();
            let mut left = plies;
            for mv in share {
                let Some(mark) = search.forth(mv, left) else { break };
                marks.push(mark);
                left -= 1;
            }
            search.line.clone_from(share);
            let open = marks.len() == share.len();
            let done = if open { search.lines(left).map(|_| ()) } else { Ok(()) };
            for mark in marks.into_iter().rev() {
                search.back(mark);
            }
            watch.share_done();
            (std::mem::take(&mut search.found), done.is_ok())
        });
        let mut all = Vec::new();
        for (some, done) in found {
            all.extend(some);
            lines.complete &= done;
        }
        lines.more |= total.into_inner() > options.most;
        all.sort();
        all
    };
    for fewer in (plies % 2..plies).step_by(2) {
        let short = all_lines(fewer, &mut lines);
        lines.short.extend(short);
    }
    lines.lines = all_lines(plies, &mut lines);
    lines
}
