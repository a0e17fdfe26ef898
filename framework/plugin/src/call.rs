//! The caller's side of the C interface, made safe: rule sets are looked at, rules are made, each
//! call goes through here and each answer is checked before anybody sees it.
//!
//! Used by the kit and by programs. Must not know where a plug-in comes from, nor the core.

use crate::abi::{self, Cells};
use crate::boards::{Board, BoardSet, Castling, Cell, Colour, Game, Kind, Man, Mover, ZeroMove};
use crate::export::Plugin;
use crate::record::{RecordFault, is_name};
use crate::rules::{Complaint, DependsOn};
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

pub use crate::record::Supports;

/// A rule set of a plug-in, looked at and found in order.
#[derive(Clone, Copy)]
pub struct RuleSet {
    /// Its name, unlike the plug-in's others.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    pub(crate) raw: abi::RuleSet,
    pub(crate) transfer: Option<abi::Transfer>,
    pub(crate) movement: Option<abi::Movement>,
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RuleSet").field(&self.name).finish()
    }
}

impl Plugin {
    /// The rule sets that it offers.
    ///
    /// # Errors
    /// What is wrong with one of them.
    pub fn rule_sets(&'static self) -> Result<Vec<RuleSet>, RecordFault> {
        let fault = |problem: String| RecordFault::RuleSets { problem };
        let record = self.record();
        let count = record.rule_set_count;
        if !(1..=100).contains(&count) || record.rule_sets.is_null() {
            return Err(fault(format!("it says to have {count} rule sets; there may be 1 to 100")));
        }
        let mut sets: Vec<RuleSet> = Vec::new();
        for n in 0..count as usize {
            // SAFETY: a plug-in promises that as many pointers are there as it says.
            let raw = unsafe { *record.rule_sets.add(n) };
            let set =
                RuleSet::read(raw).map_err(|problem| fault(format!("its rule set {}: {problem}", n + 1)))?;
            if sets.iter().any(|s| s.name == set.name) {
                return Err(fault(format!("two of its rule sets are called {}", set.name)));
            }
            sets.push(set);
        }
        Ok(sets)
    }
}

/// Copies as much of a struct as both sides have; the rest is zero.
///
/// # Safety
/// `T` is one of `abi.rs`, all of whose fields may be zero, and `from` points to `size` bytes.
unsafe fn prefix<T: Copy>(from: *const T, size: u32) -> T {
    // SAFETY: as the caller says.
    unsafe {
        let mut whole: T = std::mem::zeroed();
        let bytes = size_of::<T>().min(size as usize);
        std::ptr::copy_nonoverlapping(from.cast::<u8>(), (&raw mut whole).cast(), bytes);
        whole
    }
}

/// # Safety
/// The text's bytes must be there for good.
unsafe fn text(text: abi::Text, what: &str) -> Result<&'static str, String> {
    if text.start.is_null() || !(1..=1000).contains(&text.length) {
        return Err(format!("its {what} has {} bytes; there may be 1 to 1000", text.length));
    }
    // SAFETY: the caller says so, and the length is small.
    let bytes = unsafe { std::slice::from_raw_parts(text.start, text.length as usize) };
    std::str::from_utf8(bytes).map_err(|_| format!("its {what} is not UTF-8; write plain letters"))
}

