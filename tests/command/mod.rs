//! The command, run in a folder as its users run it.

use std::path::Path;
use std::process::Command;

pub struct Said {
    pub out: String,
    pub errors: String,
    pub code: Option<i32>,
}

pub fn alice(folder: &Path, line: &str) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_alice"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .env("COLUMNS", "100")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Said { out: text(output.stdout), errors: text(output.stderr), code: output.status.code() }
}

pub fn works(folder: &Path, line: &str) -> String {
    let said = alice(folder, line);
    assert_eq!((said.errors.as_str(), said.code), ("", Some(0)), "{line}");
    said.out
}

pub fn fails(folder: &Path, line: &str, with: &str) {
    let said = alice(folder, line);
    assert_eq!(said.code, Some(2), "{line}: {}{}", said.out, said.errors);
    assert!(said.errors.contains(with), "{line}: {}", said.errors);
}
