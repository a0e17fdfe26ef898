//! Moves as people write them: `Nf3`, `d4/A`, `Rbg8/A`, `O-O-O`, `e8=Q+`. Written in one way, read in
//! many. The conventions are told in docs/notation.md.
//!
//! Must not know what makes a move legal, nor any variant: letters come from the rules, and what has
//! to be said to tell moves apart comes from the legal moves.

use crate::men::{Colour, Kind, Man};
use crate::moves::{Move, MoveKind};
use crate::position::{MoveError, Pattern, Position};
use crate::rules::{Castling, Rules, Wing};
use crate::shape::{Board, Cell, Shape, Square};
use std::ops::Range;

/// A language, for the letters of men.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// The letters of the rules, whatever they are.
    #[default]
    English,
    /// K D T L S
    German,
    /// R D T F C
    French,
    /// R D T A C
    Spanish,
    /// R D T A C
    Catalan,
    /// R D T A C
    Italian,
    /// R D T N C
    Romanian,
}

/// The men that have letters in every language and figurines, in the order of the figurines.
const ORTHODOX: [&str; 6] = ["king", "queen", "rook", "bishop", "knight", "pawn"];

impl Language {
    /// All languages.
    pub const ALL: [Self; 7] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Catalan,
        Self::Italian,
        Self::Romanian,
    ];

    /// The two letters by which the language is known: `en`, `de`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Catalan => "ca",
            Self::Italian => "it",
            Self::Romanian => "ro",
        }
    }

    /// The language with this code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// The letters of [`ORTHODOX`] men.
    const fn orthodox(self) -> &'static str {
        match self {
            Self::English => "KQRBNP",
            Self::German => "KDTLSB",
            Self::French => "RDTFCP",
            Self::Spanish | Self::Catalan | Self::Italian => "RDTACP",
            Self::Romanian => "RDTNCP",
        }
    }

    /// A letter for each kind of man, each once. Men that every game knows, by their English names, have
    /// the letters of the language. Others keep their own; where that is taken, they get the first free
    /// letter of their name, or of the alphabet.
    pub fn letters(self, rules: &Rules) -> Vec<char> {
        if self == Self::English {
            return rules.men.iter().map(|man| man.letter).collect();
        }
        let orthodox = |name: &str| {
            let n = ORTHODOX.iter().position(|known| *known == name)?;
            self.orthodox().chars().nth(n)
        };
        let mut letters: Vec<Option<char>> = rules.men.iter().map(|man| orthodox(&man.name)).collect();
        for (n, man) in rules.men.iter().enumerate() {
            if letters[n].is_none() {
                let name = man.name.chars().filter(char::is_ascii_alphabetic);
                let wishes = [man.letter].into_iter().chain(name.map(|c| c.to_ascii_uppercase()));
                letters[n] = wishes.chain('A'..='Z').find(|c| !letters.contains(&Some(*c)));
            }
        }
        letters.into_iter().map(|letter| letter.expect("there are at most 26 kinds")).collect()
    }
}

/// What a text says of the square that a man leaves.
#[derive(Clone, Copy)]
enum Hint {
    Nothing,
    File(i32),
    Rank(i32),
    Level(i32),
    Cell(Cell),
    Square(Square),
}

impl Hint {
    /// All that can be said of a square, the shortest first.
    fn all(shape: Shape, square: Square) -> impl Iterator<Item = Self> {
        let [file, rank, level] = shape.coordinates(square.cell);
        let file = files_are_hints(shape).then_some(Self::File(file));
        let level = (shape.levels() > 1).then_some(Self::Level(level));
        let rest = [Self::Cell(square.cell), Self::Square(square)];
        let shorter = [Some(Self::Nothing), file, Some(Self::Rank(rank)), level];
        shorter.into_iter().flatten().chain(rest)
    }

    fn holds(self, shape: Shape, square: Square) -> bool {
        let [file, rank, level] = shape.coordinates(square.cell);
        match self {
            Self::Nothing => true,
            Self::File(known) => known == file,
            Self::Rank(known) => known == rank,
            Self::Level(known) => known == level,
            Self::Cell(known) => known == square.cell,
            Self::Square(known) => known == square,
        }
    }

