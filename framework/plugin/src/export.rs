//! From an author's safe traits to the C interface: the functions behind the table of calls, each
//! of which catches panics, and the macro that exports them.
//!
//! Must not know the side that calls.

use crate::abi::{self, BAD_CALL, OK, PANICKED, REFUSED};
use crate::boards::{
    Board, Boards, Castling, Cell, Cells, Colour, Game, Kind, KindOfMan, Man, Mover, ZeroMove,
};
use crate::rules::{Complaint, MovementRule, Parameters, Rule, TransferRule};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A plug-in: what [`export!`](crate::export!) makes, and what a program loads.
#[repr(transparent)]
pub struct Plugin(abi::Record);

// SAFETY: a record and all it points to are constants.
unsafe impl Sync for Plugin {}

/// A rule set of this crate's making, ready to be exported.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Exported(&'static abi::RuleSet);

impl Plugin {
    /// What the macro calls, when the plug-in is compiled.
    ///
    /// # Panics
    /// At compile time, if a text does not fit.
    #[doc(hidden)]
    pub const fn new(
        ident: &str,
        version: &str,
        licence: &str,
        features: &[u64],
        rule_sets: &'static [Exported],
    ) -> Self {
        let mut required = 0;
        let mut i = 0;
        while i < features.len() {
            required |= features[i];
            i += 1;
        }
        let names = match required {
            abi::FEATURE_TRANSFER => "transfer/1",
            abi::FEATURE_MOVEMENT => "movement/1",
            _ => "transfer/1 movement/1",
        };
        Self(abi::Record {
            magic: abi::MAGIC,
            size: size_of::<abi::Record>() as u32,
            major: abi::MAJOR,
            minor: abi::MINOR,
            layout: abi::LAYOUT,
            required,
            optional: 0,
            required_names: fixed(names, false),
            id: fixed(ident, true),
            version: fixed(version, false),
            licence: fixed(licence, false),
            rule_set_count: rule_sets.len() as u64,
            // `Exported` is a transparent reference, so this is an array of pointers.
            rule_sets: rule_sets.as_ptr().cast(),
        })
    }

    /// A plug-in that has been loaded.
    ///
    /// # Safety
    /// `record` must come from a library that will never be unloaded and that keeps the promises of
    /// `docs/plugin-abi.md`. (A native library can break any promise; that is why it must be trusted.)
    pub unsafe fn loaded(record: *const abi::Record) -> &'static Self {
        // SAFETY: as the caller says; `Plugin` is a transparent record.
        unsafe { &*record.cast() }
    }

    /// Its record.
    pub fn record(&self) -> &abi::Record {
        &self.0
    }

    /// The bytes of its record, as they also stand in the library's file (but for pointers).
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: a record has just that many bytes, all of them fields.
        unsafe { std::slice::from_raw_parts(std::ptr::from_ref(&self.0).cast(), size_of::<abi::Record>()) }
    }
}

/// Text in a fixed number of bytes, filled up with zeros. In an id `_` becomes `-`.
const fn fixed<const N: usize>(text: &str, id: bool) -> [u8; N] {
    let (bytes, mut out) = (text.as_bytes(), [0; N]);
    assert!(bytes.len() <= N, "a plug-in's id or version may have 32 letters, its licence 64");
    assert!(!bytes.is_empty(), "a plug-in needs a version and a licence in its Cargo.toml");
    let mut i = 0;
    while i < bytes.len() {
        out[i] = if id && bytes[i] == b'_' { b'-' } else { bytes[i] };
        i += 1;
    }
    out
}

