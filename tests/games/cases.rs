//! Published games, claims, positions and problems, and corner cases of the rules, one a line of
//! `tests/cases.jsonl`. Every field of every case is checked; one that is not known here is a fault.

use crate::perft::slow_perft;
use crate::{both_ways, data, game};
use alice_core::{
    Boards, Cell, CellSet, Colour, Man, Move, MoveKind, Outcome, Position, Setup, Square, Strictness,
    Variant, Wide,
};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

pub type Fields = Map<String, Value>;

/// What is wrong with a case.
pub type Checked<T = ()> = Result<T, String>;

fn that(holds: bool, otherwise: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(otherwise()) }
}

fn text(value: &Value) -> Checked<&str> {
    value.as_str().ok_or_else(|| format!("{value} is not a text"))
}

fn list(value: &Value) -> Checked<Vec<&str>> {
    value.as_array().ok_or_else(|| format!("{value} is not a list"))?.iter().map(text).collect()
}

fn fields(value: &Value) -> Checked<&Fields> {
    value.as_object().ok_or_else(|| format!("{value} is not a table"))
}

/// Levels named A, B … as the text of one board: from the top.
fn levels(levels: &Fields) -> Checked<String> {
    let placements: Vec<&str> = levels.values().rev().map(text).collect::<Checked<_>>()?;
    Ok(placements.join("//"))
}

/// The position from which a case starts.
pub fn start(variant: &Variant, start: &Fields) -> Checked<Position> {
    let mut boards = Vec::new();
    let (mut turn, mut castling) = ("w", "-");
    for (key, value) in start {
        match key.as_str() {
            "boards" => boards = fields(value)?.values().map(text).collect::<Checked<Vec<_>>>()?,
            "turn" => turn = text(value)?,
            "castling" => castling = text(value)?,
            "levels" | "cube1_levels" | "cube2_levels" => {}
            other => return Err(format!("start: unknown field {other}")),
        }
    }
    let mut boards: Vec<String> = boards.into_iter().map(String::from).collect();
    if let Some(cube) = start.get("levels").or(start.get("cube1_levels")) {
        boards.push(levels(fields(cube)?)?);
    }
    if let Some(second) = start.get("cube2_levels") {
        that(second == "all empty", || format!("cube2_levels: {second}"))?;
        boards.push(["5/5/5/5/5"; 5].join("//"));
    }
    let written = format!("{} {turn} {castling} - 0 1", boards.join("|"));
    let setup = variant.read_setup(&written).map_err(|e| e.to_string())?;
    // Compositions may lack a king, and studies of rules leave the side not to move in check.
    variant.position(&setup, Strictness::Problem).map_err(|e| e.to_string())
}

/// `A:e2e4`, perhaps with a remark behind it, as `e2Ae4`: the landing board is left out.
fn listed(mv: &str) -> Checked<String> {
    let plain = mv.split(' ').next().unwrap_or_default();
    let (board, cells) = plain.split_once(':').ok_or_else(|| format!("{mv} names no board"))?;
    let digits = cells[1..].bytes().take_while(u8::is_ascii_digit).count();
    let (from, to) = cells.split_at(1 + digits);
    Ok(format!("{from}{board}{to}"))
}

/// A legal move as the lists write it: `A:e2e4`.
fn as_listed(position: &Position, mv: &Move) -> String {
    format!("{}:{}", mv.origin, mv.short(position.rules()))
}

pub fn find(position: &Position, board: &str, uci: &str) -> Checked<Move> {
    position.read_move(&listed(&format!("{board}:{uci}"))?).map_err(|e| format!("{position}: {e}"))
}

fn captures(position: &Position, mv: &Move) -> bool {
    match mv.kind {
        MoveKind::Ordinary => position.man(Square { board: mv.origin, cell: mv.to }).is_some(),
        MoveKind::Zero => position.man(mv.end()).is_some(),
        MoveKind::EnPassant => true,
        MoveKind::Castling(_) => false,
    }
}

fn mated(position: &Position) -> bool {
    matches!(position.outcome(), Some(Outcome::Mate { .. }))
}

