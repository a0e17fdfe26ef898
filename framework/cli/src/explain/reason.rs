//! Reasons why a move is refused: each with the rule it comes from, the board, the key of the config
//! that says so, and a sentence.
//!
//! Must not know how reasons are found.

use crate::words::{Words, a, counted, list};
use alice_core::{
    Board, BoardSet, Castling, Cell, Colour, Kind, KindSet, Man, Move, Rules, Setup, Square, Transfer, Wing,
};

/// How the king would come to be in check after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Danger {
    /// The king itself goes there, or castles there.
    KingGoes,
    /// It is in check now, and the move does not parry that.
    NotParried,
    /// It is in check now; the man would shield it where it arrives, but transfers to another board.
    ShieldLeaves,
    /// The man that moves shields it now.
    Pinned,
    /// Anything else: a captured man shielded it, or the man that lands serves a hopper.
    Opened,
}

/// One reason why a move is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The text fits several legal moves.
    Ambiguous {
        /// The moves that it fits.
        moves: Vec<Move>,
    },
    /// The man promotes there and the text does not say to what.
    PromotionMissing {
        /// The man.
        man: Man,
        /// Where it promotes.
        to: Cell,
    },
    /// The text says that the man promotes, but it does not do so there, or never.
    NoPromotion {
        /// The man.
        man: Man,
        /// Where it goes.
        to: Cell,
    },
    /// The man does not become that.
    PromotionImpossible {
        /// The man.
        man: Man,
        /// What the text asks for.
        kind: Kind,
    },
    /// Nobody stands there.
    NoMan {
        /// Where the text says, or could mean.
        squares: Vec<Square>,
        /// Men of the side to move on the same cell of another board.
        elsewhere: Vec<Square>,
    },
    /// No man of the side to move is what the text says.
    Nobody {
        /// The side to move.
        turn: Colour,
    },
    /// A man of the other side stands there.
    EnemyMan {
        /// Where.
        square: Square,
        /// Who.
        man: Man,
    },
    /// The man does not move like that.
    Movement {
        /// The man.
        man: Man,
        /// Where it stands.
        from: Square,
        /// Where it can't go.
        to: Cell,
        /// Where its movement leads.
        reaches: Vec<Cell>,
        /// To how many of these cells it has a legal move.
        legal: usize,
    },
    /// The man moves like that only from where it stands at the start.
    OnlyAtFirst {
        /// The man.
        man: Man,
        /// Where it stands.
        from: Square,
        /// Where it can't go.
        to: Cell,
        /// From where it could.
        initial: Vec<Cell>,
        /// Whether it is a pawn's double step.
        double_step: bool,
    },
    /// A pawn's double step, in a game without.
    NoDoubleStep {
        /// The pawn.
        man: Man,
        /// Where it stands.
        from: Square,
    },
    /// Men stand between.
    Blocked {
        /// The man that moves.
        man: Man,
        /// Where it stands.
        from: Square,
        /// Where it can't go.
        to: Cell,
        /// Those in the way.
        by: Vec<Square>,
    },
    /// A hopper does not find what it needs.
    Hurdle {
        /// The hopper.
        man: Man,
        /// Where it stands.
        from: Square,
        /// Where it can't go.
        to: Cell,
        /// The men between.
        over: Vec<Square>,
        /// Whether it must land just behind the man that it hops over.
        behind: bool,
    },
    /// A man of the same side stands on the arrival cell.
    OwnMan {
        /// Where.
        square: Square,
        /// Who.
        man: Man,
        /// The man that would capture it.
        mover: Man,
        /// Whether it is a zero move.
        zero: bool,
    },
    /// The arrival cell holds the enemy king.
    King {
        /// Where.
        square: Square,
        /// Whose.
        man: Man,
    },
    /// The man goes there only to capture, and nobody is there.
    OnlyToCapture {
        /// The man.
        man: Man,
        /// Where it stands.
        from: Square,
        /// The vacant cell.
        to: Cell,
    },
    /// The man goes there only without capturing, and somebody is there.
    OnlyToVacant {
        /// The man.
        man: Man,
        /// The occupied cell.
        square: Square,
        /// Who stands there.
        occupant: Man,
    },
    /// It would be a capture en passant, but the variant has none.
    NoEnPassant {
        /// The vacant cell.
        square: Square,
    },
    /// It would be a capture en passant, but the position gives no such right.
    EnPassantLate {
        /// The vacant cell.
        square: Square,
        /// The pawn that might be meant.
        pawn: Square,
    },
    /// It would be a capture en passant, but not from this board.
    EnPassantBoard {
        /// The vacant cell.
        square: Square,
        /// From where it would be allowed.
        boards: BoardSet,
    },
    /// Men of that board do not land there.
    NotOffered {
        /// The board left.
        origin: Board,
        /// The board asked for.
        landing: Board,
        /// The boards they may land on.
        offered: BoardSet,
    },
    /// Men do not stay on the board.
    MayNotStay {
        /// The board.
        origin: Board,
        /// Where they land instead.
        offered: BoardSet,
    },
    /// A man stays only if it can't transfer, and this one can.
    CanTransfer {
        /// The board.
        origin: Board,
        /// The vacant twins.
        vacant: Vec<Square>,
    },
    /// The twin of the arrival cell is occupied.
    TwinOccupied {
        /// The twin.
        square: Square,
        /// Who stands there.
        man: Man,
        /// Whether it is a zero move.
        zero: bool,
        /// Whether the other transfer would be the rook's or king's in castling.
        castling: bool,
    },
    /// The transfer rule, which is code, does not let it land there.
    RuleSet {
        /// The man.
        man: Man,
        /// Where it stands.
        from: Square,
        /// Where it would land.
        square: Square,
        /// Whether it is the king, castling.
        castling: bool,
    },
    /// The text names the same square twice.
    SameSquare {
        /// It.
        square: Square,
        /// Who stands there.
        man: Man,
    },
    /// The variant has no zero moves.
    NoZeroMoves {
        /// Where the man stands.
        square: Square,
    },
    /// This kind makes no zero moves.
    NotZeroMan {
        /// Where the man stands.
        square: Square,
        /// The man.
        man: Man,
        /// Those that do.
        men: KindSet,
    },
    /// With the man on its arrival cell, the king is in check before the transfer.
    CheckBefore {
        /// Where the king stands then.
        king: Square,
        /// Who attacks it.
        attackers: Vec<Square>,
        /// Whether it is the king that moves.
        king_goes: bool,
        /// Whether it is a zero move.
        zero: bool,
        /// Whether the man does not leave the board, so that there is no transfer to speak of.
        stays: bool,
    },
    /// The king is in check after the transfer.
    CheckAfter {
        /// The move.
        mv: Move,
        /// Where the king stands then.
        king: Square,
        /// Who attacks it.
        attackers: Vec<Square>,
        /// How that comes.
        danger: Danger,
        /// The config's key of the test that refuses it first.
        key: &'static str,
    },
    /// The variant has no castling for that side.
    NoCastling {
        /// Whose.
        colour: Colour,
    },
    /// The king does not stand where it castles from.
    CastlingNotHome {
        /// The castling nearest to what is meant.
        castling: Castling,
    },
    /// The king castles to another cell.
    CastlingArrival {
        /// What is meant.
        castling: Castling,
        /// What to write.
        write: String,
    },
    /// The position gives no right to castle.
    CastlingRight {
        /// What is meant.
        castling: Castling,
        /// Whether the rook still stands at home.
        rook_home: bool,
        /// The move that lost the right, if the game is known.
        lost_by: Option<Move>,
    },
    /// Men stand between king and rook.
    CastlingBlocked {
        /// What is meant.
        castling: Castling,
        /// Those in the way.
        by: Vec<Square>,
    },
    /// The king castles out of check, over or onto an attacked cell.
    CastlingAttacked {
        /// What is meant.
        castling: Castling,
        /// The attacked cell.
        cell: Cell,
        /// Who attacks it.
        attackers: Vec<Square>,
    },
}

