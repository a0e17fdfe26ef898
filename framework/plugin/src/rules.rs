//! What an author writes: a rule, its parameters, and what its answers depend on.
//!
//! All of it is safe Rust. Must not know how calls cross the line.

use crate::abi;
use crate::boards::{Board, BoardSet, Boards, Castling, Cell, Cells, Colour, Game, Man, Mover, ZeroMove};
use std::cell::Cell as Remembered;
use std::fmt;
use std::ops::{BitOr, RangeInclusive};

/// What a rule's answers depend on, besides its parameters and the two boards. The less, the more
/// seldom it is asked. What it leaves out it is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DependsOn(pub(crate) u32);

impl DependsOn {
    /// On nothing else: the same in every position.
    pub const NOTHING: Self = Self(0);
    /// Which squares are occupied.
    pub const OCCUPANCY: Self = Self(abi::DEPENDS_ON_OCCUPANCY);
    /// Whose men stand where.
    pub const COLOURS: Self = Self(abi::DEPENDS_ON_COLOURS);
    /// Which kinds of men stand where.
    pub const KINDS: Self = Self(abi::DEPENDS_ON_KINDS);
    /// Whose turn it is, which is also the moving man's colour.
    pub const TURN: Self = Self(abi::DEPENDS_ON_TURN);
    /// The number of plies made so far.
    pub const PLY: Self = Self(abi::DEPENDS_ON_PLY);
    /// The kind of man that moves.
    pub const MOVER_KIND: Self = Self(abi::DEPENDS_ON_MOVER_KIND);
    /// The cell that the man leaves.
    pub const MOVER_CELL: Self = Self(abi::DEPENDS_ON_MOVER_CELL);

    /// Everything that this version knows of, with names for messages.
    pub(crate) const ALL: [(u32, &'static str); 7] = [
        (abi::DEPENDS_ON_OCCUPANCY, "which squares are occupied"),
        (abi::DEPENDS_ON_COLOURS, "whose men stand where"),
        (abi::DEPENDS_ON_KINDS, "which kinds of men stand where"),
        (abi::DEPENDS_ON_TURN, "whose turn it is"),
        (abi::DEPENDS_ON_PLY, "the number of plies"),
        (abi::DEPENDS_ON_MOVER_KIND, "the kind of man that moves"),
        (abi::DEPENDS_ON_MOVER_CELL, "the cell that the man leaves"),
    ];

    /// Whether all of `other` is among it.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The `DEPENDS_ON_…` bits of the C interface.
    pub const fn bits(self) -> u32 {
        self.0
    }
}

impl BitOr for DependsOn {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A rule that a plug-in offers: its name, and how it is made.
///
/// Besides this it needs [`TransferRule`] or [`MovementRule`]. Its answers must depend on the
/// arguments only: a rule that remembers breaks undo and search.
pub trait Rule: Sized + Send + Sync + 'static {
    /// Its name: small letters, digits and `-`, unlike the plug-in's other rules.
    const NAME: &'static str;
    /// What it does, in a sentence.
    const ABOUT: &'static str;

    /// Makes the rule for a game. Parameters that are not asked for are refused.
    ///
    /// # Errors
    /// What is wrong with the parameters, or why the rule can't be played on these boards.
    fn new(game: &Game, parameters: &Parameters) -> Result<Self, Complaint>;
}

/// What happens at the looking-glass: where a man that has moved on its origin board may land.
///
/// An arrival cell is where the man comes to stand on its origin board; landing on another board is
/// always on the twin of that cell. Cells that are occupied on another landing board are removed
/// from every answer. Check, castling's other conditions and the rest are no concern of the rule.
pub trait TransferRule: Rule {
    /// All that the answers depend on.
    fn depends_on(&self) -> DependsOn {
        DependsOn::OCCUPANCY
    }

    /// Whether [`TransferRule::landing_cells`] looks, for each cell, at nothing but whether its twins
    /// are occupied. Many rules do; then they are asked when the game is made, seldom afterwards, and
    /// cost nothing. To be promised only if it depends on [`DependsOn::OCCUPANCY`] at most.
    fn looks_at_twins_only(&self) -> bool {
        false
    }

    /// The boards on which a man from `origin` could ever land (`origin` itself, if it may ever
    /// stay). Only these are asked about.
    fn landings(&self, origin: Board) -> BoardSet;

    /// The arrival cells at which a man that moved on `origin` may come to stand on `landing`.
    fn landing_cells(&self, mover: &Mover, origin: Board, landing: Board, boards: Boards) -> Cells;

    /// Whether such a man makes zero moves from `origin` to `landing`: transfers with no movement
    /// before. Fixed for the whole game, whatever the rule depends on.
    fn zero_moves(&self, man: Man, origin: Board, landing: Board) -> ZeroMove {
        let _ = (man, origin, landing);
        ZeroMove::Never
    }

    /// Whether [`TransferRule::zero_cells`] has to be asked; else men make zero moves from all cells.
    const ASK_ZERO_CELLS: bool = false;

    /// The cells from which a man that makes zero moves may do so now.
    fn zero_cells(&self, mover: &Mover, origin: Board, landing: Board, boards: Boards) -> Cells {
        let _ = (mover, origin, landing);
        boards.all()
    }

    /// Whether king and rook, castling on `origin`, may land together on `landing`. By default if each
    /// could land there alone.
    fn castling_lands(&self, castling: &Castling, origin: Board, landing: Board, boards: Boards) -> bool {
        self.landing_cells(&castling.king, origin, landing, boards).has(castling.king_to)
            && self.landing_cells(&castling.rook, origin, landing, boards).has(castling.rook_to)
    }
}

/// Where a man may go on its own board. Moves and check both come from the two answers, so they
/// can't disagree. A man's own cell in an answer is ignored.
pub trait MovementRule: Rule {
    /// The vacant cells to which a man of `colour` on `from` may move without capturing, given the
    /// `occupied` cells of its board. Occupied cells in the answer are ignored.
    fn quiet(&self, from: Cell, colour: Colour, occupied: Cells) -> Cells;

