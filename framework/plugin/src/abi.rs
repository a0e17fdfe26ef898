//! The layouts that a plug-in and a program share, and nothing else: C structs of integers and
//! pointers. The C header is made from this file.
//!
//! Must not know how either side works. Fields are only ever added at the end of a struct; see
//! `docs/plugin-abi.md` for the rules of evolution.

use std::ffi::c_void;

/// The first eight bytes of every record: `ALICEABI`.
pub const MAGIC: u64 = 0x4942_4145_4349_4C41;
/// The major version: other majors can't be loaded. It is also part of the exported symbol's name.
pub const MAJOR: u16 = 1;
/// The minor version: grows when fields are added at the end of a struct.
pub const MINOR: u16 = 1;
/// The fingerprint of all layouts of this version.
pub const LAYOUT: u64 = 0x4c16_8de7_d844_86ef;

/// The fingerprints of this major version's minors, oldest first. A plug-in made for one of them
/// has to have just that.
pub const LAYOUTS: [u64; MINOR as usize + 1] = [0xd51c_70bd_3b23_5e21, LAYOUT];

/// A feature: the plug-in has rules that answer `transfer/1`.
pub const FEATURE_TRANSFER: u64 = 1;
/// A feature: the plug-in has rules that answer `movement/1`.
pub const FEATURE_MOVEMENT: u64 = 2;

/// A call's status: all is well, the answer is written.
pub const OK: i32 = 0;
/// A call's status: the parameters are refused; only `create` may say so.
pub const REFUSED: i32 = 1;
/// A call's status: the plug-in's code failed by a programming error, which it has caught.
pub const PANICKED: i32 = 2;
/// A call's status: a null pointer, or a number that means nothing.
pub const BAD_CALL: i32 = 3;

/// The answers depend on which squares are occupied.
pub const DEPENDS_ON_OCCUPANCY: u32 = 1;
/// The answers depend on whose men stand where.
pub const DEPENDS_ON_COLOURS: u32 = 2;
/// The answers depend on which kinds of men stand where.
pub const DEPENDS_ON_KINDS: u32 = 4;
/// The answers depend on whose turn it is, which is also the moving man's colour.
pub const DEPENDS_ON_TURN: u32 = 8;
/// The answers depend on the number of plies made so far.
pub const DEPENDS_ON_PLY: u32 = 16;
/// The answers depend on the kind of man that moves.
pub const DEPENDS_ON_MOVER_KIND: u32 = 32;
/// The answers depend on the cell that the man leaves.
pub const DEPENDS_ON_MOVER_CELL: u32 = 64;

/// A promise: whether a man may land on a cell depends on nothing but whether the cell's twins are
/// occupied. Such a rule is asked when the game is made, and seldom afterwards.
pub const PROMISE_TWINS: u32 = 1;

/// Such a man makes no zero moves.
pub const ZERO_MOVE_NEVER: u64 = 0;
/// Such a man may make a zero move to a vacant twin.
pub const ZERO_MOVE_TO_VACANT: u64 = 1;
/// The same, or onto an enemy, which it captures. So it also attacks a king on its twin.
pub const ZERO_MOVE_CAPTURING: u64 = 2;

/// A flag of a kind of man: it is the one to be mated.
pub const MAN_IS_ROYAL: u32 = 1;
/// A flag of a kind of man: it is a pawn.
pub const MAN_IS_PAWN: u32 = 2;

/// A complaint that is about no parameter in particular.
pub const NO_PARAMETER: u32 = 0xffff_ffff;
/// The most boards that a game may have.
pub const MAX_BOARDS: u32 = 8;
/// The most cells that a board may have.
pub const MAX_CELLS: u32 = 256;
/// The most kinds of men that a game may have.
pub const MAX_KINDS: u32 = 26;

/// A set of cells of one board. Bit `n % 64` of word `n / 64` stands for the cell numbered `n`,
/// which is `file + files * (rank + ranks * level)`, each counted from 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells {
    /// 256 bits, lowest first; those past the board's last cell are zero.
    pub word: [u64; 4],
}

/// Text in UTF-8. It does not end in a zero byte.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    /// Its first byte; may be null where there are none.
    pub start: *const u8,
    /// How many bytes.
    pub length: u64,
}

/// A kind of man, as the game has it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ManInfo {
    /// What it is called: `knight`.
    pub name: Text,
    /// Its letter, an ASCII capital.
    pub letter: u32,
    /// `MAN_IS_…` bits.
    pub flags: u32,
}