/// Exports a plug-in's rules. The plug-in's id is the name given first, with `-` for `_`; version and
/// licence are those of the crate.
///
/// ```
/// # use alice_plugin::*;
/// # pub struct Mirror(Game);
/// # impl Rule for Mirror {
/// #     const NAME: &'static str = "mirror";
/// #     const ABOUT: &'static str = "Alice.";
/// #     fn new(game: &Game, _: &Parameters) -> Result<Self, Complaint> { Ok(Self(game.clone())) }
/// # }
/// # impl TransferRule for Mirror {
/// #     fn landings(&self, origin: Board) -> BoardSet { BoardSet::of(self.0.next(origin)) }
/// #     fn landing_cells(&self, _: &Mover, _: Board, landing: Board, boards: Boards) -> Cells {
/// #         boards.vacant(landing)
/// #     }
/// # }
/// alice_plugin::export!(my_mirror: transfer Mirror);
/// # fn main() { alice_plugin::kit::check(&PLUGIN).unwrap() }
/// ```
///
/// With `panic = "abort"` no panic can be caught, and the crate does not compile.
#[macro_export]
macro_rules! export {
    ($id:ident: $($interface:ident $rule:ty),+ $(,)?) => {
        #[cfg(panic = "abort")]
        compile_error!("a plug-in must be able to catch its panics: remove panic = \"abort\" from the profile");

        #[doc = concat!("The plug-in `", stringify!($id), "`.")]
        #[unsafe(export_name = concat!("alice_plugin_1_", stringify!($id)))]
        pub static PLUGIN: $crate::Plugin = $crate::Plugin::new(
            stringify!($id),
            env!("CARGO_PKG_VERSION"),
            env!("CARGO_PKG_LICENSE"),
            &[$($crate::interface::$interface::FEATURE),+],
            &[$($crate::interface::$interface::rule_set::<$rule>()),+],
        );
    };
}

/// What [`export!`](crate::export!) looks up by the words `transfer` and `movement`.
#[doc(hidden)]
pub mod interface {
    pub mod transfer {
        use crate::export::{Exported, OfTransfer};
        pub const FEATURE: u64 = crate::abi::FEATURE_TRANSFER;
        pub const fn rule_set<T: crate::TransferRule>() -> Exported {
            Exported(OfTransfer::<T>::RULE_SET)
        }
    }
    pub mod movement {
        use crate::export::{Exported, OfMovement};
        pub const FEATURE: u64 = crate::abi::FEATURE_MOVEMENT;
        pub const fn rule_set<T: crate::MovementRule>() -> Exported {
            Exported(OfMovement::<T>::RULE_SET)
        }
    }
}

pub(crate) const fn text(text: &'static str) -> abi::Text {
    abi::Text { start: text.as_ptr(), length: text.len() as u64 }
}

const fn rule_set<T: Rule>(interfaces: &'static [abi::Interface]) -> abi::RuleSet {
    abi::RuleSet {
        size: size_of::<abi::RuleSet>() as u32,
        interface_count: interfaces.len() as u32,
        interfaces: interfaces.as_ptr(),
        name: text(T::NAME),
        about: text(T::ABOUT),
        create: Some(create::<T>),
        destroy: Some(destroy::<T>),
    }
}

/// The constants of a type that has the trait.
struct OfTransfer<T>(PhantomData<T>);

impl<T: TransferRule> OfTransfer<T> {
    const TABLE: &abi::Transfer = &abi::Transfer {
        size: size_of::<abi::Transfer>() as u32,
        reserved: 0,
        facts: Some(facts::<T>),
        landings: Some(landings::<T>),
        landing_cells: Some(landing_cells::<T>),
        zero_moves: Some(zero_moves::<T>),
        zero_cells: if T::ASK_ZERO_CELLS { Some(zero_cells::<T>) } else { None },
        castling_lands: Some(castling_lands::<T>),
    };
    const RULE_SET: &abi::RuleSet = &rule_set::<T>(&[abi::Interface {
        name: text("transfer/1"),
        table: std::ptr::from_ref(Self::TABLE).cast(),
    }]);
}

/// The constants of a type that has the trait.
struct OfMovement<T>(PhantomData<T>);

impl<T: MovementRule> OfMovement<T> {
    const TABLE: &abi::Movement = &abi::Movement {
        size: size_of::<abi::Movement>() as u32,
        reserved: 0,
        quiet: Some(quiet::<T>),
        attacks: Some(attacks::<T>),
    };
    const RULE_SET: &abi::RuleSet = &rule_set::<T>(&[abi::Interface {
        name: text("movement/1"),
        table: std::ptr::from_ref(Self::TABLE).cast(),
    }]);
}

