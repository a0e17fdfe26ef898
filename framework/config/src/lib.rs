//! Reads variants from TOML: one file is one variant, or changes to another. Every error comes with
//! file, line, caret and advice, all of them at once.
//!
//! Reading or checking a config never runs anybody's code. This crate must not know how moves are
//! generated, nor print anything.

mod report;

pub use report::render_faults;

use alice_core::{Variant, *};
use report::Source;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

include!("stub.rs");

/// What `[about]` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The game's name for people: `Alice Chess`.
    pub title: String,
    /// Who invented it.
    pub inventor: String,
    /// When.
    pub year: Option<i32>,
    /// Where its rules were published.
    pub source: String,
    /// What is special about it, in a sentence or two.
    pub summary: String,
}

/// A variant that was read from a config.
#[derive(Clone, Debug)]
pub struct Config {
    /// The name it was asked for by, or the file's name without ending.
    pub name: String,
    /// What the config says about the game.
    pub about: About,
    /// The playable rules.
    pub variant: Variant,
}

/// Why a config is refused: every problem, with its place.
#[derive(Clone, Debug)]
pub struct ConfigError {
    /// At least one.
    faults: Vec<(Arc<Source>, Fault)>,
}

/// One problem of a config, for programs; [`ConfigError::render`] is for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file in which it is, which may be one that the config extends.
    pub origin: String,
    /// Its line and column there, from 1; none if the file could not be read.
    pub place: Option<(usize, usize)>,
    /// What is wrong, what was expected.
    pub problem: String,
    /// What to do.
    pub advice: String,
}

impl ConfigError {
    fn unplaced(origin: &str, problem: impl Into<String>, advice: impl Into<String>) -> Self {
        let source = Source { origin: origin.into(), text: String::new() };
        let fault = Fault { at: 0..0, problem: problem.into(), advice: advice.into() };
        Self { faults: vec![(Arc::new(source), fault)] }
    }

    /// The report for people, with lines and carets; with colours if asked for.
    pub fn render(&self, colour: bool) -> String {
        report::render(self.faults.iter().map(|(source, fault)| (&**source, fault)), colour)
    }

    /// All problems, in the order in which they are reported.
    pub fn problems(&self) -> Vec<Problem> {
        let problem = |(source, fault): &(Arc<Source>, Fault)| Problem {
            origin: source.origin.clone(),
            place: (!source.text.is_empty()).then(|| report::line_and_column(&source.text, fault.at.start)),
            problem: fault.problem.clone(),
            advice: fault.advice.clone(),
        };
        self.faults.iter().map(problem).collect()
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for ConfigError {}

/// The names of the variants that are built in, in the order in which they should be listed.
pub fn builtin_names() -> Vec<&'static str> {
    vec!["chess", "alice"]
}

/// The text of a built-in variant's file.
pub fn builtin_text(name: &str) -> Option<&'static str> {
    let _ = name;
    None
}

/// Reads a variant by the name of a built-in one or by the path of a file.
///
/// # Errors
/// If there is no such name or file, or if the file can't be read as a variant.
pub fn load(name_or_path: &str) -> Result<Config, ConfigError> {
    let rules = match name_or_path {
        "chess" => orthodox(1, StandardTransfer::NONE, EnPassantRule::Origin),
        "alice" => orthodox(2, StandardTransfer::next(2), EnPassantRule::None),
        _ => return Err(ConfigError::unplaced(name_or_path, "there is no such variant", "run `alice list`")),
    };
    let variant = Variant::new(rules).map_err(|e| ConfigError::unplaced(name_or_path, e.to_string(), ""))?;
    Ok(Config { name: name_or_path.into(), about: About::default(), variant })
}

/// Reads the file at a path.
///
/// # Errors
/// If it can't be read, or not as a variant.
pub fn load_file(path: &Path) -> Result<Config, ConfigError> {
    Err(ConfigError::unplaced(&path.display().to_string(), "files can't be read yet", ""))
}
