//! Betza's notation for how men move (`"K"`, `"mfWcfF"`), as extended by H. G. Muller, made into
//! steps.
//!
//! What is not understood is a fault with its place, never skipped: a letter left out would be another
//! man. Flat boards only: the notation knows no levels. Must not know TOML.

use alice_core::{Fault, May, Reach, Step};
use std::ops::Range;

/// A leap before it is turned and mirrored: files and ranks, the smaller first.
type Leap = [i8; 2];

/// The atoms: letter, what it leaps, and whether the letter alone means a ride.
const ATOMS: [(char, &[Leap], bool); 15] = [
    ('W', &[[0, 1]], false),
    ('F', &[[1, 1]], false),
    ('D', &[[0, 2]], false),
    ('N', &[[1, 2]], false),
    ('A', &[[2, 2]], false),
    ('H', &[[0, 3]], false),
    ('C', &[[1, 3]], false),
    ('L', &[[1, 3]], false),
    ('Z', &[[2, 3]], false),
    ('J', &[[2, 3]], false),
    ('G', &[[3, 3]], false),
    ('K', &[[0, 1], [1, 1]], false),
    ('R', &[[0, 1]], true),
    ('B', &[[1, 1]], true),
    ('Q', &[[0, 1], [1, 1]], true),
];

const DIRECTIONS: &str = "fblrvsh";
const MODIFIERS: &str = "mcnpgi";

/// Compiles a movement; an empty text is a man that never moves.
///
/// # Errors
/// Every fault, with its bytes in the text.
pub(crate) fn compile(text: &str) -> Result<Vec<Step>, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut steps = Vec::new();
    let mut rest = Rest { text, at: 0 };
    while rest.at < text.len() {
        match rest.part() {
            Ok(part) => part.steps().map(|more| steps.extend(more)).unwrap_or_else(|f| faults.push(f)),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(steps) } else { Err(faults) }
}

fn fault(at: Range<usize>, problem: impl Into<String>, advice: impl Into<String>) -> Fault {
    Fault { at, problem: problem.into(), advice: advice.into() }
}

/// What is still to be read.
struct Rest<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Rest<'a> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Takes characters while they are such; gives their bytes.
    fn take_while(&mut self, such: impl Fn(char) -> bool) -> Range<usize> {
        let start = self.at;
        while let Some(c) = self.peek().filter(|c| such(*c)) {
            self.at += c.len_utf8();
        }
        start..self.at
    }

    /// Reads one atom with the modifiers before it and the range behind it. Always takes something.
    fn part(&mut self) -> Result<Part<'a>, Fault> {
        let modifiers = self.take_while(|c| c.is_ascii_lowercase());
        let at = self.at;
        let Some(letter) = self.peek() else {
            let problem = format!("no atom follows the modifiers \"{}\"", &self.text[modifiers.clone()]);
            return Err(fault(modifiers, problem, atoms()));
        };
        self.at += letter.len_utf8();
        let Some(&(_, leaps, rides)) = ATOMS.iter().find(|(atom, ..)| *atom == letter) else {
            let whole = at..self.at;
            return Err(match letter {
                '0'..='9' => fault(whole, format!("the range {letter} follows no atom"), atoms()),
                ' ' => fault(whole, "a movement has no spaces in it", "write the atoms one after the other"),
                _ => fault(whole, format!("{:?} is no atom", letter.to_string()), atoms()),
            });
        };
        let again = self.take_while(|c| c == letter);
        let digits = self.take_while(|c| c.is_ascii_digit());
        let range = match (again.len(), &self.text[digits.clone()]) {
            (0, "") => u8::from(!rides),
            (1, "") if !rides => 0,
            (0, "0") => 0,
            (0, number) if !number.starts_with('0') => number.parse().map_err(|_| {
                let advice = "write 1 to 255, or 0 for as far as the way is free";
                fault(digits, format!("{number} is too far"), advice)
            })?,
            (0, number) => {
                let advice = "write the number without 0 before it; 0 alone is for as far as the way is free";
                return Err(fault(digits.clone(), format!("{number} is not a range"), advice));
            }
            _ => {
                let problem = format!("\"{}\" says its range twice", &self.text[at..self.at]);
                let advice = format!(
                    "write {letter}, {}or {letter} with a number for at most so many steps",
                    if rides { String::new() } else { format!("{letter}{letter} for a rider, ") }
                );
                return Err(fault(at..self.at, problem, advice));
            }
        };
        Part::new(self.text, modifiers, at..self.at, leaps, range)
    }
}

fn atoms() -> String {
    let letters: Vec<String> = ATOMS.iter().map(|(atom, ..)| atom.to_string()).collect();
    format!("the atoms are {}", letters.join(" "))
}