    fn text(self, shape: Shape) -> String {
        let letter = |first: u8, n: i32| ((first + n as u8) as char).to_string();
        match self {
            Self::Nothing => String::new(),
            Self::File(file) => letter(b'a', file),
            Self::Rank(rank) => (rank + 1).to_string(),
            Self::Level(level) => letter(b'A', level),
            Self::Cell(cell) => shape.cell_name(cell),
            Self::Square(square) => format!("{}{}", shape.cell_name(square.cell), square.board),
        }
    }

    fn read(rules: &Rules, text: &str) -> Option<Self> {
        let shape = rules.shape;
        if text.is_empty() {
            return Some(Self::Nothing);
        }
        if let Some((cell, rest)) = shape.read_cell(text) {
            return match rest.as_bytes() {
                [] => Some(Self::Cell(cell)),
                [board] => {
                    named_board(rules, *board as char).map(|board| Self::Square(Square { board, cell }))
                }
                _ => None,
            };
        }
        if let [letter] = text.as_bytes() {
            let file = i32::from(*letter) - i32::from(b'a');
            if files_are_hints(shape) && (0..shape.files() as i32).contains(&file) {
                return Some(Self::File(file));
            }
            let level = i32::from(*letter) - i32::from(b'A');
            if shape.levels() > 1 && (0..shape.levels() as i32).contains(&level) {
                return Some(Self::Level(level));
            }
        }
        let digits = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
        let rank = text.parse::<usize>().ok().filter(|rank| digits && *rank <= shape.ranks())?;
        Some(Self::Rank(rank as i32 - 1))
    }
}

/// Whether a file alone can stand before a cell. Where there is a file x it could not be told from a
/// capture.
fn files_are_hints(shape: Shape) -> bool {
    shape.files() <= usize::from(b'x' - b'a')
}

fn named_board(rules: &Rules, letter: char) -> Option<Board> {
    let board = Board((letter.to_ascii_uppercase() as u32).wrapping_sub('A' as u32).min(255) as u8);
    rules.has_board(board).then_some(board)
}

/// Where a text says that the man arrives.
#[derive(Clone, Copy)]
enum Arrival {
    Cell(Cell),
    /// `exd`: a pawn captures on a file.
    File(i32),
}

/// One way to understand the middle of a text: man, square left, capture, arrival.
#[derive(Clone, Copy)]
struct Reading {
    kind: Kind,
    left: Hint,
    zero: bool,
    capture: bool,
    arrival: Arrival,
}

/// A text taken apart from its end: the middle, and what follows it.
struct Text<'a> {
    middle: &'a str,
    landing: Option<Board>,
    promotion: Option<Kind>,
    /// `+` or `#`, if the text has one.
    sign: Option<char>,
}

/// A position whose moves are written and read.
struct Notation<'a> {
    position: &'a Position,
    legal: Vec<Move>,
    letters: Vec<char>,
}

impl<'a> Notation<'a> {
    fn new(position: &'a Position, language: Language) -> Self {
        Self { position, legal: position.legal_moves(), letters: language.letters(position.rules()) }
    }

