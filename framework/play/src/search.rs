//! The search of one thread: iterative deepening, principal variation search, quiescence.
//!
//! Several threads search the same position and share what they find in the table. Must not know how
//! positions are judged, nor what the clock says beyond the limits.

use crate::evaluation::Evaluation;
use crate::limits::Limits;
use crate::men::{Men, number};
use crate::player::{Line, Report};
use crate::table::{Bound, Known, Table};
use crate::value::{INFINITE, MOST_POINTS, Value, WINNING, WON};
use alice_core::{Move, Position, Rules, Stalemate, Variant, Walk};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// The most plies from the root.
pub(crate) const DEEPEST: usize = 120;
/// How many evaluations a thread keeps.
const JUDGED: usize = 1 << 14;
/// After so many positions a thread looks at the clock.
const WATCH: u64 = 16;

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) evaluation: &'a Evaluation,
    pub(crate) limits: &'a Limits,
    pub(crate) began: Instant,
    pub(crate) threads: usize,
    /// Whether a search may let the other side move twice to see what it threatens.
    pub(crate) passes: bool,
    /// Positions seen by all threads, as far as they have told.
    pub(crate) nodes: AtomicU64,
    /// The first thread is done.
    pub(crate) over: AtomicBool,
}

/// A move at the root.
struct First {
    mv: Move,
    /// Its value in this iteration, if it was the best when it was searched.
    value: i32,
    /// The last value that was found for it, and the moves that follow.
    line: Line,
}

/// What belongs to one ply of the way from the root.
#[derive(Default)]
struct Frame {
    moves: Vec<Move>,
    order: Vec<i32>,
    killers: [Option<Move>; 2],
    judged: i32,
    line: Vec<Move>,
}

/// One thread at work.
pub(crate) struct Search<'a> {
    shared: &'a Shared<'a>,
    variant: Variant,
    walk: Walk,
    men: Men,
    /// The hashes of all positions of the game and on the way from the root.
    path: Vec<u64>,
    /// How many of them come before the root.
    played: usize,
    frames: Vec<Frame>,
    /// The latest full evaluations, by hash.
    judged: Vec<(u64, i32)>,
    /// By side, kind and landing square: how often such quiet moves were good.
    history: Vec<i16>,
    kinds: usize,
    squares: usize,
    reductions: Vec<[i32; 64]>,
    nodes: u64,
    told: u64,
    deepest: usize,
    stopped: bool,
    firsts: Vec<First>,
}

impl<'a> Search<'a> {
    /// A search from a position that these positions have led to.
    pub(crate) fn new(shared: &'a Shared<'a>, position: &Position, before: &[u64]) -> Self {
        let variant = position.variant().clone();
        let kinds = variant.rules().men.len();
        let squares = usize::from(variant.rules().boards) << 8;
        let reduction = |depth: usize, n: usize| {
            if depth < 3 || n < 3 { 0.0 } else { 0.6 + (depth as f64).ln() * (n as f64).ln() / 2.4 }
        };
        let mut path = before.to_vec();
        path.push(position.hash());
        let mut frames = Vec::new();
        frames.resize_with(DEEPEST + 2, Frame::default);
        Self {
            shared,
            walk: position.walk(),
            men: Men::new(position, &shared.evaluation.worth),
            played: path.len() - 1,
            path,
            frames,
            judged: vec![(0, 0); JUDGED],
            history: vec![0; 2 * kinds * squares],
            kinds,
            squares,
            reductions: (0..64).map(|d| std::array::from_fn(|n| reduction(d, n) as i32)).collect(),
            nodes: 0,
            told: 0,
            deepest: 0,
            stopped: false,
            firsts: Vec::new(),
            variant,
        }
    }

    fn rules(&self) -> &Rules {
        self.variant.rules()
    }