/// One atom with its modifiers.
struct Part<'a> {
    leaps: &'static [Leap],
    /// How many leaps at most; 0 for as far as the way is free.
    range: u8,
    may: May,
    initial: bool,
    /// `n`, `p` or `g`.
    way: Option<char>,
    directions: &'a str,
    /// The bytes of the directions, or of the atom if there are none.
    at: Range<usize>,
}

impl<'a> Part<'a> {
    fn new(
        text: &'a str,
        modifiers: Range<usize>,
        atom: Range<usize>,
        leaps: &'static [Leap],
        range: u8,
    ) -> Result<Self, Fault> {
        let written = &text[modifiers.clone()];
        let mut directions = atom.start..atom.start;
        for (i, letter) in written.char_indices() {
            let at = modifiers.start + i..modifiers.start + i + 1;
            if DIRECTIONS.contains(letter) {
                if directions.is_empty() {
                    directions = at;
                } else if directions.end == at.start {
                    directions.end = at.end;
                } else {
                    let advice = "write them together, as in \"fsmN\"";
                    return Err(fault(at, "this direction stands apart from the others", advice));
                }
            } else if !MODIFIERS.contains(letter) {
                let advice = "directions are f b l r v s h; m only moves, c only captures, n is lame, \
                              p hops over, g hops just behind, i is for initial cells";
                return Err(fault(at, format!("\"{letter}\" is no modifier"), advice));
            } else if written[..i].contains(letter) {
                return Err(fault(at, format!("\"{letter}\" is there twice"), "write it once"));
            }
        }
        let has = |letter| written.contains(letter);
        let ways: Vec<char> = "npg".chars().filter(|letter| has(*letter)).collect();
        let whole = modifiers.start..atom.end;
        if let [a, b, ..] = ways[..] {
            let problem = format!("\"{a}\" and \"{b}\" exclude each other");
            return Err(fault(whole, problem, "write the atom twice, once with each"));
        }
        let way = ways.first().copied();
        match way {
            Some('n') if range != 1 => {
                let advice = "\"n\" goes with one leap: nD, nN, nA, nH, nC, nZ or nG";
                return Err(fault(whole, "a ride can't be lame", advice));
            }
            Some('n') if leaps[0][1] == 1 => {
                let advice = "write it without \"n\"";
                return Err(fault(whole, "there is no cell between, so it can't be lame", advice));
            }
            Some(hop @ ('p' | 'g')) if range == 1 => {
                let advice = "hops go with rides: R, B, Q, NN, W3 …";
                return Err(fault(whole, format!("\"{hop}\" with a single leap has no man to hop"), advice));
            }
            _ => {}
        }
        let may = match (has('m'), has('c')) {
            (true, false) => May::Move,
            (false, true) => May::Capture,
            _ => May::Both,
        };
        let at = if directions.is_empty() { atom } else { directions.clone() };
        Ok(Self { leaps, range, may, initial: has('i'), way, directions: &text[directions], at })
    }

    fn steps(&self) -> Result<Vec<Step>, Fault> {
        let directions = self.directions()?;
        let mut steps = Vec::new();
        for leap in self.leaps {
            for turn in TURNS {
                let offset = turn.of(*leap);
                let reach = match (self.way, self.range) {
                    (Some('n'), _) => Reach::Lame { over: between(*leap).map(|o| turn.of(o)).collect() },
                    (Some('p'), limit) => Reach::HopOver { limit },
                    (Some(_), limit) => Reach::HopBehind { limit },
                    (None, 1) => Reach::Leap,
                    (None, limit) => Reach::Ride { limit },
                };
                let step = Step { may: self.may, initial: self.initial, ..Step::new(offset, reach) };
                let leads = directions.is_empty() || directions.iter().any(|d| d.holds(offset));
                if leads && !steps.contains(&step) {
                    steps.push(step);
                }
            }
        }
        Ok(steps)
    }

