//! Shortest proof games: all ways to play from the start of the game to a position.

use crate::Options;
use crate::distance::{Distances, Place, Places};
use crate::help::Lines;
use crate::problem::{Problem, foreign, key};
use crate::share::share_out;
use crate::table::Table;
use crate::watch::{Count, Stopped, Watch};
use alice_core::{Colour, Move, MoveKind, Rules, Square, Walk};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Searches one problem on one thread.
struct Search<'a> {
    walk: Walk,
    rules: &'a Rules,
    places: Places,
    distances: &'a [Distances; 2],
    /// The men of each side now.
    men: [Vec<Place>; 2],
    /// Whether each side may still castle, which moves two men at once.
    may_castle: [bool; 2],
    foreign: bool,
    table: &'a Table,
    count: Count<'a>,
    lists: Vec<Vec<Move>>,
    line: Vec<Move>,
    found: Vec<Vec<Move>>,
    total: &'a AtomicUsize,
    most: usize,
}

/// How many of the next `left` moves are the side's whose turn it is, and the other's.
fn shared(left: u32) -> [u32; 2] {
    [left.div_ceil(2), left / 2]
}

impl Search<'_> {
    /// Makes a move, unless it leads away: gives what undoes it.
    fn forth(&mut self, mv: &Move, left: u32) -> Option<Undo> {
        let us = self.walk.turn();
        let [own, others] = shared(left);
        let own = own - 1;
        let man = self.walk.man(mv.start())?;
        let taken = self.walk.captured(mv);
        let (ours, theirs) = (us.index(), (!us).index());
        if taken.is_some() && self.men[theirs].len() == self.distances[theirs].wanted {
            return None;
        }
        let from = self.places.of(man.kind, mv.start());
        let to = self.places.of(mv.promotion.unwrap_or(man.kind), mv.end());
        let mover = self.men[ours].iter().position(|place| *place == from)?;
        let mut undo = Undo { mover, from, rook: None, victim: None, may_castle: self.may_castle };
        self.men[ours][mover] = to;
        if let MoveKind::Castling(wing) = mv.kind {
            let mut all = self.rules.castling.iter();
            let rule = all.find(|rule| rule.colour == us && rule.wing == wing)?;
            let home = self.places.of(rule.rook, Square { board: mv.origin, cell: rule.rook_from });
            let rook = self.men[ours].iter().position(|place| *place == home)?;
            self.men[ours][rook] =
                self.places.of(rule.rook, Square { board: mv.landing, cell: rule.rook_to });
            undo.rook = Some((rook, home));
        }
        if self.rules.man(man.kind).royal {
            self.may_castle[ours] = false;
        }
        // What castling saves is not known before it is done.
        let saved = u32::from(self.may_castle[ours] && own > 0);
        let mut fits = self.distances[ours].within(&self.men[ours], own + saved);
        if fits && let Some(taken) = taken {
            let square = self.struck(mv);
            let place = self.places.of(taken.kind, square);
            let victim = self.men[theirs].iter().position(|there| *there == place)?;
            self.men[theirs].swap_remove(victim);
            undo.victim = Some((victim, place));
            let saved = u32::from(self.may_castle[theirs] && others > 0);
            fits = self.distances[theirs].within(&self.men[theirs], others + saved);
        }
        // Those too many must be captured in time.
        let too_many = |side: usize| (self.men[side].len() - self.distances[side].wanted) as u32;
        fits = fits && too_many(theirs) <= own && too_many(ours) <= others;
        if !fits {
            self.undo(ours, undo);
            return None;
        }
        self.walk.play(mv);
        Some(undo)
    }

    /// The square of the man that a move captures.
    fn struck(&self, mv: &Move) -> Square {
        match mv.kind {
            MoveKind::Ordinary => Square { board: mv.origin, cell: mv.to },
            MoveKind::EnPassant => {
                let setup = self.walk.position().setup();
                let right = setup.en_passant.expect("en passant needs a right");
                let forward = if setup.turn == Colour::White { -1 } else { 1 };
                let cell = self.rules.shape.step(right.passed, [0, forward, 0]);
                Square { board: right.landing, cell: cell.expect("a pawn has passed") }
            }
            _ => mv.end(),
        }
    }

    fn back(&mut self, undo: Undo) {
        self.walk.back();
        self.undo(self.walk.turn().index(), undo);
    }

    fn undo(&mut self, ours: usize, undo: Undo) {
        if let Some((victim, place)) = undo.victim {
            let theirs = &mut self.men[1 - ours];
            theirs.push(place);
            let last = theirs.len() - 1;
            theirs.swap(victim, last);
        }
        if let Some((rook, home)) = undo.rook {
            self.men[ours][rook] = home;
        }
        self.men[ours][undo.mover] = undo.from;
        self.may_castle = undo.may_castle;
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
            if let Some(undo) = self.forth(mv, left) {
                self.line.push(*mv);
                let found = self.lines(left - 1);
                self.line.pop();
                self.back(undo);
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

/// What a move changed.
struct Undo {
    mover: usize,
    from: Place,
    rook: Option<(usize, Place)>,
    victim: Option<(usize, Place)>,
    may_castle: [bool; 2],
}

pub(crate) fn solve(problem: &Problem, options: &Options, watch: &Watch) -> Lines {
    let plies = problem.stipulation().plies();
    let variant = problem.position().variant();
    let rules = variant.rules();
    let target = problem.position().setup();
    let start = problem.beginning();
    let distances = Colour::BOTH.map(|colour| Distances::new(variant, &target, colour));
    let places = Places::new(rules);
    let setup = start.setup();
    let men = Colour::BOTH.map(|colour| {
        let own = setup.men().filter(|(_, man)| man.colour == colour);
        own.map(|(square, man)| places.of(man.kind, square)).collect::<Vec<_>>()
    });
    let may_castle = Colour::BOTH.map(|colour| {
        rules.castling.iter().any(|rule| rule.colour == colour && setup.castling & rule.right() != 0)
    });
    let table = Table::new(if plies < 8 { 16 } else { 22 });
    let total = AtomicUsize::new(0);
    let mut lines = Lines { complete: true, ..Lines::default() };
    let all_lines = |plies: u32, lines: &mut Lines| {
        let search = || Search {
            walk: start.walk(),
            rules,
            places,
            distances: &distances,
            men: men.clone(),
            may_castle,
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
            let saved = u32::from(may_castle[side] && moves > 0);
            distances[side].within(&men[side], moves + saved)
        };
        if !fits(start.turn().index(), own) || !fits((!start.turn()).index(), others) {
            return Vec::new();
        }
        let shares =
            if plies == 0 { vec![Vec::new()] } else { crate::help::beginnings(&mut start.walk(), plies) };
        watch.more_shares(shares.len());
        let found = share_out(options.threads, &shares, search, |search, share| {
            let mut undos = Vec::new();
            let mut left = plies;
            for mv in share {
                let Some(undo) = search.forth(mv, left) else { break };
                undos.push(undo);
                left -= 1;
            }
            search.line.clone_from(share);
            let open = undos.len() == share.len();
            let done = if open { search.lines(left).map(|_| ()) } else { Ok(()) };
            for undo in undos.into_iter().rev() {
                search.back(undo);
            }
            watch.share_done();
            (std::mem::take(&mut search.found), done.is_ok())
        });
        let mut all = Vec::new();
        for (some, done) in found {
            all.extend(some);
            lines.complete &= done;
        }
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
