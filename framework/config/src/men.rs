//! `[men.…]`: the kinds of men, their letters, movement and promotion.
//!
//! Where a pawn double-steps from and what counts as an initial cell depends on the starting position,
//! which is read later: [`Read::place`] adds it. Must not know any kind of man by name.

use crate::faults::{Faults, nearest, quoted};
use crate::plugins::{self, Asked};
use crate::tree::{Node, Place, Table, Value};
use crate::{axes, betza, keys};
use alice_core::{Cell, Colour, Kind, MAX_KINDS, Man, ManRules, Movement, Setup, Shape, Step, Steps};

/// The kinds of men that a config describes.
pub(crate) struct Read {
    /// Their rules; the cells that depend on the starting position are still empty.
    pub(crate) rules: Vec<ManRules>,
    /// For each kind, the ranks from which it double-steps, if the config names them.
    double_steps: Vec<Option<Vec<i64>>>,
    /// For each kind, the plug-in that says how it moves, if one does.
    pub(crate) asked: Vec<Option<Asked>>,
    /// Whether every letter could be read, so that a position can be.
    pub(crate) letters: bool,
}

/// Reads `[men]`.
pub(crate) fn read(men: &Node, shape: Shape, faults: &mut Faults) -> Option<Read> {
    let Value::Table(table) = &men.value else {
        faults.wrong(men, "a table of men", "write [men.king] and so on, a table for each kind");
        return None;
    };
    if table.nodes.is_empty() || table.nodes.len() > MAX_KINDS {
        let problem = format!("there are {} kinds of men", table.nodes.len());
        let advice = format!("write [men.king] and so on, 1 to {MAX_KINDS} of them: one for each letter");
        faults.add(&men.key_place, problem, advice);
        return None;
    }
    let names: Vec<&str> = table.nodes.iter().map(|node| node.key.as_str()).collect();
    let mut read = Read { rules: Vec::new(), double_steps: Vec::new(), asked: Vec::new(), letters: true };
    for node in &table.nodes {
        let (rules, moves) = man(node, table, &names, &read.rules, shape, faults);
        read.letters &= rules.letter != UNKNOWN;
        read.rules.push(rules);
        read.double_steps.push(moves.ranks);
        read.asked.push(moves.asked);
    }
    if !read.rules.iter().any(|man| man.royal) {
        faults.add(&men.key_place, "no man is royal", "write royal = true in the man to be mated");
    }
    Some(read)
}

/// Stands for the letter of a man that has none, until that is refused.
const UNKNOWN: char = '?';

/// How a man moves, as far as the config says.
#[derive(Default)]
struct Moves {
    steps: Vec<Step>,
    /// The ranks of its double step, if they are named.
    ranks: Option<Vec<i64>>,
    /// The plug-in that is to be asked, if one is.
    asked: Option<Asked>,
}