/// Whether a move is what standard algebraic notation says: its man, capture, cells, promotion and
/// landing board, and whether it gives check or mate.
fn is_san(position: &Position, mv: &Move, san: &str) -> bool {
    let rules = position.rules();
    let after = position.after(mv);
    let body = san.trim_end_matches('=');
    let sign = body.chars().last().filter(|c| matches!(c, '+' | '#'));
    let expected = match (mated(&after), after.in_check()) {
        (true, _) => Some('#'),
        (false, true) => Some('+'),
        _ => None,
    };
    let body = body.trim_end_matches(['+', '#']);
    if sign != expected {
        return false;
    }
    if let MoveKind::Castling(wing) = mv.kind {
        return body == if wing == alice_core::Wing::King { "O-O" } else { "O-O-O" };
    }
    let (body, landing) = body.split_once('/').map_or((body, None), |(b, l)| (b, Some(l)));
    let (body, promotion) = body.split_once('=').map_or((body, None), |(b, p)| (b, Some(p)));
    let promoted = mv.promotion.map(|kind| rules.man(kind).letter.to_string());
    if landing.is_some_and(|l| l != mv.landing.to_string()) || promotion != promoted.as_deref() {
        return false;
    }
    let man = position.man(mv.start()).expect("a legal move starts from a man");
    let kind = body.chars().next().filter(char::is_ascii_uppercase);
    let letter = rules.man(man.kind).letter;
    if kind.unwrap_or('P') != letter || body.contains('x') != captures(position, mv) {
        return false;
    }
    let cells: String = body.chars().filter(|c| !c.is_ascii_uppercase() && *c != 'x').collect();
    let (from, to) = (rules.shape.cell_name(mv.from), rules.shape.cell_name(mv.to));
    cells.strip_suffix(&to).is_some_and(|hint| from.starts_with(hint) || from.ends_with(hint))
}

/// Whether the side to move mates in at most so many moves.
fn mates(position: &Position, moves: u32) -> bool {
    position.legal_moves().iter().any(|mv| forces_mate(&position.after(mv), moves))
}

/// Whether the side that has just moved mates with at most so many moves, that one counted.
fn forces_mate(after: &Position, moves: u32) -> bool {
    let replies = after.legal_moves();
    if replies.is_empty() {
        return after.in_check();
    }
    moves > 1 && replies.iter().all(|reply| mates(&after.after(reply), moves - 1))
}

/// All lines of so many moves of each side in which Black, who begins, helps White to mate.
fn help_mates(position: &Position, plies: u32, line: &mut Vec<String>, found: &mut Vec<String>) {
    for mv in position.legal_moves() {
        let (shape, after) = (position.rules().shape, position.after(&mv));
        line.push(format!("{}-{}/{}", shape.cell_name(mv.from), shape.cell_name(mv.to), mv.landing));
        if plies > 1 {
            help_mates(&after, plies - 1, line, found);
        } else if mated(&after) {
            found.push(line.join(" "));
        }
        line.pop();
    }
}

/// What a case expects of the position after its moves.
struct Case<'a> {
    variant: Variant,
    fields: &'a Fields,
    start: Position,
    end: Position,
}