    /// Looks deeper and deeper, and tells after each iteration. Thread 0 decides when it is enough; the
    /// others help.
    pub(crate) fn run(&mut self, thread: usize, tell: &mut dyn FnMut(&Report)) -> Report {
        let limits = self.shared.limits;
        let mut moves = Vec::new();
        self.walk.moves(&mut moves);
        if !limits.only.is_empty() {
            moves.retain(|mv| limits.only.contains(mv));
        }
        self.order(&moves, 0, None);
        let mut order: Vec<_> = moves.iter().zip(&self.frames[0].order).collect();
        order.sort_by_key(|(_, n)| -**n);
        let first = |(mv, _): (&Move, _)| First {
            mv: *mv,
            value: -INFINITE,
            line: Line { value: Value(0), moves: vec![*mv] },
        };
        self.firsts = order.into_iter().map(first).collect();
        let lines = limits.lines.max(1).min(self.firsts.len());
        let mut report = self.report(0, lines);
        if self.firsts.is_empty() {
            return report;
        }
        let deepest = limits.depth.unwrap_or(u32::MAX).clamp(1, DEEPEST as u32 - 20);
        for depth in 1..=deepest {
            // Helpers are a ply ahead by turns, so that they do not all do the same.
            let ahead = (thread % 2) as i32;
            for first in &mut self.firsts {
                first.value = -INFINITE;
            }
            for k in 0..lines {
                self.widening(depth as i32 + ahead, k);
                self.firsts[k..].sort_by_key(|first| -first.value);
                if self.stopped {
                    break;
                }
            }
            self.firsts[..lines].sort_by_key(|first| -first.line.value.0);
            if thread > 0 {
                if self.stopped {
                    break;
                }
                continue;
            }
            // An iteration that was broken off may have found something all the same.
            let complete = if self.stopped { depth - 1 } else { depth };
            report = self.report(complete, lines);
            if self.stopped {
                break;
            }
            tell(&report);
            if !limits.endless && self.settled(depth, lines) {
                break;
            }
        }
        if thread == 0 && limits.endless {
            while !self.shared.limits.stop.is_raised() && !self.late() {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        }
        self.tell_nodes();
        if thread == 0 {
            self.shared.over.store(true, Ordering::Relaxed);
            report.nodes = self.shared.nodes.load(Ordering::Relaxed);
            report.time = self.shared.began.elapsed();
        }
        report
    }

    fn late(&self) -> bool {
        self.shared.limits.time.is_some_and(|time| self.shared.began.elapsed() >= time)
    }

    /// Whether another iteration is not worth its time.
    fn settled(&self, depth: u32, lines: usize) -> bool {
        let limits = self.shared.limits;
        // A win that was found in passing may not be the shortest; one looked at so long is.
        let ends = |value: Value| value.wins_in().or(value.loses_in()).is_some_and(|plies| 2 * plies < depth);
        if self.firsts[..lines].iter().all(|first| ends(first.line.value)) {
            return true;
        }
        let Some(enough) = limits.enough else { return false };
        self.firsts.len() == 1 && depth >= 4 || self.shared.began.elapsed() >= enough
    }

    fn report(&self, depth: u32, lines: usize) -> Report {
        Report {
            lines: self.firsts[..lines].iter().map(|first| first.line.clone()).collect(),
            depth,
            deepest: self.deepest as u32,
            nodes: self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.told,
            time: self.shared.began.elapsed(),
            table: self.shared.table.full(),
        }
    }

    /// Searches the moves from the `k`th on, first in a narrow window about the value last found.
    fn widening(&mut self, depth: i32, k: usize) {
        let guess = self.firsts[k].line.value.0;
        let mut margin = if depth >= 5 && guess.abs() < WINNING { 25 } else { 2 * INFINITE };
        let (mut alpha, mut beta) = ((guess - margin).max(-INFINITE), (guess + margin).min(INFINITE));
        loop {
            let value = self.root(depth, alpha, beta, k);
            if self.stopped {
                return;
            }
            margin *= 3;
            if margin > 1_000 {
                margin = 2 * INFINITE;
            }
            if value <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (value - margin).max(-INFINITE);
            } else if value >= beta && beta < INFINITE {
                beta = (value + margin).min(INFINITE);
            } else {
                return;
            }
            // The best move found stays in front.
            self.firsts[k..].sort_by_key(|first| -first.value);
        }
    }