    /// The cells which it attacks: where it captures if an enemy stands there.
    fn attacks(&self, from: Cell, colour: Colour, occupied: Cells) -> Cells;
}

/// Why a rule can't be made: a sentence that names what was seen and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    pub(crate) parameter: u32,
    pub(crate) says: String,
}

impl Complaint {
    /// About the game, or the parameters as a whole.
    pub fn new(says: impl Into<String>) -> Self {
        Self { parameter: abi::NO_PARAMETER, says: says.into() }
    }

    /// Which parameter (by its place among them) is at fault; none if no single one is.
    pub fn parameter(&self) -> Option<usize> {
        (self.parameter != abi::NO_PARAMETER).then_some(self.parameter as usize)
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.says)
    }
}

/// The value of a parameter, and its place.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    place: u32,
    name: &'a str,
    /// As it is written.
    pub text: &'a str,
}

impl<'a> Value<'a> {
    /// A complaint about this parameter: `NAME is VALUE; …`.
    pub fn complaint(&self, advice: impl fmt::Display) -> Complaint {
        let Self { place, name, text } = self;
        Complaint { parameter: *place, says: format!("{name} is {text:?}; {advice}") }
    }
}

/// The parameters that a config gives to a rule.
#[derive(Debug)]
pub struct Parameters<'a> {
    values: Vec<(Value<'a>, Remembered<bool>)>,
    asked: std::cell::RefCell<Vec<&'static str>>,
}

impl<'a> Parameters<'a> {
    /// Reads lines `name=value`. A list is several lines of one name.
    ///
    /// # Errors
    /// If a line has no `=`.
    pub fn read(text: &'a str) -> Result<Self, Complaint> {
        let mut values = Vec::new();
        for (place, line) in text.lines().enumerate() {
            let place = place as u32;
            let Some((name, text)) = line.split_once('=') else {
                let says = format!("{line:?} is no parameter; write name=value");
                return Err(Complaint { parameter: place, says });
            };
            values.push((Value { place, name, text }, Remembered::new(false)));
        }
        Ok(Self { values, asked: Vec::new().into() })
    }

    /// Every value of that name, in order.
    pub fn all(&self, name: &'static str) -> Vec<Value<'a>> {
        self.asked.borrow_mut().push(name);
        let named = self.values.iter().filter(|(value, _)| value.name == name);
        named.inspect(|(_, used)| used.set(true)).map(|(value, _)| *value).collect()
    }

    /// The value of that name, if it is given.
    ///
    /// # Errors
    /// If it is given more than once.
    pub fn one(&self, name: &'static str) -> Result<Option<Value<'a>>, Complaint> {
        match self.all(name).as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            [_, second, ..] => Err(second.complaint("give just one")),
        }
    }

    /// A whole number, or `default`.
    ///
    /// # Errors
    /// If what is given is none, or outside the range.
    pub fn number(
        &self,
        name: &'static str,
        range: RangeInclusive<i64>,
        default: i64,
    ) -> Result<i64, Complaint> {
        let Some(value) = self.one(name)? else { return Ok(default) };
        let number = value.text.parse().ok().filter(|n| range.contains(n));
        number.ok_or_else(|| {
            value.complaint(format_args!("write a whole number from {} to {}", range.start(), range.end()))
        })
    }

    /// `true` or `false`, or `default`.
    ///
    /// # Errors
    /// If what is given is neither.
    pub fn flag(&self, name: &'static str, default: bool) -> Result<bool, Complaint> {
        let Some(value) = self.one(name)? else { return Ok(default) };
        value.text.parse().map_err(|_| value.complaint("write true or false"))
    }

    /// A set of cells by their names, or none if the parameter is not given.
    ///
    /// # Errors
    /// If a name is not that of a cell.
    pub fn cells(&self, name: &'static str, game: &Game) -> Result<Option<Cells>, Complaint> {
        let values = self.all(name);
        let cell = |v: &Value| game.cell_named(v.text).ok_or_else(|| v.complaint("write a cell's name"));
        let cells = values.iter().map(cell).collect::<Result<Cells, _>>()?;
        Ok((!values.is_empty()).then_some(cells))
    }

    /// The kinds of men by their names or letters, or none if the parameter is not given.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn men(&self, name: &'static str, game: &Game) -> Result<Option<Vec<crate::Kind>>, Complaint> {
        let values = self.all(name);
        let kind = |v: &Value| {
            let names: Vec<_> = game.men.iter().map(|m| m.name.as_str()).collect();
            game.kind(v.text).ok_or_else(|| v.complaint(format_args!("write one of {}", names.join(", "))))
        };
        let kinds = values.iter().map(kind).collect::<Result<Vec<_>, _>>()?;
        Ok((!values.is_empty()).then_some(kinds))
    }

    /// Refuses what nobody has asked for.
    pub(crate) fn finish(&self) -> Result<(), Complaint> {
        let Some((value, _)) = self.values.iter().find(|(_, used)| !used.get()) else { return Ok(()) };
        let asked = self.asked.borrow();
        let advice = if asked.is_empty() {
            "this rule has no parameters".into()
        } else {
            format!("this rule has {}", asked.join(", "))
        };
        let says = format!("there is no parameter {:?}; {advice}", value.name);
        Err(Complaint { parameter: value.place, says })
    }
}
