//! The search of one thread: iterative deepening, principal variation search, quiescence.
//!
//! Several threads search the same position and share what they find in the table. Must not know how
//! positions are judged, nor what the clock says beyond the limits.

use crate::evaluation::Evaluation;
use crate::glances::Glances;
use crate::limits::Limits;
use crate::men::{Men, number};
use crate::player::{Line, Report};
use crate::queue::{Queue, Stage};
use crate::table::{Bound, Known, Table};
use crate::value::{INFINITE, MOST_POINTS, Value, WINNING, WON};
use alice_core::{Colour, Move, Position, Rules, Stalemate, Variant, Walk};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// The most plies from the root.
pub(crate) const DEEPEST: usize = 120;
/// After so many positions a thread looks at the clock.
const WATCH: u64 = 16;

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: Table<'a>,
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
    queue: Queue,
    /// The quiet moves that were tried.
    quiets: Vec<Move>,
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
    glances: Glances,
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
            glances: Glances::new(),
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
        let us = self.walk.turn();
        moves.sort_by_cached_key(|mv| {
            let loss = if self.is_quiet(mv, us) { None } else { self.loss(mv, us) };
            -loss.unwrap_or_else(|| self.promise(mv, us))
        });
        let first =
            |mv: Move| First { mv, value: -INFINITE, line: Line { value: Value(0), moves: vec![mv] } };
        self.firsts = moves.into_iter().map(first).collect();
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
        self.walk.play(mv);
        let hash = self.walk.hash();
        self.glances.fetch(hash);
        self.men.play(mv, us, self.variant.rules(), &self.shared.evaluation.worth);
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
        self.glances.judged(self.walk.hash(), || evaluation.judge(&self.walk, &self.men))
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
        // Half of all positions are so good that nobody need ask the table: for that takes time.
        let shallow = narrow && !in_check && depth <= 6 && beta.abs() < WINNING;
        let by_men = self.shared.evaluation.seen_from(self.walk.turn(), &self.men);
        if !(shallow && by_men - 90 * depth >= beta) {
            self.shared.table.fetch(hash);
        }
        let judged = if in_check { -INFINITE } else { self.judge(alpha, beta) };
        self.frames[ply].judged = judged;
        let improving = !in_check && (ply < 2 || judged > self.frames[ply - 2].judged);
        if shallow && judged - 90 * (depth - i32::from(improving)) >= beta {
            return judged;
        }
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
        let may_pass = narrow && !in_check && !passed && depth >= 3 && judged >= beta;
        if may_pass && beta.abs() < WINNING && self.may_pass() {
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
        // Without a move to try first, a shallower search finds one sooner.
        let depth = if depth >= 5 && best_move.is_none() && !in_check { depth - 1 } else { depth };

        if let Some(frame) = self.frames.get_mut(ply + 2) {
            frame.killers = [None; 2];
        }
        self.frames[ply].queue.begin(best_move, if in_check { Stage::All } else { Stage::Captures });
        self.frames[ply].quiets.clear();

        let us = self.walk.turn();
        let start = alpha;
        let mut best = -INFINITE;
        best_move = None;
        let mut tried = 0;
        let prunes = narrow && !in_check;
        // Quiet moves that gain too little to matter, and how many of the others are enough.
        let futile = prunes && depth <= 4 && judged + 120 + 110 * depth <= alpha;
        let enough = match prunes && depth <= 5 {
            true => (4 + 2 * depth as usize * depth as usize) / if improving { 1 } else { 2 } + 2,
            false => usize::MAX,
        };
        let mut quiets = 0;
        while let Some((mv, score)) = self.next(ply, (futile || quiets >= enough) && best > -WINNING) {
            let quiet = mv.promotion.is_none() && self.men.victim(&mv, us).is_none();
            if quiet {
                quiets += 1;
                self.frames[ply].quiets.push(mv);
            }
            self.play(&mv);
            let check = self.walk.in_check();
            let mut value = 0;
            if tried > 0 {
                let mut less = 0;
                if depth >= 3 && tried >= 2 && !check && !in_check && (quiet || score < 0) {
                    less = self.reductions[depth.min(63) as usize][(tried + 1).min(63)];
                    less += i32::from(!improving) - i32::from(!narrow) - i32::from(score >= KILLER);
                    less -= if quiet { i32::from(self.past(&mv, us)) / 6_000 } else { 0 };
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
                return 0;
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
                            self.was_good(&mv, us, ply, depth);
                        }
                        break;
                    }
                }
            }
        }
        if tried == 0 {
            return self.ended(in_check, ply);
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
        if narrow
            && let Some((value, bound)) = self.glances.value(hash)
            && match bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            }
        {
            return value;
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
        let us = self.walk.turn();
        let start = alpha;
        let mut tried = 0;
        self.frames[ply].queue.begin(None, if in_check { Stage::All } else { Stage::Only });
        while let Some((mv, score)) = self.next(ply, false) {
            if !in_check {
                // What loses a man for less, or gains too little to matter, is left out.
                if score < 0 {
                    break;
                }
                let prey = self.men.victim(&mv, us).map_or(0, |(_, kind)| self.value(kind));
                if mv.promotion.is_none() && judged + prey + 180 <= alpha {
                    best = best.max(judged + prey + 180);
                    continue;
                }
            } else if narrow && tried > 1 && best > -WINNING && score < KILLER {
                // One quiet way out of check is enough to see that it is no mate.
                break;
            }
            self.play(&mv);
            let check = self.walk.in_check();
            let value = -self.quiesce(-beta, -alpha, ply + 1, check);
            self.back();
            tried += 1;
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    if !narrow {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        if in_check && tried == 0 {
            return self.ended(true, ply);
        }
        self.glances.remember(hash, best, bound(best, start, beta));
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

    fn track(&self, mv: &Move, us: Colour) -> usize {
        (us.index() * self.kinds + self.men.mover(mv)) * self.squares + number(mv.landing, mv.to)
    }

    /// How good such a quiet move has been.
    fn past(&self, mv: &Move, us: Colour) -> i16 {
        self.history[self.track(mv, us)]
    }

    /// A quiet move was too good for the other side, after others had not been.
    fn was_good(&mut self, mv: &Move, us: Colour, ply: usize, depth: i32) {
        let killers = &mut self.frames[ply].killers;
        if killers[0] != Some(*mv) {
            *killers = [Some(*mv), killers[0]];
        }
        let bonus = (depth * depth * 8).min(1_600);
        self.learn(mv, us, bonus);
        for n in 0..self.frames[ply].quiets.len() {
            let other = self.frames[ply].quiets[n];
            if other != *mv {
                self.learn(&other, us, -bonus);
            }
        }
    }

    fn learn(&mut self, mv: &Move, us: Colour, bonus: i32) {
        let track = self.track(mv, us);
        let old = i32::from(self.history[track]);
        self.history[track] = (old + bonus - old * bonus.abs() / 16_384) as i16;
    }

    /// The next move of a ply's queue and what it promises; `loud`: quiet moves, but for killers, are not
    /// wanted. Moves are listed when their turn comes.
    fn next(&mut self, ply: usize, loud: bool) -> Option<(Move, i32)> {
        let us = self.walk.turn();
        loop {
            let queue = &mut self.frames[ply].queue;
            match queue.stage {
                Stage::First => {
                    queue.stage = queue.then;
                    // Another position may have had this hash.
                    queue.first = queue.first.filter(|mv| self.walk.is_legal(mv));
                    if let Some(first) = queue.first {
                        return Some((first, FIRST));
                    }
                }
                Stage::Captures => {
                    self.fill(ply, us, Walk::captures);
                    self.frames[ply].queue.stage = Stage::Good;
                }
                Stage::Good => match self.take(ply, us) {
                    Some((_, mv, score)) if score >= 0 => return Some((mv, score)),
                    bad => {
                        let queue = &mut self.frames[ply].queue;
                        if let Some((n, _, score)) = bad {
                            queue.put_back(n, score);
                        }
                        queue.stage = Stage::Killers(0);
                    }
                },
                Stage::Killers(n) => {
                    queue.stage = if n == 0 { Stage::Killers(1) } else { Stage::Quiets };
                    let first = queue.first;
                    if let Some(mv) = self.frames[ply].killers[n]
                        && first != Some(mv)
                        && self.is_quiet(&mv, us)
                        && self.walk.is_legal(&mv)
                    {
                        return Some((mv, KILLER + 1 - n as i32));
                    }
                }
                Stage::Quiets | Stage::All | Stage::Only => {
                    let list = match queue.stage {
                        Stage::Quiets => Walk::quiets,
                        Stage::All => Walk::moves,
                        _ => Walk::captures,
                    };
                    if queue.stage != Stage::Quiets || !loud {
                        self.fill(ply, us, list);
                    }
                    self.frames[ply].queue.stage = Stage::Rest;
                }
                Stage::Rest => {
                    if loud {
                        queue.drop_above(-CAPTURE / 2);
                    }
                    return self.take(ply, us).map(|(_, mv, score)| (mv, score));
                }
            }
        }
    }

    /// Lists moves into a ply's queue.
    fn fill(&mut self, ply: usize, us: Colour, list: fn(&Walk, &mut Vec<Move>)) {
        let frame = &mut self.frames[ply];
        let mut queue = std::mem::take(&mut frame.queue);
        let (first, killers, stage) = (queue.first, frame.killers, queue.stage);
        queue.fill(
            |moves| list(&self.walk, moves),
            |mv| match killers.iter().position(|killer| *killer == Some(*mv)) {
                _ if first == Some(*mv) => None,
                Some(n) if self.is_quiet(mv, us) => (stage == Stage::All).then_some(KILLER + 1 - n as i32),
                _ => Some(self.promise(mv, us)),
            },
        );
        self.frames[ply].queue = queue;
    }

    /// Takes what promises the most. What captures is looked at once more: whether it loses more than it
    /// gains.
    fn take(&mut self, ply: usize, us: Colour) -> Option<(usize, Move, i32)> {
        loop {
            let (n, mv, score) = self.frames[ply].queue.take()?;
            if score > CAPTURE / 2
                && let Some(loss) = self.loss(&mv, us)
            {
                self.frames[ply].queue.put_back(n, loss);
                continue;
            }
            return Some((n, mv, score));
        }
    }

    fn is_quiet(&self, mv: &Move, us: Colour) -> bool {
        mv.promotion.is_none() && self.men.victim(mv, us).is_none()
    }

    /// How much a move promises, if it does not lose the man that makes it.
    fn promise(&self, mv: &Move, us: Colour) -> i32 {
        if self.is_quiet(mv, us) {
            return i32::from(self.past(mv, us));
        }
        let (worth, gain) = self.trade(mv, us);
        CAPTURE + gain * 16 - worth / 16
    }

    /// What the man is worth that makes a move, and what the move gains at once.
    fn trade(&self, mv: &Move, us: Colour) -> (i32, i32) {
        let worth = self.value(self.men.mover(mv));
        let prey = self.men.victim(mv, us).map_or(0, |(_, kind)| self.value(kind));
        let grown = mv.promotion.map_or(0, |to| self.value(to.index()) - worth);
        (worth, prey + grown)
    }

    /// What a capture or promotion promises that loses more than it gains: a man that comes to stand where
    /// an enemy attacks is as good as lost. Where it lands, not where it captured, is what counts.
    fn loss(&self, mv: &Move, us: Colour) -> Option<i32> {
        let (worth, gain) = self.trade(mv, us);
        let royal = self.shared.evaluation.worth.is_royal(self.men.mover(mv));
        let loses = worth > gain + 50 && !royal && self.walk.attacked(mv.end(), !us);
        loses.then_some(gain - worth - CAPTURE)
    }
}

/// The move that was best before comes first.
const FIRST: i32 = i32::MAX;

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

const _: () = assert!(MOST_POINTS < WINNING && WON < INFINITE && INFINITE < i16::MAX as i32);
