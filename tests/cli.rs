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
    settings.bind(|| insta::glob!("cli/*.txt", |path| insta::assert_snapshot!(run(path))));
}