/// The game that a rule is made for. Lives as long as the rule.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct GameInfo {
    /// The bytes of this struct.
    pub size: u32,
    /// Files of each board.
    pub files: u32,
    /// Ranks of each board.
    pub ranks: u32,
    /// Levels of each board; 1 if it is flat.
    pub levels: u32,
    /// How many boards, 1 to 8.
    pub boards: u32,
    /// How many kinds of men, 1 to 26.
    pub kinds: u32,
    /// The kinds of men, in the order of their numbers.
    pub men: *const ManInfo,
}

/// The man that moves. What the rule does not depend on is 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MoverInfo {
    /// The number of its kind.
    pub kind: u32,
    /// 0 for White, 1 for Black.
    pub colour: u32,
    /// The number of the cell it leaves.
    pub cell: u32,
}

/// Who stands where, before the move.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PositionInfo {
    /// The bytes of this struct.
    pub size: u32,
    /// `DEPENDS_ON_…` bits: what is filled in. The rest is 0 or null.
    pub given: u32,
    /// The game.
    pub game: *const GameInfo,
    /// The occupied cells: `occupied[board]`.
    pub occupied: *const Cells,
    /// The cells of each side's men: `of_colour[colour * boards + board]`.
    pub of_colour: *const Cells,
    /// The cells of each kind of man, of both sides: `of_kind[kind * boards + board]`.
    pub of_kind: *const Cells,
    /// Whose turn it is: 0 for White, 1 for Black.
    pub turn: u32,
    /// Plies made so far, counted from White's first move.
    pub ply: u32,
}

/// King and rook that are about to castle.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CastlingInfo {
    /// The king, unmoved.
    pub king: MoverInfo,
    /// The rook, unmoved.
    pub rook: MoverInfo,
    /// The king's arrival cell.
    pub king_to: u32,
    /// The rook's arrival cell.
    pub rook_to: u32,
}

/// Where `create` says why it refuses.
#[repr(C)]
pub struct Complaint {
    /// The bytes of this struct.
    pub size: u32,
    /// Which parameter (which line) is at fault, counted from 0, or `NO_PARAMETER`.
    pub parameter: u32,
    /// How many bytes there is room for.
    pub capacity: u64,
    /// How many bytes are written; never more than there is room for.
    pub length: u64,
    /// Where to write a sentence in UTF-8.
    pub text: *mut u8,
}

/// What a transfer rule says about itself.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TransferFacts {
    /// The bytes of this struct, set by the caller: write no field beyond them.
    pub size: u32,
    /// `DEPENDS_ON_…` bits: all that the answers depend on, besides origin and landing board.
    pub depends_on: u32,
    /// `PROMISE_…` bits, of `landing_cells`. Since version 1.1; zero before.
    pub promises: u32,
    /// Zero.
    pub reserved: u32,
}

/// The interface `transfer/1`: at which cells of a landing board a man may come to stand.
///
/// Every call may come from several threads at once, and must answer by its arguments only.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Transfer {
    /// The bytes of this struct.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Asked once, when the rule has been created.
    pub facts: Option<unsafe extern "C" fn(rule: *const c_void, facts: *mut TransferFacts) -> i32>,
    /// The boards on which a man from `origin` could ever land, a bit each. Asked once.
    pub landings: Option<unsafe extern "C" fn(rule: *const c_void, origin: u32, answer: *mut u64) -> i32>,
    /// The arrival cells at which a man that moved on `origin` may come to stand on `landing`.
    pub landing_cells: Option<
        unsafe extern "C" fn(
            rule: *const c_void,
            position: *const PositionInfo,
            mover: *const MoverInfo,
            origin: u32,
            landing: u32,
            answer: *mut Cells,
        ) -> i32,
    >,
    /// `ZERO_MOVE_…`: whether such a man makes zero moves at all. Asked once. Null: none does.
    pub zero_moves: Option<
        unsafe extern "C" fn(
            rule: *const c_void,
            kind: u32,
            colour: u32,
            origin: u32,
            landing: u32,
            answer: *mut u64,
        ) -> i32,
    >,
    /// The cells from which a man that makes zero moves may do so now. Null: from all.
    pub zero_cells: Option<
        unsafe extern "C" fn(
            rule: *const c_void,
            position: *const PositionInfo,
            mover: *const MoverInfo,
            origin: u32,
            landing: u32,
            answer: *mut Cells,
        ) -> i32,
    >,
    /// 1 if king and rook may land together, else 0. Null: if each could land alone.
    pub castling_lands: Option<
        unsafe extern "C" fn(
            rule: *const c_void,
            position: *const PositionInfo,
            castling: *const CastlingInfo,
            origin: u32,
            landing: u32,
            answer: *mut u64,
        ) -> i32,
    >,
}