    /// The directions that its letters mean, which depends on the atom; none if there are no letters.
    fn directions(&self) -> Result<Vec<Direction>, Fault> {
        let letters: Vec<char> = self.directions.chars().collect();
        let unclear = |problem: &str, advice: &str| Err(fault(self.at.clone(), problem, advice));
        let [small, large] = self.leaps[0];
        let oblique = 0 < small && small < large;
        if letters.contains(&'h') && !oblique {
            return unclear("\"h\" halves knight-like leaps only", "leave it out");
        }
        match letters[..] {
            [] => Ok(Vec::new()),
            // K and Q go straight and slanting, for which two letters mean different things.
            [a] if self.leaps.len() > 1 => Ok(vec![Direction::side(a)]),
            [a, b] if self.leaps.len() > 1 && opposite(a, b) => {
                Ok(vec![Direction::side(a), Direction::side(b)])
            }
            _ if self.leaps.len() > 1 => unclear(
                "these directions are not clear for an atom that goes straight and slanting",
                "write the two parts: W and F for K, R and B for Q",
            ),
            _ if small == 0 => {
                if (1..letters.len()).any(|i| letters[..i].contains(&letters[i])) {
                    return unclear("a direction is there twice", "write it once");
                }
                Ok(letters.into_iter().map(Direction::side).collect())
            }
            ['h'] => unclear("\"h\" needs a direction before it", "write fh, bh, lh or rh"),
            [a] => Ok(vec![Direction { longer: oblique.then_some(a), ..Direction::side(a) }]),
            _ if letters.len() % 2 == 1 => unclear(
                "these directions can't be read as pairs",
                "slanting leaps take one direction or pairs of them, as in \"fl\"; write the atom twice if in doubt",
            ),
            _ => {
                let mut directions = Vec::new();
                for pair in letters.chunks(2) {
                    let Some(meant) = Direction::of_pair(pair[0], pair[1], oblique) else {
                        let problem = format!("\"{}{}\" is no direction of this atom", pair[0], pair[1]);
                        let advice = if oblique {
                            "pairs are ff bb ll rr, fl fr bl br, lf rf lb rb, fs bs lv rv and fh bh lh rh"
                        } else {
                            "pairs are fl fr bl br"
                        };
                        return unclear(&problem, advice);
                    };
                    directions.extend(meant);
                }
                Ok(directions)
            }
        }
    }
}

/// A set of offsets: those that lie on two sides (which may be one and the same), if need be with the
/// longer part along one letter's axis.
#[derive(Clone, Copy)]
struct Direction {
    sides: [char; 2],
    longer: Option<char>,
}

impl Direction {
    fn side(letter: char) -> Self {
        Self { sides: [letter; 2], longer: None }
    }

    /// What two letters mean for a slanting atom, if they mean anything.
    fn of_pair(a: char, b: char, oblique: bool) -> Option<Vec<Self>> {
        let is_side = |letter| "fblr".contains(letter);
        let narrow = |letter| Self { longer: oblique.then_some(letter), ..Self::side(letter) };
        let crossing = vertical(a) != vertical(b) && b != 'h';
        match (a, b) {
            _ if opposite(a, b) => Some(vec![narrow(a), narrow(b)]),
            _ if !oblique => crossing.then(|| vec![Self { sides: [a, b], longer: None }]),
            _ if !is_side(a) => None,
            (a, 'h') => Some(vec![Self::side(a)]),
            _ if a == b => Some(vec![narrow(a)]),
            // The second letter says along which axis the longer part lies.
            _ => crossing.then(|| vec![Self { sides: [a, b], longer: Some(b) }]),
        }
    }

    fn holds(self, [x, y, _]: [i8; 3]) -> bool {
        let lies = |letter| match letter {
            'f' => y > 0,
            'b' => y < 0,
            'l' => x < 0,
            'r' => x > 0,
            'v' => y != 0,
            _ => x != 0,
        };
        let long = |letter| if vertical(letter) { y.abs() > x.abs() } else { x.abs() > y.abs() };
        self.sides.into_iter().all(lies) && self.longer.is_none_or(long)
    }
}

/// Whether a letter is along the ranks' axis: forward or backward.
fn vertical(letter: char) -> bool {
    "fbv".contains(letter)
}

fn opposite(a: char, b: char) -> bool {
    matches!((a, b), ('f', 'b') | ('b', 'f') | ('l', 'r') | ('r', 'l'))
}

/// One of the eight ways of turning and mirroring a leap: whether files and ranks change places, and
/// their signs.
#[derive(Clone, Copy)]
struct Turn(bool, i8, i8);

const TURNS: [Turn; 8] = [
    Turn(false, 1, 1),
    Turn(false, -1, 1),
    Turn(false, 1, -1),
    Turn(false, -1, -1),
    Turn(true, 1, 1),
    Turn(true, -1, 1),
    Turn(true, 1, -1),
    Turn(true, -1, -1),
];

impl Turn {
    fn of(self, [a, b]: Leap) -> [i8; 3] {
        let [x, y] = if self.0 { [b, a] } else { [a, b] };
        [x * self.1, y * self.2, 0]
    }
}

/// The cells that a lame leap passes: straight on first, then slanting.
fn between([small, large]: Leap) -> impl Iterator<Item = Leap> {
    let straight = large - small;
    (1..large).map(move |n| [(n - straight).max(0), n])
}