    fn rules(&self) -> &'a Rules {
        self.position.rules()
    }

    /// The kind whose men have no letter: the first that is a pawn.
    fn letterless(&self) -> Option<Kind> {
        let first = self.rules().men.iter().position(|man| man.pawn)?;
        Some(Kind(first as u8))
    }

    fn kind(&self, mv: &Move) -> Kind {
        self.position.man(mv.start()).expect("a legal move starts from a man").kind
    }

    fn captures(&self, mv: &Move) -> bool {
        match mv.kind {
            MoveKind::Ordinary => self.position.man(Square { board: mv.origin, cell: mv.to }).is_some(),
            MoveKind::Zero => self.position.man(mv.end()).is_some(),
            MoveKind::EnPassant => true,
            MoveKind::Castling(_) => false,
        }
    }

    /// `+`, `#` or nothing.
    fn sign(&self, mv: &Move) -> &'static str {
        let after = self.position.after(mv);
        match after.in_check() {
            false => "",
            true if after.legal_moves().is_empty() => "#",
            true => "+",
        }
    }

    /// The landing board, where it has to be written: board A, or one of several that the man could choose.
    fn landing(&self, mv: &Move) -> Option<Board> {
        let same = |other: &&Move| {
            other.start() == mv.start()
                && other.to == mv.to
                && other.promotion == mv.promotion
                && is_castling(other) == is_castling(mv)
        };
        let choice = self.legal.iter().filter(same).any(|other| other.landing != mv.landing);
        let written = self.rules().boards > 1 && (mv.landing == Board(0) || choice || is_zero(mv));
        written.then_some(mv.landing)
    }

    /// The shortest hint that tells the man from others of its kind, on all boards, that could arrive on
    /// the same cell. Where they would land is not looked at, but for zero moves.
    fn hint(&self, mv: &Move) -> Hint {
        let (shape, kind, pawn) =
            (self.rules().shape, self.kind(mv), Some(self.kind(mv)) == self.letterless());
        let capture = self.captures(mv);
        let rival = |other: &&Move| {
            other.to == mv.to
                && other.start() != mv.start()
                && !is_castling(other)
                && is_zero(other) == is_zero(mv)
                && self.kind(other) == kind
                // A pawn's capture shows its file as it is, and a push is never taken for one.
                && (!pawn || self.captures(other) == capture)
        };
        let rivals: Vec<Square> = self.legal.iter().filter(rival).map(Move::start).collect();
        let can_stand = |hint: &Hint| match hint {
            Hint::Nothing => !(pawn && capture && !is_zero(mv)),
            // Before a pawn's cell it would look like the letter of a man.
            Hint::Level(_) => !pawn,
            _ => true,
        };
        Hint::all(shape, mv.start())
            .filter(can_stand)
            .find(|hint| !rivals.iter().any(|square| hint.holds(shape, *square)))
            .expect("no two men share a square")
    }

    fn write(&self, mv: &Move) -> String {
        let mut text = String::new();
        match mv.kind {
            MoveKind::Castling(Wing::King) => text.push_str("O-O"),
            MoveKind::Castling(Wing::Queen) => text.push_str("O-O-O"),
            _ => {
                let kind = self.kind(mv);
                text.extend((Some(kind) != self.letterless()).then(|| self.letters[kind.index()]));
                text += &self.hint(mv).text(self.rules().shape);
                text.extend(is_zero(mv).then_some('='));
                text.extend(self.captures(mv).then_some('x'));
                text += &self.rules().shape.cell_name(mv.to);
            }
        }
        if let Some(kind) = mv.promotion {
            text.push('=');
            text.push(self.letters[kind.index()]);
        }
        if let Some(board) = self.landing(mv) {
            text += &format!("/{board}");
        }
        text + self.sign(mv)
    }

    /// The kind that a letter or a figurine stands for.
    fn kind_of(&self, letter: char) -> Option<Kind> {
        let figurine = (letter as u32).checked_sub('♔' as u32).filter(|n| *n < 12);
        let found = match figurine {
            Some(n) => self.rules().men.iter().position(|man| man.name == ORTHODOX[n as usize % 6]),
            None => self.letters.iter().position(|known| *known == letter),
        };
        found.map(|n| Kind(n as u8))
    }

    /// Takes move number, signs, remarks, landing board and promotion off a text.
    fn take_apart<'t>(&self, text: &'t str) -> Result<Text<'t>, MoveError> {
        let mut middle = text.trim_start();
        let number = middle.trim_start_matches(|c: char| c.is_ascii_digit());
        if number.len() < middle.len() && number.starts_with(['.', '…']) {
            middle = number.trim_start_matches(['.', '…', ' ']);
        }
        let mut read = Text { middle, landing: None, promotion: None, sign: None };
        loop {
            let rest = read.middle;
            let mut ends = rest.char_indices().rev();
            let Some((end, last)) = ends.next() else { break };
            let before = ends.next().map(|(_, c)| c);
            if last.is_whitespace() || matches!(last, '!' | '?' | '=') {
                read.middle = &rest[..end];
            } else if matches!(last, '+' | '†' | '#' | '‡') {
                let sign = if matches!(last, '+' | '†') { '+' } else { '#' };
                read.sign = read.sign.filter(|known| *known == '#').or(Some(sign));
                read.middle = &rest[..end];
            } else if let Some(shorter) = rest.strip_suffix("e.p.").or(rest.strip_suffix("ep")) {
                read.middle = shorter;
            } else if read.landing.is_none() && before == Some('/') && last.is_ascii_alphabetic() {
                let Some(board) = named_board(self.rules(), last) else {
                    let last_board = Board(self.rules().boards - 1);
                    let boards = match self.rules().boards {
                        1 => format!(
                            "{} is played on one board: leave {:?} out",
                            self.rules().name,
                            &rest[end - 1..]
                        ),
                        _ => format!("boards are A to {last_board}"),
                    };
                    let at = place(text, &rest[end..]);
                    return Err(unreadable(text, at, format!("there is no board {last}"), boards));
                };
                read.landing = Some(board);
                read.middle = &rest[..end - 1];
            } else if read.promotion.is_none()
                && let Some((kind, shorter)) = self.take_promotion(rest)
            {
                read.promotion = Some(kind);
                read.middle = shorter;
            } else {
                break;
            }
        }
        Ok(read)
    }

    /// Takes `=Q`, `=q`, `(Q)` or, after a digit, `Q` or `q` off the end of a text.
    fn take_promotion<'t>(&self, text: &'t str) -> Option<(Kind, &'t str)> {
        let (inner, bracket) = text.strip_suffix(')').map_or((text, false), |inner| (inner, true));
        let letter = inner.chars().next_back()?;
        let rest = &inner[..inner.len() - letter.len_utf8()];
        let rest = match bracket {
            true => rest.strip_suffix('(')?,
            false => rest
                .strip_suffix('=')
                .or_else(|| rest.ends_with(|c: char| c.is_ascii_digit()).then_some(rest))?,
        };
        Some((self.kind_of(letter.to_ascii_uppercase())?, rest))
    }

    /// The wing, if the middle of a text is castling: `O-O`, `0-0-0`, `OO`.
    fn castling(middle: &str) -> Option<Wing> {
        let mut wings = 0;
        for c in middle.chars() {
            match c {
                'O' | '0' | 'o' => wings += 1,
                '-' | '–' | '—' => {}
                _ => return None,
            }
        }
        match wings {
            2 => Some(Wing::King),
            3 => Some(Wing::Queen),
            _ => None,
        }
    }

    /// All ways to understand the middle of a text. On most boards there is one at most; a letter that
    /// names both a man and a level may make it two.
    fn readings(&self, middle: &str) -> Vec<Reading> {
        let first = middle.chars().next();
        let lettered = first.and_then(|c| Some((self.kind_of(c)?, &middle[c.len_utf8()..])));
        let letterless = self.letterless().map(|kind| (kind, middle));
        let mut readings = Vec::new();
        for (kind, rest) in lettered.into_iter().chain(letterless) {
            for (start, _) in rest.char_indices() {
                let (before, after) = rest.split_at(start);
                let arrival = match self.rules().shape.read_cell(after) {
                    Some((cell, "")) => Arrival::Cell(cell),
                    _ if Some(kind) == self.letterless() && !before.is_empty() => {
                        match Hint::read(self.rules(), after) {
                            Some(Hint::File(file)) => Arrival::File(file),
                            _ => continue,
                        }
                    }
                    _ => continue,
                };
                for (mark, zero, capture) in [
                    ("=x", true, true),
                    ("=", true, false),
                    ("x", false, true),
                    ("×", false, true),
                    (":", false, true),
                    ("-", false, false),
                    ("–", false, false),
                    ("", false, false),
                ] {
                    let left = before.strip_suffix(mark).and_then(|hint| Hint::read(self.rules(), hint));
                    if let Some(left) = left {
                        readings.push(Reading { kind, left, zero, capture, arrival });
                    }
                }
            }
        }
        readings
    }

    /// Whether a reading could mean a move; whether it captures is not looked at.
    fn means(&self, reading: &Reading, mv: &Move) -> bool {
        let shape = self.rules().shape;
        let arrives = match reading.arrival {
            Arrival::Cell(cell) => cell == mv.to,
            Arrival::File(file) => shape.coordinates(mv.to)[0] == file && self.captures(mv),
        };
        arrives
            && !is_castling(mv)
            && is_zero(mv) == reading.zero
            && reading.left.holds(shape, mv.start())
            && self.kind(mv) == reading.kind
    }

    fn read(&self, text: &str) -> Result<Move, MoveError> {
        let parts = self.take_apart(text)?;
        let lands = |mv: &&Move| parts.landing.is_none_or(|board| board == mv.landing);
        let wing = Self::castling(parts.middle);
        let readings = self.readings(parts.middle);
        let mut fit: Vec<Move> = match wing {
            Some(wing) => self
                .legal
                .iter()
                .filter(lands)
                .filter(|mv| mv.kind == MoveKind::Castling(wing))
                .copied()
                .collect(),
            None if readings.is_empty() => return Err(self.not_a_move(text, &parts)),
            None => {
                let meant = |mv: &&Move| readings.iter().any(|reading| self.means(reading, mv));
                self.legal.iter().filter(lands).filter(meant).copied().collect()
            }
        };
        let given: Vec<Move> = fit.iter().filter(|mv| mv.promotion == parts.promotion).copied().collect();
        let text = shortened(text);
        if given.is_empty() {
            let candidates = self.written(&fit);
            return Err(match (fit.is_empty(), parts.promotion) {
                (true, _) => MoveError::Illegal { text },
                (false, None) => MoveError::PromotionMissing { text, candidates },
                (false, Some(_)) => MoveError::PromotionImpossible { text, candidates },
            });
        }
        fit = given;
        // Several moves fit: then what people may leave out or get wrong counts, if it tells them apart.
        self.prefer(&mut fit, |mv| {
            wing.is_some() || readings.iter().any(|r| self.means(r, mv) && r.capture == self.captures(mv))
        });
        self.prefer(&mut fit, |mv| match parts.sign {
            None => true,
            Some('#') => self.sign(mv) == "#",
            Some(_) => !self.sign(mv).is_empty(),
        });
        // With levels a letter may be a man or a level (`BCc5`): what is written just so is meant.
        let unsigned = text.trim_end_matches(['+', '#', '!', '?']);
        self.prefer(&mut fit, |mv| self.write(mv).trim_end_matches(['+', '#']) == unsigned);
        match fit.as_slice() {
            [one] => Ok(*one),
            several => Err(MoveError::Ambiguous { text, candidates: self.written(several) }),
        }
    }

    /// The movements that a text could mean, legal or not: of which men, to where.
    fn attempts(&self, text: &str) -> Result<Vec<Pattern>, MoveError> {
        let parts = self.take_apart(text)?;
        let (rules, turn) = (self.rules(), self.position.turn());
        let letter = |kind: Kind| rules.letter(kind, Colour::Black);
        let promotion = parts.promotion.map(letter);
        if let Some(wing) = Self::castling(parts.middle) {
            let ways = rules.castling.iter().filter(|way| way.wing == wing && way.colour == turn);
            let pattern = |way: &Castling| Pattern {
                from: way.king_from,
                origin: Some(way.board),
                to: way.king_to,
                landing: parts.landing,
                promotion,
            };
            return Ok(ways.map(pattern).collect());
        }
        let readings = self.readings(parts.middle);
        if readings.is_empty() {
            return Err(self.not_a_move(text, &parts));
        }
        let (shape, setup) = (rules.shape, self.position.setup());
        let mut attempts = Vec::new();
        for reading in readings {
            let Arrival::Cell(to) = reading.arrival else { continue };
            // A pawn of which nothing is said goes straight on.
            let straight = Some(reading.kind) == self.letterless()
                && shape.levels() == 1
                && matches!(reading.left, Hint::Nothing)
                && !reading.zero;
            for square in setup.find(Man { kind: reading.kind, colour: turn }) {
                let from = square.cell;
                let near = !straight || shape.coordinates(from)[0] == shape.coordinates(to)[0];
                if near && reading.left.holds(shape, square) && reading.zero == (from == to) {
                    let (origin, landing) = (Some(square.board), parts.landing);
                    attempts.push(Pattern { from, origin, to, landing, promotion });
                }
            }
        }
        Ok(attempts)
    }

    /// Keeps the moves for which something holds, if there are several moves and it holds for any.
    fn prefer(&self, moves: &mut Vec<Move>, holds: impl Fn(&Move) -> bool) {
        if moves.len() > 1 && moves.iter().any(&holds) {
            moves.retain(holds);
        }
    }

    fn written(&self, moves: &[Move]) -> Vec<String> {
        let mut texts: Vec<String> = moves.iter().map(|mv| self.write(mv)).collect();
        texts.sort();
        texts
    }

    fn not_a_move(&self, text: &str, parts: &Text) -> MoveError {
        let (rules, middle) = (self.rules(), parts.middle);
        let shape = rules.shape;
        let (first, last) = (shape.cell_name(Cell(0)), shape.cell_name(Cell((shape.cells() - 1) as u8)));
        let cell = middle.char_indices().find_map(|(start, _)| {
            shape.read_cell(&middle[start..]).filter(|(_, rest)| rest.is_empty()).map(|_| start)
        });
        let Some(cell) = cell else {
            let problem = "it does not end with the cell where a man arrives".to_string();
            let lettered = rules.men.iter().zip(&self.letters).find(|(man, _)| !man.pawn && !man.royal);
            let letter = lettered.map_or(String::new(), |(_, letter)| letter.to_string());
            let advice =
                format!("cells are {first} to {last}; write a move like {letter}{last} or {first}{last}");
            return unreadable(text, place(text, middle), problem, advice);
        };
        let before = &middle[..cell];
        let letters: String = self.letters.iter().collect();
        let problem = format!("{:?} can't stand before {}", shortened(before), &middle[cell..]);
        let advice = format!("write the letter of a man, of {letters}, then, where needed, what it leaves");
        unreadable(text, place(text, before), problem, advice)
    }
}

