//! Problems where the sides fight: direct mates and selfmates, or stalemates.
//!
//! One side, the attacker, has the first move; the other defends.

use crate::Options;
use crate::problem::{Problem, foreign, key, reached};
use crate::share::share_out;
use crate::stipulation::{Goal, Play};
use crate::table::Table;
use crate::watch::{Count, Stopped, Watch};
use alice_core::{Move, Walk};

/// What was found out about a problem where the sides fight.
#[derive(Clone, Debug, Default)]
pub struct Battle {
    /// The first moves that solve it.
    pub keys: Vec<Attack>,
    /// First moves that one reply refutes; that reply is among the defences, without answers.
    pub tries: Vec<Attack>,
    /// What the attacker could answer if the defender began.
    pub set_play: Option<Vec<Reply>>,
    /// First moves of which nothing is known, because the search was stopped.
    pub undecided: Vec<Move>,
    /// Whether all was searched.
    pub complete: bool,
}

/// A move of the attacker's, and what can follow.
#[derive(Clone, Debug)]
pub struct Attack {
    /// The move.
    pub mv: Move,
    /// Whether it reaches the goal.
    pub ends: bool,
    /// What follows; none after the last move, and where that was not searched.
    pub defence: Option<Defence>,
}

/// What can follow a move of the attacker's.
#[derive(Clone, Debug, Default)]
pub struct Defence {
    /// What the attacker would play if the defender passed; none in zugzwang, after a check and after the
    /// last move.
    pub threats: Vec<Attack>,
    /// Whether the defender is in check.
    pub check: bool,
    /// The moves that defend against a threat; all moves where there is none.
    pub replies: Vec<Reply>,
}

/// A move of the defender's.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The move.
    pub mv: Move,
    /// Whether it reaches the goal, as the defender of a selfmate has to.
    pub ends: bool,
    /// The attacker's quickest answers; more than one is a dual, none a refutation.
    pub answers: Vec<Attack>,
}

impl Reply {
    /// Whether nothing answers it.
    pub fn refutes(&self) -> bool {
        !self.ends && self.answers.is_empty()
    }
}

/// Searches one problem on one thread.
struct Search<'a> {
    walk: Walk,
    play: Play,
    goal: Goal,
    foreign: bool,
    table: &'a Table,
    count: Count<'a>,
    /// Lists to be used again.
    lists: Vec<Vec<Move>>,
    /// By ply, the replies that refuted last.
    killers: Vec<[Option<Move>; 2]>,
    /// By ply, the attacks that worked last.
    hopes: Vec<[Option<Move>; 2]>,
}

/// What is known of a position with the attacker to move: so many moves are too few, so many (if any
/// number is known) are enough.
#[derive(Clone, Copy, Default)]
struct Known {
    too_few: u8,
    enough: Option<u8>,
}

impl Known {
    /// Longer problems are searched without a table.
    const MOST: u32 = 14;

    fn read(fact: u8) -> Self {
        Self { too_few: fact & 15, enough: Some(fact >> 4).filter(|enough| *enough > 0) }
    }

    fn write(self) -> u8 {
        self.enough.unwrap_or(0) << 4 | self.too_few
    }
}