/// Runs a call's body so that no panic leaves it.
#[inline]
fn guarded(body: impl FnOnce() -> Option<i32>) -> i32 {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(status) => status.unwrap_or(BAD_CALL),
        Err(payload) => {
            // Whatever was thrown might panic again when dropped, and then there is no one to catch it.
            std::mem::forget(payload);
            PANICKED
        }
    }
}

/// Reads what the caller points to.
///
/// # Safety
/// A pointer that is not null must point to a `T` that lives as long as the call.
#[inline]
unsafe fn read<'a, T>(pointer: *const T) -> Option<&'a T> {
    // SAFETY: as the caller says.
    unsafe { pointer.as_ref() }
}

/// Writes an answer.
///
/// # Safety
/// A pointer that is not null must point to memory of the caller's for a `T`.
#[inline]
unsafe fn write<T>(pointer: *mut T, answer: T) -> Option<i32> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: as the caller says.
    unsafe { pointer.write(answer) };
    Some(OK)
}

/// # Safety
/// A text's pointer must be valid for its length.
unsafe fn read_text<'a>(text: abi::Text) -> Option<&'a str> {
    if text.start.is_null() {
        return (text.length == 0).then_some("");
    }
    let length = usize::try_from(text.length).ok().filter(|n| *n <= isize::MAX as usize)?;
    // SAFETY: as the caller says.
    std::str::from_utf8(unsafe { std::slice::from_raw_parts(text.start, length) }).ok()
}

/// # Safety
/// The game must be as `abi.rs` describes it.
unsafe fn read_game(game: *const abi::GameInfo) -> Option<Game> {
    // SAFETY: as the caller says.
    let info = unsafe { read(game) }?;
    let side = |n: u32| u8::try_from(n).ok().filter(|n| *n > 0);
    let (files, ranks, levels) = (side(info.files)?, side(info.ranks)?, side(info.levels)?);
    let cells = u32::from(files) * u32::from(ranks) * u32::from(levels);
    let fits = cells <= abi::MAX_CELLS && info.boards <= abi::MAX_BOARDS && info.kinds <= abi::MAX_KINDS;
    if !fits || info.men.is_null() {
        return None;
    }
    let boards = side(info.boards)?;
    // SAFETY: the caller says that there are as many men as the game says.
    let men = unsafe { std::slice::from_raw_parts(info.men, info.kinds as usize) };
    let man = |m: &abi::ManInfo| {
        Some(KindOfMan {
            // SAFETY: as the caller says.
            name: unsafe { read_text(m.name) }?.into(),
            letter: char::from_u32(m.letter)?,
            royal: m.flags & abi::MAN_IS_ROYAL != 0,
            pawn: m.flags & abi::MAN_IS_PAWN != 0,
        })
    };
    let men = men.iter().map(man).collect::<Option<_>>()?;
    Some(Game { files, ranks, levels, boards, men })
}

unsafe extern "C" fn create<T: Rule>(
    game: *const abi::GameInfo,
    parameters: *const abi::Text,
    complaint: *mut abi::Complaint,
    rule: *mut *mut c_void,
) -> i32 {
    guarded(|| {
        // SAFETY: the caller keeps to `abi.rs`, here and below.
        let game = unsafe { read_game(game) }?;
        let parameters = unsafe { read_text(*read(parameters)?) }?;
        let made = Parameters::read(parameters).and_then(|parameters| {
            let made = T::new(&game, &parameters)?;
            parameters.finish()?;
            Ok(made)
        });
        match made {
            Ok(made) if !rule.is_null() => unsafe { write(rule, Box::into_raw(Box::new(made)).cast()) },
            Ok(_) => None,
            Err(why) => {
                unsafe { complain(complaint, &why) };
                Some(REFUSED)
            }
        }
    })
}