impl RuleSet {
    fn read(raw: *const abi::RuleSet) -> Result<Self, String> {
        if raw.is_null() || !raw.is_aligned() {
            return Err("there is nothing where it should be".into());
        }
        // SAFETY: not null, and a plug-in promises that it points to a rule set, here and below.
        let size = unsafe { (*raw).size };
        if (size as usize) < size_of::<abi::RuleSet>() {
            return Err(format!(
                "it says to have {size} bytes, but {} are needed",
                size_of::<abi::RuleSet>()
            ));
        }
        let raw = unsafe { prefix(raw, size) };
        let name = unsafe { text(raw.name, "name") }?;
        if !is_name(name) {
            return Err(format!("its name is {name:?}; write small letters, digits and -, a letter first"));
        }
        let about = unsafe { text(raw.about, "sentence about it") }?;
        if raw.create.is_none() || raw.destroy.is_none() {
            return Err(format!("{name} lacks create or destroy"));
        }
        let mut set = Self { name, about, raw, transfer: None, movement: None };
        if raw.interfaces.is_null() || !(1..=100).contains(&raw.interface_count) {
            return Err(format!("{name} has {} interfaces; there may be 1 to 100", raw.interface_count));
        }
        for n in 0..raw.interface_count as usize {
            let interface = unsafe { *raw.interfaces.add(n) };
            let called = unsafe { text(interface.name, "interface's name") }?;
            if interface.table.is_null() {
                return Err(format!("{name} has no table for {called}"));
            }
            // SAFETY: every table begins with its size.
            let size = unsafe { *interface.table.cast::<u32>() };
            let needed = |bytes: usize| {
                let short = format!(
                    "{name} says that its table for {called} has {size} bytes, but {bytes} are needed"
                );
                if size as usize >= bytes { Ok(()) } else { Err(short) }
            };
            match called {
                "transfer/1" => {
                    needed(size_of::<abi::Transfer>())?;
                    let table = unsafe { prefix(interface.table.cast::<abi::Transfer>(), size) };
                    if table.facts.is_none() || table.landings.is_none() || table.landing_cells.is_none() {
                        return Err(format!("{name} lacks facts, landings or landing_cells"));
                    }
                    set.transfer = Some(table);
                }
                "movement/1" => {
                    needed(size_of::<abi::Movement>())?;
                    let table = unsafe { prefix(interface.table.cast::<abi::Movement>(), size) };
                    if table.quiet.is_none() || table.attacks.is_none() {
                        return Err(format!("{name} lacks quiet or attacks"));
                    }
                    set.movement = Some(table);
                }
                _ => {}
            }
        }
        if set.transfer.is_none() && set.movement.is_none() {
            return Err(format!("{name} is neither a transfer/1 nor a movement/1"));
        }
        Ok(set)
    }

    /// Whether it says where a man lands.
    pub fn is_transfer(&self) -> bool {
        self.transfer.is_some()
    }

    /// Whether it says how a man moves.
    pub fn is_movement(&self) -> bool {
        self.movement.is_some()
    }

    /// Makes a rule for a game. Parameters are lines `name=value`.
    ///
    /// # Errors
    /// What the rule has against the parameters or the game, or what is wrong with its answer.
    pub fn create(&self, game: &Game, parameters: &str) -> Result<Made, CreateError> {
        let game = OwnedGame::new(game);
        let (rule, complaint) = self.ask_create(&game.info, parameters, 1000);
        match rule {
            Ok(rule) => Ok(Made { rule, set: *self, game }),
            Err(fault) => Err(match (fault, complaint) {
                (Fault::Status(abi::REFUSED), Ok(complaint)) => CreateError::Refused(complaint),
                (Fault::Status(abi::REFUSED), Err(fault)) | (fault, _) => {
                    CreateError::Fault(CallFault { call: "create", fault })
                }
            }),
        }
    }

    /// One call of `create`, with so much room for a complaint.
    pub(crate) fn ask_create(
        &self,
        game: &abi::GameInfo,
        parameters: &str,
        room: usize,
    ) -> (Result<*mut c_void, Fault>, Result<Complaint, Fault>) {
        // What lies past the room is watched, in case the plug-in writes too far.
        const WATCHED: usize = 256;
        const UNTOUCHED: u8 = 0xa5;
        let mut buffer = vec![UNTOUCHED; room + WATCHED];
        let mut complaint = abi::Complaint {
            size: size_of::<abi::Complaint>() as u32,
            parameter: abi::NO_PARAMETER,
            capacity: room as u64,
            length: 0,
            text: buffer.as_mut_ptr(),
        };
        let parameters = abi::Text { start: parameters.as_ptr(), length: parameters.len() as u64 };
        let create = self.raw.create.expect("a rule set without it is refused");
        let mut rule = std::ptr::null_mut();
        // SAFETY: everything is as `abi.rs` describes it.
        let status = unsafe { create(game, &parameters, &mut complaint, &mut rule) };
        let made = match status {
            abi::OK if rule.is_null() => Err(Fault::NoRule),
            abi::OK => Ok(rule),
            status => Err(Fault::Status(status)),
        };
        let length = complaint.length;
        let said = if buffer[room..].iter().any(|b| *b != UNTOUCHED) || length > room as u64 {
            Err(Fault::PastTheBuffer { room })
        } else {
            match std::str::from_utf8(&buffer[..length as usize]) {
                Ok("") => {
                    Ok(Complaint { parameter: complaint.parameter, says: "it does not say why".into() })
                }
                Ok(says) => Ok(Complaint { parameter: complaint.parameter, says: says.into() }),
                Err(_) => Err(Fault::ComplaintNotUtf8),
            }
        };
        (made, said)
    }
}

