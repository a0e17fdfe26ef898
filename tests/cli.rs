//! The command as its users meet it: whole outputs of the real binary.
//!
//! `tests/cli/*.txt` are lists of commands. A line is a comment, a command of the shell, or `< `
//! and a line for the command's standard input. What came out is compared with `tests/snapshots`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The command, run in `folder` on an imaginary terminal of 80 columns.
fn alice(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alice"));
    command.current_dir(folder).env("COLUMNS", "80");
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

/// A folder of its own with the files that commands may name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/files");
    for file in std::fs::read_dir(files).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    folder
}

/// Runs one command line and writes down what came out.
fn transcript(folder: &Path, line: &str, input: &str) -> String {
    let words = shlex::split(line).expect("quotes are closed");
    assert_eq!(words[0], "alice");
    let mut command = alice(folder);
    command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that does not read leaves the pipe broken.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let mut text = format!("$ {line}\n");
    text += &String::from_utf8(output.stdout).unwrap();
    for line in String::from_utf8(output.stderr).unwrap().lines() {
        text += format!("! {line}").trim_end();
        text.push('\n');
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => text += &format!("exit {code}\n"),
        None => text += "ended by a signal\n",
    }
    text
}

fn run(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let folder = folder();
    let mut parts = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("alice") {
            let mut input = String::new();
            while let Some(said) = lines.next_if(|l| l.starts_with('<')) {
                input += said.strip_prefix("< ").unwrap_or_default();
                input.push('\n');
            }
            parts.push(transcript(folder.path(), line, &input));
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{line:?} in {}", path.display());
            parts.extend((!line.is_empty()).then(|| format!("{line}\n")));
        }
    }
    parts.join("\n")
}