/// # Safety
/// The complaint must be null or as `abi.rs` describes it.
unsafe fn complain(complaint: *mut abi::Complaint, why: &Complaint) {
    // SAFETY: as the caller says.
    let Some(complaint) = (unsafe { complaint.as_mut() }) else { return };
    complaint.parameter = why.parameter;
    complaint.length = 0;
    if complaint.text.is_null() {
        return;
    }
    let room = usize::try_from(complaint.capacity).unwrap_or(usize::MAX);
    let mut fits = room.min(why.says.len());
    while !why.says.is_char_boundary(fits) {
        fits -= 1;
    }
    // SAFETY: the caller says that there is room for `capacity` bytes, and no more are written.
    unsafe { complaint.text.copy_from_nonoverlapping(why.says.as_ptr(), fits) };
    complaint.length = fits as u64;
}

unsafe extern "C" fn destroy<T: Rule>(rule: *mut c_void) {
    if rule.is_null() {
        return;
    }
    guarded(|| {
        // SAFETY: the caller gives back what `create` made, once.
        drop(unsafe { Box::from_raw(rule.cast::<T>()) });
        Some(OK)
    });
}

#[inline]
fn colour(number: u32) -> Option<Colour> {
    match number {
        0 => Some(Colour::White),
        1 => Some(Colour::Black),
        _ => None,
    }
}

#[inline]
fn board(number: u32) -> Option<Board> {
    (number < abi::MAX_BOARDS).then_some(Board(number as u8))
}

#[inline]
fn cell(number: u32) -> Option<Cell> {
    (number < abi::MAX_CELLS).then_some(Cell(number as u8))
}

#[inline]
fn kind(number: u32) -> Option<Kind> {
    (number < abi::MAX_KINDS).then_some(Kind(number as u8))
}

#[inline]
fn mover(info: &abi::MoverInfo) -> Option<Mover> {
    let man = Man { kind: kind(info.kind)?, colour: colour(info.colour)? };
    Some(Mover { man, cell: cell(info.cell)? })
}

unsafe extern "C" fn facts<T: TransferRule>(rule: *const c_void, facts: *mut abi::TransferFacts) -> i32 {
    guarded(|| {
        // SAFETY: the caller gives a rule that `create` made, and keeps to `abi.rs`.
        let rule = unsafe { read(rule.cast::<T>()) }?;
        if facts.is_null() {
            return None;
        }
        // SAFETY: the caller has set the size, and the first two fields are there in every version.
        let size = unsafe { (&raw const (*facts).size).read() } as usize;
        let promises = if rule.looks_at_twins_only() { abi::PROMISE_TWINS } else { 0 };
        // SAFETY: as above; a caller of version 1.0 has no room for the third.
        unsafe {
            (&raw mut (*facts).depends_on).write(rule.depends_on().bits());
            if size >= std::mem::offset_of!(abi::TransferFacts, reserved) {
                (&raw mut (*facts).promises).write(promises);
            }
        }
        Some(OK)
    })
}

unsafe extern "C" fn landings<T: TransferRule>(rule: *const c_void, origin: u32, answer: *mut u64) -> i32 {
    guarded(|| {
        // SAFETY: as in `facts`.
        let rule = unsafe { read(rule.cast::<T>()) }?;
        let boards = rule.landings(board(origin)?);
        unsafe { write(answer, u64::from(boards.0)) }
    })
}

/// A question with a set for an answer: whose rule, where, by whom.
type AskCells<T> = fn(&T, &Mover, Board, Board, Boards) -> Cells;

#[inline]
unsafe fn ask_cells<T: TransferRule>(
    ask: AskCells<T>,
    rule: *const c_void,
    position: *const abi::PositionInfo,
    who: *const abi::MoverInfo,
    [origin, landing]: [u32; 2],
    answer: *mut Cells,
) -> i32 {
    guarded(|| {
        // SAFETY: as in `facts`.
        let (rule, boards, who) = unsafe { (read(rule.cast::<T>())?, Boards::new(position)?, read(who)?) };
        let cells = ask(rule, &mover(who)?, board(origin)?, board(landing)?, boards);
        unsafe { write(answer, cells) }
    })
}

