//! Games are read as they were written, what is broken is told and skipped, and nothing is read before
//! it is asked for.

use alice_config::load;
use alice_core::{Language, Move, Position, Record, Variant};
use alice_score::{Line, ScoreSheet, Sheets, SheetsError, Turn, Written, read_one_grid, write_one_grid};
use proptest::prelude::*;
use std::cell::Cell;
use std::io::{BufReader, Read};
use std::rc::Rc;

fn read_all(text: &str) -> Vec<Result<ScoreSheet<Written>, SheetsError>> {
    Sheets::new(text.as_bytes()).collect()
}

fn read_in(language: Language) -> impl FnMut(&Position, &Written) -> Result<Move, String> {
    move |position, written| {
        position.read_algebraic_in(language, &written.text).map_err(|e| format!("{position}: {e}"))
    }
}

/// A line of play with remarks, made by numbers.
fn line(position: &Position, choices: &mut dyn Iterator<Item = u32>, depth: u32) -> Line<Move> {
    let mut position = position.clone();
    let mut line = Line::default();
    let words = ["a", "{ b", "c ) [d] ; e \\ \"f\"", "% g", "1-0 (", "Ärger über $5"];
    let comments = |n: u32| -> Vec<String> {
        (0..n % 13 % 3).map(|m| words[(n + m) as usize % words.len()].to_string()).collect()
    };
    let length = choices.next().unwrap_or(0) % if depth == 0 { 60 } else { 4 } + u32::from(depth > 0);
    line.comments = comments(length);
    for _ in 0..length {
        let mut moves = position.legal_moves();
        moves.sort();
        let Some(n) = choices.next().filter(|_| !moves.is_empty()) else { break };
        let mut turn = Turn::from(moves[n as usize % moves.len()]);
        turn.glyphs = (0..n % 7 % 3).map(|m| (n / 3 + m) as u8).collect();
        turn.comments = comments(n / 7);
        if depth < 3 && n % 17 == 0 {
            turn.variations.push(self::line(&position, choices, depth + 1));
            turn.variations.retain(|variation| !variation.turns.is_empty());
        }
        position.play(&turn.mv);
        line.turns.push(turn);
    }
    line
}

fn sheet(variant: &Variant, name: &str, numbers: &[u32]) -> (Position, ScoreSheet<Move>) {
    let mut choices = numbers.iter().copied();
    let mut start = variant.start();
    for _ in 0..choices.next().unwrap_or(0) % 8 {
        let mut moves = start.legal_moves();
        moves.sort();
        let Some(n) = choices.next().filter(|_| !moves.is_empty()) else { break };
        start.play(&moves[n as usize % moves.len()]);
    }
    let line = line(&start, &mut choices, 0);
    let mut sheet = ScoreSheet { line, ..ScoreSheet::default() };
    sheet.set_tag("White", "A \"quoted\" \\ name");
    sheet.set_tag("Variant", name);
    sheet.set_tag("Annotator", "]");
    sheet.set_start(&start);
    (start, sheet)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_sheet_is_read_as_it_was_written(numbers in prop::collection::vec(any::<u32>(), 1..120)) {
        for (n, name) in alice_config::builtin_names().into_iter().enumerate() {
            let variant = load(name).unwrap().variant;
            let (start, sheet) = sheet(&variant, name, &numbers);
            let language = Language::ALL[(n + numbers.len()) % Language::ALL.len()];
            let text = sheet.write(&start, language);
            prop_assert!(text.lines().all(|line| line.starts_with('[') || line.chars().count() <= 80), "{text}");
            let read = Sheets::new(text.as_bytes()).next().unwrap().unwrap();
            let from = read.tag("FEN").map_or_else(|| variant.start(), |tag| variant.read_position(&tag.value).unwrap());
            prop_assert_eq!(from.to_string(), start.to_string());
            let read = read.understand(&from, &mut read_in(language));
            prop_assert!(read.is_ok(), "{}: {:?}\n{}", name, read, text);
            let read = read.unwrap();
            prop_assert_eq!(&read.line, &sheet.line, "{}", text);
            prop_assert_eq!(read.write(&from, language), text);
        }
    }

    #[test]
    fn a_position_without_shared_cells_is_one_grid_and_back(numbers in prop::collection::vec(any::<u32>(), 1..60)) {
        for name in ["alice", "mrs-alice", "capablanca-alice", "alice-8x4"] {
            let variant = load(name).unwrap().variant;
            let (start, sheet) = sheet(&variant, name, &numbers);
            let end = sheet.record(start).position().clone();
            let grid = write_one_grid(&end).unwrap();
            prop_assert_eq!(read_one_grid(&variant, &grid).unwrap().to_string(), end.to_string(), "{}", grid);
        }
    }

    #[test]
    fn no_text_is_too_broken_to_be_told_so(
        edits in prop::collection::vec((any::<prop::sample::Index>(), "[\\[\\](){};$%*\"\n a-hNBRQK1-9=/]|1-0|é"), 0..12)
    ) {
        let mut text = include_str!("../../../tests/cli/files/annotated.pgn").repeat(3);
        for (index, edit) in &edits {
            let mut at = index.index(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.insert_str(at, edit);
        }
        let games = read_all(&text);
        prop_assert!((1..40).contains(&games.len()));
        for error in games.into_iter().filter_map(Result::err) {
            let SheetsError::Broken { place, .. } = error else { panic!("{error}") };
            prop_assert!((1..=text.lines().count()).contains(&place.line));
        }
    }
}

/// What a game is left with when it goes on otherwise.
#[test]
fn remarks_stay_with_the_moves_that_stay() {
    let start = load("chess").unwrap().variant.start();
    let text = "1. e4 {open} e5 $1 (1... c5) 2. Nf3 {gone} 1-0";
    let mut sheet =
        read_all(text).remove(0).unwrap().understand(&start, &mut read_in(Language::English)).unwrap();
    let mut record = sheet.record(start.clone());
    record.undo();
    let mv = record.position().read_algebraic("d4").unwrap();
    record.play(&mv);
    sheet.follow(&record);
    assert_eq!(sheet.movetext(&start, Language::English), "1. e4 {open} 1... e5 $1 (1... c5) 2. d4 *");
    assert_eq!(ScoreSheet::of(&Record::new(start.clone())).movetext(&start, Language::English), "*");
}

/// Endless games, and a count of the bytes that were taken.
struct Endless {
    taken: Rc<Cell<usize>>,
}

const ONE: &[u8] = b"[Variant \"chess\"]\n\n1. e4 {a comment} e5 (1... c5) 2. Nf3 1/2-1/2\n\n";

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let from = self.taken.get() % ONE.len();
        let n = buffer.len().min(ONE.len() - from);
        buffer[..n].copy_from_slice(&ONE[from..from + n]);
        self.taken.set(self.taken.get() + n);
        Ok(n)
    }
}