impl Case<'_> {
    fn is_problem(&self) -> bool {
        self.fields["kind"] == "problem"
    }

    /// Where what is expected holds: for a problem where it starts, else where its moves lead.
    fn position(&self) -> &Position {
        if self.is_problem() { &self.start } else { &self.end }
    }

    fn check(&self, key: &str, value: &Value) -> Checked {
        let position = self.position();
        let (fast, slow) = both_ways(position);
        that(fast == slow, || format!("{position}: fast and slow path differ"))?;
        let legal: BTreeSet<String> = fast.iter().map(|m| as_listed(position, m)).collect();
        let is = |found: Value| that(found == *value, || format!("{found}, not {value}"));
        match key {
            // That the moves are legal was seen when they were made.
            "legal" => that(*value == true, || "only legal games are known".into()),
            "plies" => is(self.fields["moves"].as_array().map_or(0, Vec::len).into()),
            "final" => self.placed(&self.end, fields(value)?),
            "check" => is(position.in_check().into()),
            "checkmate" => is(mated(position).into()),
            "stalemate" => is(matches!(position.outcome(), Some(Outcome::Stalemate { .. })).into()),
            "result" => {
                // Other games ended by resignation or were broken off: the position goes on.
                let score = position.outcome().map(|outcome| outcome.score().to_string());
                match (score, text(value)?) {
                    (Some(score), expected) => that(score == expected, || score),
                    (None, ending) => that(ending == "*" || ending.contains("resigns"), || ending.into()),
                }
            }
            "legal_moves" => {
                let expected: BTreeSet<String> = list(value)?.into_iter().map(String::from).collect();
                that(legal == expected, || format!("{legal:?}"))
            }
            "legal_move_count" => is(fast.len().into()),
            "legal_includes" => list(value)?.iter().try_for_each(|mv| {
                let found = position.read_move(&listed(mv)?);
                that(found.is_ok(), || format!("{mv} is not legal"))
            }),
            "illegal" => list(value)?.iter().try_for_each(|mv| {
                let found = position.read_move(&listed(mv)?);
                that(found.is_err(), || format!("{mv} is legal"))
            }),
            "checking_moves" => {
                let checks = fast.iter().filter(|m| position.after(m).in_check());
                let found: BTreeSet<_> = checks.map(|m| as_listed(position, m)).collect();
                let expected: BTreeSet<_> = list(value)?.into_iter().map(String::from).collect();
                that(found == expected, || format!("{found:?}"))
            }
            "perft" => fields(value)?.iter().try_for_each(|(depth, expected)| {
                let (depth, expected) =
                    (depth.parse().expect("a depth"), expected.as_u64().expect("a count"));
                if cfg!(debug_assertions) && expected > 200_000 {
                    return Ok(());
                }
                let found = [position.perft(depth), position.perft_full(depth)];
                that(found == [expected; 2], || format!("depth {depth}: {found:?}"))?;
                let small = expected < 3_000;
                that(!small || slow_perft(position, &position.setup(), depth) == expected, || {
                    format!("depth {depth}: the slow twin differs")
                })
            }),
            "after" => self.after(position, fields(value)?),
            "by_en_passant_rule" => fields(value)?.iter().try_for_each(|(rule, expected)| {
                let name = format!("{}+ep={rule}", text(&self.fields["variant"])?);
                let position = replay(&game(&name), self.fields)?.1;
                let is_capture = |m: &&Move| m.kind == MoveKind::EnPassant;
                let moves = position.legal_moves();
                let found: BTreeSet<_> =
                    moves.iter().filter(is_capture).map(|m| as_listed(&position, m)).collect();
                fields(expected)?.iter().try_for_each(|(key, value)| match key.as_str() {
                    "ep_captures" => {
                        let expected = list(value)?.into_iter().map(String::from).collect();
                        that(found == expected, || format!("{rule}: {found:?}"))
                    }
                    "after" => {
                        let mv = moves.iter().find(is_capture).ok_or("no capture")?;
                        self.placed(&position.after(mv), fields(value)?)
                    }
                    other => Err(format!("unknown field {other}")),
                })
            }),
            "setup" | "white" | "black" | "kings" => self.array(key, text(value).unwrap_or_default(), value),
            "note" => {
                let note = text(value)?;
                let king = |colour| self.variant.reference().king(&self.start.setup(), colour);
                for (words, colour) in [("no white king", Colour::White), ("no black king", Colour::Black)] {
                    that(!note.contains(words) || king(colour).is_none(), || note.into())?;
                }
                that(note.contains("no white king") || note.contains("no black king"), || {
                    format!("{note:?} can't be checked")
                })
            }
            // What people say about it.
            "text" | "solution" | "play" | "dual_computed" => Ok(()),
            "mate_in" => {
                let n = value.as_u64().expect("a number") as u32;
                that(mates(position, n) && !mates(position, n - 1), || format!("no mate in just {n}"))
            }
            "unique_key" | "key" => self.key(key, value),
            "refuted_tries" | "tries_with_single_refutation_computed" => self.tries(key, fields(value)?),
            "help_mate_in" => that(*value == 2, || "only help mates in two are known".into()),
            "solutions" | "solution_count" => self.help_mate(key, value),
            other => Err(format!("unknown field {other}")),
        }
        .map_err(|problem| format!("{key}: {problem}"))
    }

    /// Placements, side and rights of a position.
    fn placed(&self, position: &Position, expected: &Fields) -> Checked {
        let text_of = position.to_string();
        let found: Vec<&str> = text_of.split(' ').collect();
        let boards: Vec<&str> = found[0].split('|').collect();
        expected.iter().try_for_each(|(key, value)| {
            let found = match key.as_str() {
                "A" | "B" | "C" => boards[usize::from(key.as_bytes()[0] - b'A')],
                "turn" => found[1],
                "castling" => found[2],
                other => return Err(format!("unknown field {other}")),
            };
            that(found == *value, || format!("{key}: {found}, not {value}"))
        })
    }

    fn after(&self, position: &Position, expected: &Fields) -> Checked {
        let (board, uci) =
            text(&expected["move"])?.split_once(':').ok_or_else(|| "no board is named".to_string())?;
        let mut boards = expected.clone();
        boards.remove("move");
        self.placed(&position.after(&find(position, board, uci)?), &boards)
    }

    /// How the men stand at the start.
    fn array(&self, key: &str, words: &str, value: &Value) -> Checked {
        let own = self.variant.start();
        that(self.start.to_string() == own.to_string(), || format!("the game starts from {own}"))?;
        let rules = self.variant.rules();
        let cell = |name: &str| match rules.shape.read_cell(name) {
            Some((cell, "")) => Ok(Square { cell, ..Square::default() }),
            _ => Err(format!("{name} is no cell")),
        };
        match key {
            // In words: the halves of a board of 8 files.
            "setup" => that(
                rules.shape.files() == 4
                    && rules.boards == 2
                    && words.starts_with("files a-d of one 8x8 board"),
                || "not two boards of four files".into(),
            ),
            "kings" => {
                let kings = Colour::BOTH.map(|c| self.variant.reference().king(&own.setup(), c));
                let expected = list(value)?.into_iter().map(|name| cell(name).map(Some));
                that(expected.collect::<Checked<Vec<_>>>()? == kings, || format!("{kings:?}"))
            }
            _ => {
                // `A1 R N K N R, A2 pawns`: level and rank, then the men from the first file on.
                let colour = if key == "white" { Colour::White } else { Colour::Black };
                let mut men = BTreeSet::new();
                for row in words.split(", ") {
                    let (row, letters) = row.split_once(' ').ok_or("no men are named")?;
                    let letters = letters.replace("pawns", "P P P P P").to_uppercase();
                    for (file, letter) in ('a'..).zip(letters.split(' ')) {
                        let kind = rules.kind_of_letter(letter.chars().next().unwrap_or('?'));
                        let square = cell(&format!("{}{file}{}", &row[..1], &row[1..]))?;
                        men.insert((square, Man { kind: kind.ok_or("no such man")?, colour }));
                    }
                }
                let found: BTreeSet<_> = own.setup().men().filter(|(_, m)| m.colour == colour).collect();
                that(found == men, || format!("{found:?}"))
            }
        }
    }

    fn moves(&self) -> Checked<u32> {
        let moves = self.fields["expect"].get("mate_in").and_then(Value::as_u64);
        moves.map(|n| n as u32).ok_or_else(|| "it is not said in how many moves".into())
    }

    fn key(&self, key: &str, value: &Value) -> Checked {
        let (position, n) = (&self.start, self.moves()?);
        let keys: Vec<_> =
            position.legal_moves().into_iter().filter(|mv| forces_mate(&position.after(mv), n)).collect();
        if key == "unique_key" {
            return that((keys.len() == 1) == *value, || format!("{} keys", keys.len()));
        }
        let expected = find(position, text(&value["board"])?, text(&value["uci"])?)?;
        let san =
            value.get("san").map_or(Ok(true), |san| text(san).map(|s| is_san(position, &expected, s)))?;
        that(keys == [expected] && san, || format!("{keys:?}"))
    }

    /// Tries, each with the reply that refutes it; where they are said to be single, no other does.
    fn tries(&self, key: &str, tries: &Fields) -> Checked {
        let (position, n) = (&self.start, self.moves()?);
        tries.iter().try_for_each(|(attempt, reply)| {
            let named = |at: &Position, san: &str| -> Checked<Move> {
                let signs = ["", "+", "#"].map(|sign| format!("{}{sign}", san.trim_end_matches(['+', '#'])));
                let moves = at.legal_moves();
                let mut fit = moves.iter().filter(|m| signs.iter().any(|san| is_san(at, m, san)));
                let (first, second) = (fit.next(), fit.next());
                first.filter(|_| second.is_none()).copied().ok_or_else(|| format!("{san} names no one move"))
            };
            let tried = position.after(&named(position, attempt)?);
            let refutes = |reply: &Move| !mates(&tried.after(reply), n - 1);
            let refutation = named(&tried, text(reply)?)?;
            that(refutes(&refutation), || format!("{reply} does not refute {attempt}"))?;
            let single = tried.legal_moves().iter().filter(|m| refutes(m)).count() == 1;
            that(single || !key.contains("single"), || format!("more than {reply} refutes {attempt}"))
        })
    }

    fn help_mate(&self, key: &str, value: &Value) -> Checked {
        let mut found = Vec::new();
        help_mates(&self.start, 4, &mut Vec::new(), &mut found);
        if key == "solution_count" {
            return that(*value == found.len(), || format!("{} solutions", found.len()));
        }
        // `1.Bd5-b7/B Rg2-e2/B 2.Re7-a7/B e6-e7/B#` without numbers, men and signs.
        let bare = |line: &str| {
            let line = line.replace("1.", "").replace("2.", "").replace('#', "");
            line.split(' ').map(|mv| &mv[mv.find('-').unwrap_or(2) - 2..]).collect::<Vec<_>>().join(" ")
        };
        let expected: Vec<String> = list(value)?.into_iter().map(bare).collect();
        that(found == expected, || format!("{found:?}"))
    }
}

