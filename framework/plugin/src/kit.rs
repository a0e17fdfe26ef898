//! The conformance kit: the laws that every rule set has to keep, as functions for an author's own
//! tests. A program runs the same ones on a loaded library.
//!
//! Games and positions are made up, from fixed seeds. Must not know the core, nor files.
//!
//! ```
//! # use alice_plugin::*;
//! # pub struct Mirror(Game);
//! # impl Rule for Mirror {
//! #     const NAME: &'static str = "mirror";
//! #     const ABOUT: &'static str = "Alice.";
//! #     fn new(game: &Game, _: &Parameters) -> Result<Self, Complaint> { Ok(Self(game.clone())) }
//! # }
//! # impl TransferRule for Mirror {
//! #     fn landings(&self, origin: Board) -> BoardSet { BoardSet::of(self.0.next(origin)) }
//! #     fn landing_cells(&self, _: &Mover, _: Board, landing: Board, boards: Boards) -> Cells {
//! #         boards.vacant(landing)
//! #     }
//! # }
//! # alice_plugin::export!(mirror: transfer Mirror);
//! # fn main() { the_laws_are_kept() }
//! # /*
//! #[test]
//! # */
//! fn the_laws_are_kept() {
//!     alice_plugin::kit::check(&PLUGIN).unwrap();
//! }
//! ```

use crate::abi::{self, Cells};
use crate::boards::{Board, BoardSet, Castling, Cell, Colour, Game, Kind, Man, Mover};
use crate::call::{CallFault, CreateError, Fault, Movement, Parts, RuleSet, Transfer};
use crate::export::Plugin;
use crate::record::Identity;
use crate::rules::DependsOn;
use std::fmt;
use std::ptr::{null, null_mut};

/// Something that every rule set has to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Law {
    /// What it is called.
    pub id: &'static str,
    /// The law.
    pub says: &'static str,
    /// What to do if it is broken.
    pub advice: &'static str,
}

/// A law that is broken, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The law.
    pub law: Law,
    /// What was seen.
    pub seen: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Law { id, says, advice } = self.law;
        write!(f, "{id}: {says}.\n  seen: {}\n  what to do: {advice}", self.seen)
    }
}

/// All that is broken.
#[derive(Clone, PartialEq, Eq)]
pub struct Failures(pub Vec<Failure>);

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<_> = self.0.iter().map(Failure::to_string).collect();
        f.write_str(&all.join("\n"))
    }
}

/// As it is displayed: `unwrap` in a test then says all.
impl fmt::Debug for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl std::error::Error for Failures {}

/// How many of [`LAWS`] have to be kept before it makes sense to test the others.
pub const FIRST_LAWS: usize = 3;

/// The laws, in the order in which they are tested. If one of the [`FIRST_LAWS`] is broken, those
/// after it are not tested.
pub const LAWS: [Law; 8] = [
    Law {
        id: "record",
        says: "The record and the rule sets are as the interface has them",
        advice: "export the plug-in with export! or ALICE_PLUGIN, and fill in every field",
    },
    Law {
        id: "creates",
        says: "A rule can be made for at least one game, with the parameters given, and a parameter \
               that does not exist is refused by name",
        advice: "give the kit the parameters that the rule needs; refuse every name that you do not know",
    },
    Law {
        id: "answers",
        says: "Every call answers, with cells and boards that the game has",
        advice: "cut sets down with `boards.all()`, and look at the parameters in `new`, not later",
    },
    Law {
        id: "hostile-calls",
        says: "Null pointers, numbers out of range and short buffers end in a status, and nothing is \
               written past a buffer",
        advice: "check every pointer and number, and compare `capacity` before writing a complaint",
    },
    Law {
        id: "same-answer",
        says: "The same question gets the same answer, however often, in whatever order, of whichever \
               of two rules made alike",
        advice: "let answers depend on the arguments only; remember nothing, draw no random numbers",
    },
    Law {
        id: "threads",
        says: "Questions from several threads at once get the same answers as one after the other",
        advice: "change nothing in a call; use no static variables",
    },
    Law {
        id: "depends-on",
        says: "The answers depend on nothing but what the rule says they depend on",
        advice: "declare in `depends_on` all that you look at",
    },
    Law {
        id: "twins",
        says: "A rule that promises to look at nothing but the twins of a cell does so",
        advice: "look at no cell's neighbours, and count no cells; or do not promise `looks_at_twins_only`",
    },
];