/// Why there is no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreateError {
    /// The rule does not want the parameters, or the game.
    Refused(Complaint),
    /// The plug-in broke a promise.
    Fault(CallFault),
}

impl fmt::Display for CreateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(complaint) => complaint.fmt(f),
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

/// An answer that breaks a promise, and the call that it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFault {
    /// The call.
    pub call: &'static str,
    /// What is wrong with the answer.
    pub fault: Fault,
}

impl fmt::Display for CallFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.call, self.fault)
    }
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call's status is not OK.
    Status(i32),
    /// A set with cells past the board's last one.
    OffTheBoard {
        /// The lowest of them.
        cell: u32,
        /// How many cells a board has.
        cells: u32,
    },
    /// A set of boards with some that the game does not have.
    NoSuchBoard {
        /// All bits of the answer.
        boards: u64,
        /// How many boards the game has.
        of: u32,
    },
    /// A number that means nothing.
    Meaningless {
        /// The number.
        answer: u64,
        /// The highest one that would mean something.
        most: u64,
    },
    /// What the answers depend on has bits that this version does not know.
    DependsOn(u32),
    /// It promises what this version does not know, or what it can't keep with what it depends on.
    Promises {
        /// The promises.
        promises: u32,
        /// What the answers depend on.
        depends_on: u32,
    },
    /// `create` says that all is well, but there is no rule.
    NoRule,
    /// More was written, or is said to be written, than there was room for.
    PastTheBuffer {
        /// The bytes that there was room for.
        room: usize,
    },
    /// A complaint that can't be read.
    ComplaintNotUtf8,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(abi::PANICKED) => {
                f.write_str("panicked: a programming error in the plug-in, which has printed more about it")
            }
            Self::Status(abi::BAD_CALL) => f.write_str("says that it can't be asked that"),
            Self::Status(status) => write!(f, "returned the status {status}, which it must not"),
            Self::OffTheBoard { cell, cells } => {
                write!(
                    f,
                    "answered with cell number {cell}, but a board has only the cells 0 to {}",
                    cells - 1
                )
            }
            Self::NoSuchBoard { boards, of } => {
                write!(f, "answered with the boards {boards:#b}, but the game has only {of}")
            }
            Self::Meaningless { answer, most } => {
                write!(f, "answered {answer}, but only 0 to {most} mean something")
            }
            Self::DependsOn(bits) => {
                write!(f, "says to depend on {bits:#x}, which has bits that this version does not know")
            }
            Self::Promises { promises, depends_on } => write!(
                f,
                "promises {promises:#x} and depends on {depends_on:#x}; only 1 can be promised, by a rule that \
                 depends on occupancy at most"
            ),
            Self::NoRule => f.write_str("says that all is well, but gives no rule"),
            Self::PastTheBuffer { room } => {
                write!(f, "wrote, or says to have written, past the {room} bytes it was given")
            }
            Self::ComplaintNotUtf8 => f.write_str("complains in something that is not UTF-8"),
        }
    }
}

/// A game as the C interface shows it, and all that it points to.
struct OwnedGame {
    info: Box<abi::GameInfo>,
    // Only kept alive: `info` points into them.
    _men: Vec<abi::ManInfo>,
    _game: Box<Game>,
    all: Cells,
}