impl Search<'_> {
    fn list(&mut self) -> Vec<Move> {
        self.lists.pop().unwrap_or_else(|| Vec::with_capacity(64))
    }

    fn put_away(&mut self, mut list: Vec<Move>) {
        list.clear();
        self.lists.push(list);
    }

    /// Moves the last successes of this ply to the front.
    fn prefer(list: &mut [Move], first: [Option<Move>; 2]) {
        let mut front = 0;
        for wish in first.into_iter().flatten() {
            if let Some(n) = list[front..].iter().position(|mv| *mv == wish) {
                list[front..=front + n].rotate_right(1);
                front += 1;
            }
        }
    }

    fn remember(successes: &mut Vec<[Option<Move>; 2]>, ply: usize, mv: Move) {
        if successes.len() <= ply {
            successes.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut successes[ply];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
    }

    /// Whether the attacker, to move, forces the goal in at most so many moves.
    fn attack(&mut self, moves: u32) -> Result<bool, Stopped> {
        if moves == 0 {
            return Ok(false);
        }
        if moves == 1 && self.play == Play::Direct {
            return self.ends_now();
        }
        let place = key(&self.walk, self.foreign);
        let known = self.table.get(place).map_or(Known::default(), Known::read);
        if known.enough.is_some_and(|enough| u32::from(enough) <= moves) {
            return Ok(true);
        }
        if u32::from(known.too_few) >= moves {
            return Ok(false);
        }
        if self.attack(moves - 1)? {
            return Ok(true);
        }
        let mut list = self.list();
        self.walk.moves(&mut list);
        let ply = self.walk.ply();
        if moves > 2 {
            self.sort_by_freedom(&mut list)?;
        } else {
            Self::prefer(&mut list, self.hopes.get(ply).copied().unwrap_or_default());
        }
        let mut works = false;
        for mv in &list {
            self.count.node()?;
            self.walk.play(mv);
            let forced = self.defend(moves);
            self.walk.back();
            if forced? {
                works = true;
                Self::remember(&mut self.hopes, ply, *mv);
                break;
            }
        }
        self.put_away(list);
        if moves <= Known::MOST {
            let known = if works {
                Known { too_few: moves as u8 - 1, enough: Some(moves as u8) }
            } else {
                Known { too_few: moves as u8, ..known }
            };
            self.table.put(place, known.write());
        }
        Ok(works)
    }

    /// Whether the move just made by the attacker, one of so many, forces the goal.
    fn defend(&mut self, moves: u32) -> Result<bool, Stopped> {
        let direct = self.play == Play::Direct;
        if moves == 1 && direct {
            return Ok(reached(&self.walk, self.goal));
        }
        let mut list = self.list();
        self.walk.moves(&mut list);
        if list.is_empty() {
            self.put_away(list);
            return Ok(direct && (self.goal == Goal::Mate) == self.walk.in_check());
        }
        let ply = self.walk.ply();
        Self::prefer(&mut list, self.killers.get(ply).copied().unwrap_or_default());
        let mut holds = true;
        for mv in &list {
            if !self.meets(mv, moves)? {
                holds = false;
                Self::remember(&mut self.killers, ply, *mv);
                break;
            }
        }
        self.put_away(list);
        Ok(holds)
    }

    /// Whether a reply, after which the attacker has one move less, does not help.
    fn meets(&mut self, mv: &Move, moves: u32) -> Result<bool, Stopped> {
        self.count.node()?;
        self.walk.play(mv);
        let met = if self.play == Play::SelfPlay && reached(&self.walk, self.goal) {
            Ok(true)
        } else {
            self.attack(moves - 1)
        };
        self.walk.back();
        met
    }

    /// Whether a move of the side to move reaches the goal at once.
    fn ends_now(&mut self) -> Result<bool, Stopped> {
        if self.goal == Goal::Mate {
            return Ok(self.walk.has_mate());
        }
        let mut list = self.list();
        self.walk.moves(&mut list);
        let mut ends = false;
        for mv in &list {
            self.count.node()?;
            self.walk.play(mv);
            ends = reached(&self.walk, self.goal);
            self.walk.back();
            if ends {
                break;
            }
        }
        self.put_away(list);
        Ok(ends)
    }

    /// Puts first the moves that leave the defender the fewest replies.
    fn sort_by_freedom(&mut self, list: &mut [Move]) -> Result<(), Stopped> {
        let mut freedom = Vec::with_capacity(list.len());
        for mv in list.iter() {
            self.count.node()?;
            self.walk.play(mv);
            freedom.push((self.walk.count_moves(), *mv));
            self.walk.back();
        }
        freedom.sort();
        for (to, (_, mv)) in list.iter_mut().zip(freedom) {
            *to = mv;
        }
        Ok(())
    }

    /// The replies that refute a first move just made: none, one, or the first two.
    fn refutations(&mut self, moves: u32, most: usize) -> Result<Option<Vec<Move>>, Stopped> {
        let direct = self.play == Play::Direct;
        let mut list = Vec::new();
        self.walk.moves(&mut list);
        if list.is_empty() {
            let ends = direct && (self.goal == Goal::Mate) == self.walk.in_check();
            return Ok(ends.then(Vec::new));
        }
        let ply = self.walk.ply();
        Self::prefer(&mut list, self.killers.get(ply).copied().unwrap_or_default());
        let mut refutations = Vec::new();
        for mv in &list {
            let met = if moves == 1 && direct { false } else { self.meets(mv, moves)? };
            if !met {
                refutations.push(*mv);
                Self::remember(&mut self.killers, ply, *mv);
                if refutations.len() == most {
                    break;
                }
            }
        }
        Ok(Some(refutations))
    }

    /// The attacker's quickest ways to the goal, within so many moves, with what follows; and how many
    /// moves they take.
    fn answers(&mut self, moves: u32) -> Result<(u32, Vec<Attack>), Stopped> {
        for within in 1..=moves {
            if !self.attack(within)? {
                continue;
            }
            let mut list = Vec::new();
            if within == 1 && self.play == Play::Direct && self.goal == Goal::Mate {
                self.walk.mates(&mut list);
            } else {
                let mut all = Vec::new();
                self.walk.moves(&mut all);
                for mv in all {
                    self.count.node()?;
                    self.walk.play(&mv);
                    let works = self.defend(within);
                    self.walk.back();
                    if works? {
                        list.push(mv);
                    }
                }
            }
            list.sort();
            let attacks = list.iter().map(|mv| self.follow(mv, within)).collect::<Result<_, _>>()?;
            return Ok((within, attacks));
        }
        Ok((0, Vec::new()))
    }

    /// A move of the attacker's, one of so many, with what follows.
    fn follow(&mut self, mv: &Move, moves: u32) -> Result<Attack, Stopped> {
        self.walk.play(mv);
        let ends = self.play == Play::Direct && reached(&self.walk, self.goal);
        let defence = if ends { Ok(None) } else { self.defence(moves).map(Some) };
        self.walk.back();
        Ok(Attack { mv: *mv, ends, defence: defence? })
    }

    fn defence(&mut self, moves: u32) -> Result<Defence, Stopped> {
        let check = self.walk.in_check();
        let mut quickest = (0, Vec::new());
        if !check && moves > 1 {
            self.walk.pass();
            let found = self.answers(moves - 1);
            self.walk.back();
            quickest = found?;
        }
        let (within, threats) = quickest;
        let replies = self.replies(moves, within, &threats)?;
        Ok(Defence { threats, check, replies })
    }

    /// The defender's moves after which not every threat works as quickly as it did.
    fn replies(&mut self, moves: u32, within: u32, threats: &[Attack]) -> Result<Vec<Reply>, Stopped> {
        let mut list = Vec::new();
        self.walk.moves(&mut list);
        list.sort();
        let mut replies = Vec::new();
        for mv in &list {
            self.count.node()?;
            self.walk.play(mv);
            let reply = self.reply(mv, moves, within, threats);
            self.walk.back();
            replies.extend(reply?);
        }
        Ok(replies)
    }

    fn reply(
        &mut self,
        mv: &Move,
        moves: u32,
        within: u32,
        threats: &[Attack],
    ) -> Result<Option<Reply>, Stopped> {
        if self.play == Play::SelfPlay && reached(&self.walk, self.goal) {
            return Ok(Some(Reply { mv: *mv, ends: true, answers: Vec::new() }));
        }
        if !threats.is_empty() && self.all_work(threats, within)? {
            return Ok(None);
        }
        Ok(Some(Reply { mv: *mv, ends: false, answers: self.answers(moves - 1)?.1 }))
    }

    /// Whether each of these attacks is legal and forces the goal within so many moves.
    fn all_work(&mut self, attacks: &[Attack], moves: u32) -> Result<bool, Stopped> {
        let mut legal = self.list();
        self.walk.moves(&mut legal);
        let mut all = true;
        for attack in attacks {
            all = legal.contains(&attack.mv) && {
                self.walk.play(&attack.mv);
                let works = self.defend(moves);
                self.walk.back();
                works?
            };
            if !all {
                break;
            }
        }
        self.put_away(legal);
        Ok(all)
    }
}