#[test]
fn games_are_read_one_by_one_and_no_further() {
    let taken = Rc::new(Cell::new(0));
    let mut sheets = Sheets::new(BufReader::new(Endless { taken: taken.clone() }));
    for game in 1..=20_000 {
        let sheet = sheets.next().unwrap().unwrap();
        assert_eq!(sheet.line.turns.len(), 3);
        assert_eq!(sheet.place.line, 4 * (game - 1) + 1);
        assert!(taken.get() <= game * ONE.len() + 8192 && taken.get() >= (game - 1) * ONE.len());
    }
}

/// A text, and for each of its games the moves as they are written, or where it is broken.
const READ: &[(&str, &[&str])] = &[
    ("", &[]),
    ("\n \n% nothing\n", &[]),
    ("*", &[""]),
    ("1. e4 e5 *", &["e4 e5"]),
    ("1.e4 e5 2.Nf3", &["e4 e5 Nf3"]),
    ("e4 e5", &["e4 e5"]),
    ("1. e4 ... 1... e5 1. 2e4 *", &["e4 e5 2e4"]),
    ("1. e4 e5 1-0 1. d4 0-1", &["e4 e5", "d4"]),
    ("[A \"b\"] [C \"d\"] 1. e4 *", &["e4"]),
    ("[ A \"b\" ]\n1. e4 *", &["e4"]),
    ("1. 0-0 0-0-0 0-1", &["0-0 0-0-0"]),
    ("1. e8(Q)+ e1=N/A# (1... e8)(1... e1 (1... d1)) *", &["e8(Q)+ e1=N/A#"]),
    ("1. R=h1/B R=xh1/B!? exd6 e.p. 2. Kb7= *", &["R=h1/B R=xh1/B exd6 Kb7="]),
    ("1. e4 ; 1-0 is no result here\n e5 *", &["e4 e5"]),
    ("1. e4 {a\n[b \"c\"] \n\n} e5 *\n", &["e4 e5"]),
    ("1. e4 {1-0} (1. d4 1-0) e5 *\n", &["e4 e5"]),
    ("\u{feff}[A \"b\"]\n\n1. e4 *", &["e4"]),
    ("1. e4 {\n\n[A \"b\"]\n1. d4 *", &["1:7", "d4"]),
    ("[A \"b]\n[C \"d\"]\n\n1. e4 *\n[A \"b\"]\n1. d4 *", &["1:5", "d4"]),
    ("[A b]\n\n1. e4 *", &["1:4"]),
    ("[\"b\"]\n\n1. e4 *", &["1:2"]),
    ("[A \"b\"\n\n1. e4 *", &["1:7"]),
    ("[A \"b\"]\n[A \"c\"]\n*", &["2:5"]),
    ("(1. e4) *", &["1:1"]),
    ("1. e4) e5 *\n1. d4 *", &["1:6", "d4"]),
    ("1. e4 (1. d4 *", &["1:7"]),
    ("$1 1. e4 *", &["1:1"]),
    ("1. e4 $256 *", &["1:7"]),
    ("1. e4 $ *", &["1:7"]),
    ("1. e4 <e5> *", &["1:7"]),
    ("1. e4 } *", &["1:7"]),
    ("1. e4 [A \"b\"] *", &["1:7"]),
];

#[test]
fn texts_are_taken_apart_as_people_mean_them() {
    for (text, expected) in READ {
        let told = |game: Result<ScoreSheet<Written>, SheetsError>| match game {
            Ok(sheet) => {
                sheet.line.turns.iter().map(|turn| turn.mv.text.clone()).collect::<Vec<_>>().join(" ")
            }
            Err(SheetsError::Broken { place, .. }) => format!("{}:{}", place.line, place.column),
            Err(other) => panic!("{other}"),
        };
        let games: Vec<String> = read_all(text).into_iter().map(told).collect();
        assert_eq!(&games, expected, "{text}");
    }
}

#[test]
fn lines_and_variations_without_end_are_broken_games() {
    let long = format!("1. e4 {}\n[A \"b\"]\n1. d4 *\n", "e5 ".repeat(1 << 20));
    let deep = "1. e4 (".repeat(100_000) + "\n[A \"b\"]\n1. d4 *\n";
    for text in [long, deep] {
        let games = read_all(&text);
        assert_eq!(games.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true]);
    }
}
