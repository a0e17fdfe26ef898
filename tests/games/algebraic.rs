//! Moves as people write them: what was published is read, and what is written is read again.

use crate::cases::{find, start};
use crate::laws::{always, choices, follow, thrown};
use crate::{data, game, games};
use alice_core::{Language, Move, MoveError, Position, Strictness};
use serde_json::Value;
use std::collections::HashSet;

/// What the canonical text of a published move is: the landing board is written where people left it
/// out, and an offer of a draw is no part of the move.
fn canonical(published: &str, mv: &Move) -> String {
    let body = published.trim_end_matches('=');
    let end = body.trim_end_matches(['+', '#']).len();
    let (body, sign) = body.split_at(end);
    let board = if mv.landing.0 == 0 && !body.contains('/') { "/A" } else { "" };
    format!("{body}{board}{sign}")
}

#[test]
fn every_published_move_is_read_and_written_as_published() {
    let text = std::fs::read_to_string(data("cases.jsonl")).unwrap();
    let mut seen = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let moves = case["moves"].as_array().unwrap();
        if moves.is_empty() {
            continue;
        }
        let variant = game(case["variant"].as_str().unwrap());
        let mut position = start(&variant, case["start"].as_object().unwrap()).unwrap();
        for mv in moves {
            let field = |name: &str| mv[name].as_str().unwrap();
            let (san, expected) = (field("san"), find(&position, field("board"), field("uci")).unwrap());
            let id = &case["id"];
            assert_eq!(position.read_algebraic(san), Ok(expected), "{id}: {san}: {position}");
            assert_eq!(position.algebraic(&expected), canonical(san, &expected), "{id}: {position}");
            position.play(&expected);
            seen += 1;
        }
    }
    assert!(seen > 300, "only {seen} moves are known");
}

/// No two moves share a text, and each text is read as its move, in every language.
fn texts_hold(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.sort();
    let mut texts = HashSet::new();
    for mv in &moves {
        let text = position.algebraic(mv);
        assert_eq!(position.read_algebraic(&text).as_ref(), Ok(mv), "{text}: {position}");
        let plain = text.trim_end_matches(['+', '#']);
        assert_eq!(position.read_algebraic(plain).as_ref(), Ok(mv), "{plain}: {position}");
        assert!(texts.insert(plain.to_string()), "two moves are {plain}: {position}");
        let one_board = position.rules().boards == 1;
        assert!(!one_board || !text.contains('/'), "{text}: {position}");
        let named = format!("/{}", mv.landing);
        assert!(one_board || mv.landing.0 > 0 || plain.ends_with(&named), "{text}: {position}");
    }
    // One move and one language are enough for letters.
    if let Some(mv) = moves.get(moves.len() / 2) {
        let language = Language::ALL[moves.len() % Language::ALL.len()];
        let text = position.algebraic_in(language, mv);
        assert_eq!(position.read_algebraic_in(language, &text).as_ref(), Ok(mv), "{text}: {position}");
    }
    moves
}

#[test]
fn every_move_of_random_games_is_read_as_it_is_written() {
    for (_, variant) in games() {
        always(6, choices(120), |choices| {
            let mut ply = 0;
            follow(variant.start(), &choices, |position| {
                ply += 1;
                if ply % 8 == 0 {
                    return texts_hold(position);
                }
                let mut moves = position.legal_moves();
                moves.sort();
                moves
            });
        });
    }
}

#[test]
fn every_move_of_random_positions_is_read_as_it_is_written() {
    for (_, variant) in games() {
        always(60, thrown(), |thrown| {
            texts_hold(&variant.position(&thrown.setup(&variant), Strictness::Problem).unwrap());
        });
    }
}