impl OwnedGame {
    fn new(game: &Game) -> Self {
        let game = Box::new(game.clone());
        let man = |m: &crate::KindOfMan| abi::ManInfo {
            name: abi::Text { start: m.name.as_ptr(), length: m.name.len() as u64 },
            letter: m.letter.into(),
            flags: if m.royal { abi::MAN_IS_ROYAL } else { 0 } | if m.pawn { abi::MAN_IS_PAWN } else { 0 },
        };
        let men: Vec<_> = game.men.iter().map(man).collect();
        let info = Box::new(abi::GameInfo {
            size: size_of::<abi::GameInfo>() as u32,
            files: game.files.into(),
            ranks: game.ranks.into(),
            levels: game.levels.into(),
            boards: game.boards.into(),
            kinds: men.len() as u32,
            men: men.as_ptr(),
        });
        Self { info, all: game.all(), _men: men, _game: game }
    }
}

/// A rule that a plug-in has made for a game.
pub struct Made {
    pub(crate) rule: *mut c_void,
    pub(crate) set: RuleSet,
    game: OwnedGame,
}

// SAFETY: a plug-in promises that its calls may come from several threads at once, and `Made` only
// hands out what its calls answer.
unsafe impl Send for Made {}
// SAFETY: as above.
unsafe impl Sync for Made {}

impl Drop for Made {
    fn drop(&mut self) {
        let destroy = self.set.raw.destroy.expect("a rule set without it is refused");
        // SAFETY: `create` made the rule, and nobody uses it any more.
        unsafe { destroy(self.rule) };
    }
}

impl Made {
    pub(crate) fn game_info(&self) -> &abi::GameInfo {
        &self.game.info
    }

    fn boards(&self) -> u32 {
        self.game.info.boards
    }

    #[inline]
    fn set(&self, call: &'static str, status: i32, cells: Cells) -> Result<Cells, CallFault> {
        if status != abi::OK {
            return Err(CallFault { call, fault: Fault::Status(status) });
        }
        if (cells & !self.game.all).is_empty() { Ok(cells) } else { Err(self.off_the_board(call, cells)) }
    }

    #[cold]
    fn off_the_board(&self, call: &'static str, cells: Cells) -> CallFault {
        let beyond = (cells & !self.game.all).iter().next().expect("there is such a cell");
        let cells = self.game.all.count();
        CallFault { call, fault: Fault::OffTheBoard { cell: beyond.0.into(), cells } }
    }

    fn yes_or_no(&self, call: &'static str, status: i32, answer: u64) -> Result<bool, CallFault> {
        match (status, answer) {
            (abi::OK, 0) => Ok(false),
            (abi::OK, 1) => Ok(true),
            (abi::OK, n) => Err(CallFault { call, fault: Fault::Meaningless { answer: n, most: 1 } }),
            (status, _) => Err(CallFault { call, fault: Fault::Status(status) }),
        }
    }
}

/// A position as a rule may see it. Arrays that are not given are empty.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    info: abi::PositionInfo,
    lives: PhantomData<&'a [Cells]>,
}

impl Shown<'_> {
    pub(crate) fn info(&self) -> *const abi::PositionInfo {
        &self.info
    }
}

/// The parts of a position that [`Shown`] is made of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parts<'a> {
    /// The occupied cells of each board.
    pub occupied: &'a [Cells],
    /// The same for each colour: White's men on all boards, then Black's.
    pub of_colour: &'a [Cells],
    /// The same for each kind: the first kind's men on all boards, then the second's …
    pub of_kind: &'a [Cells],
    /// Whose turn it is.
    pub turn: Colour,
    /// Plies made so far.
    pub ply: u32,
}

/// Kinds that make zero moves, a bit each, and those among them that capture.
#[derive(Clone, Copy, Default)]
struct ZeroKinds {
    all: u32,
    capturing: u32,
}

/// A transfer rule that can be asked.
pub struct Transfer {
    made: Made,
    table: abi::Transfer,
    depends_on: DependsOn,
    twins_only: bool,
    landings: [BoardSet; 8],
    /// For each origin and landing board, and each colour: the kinds that make zero moves, and those
    /// that capture by them.
    zero: [[[ZeroKinds; 2]; 8]; 8],
}

