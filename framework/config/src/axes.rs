//! Movement by axes: a list of leaps and rides, each an offset in files, ranks and levels. For boards
//! with levels, and for leaps that Betza's notation has no letter for.
//!
//! Must not know men nor rules.

use crate::faults::{Faults, nearest};
use crate::keys::{self, WAYS};
use crate::tree::{Node, Value};
use alice_core::{May, Reach, Shape, Step};

const MAY: [(&str, May); 3] = [("both", May::Both), ("move", May::Move), ("capture", May::Capture)];
/// The most entries of one list.
const MOST: usize = 100;

/// Which other offsets an entry stands for.
#[derive(Clone, Copy)]
enum Turns {
    All,
    Sides,
    None,
}

const TURNS: [(&str, Turns); 3] = [("all", Turns::All), ("sides", Turns::Sides), ("none", Turns::None)];

/// The keys that an entry may have, by its way of moving.
const KEYS: [&[&str]; 4] = [keys::LEAP, keys::RIDE, keys::HOP_OVER, keys::HOP_BEHIND];

/// Reads a list of entries.
pub(crate) fn steps(list: &[Node], shape: Shape, faults: &mut Faults) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut all = true;
    for (i, entry) in list.iter().enumerate() {
        if i == MOST {
            faults.add(&entry.place, format!("more than {MOST} entries"), "leave some out");
            return None;
        }
        match self::entry(entry, shape, faults) {
            Some(more) => steps.extend(more),
            None => all = false,
        }
    }
    all.then_some(steps)
}

fn entry(node: &Node, shape: Shape, faults: &mut Faults) -> Option<Vec<Step>> {
    let advice = "write an entry as { leap = [files, ranks, levels] } or { ride = [files, ranks, levels] }";
    let Value::Table(table) = &node.value else {
        faults.wrong(node, "{ leap = … } or { ride = … }", advice);
        return None;
    };
    let before = faults.count();
    let ways: Vec<usize> = (0..4).filter(|i| table.get(WAYS[*i]).is_some()).collect();
    let [way] = ways[..] else {
        if ways.is_empty() {
            let advice = match table.nodes.iter().find_map(|n| nearest(&n.key, &WAYS)) {
                Some(word) => format!("did you mean `{word}`? Each entry has one of {}", WAYS.join(", ")),
                None => advice.into(),
            };
            faults.add(&node.place, "this entry says neither leap nor ride nor hop", advice);
        } else {
            let problem = format!("this entry says both {} and {}", WAYS[ways[0]], WAYS[ways[1]]);
            faults.add(&node.place, problem, "write two entries");
        }
        return None;
    };
    faults.known_keys(table, "of this entry", KEYS[way]);
    let get = |key: &str| table.get(key).filter(|_| KEYS[way].contains(&key));
    let offset = get(WAYS[way]).and_then(|node| self::offset(node, shape, faults));
    if let (Some([0, 0, 0]), Some(node)) = (offset, get(WAYS[way])) {
        faults.add(&node.place, "this offset goes nowhere", "write at least one number that is not 0");
    }
    let may = get("may").map_or(Some(May::Both), |node| faults.word(node, &MAY));
    let turns = get("turns").map_or(Some(Turns::All), |node| faults.word(node, &TURNS));
    let initial = get("initial").map_or(Some(false), |node| faults.truth(node));
    let least = if way == 1 { 1 } else { 2 };
    let limit = get("limit").map_or(Some(0), |node| faults.whole(node, least..=255, "the limit of steps"));
    let over = match get("over") {
        None => Some(Vec::new()),
        Some(node) => {
            faults.list(node, "write over = [[0, 1, 0]]: the offsets that must be vacant").and_then(|list| {
                if list.len() > MOST {
                    faults.add(&node.place, format!("more than {MOST} offsets"), "leave some out");
                    return None;
                }
                list.iter().map(|node| self::offset(node, shape, faults)).collect()
            })
        }
    };
    let (offset, may, turns) = (offset?, may?, turns?);
    let (initial, limit, over) = (initial?, limit? as u8, over?);
    if faults.count() > before {
        return None;
    }
    let mut steps = Vec::new();
    for turn in turns.turns(shape) {
        let to = turn.of(offset);
        let reach = match way {
            0 if over.is_empty() => Reach::Leap,
            0 => Reach::Lame { over: over.iter().map(|o| turn.of(*o)).collect() },
            1 => Reach::Ride { limit },
            2 => Reach::HopOver { limit },
            _ => Reach::HopBehind { limit },
        };
        let step = Step { may, initial, ..Step::new(to, reach) };
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    Some(steps)
}

fn offset(node: &Node, shape: Shape, faults: &mut Faults) -> Option<[i8; 3]> {
    let advice = "write three whole numbers: files, ranks, levels, as in [0, 1, 2]";
    let list = faults.list(node, advice)?;
    if list.len() != 3 {
        let problem = format!("an offset has three numbers, but here are {}", list.len());
        faults.add(&node.place, problem, advice);
        return None;
    }
    let read = |node, faults: &mut Faults| faults.whole(node, -127..=127, "a part of an offset");
    let parts: Vec<Option<i64>> = list.iter().map(|node| read(node, faults)).collect();
    let [files, ranks, levels] = parts[..] else { return None };
    let offset = [files? as i8, ranks? as i8, levels? as i8];
    if shape.levels() == 1 && offset[2] != 0 {
        let advice = "write 0 as the third number, or give [boards] more levels";
        faults.add(&list[2].place, "the boards have only one level", advice);
        return None;
    }
    Some(offset)
}

/// An order of the three axes, and their signs.
#[derive(Clone, Copy)]
struct Turn {
    order: [usize; 3],
    signs: [i8; 3],
}

impl Turn {
    fn of(self, offset: [i8; 3]) -> [i8; 3] {
        [0, 1, 2].map(|axis| offset[self.order[axis]] * self.signs[axis])
    }
}

impl Turns {
    /// The turns, without those that would lead off the one level of a flat board.
    fn turns(self, shape: Shape) -> Vec<Turn> {
        const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let sign = |bits: u8, axis: u8| if bits >> axis & 1 == 1 { -1 } else { 1 };
        let signs = |bits| [sign(bits, 0), sign(bits, 1), sign(bits, 2)];
        let (orders, most) = match self {
            Self::All if shape.levels() == 1 => (&ORDERS[..2], 4),
            Self::All => (&ORDERS[..], 8),
            Self::Sides => (&ORDERS[..1], 2),
            Self::None => (&ORDERS[..1], 1),
        };
        let with_signs = |order: &[usize; 3]| {
            let order = *order;
            (0..most).map(move |bits| Turn { order, signs: signs(bits) })
        };
        orders.iter().flat_map(with_signs).collect()
    }
}