/// A variant, a position after its name if it is not the first, what is read, and what that is: the
/// canonical text, or the texts it could be, or a part of the error.
const READ: &[(&str, &str, &str, &str)] = &[
    // What may be added, left out or written otherwise.
    ("alice", "", "Nf3", "Nf3"),
    ("alice", "", "1.Nf3!?", "Nf3"),
    ("alice", "", "12... Nf3+", "Nf3"),
    ("alice", "", "Nf3/B", "Nf3"),
    ("alice", "", "Nf3/b ?!", "Nf3"),
    ("alice", "", "♘f3", "Nf3"),
    ("alice", "", "♞f3", "Nf3"),
    ("alice", "", "Ngf3", "Nf3"),
    ("alice", "", "Ng1-f3", "Nf3"),
    ("alice", "", "Ng1Af3", "Nf3"),
    ("alice", "", "Nxf3", "Nf3"),
    ("alice", "", "Pe4", "e4"),
    ("alice", "", "♙e4=", "e4"),
    ("alice", "", "Nf3/A", "illegal"),
    ("alice", "", "Nf4", "illegal"),
    ("alice", "", "O-O", "illegal"),
    // What is no move: the place, and why.
    ("alice", "", "", "\"\": it does not end with the cell where a man arrives"),
    ("alice", "", "hello", "\"hello\": it does not end with the cell where a man arrives"),
    ("alice", "", "Nf3/C", "\"C\": there is no board C"),
    ("chess", "", "Nf3/A", "Nf3"),
    ("chess", "", "Nf3/B", "\"B\": there is no board B"),
    ("alice", "", "Sf3", "\"S\": \"S\" can't stand before f3"),
    ("alice", "", "♘", "\"♘\": it does not end with the cell where a man arrives"),
    // Castling.
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0", "O-O"),
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "o–o–o", "O-O-O"),
    ("alice", "r3k2r/8/8/8/8/8/8/R3K2R|8/8/8/8/8/8/8/8 w KQkq - 0 1", "O-O-O/B", "O-O-O"),
    ("alice2", "8/8/8/8/8/8/8/R3K2R|r3k2r/8/8/8/8/8/8/8 b KQkq - 0 1", "0-0-0", "O-O-O/A"),
    ("duo", "4k3/8/8/8/8/8/8/R3K2R|8/8/8/8/8/8/8/8 w KQ - 0 1", "0-0", "O-O/A or O-O/B"),
    // Captures by pawns, and en passant.
    ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6AA 0 1", "exd", "exd6"),
    ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6AA 0 1", "ed", "exd6"),
    ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6AA 0 1", "exd6 e.p.", "exd6"),
    ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6AA 0 1", "e5:d6ep", "exd6"),
    ("chess", "4k3/8/3p4/2p1P3/3P4/8/8/4K3 w - - 0 1", "exd", "exd6"),
    (
        "chess",
        "4k3/8/3pp3/2p1Pp2/3P4/8/8/4K3 w - - 0 1",
        "d",
        "\"d\": it does not end with the cell where a man arrives",
    ),
    // Promotion.
    ("alice", "8/P7/8/8/8/8/8/K1k5|8/8/8/8/8/8/8/8 w - - 0 1", "a8Q", "a8=Q"),
    ("alice", "8/P7/8/8/8/8/8/K1k5|8/8/8/8/8/8/8/8 w - - 0 1", "a8=n", "a8=N"),
    ("alice", "8/P7/8/8/8/8/8/K1k5|8/8/8/8/8/8/8/8 w - - 0 1", "a8(R)/B!", "a8=R"),
    ("alice", "8/8/8/8/8/8/8/K1k5|8/P7/8/8/8/8/8/8 w - - 0 1", "a8/A=b", "a8=B/A"),
    ("alice", "8/P7/8/8/8/8/8/K1k5|8/8/8/8/8/8/8/8 w - - 0 1", "a8", "a8=B or a8=N or a8=Q or a8=R"),
    ("alice", "8/P7/8/8/8/8/8/K1k5|8/8/8/8/8/8/8/8 w - - 0 1", "a8=K", "a8=B or a8=N or a8=Q or a8=R"),
    // Men of all boards are told apart, by file, by rank, by both, by board.
    ("alice", "7R/8/8/8/8/8/8/K1k5|1R6/8/8/8/8/8/8/8 w - - 0 1", "Rg8", "Rbg8/A or Rhg8"),
    ("alice", "7R/8/8/8/8/8/8/K1k5|1R6/8/8/8/8/8/8/8 w - - 0 1", "Rg8/A", "Rbg8/A"),
    ("alice", "7R/8/8/8/8/8/8/K1k5|1R6/8/8/8/8/8/8/8 w - - 0 1", "R8g8", "Rbg8/A or Rhg8"),
    ("alice", "8/8/8/8/8/8/4P3/K1k5|8/8/8/8/8/4P3/8/8 w - - 0 1", "e4", "2e4 or 3e4/A"),
    ("alice", "8/8/8/8/8/8/4P3/K1k5|8/8/8/8/8/4P3/8/8 w - - 0 1", "e4/A", "3e4/A"),
    ("chess", "8/8/8/8/Q2Q4/8/8/Q1K2k2 w - - 0 1", "Qd1+", "Qad1+ or Qdd1+"),
    ("chess", "7k/8/8/8/Q2Q4/8/8/Q4K2 w - - 0 1", "Qd1", "Q1d1+ or Qa4d1+ or Qdd1+"),
    ("odonohue", "8/8/8/8/8/8/N7/K1k5|8/8/8/8/8/8/N7/8 w - - 0 1", "Nb4", "Na2Ab4 or Na2Bb4/A+"),
    // A choice of boards is always written.
    ("three-board", "8/8/8/8/8/8/8/K1k4N|8/8/8/8/8/8/8/8|8/8/8/8/8/8/8/8 w - - 0 1", "Nf2", "Nf2/B or Nf2/C"),
    ("three-board", "8/8/8/8/8/8/8/K1k4N|8/8/8/8/8/8/8/8|8/8/8/8/8/8/8/8 w - - 0 1", "Nf2/c", "Nf2/C"),
    ("duo", "8/8/8/8/8/8/8/K1k4N|8/8/8/8/8/8/8/8 w - - 0 1", "Nf2", "Nf2/A or Nf2/B"),
    // Zero moves.
    ("mrs-alice", "8/8/8/8/8/8/P7/K1k4N|8/8/8/8/8/8/8/8 w - - 0 1", "N=h1", "N=h1/B"),
    ("mrs-alice", "8/8/8/8/8/8/P7/K1k4N|8/8/8/8/8/8/8/8 w - - 0 1", "=a2", "=a2/B"),
    ("duo", "8/8/8/8/8/8/8/K1k4N|8/8/8/8/8/8/8/7r w - - 0 1", "N=h1/B", "N=xh1/B"),
    // Where several moves fit, the signs that are there count.
    ("chess", "k7/8/8/8/8/8/8/K2R3R w - - 0 1", "Rd8+", "Rd8+"),
    ("chess", "k7/2R5/8/8/8/8/8/K2R3R w - - 0 1", "Rd7", "Rcd7 or Rdd7"),
    ("chess", "k7/1p1R4/8/8/8/8/8/K2R4 w - - 0 1", "R8d8", "illegal"),
    // Levels.
    ("raumschach-alice", "", "NAc3", "NbAc3 or NdAc3"),
    ("raumschach-alice", "", "Nd1Ac3", "\"Nd1\": \"Nd1\" can't stand before Ac3"),
    ("raumschach-alice", "", "NAd1-Ac3/B", "NdAc3"),
    ("raumschach", "", "Bb3", "Bb3"),
];

