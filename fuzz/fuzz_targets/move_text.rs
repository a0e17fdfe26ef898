//! Any text as a move, written `game;position;move`: the one legal move that it names, or an error that
//! shows where it goes wrong.

#![no_main]

use alice_core::{MoveError, Variant};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static GAMES: LazyLock<Vec<Variant>> = LazyLock::new(|| {
    let names = alice_config::builtin_names();
    names.into_iter().map(|name| alice_config::load(name).unwrap().variant).collect()
});

fuzz_target!(|input: &str| {
    let (name, rest) = input.split_once(';').unwrap_or(("alice", input));
    let variant = GAMES.iter().find(|game| game.rules().name == name).unwrap_or(&GAMES[name.len() % 13]);
    let (place, text) = rest.split_once(';').unwrap_or(("", rest));
    let position = variant.read_position(place).unwrap_or_else(|_| variant.start());
    let rules = position.rules();
    match position.read_move(text) {
        Ok(mv) => {
            assert!(position.legal_moves().contains(&mv), "{text}");
            assert_eq!(position.read_move(&mv.exact(rules)), Ok(mv));
            let next = position.after(&mv);
            assert_eq!(next.hash(), next.hash_from_scratch());
            assert_eq!(variant.read_position(&next.to_string()).unwrap().setup(), next.setup());
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            match error {
                MoveError::Unreadable { text: shown, at, problem, advice } => {
                    assert!(!shown.is_empty() || text.is_empty());
                    assert!(text.get(at.clone()).is_some(), "{at:?} is not in {text:?}");
                    assert!(!problem.is_empty() && !advice.is_empty());
                }
                MoveError::Illegal { .. } => {}
                MoveError::Ambiguous { candidates, .. }
                | MoveError::PromotionMissing { candidates, .. }
                | MoveError::PromotionImpossible { candidates, .. } => {
                    assert!(!candidates.is_empty());
                    candidates.iter().for_each(|exact| assert!(position.read_move(exact).is_ok(), "{exact}"));
                }
            }
        }
    }
});