fn is_castling(mv: &Move) -> bool {
    matches!(mv.kind, MoveKind::Castling(_))
}

fn is_zero(mv: &Move) -> bool {
    mv.kind == MoveKind::Zero
}

/// The bytes of a text at which a part of it stands.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

fn unreadable(text: &str, at: Range<usize>, problem: String, advice: String) -> MoveError {
    MoveError::Unreadable { text: shortened(text), at, problem, advice }
}

impl Position {
    /// A legal move as people write it: `Nf3`, `d4/A`, `e8=Q+`. Two legal moves never share it.
    ///
    /// # Panics
    /// May panic if the move is not one of [`Position::legal_moves`].
    pub fn algebraic(&self, mv: &Move) -> String {
        self.algebraic_in(Language::English, mv)
    }

    /// The same, with the letters of a language.
    ///
    /// # Panics
    /// As [`Position::algebraic`].
    pub fn algebraic_in(&self, language: Language, mv: &Move) -> String {
        Notation::new(self, language).write(mv)
    }

    /// Reads a move as people write it, leniently: `0-0`, `exd`, `e8Q`, `Nf3!?`, `♘f3`. A landing board
    /// may be left out or added, and so may signs; where several moves fit, signs that are there count.
    ///
    /// # Errors
    /// If the text is no move, or fits no legal move or more than one.
    pub fn read_algebraic(&self, text: &str) -> Result<Move, MoveError> {
        self.read_algebraic_in(Language::English, text)
    }

    /// The same, with the letters of a language.
    ///
    /// # Errors
    /// As [`Position::read_algebraic`].
    pub fn read_algebraic_in(&self, language: Language, text: &str) -> Result<Move, MoveError> {
        Notation::new(self, language).read(text)
    }

    /// What a text in algebraic notation could mean, whether it is legal or not: for each man that it
    /// fits, from where to where it would go. None if there is no such man. With this one can say why
    /// a move that [`Position::read_algebraic_in`] does not find is none.
    ///
    /// # Errors
    /// If the text is no move.
    pub fn algebraic_attempts(&self, language: Language, text: &str) -> Result<Vec<Pattern>, MoveError> {
        Notation::new(self, language).attempts(text)
    }
}