/// Reads one kind of man; `earlier` are those before it.
fn man(
    node: &Node,
    men: &Table,
    names: &[&str],
    earlier: &[ManRules],
    shape: Shape,
    faults: &mut Faults,
) -> (ManRules, Moves) {
    let name = node.key.as_str();
    if name.is_empty() || name.len() > 30 || !name.chars().all(|c| c.is_alphanumeric() || c == '-') {
        let problem = format!("{} is no name for a man", quoted(name));
        faults.add(&node.key_place, problem, "write letters, digits and -, at most 30");
    }
    let full = format!("men.{name}");
    let mut rules = ManRules {
        name: name.into(),
        letter: UNKNOWN,
        movement: Movement::Steps(Steps { shape, steps: Vec::new(), initial: Default::default() }),
        royal: false,
        pawn: false,
        promotes_to: Vec::new(),
        promotion: Default::default(),
    };
    let Some(man) = faults.table(node, &full, keys::MAN) else { return (rules, Moves::default()) };
    let truth = |key, faults: &mut Faults| man.get(key).and_then(|n| faults.truth(n)).unwrap_or(false);
    rules.letter = letter(node, man, men, earlier, faults).unwrap_or(UNKNOWN);
    rules.royal = truth("royal", faults);
    rules.pawn = truth("pawn", faults);
    rules.promotes_to = promotes_to(man, men, names, faults);
    rules.promotion = promotes_on(man, &full, shape, faults);
    if rules.royal {
        if let Some(first) = earlier.iter().find(|man| man.royal) {
            let place = |man: &str| given_by(men, man, "royal").map_or(&node.key_place, |n| &n.key_place);
            let place = faults.blame(place(name), place(&first.name));
            let problem = format!("{} and {name} are both royal", first.name);
            faults.add(place, problem, "leave royal = true with just one man");
        }
        if !rules.promotes_to.is_empty() {
            let place = given_by(men, name, "promotes-to").map_or(&node.key_place, |n| &n.key_place);
            faults.add(place, "a royal man can't promote", "take promotes-to away");
        }
    }
    let mut moves = movement(node, man, &rules, shape, faults);
    let steps = std::mem::take(&mut moves.steps);
    rules.movement = Movement::Steps(Steps { shape, steps, initial: Default::default() });
    (rules, moves)
}

fn letter(node: &Node, man: &Table, men: &Table, taken: &[ManRules], faults: &mut Faults) -> Option<char> {
    let name = &node.key;
    let Some(given) = man.get("letter") else {
        let initial = name.chars().next().filter(char::is_ascii_alphabetic).unwrap_or('K');
        let advice = format!("write letter = \"{}\" or another of A to Z", initial.to_ascii_uppercase());
        faults.missing(node, &format!("men.{name}"), "letter", &advice);
        return None;
    };
    let text = faults.text(given, "a letter of A to Z in quotes")?;
    let mut letters = text.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        faults.add(&given.place, format!("{} is not one letter", quoted(text)), "write one of A to Z");
        return None;
    };
    if !letter.is_ascii_uppercase() {
        let advice = match letter.to_ascii_uppercase() {
            capital if capital.is_ascii_uppercase() => {
                format!("write \"{capital}\"; Black's men are written with the small letter by themselves")
            }
            _ => "write one of A to Z".into(),
        };
        faults.add(&given.place, format!("{} is not one of A to Z", quoted(text)), advice);
        return None;
    }
    if let Some(other) = taken.iter().find(|other| other.letter == letter) {
        let first = given_by(men, &other.name, "letter").unwrap_or(given);
        let place = faults.blame(&given.place, &first.place);
        let problem = format!("{} and {name} have the same letter {letter}", other.name);
        faults.add(place, problem, format!("write another letter for one of them; free are {}", free(men)));
        return None;
    }
    Some(letter)
}

/// What the config gives a man for a key.
fn given_by<'a>(men: &'a Table, man: &str, key: &str) -> Option<&'a Node> {
    match &men.get(man)?.value {
        Value::Table(man) => man.get(key),
        _ => None,
    }
}

/// The letters that no man has.
fn free(men: &Table) -> String {
    let is_taken = |letter: char| {
        let given = men.nodes.iter().filter_map(|man| given_by(men, &man.key, "letter"));
        given.into_iter().any(|given| matches!(&given.value, Value::Text(text) if text.starts_with(letter)))
    };
    ('A'..='Z').filter(|letter| !is_taken(*letter)).collect()
}