/// A plug-in under test, and the parameters that its rules need.
#[derive(Clone)]
pub struct Kit {
    plugin: &'static Plugin,
    parameters: Vec<(String, String)>,
    watch: fn(&str),
}

/// Tests every law.
///
/// # Errors
/// All that is broken.
pub fn check(plugin: &'static Plugin) -> Result<(), Failures> {
    Kit::new(plugin).check()
}

/// A rule that can be asked, whichever kind it is.
enum Asked {
    Transfer(Box<Transfer>),
    Movement(Box<Movement>),
}

/// A number for everything that a rule answers; equal for equal answers.
type Answers = Vec<u64>;

impl Kit {
    /// A plug-in whose rules need no parameters.
    pub fn new(plugin: &'static Plugin) -> Self {
        Self { plugin, parameters: Vec::new(), watch: |_| {} }
    }

    /// What is to be called with a rule's name whenever its test begins: a call may never return.
    #[must_use]
    pub fn watched(mut self, watch: fn(&str)) -> Self {
        self.watch = watch;
        self
    }

    /// The parameters, lines `name=value`, with which a rule is to be tested.
    #[must_use]
    pub fn with(mut self, rule: &str, parameters: &str) -> Self {
        self.parameters.push((rule.into(), parameters.into()));
        self
    }

    /// Tests every law.
    ///
    /// # Errors
    /// All that is broken.
    pub fn check(&self) -> Result<(), Failures> {
        let mut failures = Vec::new();
        for (n, law) in LAWS.iter().enumerate() {
            failures.extend(self.check_law(law.id).err().map(|f| f.0).unwrap_or_default());
            if n < FIRST_LAWS && !failures.is_empty() {
                break;
            }
        }
        if failures.is_empty() { Ok(()) } else { Err(Failures(failures)) }
    }

    /// Tests one law.
    ///
    /// # Errors
    /// How it is broken.
    ///
    /// # Panics
    /// If there is no law of that id.
    pub fn check_law(&self, id: &str) -> Result<(), Failures> {
        let law = *LAWS.iter().find(|law| law.id == id).expect("laws are named as in LAWS");
        let failure = |seen: String| Failures(vec![Failure { law, seen }]);
        let identity = Identity::read(self.plugin.bytes()).and_then(|_| self.plugin.rule_sets());
        let sets = match identity {
            Ok(sets) => sets,
            // Without a record there is nothing to ask; the first law says so.
            Err(fault) if id == "record" => return Err(failure(fault.to_string())),
            Err(_) => return Ok(()),
        };
        let test = match id {
            "record" => return Ok(()),
            "creates" => creates,
            "hostile-calls" => hostile_calls,
            "answers" => answers,
            "same-answer" => same_answer,
            "threads" => threads,
            "depends-on" => depends_on,
            _ => twins,
        };
        let broken: Vec<_> = sets
            .iter()
            .filter_map(|set| {
                (self.watch)(set.name);
                let seen = test(set, self.parameters_of(set)).err()?;
                Some(Failure { law, seen: format!("{}: {seen}", set.name) })
            })
            .collect();
        if broken.is_empty() { Ok(()) } else { Err(Failures(broken)) }
    }

    /// A number made of all answers of all rules: the same in every process.
    pub fn digest(&self) -> u64 {
        let sets = self.plugin.rule_sets().unwrap_or_default();
        let all = sets.iter().flat_map(|set| {
            (self.watch)(set.name);
            each_game(set, self.parameters_of(set))
        });
        let answers = all.flat_map(|(game, rule)| match rule.answers(&game) {
            Ok(answers) => answers,
            Err((_, fault)) => vec![text_number(&fault.to_string())],
        });
        answers.fold(0, |sum, answer| scramble(sum ^ answer))
    }

    fn parameters_of(&self, set: &RuleSet) -> &str {
        let given = self.parameters.iter().find(|(rule, _)| rule == set.name);
        given.map_or("", |(_, parameters)| parameters)
    }
}

