//! Reads variants from TOML: one file is one variant, or changes to another. Every error comes with
//! file, line, caret and advice, all of them at once.
//!
//! Reading or checking a config never runs anybody's code. This crate must not know how moves are
//! generated, nor print anything.

#![forbid(unsafe_code)]

mod axes;
mod betza;
mod builtin;
mod castling;
mod faults;
mod keys;
mod men;
mod plugins;
mod report;
mod rules;
mod source;
mod start;
mod tree;

pub use plugins::{Need, Plugins, Unmet};
pub use report::render_faults;

use alice_core::{Fault, Variant};
use faults::{Faults, nearest, quoted, shown};
use plugins::{NoPlugins, StandIns};
use report::Source;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// What of it is in the code of plug-ins.
    pub needs: Vec<Need>,
}

/// What a config says, without the code that it would need.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The file's name without ending.
    pub name: String,
    /// What the config says about the game.
    pub about: About,
    /// What of it is in the code of plug-ins.
    pub needs: Vec<Need>,
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
        let source = Source { origin: shown(origin), text: String::new() };
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
    builtin::names()
}

/// The text of a built-in variant's file.
pub fn builtin_text(name: &str) -> Option<&'static str> {
    builtin::text(name)
}

/// The text of the weights by which the engine plays a built-in variant, if they have been tuned. This crate
/// does not read them.
pub fn builtin_weights(name: &str) -> Option<&'static str> {
    builtin::weights(name)
}

/// A config to edit: the file of a built-in variant, which it equals in effect, with every key that a config
/// may have explained below it. None if there is no such variant.
pub fn template(name: &str) -> Option<String> {
    builtin::template(name)
}

/// Reads a variant by the name of a built-in one or by the path of a file. No code is run.
///
/// # Errors
/// If there is no such name or file, or if the file can't be read as a variant, or needs plug-ins.
pub fn load(name_or_path: &str) -> Result<Config, ConfigError> {
    load_with(name_or_path, &mut NoPlugins)
}

/// The same, with plug-ins for who needs them.
///
/// # Errors
/// As [`load`]; also if a need is not met.
pub fn load_with(name_or_path: &str, plugins: &mut dyn Plugins) -> Result<Config, ConfigError> {
    if let Some(text) = builtin::text(name_or_path) {
        return parse(name_or_path, text);
    }
    let path = Path::new(name_or_path);
    let is_path = name_or_path.contains(['/', '\\']) || path.extension().is_some_and(|e| e == "toml");
    // What is neither a file nor a folder, a pipe say, is told apart from what is not there.
    if is_path || path.exists() && !path.is_dir() {
        return load_file_with(path, plugins);
    }
    let names = builtin::names();
    let advice = match nearest(name_or_path, &names) {
        Some(name) => format!("did you mean {name}? Else write the path of a TOML file"),
        None => format!("write the path of a TOML file, or one of {}", names.join(", ")),
    };
    let problem = format!("there is no built-in game {} and no such file", quoted(name_or_path));
    Err(ConfigError::unplaced(name_or_path, problem, advice))
}

/// Reads the file at a path.
///
/// # Errors
/// If it can't be read, or not as a variant.
pub fn load_file(path: &Path) -> Result<Config, ConfigError> {
    load_file_with(path, &mut NoPlugins)
}

/// The same, with plug-ins for who needs them.
///
/// # Errors
/// As [`load_file`]; also if a need is not met.
pub fn load_file_with(path: &Path, plugins: &mut dyn Plugins) -> Result<Config, ConfigError> {
    let origin = path.display().to_string();
    let text = source::read_file(path).map_err(|(problem, advice)| {
        let advice = match builtin::text(&origin) {
            Some(_) if !path.exists() => format!("{origin} is a built-in game; check reads files"),
            _ => advice,
        };
        ConfigError::unplaced(&origin, problem, advice)
    })?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // The file has just been read; if it has vanished since, its path as written will do.
    let plain = path.canonicalize().unwrap_or_else(|_| path.into());
    let folder = path.parent().unwrap_or(Path::new(""));
    read(&name, origin, text, Some(folder), &[plain], plugins)
}

/// Checks a variant by the name of a built-in one or by the path of a file, as [`check_file`] does.
///
/// # Errors
/// As [`load`], but not for what it would need.
pub fn check(name_or_path: &str) -> Result<Outline, ConfigError> {
    let Config { name, about, needs, .. } = load_with(name_or_path, &mut StandIns)?;
    Ok(Outline { name, about, needs })
}

/// Checks the file at a path as far as can be done without running anybody's code, and says what it
/// would need.
///
/// # Errors
/// If it can't be read, or not as a variant.
pub fn check_file(path: &Path) -> Result<Outline, ConfigError> {
    let Config { name, about, needs, .. } = load_file_with(path, &mut StandIns)?;
    Ok(Outline { name, about, needs })
}

/// Reads a variant from a text, which may extend a built-in variant but no file. `name` is the variant's
/// name, and stands for the file's in messages.
///
/// # Errors
/// If the text can't be read as a variant.
pub fn parse(name: &str, text: &str) -> Result<Config, ConfigError> {
    source::check_text(name, text).map_err(|(p, advice)| ConfigError::unplaced(name, p, advice))?;
    read(name, name.into(), text.into(), None, &[], &mut NoPlugins)
}

fn read(
    name: &str,
    origin: String,
    text: String,
    folder: Option<&Path>,
    chain: &[PathBuf],
    plugins: &mut dyn Plugins,
) -> Result<Config, ConfigError> {
    let source = Arc::new(Source { origin, text });
    let mut faults = Faults::new(source.clone());
    let tree = source::read_tree(&source, folder, chain, &mut faults);
    let root = tree.map(|table| source::root(&source, table));
    let read = root.and_then(|root| rules::variant(name, &root, plugins, &mut faults));
    match read {
        Some((about, variant, needs)) if faults.count() == 0 => {
            Ok(Config { name: name.into(), about, variant, needs })
        }
        _ => Err(ConfigError { faults: faults.into_sorted() }),
    }
}
