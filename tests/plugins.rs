//! Plug-ins as the command's users meet them: trusted, named, played, checked, written.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A user with a folder of their own, in which nothing is trusted yet.
struct User {
    folder: tempfile::TempDir,
}

impl User {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        // Where the platforms' own folders begin.
        command.env("HOME", self.folder.path()).env("XDG_CONFIG_HOME", self.folder.path().join("config"));
        command.env("COLUMNS", "100").env_remove("NO_COLOR").env_remove("CARGO_TARGET_DIR");
        command
    }

    /// Runs the command; its output, its errors and its code.
    fn alice(&self, arguments: &[&str]) -> (String, String, Option<i32>) {
        let mut command = self.command(env!("CARGO_BIN_EXE_alice"));
        said(&command.args(arguments).output().unwrap())
    }

    /// The output of a command that works.
    fn works(&self, arguments: &[&str]) -> String {
        let (out, errors, code) = self.alice(arguments);
        assert_eq!((errors.as_str(), code), ("", Some(0)), "{arguments:?}");
        out
    }

    /// The errors of a command that does not.
    fn fails(&self, arguments: &[&str]) -> String {
        let (out, errors, code) = self.alice(arguments);
        assert_eq!(code, Some(2), "{arguments:?} printed {out} and {errors}");
        errors
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

fn said(output: &Output) -> (String, String, Option<i32>) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The library of a crate that is a dev-dependency: cargo has built it beside this test.
fn library(variant: &str) -> String {
    let name = variant.replace('-', "_");
    let name = format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let path = std::env::current_exe().unwrap().with_file_name(name);
    assert!(path.is_file(), "{} was not built", path.display());
    path.display().to_string()
}

/// A C file of `tests/bad-plugins` or `variants`, compiled.
fn compile(source: &str, user: &User) -> String {
    let source = root().join(source);
    let out: PathBuf = user.folder.path().join(source.file_stem().unwrap()).with_extension("so");
    let include = root().join("framework/plugin/include");
    let compiler = std::env::var("CC").unwrap_or("cc".into());
    let mut command = Command::new(compiler);
    command.args(["-std=gnu11", "-w", "-fPIC", "-shared", "-o"]).args([&out, &source]).arg("-I").arg(include);
    assert!(command.status().unwrap().success());
    out.display().to_string()
}

fn config(variant: &str) -> String {
    root().join(format!("variants/{variant}/{variant}.toml")).display().to_string()
}

/// A config with the plug-in of `tests/bad-plugins`.
const BAD: &str = "extends = \"alice\"\n[about]\ntitle = \"Bad\"\nsource = \"a test\"\n\
    [transfer.plugin]\nid = \"bad\"\nversion = \"1\"\n";

#[test]
fn each_variant_in_code_is_played_with_its_config() {
    let user = User::new();
    let chequered = compile("variants/chequered/chequered.c", &user);
    let nodes = |variant: &str, library: &str, depth: &str| -> u64 {
        let config = config(variant);
        let file = if library.is_empty() { variant } else { &config };
        let mut arguments = vec!["perft", file, depth, "--json"];
        if !library.is_empty() {
            arguments.extend(["--plugin", library, "--trust-this-session"]);
        }
        let json: serde_json::Value = serde_json::from_str(&user.works(&arguments)).unwrap();
        json["nodes"].as_u64().unwrap()
    };
    for variant in ["odonohue", "duo", "mrs-alice"] {
        assert_eq!(nodes(variant, &library(variant), "3"), nodes(variant, "", "3"), "{variant}");
    }
    assert_eq!(nodes("parton", &library("parton"), "3"), nodes("alice", "", "3"));
    let counts = [("seesaw", 9544), ("travellers", 16_246), ("rose", 28_762)];
    for (variant, count) in counts {
        assert_eq!(nodes(variant, &library(variant), "3"), count, "{variant}");
    }
    assert_eq!(nodes("chequered", &chequered, "3"), 9230);
}

#[test]
fn no_code_runs_that_the_user_has_not_said_may() {
    let user = User::new();
    // If its code ran, the command would end with 77.
    let library = compile("tests/bad-plugins/exits-when-loaded.c", &user);
    let config = user.write("bad.toml", BAD);
    let needs = "transfer needs the plug-in bad 1";
    assert_eq!(
        user.works(&["check", &config]),
        format!("{config}: ok\n  {needs}: it is not among those you trust\n")
    );
    assert_eq!(
        user.works(&["check", &config, "--plugin", &library]),
        format!("{config}: ok\n  {needs}: {library} is it, but you do not trust it yet\n")
    );
    assert!(user.works(&["new", "--from", &config]).contains("[transfer.plugin]"));
    assert!(user.works(&["plugin", "info", &library]).contains("shown once you trust it"));
    let refused = user.fails(&["moves", &config, "--plugin", &library]);
    assert!(refused.contains("is not trusted"), "{refused}");
    // A library beside the config, or where the command runs, is not looked at.
    let refused = user.fails(&["moves", &config]);
    assert!(refused.contains("there is no plug-in bad 1 among those you trust"), "{refused}");
    assert!(user.fails(&["plugin", "check", &library]).contains("is not trusted"));
    // Said to be trusted, it runs.
    let (_, _, code) = user.alice(&["moves", &config, "--plugin", &library, "--trust-this-session"]);
    assert_eq!(code, Some(77));
}

#[test]
fn a_plugin_is_trusted_listed_played_and_trusted_no_more() {
    let user = User::new();
    let seesaw = library("seesaw");
    assert_eq!(
        user.works(&["plugin", "list"]),
        "You trust no plug-ins. `alice plugin trust FILE` adds one.\n"
    );
    // Nobody answers the question.
    let (out, errors, code) = user.alice(&["plugin", "trust", &seesaw]);
    assert!(out.contains("plug-in    seesaw 1.0.0\n") && out.contains("SHA-256    "), "{out}");
    assert_eq!((errors.as_str(), code), ("error: it is not trusted; answer y, or add --yes\n", Some(2)));
    assert!(user.works(&["plugin", "trust", &seesaw, "--yes"]).ends_with("seesaw 1.0.0 is trusted now.\n"));
    assert!(user.works(&["plugin", "list"]).contains("seesaw"));
    let listed: serde_json::Value = serde_json::from_str(&user.works(&["plugin", "list", "--json"])).unwrap();
    assert_eq!(listed[0]["id"], "seesaw");
    assert!(user.works(&["plugin", "info", &seesaw]).contains("transfer   seesaw: A man transfers if"));

    let config = config("seesaw");
    assert!(user.works(&["check", &config]).contains("you trust seesaw 1.0.0"));
    assert_eq!(user.works(&["moves", &config]).lines().count(), 20);
    assert_eq!(user.works(&["plugin", "untrust", "seesaw"]).lines().count(), 1);
    assert!(user.fails(&["moves", &config]).contains("there is no plug-in seesaw 1 among those you trust"));
    assert!(user.fails(&["plugin", "untrust", "seesaw"]).contains("neither the id nor the SHA-256"));
}

#[test]
fn what_a_rule_has_against_its_parameters_is_shown_in_the_config() {
    let user = User::new();
    let text = "extends = \"alice\"\n\n[about]\ntitle = \"T\"\nsource = \"S\"\n\n[transfer.plugin]\n\
        id = \"seesaw\"\nversion = \"1\"\nparams = { tip = 99 }\n";
    user.write("mine.toml", text);
    let errors = user.fails(&["show", "mine.toml", "--plugin", &library("seesaw"), "--trust-this-session"]);
    assert_eq!(
        errors,
        "error: seesaw: tip is \"99\"\n  --> mine.toml:10:18\n   |\n10 | params = { tip = 99 }\n   |                  ^^\n   |\n   \
         = help: write a whole number from 1 to 32\n"
    );
    // All of them at once, each at its place.
    let params = "params = { tip = 99, tipp = 3, shy = [1, 2] }";
    user.write("mine.toml", &text.replace("params = { tip = 99 }", params));
    let errors = user.fails(&["show", "mine.toml", "--plugin", &library("seesaw"), "--trust-this-session"]);
    let places: Vec<_> = errors.lines().filter_map(|line| line.trim().strip_prefix("--> ")).collect();
    assert_eq!(
        places,
        ["mine.toml:10:18", "mine.toml:10:29", "mine.toml:10:39", "mine.toml:10:42"],
        "{errors}"
    );
    user.write("mine.toml", &text.replace("params = { tip = 99 }", "rule = \"swing\""));
    let errors = user.fails(&["show", "mine.toml", "--plugin", &library("seesaw"), "--trust-this-session"]);
    assert!(
        errors.contains("of rules of transfer, plug-in seesaw 1.0.0 has none called \"swing\""),
        "{errors}"
    );
    user.write("mine.toml", &text.replace("seesaw", "rose").replace("params = { tip = 99 }", ""));
    let errors = user.fails(&["show", "mine.toml", "--plugin", &library("rose"), "--trust-this-session"]);
    assert!(errors.contains("plug-in rose 1.0.0 has no rule of transfer"), "{errors}");
}

#[test]
fn a_broken_promise_ends_the_game_and_keeps_its_record() {
    let user = User::new();
    let library = compile("tests/bad-plugins/breaks-later.c", &user);
    let config = user.write("bad.toml", BAD);
    let mut play = user.command(env!("CARGO_BIN_EXE_alice"));
    play.args(["play", &config, "--ascii", "--plugin", &library, "--trust-this-session"]);
    let mut play = play.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let moves = "e2e4\ne7e5\ng1f3\nb8c6\nmoves\n";
    std::io::Write::write_all(&mut play.stdin.take().unwrap(), moves.as_bytes()).unwrap();
    let (_, errors, code) = said(&play.wait_with_output().unwrap());
    assert_eq!(code, Some(2), "{errors}");
    let report = "plug-in bad 1.0.0, rule bad: landing_cells answered with cell number 64, but a board has only the \
        cells 0 to 63; asked about White's men of board A, landing on B\n  position: \
        r1bqkbnr/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQKB1R|8/8/2n5/4p3/4P3/5N2/8/8 w KQkq - 2 3\n  move: b8Ac6B\n";
    assert!(errors.contains(report), "{errors}");
    let again = format!("alice play --load alice-game.pgn --plugin {library} --trust-this-session --ascii\n");
    assert!(errors.contains(&again), "{errors}");
    let saved = std::fs::read_to_string(user.folder.path().join("alice-game.pgn")).unwrap();
    // The game is not over: who broke a promise does not say who has won.
    assert!(saved.contains("[Result \"*\"]") && saved.ends_with("\n1. e4 e5 2. Nf3 Nc6 *\n"), "{saved}");
    // Nothing that was computed after it is printed.
    for command in ["moves", "show"] {
        let mut arguments = vec![command, &config];
        arguments.extend(["--moves", "e2e4 e7e5 g1f3 b8c6", "--plugin", &library, "--trust-this-session"]);
        let (out, errors, code) = user.alice(&arguments);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{command}");
        assert!(errors.contains(report), "{errors}");
    }
}

#[test]
fn a_plugin_is_checked_law_by_law() {
    let user = User::new();
    let seesaw = library("seesaw");
    let arguments = ["plugin", "check", &seesaw, "--trust-this-session", "--params", "seesaw:tip=2"];
    let report = user.works(&arguments);
    assert!(report.lines().all(|line| line.starts_with("ok ")) && report.lines().count() == 10, "{report}");

    let hangs = compile("tests/bad-plugins/hangs.c", &user);
    // The limit is for each law; those that end have far less to do.
    let arguments = ["plugin", "check", &hangs, "--trust-this-session", "--limit", "20", "--json"];
    let (out, _, code) = user.alice(&arguments);
    assert_eq!(code, Some(2));
    let laws: serde_json::Value = serde_json::from_str(&out).unwrap();
    let outcomes: Vec<_> =
        laws.as_array().unwrap().iter().map(|law| law["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes[..4], ["kept", "kept", "killed", "skipped"]);
    assert_eq!(laws[2]["seen"], "bad: a call did not return; stopped after 20 seconds");
}

#[test]
fn a_plugin_that_ends_the_process_keeps_no_law() {
    let user = User::new();
    for (source, law) in [("exits-quietly-when-loaded", 0), ("exits-quietly", 2)] {
        let library = compile(&format!("tests/bad-plugins/{source}.c"), &user);
        let (out, errors, code) =
            user.alice(&["plugin", "check", &library, "--trust-this-session", "--json"]);
        assert_eq!((errors.as_str(), code), ("", Some(2)));
        let laws: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(laws[law]["outcome"], "died", "{out}");
        assert!(laws[law]["seen"].as_str().unwrap().ends_with("(exit status: 0, before the test was done)"));
    }
}

#[test]
fn the_test_of_a_law_ends_with_the_process_that_started_it() {
    let user = User::new();
    let hangs = compile("tests/bad-plugins/hangs.c", &user);
    let mut law = user.command(env!("CARGO_BIN_EXE_alice"));
    law.args(["plugin", "law", &hangs, "answers"]);
    let mut law = law.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = std::io::BufReader::new(law.stdout.take().unwrap());
    let mut line = String::new();
    while line != "alice-law: rule bad\n" {
        line.clear();
        assert_ne!(std::io::BufRead::read_line(&mut told, &mut line).unwrap(), 0, "it tells what it tests");
    }
    // It is in a call that never returns, and its parent is gone.
    drop(law.stdin.take());
    assert!(!law.wait().unwrap().success());
}

#[test]
fn a_new_plugin_builds_keeps_the_laws_and_is_played_with_the_commands_that_are_printed() {
    for lang in ["rust", "c"] {
        let user = User::new();
        let printed = user.works(&["plugin", "new", "my-rule", "--lang", lang]);
        let commands: Vec<Vec<String>> =
            printed.lines().filter_map(|line| shlex::split(line.strip_prefix("  ")?)).collect();
        let [build, play] = commands.as_slice() else { panic!("{printed}") };
        let built =
            user.command(&build[0]).args(&build[1..]).args((lang == "rust").then_some("--offline")).output();
        let (_, errors, code) = said(&built.unwrap());
        assert_eq!(code, Some(0), "{errors}");
        assert_eq!(play[0], "alice");
        let play: Vec<&str> = play[1..].iter().map(String::as_str).collect();
        assert!(user.works(&play).contains("White to move"));
        let check = printed.lines().last().unwrap().split_once("changed it: alice ").unwrap().1;
        let check: Vec<&str> = check.split(' ').collect();
        assert!(user.works(&check).lines().all(|line| line.starts_with("ok ")));
        assert!(user.fails(&["plugin", "new", "my-rule"]).contains("my-rule exists already"));
    }
    let user = User::new();
    let ours = ["alice", "alice-plugin", "alice-mine"];
    let devices = ["con", "nul", "aux", "prn", "com1", "lpt0"];
    for name in ["Mine", "1st", "", "a b", "../up", "match", "a-"].iter().chain(&ours).chain(&devices) {
        assert!(user.fails(&["plugin", "new", name]).contains("can't be the name of a plug-in"), "{name}");
    }
}

#[test]
fn an_explanation_says_whom_a_rule_in_code_refuses() {
    let user = User::new();
    let reason = |variant: &str, mv: &str| {
        let (config, library) = (config(variant), library(variant));
        let arguments = ["explain", &config, mv, "--json", "--plugin", &library, "--trust-this-session"];
        let json: serde_json::Value = serde_json::from_str(&user.works(&arguments)).unwrap();
        let text = |field: &str| json["reasons"][0][field].as_str().unwrap_or("none").to_string();
        [text("rule"), text("key"), text("sentence")]
    };
    assert_eq!(
        reason("travellers", "e2Ae4A"),
        [
            "rule-set",
            "transfer.plugin",
            "the rule set of travellers does not let the white pawn on e2 on board A land on e4 on board A"
        ]
    );
    assert_eq!(
        reason("travellers", "e2Ae2B"),
        [
            "no-zero-moves",
            "transfer.plugin",
            "the man on e2 on board A would not move, so it would be a zero move, and travellers has none"
        ]
    );
    let [rule, key, sentence] = reason("duo", "e2Ae2B");
    assert_eq!((rule.as_str(), key.as_str()), ("zero-moves-men", "transfer.plugin"));
    assert!(sentence.starts_with("the white pawn on e2 on board A makes no zero moves; only "), "{sentence}");
}

#[test]
fn a_game_with_code_goes_on_as_it_was_begun() {
    let user = User::new();
    let (config, library) = (config("seesaw"), library("seesaw"));
    let arguments = ["--opponent", "greedy", "--side", "white", "--ascii"];
    let mut play = user.command(env!("CARGO_BIN_EXE_alice"));
    play.args(["play", &config, "--plugin", &library, "--trust-this-session"]).args(arguments);
    let output = play.output().unwrap();
    let (out, errors, code) = said(&output);
    assert_eq!((errors.as_str(), code), ("", Some(0)));
    let again = out.lines().last().unwrap().trim();
    assert!(
        again.ends_with(&format!(
            "' --plugin {library} --trust-this-session --opponent greedy --side white --ascii"
        )),
        "{again}"
    );
    let words = shlex::split(again).unwrap();
    let words: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    assert!(user.works(&words).contains("Black to move"));
}