/// The games for which rules are made: of one to eight boards, small and large, flat and not.
fn games() -> Vec<Game> {
    let sides =
        [(8, 8, 1, 2), (8, 8, 1, 3), (8, 8, 1, 1), (4, 8, 1, 2), (10, 8, 1, 2), (5, 5, 5, 2), (16, 16, 1, 8)];
    let game = |(files, ranks, levels, boards)| Game { files, ranks, levels, boards, ..Game::alice() };
    sides.map(game).to_vec()
}

/// The games that a rule takes, each with a rule made for it.
fn each_game<'a>(set: &'a RuleSet, parameters: &'a str) -> impl Iterator<Item = (Game, Asked)> + 'a {
    games().into_iter().filter_map(move |game| Some((game.clone(), make(set, &game, parameters).ok()?)))
}

fn make(set: &RuleSet, game: &Game, parameters: &str) -> Result<Asked, CreateError> {
    let made = set.create(game, parameters)?;
    if set.is_transfer() {
        Ok(Asked::Transfer(Box::new(Transfer::new(made).map_err(CreateError::Fault)?)))
    } else {
        Ok(Asked::Movement(Box::new(Movement::new(made))))
    }
}

fn creates(set: &RuleSet, parameters: &str) -> Result<(), String> {
    let mut refusals = Vec::new();
    let mut made = None;
    for game in games() {
        match make(set, &game, parameters) {
            Ok(_) => made = made.or(Some(game)),
            Err(CreateError::Fault(fault)) => return Err(format!("for {}, {fault}", shape(&game))),
            Err(CreateError::Refused(why)) => refusals.push(format!("for {}: {why}", shape(&game))),
        }
    }
    let Some(game) = made else {
        return Err(format!("it refuses every game: {}", refusals.join("; ")));
    };
    let wrong = format!("{parameters}{}no-such-parameter=1", if parameters.is_empty() { "" } else { "\n" });
    let place = parameters.lines().count();
    match set.create(&game, &wrong) {
        Ok(_) => Err("it takes a parameter called no-such-parameter".into()),
        Err(CreateError::Fault(fault)) => Err(format!("with a parameter no-such-parameter, {fault}")),
        Err(CreateError::Refused(why)) if why.parameter() != Some(place) => Err(format!(
            "it refuses no-such-parameter, but says that parameter {} is at fault, not {place}",
            why.parameter().map_or("of no number".into(), |n| n.to_string())
        )),
        Err(CreateError::Refused(_)) => Ok(()),
    }
}

fn shape(game: &Game) -> String {
    let Game { files, ranks, levels, boards, .. } = game;
    format!("{boards} boards of {files} x {ranks} x {levels} cells")
}

fn answers(set: &RuleSet, parameters: &str) -> Result<(), String> {
    for (game, rule) in each_game(set, parameters) {
        rule.answers(&game).map_err(|(about, fault)| format!("{fault}; asked about {about}"))?;
    }
    Ok(())
}

fn same_answer(set: &RuleSet, parameters: &str) -> Result<(), String> {
    for (game, rule) in each_game(set, parameters) {
        let Ok(other) = make(set, &game, parameters) else {
            return Err(format!("for {}, a second rule could not be made", shape(&game)));
        };
        // Each question is put to the first rule twice, at once and after all others.
        let (first, again, second) =
            (rule.answers(&game), rule.answers(&game), other.answers_backwards(&game));
        let Ok(first) = first else { continue };
        if again.as_ref() != Ok(&first) {
            return Err(rule.first_difference(&game, &first, &again.unwrap_or_default()));
        }
        if second.as_ref() != Ok(&first) {
            return Err(rule.first_difference(&game, &first, &second.unwrap_or_default()));
        }
    }
    Ok(())
}