/// The interface `movement/1`: where a man may go on its own board.
///
/// Every call may come from several threads at once, and must answer by its arguments only.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Movement {
    /// The bytes of this struct.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Where a man may go without capturing. Occupied cells in the answer are ignored.
    pub quiet: Option<
        unsafe extern "C" fn(
            rule: *const c_void,
            from: u32,
            colour: u32,
            occupied: *const Cells,
            answer: *mut Cells,
        ) -> i32,
    >,
    /// What it attacks: where it captures, and gives check.
    pub attacks: Option<
        unsafe extern "C" fn(
            rule: *const c_void,
            from: u32,
            colour: u32,
            occupied: *const Cells,
            answer: *mut Cells,
        ) -> i32,
    >,
}

/// An interface of a rule set: its name and its table of calls.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Interface {
    /// `transfer/1` or `movement/1`; others are passed over.
    pub name: Text,
    /// What the name says: a `Transfer` or a `Movement`.
    pub table: *const c_void,
}

/// One rule that a plug-in offers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RuleSet {
    /// The bytes of this struct.
    pub size: u32,
    /// How many interfaces it has.
    pub interface_count: u32,
    /// Its interfaces.
    pub interfaces: *const Interface,
    /// Its name, unlike the others of the plug-in.
    pub name: Text,
    /// What it does, in a sentence.
    pub about: Text,
    /// Makes a rule for a game. Parameters are lines `name=value`; a list is several lines of one
    /// name. Unknown ones are refused.
    pub create: Option<
        unsafe extern "C" fn(
            game: *const GameInfo,
            parameters: *const Text,
            complaint: *mut Complaint,
            rule: *mut *mut c_void,
        ) -> i32,
    >,
    /// Ends a rule's life. Null is passed over.
    pub destroy: Option<unsafe extern "C" fn(rule: *mut c_void)>,
}

/// What a plug-in is: the one thing it exports, as `alice_plugin_1_` and its id with `_` for `-`.
///
/// All up to `licence` is read from the file before any of the plug-in's code runs. Texts of fixed
/// length are filled up with zero bytes.
#[repr(C)]
pub struct Record {
    /// `MAGIC`.
    pub magic: u64,
    /// The bytes of this struct.
    pub size: u32,
    /// `MAJOR`.
    pub major: u16,
    /// `MINOR`.
    pub minor: u16,
    /// `LAYOUT`.
    pub layout: u64,
    /// `FEATURE_…` bits that the program must have.
    pub required: u64,
    /// `FEATURE_…` bits that are used where the program has them.
    pub optional: u64,
    /// The names of the required features, separated by spaces, so that a program that lacks one
    /// can name it.
    pub required_names: [u8; 64],
    /// The plug-in's name: small letters, digits and `-`.
    pub id: [u8; 32],
    /// Its version: `1.2.3`.
    pub version: [u8; 32],
    /// Its licence, as SPDX writes it.
    pub licence: [u8; 64],
    /// How many rule sets it offers.
    pub rule_set_count: u64,
    /// The rule sets.
    pub rule_sets: *const *const RuleSet,
}

/// Mixes bytes into a fingerprint (FNV-1a).
const fn mix(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}

/// Sizes, names and offsets of fields, mixed; refuses to compile if a field is left out.
macro_rules! fingerprint {
    ($($name:ident { $($field:ident),+ })+) => {{
        let mut hash = 0xcbf2_9ce4_8422_2325;
        $(
            const _: fn($name) = |whole| {
                let $name { $($field: _),+ } = whole;
            };
            hash = mix(hash, &size_of::<$name>().to_le_bytes());
            hash = mix(hash, &align_of::<$name>().to_le_bytes());
            $(
                hash = mix(hash, stringify!($field).as_bytes());
                hash = mix(hash, &std::mem::offset_of!($name, $field).to_le_bytes());
            )+
        )+
        hash
    }};
}

/// The fingerprint of the layouts as they are compiled here.
const fn layout() -> u64 {
    fingerprint! {
        Cells { word }
        Text { start, length }
        ManInfo { name, letter, flags }
        GameInfo { size, files, ranks, levels, boards, kinds, men }
        MoverInfo { kind, colour, cell }
        PositionInfo { size, given, game, occupied, of_colour, of_kind, turn, ply }
        CastlingInfo { king, rook, king_to, rook_to }
        Complaint { size, parameter, capacity, length, text }
        TransferFacts { size, depends_on, promises, reserved }
        Transfer { size, reserved, facts, landings, landing_cells, zero_moves, zero_cells, castling_lands }
        Movement { size, reserved, quiet, attacks }
        Interface { name, table }
        RuleSet { size, interface_count, interfaces, name, about, create, destroy }
        Record { magic, size, major, minor, layout, required, optional, required_names, id, version, licence, rule_set_count, rule_sets }
    }
}

const _: () = assert!(size_of::<usize>() == 8, "plug-ins are for processors of 64 bits");
const _: () = assert!(layout() == LAYOUT, "a layout has changed: that needs a new minor or major version");