impl Transfer {
    /// Asks a rule all that is fixed for the whole game.
    ///
    /// # Errors
    /// The first answer that breaks a promise.
    ///
    /// # Panics
    /// If the rule is no transfer rule ([`RuleSet::is_transfer`]).
    pub fn new(made: Made) -> Result<Self, CallFault> {
        let table = made.set.transfer.expect("asked of transfer rules only");
        let size = size_of::<abi::TransferFacts>() as u32;
        let mut facts = abi::TransferFacts { size, depends_on: 0, promises: 0, reserved: 0 };
        let ask = table.facts.expect("a table without it is refused");
        // SAFETY: the rule is made, and everything is as `abi.rs` describes it; so in all calls below.
        let status = unsafe { ask(made.rule, &mut facts) };
        let fault = |fault| Err(CallFault { call: "facts", fault });
        if status != abi::OK {
            return fault(Fault::Status(status));
        }
        let known = DependsOn::ALL.iter().fold(0, |all, (bit, _)| all | bit);
        if facts.depends_on & !known != 0 {
            return fault(Fault::DependsOn(facts.depends_on));
        }
        let depends_on = DependsOn(facts.depends_on);
        if facts.promises & !abi::PROMISE_TWINS != 0
            || facts.promises != 0 && !DependsOn::OCCUPANCY.has(depends_on)
        {
            return fault(Fault::Promises { promises: facts.promises, depends_on: facts.depends_on });
        }
        let twins_only = facts.promises == abi::PROMISE_TWINS;
        let (landings, zero) = ([BoardSet::EMPTY; 8], [[[ZeroKinds::default(); 2]; 8]; 8]);
        let mut transfer = Self { made, table, depends_on, twins_only, landings, zero };
        for origin in 0..transfer.made.boards() {
            transfer.landings[origin as usize] = transfer.ask_landings(origin)?;
            for landing in 0..transfer.made.boards() {
                transfer.zero[origin as usize][landing as usize] =
                    transfer.ask_zero_moves(origin, landing)?;
            }
        }
        Ok(transfer)
    }

    fn ask_landings(&self, origin: u32) -> Result<BoardSet, CallFault> {
        let ask = self.table.landings.expect("a table without it is refused");
        let (mut answer, of) = (0, self.made.boards());
        let status = unsafe { ask(self.made.rule, origin, &mut answer) };
        match status {
            abi::OK if answer < 1 << of => Ok(BoardSet(answer as u8)),
            abi::OK => Err(CallFault { call: "landings", fault: Fault::NoSuchBoard { boards: answer, of } }),
            status => Err(CallFault { call: "landings", fault: Fault::Status(status) }),
        }
    }

    fn ask_zero_moves(&self, origin: u32, landing: u32) -> Result<[ZeroKinds; 2], CallFault> {
        let mut kinds = [ZeroKinds::default(); 2];
        let Some(ask) = self.table.zero_moves else { return Ok(kinds) };
        for kind in 0..self.made.game.info.kinds {
            for (colour, kinds) in kinds.iter_mut().enumerate() {
                let mut answer = 0;
                let status =
                    unsafe { ask(self.made.rule, kind, colour as u32, origin, landing, &mut answer) };
                let fault = |fault| CallFault { call: "zero_moves", fault };
                match (status, answer) {
                    (abi::OK, abi::ZERO_MOVE_NEVER..=abi::ZERO_MOVE_CAPTURING) => {
                        kinds.all |= u32::from(answer != abi::ZERO_MOVE_NEVER) << kind;
                        kinds.capturing |= u32::from(answer == abi::ZERO_MOVE_CAPTURING) << kind;
                    }
                    (abi::OK, n) => return Err(fault(Fault::Meaningless { answer: n, most: 2 })),
                    (status, _) => return Err(fault(Fault::Status(status))),
                }
            }
        }
        Ok(kinds)
    }

    /// The rule set that it is of.
    pub fn rule_set(&self) -> &RuleSet {
        &self.made.set
    }

    pub(crate) fn made(&self) -> &Made {
        &self.made
    }

    /// What its answers depend on.
    pub fn depends_on(&self) -> DependsOn {
        self.depends_on
    }

    /// Whether its [`Transfer::landing_cells`] are made of [`Transfer::landing_cells_by_twins`].
    pub fn looks_at_twins_only(&self) -> bool {
        self.twins_only
    }

