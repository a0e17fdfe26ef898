//! `[castling]`: which king and rook castle, from where to where.

use crate::faults::{Faults, quoted};
use crate::keys;
use crate::men::named;
use crate::start::board;
use crate::tree::{Node, Table, Value};
use alice_core::{Board, Castling, Cell, Colour, Kind, ManRules, Shape, Wing};

const SIDES: [(&str, Colour); 2] = [("white", Colour::White), ("black", Colour::Black)];
const WINGS: [(&str, Wing); 2] = [("king-side", Wing::King), ("queen-side", Wing::Queen)];

/// Reads `[castling]`, or `castling = "off"`.
pub(crate) fn read(
    node: &Node,
    shape: Shape,
    boards: u8,
    men: &[ManRules],
    faults: &mut Faults,
) -> Vec<Castling> {
    if let Value::Text(_) = node.value {
        faults.only_word(node, "off", "a table [castling]");
        return Vec::new();
    }
    let Some(table) = faults.table(node, "castling", keys::CASTLING) else { return Vec::new() };
    let rook = rook(node, table, men, faults);
    let mut ways = Vec::new();
    for (key, colour) in SIDES {
        let Some(side) = table.get(key) else { continue };
        let name = format!("castling.{key}");
        let Some(wings) = faults.table(side, &name, keys::CASTLING_SIDE) else { continue };
        let home = match wings.get("board") {
            None => Some(Board(0)),
            Some(node) => {
                let text = faults.text(node, "a board's letter in quotes");
                text.and_then(|text| board(node, text, boards, faults))
            }
        };
        for (key, wing) in WINGS {
            let Some(node) = wings.get(key) else { continue };
            let name = format!("{name}.{key}");
            let Some(table) = faults.table(node, &name, keys::CASTLING_WING) else { continue };
            let mut path = |key| match table.get(key) {
                Some(node) => path(node, shape, faults),
                None => {
                    let advice = "write { king = \"e1-g1\", rook = \"h1-f1\" }, each from where to where";
                    faults.missing(node, &name, key, advice);
                    None
                }
            };
            let (king, rook_path) = (path("king"), path("rook"));
            let (Some([king_from, king_to]), Some([rook_from, rook_to])) = (king, rook_path) else {
                continue;
            };
            let (Some(rook), Some(board)) = (rook, home) else { continue };
            let way = Castling { colour, wing, board, rook, king_from, king_to, rook_from, rook_to };
            if possible(&way, node, shape, faults) {
                ways.push(way);
            }
        }
    }
    ways
}

fn rook(node: &Node, table: &Table, men: &[ManRules], faults: &mut Faults) -> Option<Kind> {
    let Some(given) = table.get("rook") else {
        let advice = "write rook = \"rook\": the man that castles with the king";
        faults.missing(node, "castling", "rook", advice);
        return None;
    };
    let names: Vec<&str> = men.iter().map(|man| man.name.as_str()).collect();
    let (kind, name) = named(given, &names, faults)?;
    if men[kind.index()].royal {
        let problem = format!("{name} is royal and can't castle with itself");
        faults.add(&given.place, problem, "name another man");
        return None;
    }
    Some(kind)
}

/// Two cells: `e1-g1`.
fn path(node: &Node, shape: Shape, faults: &mut Faults) -> Option<[Cell; 2]> {
    let text = faults.text(node, "two cells in quotes, as in \"e1-g1\"")?;
    let Some((from, to)) = text.split_once('-') else {
        let problem = format!("{} does not say from where to where", quoted(text));
        faults.add(&node.place, problem, "write two cells with - between them, as in \"e1-g1\"");
        return None;
    };
    let mut cell = |name: &str, at: usize| match shape.read_cell(name) {
        Some((cell, "")) => Some(cell),
        _ => {
            let last = shape.cell_name(shape.all().last().unwrap_or_default());
            let first = shape.cell_name(Cell(0));
            let advice = format!("the cells are {first} to {last}");
            let place = node.within(at..at + name.len());
            faults.add(&place, format!("{} is not a cell of the board", quoted(name)), advice);
            None
        }
    };
    let (from, to) = (cell(from, 0), cell(to, from.len() + 1));
    Some([from?, to?])
}

/// Notes what can't be done on any board.
fn possible(way: &Castling, node: &Node, shape: Shape, faults: &mut Faults) -> bool {
    let cells = [way.king_from, way.king_to, way.rook_from, way.rook_to];
    let row = |cell: Cell| shape.coordinates(cell)[1..].to_vec();
    let named = |a: Cell, b: Cell| format!("{} and {}", shape.cell_name(a), shape.cell_name(b));
    if let Some(other) = cells.into_iter().find(|cell| row(*cell) != row(way.king_from)) {
        let problem = format!("{} are not on one rank", named(way.king_from, other));
        faults.add(&node.place, problem, "king and rook castle along a rank: write four cells of one");
    } else if way.king_from == way.king_to {
        faults.add(&node.place, "the king does not move", "write another cell for it to arrive on");
    } else if way.king_from == way.rook_from || way.king_to == way.rook_to {
        let problem = "king and rook would share a cell";
        faults.add(&node.place, problem, "write cells of their own for both");
    } else {
        return true;
    }
    false
}
