//! `[start]`: the starting position.
//!
//! Placements are read by the core, as part of a position's text; what it finds wrong is shown in its
//! place in the config.

use crate::faults::{Faults, quoted};
use crate::keys;
use crate::tree::{Node, Place, Table, Value};
use alice_core::{Board, Colour, Man, Rules, Setup, Shape, Square, read_setup};
use std::ops::Range;

const TURNS: [(&str, Colour); 2] = [("white", Colour::White), ("black", Colour::Black)];

/// The board with that letter, if there is one.
pub(crate) fn board(node: &Node, text: &str, boards: u8, faults: &mut Faults) -> Option<Board> {
    let found = (0..boards).map(Board).find(|board| board.to_string() == text);
    if found.is_none() {
        let names: Vec<String> = (0..boards).map(|b| Board(b).to_string()).collect();
        let advice = match &names[..] {
            [one] => format!("there is only board {one}"),
            names => format!("the boards are {}", names.join(", ")),
        };
        let place = if node.key == text { &node.key_place } else { &node.place };
        faults.add(place, format!("there is no board {}", quoted(text)), advice);
    }
    found
}

/// A position's text, put together from values of the config.
#[derive(Default)]
struct Joined<'a> {
    text: String,
    parts: Vec<(Range<usize>, &'a Node)>,
}

impl<'a> Joined<'a> {
    fn push(&mut self, part: &str, node: Option<&'a Node>) {
        let start = self.text.len();
        self.text.push_str(part);
        self.parts.extend(node.map(|node| (start..self.text.len(), node)));
    }

    /// Where some bytes of the text stand in the config.
    fn place(&self, at: &Range<usize>) -> Option<Place> {
        let (part, node) =
            self.parts.iter().find(|(part, _)| part.start <= at.start && at.end <= part.end)?;
        Some(node.within(at.start - part.start..at.end - part.start))
    }
}

/// Reads `[start]`, given the rules of everything else.
pub(crate) fn read(start: &Node, rules: &Rules, faults: &mut Faults) -> Option<Setup> {
    let Value::Table(table) = &start.value else {
        faults.wrong(start, "a table", "write [start] and under it A = \"…\": the men of board A");
        return None;
    };
    let before = faults.count();
    known_keys(table, rules, faults);
    let turn = table.get("turn").map_or(Some(Colour::White), |node| faults.word(node, &TURNS));
    let mut joined = Joined::default();
    for board in rules.all_boards() {
        if board.0 > 0 {
            joined.push("|", None);
        }
        match table.get(&board.to_string()).and_then(|node| Some((node, placement(node, faults)?))) {
            Some((node, text)) => joined.push(text, Some(node)),
            None => joined.push(&empty(rules.shape), None),
        }
    }
    joined.push(" w ", None);
    match table.get("castling").and_then(|node| Some((node, rights(node, faults)?))) {
        Some((node, text)) => joined.push(text, Some(node)),
        None => joined.push("-", None),
    }
    let mut setup = match read_setup(rules, &joined.text) {
        Ok(setup) => setup,
        Err(error) => {
            for fault in error.faults {
                let place = joined.place(&fault.at).unwrap_or_else(|| start.key_place.clone());
                faults.add(&place, fault.problem, fault.advice);
            }
            return None;
        }
    };
    if faults.count() > before {
        return None;
    }
    setup.turn = turn?;
    kings(start, &joined, &setup, rules, faults);
    castling(table.get("castling"), &mut setup, rules, faults);
    Some(setup)
}

fn known_keys(table: &Table, rules: &Rules, faults: &mut Faults) {
    let is_board = |key: &str| key.len() == 1 && key.bytes().all(|b| b.is_ascii_uppercase());
    let (boards, others): (Vec<&Node>, Vec<&Node>) = table.nodes.iter().partition(|n| is_board(&n.key));
    for node in boards {
        board(node, &node.key, rules.boards, faults);
    }
    let others = Table { nodes: others.into_iter().cloned().collect() };
    let letters: Vec<String> = rules.all_boards().map(|b| b.to_string()).collect();
    let known: Vec<&str> = letters.iter().map(String::as_str).chain(keys::START.iter().copied()).collect();
    faults.known_keys(&others, "of [start]", &known);
}

/// The text of one board's placement.
fn placement<'a>(node: &'a Node, faults: &mut Faults) -> Option<&'a str> {
    let text = faults.text(node, "a placement in quotes")?;
    let wrong = text.char_indices().find(|(_, c)| c.is_whitespace() || *c == '|');
    let problem = match wrong {
        Some((at, c)) => {
            let place = node.within(at..at + c.len_utf8());
            faults.add(&place, format!("{:?} in the placement of one board", c.to_string()), "take it away");
            return None;
        }
        None if text.is_empty() => "the placement is empty",
        None => return Some(text),
    };
    faults.add(&node.place, problem, "write the ranks from the last down, or take the key away");
    None
}

/// The text of the castling rights.
fn rights<'a>(node: &'a Node, faults: &mut Faults) -> Option<&'a str> {
    let text = faults.text(node, "castling rights in quotes")?;
    if text.is_empty() || text.contains(char::is_whitespace) {
        let problem = format!("{} are no castling rights", quoted(text));
        faults.add(&node.place, problem, "write some of KQkq, or - for none");
        return None;
    }
    Some(text)
}

/// The placement of an empty board.
fn empty(shape: Shape) -> String {
    let level = vec![shape.files().to_string(); shape.ranks()].join("/");
    vec![level; shape.levels()].join("//")
}

/// Notes a colour without its king, or with more than one.
fn kings(start: &Node, joined: &Joined<'_>, setup: &Setup, rules: &Rules, faults: &mut Faults) {
    let Some(kind) = rules.royal() else { return };
    for colour in Colour::BOTH {
        let (letter, name) = (rules.letter(kind, colour), &rules.man(kind).name);
        let side = colour.name();
        match setup.find(Man { kind, colour }).count() {
            0 => {
                let advice = format!("put one {letter} on a board");
                faults.add(&start.key_place, format!("{side} has no {name}"), advice);
            }
            1 => {}
            n => {
                let second = joined.text.match_indices(letter).nth(1);
                let place = second.and_then(|(at, _)| joined.place(&(at..at + 1)));
                let place = place.unwrap_or_else(|| start.key_place.clone());
                let problem = format!("{side} has {n} {name}s, of which this is the second");
                faults.add(&place, problem, format!("leave just one {letter}"));
            }
        }
    }
}

/// The rights with which the game starts: those written, or all whose king and rook stand at home.
fn castling(written: Option<&Node>, setup: &mut Setup, rules: &Rules, faults: &mut Faults) {
    let royal = rules.royal();
    for rule in &rules.castling {
        let home = [(royal, rule.king_from), (Some(rule.rook), rule.rook_from)];
        let away = home.into_iter().find(|(kind, cell)| {
            let man = setup.man(Square { board: rule.board, cell: *cell });
            man != kind.map(|kind| Man { kind, colour: rule.colour })
        });
        match (written, away) {
            (None, None) => setup.castling |= rule.right(),
            (Some(node), Some((Some(kind), cell))) if setup.castling & rule.right() != 0 => {
                let square = rules.shape.square_name(Square { board: rule.board, cell });
                let (side, name) = (rule.colour.name(), &rules.man(kind).name);
                let problem = format!("{side} has a right to castle, but no {name} at home on {square}");
                faults.add(&node.place, problem, "take the right away, or put the man there");
            }
            _ => {}
        }
    }
}