unsafe extern "C" fn landing_cells<T: TransferRule>(
    rule: *const c_void,
    position: *const abi::PositionInfo,
    mover: *const abi::MoverInfo,
    origin: u32,
    landing: u32,
    answer: *mut Cells,
) -> i32 {
    // SAFETY: passed on from the caller.
    unsafe { ask_cells::<T>(T::landing_cells, rule, position, mover, [origin, landing], answer) }
}

unsafe extern "C" fn zero_cells<T: TransferRule>(
    rule: *const c_void,
    position: *const abi::PositionInfo,
    mover: *const abi::MoverInfo,
    origin: u32,
    landing: u32,
    answer: *mut Cells,
) -> i32 {
    // SAFETY: passed on from the caller.
    unsafe { ask_cells::<T>(T::zero_cells, rule, position, mover, [origin, landing], answer) }
}

unsafe extern "C" fn zero_moves<T: TransferRule>(
    rule: *const c_void,
    man_kind: u32,
    man_colour: u32,
    origin: u32,
    landing: u32,
    answer: *mut u64,
) -> i32 {
    guarded(|| {
        // SAFETY: as in `facts`.
        let rule = unsafe { read(rule.cast::<T>()) }?;
        let man = Man { kind: kind(man_kind)?, colour: colour(man_colour)? };
        let zero = match rule.zero_moves(man, board(origin)?, board(landing)?) {
            ZeroMove::Never => abi::ZERO_MOVE_NEVER,
            ZeroMove::ToVacant => abi::ZERO_MOVE_TO_VACANT,
            ZeroMove::Capturing => abi::ZERO_MOVE_CAPTURING,
        };
        unsafe { write(answer, zero) }
    })
}

unsafe extern "C" fn castling_lands<T: TransferRule>(
    rule: *const c_void,
    position: *const abi::PositionInfo,
    castling: *const abi::CastlingInfo,
    origin: u32,
    landing: u32,
    answer: *mut u64,
) -> i32 {
    guarded(|| {
        // SAFETY: as in `facts`.
        let (rule, boards, info) =
            unsafe { (read(rule.cast::<T>())?, Boards::new(position)?, read(castling)?) };
        let castling = Castling {
            king: mover(&info.king)?,
            rook: mover(&info.rook)?,
            king_to: cell(info.king_to)?,
            rook_to: cell(info.rook_to)?,
        };
        let lands = rule.castling_lands(&castling, board(origin)?, board(landing)?, boards);
        unsafe { write(answer, u64::from(lands)) }
    })
}

#[inline]
unsafe fn ask_movement<T: MovementRule>(
    ask: fn(&T, Cell, Colour, Cells) -> Cells,
    rule: *const c_void,
    [from, side]: [u32; 2],
    occupied: *const Cells,
    answer: *mut Cells,
) -> i32 {
    guarded(|| {
        // SAFETY: as in `facts`.
        let (rule, occupied) = unsafe { (read(rule.cast::<T>())?, read(occupied)?) };
        let cells = ask(rule, cell(from)?, colour(side)?, *occupied);
        unsafe { write(answer, cells) }
    })
}

unsafe extern "C" fn quiet<T: MovementRule>(
    rule: *const c_void,
    from: u32,
    colour: u32,
    occupied: *const Cells,
    answer: *mut Cells,
) -> i32 {
    // SAFETY: passed on from the caller.
    unsafe { ask_movement::<T>(T::quiet, rule, [from, colour], occupied, answer) }
}

unsafe extern "C" fn attacks<T: MovementRule>(
    rule: *const c_void,
    from: u32,
    colour: u32,
    occupied: *const Cells,
    answer: *mut Cells,
) -> i32 {
    // SAFETY: passed on from the caller.
    unsafe { ask_movement::<T>(T::attacks, rule, [from, colour], occupied, answer) }
}
