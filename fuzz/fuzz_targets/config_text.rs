//! Any text as a config: refused with placed faults, or a game whose first plies the fast path and the
//! slow twin see alike.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match alice_config::parse("fuzzed", text) {
        Ok(config) => {
            let mut position = config.variant.start();
            for ply in 0..6 {
                let setup = position.setup();
                let (mut fast, mut slow) =
                    (position.legal_moves(), config.variant.reference().legal_moves(&setup));
                fast.sort();
                slow.sort();
                assert_eq!(fast, slow, "{position}");
                assert_eq!(position.hash(), position.hash_from_scratch(), "{position}");
                assert_eq!(config.variant.read_position(&position.to_string()).unwrap().setup(), setup);
                let Some(mv) = fast.get(fast.len() * (ply + 1) / 7) else { break };
                position.play(mv);
                assert_eq!(position.setup(), config.variant.reference().make(&setup, mv), "{position}");
            }
        }
        Err(error) => {
            assert!(!error.problems().is_empty());
            for problem in error.problems() {
                assert!(!problem.problem.is_empty() && !problem.advice.is_empty(), "{problem:?}");
            }
            assert!(!error.render(false).is_empty() && !error.render(true).is_empty());
        }
    }
});