fn threads(set: &RuleSet, parameters: &str) -> Result<(), String> {
    for (game, rule) in each_game(set, parameters) {
        let Ok(alone) = rule.answers(&game) else { continue };
        let together: std::io::Result<Vec<_>> = std::thread::scope(|scope| {
            let ask = || std::thread::Builder::new().spawn_scoped(scope, || rule.answers(&game));
            let asking: Vec<_> = (0..4).map(|_| ask()).collect();
            let answers =
                |thread: std::thread::ScopedJoinHandle<_>| thread.join().expect("asking does not panic");
            asking.into_iter().map(|thread| thread.map(answers)).collect()
        });
        let together = together.map_err(|e| format!("no thread can be started to ask from: {e}"))?;
        if let Some(other) = together.into_iter().find(|answers| answers.as_ref() != Ok(&alone)) {
            return Err(rule.first_difference(&game, &alone, &other.unwrap_or_default()));
        }
    }
    Ok(())
}

fn depends_on(set: &RuleSet, parameters: &str) -> Result<(), String> {
    for (game, rule) in each_game(set, parameters) {
        let Asked::Transfer(rule) = rule else { continue };
        for seed in 0..40 {
            let random = Random::position(&game, seed);
            for (n, (bit, what)) in DependsOn::ALL.into_iter().enumerate() {
                if rule.depends_on().bits() & bit != 0 {
                    continue;
                }
                let changed = random.with_another(&game, bit, seed ^ 0x5eed << n);
                let everything = DependsOn(DependsOn::ALL.iter().fold(0, |all, (bit, _)| all | bit));
                for question in questions(&rule, &game) {
                    let ask = |position: &Random| question.ask(&rule, position, everything);
                    let (before, after) = (ask(&random), ask(&changed));
                    if before != after {
                        return Err(format!(
                            "{} changes with {what}, which the rule does not say it depends on; asked about {}",
                            question.call,
                            question.about(&game, &random)
                        ));
                    }
                }
            }
        }
    }
    Ok(())
}

fn twins(set: &RuleSet, parameters: &str) -> Result<(), String> {
    for (game, rule) in each_game(set, parameters) {
        let Asked::Transfer(rule) = rule else { continue };
        if !rule.looks_at_twins_only() {
            continue;
        }
        for seed in 0..Asked::POSITIONS {
            let random = Random::position(&game, seed);
            for question in questions(&rule, &game).iter().filter(|q| q.call == "landing_cells") {
                let Ok(word) = question.ask(&rule, &random, rule.depends_on()) else { continue };
                // Each cell, as it is answered where all cells' twins are occupied as its own.
                for cell in game.all().iter() {
                    let on = |b: &Board| random.occupied[usize::from(b.0)].has(cell);
                    let occupied = game.all_boards().iter().filter(on).fold(BoardSet::EMPTY, BoardSet::with);
                    let alone = rule.landing_cells_by_twins(question.origin, question.landing, occupied);
                    if alone.is_ok_and(|alone| alone.has(cell) != Cells { word }.has(cell)) {
                        return Err(format!(
                            "landing_cells changes for cell {} with others than its twins; asked about {}",
                            cell.0,
                            question.about(&game, &random)
                        ));
                    }
                }
            }
        }
    }
    Ok(())
}

/// A made-up position and move.
struct Random {
    occupied: Vec<Cells>,
    of_colour: Vec<Cells>,
    of_kind: Vec<Cells>,
    turn: Colour,
    ply: u32,
    mover: Mover,
    castling: Castling,
}

/// Numbers from a seed (SplitMix64).
struct Numbers(u64);

fn scramble(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(self.0)
    }

    fn below(&mut self, end: usize) -> u8 {
        (self.next() % end as u64) as u8
    }

    fn cells(&mut self) -> Cells {
        Cells { word: [self.next(), self.next(), self.next(), self.next()] }
    }
}

fn text_number(text: &str) -> u64 {
    text.bytes().fold(0, |sum, byte| scramble(sum ^ u64::from(byte)))
}