/// A man's name as a config's key has it.
fn key_of_man(rules: &Rules, kind: Kind, field: &str) -> String {
    let name = &rules.man(kind).name;
    let bare = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if bare { format!("men.{name}.{field}") } else { format!("men.{name:?}.{field}") }
}

/// Which of the ways of transferring a variant has, as its config names it.
pub fn transfer_key(rules: &Rules) -> &'static str {
    let Transfer::Standard(transfer) = &rules.transfer else { return "transfer.plugin" };
    let next = |board: Board| BoardSet::of(Board((board.0 + 1) % rules.boards));
    if rules.all_boards().all(|b| transfer.to[b.index()] == BoardSet::EMPTY) {
        "transfer.none"
    } else if rules.all_boards().all(|b| transfer.to[b.index()] == next(b)) {
        "transfer.next"
    } else {
        "transfer.any-other"
    }
}

fn wing(wing: Wing) -> &'static str {
    match wing {
        Wing::King => "the king's wing",
        Wing::Queen => "the queen's wing",
    }
}

/// `board B`, `board B or C`.
fn boards(set: BoardSet) -> String {
    format!("board {}", list(set.iter(), "or"))
}

impl Reason {
    /// The rule's name, for programs. Names never change their meaning.
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::Ambiguous { .. } => "ambiguous",
            Self::PromotionMissing { .. } => "promotion-missing",
            Self::NoPromotion { .. } => "no-promotion",
            Self::PromotionImpossible { .. } => "promotion-impossible",
            Self::NoMan { .. } | Self::Nobody { .. } => "no-man",
            Self::EnemyMan { .. } => "enemy-man",
            Self::Movement { .. } => "movement",
            Self::OnlyAtFirst { .. } => "only-at-first",
            Self::NoDoubleStep { .. } => "no-double-step",
            Self::Blocked { .. } => "blocked",
            Self::Hurdle { .. } => "hurdle",
            Self::OwnMan { .. } => "own-man",
            Self::King { .. } => "king",
            Self::OnlyToCapture { .. } => "only-to-capture",
            Self::OnlyToVacant { .. } => "only-to-vacant",
            Self::NoEnPassant { .. } => "no-en-passant",
            Self::EnPassantLate { .. } => "en-passant-late",
            Self::EnPassantBoard { .. } => "en-passant-board",
            Self::NotOffered { .. } => "landing-board",
            Self::MayNotStay { .. } => "may-not-stay",
            Self::CanTransfer { .. } => "can-transfer",
            Self::TwinOccupied { .. } => "twin-occupied",
            Self::RuleSet { .. } => "rule-set",
            Self::SameSquare { .. } => "same-square",
            Self::NoZeroMoves { .. } => "no-zero-moves",
            Self::NotZeroMan { .. } => "zero-moves-men",
            Self::CheckBefore { .. } => "check-before-transfer",
            Self::CheckAfter { .. } => "check-after-transfer",
            Self::NoCastling { .. } => "no-castling",
            Self::CastlingNotHome { .. } => "castling-not-home",
            Self::CastlingArrival { .. } => "castling-arrival",
            Self::CastlingRight { .. } => "castling-right",
            Self::CastlingBlocked { .. } => "castling-blocked",
            Self::CastlingAttacked { .. } => "castling-attacked",
        }
    }

    /// The key of the variant's config that makes the rule; none for what holds in every game.
    pub fn key(&self, rules: &Rules) -> Option<String> {
        let key = match self {
            Self::NoPromotion { man, .. } if !rules.man(man.kind).promotes_to.is_empty() => {
                return Some(key_of_man(rules, man.kind, "promotes-on"));
            }
            Self::PromotionMissing { man, .. }
            | Self::NoPromotion { man, .. }
            | Self::PromotionImpossible { man, .. } => {
                return Some(key_of_man(rules, man.kind, "promotes-to"));
            }
            Self::OnlyAtFirst { man, double_step: true, .. } | Self::NoDoubleStep { man, .. } => {
                return Some(key_of_man(rules, man.kind, "double-step"));
            }
            Self::Movement { man, .. }
            | Self::OnlyAtFirst { man, .. }
            | Self::Blocked { man, .. }
            | Self::Hurdle { man, .. }
            | Self::OnlyToCapture { man, .. }
            | Self::OnlyToVacant { man, .. }
            | Self::OwnMan { mover: man, zero: false, .. }
            | Self::SameSquare { man, .. } => return Some(key_of_man(rules, man.kind, "movement")),
            Self::NoEnPassant { .. } | Self::EnPassantLate { .. } | Self::EnPassantBoard { .. } => {
                "en-passant"
            }
            Self::NotOffered { .. } | Self::RuleSet { .. } => transfer_key(rules),
            // All of this is then up to the one rule.
            Self::TwinOccupied { .. }
            | Self::MayNotStay { .. }
            | Self::CanTransfer { .. }
            | Self::NoZeroMoves { .. }
            | Self::NotZeroMan { .. }
                if matches!(rules.transfer, Transfer::Foreign(_)) =>
            {
                transfer_key(rules)
            }
            Self::TwinOccupied { zero: true, .. } => "zero-moves.capture",
            Self::TwinOccupied { .. } => transfer_key(rules),
            Self::MayNotStay { .. } | Self::CanTransfer { .. } => {
                return Some(format!("{}.staying", transfer_key(rules)));
            }
            // Who makes them stands in `men` or `except`, as the config likes.
            Self::NoZeroMoves { .. } | Self::NotZeroMan { .. } | Self::OwnMan { zero: true, .. } => {
                "zero-moves"
            }
            Self::CheckBefore { zero: true, .. } => "zero-moves.leave-check",
            Self::CheckBefore { .. } => "check.before-transfer",
            Self::CheckAfter { key, .. } => key,
            Self::NoCastling { .. }
            | Self::CastlingNotHome { .. }
            | Self::CastlingArrival { .. }
            | Self::CastlingRight { .. }
            | Self::CastlingBlocked { .. }
            | Self::CastlingAttacked { .. } => "castling",
            Self::Ambiguous { .. }
            | Self::NoMan { .. }
            | Self::Nobody { .. }
            | Self::EnemyMan { .. }
            | Self::King { .. } => return None,
        };
        Some(key.into())
    }

    /// The board on which the rule was broken, where one can be named.
    pub fn board(&self) -> Option<Board> {
        match self {
            Self::Ambiguous { .. }
            | Self::Nobody { .. }
            | Self::PromotionMissing { .. }
            | Self::NoPromotion { .. }
            | Self::PromotionImpossible { .. }
            | Self::NoCastling { .. } => None,
            Self::NoMan { squares, .. } => match squares.as_slice() {
                [one] => Some(one.board),
                _ => None,
            },
            Self::Movement { from, .. }
            | Self::OnlyAtFirst { from, .. }
            | Self::NoDoubleStep { from, .. }
            | Self::Blocked { from, .. }
            | Self::Hurdle { from, .. }
            | Self::OnlyToCapture { from, .. } => Some(from.board),
            Self::EnemyMan { square, .. }
            | Self::OwnMan { square, .. }
            | Self::King { square, .. }
            | Self::OnlyToVacant { square, .. }
            | Self::NoEnPassant { square }
            | Self::EnPassantLate { square, .. }
            | Self::EnPassantBoard { square, .. }
            | Self::TwinOccupied { square, .. }
            | Self::RuleSet { square, .. }
            | Self::SameSquare { square, .. }
            | Self::NotZeroMan { square, .. }
            | Self::NoZeroMoves { square } => Some(square.board),
            Self::NotOffered { landing, .. } => Some(*landing),
            Self::MayNotStay { origin, .. } | Self::CanTransfer { origin, .. } => Some(*origin),
            Self::CheckBefore { king, .. } | Self::CheckAfter { king, .. } => Some(king.board),
            Self::CastlingNotHome { castling }
            | Self::CastlingArrival { castling, .. }
            | Self::CastlingRight { castling, .. }
            | Self::CastlingBlocked { castling, .. }
            | Self::CastlingAttacked { castling, .. } => Some(castling.board),
        }
    }

    /// The reason in a sentence, without a full stop. `setup` is the position before the move.
    pub fn sentence(&self, rules: &Rules, setup: &Setup) -> String {
        let words = Words(rules);
        let shape = rules.shape;
        let cell = |c: Cell| shape.cell_name(c);
        let kind = |man: &Man| rules.man(man.kind).name.as_str();
        match self {
            Self::Ambiguous { moves } => {
                let exact = moves.iter().map(|m| m.exact(rules));
                format!("it fits {} legal moves: {}", moves.len(), list(exact, "and"))
            }
            Self::PromotionMissing { man, to } => {
                let kinds = rules.man(man.kind).promotes_to.iter().map(|k| {
                    let becomes = rules.man(*k);
                    format!("{} for {}", becomes.letter.to_ascii_lowercase(), a(&becomes.name))
                });
                format!("{} promotes on {}; add {}", a(kind(man)), cell(*to), list(kinds, "or"))
            }
            Self::NoPromotion { man, to } => {
                if rules.man(man.kind).promotes_to.is_empty() {
                    format!("{} never promotes", a(kind(man)))
                } else {
                    format!("{} does not promote on {}", words.a_man(*man), cell(*to))
                }
            }
            Self::PromotionImpossible { man, kind: wanted } => {
                let kinds = rules.man(man.kind).promotes_to.iter().map(|k| a(&rules.man(*k).name));
                let wanted = a(&rules.man(*wanted).name);
                format!("{} becomes {}, not {wanted}", a(kind(man)), list(kinds, "or"))
            }
            Self::NoMan { squares, elsewhere } => {
                let nobody = match squares.as_slice() {
                    [one] => format!("no man stands on {}", words.square(*one)),
                    [first, ..] => format!("no man stands on {} of any board", cell(first.cell)),
                    [] => "no man stands there".into(),
                };
                match elsewhere.as_slice() {
                    [] => nobody,
                    [one, ..] => {
                        let man = setup.man(*one).map_or_else(|| "man".into(), |m| words.man(m));
                        format!("{nobody}; the {man} on {} is on board {}", cell(one.cell), one.board)
                    }
                }
            }
            Self::Nobody { turn } => format!("{} has no man that could make it", turn.name()),
            Self::EnemyMan { square, man } => format!(
                "the man on {} is {}, and {} is to move",
                words.square(*square),
                words.a_man(*man),
                (!man.colour).name()
            ),
            Self::Movement { man, from, to, reaches, legal } => {
                let on = words.on(from.board).trim_start().to_string();
                let on = if on.is_empty() { on } else { on + " " };
                let cells = words.cells(reaches);
                let reach = match (reaches.len(), *legal) {
                    (0, _) => "it reaches no cell now".into(),
                    (all, legal) if all == legal => format!("it reaches {cells}"),
                    (1, _) => format!("its movement reaches {cells}, but another rule forbids that"),
                    (_, 0) => format!("its movement reaches {cells}, but other rules forbid all of them"),
                    _ => format!("its movement reaches {cells}, but other rules forbid some of them"),
                };
                format!("{} does not move to {}: {on}{reach}", words.man_there(*man, from.cell), cell(*to))
            }
            Self::OnlyAtFirst { man, from, to, initial, double_step } => {
                let what = if *double_step { "makes a double step" } else { "moves like that" };
                let places = places(rules, initial);
                format!(
                    "{} {what} only from {places}, not from {} to {}",
                    words.a_man(*man),
                    words.square(*from),
                    cell(*to)
                )
            }
            Self::NoDoubleStep { man, from } => format!(
                "{} of {} makes no double step; it goes one cell at a time from {}",
                a(kind(man)),
                rules.name,
                words.square(*from)
            ),
            Self::Blocked { man, from, to, by } => {
                let by = words.men_on(setup, by, from.board);
                format!(
                    "{} is blocked on its way to {}{} by {by}",
                    words.man_there(*man, from.cell),
                    cell(*to),
                    words.on(from.board)
                )
            }
            Self::Hurdle { man, from, to, over, behind } => {
                let between = match over.len() {
                    0 => "there is none".into(),
                    n => format!("there {} {}", if n == 1 { "is" } else { "are" }, {
                        let men = words.men_on(setup, over, from.board);
                        format!("{}, {men}", counted(n, "man", "men"))
                    }),
                };
                let needs = if *behind {
                    "hops over exactly one man, to the cell just behind it"
                } else {
                    "hops over exactly one man"
                };
                format!(
                    "{} {needs}; between {} and {}{} {between}",
                    a(kind(man)),
                    cell(from.cell),
                    cell(*to),
                    words.on(from.board)
                )
            }
            Self::OwnMan { square, man, .. } => format!(
                "{} holds {}: men don't capture their own side",
                words.square(*square),
                words.a_man(*man)
            ),
            Self::King { square, man } => {
                format!(
                    "the {} on {} can be attacked, but is never captured",
                    words.man(*man),
                    words.square(*square)
                )
            }
            Self::OnlyToCapture { man, from, to } => format!(
                "{} goes from {} to {} only to capture, and {} is vacant",
                words.a_man(*man),
                cell(from.cell),
                cell(*to),
                words.square(Square { board: from.board, cell: *to })
            ),
            Self::OnlyToVacant { man, square, occupant } => format!(
                "{} is occupied by {}: {} does not capture in that direction",
                words.square(*square),
                words.a_man(*occupant),
                a(kind(man))
            ),
            Self::NoEnPassant { square } => format!(
                "{} is vacant, so it would be a capture en passant, and {} has none",
                words.square(*square),
                rules.name
            ),
            Self::EnPassantLate { square, pawn } => format!(
                "{} is vacant, and {} can't be captured en passant: that is only possible right after its \
                 double step",
                words.square(*square),
                match setup.man(*pawn) {
                    Some(man) => words.man_on(man, *pawn),
                    None => words.square(*pawn),
                }
            ),
            Self::EnPassantBoard { square, boards: from } => format!(
                "{} is vacant: en passant, {} is captured by a pawn on {} only",
                words.square(*square),
                "the pawn that has just passed",
                boards(*from)
            ),
            Self::NotOffered { origin, landing, offered } => {
                if *offered == BoardSet::EMPTY || *offered == BoardSet::of(*origin) {
                    format!("men of board {origin} never leave it for board {landing}")
                } else {
                    format!("men of board {origin} land on {}, not on board {landing}", boards(*offered))
                }
            }
            Self::MayNotStay { origin, offered } => {
                format!("a man may not stay on board {origin}: it must transfer to {}", boards(*offered))
            }
            Self::CanTransfer { origin, vacant } => format!(
                "a man stays on board {origin} only if it can't transfer, but {} {} vacant",
                list(vacant.iter().map(|s| words.square(*s)), "and"),
                if vacant.len() == 1 { "is" } else { "are" }
            ),
            Self::TwinOccupied { square, man, zero, castling } => {
                let needs = match (zero, castling) {
                    (true, _) => "a zero move needs it vacant",
                    (_, true) => "king and rook need both cells vacant to land together",
                    _ => "the transfer needs it vacant",
                };
                format!("{} is occupied by {}: {needs}", words.square(*square), words.a_man(*man))
            }
            Self::RuleSet { man, from, square, castling } => {
                let (rules_of, man) = (format!("the rule set of {}", rules.name), words.man_on(*man, *from));
                if *castling {
                    format!("{rules_of} does not let king and rook land together{}", words.on(square.board))
                } else if square.cell == from.cell {
                    format!("{rules_of} does not let {man} go to {} without moving", words.square(*square))
                } else {
                    format!("{rules_of} does not let {man} land on {}", words.square(*square))
                }
            }
            Self::SameSquare { square, .. } => {
                format!("a move has to end somewhere else than on {}", words.square(*square))
            }
            Self::NoZeroMoves { square } => format!(
                "the man on {} would not move, so it would be a zero move, and {} has none",
                words.square(*square),
                rules.name
            ),
            Self::NotZeroMan { square, man, men } => format!(
                "{} makes no zero moves; only {} may",
                words.man_on(*man, *square),
                list(
                    men.iter().filter(|k| k.index() < rules.men.len()).map(|k| a(&rules.man(k).name)),
                    "and"
                )
            ),
            Self::CheckBefore { king, attackers, king_goes, zero, stays } => {
                let is = if *zero { "is" } else { "would be" };
                let when = match (*stays, *zero, *king_goes) {
                    (true, ..) => "",
                    (_, true, true) => ", and a king may not leave check by a zero move",
                    _ => " before the transfer",
                };
                format!(
                    "the king {is} in check{}{when}: {}",
                    on(rules, king.board),
                    words.attack(setup, attackers, *king)
                )
            }
            Self::CheckAfter { mv, king, attackers, danger, .. } => {
                check_after(rules, setup, mv, *king, attackers, *danger)
            }
            Self::NoCastling { colour } => {
                format!("there is no castling for {} in {}", colour.name(), rules.name)
            }
            Self::CastlingNotHome { castling } => format!(
                "{} castles with the king on {} only",
                castling.colour.name(),
                words.square(Square { board: castling.board, cell: castling.king_from })
            ),
            Self::CastlingArrival { castling, write } => format!(
                "to castle on {} the king goes to {}: write {write}",
                wing(castling.wing),
                cell(castling.king_to)
            ),
            Self::CastlingRight { castling, rook_home, lost_by } => {
                let home = Square { board: castling.board, cell: castling.rook_from };
                let why = if let Some(mv) = lost_by {
                    format!(": it was lost by {}", mv.exact(rules))
                } else if *rook_home {
                    String::new()
                } else {
                    let rook = &rules.man(castling.rook).name;
                    format!(" (no {rook} of its own stands on {})", words.square(home))
                };
                format!(
                    "the position gives {} no right to castle on {}{why}",
                    castling.colour.name(),
                    wing(castling.wing)
                )
            }
            Self::CastlingBlocked { castling, by } => format!(
                "castling on {} is blocked by {}{}",
                wing(castling.wing),
                words.men_on(setup, by, castling.board),
                words.on(castling.board)
            ),
            Self::CastlingAttacked { castling, cell: attacked, attackers } => {
                let by = words.men_on(setup, attackers, castling.board);
                let at = words.square(Square { board: castling.board, cell: *attacked });
                if *attacked == castling.king_from {
                    format!("the king may not castle out of check, and {by} attacks it on {at}")
                } else if *attacked == castling.king_to {
                    format!("the king would arrive on {at}, which {by} attacks")
                } else {
                    format!("the king would pass over {at}, which {by} attacks")
                }
            }
        }
    }
}

