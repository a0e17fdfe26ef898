//! Problems written as the program Popeye reads them: piece lists, stipulation, options, twins.
//!
//! Must not know how problems are solved. What is read is a choice of Popeye's language; whatever else
//! there is gets refused by name.

use crate::problem::{Problem, castling_at_home};
use crate::stipulation::{Play, Stipulation};
use alice_core::{Board, Cell, Colour, EnPassant, Fault, Kind, Man, Rules, Setup, Square, Variant};
use std::ops::Range;

/// A problem of a file; each twin is one.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Title, author and origin, a line each.
    pub heading: Vec<String>,
    /// `a`, `b` … of a twin, and what makes it one; both empty for a problem without twins.
    pub twin: [String; 2],
    /// What is to be solved.
    pub problem: Problem,
    /// Whether tries are wanted.
    pub tries: bool,
    /// Whether set play is wanted.
    pub set_play: bool,
    /// Whether variations are wanted.
    pub variations: bool,
}

/// Reads all problems of a file. The men are those of the variant, with their letters; a knight may also be
/// called S.
///
/// # Errors
/// All faults, with their places.
pub fn read_popeye(variant: &Variant, text: &str) -> Result<Vec<Entry>, Vec<Fault>> {
    let mut reader = Reader { variant, text, at: 0, faults: Vec::new(), entries: Vec::new() };
    reader.file();
    if reader.faults.is_empty() { Ok(reader.entries) } else { Err(reader.faults) }
}

/// What a problem says before it is put together.
#[derive(Clone)]
struct Draft {
    heading: Vec<String>,
    setup: Setup,
    stipulation: Option<Stipulation>,
    /// What is said that would change one problem into a twin.
    note: String,
    tries: bool,
    set_play: bool,
    variations: bool,
    white_begins: bool,
    /// Where men stand that can't castle.
    no_castling: Vec<Cell>,
    /// The cells that a pawn has just left and passed over.
    double_step: Option<(Cell, Cell)>,
}

const COMMANDS: [&str; 14] = [
    "beginproblem",
    "nextproblem",
    "endproblem",
    "pieces",
    "stipulation",
    "option",
    "condition",
    "twin",
    "author",
    "origin",
    "title",
    "remark",
    "protocol",
    "forsyth",
];
const TWINS: [&str; 6] = ["move", "exchange", "remove", "add", "stipulation", "cont"];
const OPTIONS: [&str; 8] =
    ["try", "setplay", "variation", "noboard", "whitetoplay", "nocastling", "enpassant", "intelligent"];

/// The word of a list that a token begins, in small letters: Popeye takes any beginning that is clear.
fn known<'w>(token: &str, words: &[&'w str]) -> Option<&'w str> {
    let small = token.to_ascii_lowercase();
    let mut fits = words.iter().filter(|word| word.starts_with(&small));
    match (fits.next(), fits.next()) {
        (Some(word), None) => Some(word),
        (Some(_), Some(_)) => words.iter().find(|word| **word == small).copied(),
        _ => None,
    }
}

fn colour(token: &str) -> Option<Colour> {
    match known(token, &["white", "black"]) {
        Some("white") if token.len() > 1 => Some(Colour::White),
        Some("black") if token.len() > 1 => Some(Colour::Black),
        _ => None,
    }
}

struct Reader<'a> {
    variant: &'a Variant,
    text: &'a str,
    at: usize,
    faults: Vec<Fault>,
    entries: Vec<Entry>,
}