impl Random {
    fn position(game: &Game, seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let (boards, kinds) = (usize::from(game.boards), game.men.len());
        // From nearly empty to nearly full.
        let occupied: Vec<_> = (0..boards)
            .map(|_| {
                let (a, b, c) = (numbers.cells(), numbers.cells(), numbers.cells());
                let some = [a & b & c, a & b, a, a | b, a | b | c][(seed % 5) as usize];
                some & game.all()
            })
            .collect();
        let mut random = Self {
            of_colour: vec![Cells::EMPTY; 2 * boards],
            of_kind: vec![Cells::EMPTY; kinds * boards],
            occupied,
            turn: Colour::BOTH[usize::from(numbers.below(2))],
            ply: numbers.below(200).into(),
            mover: Mover::default(),
            castling: Castling {
                king: Mover::default(),
                rook: Mover::default(),
                king_to: Cell(numbers.below(game.cell_count())),
                rook_to: Cell(numbers.below(game.cell_count())),
            },
        };
        random.paint(game, &mut numbers, true, true);
        let man = |numbers: &mut Numbers| {
            let kind = Kind(numbers.below(kinds));
            Mover::new(kind, random.turn, Cell(numbers.below(game.cell_count())))
        };
        random.mover = man(&mut numbers);
        random.castling.king = man(&mut numbers);
        random.castling.rook = man(&mut numbers);
        random
    }

    /// Gives the occupied cells' men colours and kinds.
    fn paint(&mut self, game: &Game, numbers: &mut Numbers, colours: bool, kinds: bool) {
        let boards = usize::from(game.boards);
        for board in 0..boards {
            if colours {
                let white = numbers.cells();
                self.of_colour[board] = self.occupied[board] & white;
                self.of_colour[boards + board] = self.occupied[board] & !white;
            }
            if kinds {
                (0..game.men.len()).for_each(|k| self.of_kind[k * boards + board] = Cells::EMPTY);
                for cell in self.occupied[board].iter() {
                    let kind = usize::from(numbers.below(game.men.len()));
                    let set = &mut self.of_kind[kind * boards + board];
                    *set = set.with(cell);
                }
            }
        }
    }

    /// The same position, but for one thing that a rule may depend on.
    fn with_another(&self, game: &Game, bit: u32, seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let mut other = Self {
            occupied: self.occupied.clone(),
            of_colour: self.of_colour.clone(),
            of_kind: self.of_kind.clone(),
            ..*self
        };
        let movers = |other: &mut Self, change: &mut dyn FnMut(&mut Mover)| {
            change(&mut other.mover);
            change(&mut other.castling.king);
            change(&mut other.castling.rook);
        };
        match bit {
            // Only the occupied cells themselves: what else is given then disagrees, as it may.
            abi::DEPENDS_ON_OCCUPANCY => {
                other.occupied.iter_mut().for_each(|cells| *cells = numbers.cells() & game.all());
            }
            abi::DEPENDS_ON_COLOURS => other.paint(game, &mut numbers, true, false),
            abi::DEPENDS_ON_KINDS => other.paint(game, &mut numbers, false, true),
            abi::DEPENDS_ON_TURN => {
                other.turn = !other.turn;
                movers(&mut other, &mut |mover| mover.man.colour = !mover.man.colour);
            }
            abi::DEPENDS_ON_PLY => other.ply = other.ply + 1 + u32::from(numbers.below(50)),
            abi::DEPENDS_ON_MOVER_KIND => {
                let by = 1 + numbers.below(game.men.len() - 1);
                movers(&mut other, &mut |mover| {
                    mover.man.kind.0 = (mover.man.kind.0 + by) % game.men.len() as u8;
                });
            }
            _ => movers(&mut other, &mut |mover| mover.cell = Cell(numbers.below(game.cell_count()))),
        }
        other
    }

    fn parts(&self) -> Parts<'_> {
        Parts {
            occupied: &self.occupied,
            of_colour: &self.of_colour,
            of_kind: &self.of_kind,
            turn: self.turn,
            ply: self.ply,
        }
    }
}

/// A question to a transfer rule.
#[derive(Clone, Copy)]
struct TransferQuestion {
    call: &'static str,
    origin: Board,
    landing: Board,
}

/// Every question that a position can be asked about.
fn questions(rule: &Transfer, game: &Game) -> Vec<TransferQuestion> {
    let calls = ["landing_cells", "zero_cells", "castling_lands"];
    let pairs = game.all_boards().iter().flat_map(|o| rule.landings(o).iter().map(move |l| (o, l)));
    pairs.flat_map(|(origin, landing)| calls.map(|call| TransferQuestion { call, origin, landing })).collect()
}

