//! Problems where both sides help: helpmates and series-helpmates, or stalemates.

use crate::Options;
use crate::problem::{Problem, foreign, key, passed, reached};
use crate::share::share_out;
use crate::stipulation::{Goal, Play};
use crate::table::Table;
use crate::watch::{Count, Stopped, Watch};
use alice_core::{Move, Position, Walk};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Lines of play that solve a problem.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The solutions, of the length asked for, in order.
    pub lines: Vec<Vec<Move>>,
    /// Solutions in fewer moves.
    pub short: Vec<Vec<Move>>,
    /// Set play: the other side begins, and the first move is left out.
    pub set_play: Option<Vec<Vec<Move>>>,
    /// Whether all was searched.
    pub complete: bool,
    /// Whether there are more solutions than were asked for.
    pub more: bool,
}

/// Searches one problem on one thread.
struct Search<'a> {
    walk: Walk,
    /// Whether one side passes until the last move.
    series: bool,
    goal: Goal,
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
    /// Makes a move, and for a series the other side's pass. Not if that would be a pass in check.
    fn forth(&mut self, mv: &Move, left: u32) -> bool {
        self.walk.play(mv);
        if self.series && left > 2 {
            if self.walk.in_check() {
                self.walk.back();
                return false;
            }
            self.walk.pass();
        }
        true
    }

    fn back(&mut self, left: u32) {
        if self.series && left > 2 {
            self.walk.back();
        }
        self.walk.back();
    }

    /// Finds all lines of just so many moves; says whether there is any.
    fn lines(&mut self, left: u32) -> Result<bool, Stopped> {
        if left == 1 {
            return self.last();
        }
        // A place is known to be without solution of this length or it is not known.
        let place = key(&self.walk, self.foreign) ^ u64::from(left).wrapping_mul(0xd6e8_feb8_6659_fd93);
        if self.table.get(place).is_some() {
            return Ok(false);
        }
        let mut list = self.lists.pop().unwrap_or_else(|| Vec::with_capacity(64));
        self.walk.moves(&mut list);
        let mut any = false;
        for mv in &list {
            self.count.node()?;
            if !self.forth(mv, left) {
                continue;
            }
            self.line.push(*mv);
            let found = self.lines(left - 1);
            self.line.pop();
            self.back(left);
            any |= found?;
        }
        list.clear();
        self.lists.push(list);
        if !any {
            self.table.put(place, 1);
        }
        Ok(any)
    }

    /// The moves that reach the goal at once.
    fn last(&mut self) -> Result<bool, Stopped> {
        if self.goal == Goal::Mate && !self.walk.has_mate() {
            return Ok(false);
        }
        let mut list = Vec::new();
        if self.goal == Goal::Mate {
            self.walk.mates(&mut list);
        } else {
            self.walk.moves(&mut list);
            let (walk, goal) = (&mut self.walk, self.goal);
            list.retain(|mv| {
                walk.play(mv);
                let ends = reached(walk, goal);
                walk.back();
                ends
            });
        }
        for mv in &list {
            if self.total.fetch_add(1, Ordering::Relaxed) >= self.most {
                return Err(Stopped);
            }
            let mut line = self.line.clone();
            line.push(*mv);
            self.found.push(line);
        }
        Ok(!list.is_empty())
    }
}

/// The beginnings of all lines, as long as it takes to have enough shares.
pub(crate) fn beginnings(walk: &mut Walk, plies: u32) -> Vec<Vec<Move>> {
    let mut firsts = Vec::new();
    walk.moves(&mut firsts);
    firsts.sort();
    if plies < 4 {
        return firsts.into_iter().map(|mv| vec![mv]).collect();
    }
    let mut both = Vec::new();
    for first in firsts {
        walk.play(&first);
        let mut replies = Vec::new();
        walk.moves(&mut replies);
        walk.back();
        replies.sort();
        both.extend(replies.into_iter().map(|reply| vec![first, reply]));
    }
    both
}

pub(crate) fn solve(problem: &Problem, options: &Options, watch: &Watch) -> Lines {
    let stipulation = problem.stipulation();
    let series = stipulation.play == Play::SeriesHelp;
    let plies = stipulation.plies();
    let start = problem.position();
    let table = Table::new(match plies {
        0..=3 => 14,
        4 => 18,
        5 => 20,
        _ => 23,
    });
    let mut lines = Lines { complete: true, ..Lines::default() };
    let all_lines = |start: &Position, plies: u32, lines: &mut Lines| {
        // The bound is on solutions of each length, so that short ones leave room for the others.
        let total = AtomicUsize::new(0);
        let search = || Search {
            walk: start.walk(),
            series,
            goal: stipulation.goal,
            foreign: foreign(start.rules()),
            table: &table,
            count: Count::new(watch),
            lists: Vec::new(),
            line: Vec::new(),
            found: Vec::new(),
            total: &total,
            most: options.most,
        };
        let shares = match (series, plies) {
            (_, 1) => vec![Vec::new()],
            (true, _) => beginnings(&mut start.walk(), 1),
            (false, _) => beginnings(&mut start.walk(), plies),
        };
        watch.more_shares(shares.len());
        let found = share_out(options.threads, &shares, search, |search, share| {
            let ply = search.walk.ply();
            let mut left = plies;
            let mut open = true;
            for mv in share {
                open = open && search.forth(mv, left);
                left -= 1;
            }
            search.line.clone_from(share);
            let done = if open { search.lines(left).map(|_| ()) } else { Ok(()) };
            while search.walk.ply() > ply {
                search.walk.back();
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
    let step = if series { 1 } else { 2 };
    let shortest = if series { 2 } else { 2 - plies % 2 };
    for fewer in (shortest..plies).step_by(step) {
        let short = all_lines(start, fewer, &mut lines);
        lines.short.extend(short);
    }
    lines.lines = all_lines(start, plies, &mut lines);
    if options.set_play && !series && plies > 1 && !start.in_check() {
        lines.set_play = Some(all_lines(&passed(start), plies - 1, &mut lines));
    }
    lines
}
