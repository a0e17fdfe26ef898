//! Files written for Popeye are read, and no text brings the reader down.

use alice_problems::read_popeye;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const ALL: &str = "begin
title A title
remark nobody reads this: White Black #9
author Somebody
option try vari setplay noboard
condition AliceChess
pieces white ke1 rh1a1 Ph2 white aliceb sb5
       black KE8 black AliceB pc7d5
stip # 2
twin move h2 h3
twin cont exchange a1 h1 remove c7 add black aliceB qa7
twin stip h#2.5
next
pieces white ka1 black kc2 pa2
stip ser-h#3
option nocastling e1h1
end
whatever follows";

fn texts(variant: &str, text: &str) -> Result<Vec<String>, Vec<alice_core::Fault>> {
    texts_of(&alice_config::load(variant).unwrap().variant, text)
}

fn texts_of(variant: &alice_core::Variant, text: &str) -> Result<Vec<String>, Vec<alice_core::Fault>> {
    let entries = read_popeye(variant, text)?;
    let write = |entry: &alice_problems::Entry| {
        let [letter, note] = &entry.twin;
        format!("{letter}|{note}|{}|{}", entry.problem.stipulation(), entry.problem.position())
    };
    Ok(entries.iter().map(write).collect())
}

#[test]
fn every_command_that_is_known_is_read() {
    let expected = [
        "a||#2|4k3/8/8/8/8/8/7P/R3K2R|8/2p5/8/1N1p4/8/8/8/8 w KQ - 0 1",
        "b|move h2 h3|#2|4k3/8/8/8/8/7P/8/R3K2R|8/2p5/8/1N1p4/8/8/8/8 w KQ - 0 1",
        "c|cont exchange a1 h1 remove c7 add black aliceB qa7|#2|4k3/8/8/8/8/7P/8/R3K2R|8/q7/8/1N1p4/8/8/8/8 w KQ - 0 1",
        "d|stip h#2.5|h#2.5|4k3/8/8/8/8/8/7P/R3K2R|8/2p5/8/1N1p4/8/8/8/8 w KQ - 0 1",
        "||ser-h#3|8/8/8/8/8/8/p1k5/K7|8/8/8/8/8/8/8/8 b - - 0 1",
    ];
    assert_eq!(texts("alice", ALL).unwrap(), expected);
    let variant = alice_config::load("alice").unwrap().variant;
    let first = &read_popeye(&variant, ALL).unwrap()[0];
    assert!(first.tries && first.variations && first.set_play);
    assert_eq!(first.heading, ["A title", "Somebody"]);
}

#[test]
fn forsyth_places_the_men_of_board_a_in_every_game_and_joined_files_are_one() {
    let forsyth = "begin stip #1 forsyth 7k/8/5K2/8/8/8/8/R7 end\n";
    assert_eq!(texts("chess", forsyth).unwrap(), ["||#1|7k/8/5K2/8/8/8/8/R7 w - - 0 1"]);
    let empty = "8/8/8/8/8/8/8/8";
    assert_eq!(
        texts("three-board", &format!("{forsyth}{forsyth}")).unwrap(),
        vec![format!("||#1|7k/8/5K2/8/8/8/8/R7|{empty}|{empty} w - - 0 1"); 2]
    );
    assert!(!texts("alice", "begin stip #1 forsyth 7k/8 end").unwrap_err().is_empty());
    let both = "begin stip #1 forsyth 7k/8/5K2/8/8/8/8/8 pieces white aliceb ra1 end";
    assert_eq!(texts("alice", both).unwrap(), ["||#1|7k/8/5K2/8/8/8/8/8|8/8/8/8/8/8/8/R7 w - - 0 1"]);
}

#[test]
fn an_en_passant_capture_is_possible_when_the_file_says_so() {
    let text = "begin pieces white ka1 pe5 black kh8 pd5 stip #2 option enpassant d7d6d5 end";
    assert_eq!(texts("chess", text).unwrap(), ["||#2|7k/8/8/3pP3/8/8/8/K7 w - d6AA 0 1"]);
    let faults = texts("alice", text).unwrap_err();
    assert!(faults[0].problem.contains("no en passant"), "{faults:?}");
}

#[test]
fn damaged_files_give_faults_within_the_text_and_never_a_panic() {
    let mut dice = SplitMix64::seed_from_u64(7);
    let variant = alice_config::load("alice").unwrap().variant;
    let words: Vec<&str> = ALL.split_whitespace().collect();
    for _ in 0..3000 {
        let mut bytes = ALL.as_bytes().to_vec();
        for _ in 0..1 + dice.next_u64() % 4 {
            let at = (dice.next_u64() as usize) % bytes.len();
            match dice.next_u64() % 4 {
                0 => bytes[at] = (dice.next_u64() % 128) as u8,
                1 if bytes.len() > 20 => drop(bytes.remove(at)),
                2 => bytes.truncate(at.max(20)),
                _ => {
                    let word = words[(dice.next_u64() as usize) % words.len()];
                    bytes.splice(at..at, word.bytes());
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes).replace('\u{7f}', "♔");
        if let Err(faults) = texts_of(&variant, &text) {
            assert!(!faults.is_empty());
            for fault in faults {
                assert!(text.get(fault.at.clone()).is_some(), "{fault:?} in {text}");
            }
        }
    }
}