impl TransferQuestion {
    fn ask(self, rule: &Transfer, random: &Random, given: DependsOn) -> Result<[u64; 4], CallFault> {
        let parts = random.parts();
        let shown = rule.show_as(&parts, given);
        let (origin, landing) = (self.origin, self.landing);
        match self.call {
            "landing_cells" => Ok(rule.landing_cells(&shown, &random.mover, origin, landing)?.word),
            "zero_cells" => Ok(rule.zero_cells(&shown, &random.mover, origin, landing)?.word),
            _ => Ok([rule.castling_lands(&shown, &random.castling, origin, landing)?.into(), 0, 0, 0]),
        }
    }

    fn about(self, game: &Game, random: &Random) -> String {
        let Mover { man, cell } = random.mover;
        let kind = &game.men[usize::from(man.kind.0)].name;
        let (origin, landing) = (self.origin, self.landing);
        let cell = cell.0;
        let on = shape(game);
        format!("{:?}'s {kind} leaving cell {cell} of {origin} for {landing}, on {on}", man.colour)
    }
}

impl Asked {
    /// How many positions each rule is asked about.
    const POSITIONS: u64 = 40;

    /// Asks everything, in order; stops at the first answer that breaks a promise.
    fn answers(&self, game: &Game) -> Result<Answers, (String, CallFault)> {
        let mut answers = Vec::new();
        for seed in 0..Self::POSITIONS {
            self.answers_about(game, seed, &mut answers)?;
        }
        Ok(answers)
    }

    /// The same, asked in another order, with one question more between any two positions.
    fn answers_backwards(&self, game: &Game) -> Result<Answers, (String, CallFault)> {
        let mut parts = Vec::new();
        for seed in (0..Self::POSITIONS).rev() {
            self.one_question(game, seed)?;
            let mut part = Vec::new();
            self.answers_about(game, seed, &mut part)?;
            parts.push(part);
        }
        parts.reverse();
        Ok(parts.concat())
    }

    fn one_question(&self, game: &Game, seed: u64) -> Result<(), (String, CallFault)> {
        match self {
            Self::Transfer(rule) => {
                let random = Random::position(game, seed);
                let Some(question) = questions(rule, game).first().copied() else { return Ok(()) };
                let answer = question.ask(rule, &random, rule.depends_on());
                answer.map_err(|f| (question.about(game, &random), f))?;
            }
            Self::Movement(rule) => {
                let answer = rule.quiet(Cell(0), Colour::White, Cells::of(Cell(0)));
                answer.map_err(|f| ("White's man on cell 0".to_string(), f))?;
            }
        }
        Ok(())
    }

    fn answers_about(
        &self,
        game: &Game,
        seed: u64,
        answers: &mut Answers,
    ) -> Result<(), (String, CallFault)> {
        match self {
            Self::Transfer(rule) => {
                let random = Random::position(game, seed);
                for question in questions(rule, game) {
                    let answer = question.ask(rule, &random, rule.depends_on());
                    answers.extend(answer.map_err(|f| (question.about(game, &random), f))?);
                }
                // Fixed, but part of what the rule answers.
                for origin in game.all_boards().iter() {
                    answers.push(rule.landings(origin).0.into());
                    for landing in game.all_boards().iter() {
                        answers.push(zero_moves(rule, game, origin, landing));
                    }
                }
            }
            Self::Movement(rule) => {
                let mut numbers = Numbers(seed);
                for _ in 0..20 {
                    let (cells, few) = (numbers.cells(), numbers.cells());
                    let occupied = if seed.is_multiple_of(2) { cells } else { cells & few } & game.all();
                    let from = Cell(numbers.below(game.cell_count()));
                    let occupied = occupied.with(from);
                    for colour in Colour::BOTH {
                        let on = |f: CallFault| {
                            (format!("{colour:?}'s man on cell {} of {}", from.0, shape(game)), f)
                        };
                        answers.extend(rule.quiet(from, colour, occupied).map_err(on)?.word);
                        answers.extend(rule.attacks(from, colour, occupied).map_err(on)?.word);
                    }
                }
            }
        }
        Ok(())
    }