impl<'a> Reader<'a> {
    fn rules(&self) -> &'a Rules {
        self.variant.rules()
    }

    fn fault(&mut self, at: Range<usize>, problem: impl Into<String>, advice: impl Into<String>) {
        // So many are enough to see that it is not a file of problems.
        if self.faults.len() < 100 {
            self.faults.push(Fault { at, problem: problem.into(), advice: advice.into() });
        }
    }

    /// The next word, without taking it.
    fn peek(&self) -> Option<Range<usize>> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.find(|c: char| !c.is_whitespace())?;
        let len = self.text[start..].find(char::is_whitespace).unwrap_or(self.text.len() - start);
        Some(start..start + len)
    }

    fn word(&self, place: &Range<usize>) -> &'a str {
        &self.text[place.clone()]
    }

    fn take(&mut self) -> Option<Range<usize>> {
        let place = self.peek()?;
        self.at = place.end;
        Some(place)
    }

    /// The next word, unless it begins another command.
    fn argument(&mut self) -> Option<Range<usize>> {
        let place = self.peek()?;
        let word = self.word(&place);
        if word.len() >= 3 && known(word, &COMMANDS).is_some() {
            return None;
        }
        self.take()
    }

    /// The rest of the line.
    fn line(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.find('\n').unwrap_or(rest.len());
        self.at += end;
        rest[..end].trim()
    }

    fn quoted(&self, place: &Range<usize>) -> String {
        let word: String = self.word(place).chars().filter(|c| !c.is_control()).take(24).collect();
        format!("{word:?}")
    }

    fn empty(&self) -> Draft {
        Draft {
            heading: Vec::new(),
            setup: Setup::empty(self.rules().shape, self.rules().boards),
            stipulation: None,
            note: String::new(),
            tries: false,
            set_play: false,
            variations: false,
            white_begins: false,
            no_castling: Vec::new(),
            double_step: None,
        }
    }

    fn file(&mut self) {
        let Some(first) = self.take() else {
            return self.fault(0..0, "there is no problem here", "begin with BeginProblem");
        };
        if known(self.word(&first), &COMMANDS) != Some("beginproblem") {
            let problem = format!("{} stands where a problem should begin", self.quoted(&first));
            return self.fault(first, problem, "begin with BeginProblem");
        }
        let mut began = first;
        let mut drafts = vec![self.empty()];
        loop {
            let Some(place) = self.take() else {
                self.fault(
                    self.text.len()..self.text.len(),
                    "the last problem does not end",
                    "write EndProblem",
                );
                return;
            };
            let word = self.word(&place);
            let draft = drafts.last_mut().expect("a problem has a draft");
            match known(word, &COMMANDS) {
                Some(end @ ("nextproblem" | "endproblem")) => {
                    self.finish(began, std::mem::take(&mut drafts));
                    began = place;
                    if end == "endproblem" {
                        // Files that were joined begin again; other text after the end is nobody's.
                        let next = self
                            .peek()
                            .filter(|next| known(self.word(next), &COMMANDS) == Some("beginproblem"));
                        let Some(next) = next else { return };
                        self.at = next.end;
                        began = next;
                    }
                    drafts.push(self.empty());
                }
                Some("author" | "origin" | "title") => {
                    let line = self.line().to_string();
                    draft.heading.push(line);
                }
                Some("remark" | "protocol") => {
                    self.line();
                }
                Some("pieces") => {
                    let mut setup = draft.setup.clone();
                    self.pieces(&mut setup);
                    drafts.last_mut().expect("still there").setup = setup;
                }
                Some("forsyth") => {
                    if let Some(setup) = self.forsyth() {
                        drafts.last_mut().expect("still there").setup = setup;
                    }
                }
                Some("stipulation") => {
                    let read = self.stipulation();
                    drafts.last_mut().expect("still there").stipulation = read;
                }
                Some("option") => {
                    let mut draft = drafts.pop().expect("a problem has a draft");
                    self.options(&mut draft);
                    drafts.push(draft);
                }
                Some("condition") => self.condition(),
                Some("twin") => self.twin(&mut drafts),
                Some("beginproblem") => {
                    self.fault(place, "a problem begins before the last one has ended", "write NextProblem");
                }
                _ => {
                    let problem = format!("{} is not known here", self.quoted(&place));
                    let advice = "known are Pieces, Forsyth, Stipulation, Option, Condition, Twin, Author, Origin, \
                                  Title, Remark, NextProblem and EndProblem";
                    self.fault(place, problem, advice);
                }
            }
        }
    }

    /// The kind of a letter; Popeye's knight is S.
    fn kind(&self, letter: char) -> Option<Kind> {
        let rules = self.rules();
        let knight = || rules.men.iter().position(|man| man.name == "knight").map(|k| Kind(k as u8));
        rules.kind_of_letter(letter).or_else(|| knight().filter(|_| letter.eq_ignore_ascii_case(&'s')))
    }

    fn pieces(&mut self, setup: &mut Setup) {
        let (mut side, mut board) = (None, Board(0));
        while let Some(place) = self.argument() {
            let word = self.word(&place);
            if let Some(named) = colour(word) {
                (side, board) = (Some(named), Board(0));
                continue;
            }
            let small = word.to_ascii_lowercase();
            if let Some(letter) = small.strip_prefix("alice").filter(|rest| rest.len() == 1) {
                board = Board(letter.as_bytes()[0].wrapping_sub(b'a'));
                if !self.rules().has_board(board) {
                    let problem =
                        format!("{} has no board {}", self.rules().name, letter.to_ascii_uppercase());
                    self.fault(place, problem, "boards are AliceA, AliceB and so on");
                    board = Board(0);
                }
                continue;
            }
            let Some(side) = side else {
                let problem = format!("{} stands before any colour", self.quoted(&place));
                self.fault(place, problem, "write White or Black first");
                continue;
            };
            self.men(place, side, board, setup);
        }
    }

    /// `Pc2d3e6`: a man's letter and cells.
    fn men(&mut self, place: Range<usize>, colour: Colour, board: Board, setup: &mut Setup) {
        let word = self.word(&place);
        let letter = word.chars().next().expect("a word is not empty");
        let Some(kind) = self.kind(letter) else {
            let letters: String = self.rules().men.iter().map(|man| man.letter).collect();
            let problem = format!("{} names no man of {}", self.quoted(&place), self.rules().name);
            return self.fault(place, problem, format!("write a letter of {letters}, then cells, as in Ke1"));
        };
        let mut at = place.start + letter.len_utf8();
        if at == place.end {
            return self.fault(place, "no cell follows the man", "write cells without spaces, as in Pa2b2");
        }
        while at < place.end {
            let Some((cell, len)) = self.cell(&self.text[at..place.end]) else {
                let problem = format!("no cell is named at {}", self.quoted(&(at..place.end)));
                return self.fault(at..place.end, problem, "write cells without spaces, as in Pa2b2");
            };
            let square = Square { board, cell };
            if setup.man(square).is_some() {
                let name = self.rules().shape.square_name(square);
                self.fault(at..at + len, format!("a man stands on {name} already"), "name each square once");
            }
            setup.put(square, Some(Man { kind, colour }));
            at += len;
        }
    }

    /// The cell that a text begins with, and the length of its name.
    fn cell(&self, text: &str) -> Option<(Cell, usize)> {
        let shape = self.rules().shape;
        // On flat boards capital letters do as well.
        let small = if shape.levels() == 1 { text.to_ascii_lowercase() } else { text.to_string() };
        let (cell, rest) = shape.read_cell(&small)?;
        Some((cell, text.len() - rest.len()))
    }

    fn forsyth(&mut self) -> Option<Setup> {
        let place = self.argument()?;
        let text = self.word(&place);
        let knight = self.rules().kind_of_letter('s').is_none();
        let boards = vec![self.one_empty(); usize::from(self.rules().boards) - 1];
        let mut text: String = text
            .chars()
            .map(|c| match c {
                's' if knight => 'n',
                'S' if knight => 'N',
                other => other,
            })
            .collect();
        for board in boards {
            text = format!("{text}|{board}");
        }
        match self.variant.read_setup(&format!("{text} w")) {
            Ok(setup) => Some(setup),
            Err(error) => {
                let first = error.faults.into_iter().next()?;
                self.fault(place, first.problem, first.advice);
                None
            }
        }
    }

    /// The placement of a board without men.
    fn one_empty(&self) -> String {
        let text = self.variant.write_setup(&self.empty().setup);
        text.split([' ', '|']).next().unwrap_or_default().to_string()
    }

    fn stipulation(&mut self) -> Option<Stipulation> {
        let Some(first) = self.argument() else {
            let end = self.at..self.at;
            self.fault(end, "the stipulation is missing", "write #2, for instance");
            return None;
        };
        let mut place = first;
        // `dia 10.5`, `# 2`: the number may stand apart.
        if !self.word(&place).ends_with(|c: char| c.is_ascii_digit()) {
            let next = self.peek().filter(|next| self.word(next).starts_with(|c: char| c.is_ascii_digit()));
            if let Some(next) = next {
                self.at = next.end;
                place = place.start..next.end;
            }
        }
        match Stipulation::read(&self.text[place.clone()]) {
            Ok(stipulation) => Some(stipulation),
            Err(fault) => {
                let at = place.start + fault.at.start..place.start + fault.at.end;
                self.fault(at, fault.problem, fault.advice);
                None
            }
        }
    }

    fn cells(&mut self) -> Vec<Cell> {
        let mut cells = Vec::new();
        while let Some(place) = self.peek() {
            let mut rest = self.word(&place);
            let mut here = Vec::new();
            while let Some((cell, len)) = self.cell(rest) {
                here.push(cell);
                rest = &rest[len..];
            }
            if !rest.is_empty() || here.is_empty() {
                break;
            }
            self.at = place.end;
            cells.extend(here);
        }
        cells
    }

    fn options(&mut self, draft: &mut Draft) {
        while let Some(place) = self.argument() {
            match known(self.word(&place), &OPTIONS) {
                Some("try") => draft.tries = true,
                Some("setplay") => draft.set_play = true,
                Some("variation") => draft.variations = true,
                Some("whitetoplay") => draft.white_begins = true,
                Some("nocastling") => draft.no_castling = self.cells(),
                Some("enpassant") => match self.cells().as_slice() {
                    [left, passed, _] => draft.double_step = Some((*left, *passed)),
                    _ => self.fault(
                        place,
                        "three cells must follow",
                        "write the cells left, passed and reached",
                    ),
                },
                // How a program searches is its own affair, and diagrams have a command of their own.
                Some(_) => {
                    let number = |next: &Range<usize>| self.word(next).bytes().all(|b| b.is_ascii_digit());
                    if let Some(next) = self.peek().filter(number) {
                        self.at = next.end;
                    }
                }
                None => {
                    let problem = format!("the option {} is not known here", self.quoted(&place));
                    let advice = "known are Try, SetPlay, Variation, WhiteToPlay, NoCastling, EnPassant, NoBoard and \
                                  Intelligent";
                    self.fault(place, problem, advice);
                }
            }
        }
    }

    fn condition(&mut self) {
        while let Some(place) = self.argument() {
            if known(self.word(&place), &["alicechess"]).is_none() {
                let problem = format!("the condition {} is not known here", self.quoted(&place));
                self.fault(
                    place,
                    problem,
                    "the variant says the rules; leave the condition out, or write AliceChess",
                );
            }
        }
    }

    /// The square on which a man stands, on whichever board: `h1`, or `h1/B` where there are several.
    fn standing(&mut self, setup: &Setup) -> Option<Square> {
        let Some(place) = self.argument() else {
            self.fault(self.at..self.at, "a cell is missing", "write where the man stands, as in h1");
            return None;
        };
        let squares: Vec<Square> = match self.square(&place)? {
            (Some(board), cell) => vec![Square { board, cell }],
            (None, cell) => self.rules().all_boards().map(|board| Square { board, cell }).collect(),
        };
        let squares: Vec<_> = squares.into_iter().filter(|square| setup.man(*square).is_some()).collect();
        match squares.as_slice() {
            [one] => Some(*one),
            [] => {
                let problem = format!("no man stands on {}", self.word(&place));
                self.fault(place, problem, "name the cell of a man");
                None
            }
            _ => {
                let problem = format!("several men stand on {}", self.word(&place));
                self.fault(place, problem, "add the board, as in h1/B");
                None
            }
        }
    }

    /// A cell, perhaps with a board behind it.
    fn square(&mut self, place: &Range<usize>) -> Option<(Option<Board>, Cell)> {
        let word = self.word(place);
        let read = self.cell(word).and_then(|(cell, len)| match &word.as_bytes()[len..] {
            [] => Some((None, cell)),
            [b'/', board] => {
                let board = Board(board.to_ascii_uppercase().wrapping_sub(b'A'));
                self.rules().has_board(board).then_some((Some(board), cell))
            }
            _ => None,
        });
        if read.is_none() {
            let problem = format!("{} is no cell", self.quoted(place));
            self.fault(place.clone(), problem, "write a cell, as in h1, or with its board, as in h1/B");
        }
        read
    }

    fn twin(&mut self, drafts: &mut Vec<Draft>) {
        let mut twin = drafts.first().expect("a problem has a draft").clone();
        let start = self.peek().map_or(self.at, |place| place.start);
        while let Some(place) = self.argument_of_twin() {
            let setup = &mut twin.setup;
            match known(self.word(&place), &TWINS) {
                Some("cont") => twin = drafts.last().expect("a problem has a draft").clone(),
                Some("move") => {
                    let from = self.standing(setup);
                    let to = self.argument().and_then(|place| self.square(&place));
                    if let (Some(from), Some((board, cell))) = (from, to) {
                        let man = setup.man(from);
                        setup.put(from, None);
                        setup.put(Square { board: board.unwrap_or(from.board), cell }, man);
                    }
                }
                Some("exchange") => {
                    if let (Some(one), Some(other)) = (self.standing(setup), self.standing(setup)) {
                        let (first, second) = (setup.man(one), setup.man(other));
                        setup.put(one, second);
                        setup.put(other, first);
                    }
                }
                Some("remove") => {
                    if let Some(square) = self.standing(setup) {
                        setup.put(square, None);
                    }
                }
                Some("add") => self.pieces(setup),
                Some("stipulation") => twin.stipulation = self.stipulation(),
                _ => {
                    let problem = format!("{} makes no twin here", self.quoted(&place));
                    self.fault(place, problem, "known are Move, Exchange, Remove, Add, Stipulation and Cont");
                }
            }
        }
        twin.note = self
            .text
            .get(start..self.at)
            .unwrap_or_default()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        drafts.push(twin);
    }

    /// The next word of a twin, which may be `stipulation`, though that is a command elsewhere.
    fn argument_of_twin(&mut self) -> Option<Range<usize>> {
        let place = self.peek()?;
        match known(self.word(&place), &COMMANDS) {
            Some("stipulation") => self.take(),
            _ => self.argument(),
        }
    }

    fn finish(&mut self, began: Range<usize>, drafts: Vec<Draft>) {
        let several = drafts.len() > 1;
        for (n, draft) in drafts.into_iter().enumerate() {
            let Some(stipulation) = draft.stipulation else {
                if self.faults.is_empty() {
                    self.fault(
                        began.clone(),
                        "the problem has no stipulation",
                        "write Stipulation #2, for instance",
                    );
                }
                return;
            };
            let mut setup = draft.setup;
            let black = match stipulation.play {
                Play::Direct | Play::SelfPlay => false,
                Play::Help => !stipulation.half && !draft.white_begins,
                Play::SeriesHelp => true,
                Play::ProofGame => stipulation.half,
            };
            setup.turn = if black { Colour::Black } else { Colour::White };
            if stipulation.play != Play::ProofGame {
                setup.castling = castling_at_home(self.rules(), &setup);
                for rule in &self.rules().castling {
                    if draft.no_castling.iter().any(|cell| [rule.king_from, rule.rook_from].contains(cell)) {
                        setup.castling &= !rule.right();
                    }
                }
                setup.en_passant = draft.double_step.and_then(|step| self.double_step(&setup, step));
            }
            match Problem::new(self.variant, setup, stipulation) {
                Ok(problem) => {
                    let letter =
                        if several { ((b'a' + (n % 26) as u8) as char).to_string() } else { String::new() };
                    self.entries.push(Entry {
                        heading: draft.heading,
                        twin: [letter, draft.note],
                        problem,
                        tries: draft.tries,
                        set_play: draft.set_play,
                        variations: draft.variations,
                    });
                }
                Err(error) => {
                    for fault in error.faults {
                        self.fault(began.clone(), fault.problem, fault.advice);
                    }
                }
            }
        }
    }

    /// The right that a double step leaves, with the pawn where it has landed.
    fn double_step(&self, setup: &Setup, (left, passed): (Cell, Cell)) -> Option<EnPassant> {
        let shape = self.rules().shape;
        let ([_, from, _], [_, over, _]) = (shape.coordinates(left), shape.coordinates(passed));
        let reached = shape.step(passed, [0, (over - from).clamp(-1, 1) as i8, 0])?;
        let pawn = |board: &Board| {
            let man = setup.man(Square { board: *board, cell: reached });
            man.is_some_and(|man| self.rules().man(man.kind).pawn && man.colour != setup.turn)
        };
        let landing = self.rules().all_boards().find(pawn)?;
        let transfer = self.variant.reference().transfer();
        let mut origins: Vec<Board> =
            self.rules().all_boards().filter(|origin| transfer.landings(*origin).has(landing)).collect();
        // Where it could have stayed it has more likely come from elsewhere.
        origins.sort_by_key(|origin| *origin == landing);
        Some(EnPassant { passed, origin: *origins.first()?, landing })
    }
}