/// What is found out about a first move.
enum First {
    Key,
    Try,
    Neither,
    Undecided,
}

pub(crate) fn solve(problem: &Problem, options: &Options, watch: &Watch) -> Battle {
    let stipulation = problem.stipulation();
    let moves = stipulation.moves;
    let walk = problem.position().walk();
    let rules = problem.position().rules();
    let table = Table::new(match moves {
        0..=2 => 14,
        3 => 18,
        4 => 21,
        _ => 23,
    });
    let search = || Search {
        walk: problem.position().walk(),
        play: stipulation.play,
        goal: stipulation.goal,
        foreign: foreign(rules),
        table: &table,
        count: Count::new(watch),
        lists: Vec::new(),
        killers: Vec::new(),
        hopes: Vec::new(),
    };
    let mut firsts = Vec::new();
    walk.moves(&mut firsts);
    firsts.sort();
    let mut order = firsts.clone();
    // Those that leave the least to be searched come first; all are.
    let _ = search().sort_by_freedom(&mut order);
    watch.more_shares(order.len());
    let most = if options.tries { 2 } else { 1 };
    let found = share_out(options.threads, &order, search, |search, mv| {
        search.walk.play(mv);
        let refutations = search.refutations(moves, most);
        search.walk.back();
        watch.share_done();
        let what = match refutations {
            Err(Stopped) => First::Undecided,
            Ok(None) => First::Neither,
            Ok(Some(refutations)) => match refutations.len() {
                0 => First::Key,
                1 if options.tries => First::Try,
                _ => First::Neither,
            },
        };
        (*mv, what)
    });
    let mut battle = Battle { complete: true, ..Battle::default() };
    let mut shown = Vec::new();
    for (mv, what) in found {
        match what {
            First::Key => shown.push((mv, true)),
            First::Try => shown.push((mv, false)),
            First::Neither => {}
            First::Undecided => battle.undecided.push(mv),
        }
    }
    shown.sort();
    watch.more_shares(shown.len());
    let follow = |search: &mut Search<'_>, (mv, key): &(Move, bool)| {
        let bare = Attack { mv: *mv, ends: false, defence: None };
        let attack = if options.variations { search.follow(mv, moves) } else { Ok(bare.clone()) };
        watch.share_done();
        (*key, attack.map_err(|Stopped| bare))
    };
    for (key, attack) in share_out(options.threads, &shown, search, follow) {
        battle.complete &= attack.is_ok();
        let attack = attack.unwrap_or_else(|bare| bare);
        if key { battle.keys.push(attack) } else { battle.tries.push(attack) }
    }
    if options.set_play && !walk.in_check() {
        let mut search = search();
        search.walk.pass();
        match search.replies(moves, 0, &[]) {
            Ok(mut replies) => {
                replies.retain(|reply| !reply.refutes());
                battle.set_play = Some(replies);
            }
            Err(Stopped) => battle.complete = false,
        }
    }
    battle.complete &= battle.undecided.is_empty();
    battle
}