    /// The arrival cells at which a man may come to stand on `landing`, if the twins of each cell are
    /// occupied on just these boards.
    ///
    /// # Errors
    /// An answer that breaks a promise.
    pub fn landing_cells_by_twins(
        &self,
        origin: Board,
        landing: Board,
        occupied: BoardSet,
    ) -> Result<Cells, CallFault> {
        let boards = (0..self.made.boards() as u8).map(Board);
        let set = |b| if occupied.has(b) { self.made.game.all } else { Cells::EMPTY };
        let occupied: Vec<_> = boards.map(set).collect();
        let shown = self.show(&Parts { occupied: &occupied, ..Parts::default() });
        self.landing_cells(&shown, &Mover::default(), origin, landing)
    }

    /// The boards on which a man from `origin` could ever land.
    pub fn landings(&self, origin: Board) -> BoardSet {
        self.landings[usize::from(origin.0)]
    }

    /// Whether such a man makes zero moves.
    #[inline]
    pub fn zero_moves(&self, man: Man, origin: Board, landing: Board) -> ZeroMove {
        let kinds = self.zero[usize::from(origin.0)][usize::from(landing.0)][man.colour as usize];
        match (kinds.all >> man.kind.0 & 1, kinds.capturing >> man.kind.0 & 1) {
            (0, _) => ZeroMove::Never,
            (_, 0) => ZeroMove::ToVacant,
            _ => ZeroMove::Capturing,
        }
    }

    /// Whether [`Transfer::zero_cells`] has to be asked; else a man that makes zero moves at all may do
    /// so from every cell.
    #[inline]
    pub fn asks_zero_cells(&self) -> bool {
        self.table.zero_cells.is_some()
    }

    /// A position as this rule may see it: what it does not depend on is left out.
    ///
    /// # Panics
    /// If an array that it depends on has the wrong length.
    #[inline]
    pub fn show<'a>(&'a self, parts: &Parts<'a>) -> Shown<'a> {
        self.show_as(parts, self.depends_on)
    }