/// Plays the moves of a case, each as it is written; gives the positions before and after.
fn replay(variant: &Variant, case: &Fields) -> Checked<(Position, Position)> {
    let begin = start(variant, fields(&case["start"])?)?;
    let mut position = begin.clone();
    for step in case["moves"].as_array().ok_or("no list of moves")? {
        for key in fields(step)?.keys() {
            that(matches!(key.as_str(), "san" | "board" | "uci"), || format!("moves: unknown field {key}"))?;
        }
        let mv = find(&position, text(&step["board"])?, text(&step["uci"])?)?;
        let san = text(&step["san"])?;
        that(is_san(&position, &mv, san), || {
            format!("{position}: {san} is not {}", mv.exact(variant.rules()))
        })?;
        position.play(&mv);
    }
    Ok((begin, position))
}

/// A claim about one man alone on the board: `white pawn Cc3`, `unicorns Bb1, Be1`.
fn alone(variant: &Variant, words: &str, expect: &Fields) -> Checked {
    let (shape, rules) = (variant.rules().shape, variant.rules());
    let kind = rules.men.iter().position(|m| words.contains(&m.name)).ok_or("no such man")?;
    let man = Man { kind: alice_core::Kind(kind as u8), colour: Colour::White };
    let names = words.split([' ', ',']).filter_map(|word| shape.read_cell(word));
    let cells: Vec<Cell> = names.filter(|(_, rest)| rest.is_empty()).map(|(cell, _)| cell).collect();
    let at = |cell| Square { cell, ..Square::default() };
    let empty = Setup::empty(shape, rules.boards);
    let read = |value: &Value| -> Checked<Wide> {
        let cells =
            list(value)?.into_iter().map(|name| shape.read_cell(name).map(|(cell, _)| Wide::of(cell)));
        let cells: Option<Vec<Wide>> = cells.collect();
        Ok(cells.ok_or("no such cell")?.into_iter().fold(Wide::EMPTY, |set, cell| set | cell))
    };
    let reached = |from: Cell| {
        let mut seen = Wide::of(from);
        loop {
            let next = seen.cells().fold(seen, |set, c| set | variant.reference().quiet(&empty, at(c), man));
            if next == seen {
                return seen;
            }
            seen = next;
        }
    };
    that(!cells.is_empty(), || format!("{words} names no cell"))?;
    let first = at(cells[0]);
    let (quiet, attacks) =
        (variant.reference().quiet(&empty, first, man), variant.reference().attacks(&empty, first, man));
    expect.iter().try_for_each(|(key, value)| {
        let right = match key.as_str() {
            "steps" => quiet == read(value)?,
            "captures" => attacks == read(value)?,
            "not_captures" => (attacks & read(value)?).is_empty(),
            "reachable_cells_each" => cells.iter().all(|c| *value == reached(*c).count()),
            "reachable_cells_together" => {
                *value == cells.iter().fold(Wide::EMPTY, |set, c| set | reached(*c)).count()
            }
            other => return Err(format!("unknown field {other}")),
        };
        that(right && Boards::<Wide>::boards(&empty) == 1, || format!("{key}: not {value}"))
    })
}

fn check(case: &Fields) -> Checked {
    for key in case.keys() {
        let known = ["id", "variant", "kind", "name", "stipulation", "start", "moves", "expect", "source"];
        that(known.contains(&key.as_str()), || format!("unknown field {key}"))?;
    }
    let variant = game(text(&case["variant"])?);
    let expect = fields(&case["expect"])?;
    that(!expect.is_empty(), || "nothing is expected".into())?;
    if let Some(words) = case["start"].get("piece").or(case["start"].get("pieces")) {
        return alone(&variant, text(words)?, expect);
    }
    let (start, end) = replay(&variant, case)?;
    let case = Case { variant, fields: case, start, end };
    expect.iter().try_for_each(|(key, value)| case.check(key, value))
}

#[test]
fn every_case_holds_in_every_field() {
    let lines = std::fs::read_to_string(data("cases.jsonl")).unwrap();
    let cases: Vec<Fields> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(cases.len() >= 62, "the cases are there");
    let faults: Vec<String> =
        cases.iter().filter_map(|case| Some(format!("{}: {}", case["id"], check(case).err()?))).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