    fn root(&mut self, depth: i32, mut alpha: i32, beta: i32, k: usize) -> i32 {
        let mut best = -INFINITE;
        let in_check = self.walk.in_check();
        let depth = depth + i32::from(in_check);
        for first in &mut self.firsts[k..] {
            first.value = -INFINITE;
        }
        for n in k..self.firsts.len() {
            let mv = self.firsts[n].mv;
            let quiet = mv.promotion.is_none() && self.men.victim(&mv, self.walk.turn()).is_none();
            self.play(&mv);
            let check = self.walk.in_check();
            let mut value = 0;
            let later = n > k;
            if later {
                let mut less = 0;
                if quiet && !check && !in_check && depth >= 3 && n - k >= 4 {
                    less = (self.reductions[depth.min(63) as usize][(n - k).min(63)] - 1).max(0);
                }
                value = -self.node(depth - 1 - less, -alpha - 1, -alpha, 1, check, false);
                if value > alpha && less > 0 {
                    value = -self.node(depth - 1, -alpha - 1, -alpha, 1, check, false);
                }
            }
            if !later || value > alpha && !self.stopped {
                value = -self.node(depth - 1, -beta, -alpha, 1, check, false);
            }
            self.back();
            if self.stopped {
                return best;
            }
            if value > best {
                best = value;
            }
            if value > alpha || !later && alpha <= -INFINITE {
                alpha = value.max(alpha);
                let follow = std::mem::take(&mut self.frames[1].line);
                let first = &mut self.firsts[n];
                first.value = value;
                first.line.value = Value(value);
                first.line.moves.truncate(0);
                first.line.moves.push(mv);
                first.line.moves.extend(&follow);
                self.frames[1].line = follow;
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    fn play(&mut self, mv: &Move) {
        let us = self.walk.turn();
        self.men.play(mv, us, self.variant.rules(), &self.shared.evaluation.worth);
        self.walk.play(mv);
        let hash = self.walk.hash();
        self.shared.table.fetch(hash);
        self.path.push(hash);
    }

    fn back(&mut self) {
        self.path.pop();
        self.walk.back();
        self.men.back(&self.shared.evaluation.worth);
    }

    /// Counts a position, and whether the search is over.
    fn halted(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        let limits = self.shared.limits;
        if self.shared.threads == 1 && limits.nodes.is_some_and(|most| self.nodes >= most) {
            self.stopped = true;
        }
        if self.nodes.is_multiple_of(WATCH) {
            self.tell_nodes();
            let all = self.shared.nodes.load(Ordering::Relaxed);
            self.stopped |= limits.nodes.is_some_and(|most| all >= most)
                || limits.stop.is_raised()
                || self.shared.over.load(Ordering::Relaxed)
                || self.late();
        }
        self.stopped
    }

    fn tell_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.told, Ordering::Relaxed);
        self.told = self.nodes;
    }

    /// Whether the position is a draw without looking at its moves.
    fn is_drawn(&self) -> bool {
        let ends = self.rules().ends;
        if ends.bare_kings && self.men.only_kings() {
            return true;
        }
        let halfmoves = usize::from(self.walk.halfmoves());
        if let Some(limit) = ends.moves_without_progress
            && halfmoves >= 2 * usize::from(limit)
        {
            // Mate comes first; and stalemate, which may be somebody's win.
            return self.walk.count_moves() > 0;
        }
        let Some(times) = ends.repetition else { return false };
        let now = self.path.len() - 1;
        let hash = self.path[now];
        let mut seen = 1;
        let mut back = 4;
        while back <= halfmoves && back <= now {
            if self.path[now - back] == hash {
                seen += 1;
                // Once on the way from the root is enough: what was good to do once will be done again.
                if now - back >= self.played || seen >= usize::from(times) {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// The value of having no legal move.
    fn ended(&self, in_check: bool, ply: usize) -> i32 {
        let lost = ply as i32 - WON;
        match self.rules().ends.stalemate {
            _ if in_check => lost,
            Stalemate::Draw => 0,
            Stalemate::Loss => lost,
            Stalemate::Win => -lost,
        }
    }

    /// What the position is worth without looking ahead; it is not in check.
    fn judge(&mut self, alpha: i32, beta: i32) -> i32 {
        let evaluation = self.shared.evaluation;
        let us = self.walk.turn();
        if let Some(rough) = evaluation.rough(&self.men, us, alpha, beta) {
            return rough;
        }
        let hash = self.walk.hash();
        let place = hash as usize % JUDGED;
        if self.judged[place].0 != hash {
            self.judged[place] = (hash, evaluation.judge(&mut self.walk, &self.men));
        }
        self.judged[place].1
    }

    /// The value of the position for the side to move, searched to `depth`; `passed`: whether the last
    /// move was none.
    fn node(
        &mut self,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
        in_check: bool,
        passed: bool,
    ) -> i32 {
        let depth = depth + i32::from(in_check);
        if depth <= 0 || ply >= DEEPEST {
            return self.quiesce(alpha, beta, ply, in_check);
        }
        self.frames[ply].line.clear();
        self.deepest = self.deepest.max(ply);
        if self.halted() {
            return 0;
        }
        if self.is_drawn() {
            return 0;
        }
        // No end can be nearer than one that was found.
        alpha = alpha.max(ply as i32 - WON);
        beta = beta.min(WON - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let narrow = beta - alpha == 1;
        let hash = self.walk.hash();
        let known = self.shared.table.look_up(hash, ply);
        if let Some(known) = known
            && narrow
            && known.depth >= depth
            && match known.bound {
                Bound::Exact => true,
                Bound::Lower => known.value >= beta,
                Bound::Upper => known.value <= alpha,
            }
        {
            return known.value;
        }
        let mut best_move = known.and_then(|k| k.best);
        let judged = if in_check { -INFINITE } else { self.judge(alpha, beta) };
        self.frames[ply].judged = judged;
        let improving = !in_check && (ply < 2 || judged > self.frames[ply - 2].judged);
        if narrow && !in_check && beta.abs() < WINNING {
            if depth <= 6 && judged - 90 * (depth - i32::from(improving)) >= beta {
                return judged;
            }
            if depth >= 3 && !passed && judged >= beta && self.may_pass() {
                let less = 3 + depth / 4 + ((judged - beta) / 200).min(3);
                self.walk.pass();
                self.path.push(self.walk.hash());
                let value = -self.node(depth - 1 - less, -beta, 1 - beta, ply + 1, false, true);
                self.path.pop();
                self.walk.back();
                if self.stopped {
                    return 0;
                }
                if value >= beta {
                    return if value >= WINNING { beta } else { value };
                }
            }
        }
        // Without a move to try first, a shallower search finds one sooner.
        let depth = if depth >= 5 && best_move.is_none() && !in_check { depth - 1 } else { depth };

        let mut moves = std::mem::take(&mut self.frames[ply].moves);
        moves.clear();
        self.walk.moves(&mut moves);
        if moves.is_empty() {
            self.frames[ply].moves = moves;
            return self.ended(in_check, ply);
        }
        self.order(&moves, ply, best_move);
        let mut order = std::mem::take(&mut self.frames[ply].order);
        if let Some(frame) = self.frames.get_mut(ply + 2) {
            frame.killers = [None; 2];
        }

        let us = self.walk.turn();
        let start = alpha;
        let mut best = -INFINITE;
        best_move = None;
        let mut tried = 0;
        let mut quiets = 0;
        for n in 0..moves.len() {
            bring_best(&mut moves, &mut order, n);
            let mv = moves[n];
            let quiet = mv.promotion.is_none() && self.men.victim(&mv, us).is_none();
            if quiet {
                quiets += 1;
                if narrow && !in_check && best > -WINNING && depth <= 5 {
                    let enough = (4 + 2 * depth * depth) / if improving { 1 } else { 2 };
                    if quiets > enough + 2 && order[n] < KILLER {
                        continue;
                    }
                    if depth <= 4 && judged + 120 + 110 * depth <= alpha && order[n] < KILLER {
                        continue;
                    }
                }
            }
            self.play(&mv);
            let check = self.walk.in_check();
            let mut value = 0;
            if tried > 0 {
                let mut less = 0;
                if depth >= 3 && tried >= 2 && !check && !in_check && (quiet || order[n] < 0) {
                    less = self.reductions[depth.min(63) as usize][(n + 1).min(63)];
                    less += i32::from(!improving) - i32::from(!narrow) - i32::from(order[n] >= KILLER);
                    less -= if quiet { i32::from(self.past(&mv)) / 6_000 } else { 0 };
                    less = less.clamp(0, depth - 2);
                }
                value = -self.node(depth - 1 - less, -alpha - 1, -alpha, ply + 1, check, false);
                if value > alpha && less > 0 {
                    value = -self.node(depth - 1, -alpha - 1, -alpha, ply + 1, check, false);
                }
            }
            if tried == 0 || value > alpha && value < beta {
                value = -self.node(depth - 1, -beta, -alpha, ply + 1, check, false);
            }
            self.back();
            tried += 1;
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if !narrow {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        if quiet {
                            self.was_good(&moves[..n], &mv, ply, depth);
                        }
                        break;
                    }
                }
            }
        }
        self.frames[ply].moves = moves;
        self.frames[ply].order = order;
        if self.stopped {
            return 0;
        }
        self.shared.table.remember(
            hash,
            ply,
            Known { value: best, bound: bound(best, start, beta), depth, best: best_move },
        );
        best
    }

    /// Whether to move is no burden here as far as one can tell: the side has some of its strong men left.
    fn may_pass(&self) -> bool {
        self.shared.passes && self.men.strength(self.walk.turn()) * 5 > self.shared.evaluation.full()
    }

    /// The value of the position once nobody captures any more.
    fn quiesce(&mut self, mut alpha: i32, beta: i32, ply: usize, in_check: bool) -> i32 {
        self.frames[ply].line.clear();
        self.deepest = self.deepest.max(ply);
        if self.halted() {
            return 0;
        }
        if self.is_drawn() {
            return 0;
        }
        if ply >= DEEPEST {
            return if in_check { 0 } else { self.judge(alpha, beta) };
        }
        let narrow = beta - alpha == 1;
        let hash = self.walk.hash();
        let known = self.shared.table.look_up(hash, ply);
        if let Some(known) = known
            && narrow
            && match known.bound {
                Bound::Exact => true,
                Bound::Lower => known.value >= beta,
                Bound::Upper => known.value <= alpha,
            }
        {
            return known.value;
        }
        let mut best = -INFINITE;
        let mut judged = 0;
        if !in_check {
            judged = self.judge(alpha, beta);
            best = judged;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut moves = std::mem::take(&mut self.frames[ply].moves);
        moves.clear();
        if in_check {
            self.walk.moves(&mut moves);
        } else {
            self.walk.captures(&mut moves);
        }
        if in_check && moves.is_empty() {
            self.frames[ply].moves = moves;
            return self.ended(true, ply);
        }
        self.order(&moves, ply, known.and_then(|k| k.best));
        let mut order = std::mem::take(&mut self.frames[ply].order);
        let us = self.walk.turn();
        let start = alpha;
        let mut best_move = None;
        for n in 0..moves.len() {
            bring_best(&mut moves, &mut order, n);
            let mv = moves[n];
            if !in_check {
                // What loses a man for less, or gains too little to matter, is left out.
                if order[n] < 0 {
                    break;
                }
                let prey = self.men.victim(&mv, us).map_or(0, |(_, kind)| self.value(kind));
                if mv.promotion.is_none() && judged + prey + 180 <= alpha {
                    best = best.max(judged + prey + 180);
                    continue;
                }
            } else if best > -WINNING && order[n] < KILLER {
                // One quiet way out of check is enough to see that it is no mate.
                if n > 1 && narrow {
                    break;
                }
            }
            self.play(&mv);
            let check = self.walk.in_check();
            let value = -self.quiesce(-beta, -alpha, ply + 1, check);
            self.back();
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if !narrow {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.frames[ply].moves = moves;
        self.frames[ply].order = order;
        if self.stopped {
            return 0;
        }
        let bound = bound(best, start, beta);
        self.shared.table.remember(hash, ply, Known { value: best, bound, depth: 0, best: best_move });
        best
    }

    fn value(&self, kind: usize) -> i32 {
        self.shared.evaluation.worth.value(kind)
    }

    fn extend_line(&mut self, ply: usize, mv: Move) {
        let (here, next) = self.frames.split_at_mut(ply + 1);
        let line = &mut here[ply].line;
        line.clear();
        line.push(mv);
        line.extend(&next[0].line);
    }

    fn track(&self, mv: &Move) -> usize {
        let side = self.walk.turn().index();
        (side * self.kinds + self.men.mover(mv)) * self.squares + number(mv.landing, mv.to)
    }

    /// How good such a quiet move has been.
    fn past(&self, mv: &Move) -> i16 {
        self.history[self.track(mv)]
    }

    /// A quiet move was too good for the other side, after others had not been.
    fn was_good(&mut self, before: &[Move], mv: &Move, ply: usize, depth: i32) {
        let killers = &mut self.frames[ply].killers;
        if killers[0] != Some(*mv) {
            *killers = [Some(*mv), killers[0]];
        }
        let bonus = (depth * depth * 8).min(1_600);
        self.learn(mv, bonus);
        let us = self.walk.turn();
        for other in before {
            if other.promotion.is_none() && self.men.victim(other, us).is_none() {
                self.learn(other, -bonus);
            }
        }
    }

    fn learn(&mut self, mv: &Move, bonus: i32) {
        let track = self.track(mv);
        let old = i32::from(self.history[track]);
        self.history[track] = (old + bonus - old * bonus.abs() / 16_384) as i16;
    }

    /// Writes into the ply's frame which moves are to be tried first.
    fn order(&mut self, moves: &[Move], ply: usize, first: Option<Move>) {
        let mut order = std::mem::take(&mut self.frames[ply].order);
        order.clear();
        let us = self.walk.turn();
        let killers = self.frames[ply].killers;
        for mv in moves {
            let victim = self.men.victim(mv, us);
            order.push(if Some(*mv) == first {
                i32::MAX
            } else if victim.is_some() || mv.promotion.is_some() {
                let mover = self.men.mover(mv);
                let worth = self.value(mover);
                let prey = victim.map_or(0, |(_, kind)| self.value(kind));
                let grown = mv.promotion.map_or(0, |to| self.value(to.index()) - worth);
                // A man that comes to stand where an enemy attacks is as good as lost. Where it lands,
                // not where it captured, is what counts.
                let royal = self.shared.evaluation.worth.is_royal(mover);
                let risk = worth > prey + 50 && !royal && self.walk.attacked(mv.end(), !us);
                let (gain, loss) = (prey + grown, if risk { worth } else { 0 });
                if gain >= loss { CAPTURE + gain * 16 - worth / 16 } else { gain - loss - CAPTURE }
            } else if killers[0] == Some(*mv) {
                KILLER + 1
            } else if killers[1] == Some(*mv) {
                KILLER
            } else {
                i32::from(self.past(mv))
            });
        }
        self.frames[ply].order = order;
    }
}

/// Where good captures begin in the order of moves; bad ones are below zero by as much.
const CAPTURE: i32 = 10_000_000;
/// Quiet moves that were good in a sister position.
const KILLER: i32 = 1_000_000;

/// What a value says that a search between `alpha` and `beta` came to.
fn bound(value: i32, alpha: i32, beta: i32) -> Bound {
    match value {
        _ if value >= beta => Bound::Lower,
        _ if value > alpha => Bound::Exact,
        _ => Bound::Upper,
    }
}

/// Puts the best of the moves from the `n`th on in the `n`th place.
fn bring_best(moves: &mut [Move], order: &mut [i32], n: usize) {
    let mut best = n;
    for m in n + 1..order.len() {
        if order[m] > order[best] {
            best = m;
        }
    }
    moves.swap(n, best);
    order.swap(n, best);
}

const _: () = assert!(MOST_POINTS < WINNING && WON < INFINITE && INFINITE < i16::MAX as i32);