/// Cells in words: whole ranks by their number, or each by its name.
fn places(rules: &Rules, cells: &[Cell]) -> String {
    let shape = rules.shape;
    let rank = |c: &Cell| shape.coordinates(*c)[1];
    let mut ranks: Vec<_> = cells.iter().map(rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    if cells.is_empty() {
        "nowhere".into()
    } else if cells.len() == ranks.len() * shape.files() * shape.levels() {
        format!("rank {}", list(ranks.iter().map(|r| r + 1), "or"))
    } else {
        Words(rules).cells(cells)
    }
}

fn check_after(
    rules: &Rules,
    setup: &Setup,
    mv: &Move,
    king: Square,
    attackers: &[Square],
    danger: Danger,
) -> String {
    let words = Words(rules);
    let by = words.men_on(setup, attackers, king.board);
    let attack = words.attack(setup, attackers, king);
    let king_cell = rules.shape.cell_name(king.cell);
    let man = setup.man(mv.start()).map_or_else(|| "the man".into(), |m| words.man_there(m, mv.from));
    let side = setup.turn.name();
    let on = on(rules, king.board);
    match danger {
        Danger::KingGoes => {
            let when = if mv.landing == mv.origin { "" } else { " after the transfer" };
            format!("the king would be in check{on}{when}: {attack}")
        }
        Danger::NotParried => format!("{side} is in check{on}, and the move does not parry it: {attack}"),
        Danger::ShieldLeaves => format!(
            "{side} is in check{on}: on {} {man} would shield the king, but it goes on to board {}, and {attack}",
            rules.shape.cell_name(mv.to),
            mv.landing
        ),
        Danger::Pinned => format!("{man} is pinned{on}: it shields the king on {king_cell} from {by}"),
        Danger::Opened => format!("{side} would be in check{on} after the move: {attack}"),
    }
}

/// ` on A`; nothing where there is one board.
fn on(rules: &Rules, board: Board) -> String {
    if rules.boards > 1 { format!(" on {board}") } else { String::new() }
}