    /// Says where two lists of answers differ.
    fn first_difference(&self, game: &Game, first: &Answers, second: &Answers) -> String {
        let Some(at) = first.iter().zip(second).position(|(a, b)| a != b) else {
            return format!("on {}, a question was answered once, and then not", shape(game));
        };
        let one_position = first.len() / Self::POSITIONS as usize;
        let call = match self {
            Self::Transfer(rule) => {
                let questions = questions(rule, game);
                let seed = (at / one_position) as u64;
                match questions.get(at % one_position / 4) {
                    Some(question) => format!(
                        "{}, asked about {},",
                        question.call,
                        question.about(game, &Random::position(game, seed))
                    ),
                    None => "landings or zero_moves".into(),
                }
            }
            Self::Movement(_) if at / 4 % 2 == 0 => "quiet".into(),
            Self::Movement(_) => "attacks".into(),
        };
        format!("{call} was answered with {:#x} once, and with {:#x} another time", first[at], second[at])
    }
}

fn zero_moves(rule: &Transfer, game: &Game, origin: Board, landing: Board) -> u64 {
    let men = Colour::BOTH
        .iter()
        .flat_map(|colour| (0..game.men.len()).map(|k| Man { kind: Kind(k as u8), colour: *colour }));
    men.fold(0, |bits: u64, man| bits.wrapping_mul(3) + rule.zero_moves(man, origin, landing) as u64)
}

/// Calls as no program makes them.
fn hostile_calls(set: &RuleSet, parameters: &str) -> Result<(), String> {
    hostile_creates(set)?;
    for (_, rule) in each_game(set, parameters) {
        match rule {
            Asked::Transfer(rule) => hostile_transfer(&rule)?,
            Asked::Movement(rule) => hostile_movement(&rule)?,
        }
    }
    Ok(())
}

fn refused(call: &str, how: &str, status: i32) -> Result<(), String> {
    match status {
        abi::OK => Err(format!("{call} with {how} says that all is well")),
        abi::PANICKED => Err(format!("{call} with {how} panics")),
        _ => Ok(()),
    }
}

fn hostile_creates(set: &RuleSet) -> Result<(), String> {
    let alice = set.create(&Game::alice(), "");
    let game = match &alice {
        Ok(made) => *made.game_info(),
        Err(_) => abi::GameInfo { size: 0, files: 8, ranks: 8, levels: 1, boards: 2, kinds: 0, men: null() },
    };
    let create = set.raw.create.expect("a rule set without it is refused");
    let none = abi::Text { start: null(), length: 0 };
    let broken = abi::Text { start: b"\xff\xfe=1".as_ptr(), length: 4 };
    let mut rule = null_mut();
    let destroy = set.raw.destroy.expect("a rule set without it is refused");
    // SAFETY: hostile, but each pointer is null or good, as a plug-in has to expect.
    unsafe {
        refused("create", "no game", create(null(), &none, null_mut(), &mut rule))?;
        refused("create", "no parameters", create(&game, null(), null_mut(), &mut rule))?;
        refused("create", "no room for the rule", create(&game, &none, null_mut(), null_mut()))?;
        refused("create", "parameters that are not UTF-8", create(&game, &broken, null_mut(), &mut rule))?;
        destroy(null_mut());
    }
    for room in [0, 1, 10, 100] {
        match set.ask_create(&game, "no-such-parameter=1", room) {
            (Err(Fault::Status(abi::REFUSED)), Ok(_)) => {}
            (Err(Fault::Status(abi::REFUSED)) | Ok(_), Err(fault)) => {
                return Err(format!("create with room for {room} bytes of complaint {fault}"));
            }
            (Ok(_), Ok(_)) => return Err("create takes a parameter called no-such-parameter".into()),
            (Err(fault), _) => {
                return Err(format!("create with room for {room} bytes of complaint {fault}"));
            }
        }
    }
    Ok(())
}