    /// The same for a rule that would depend on this.
    #[inline]
    pub(crate) fn show_as<'a>(&'a self, parts: &Parts<'a>, given: DependsOn) -> Shown<'a> {
        let game = &*self.made.game.info;
        let array = |what: DependsOn, cells: &'a [Cells], rows: u32| {
            if !given.has(what) {
                return std::ptr::null();
            }
            assert_eq!(cells.len(), (rows * game.boards) as usize, "a set for each board is shown");
            cells.as_ptr()
        };
        let number = |what: DependsOn, number: u32| if given.has(what) { number } else { 0 };
        Shown {
            info: abi::PositionInfo {
                size: size_of::<abi::PositionInfo>() as u32,
                given: given.bits(),
                game,
                occupied: array(DependsOn::OCCUPANCY, parts.occupied, 1),
                of_colour: array(DependsOn::COLOURS, parts.of_colour, 2),
                of_kind: array(DependsOn::KINDS, parts.of_kind, game.kinds),
                turn: number(DependsOn::TURN, parts.turn as u32),
                ply: number(DependsOn::PLY, parts.ply),
            },
            lives: PhantomData,
        }
    }

    /// The mover as the rule may see it.
    #[inline]
    fn mover(&self, mover: &Mover, given: DependsOn) -> abi::MoverInfo {
        let number = |what: DependsOn, number: u32| if given.has(what) { number } else { 0 };
        abi::MoverInfo {
            kind: number(DependsOn::MOVER_KIND, mover.man.kind.0.into()),
            colour: number(DependsOn::TURN, mover.man.colour as u32),
            cell: number(DependsOn::MOVER_CELL, mover.cell.0.into()),
        }
    }

    /// The arrival cells at which a man may come to stand on `landing`.
    ///
    /// # Errors
    /// An answer that breaks a promise.
    #[inline]
    pub fn landing_cells(
        &self,
        shown: &Shown,
        mover: &Mover,
        origin: Board,
        landing: Board,
    ) -> Result<Cells, CallFault> {
        let ask = self.table.landing_cells.expect("a table without it is refused");
        let mover = self.mover(mover, DependsOn(shown.info.given));
        let mut answer = Cells::EMPTY;
        let (from, to) = (origin.0.into(), landing.0.into());
        let status = unsafe { ask(self.made.rule, &shown.info, &mover, from, to, &mut answer) };
        self.made.set("landing_cells", status, answer)
    }

    /// The cells from which a man that makes zero moves may do so now.
    ///
    /// # Errors
    /// An answer that breaks a promise.
    pub fn zero_cells(
        &self,
        shown: &Shown,
        mover: &Mover,
        origin: Board,
        landing: Board,
    ) -> Result<Cells, CallFault> {
        let Some(ask) = self.table.zero_cells else { return Ok(self.made.game.all) };
        let mover = self.mover(mover, DependsOn(shown.info.given));
        let mut answer = Cells::EMPTY;
        let (from, to) = (origin.0.into(), landing.0.into());
        let status = unsafe { ask(self.made.rule, &shown.info, &mover, from, to, &mut answer) };
        self.made.set("zero_cells", status, answer)
    }

    /// Whether king and rook, castling, may land together.
    ///
    /// # Errors
    /// An answer that breaks a promise.
    pub fn castling_lands(
        &self,
        shown: &Shown,
        castling: &Castling,
        origin: Board,
        landing: Board,
    ) -> Result<bool, CallFault> {
        let Some(ask) = self.table.castling_lands else {
            let king = self.landing_cells(shown, &castling.king, origin, landing)?;
            let rook = self.landing_cells(shown, &castling.rook, origin, landing)?;
            return Ok(king.has(castling.king_to) && rook.has(castling.rook_to));
        };
        let given = DependsOn(shown.info.given);
        let info = abi::CastlingInfo {
            king: self.mover(&castling.king, given),
            rook: self.mover(&castling.rook, given),
            king_to: castling.king_to.0.into(),
            rook_to: castling.rook_to.0.into(),
        };
        let mut answer = 0;
        let (from, to) = (origin.0.into(), landing.0.into());
        let status = unsafe { ask(self.made.rule, &shown.info, &info, from, to, &mut answer) };
        self.made.yes_or_no("castling_lands", status, answer)
    }
}

/// A movement rule that can be asked.
pub struct Movement {
    made: Made,
    table: abi::Movement,
}

impl Movement {
    /// Takes a rule that says how a man moves.
    ///
    /// # Panics
    /// If it is no movement rule ([`RuleSet::is_movement`]).
    pub fn new(made: Made) -> Self {
        let table = made.set.movement.expect("asked of movement rules only");
        Self { made, table }
    }

    /// The rule set that it is of.
    pub fn rule_set(&self) -> &RuleSet {
        &self.made.set
    }

    pub(crate) fn made(&self) -> &Made {
        &self.made
    }

    /// Where a man may go without capturing.
    ///
    /// # Errors
    /// An answer that breaks a promise.
    #[inline]
    pub fn quiet(&self, from: Cell, colour: Colour, occupied: Cells) -> Result<Cells, CallFault> {
        let ask = self.table.quiet.expect("a table without it is refused");
        let mut answer = Cells::EMPTY;
        let status =
            // SAFETY: the rule is made, and everything is as `abi.rs` describes it.
            unsafe { ask(self.made.rule, from.0.into(), colour as u32, &occupied, &mut answer) };
        self.made.set("quiet", status, answer)
    }

    /// What it attacks.
    ///
    /// # Errors
    /// An answer that breaks a promise.
    #[inline]
    pub fn attacks(&self, from: Cell, colour: Colour, occupied: Cells) -> Result<Cells, CallFault> {
        let ask = self.table.attacks.expect("a table without it is refused");
        let mut answer = Cells::EMPTY;
        let status =
            // SAFETY: as in `quiet`.
            unsafe { ask(self.made.rule, from.0.into(), colour as u32, &occupied, &mut answer) };
        self.made.set("attacks", status, answer)
    }
}

impl Mover {
    /// A man of that kind and colour, about to leave a cell.
    pub const fn new(kind: Kind, colour: Colour, cell: Cell) -> Self {
        Self { man: Man { kind, colour }, cell }
    }
}
