//! Every file of `tests/bad-configs` is refused, with just the message that stands beside it; so are
//! files that are too large, missing or no files to keep.

use alice_config::{ConfigError, load, load_file, parse};
use std::path::{Path, PathBuf};

const FOLDER: &str = "../../tests/bad-configs";

/// The bad configs; what they extend lies in a folder of its own.
fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(FOLDER).expect("the folder of bad configs is there");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut files: Vec<_> = paths.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    files.sort();
    files
}

/// Why a file is refused.
fn refusal(path: &Path) -> ConfigError {
    match load_file(path) {
        Ok(_) => panic!("{} is accepted", path.display()),
        Err(error) => error,
    }
}

#[test]
fn each_bad_config_is_refused_with_its_message() {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(Path::new("../").join(FOLDER));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for path in files() {
            let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
            let message = refusal(&path).render(false).replace(&format!("{FOLDER}/"), "");
            insta::assert_snapshot!(name, message);
        }
    });
}

#[test]
fn each_problem_has_its_place_in_a_file_that_could_be_read() {
    for path in files() {
        for problem in refusal(&path).problems() {
            assert!(!problem.problem.is_empty() && !problem.advice.is_empty(), "{problem:?}");
            let text = std::fs::read_to_string(&problem.origin);
            let readable = text.is_ok_and(|text| !text.is_empty() && !text.contains('\0'));
            let built_in = problem.origin.ends_with("(built in)");
            assert_eq!(problem.place.is_some(), readable || built_in, "{problem:?}");
        }
    }
}

#[test]
fn colour_adds_nothing_but_colour() {
    let plain = refusal(&Path::new(FOLDER).join("several.toml")).render(false);
    let coloured = refusal(&Path::new(FOLDER).join("several.toml")).render(true);
    let mut stripped = String::new();
    let mut escape = false;
    for c in coloured.chars() {
        match c {
            '\u{1b}' => escape = true,
            'm' if escape => escape = false,
            _ if !escape => stripped.push(c),
            _ => {}
        }
    }
    assert_ne!(coloured, plain);
    assert_eq!(stripped, plain);
}

#[test]
fn a_file_of_ten_megabytes_is_refused_by_its_size() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("large.toml");
    std::fs::write(&path, "# ten byte".repeat(1_000_000)).expect("the file can be written");
    let message = within(folder.path(), &refusal(&path));
    insta::assert_snapshot!(message);
    let text = parse("large", &"#".repeat(10_000_000)).expect_err("the text is as large");
    assert_eq!(text.to_string().replace("large", "large.toml"), message);
}

#[test]
fn a_chain_of_too_many_files_is_refused() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = |n: u32| folder.path().join(format!("{n}.toml"));
    for n in 1..30 {
        std::fs::write(file(n), format!("extends = \"{}.toml\"\n", n + 1)).expect("the file can be written");
    }
    insta::assert_snapshot!(within(folder.path(), &refusal(&file(1))));
}

#[test]
fn what_is_no_game_and_no_file_is_refused() {
    let names = ["alise", "zzz", "zzz.toml", "", "/dev/null"];
    let mut messages: Vec<String> = names.iter().map(|name| load(name).unwrap_err().to_string()).collect();
    messages.push(parse("text", "extends = \"zzz.toml\"").unwrap_err().to_string());
    insta::assert_snapshot!(messages.join("\n\n"));
}

#[test]
fn a_name_of_any_length_is_repeated_only_in_part() {
    for name in ["x".repeat(10_000), format!("{}.toml", "x".repeat(10_000)), "x/".repeat(5000)] {
        let message = load(&name).unwrap_err().to_string();
        assert!(message.contains("xxx") || message.contains("x/x"), "{message}");
        assert!(message.len() < 1000, "{message}");
    }
}

/// A message with paths as seen from a folder.
fn within(folder: &Path, error: &ConfigError) -> String {
    error.render(false).replace(&format!("{}/", folder.display()), "")
}
