//! The UCI protocol as interfaces meet it: the real binary, driven through a pipe.

use alice_core::{Position, Record};
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Engine {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn new() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alice"));
        command.arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, input, output: BufReader::new(output).lines() }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// All lines up to the first that begins like this, which is the last of them.
    fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.output.next().expect("the engine goes on").unwrap();
            let last = line.starts_with(beginning);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// What is said until the engine is ready again.
    fn answer(&mut self, line: &str) -> Vec<String> {
        self.say(line);
        self.say("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    fn best(&mut self, go: &str) -> String {
        self.say(go);
        let lines = self.until("bestmove");
        lines.last().unwrap().split(' ').nth(1).unwrap().to_string()
    }

    fn quit(mut self) {
        self.say("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

fn start(name: &str) -> Position {
    alice_config::load(name).unwrap().variant.start()
}

#[test]
fn it_names_itself_and_every_game() {
    let mut engine = Engine::new();
    engine.say("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Alice"));
    let variants = lines.iter().find(|line| line.contains("UCI_Variant")).unwrap();
    for name in alice_config::builtin_names() {
        assert!(variants.contains(&format!("var {name}")), "{variants}");
    }
    for option in ["Hash", "Threads", "MultiPV", "Ponder", "VariantPath", "WeightsFile", "Passes"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option} type "))));
    }
    engine.quit();
}

#[test]
fn every_game_is_played_in_moves_that_are_short_where_they_may_be() {
    let mut engine = Engine::new();
    for name in alice_config::builtin_names() {
        assert!(engine.answer(&format!("setoption name UCI_Variant value {name}")).is_empty());
        let mut record = Record::new(start(name));
        let mut moves = String::new();
        for _ in 0..5 {
            engine.say(&format!("position startpos moves{moves}"));
            let text = engine.best("go nodes 300");
            let mv = record.position().read_move(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
            let rules = record.position().rules();
            let alike = record.position().legal_moves();
            let alike = alike.iter().filter(|other| other.short(rules) == mv.short(rules)).count();
            assert_eq!(text, if alike == 1 { mv.short(rules) } else { mv.exact(rules) });
            moves += &format!(" {text}");
            record.play(&mv);
        }
    }
    engine.quit();
}

#[test]
fn a_search_without_end_is_ended_by_stop_and_everything_is_heard_meanwhile() {
    let mut engine = Engine::new();
    engine.say("position startpos");
    engine.say("go infinite");
    engine.until("info depth 3");
    engine.say("isready");
    assert!(engine.until("readyok").iter().all(|line| !line.starts_with("bestmove")));
    engine.say("stop");
    let lines = engine.until("bestmove");
    assert!(start("alice").read_move(lines.last().unwrap().split(' ').nth(1).unwrap()).is_ok());
    // So is one that waits for the other side's move; the move that was expected starts the clock.
    engine.say("go ponder wtime 100 btime 100");
    engine.say("ponderhit");
    engine.until("bestmove");
    engine.say("go ponder wtime 100 btime 100");
    engine.say("stop");
    engine.until("bestmove");
    for go in
        ["go movetime 30", "go wtime 200 btime 200 winc 5 binc 5 movestogo 3", "go depth 2", "go wtime -5"]
    {
        assert_ne!(engine.best(go), "0000");
    }
    engine.quit();
}

#[test]
fn mates_are_told_in_moves_and_lines_side_by_side() {
    let mut engine = Engine::new();
    engine.say("setoption name MultiPV value 2");
    engine.say("position startpos moves e2e4 d7d5 f1e2 d5e4");
    engine.say("go depth 3");
    let lines = engine.until("bestmove");
    assert!(
        lines.iter().any(|l| l.contains("multipv 1 score mate 1 ") && l.ends_with("pv e2b5")),
        "{lines:?}"
    );
    assert!(lines.iter().any(|l| l.contains("multipv 2 ")));
    assert_eq!(lines.last().unwrap(), "bestmove e2b5");
    assert_eq!(engine.best("go depth 2 searchmoves a2a3"), "a2a3");
    // Whoever is mated has no move.
    engine.say("position startpos moves e2e4 d7d5 f1e2 d5e4 e2b5");
    assert_eq!(engine.best("go depth 2"), "0000");
    engine.quit();
}

#[test]
fn moves_are_counted_as_everybody_counts_them() {
    let mut engine = Engine::new();
    engine.say("position startpos");
    engine.say("go perft 3");
    let lines = engine.until("Nodes searched");
    assert_eq!(lines.last().unwrap(), "Nodes searched: 9384");
    assert_eq!(lines.iter().filter(|line| line.contains(": ") && line.len() < 12).count(), 20);
    engine.quit();
}

#[test]
fn a_count_that_goes_on_is_ended_by_stop_and_by_quit_and_everything_is_heard_meanwhile() {
    let mut engine = Engine::new();
    engine.say("position startpos");
    engine.say("go perft 99");
    assert_eq!(engine.answer("isready"), ["readyok"; 0]);
    engine.until("readyok");
    engine.say("stop");
    let lines = engine.until("info string");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_ne!(engine.best("go depth 1"), "0000");
    engine.say("go perft 99");
    engine.quit();
}

#[test]
fn sequences_are_counted_from_no_move_to_ninety_nine() {
    let mut engine = Engine::new();
    engine.say("position startpos");
    engine.say("go perft 0");
    assert_eq!(engine.until("Nodes searched"), ["Nodes searched: 1"]);
    for number in ["-1", "100", "99999999999", "-99999999999999999999", "99999999999999999999"] {
        engine.say(&format!("go perft {number}"));
        let lines = engine.until("bestmove");
        assert!(lines[0].starts_with("info string ") && lines[0].contains(number), "{lines:?}");
        assert_eq!(lines[1..], ["bestmove 0000"]);
    }
    // Whoever is mated has no sequences, however long.
    engine.say("position startpos moves e2e4 d7d5 f1e2 d5e4 e2b5");
    engine.say("go perft 99");
    assert_eq!(engine.until("Nodes searched"), ["", "Nodes searched: 0"]);
    engine.quit();
}

#[test]
fn numbers_beyond_all_bounds_are_the_largest_and_limits_below_one_are_one() {
    let mut engine = Engine::new();
    let large = "9".repeat(30);
    for go in [
        format!("go nodes {large} depth 1"),
        format!("go depth 1 movetime {large}"),
        format!("go depth 1 wtime {large} btime {large} winc {large} binc {large} movestogo {large}"),
        format!("go nodes 10 depth {large}"),
        format!("go nodes 10 mate {large}"),
        format!("go wtime -{large}"),
        "go depth 0".into(),
        "go depth -3".into(),
        "go nodes 0".into(),
        "go movetime -5".into(),
    ] {
        assert_ne!(engine.best(&go), "0000", "{go}");
    }
    for go in [format!("go nodes {large}x"), "go nodes -".into(), "go nodes 1.5".into()] {
        assert_eq!(engine.best(&go), "0000", "{go}");
    }
    engine.say(&format!("go movetime {large}"));
    engine.say("stop");
    assert!(engine.until("bestmove").iter().all(|line| line != "bestmove 0000"));
    engine.quit();
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    let mut engine = Engine::new();
    engine.say("position startpos");
    assert_ne!(engine.best("foo go depth 1"), "0000");
    assert_eq!(engine.best("foo  bar\tgo depth 1 searchmoves a2a3"), "a2a3");
    engine.say("joho isready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    let told = engine.answer("foo bar");
    assert!(
        told.len() == 1 && told[0].starts_with("info string ") && told[0].contains("foo bar"),
        "{told:?}"
    );
    assert_eq!(engine.answer(""), [""; 0]);
    engine.say("foo quit");
    assert!(engine.child.wait().unwrap().success());
}

#[test]
fn a_path_that_is_left_empty_changes_nothing() {
    let mut engine = Engine::new();
    assert_eq!(engine.answer("setoption name UCI_Variant value alice-8x4"), [""; 0]);
    let before = engine.answer("d");
    for line in ["setoption name VariantPath value <empty>", "setoption name VariantPath value"] {
        assert_eq!(engine.answer(line), [""; 0], "{line}");
    }
    assert_eq!(engine.answer("d"), before);
    engine.quit();
}

#[test]
fn positions_are_read_as_two_boards_and_as_one_grid_and_written_as_asked_for() {
    let mut engine = Engine::new();
    let boards = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR|8/8/8/8/4P3/8/8/8 b KQkq - 0 1";
    let grid = "rnbqkbnr/pppppppp/8/8/4|P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for text in [boards, grid] {
        engine.say(&format!("position fen {text}"));
        assert_eq!(engine.answer("d").last().unwrap(), &format!("Fen: {boards}"));
    }
    engine.say("setoption name OneGrid value true");
    assert_eq!(engine.answer("d").last().unwrap(), &format!("Fen: {grid}"));
    engine.quit();
}

#[test]
fn what_can_t_be_done_is_told_and_changes_nothing() {
    let mut engine = Engine::new();
    engine.say("position startpos moves e2e4");
    let before = engine.answer("d");
    for line in [
        "xyzzy",
        "position",
        "position fen",
        "position fen 8/8 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3|4|k3 w",
        "position startpos moves e2e4 e2e4",
        "position startpos moves \u{fffd}",
        "setoption name Hash value 0",
        "setoption name Hash value -1",
        "setoption name Threads value many",
        "setoption name Nothing value 1",
        "setoption name UCI_Variant value alise",
        "setoption name VariantPath value no/such/file.toml",
        "setoption name Ponder value perhaps",
        "setoption",
    ] {
        let told = engine.answer(line);
        assert!(!told.is_empty() && told.iter().all(|t| t.starts_with("info string ")), "{line}: {told:?}");
    }
    for line in ["go depth", "go depth x", "go sideways", "go searchmoves a1a1"] {
        engine.say(line);
        assert!(engine.until("bestmove 0000").iter().any(|t| t.starts_with("info string ")), "{line}");
    }
    assert_eq!(engine.answer("d"), before);
    engine.quit();
}

#[test]
fn a_game_of_ones_own_is_found_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let text = "extends = \"alice\"\n[about]\ntitle = \"Mine\"\nsource = \"none\"\n[start]\nA = \"4k3/8/8/8/8/8/8/4K2R\"\nB = \"8/8/8/8/8/8/8/8\"\n[castling]\n";
    std::fs::write(&path, text.replace("[castling]\n", "")).unwrap();
    let mut engine = Engine::new();
    let told = engine.answer(&format!("setoption name VariantPath value {}", path.display()));
    assert_eq!(told, [""; 0]);
    assert!(engine.answer("d").last().unwrap().starts_with("Fen: 4k3/"));
    engine.quit();
}

#[test]
fn it_judges_by_the_weights_of_a_file_and_may_be_told_not_to_pass() {
    let folder = tempfile::tempdir().unwrap();
    let rules = alice_config::load("alice").unwrap().variant;
    let mut weights = alice_play::Weights::of_rules(rules.rules());
    // Whoever thinks nothing of a queen gives it away for a knight.
    weights.men.get_mut("queen").unwrap().value = 1.0;
    let file = folder.path().join("odd.toml");
    std::fs::write(&file, weights.text()).unwrap();
    let mut engine = Engine::new();
    engine.answer("position fen k7/8/8/8/8/8/8/4K3|8/8/8/4n3/8/8/4Q3/8 b - - 0 1");
    let score = |engine: &mut Engine| {
        engine.say("go depth 1");
        let lines = engine.until("bestmove");
        let told = lines.iter().rev().find(|line| line.contains(" score cp ")).unwrap().clone();
        let points = told.split(" score cp ").nth(1).unwrap().split(' ').next().unwrap();
        points.parse::<i32>().unwrap()
    };
    let own = score(&mut engine);
    assert!(engine.answer(&format!("setoption name WeightsFile value {}", file.display())).is_empty());
    let odd = score(&mut engine);
    assert!(odd > own + 300, "{odd} {own}");
    assert!(engine.answer("setoption name WeightsFile value <empty>").is_empty());
    assert_eq!(score(&mut engine), own);
    let refused = engine.answer("setoption name WeightsFile value nowhere.toml");
    assert!(refused.iter().any(|line| line.contains("nowhere.toml")), "{refused:?}");
    assert!(engine.answer("setoption name Passes value false").is_empty());
    assert_eq!(engine.answer("setoption name Passes value perhaps").len(), 1);
    assert!(engine.best("go nodes 500").len() >= 4);
    engine.quit();
}

#[test]
fn the_end_of_the_input_ends_it_after_what_was_asked() {
    let mut engine = Engine::new();
    engine.say("go depth 3");
    let Engine { mut child, input, mut output } = engine;
    drop(input);
    assert!(output.any(|line| line.unwrap().starts_with("bestmove")));
    assert!(child.wait().unwrap().success());
}