fn hostile_transfer(rule: &Transfer) -> Result<(), String> {
    let made = rule.made();
    let table = made.set.transfer.expect("a transfer rule has it");
    let one = Random::position(&one_like(made.game_info()), 1);
    let parts = one.parts();
    let shown = rule.show(&parts);
    let position = shown.info();
    let mover = abi::MoverInfo { kind: 0, colour: 0, cell: 0 };
    let castling = abi::CastlingInfo { king: mover, rook: mover, king_to: 0, rook_to: 0 };
    let landing = rule.landings(Board(0)).iter().next().map_or(0, |b| u32::from(b.0));
    let (rule, mut cells, mut number) = (made.rule, Cells::EMPTY, 0);
    // SAFETY: hostile, but each pointer is null or good, as a plug-in has to expect.
    unsafe {
        if let Some(facts) = table.facts {
            refused("facts", "no room for them", facts(rule, null_mut()))?;
            let mut room = abi::TransferFacts { size: 8, depends_on: 0, promises: !0, reserved: !0 };
            refused("facts", "no rule", facts(null(), &mut room))?;
            facts(rule, &mut room);
            if (room.promises, room.reserved) != (!0, !0) {
                return Err("facts writes past the 8 bytes that a caller of version 1.0 has".into());
            }
        }
        if let Some(landings) = table.landings {
            refused("landings", "no room for an answer", landings(rule, 0, null_mut()))?;
            refused("landings", "board 1000", landings(rule, 1000, &mut number))?;
            refused("landings", "no rule", landings(null(), 0, &mut number))?;
        }
        let sets = [("landing_cells", table.landing_cells), ("zero_cells", table.zero_cells)];
        for (call, ask) in sets.into_iter().filter_map(|(call, ask)| Some((call, ask?))) {
            let nowhere = ask(rule, position, &mover, 0, landing, null_mut());
            refused(call, "no room for an answer", nowhere)?;
            refused(call, "no rule", ask(null(), position, &mover, 0, landing, &mut cells))?;
            refused(call, "no position", ask(rule, null(), &mover, 0, landing, &mut cells))?;
            refused(call, "no mover", ask(rule, position, null(), 0, landing, &mut cells))?;
            refused(call, "board 1000", ask(rule, position, &mover, 1000, 1000, &mut cells))?;
        }
        if let Some(ask) = table.zero_moves {
            let call = "zero_moves";
            refused(call, "no room for an answer", ask(rule, 0, 0, 0, landing, null_mut()))?;
            refused(call, "no rule", ask(null(), 0, 0, 0, landing, &mut number))?;
            refused(call, "colour 1000", ask(rule, 0, 1000, 0, landing, &mut number))?;
        }
        if let Some(ask) = table.castling_lands {
            let call = "castling_lands";
            let nowhere = ask(rule, position, &castling, 0, landing, null_mut());
            refused(call, "no room for an answer", nowhere)?;
            refused(call, "no rule", ask(null(), position, &castling, 0, landing, &mut number))?;
            refused(call, "no position", ask(rule, null(), &castling, 0, landing, &mut number))?;
            refused(call, "no castling", ask(rule, position, null(), 0, landing, &mut number))?;
        }
    }
    Ok(())
}

/// A game of that shape with the usual men.
fn one_like(info: &abi::GameInfo) -> Game {
    let [files, ranks, levels, boards] = [info.files, info.ranks, info.levels, info.boards].map(|n| n as u8);
    Game { files, ranks, levels, boards, ..Game::alice() }
}

fn hostile_movement(rule: &Movement) -> Result<(), String> {
    let made = rule.made();
    let table = made.set.movement.expect("a movement rule has it");
    let (rule, occupied, mut cells) = (made.rule, Cells::of(Cell(0)), Cells::EMPTY);
    let calls = [("quiet", table.quiet), ("attacks", table.attacks)];
    for (call, ask) in calls.into_iter().filter_map(|(call, ask)| Some((call, ask?))) {
        // SAFETY: hostile, but each pointer is null or good, as a plug-in has to expect.
        unsafe {
            refused(call, "no room for an answer", ask(rule, 0, 0, &occupied, null_mut()))?;
            refused(call, "no rule", ask(null(), 0, 0, &occupied, &mut cells))?;
            refused(call, "no occupied cells", ask(rule, 0, 0, null(), &mut cells))?;
            refused(call, "cell 1000", ask(rule, 1000, 0, &occupied, &mut cells))?;
            refused(call, "colour 1000", ask(rule, 0, 1000, &occupied, &mut cells))?;
        }
    }
    Ok(())
}