#[test]
fn every_command_prints_what_it_printed_before() {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    // Times and speeds are the machine's, not the command's.
    settings.add_filter(r"(?m)^( +\d+ +\d+) +\d+\.\d{3} +\d+\.\d$", "$1   [seconds]   [speed]");
    settings.add_filter(r#""seconds":[0-9.e-]+"#, r#""seconds":[seconds]"#);
    // How many positions a search looks at changes with every improvement.
    settings.add_filter(r"\d+ positions", "[some] positions");
    settings.add_filter(
        r#""nodes":\d+,"seconds":[^,]+,"lines""#,
        r#""nodes":[some],"seconds":[seconds],"lines""#,
    );
    settings.bind(|| insta::glob!("cli/*.txt", |path| insta::assert_snapshot!(run(path))));
}

#[test]
fn the_examples_of_the_documentation_are_what_comes_out() {
    let text = include_str!("../docs/notation.md");
    let examples: Vec<&str> =
        text.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(!examples.is_empty());
    for example in examples {
        let command = example.lines().next().and_then(|line| line.strip_prefix("$ ")).unwrap();
        assert_eq!(transcript(folder().path(), command, ""), example);
    }
}

#[test]
fn every_rule_that_an_explanation_names_is_in_the_documentation() {
    let source = include_str!("../framework/cli/src/explain/reason.rs");
    let names = source.split("pub const fn rule").nth(1).unwrap().split("/// The key").next().unwrap();
    for name in names.split('"').skip(1).step_by(2) {
        assert!(include_str!("../docs/notation.md").contains(&format!("`{name}`")), "{name}");
    }
}

/// Runs the command with these arguments in a folder of its own.
fn output<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> std::process::Output {
    alice(folder().path()).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_moves_of_a_position_are_those_of_two_other_programs() {
    for line in include_str!("cli/positions.lines").lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let [variant, position, check, expected] = fields[..] else { panic!("{line}") };
        let moves = output(&["moves", variant, "--fen", position]);
        let listed: Vec<String> = text(&moves.stdout).lines().map(String::from).collect();
        assert_eq!(listed.join(" "), expected, "{variant} {position}");
        let shown = output(&["show", variant, "--fen", position, "--json"]);
        let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
        assert_eq!(shown["check"].to_string(), check, "{variant} {position}");
    }
}

#[test]
fn the_pictures_of_the_documentation_are_what_comes_out() {
    let text = include_str!("../docs/diagrams.md");
    let pictures: Vec<&str> = text.lines().filter(|line| line.starts_with("alice diagram")).collect();
    assert_eq!(pictures.len(), text.matches("](").count());
    for line in pictures {
        let folder = folder();
        assert_eq!(transcript(folder.path(), line, ""), format!("$ {line}\n"));
        let name = line.split(" -o ").nth(1).unwrap();
        let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
        let drawn = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(drawn == std::fs::read_to_string(committed).unwrap(), "{line}");
    }
}

#[test]
fn a_diagram_is_written_as_its_name_says_or_to_the_standard_output() {
    let folder = folder();
    let diagram = |name: &[&str]| {
        let line = [&["diagram", "chess", "--size", "8"], name].concat();
        let output = alice(folder.path()).args(&line).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        output.stdout
    };
    let svg = diagram(&[]);
    assert!(svg.starts_with(b"<svg "));
    assert!(diagram(&["-o", "a.svg"]).is_empty() && diagram(&["-o", "a.PNG"]).is_empty());
    assert_eq!(std::fs::read(folder.path().join("a.svg")).unwrap(), svg);
    assert!(std::fs::read(folder.path().join("a.PNG")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn odd_arguments_are_fine_or_bad_input_and_never_a_failure_of_ours() {
    let long = "8/".repeat(50_000);
    let odd = [
        "",
        " ",
        "-",
        "--",
        "|",
        "\n",
        "\u{0}x",
        "e2e4\u{301}",
        "♞",
        "0",
        "-1",
        "1e9",
        "../..",
        "a1a1q",
        &long,
    ];
    let commands: &[&[&str]] = &[
        &["show", "ODD"],
        &["show", "alice", "--fen", "ODD"],
        &["show", "raumschach", "--moves", "ODD"],
        &["moves", "duo", "--moves", "e2Ae4B ODD"],
        &["perft", "alice", "ODD"],
        &["perft", "alice", "1", "--threads", "ODD"],
        &["explain", "alice", "ODD"],
        &["explain", "alice", "e2e4ODD"],
        &["check", "ODD"],
        &["new", "--from", "ODD"],
        &["play", "ODD"],
        &["play", "--load", "ODD"],
        &["replay", "ODD"],
        &["replay", "published.pgn", "--variant", "ODD"],
        &["convert", "ODD", "--to", "moves"],
        &["show", "alice", "--letters", "ODD"],
        &["diagram", "alice", "--output", "ODD"],
        &["diagram", "alice", "--size", "ODD"],
        &["completions", "ODD"],
        &["ODD", "alice"],
        &["list", "ODD"],
    ];
    for command in commands {
        for odd in odd.iter().filter(|odd| !odd.contains('\0')) {
            let arguments: Vec<String> = command.iter().map(|a| a.replace("ODD", odd)).collect();
            let output = output(&arguments);
            let (out, err) = (text(&output.stdout), text(&output.stderr));
            let shown = &odd[..odd.len().min(20)];
            assert!(matches!(output.status.code(), Some(0 | 2)), "{command:?} {shown:?}: {err}");
            assert!(output.status.success() || !err.is_empty(), "{command:?} {shown:?}");
            // Names that are not found are repeated, texts are not.
            assert!(out.len() + err.len() < 20_000 + 3 * odd.len(), "{command:?} {shown:?}");
        }
    }
}

#[test]
fn colours_are_shown_only_where_they_are_wanted() {
    let coloured = |arguments: &[&str], variable: &str| {
        let output = alice(folder().path()).args(arguments).env(variable, "1").output().unwrap();
        text(&output.stdout).contains('\u{1b}')
    };
    assert!(!coloured(&["show", "alice"], "ANYTHING"));
    assert!(coloured(&["show", "alice", "--color", "always"], "ANYTHING"));
    assert!(coloured(&["show", "alice"], "CLICOLOR_FORCE"));
    assert!(!coloured(&["show", "alice", "--color", "never"], "CLICOLOR_FORCE"));
    assert!(!coloured(&["show", "alice"], "NO_COLOR"));
}

#[test]
fn boards_stand_side_by_side_as_far_as_the_terminal_is_wide() {
    let rows_with = |columns: &str| {
        let show = ["show", "three-board"];
        let output = alice(folder().path()).args(show).env("COLUMNS", columns).output().unwrap();
        text(&output.stdout).lines().filter(|line| line.starts_with("8  ")).count()
    };
    assert_eq!(["1", "20", "40", "41", "62", "63", "200"].map(rows_with), [3, 3, 3, 2, 2, 1, 1]);
}

#[test]
fn the_lines_below_the_boards_are_broken_at_words_where_the_terminal_is_narrow() {
    let castling = |columns: &str| {
        let output = alice(folder().path()).args(["show", "alice"]).env("COLUMNS", columns).output().unwrap();
        let shown = text(&output.stdout);
        shown[shown.find("Castling").unwrap()..shown.find("\nrnbq").unwrap()].to_string()
    };
    assert_eq!(castling("44"), "Castling: White O-O O-O-O, Black O-O O-O-O");
    assert_eq!(castling("20"), "Castling: White O-O\n  O-O-O, Black O-O\n  O-O-O");
    assert_eq!(castling("1").lines().count(), 7);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::ffi::OsStr;
    use std::io::{BufRead, BufReader};
    use std::os::unix::ffi::OsStrExt;
    use std::process::Child;

    /// Reads on until a line has this in it.
    fn wait_for(lines: &mut impl BufRead, what: &str) {
        let mut line = String::new();
        while !line.contains(what) {
            line.clear();
            assert!(lines.read_line(&mut line).unwrap() > 0, "the output ended without {what:?}");
        }
    }

    fn interrupt(child: &Child) {
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    }

    #[test]
    fn an_argument_that_is_not_unicode_is_bad_input() {
        let odd = OsStr::from_bytes(b"e2\xffe4");
        for arguments in [
            vec![OsStr::new("show"), odd],
            vec![OsStr::new("explain"), OsStr::new("alice"), odd],
            vec![OsStr::new("show"), OsStr::new("alice"), OsStr::new("--fen"), odd],
            vec![OsStr::new("check"), odd],
            vec![odd],
        ] {
            let output = output(&arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            assert!(!output.stderr.is_empty(), "{arguments:?}");
        }
    }

    #[test]
    fn a_reader_that_has_seen_enough_ends_a_report_quietly() {
        for arguments in
            [&["moves", "alice"][..], &["show", "alice"], &["list"], &["completions", "zsh"], &["--help"]]
        {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let output = alice(folder().path()).args(arguments).stdout(writer).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{arguments:?}");
            assert_eq!(text(&output.stderr), "", "{arguments:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_report_that_cannot_be_written_is_a_failure() {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = alice(folder().path()).args(["moves", "alice"]).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).starts_with("error: the report can't be written"));
    }

    /// What a game says to these lines.
    fn said_in_play(folder: &Path, lines: &str) -> String {
        let mut command = alice(folder);
        command.args(["play", "alice"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        text(&output.stdout)
    }

    #[test]
    fn a_game_is_neither_saved_to_nor_loaded_from_what_is_no_ordinary_file() {
        let folder = folder();
        assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
        for name in ["pipe", "/dev/null", "/dev/zero"] {
            let refusal = format!("{name} is not an ordinary file");
            let said = said_in_play(folder.path(), &format!("save {name}\nload {name}\n"));
            assert!(said.contains(&format!("Not saved: {refusal}; name another file")), "{said}");
            assert!(said.contains(&format!("error: {refusal}")), "{said}");
            let load = ["play", "--load", name];
            let output = alice(folder.path()).args(load).stdin(Stdio::null()).output().unwrap();
            assert_eq!(output.status.code(), Some(2));
            assert!(text(&output.stderr).contains(&refusal), "{}", text(&output.stderr));
        }
    }

    #[test]
    fn a_game_is_saved_where_a_link_points_to_and_the_link_stays() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, at(name)).unwrap();
        std::fs::create_dir(at("games")).unwrap();
        said_in_play(folder.path(), "save games/real.pgn\n");
        link("games/real.pgn", "link.pgn");
        link("nowhere.pgn", "broken.pgn");
        let said = said_in_play(folder.path(), "e2e4\nsave link.pgn\nsave broken.pgn\n");
        assert!(said.contains("Saved in link.pgn"), "{said}");
        assert!(said.contains("Not saved: broken.pgn is a link to a file that is not there"), "{said}");
        assert!(at("link.pgn").is_symlink() && at("broken.pgn").is_symlink());
        assert!(std::fs::read_to_string(at("games/real.pgn")).unwrap().contains("1. e4 *"));
        assert!(!at("nowhere.pgn").exists());
    }

    #[test]
    fn a_game_is_not_saved_under_a_name_with_control_characters() {
        let folder = folder();
        let before = std::fs::read_dir(folder.path()).unwrap().count();
        let said = said_in_play(folder.path(), "save odd\u{1b}[31m.toml\n");
        let refusal = r#"Not saved: "odd\u{1b}[31m.toml" has control characters; choose another name"#;
        assert!(said.contains(refusal), "{said}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), before);
    }

    #[test]
    fn an_interrupted_count_says_so_and_leaves_what_it_has_counted() {
        let folder = folder();
        let mut command = alice(folder.path());
        command.args(["perft", "alice", "99"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        wait_for(&mut lines, " 400 ");
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert_eq!(text(&output.stderr), "interrupted\n");
    }

    #[test]
    fn an_interrupted_game_is_saved_and_can_be_gone_on_with() {
        let folder = folder();
        let mut command = alice(folder.path());
        command.args(["play", "alice"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"e2e4\ne7e5\n").unwrap();
        // Kept: a game whose output nobody reads ends.
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        wait_for(&mut lines, "Last move: e7Ae5B");
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let said = text(&output.stderr);
        assert!(said.contains("alice play --load alice-game.pgn"), "{said}");
        let load = ["play", "--load", "alice-game.pgn"];
        let output = alice(folder.path()).args(load).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).contains("Last move: e7Ae5B"));
    }
}

#[test]
fn numbers_of_moves_say_nothing() {
    let folder = folder();
    let shown = |moves: &str| transcript(folder.path(), &format!("alice moves alice --moves {moves:?}"), "");
    let plain = shown("e4 e5 Nf3").lines().skip(1).collect::<Vec<_>>().join("\n");
    for moves in ["1. e4 e5 2. Nf3", "1.e4 1...e5 2.Nf3", "1 . e4"] {
        let numbered = shown(moves);
        let rest = numbered.lines().skip(1).collect::<Vec<_>>().join("\n");
        assert_eq!(rest == plain, moves != "1 . e4", "{numbered}");
    }
    // The place and the number of a wrong move are those of the move.
    let wrong = shown("1. e4 e5 2.Ke7");
    assert!(wrong.contains("move 3: Ke7 is not legal") && wrong.contains("--moves:1:12"), "{wrong}");
}

#[test]
#[cfg(unix)]
fn a_pipe_is_told_from_what_is_not_there() {
    let folder = folder();
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    for command in ["alice play pipe", "alice play --load pipe"] {
        let said = transcript(folder.path(), command, "");
        assert!(said.contains("pipe is not an ordinary file") && said.ends_with("exit 2\n"), "{said}");
    }
}

#[test]
fn a_file_is_not_replaced_by_less_than_was_in_it() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let convert = |arguments: &[&str]| {
        alice(folder.path()).arg("convert").args(arguments).output().unwrap().status.code()
    };
    let whole = "[Variant \"alice\"]\n\n1. e4 e5 *\n\n[Variant \"alice\"]\n\n1. e9 *\n";
    std::fs::write(path("games.pgn"), whole).unwrap();
    assert_eq!(convert(&["games.pgn", "-o", "games.pgn"]), Some(2));
    assert_eq!(std::fs::read_to_string(path("games.pgn")).unwrap(), whole);
    assert_eq!(convert(&["games.pgn", "-o", "new.pgn"]), Some(2));
    assert!(std::fs::read_to_string(path("new.pgn")).unwrap().contains("1. e4 e5 *"));
    std::fs::write(path("junk"), "1. e9 *\n").unwrap();
    assert_eq!(convert(&["junk", "-o", "none.pgn"]), Some(2));
    assert!(!path("none.pgn").exists());
}