fn movement(node: &Node, man: &Table, rules: &ManRules, shape: Shape, faults: &mut Faults) -> Moves {
    let name = &node.key;
    let mut steps = Vec::new();
    let mut asked = None;
    let advice = if shape.levels() > 1 {
        "write movement = [ { ride = [0, 0, 1] }, … ]"
    } else {
        "write movement = \"K\" or another movement in Betza's notation, or a list of leaps and rides"
    };
    match man.get("movement") {
        None => faults.missing(node, &format!("men.{name}"), "movement", advice),
        Some(given) => match &given.value {
            Value::Text(_) if shape.levels() > 1 => {
                let problem = "Betza's notation knows no levels, but the boards have some";
                faults.add(&given.place, problem, advice);
            }
            Value::Text(text) if text.is_empty() => {
                let advice =
                    "write atoms, as in \"K\" or \"mfWcfF\"; movement = [] is for a man that never moves";
                faults.add(&given.place, "the movement is empty", advice);
            }
            Value::Text(text) if text.len() > 200 => {
                faults.add(&given.place, "the movement is longer than 200 letters", "use fewer atoms");
            }
            Value::Text(text) => match betza::compile(text) {
                Ok(compiled) => steps = compiled,
                Err(more) => more
                    .into_iter()
                    .for_each(|f| faults.add(&given.within(f.at.clone()), f.problem, f.advice)),
            },
            Value::Table(_) => {
                let full = format!("men.{name}.movement");
                let table = faults.table(given, &full, keys::MOVEMENT);
                match table.map(|table| table.get("plugin")) {
                    Some(Some(plugin)) => asked = plugins::read(plugin, &full, &full, faults),
                    Some(None) => faults.missing(
                        given,
                        &full,
                        "plugin",
                        "write movement = { plugin = { id = \"…\", version = \"…\" } }",
                    ),
                    None => {}
                }
            }
            Value::List(list) => steps = axes::steps(list, shape, faults).unwrap_or_default(),
            _ => faults.wrong(given, "a movement", advice),
        },
    }
    let mut ranks = None;
    if let Some(given) = man.get("double-step") {
        let doubles = match &given.value {
            Value::Truth(truth) => *truth,
            Value::Table(_) => {
                let table = faults.table(given, &format!("men.{name}.double-step"), keys::DOUBLE_STEP);
                match table.map(|table| table.get("ranks")) {
                    Some(Some(list)) => ranks = numbers(list, "a rank", shape.ranks(), faults),
                    Some(None) => {
                        let advice = "write double-step = { ranks = [2] }";
                        faults.add(&given.place, "the ranks of the double step are missing", advice);
                    }
                    None => {}
                }
                true
            }
            _ => {
                let advice = "write double-step = true, false or { ranks = [2] }";
                faults.wrong(given, "true, false or { ranks = [2] }", advice);
                false
            }
        };
        if doubles && !rules.pawn {
            let problem = format!("{name} double-steps, but is no pawn");
            faults.add(&given.key_place, problem, "write pawn = true, or take double-step away");
        }
        if doubles && asked.is_some() {
            let problem = format!("a plug-in says how {name} moves, so it can't double-step besides");
            faults.add(&given.key_place, problem, "write double-step = false, or another movement");
        }
        steps.extend(doubles.then(Step::double));
    }
    Moves { steps, ranks, asked }
}

fn promotes_to(man: &Table, men: &Table, names: &[&str], faults: &mut Faults) -> Vec<Kind> {
    let Some(given) = man.get("promotes-to") else {
        if let Some(on) = man.get("promotes-on") {
            faults.add(
                &on.key_place,
                "it is not said to what this man promotes",
                "add promotes-to = [\"…\"]",
            );
        }
        return Vec::new();
    };
    let mut kinds = Vec::new();
    let advice = "write promotes-to = [\"queen\", \"rook\"]: names of men";
    for node in faults.list(given, advice).unwrap_or_default() {
        let Some((kind, name)) = named(node, names, faults) else { continue };
        if let Some(royal) = given_by(men, name, "royal").filter(|n| matches!(n.value, Value::Truth(true))) {
            let place = faults.blame(&node.place, &royal.key_place);
            let advice = match std::ptr::eq(place, &node.place) {
                true => format!("take {name} out of promotes-to"),
                false => format!("take royal away, or say promotes-to without {name}"),
            };
            faults.add(place, format!("{name} is royal: nobody promotes to it"), advice);
        } else if kinds.contains(&kind) {
            faults.add(&node.place, format!("{name} is there twice"), "write it once");
        } else {
            kinds.push(kind);
        }
    }
    kinds
}

