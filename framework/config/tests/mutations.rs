//! No text makes the reader panic: configs with bytes and lines deleted, doubled, swapped and replaced.

use alice_config::{builtin_names, builtin_text, parse, template};
use proptest::prelude::*;

/// What mutations put in: pieces that mean something somewhere.
const WORDS: [&str; 40] = [
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "-",
    "0",
    "-1",
    "99999999999999999999",
    "1e9",
    "nan",
    "true",
    "\n",
    "\n[men.king]\n",
    "\n[[men]]\n",
    "\n[transfer.next]\n",
    "count = 8",
    "files = 26",
    "levels = 9",
    "extends = \"raumschach\"",
    "castling = \"off\"",
    "\"K\"",
    "\"fhNN\"",
    "\"nZ\"",
    "\"pW0\"",
    "W255",
    "[[0, 1, 2]]",
    "{ leap = [-127, 127, 0] }",
    "royal = true",
    "pawn = true",
    "double-step = true",
    "promotes-to = [\"king\"]",
    "\u{feff}",
    "é",
    "\u{0}",
    "//",
];

#[derive(Clone, Debug)]
enum Mutation {
    Delete { at: usize, length: usize },
    Double { at: usize, length: usize },
    Insert { at: usize, word: usize },
    Replace { at: usize, byte: u8 },
    DeleteLine { line: usize },
    DoubleLine { line: usize },
    SwapLines { a: usize, b: usize },
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = || any::<usize>();
    prop_oneof![
        (at(), 1usize..30).prop_map(|(at, length)| Mutation::Delete { at, length }),
        (at(), 1usize..30).prop_map(|(at, length)| Mutation::Double { at, length }),
        (at(), 0..WORDS.len()).prop_map(|(at, word)| Mutation::Insert { at, word }),
        (at(), any::<u8>()).prop_map(|(at, byte)| Mutation::Replace { at, byte }),
        at().prop_map(|line| Mutation::DeleteLine { line }),
        at().prop_map(|line| Mutation::DoubleLine { line }),
        (at(), at()).prop_map(|(a, b)| Mutation::SwapLines { a, b }),
    ]
}

fn mutate(text: &str, mutation: &Mutation) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut lines: Vec<&str> = text.split('\n').collect();
    let count = lines.len();
    let span = |at: usize, length: usize| {
        let start = at % (text.len() + 1);
        start..(start + length).min(text.len())
    };
    match *mutation {
        Mutation::Delete { at, length } => drop(bytes.drain(span(at, length))),
        Mutation::Double { at, length } => {
            let span = span(at, length);
            let piece = bytes[span.clone()].to_vec();
            bytes.splice(span.start..span.start, piece);
        }
        Mutation::Insert { at, word } => {
            let span = span(at, 0);
            bytes.splice(span, WORDS[word].bytes());
        }
        Mutation::Replace { at, byte } => {
            let span = span(at, 1);
            bytes.splice(span, [byte]);
        }
        Mutation::DeleteLine { line } => drop(lines.remove(line % count)),
        Mutation::DoubleLine { line } => lines.insert(line % count, lines[line % count]),
        Mutation::SwapLines { a, b } => lines.swap(a % count, b % count),
    }
    match mutation {
        Mutation::DeleteLine { .. } | Mutation::DoubleLine { .. } | Mutation::SwapLines { .. } => {
            lines.join("\n")
        }
        _ => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

/// The built-in games, and the config of every key, which stands as comments in each template.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> =
        builtin_names().into_iter().filter_map(builtin_text).map(String::from).collect();
    let template = template("chess").expect("chess is built in");
    let (_, comments) = template.split_once("# ---").expect("a line parts the game from the comments");
    let uncommented = comments.lines().skip(1).map(|line| line.strip_prefix("# ").unwrap_or_default());
    texts.push(uncommented.map(|line| format!("{line}\n")).collect());
    texts
}

#[test]
fn what_is_mutated_can_be_read_before() {
    for text in texts() {
        parse("whole", &text).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Reads a text: either it can be played, or something is said about why not.
fn survives(text: &str) {
    match parse("mutated", text) {
        Ok(config) => {
            let start = config.variant.start();
            let moves = start.legal_moves();
            if let Some(mv) = moves.first() {
                start.after(mv).outcome();
            }
        }
        Err(error) => {
            assert!(!error.problems().is_empty());
            assert!(error.render(false).starts_with("error: "), "{}", error.render(false));
            error.render(true);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn mutated_games_are_read_or_refused_without_a_panic(
        which in any::<prop::sample::Index>(),
        mutations in prop::collection::vec(mutation(), 1..6),
    ) {
        let texts = texts();
        let text = mutations.iter().fold(which.get(&texts).clone(), |text, m| mutate(&text, m));
        survives(&text);
    }

    #[test]
    fn movements_of_any_letters_are_read_or_refused_without_a_panic(movement in "[fblrvshmcnpgiWFDNAHCLZJGKRBQ0-9]{0,8}") {
        survives(&format!(
            "extends = \"chess\"\n[about]\ntitle = \"T\"\nsource = \"S\"\n[men.queen]\nmovement = \"{movement}\""
        ));
    }

    #[test]
    fn texts_of_any_pieces_are_refused_without_a_panic(words in prop::collection::vec(0..WORDS.len(), 0..40)) {
        survives(&words.into_iter().map(|word| WORDS[word]).collect::<String>());
    }
}