#[test]
fn letters_of_other_languages_are_read_and_written() {
    let capablanca = game("capablanca");
    let letters = |language: Language| language.letters(capablanca.rules()).into_iter().collect::<String>();
    assert_eq!(
        letters(Language::English),
        capablanca.rules().men.iter().map(|m| m.letter).collect::<String>()
    );
    for (variant, language, text, expected) in [
        ("alice", "de", "Sf3", "Nf3"),
        ("alice", "fr", "Cf3", "Nf3"),
        ("alice", "es", "Cf3", "Nf3"),
        ("alice", "ca", "Cf3", "Nf3"),
        ("alice", "it", "Cf3", "Nf3"),
        ("alice", "ro", "Cf3", "Nf3"),
        ("alice", "en", "Nf3", "Nf3"),
    ] {
        let position = game(variant).start();
        let language = Language::from_code(language).unwrap();
        let mv = position.read_algebraic_in(language, text).unwrap();
        assert_eq!(position.algebraic(&mv), expected);
        assert_eq!(position.algebraic_in(language, &mv), text);
    }
    // No two men of a game share a letter, whatever the language.
    for (name, variant) in games() {
        for language in Language::ALL {
            let letters = language.letters(variant.rules());
            let different: HashSet<_> = letters.iter().collect();
            assert_eq!(different.len(), letters.len(), "{name}, {}: {letters:?}", language.code());
        }
    }
}

#[test]
fn a_text_is_read_as_people_mean_it() {
    let mut wrong = Vec::new();
    for (variant, at, text, expected) in READ {
        let variant = game(variant);
        let position = match *at {
            "" => variant.start(),
            at => {
                let setup = variant.read_setup(at).unwrap();
                variant.position(&setup, Strictness::Problem).unwrap()
            }
        };
        let found = match position.read_algebraic(text) {
            Ok(mv) => position.algebraic(&mv),
            Err(
                MoveError::Ambiguous { candidates, .. }
                | MoveError::PromotionMissing { candidates, .. }
                | MoveError::PromotionImpossible { candidates, .. },
            ) => candidates.join(" or "),
            Err(MoveError::Illegal { .. }) => "illegal".into(),
            Err(MoveError::Unreadable { at, problem, .. }) => format!("{:?}: {problem}", &text[at]),
        };
        if found != *expected {
            wrong.push(format!("{text}: {found}, not {expected}: {position}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn any_text_is_read_as_a_legal_move_or_refused_at_a_place_in_it() {
    for name in ["alice", "duo", "raumschach-alice", "capablanca"] {
        let position = game(name).start();
        let legal: HashSet<Move> = position.legal_moves().into_iter().collect();
        always(3000, "[-a-hA-Cx=/+#!?:().♘♟ep é1-9N0O]{0,9}|\\PC{0,12}", |text| {
            match position.read_algebraic(&text) {
                Ok(mv) => assert!(legal.contains(&mv), "{text:?}"),
                Err(MoveError::Unreadable { at, .. }) => assert!(text.get(at).is_some(), "{text:?}"),
                Err(_) => {}
            }
        });
    }
}