/// The man that an entry of a list names.
pub(crate) fn named<'a>(node: &Node, names: &[&'a str], faults: &mut Faults) -> Option<(Kind, &'a str)> {
    let text = faults.text(node, "the name of a man in quotes")?;
    let found = names.iter().position(|name| *name == text);
    if found.is_none() {
        unknown(&node.place, text, names, faults);
    }
    found.map(|i| (Kind(i as u8), names[i]))
}

fn unknown(place: &Place, text: &str, names: &[&str], faults: &mut Faults) {
    let all = names.join(", ");
    let advice = match nearest(text, names) {
        Some(word) => format!("did you mean \"{word}\"? The men are {all}"),
        None => format!("the men are {all}"),
    };
    faults.add(place, format!("there is no man called {}", quoted(text)), advice);
}

/// For each colour the promotion cells. By default the last rank, on boards with levels the last rank
/// of the last level.
fn promotes_on(man: &Table, full: &str, shape: Shape, faults: &mut Faults) -> [Vec<bool>; 2] {
    let (mut ranks, mut levels) = (vec![shape.ranks() as i64], vec![shape.levels() as i64]);
    if let Some(given) = man.get("promotes-on") {
        let table = faults.table(given, &format!("{full}.promotes-on"), keys::PROMOTES_ON);
        let mut read = |key, noun, most| {
            let list = table.and_then(|table| table.get(key))?;
            numbers(list, noun, most, faults)
        };
        ranks = read("ranks", "a rank", shape.ranks()).unwrap_or(ranks);
        levels = read("levels", "a level", shape.levels()).unwrap_or(levels);
    }
    let promotes = |colour, cell| {
        let (rank, level) = from_own_side(shape, colour, cell);
        ranks.contains(&rank) && levels.contains(&level)
    };
    Colour::BOTH.map(|colour| shape.all().map(|cell| promotes(colour, cell)).collect())
}

/// A list of ranks or levels, counted from 1.
fn numbers(node: &Node, noun: &str, most: usize, faults: &mut Faults) -> Option<Vec<i64>> {
    let list = faults.list(node, &format!("write {} = [{most}]", node.key))?;
    list.iter().map(|node| faults.whole(node, 1..=most as i64, noun)).collect()
}

/// A cell's rank and level, counted from 1 and from the side of the board where that colour starts.
fn from_own_side(shape: Shape, colour: Colour, cell: Cell) -> (i64, i64) {
    let [_, rank, level] = shape.coordinates(cell).map(i64::from);
    match colour {
        Colour::White => (rank + 1, level + 1),
        Colour::Black => (shape.ranks() as i64 - rank, shape.levels() as i64 - level),
    }
}

impl Read {
    /// The finished rules, now that the starting position is known.
    ///
    /// Initial are the cells on which men of that kind and colour start, on whichever board, and for
    /// pawns the whole ranks of those cells; or the ranks that `double-step` names.
    pub(crate) fn place(mut self, start: &Setup) -> Vec<ManRules> {
        let shape = start.shape;
        for (i, (man, ranks)) in self.rules.iter_mut().zip(&self.double_steps).enumerate() {
            let initial = Colour::BOTH.map(|colour| {
                let kind = Kind(i as u8);
                let cells: Vec<Cell> = start.find(Man { kind, colour }).map(|square| square.cell).collect();
                let row = |cell| from_own_side(shape, colour, cell);
                let is_initial = |cell: Cell| match ranks {
                    Some(ranks) => ranks.contains(&row(cell).0),
                    None if man.pawn => cells.iter().any(|home| row(*home) == row(cell)),
                    None => cells.contains(&cell),
                };
                shape.all().map(is_initial).collect()
            });
            if let Movement::Steps(steps) = &mut man.movement {
                steps.initial = initial;
            }
        }
        self.rules
    }
}
