//! By which weights the engine plays a game: those that are asked for, else those that belong to the variant,
//! else what follows from the rules.
//!
//! A config `games/my.toml` has its weights in `games/weights/my.toml`, if that file is there. Must not know
//! what weights mean.

use crate::failure::Failure;
use crate::game::shortened;
use alice_config::Config;
use alice_core::Rules;
use alice_play::{Player, Weights, WeightsError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// No file of weights is longer.
const LONGEST: u64 = 1 << 20;

/// The weights of a variant, which was given by this name or path: those of the file, if one is asked for.
///
/// # Errors
/// If they can't be read, or are not for this variant.
pub fn weights(config: &Config, variant: &str, file: Option<&Path>) -> Result<Weights, Failure> {
    let rules = config.variant.rules();
    let beside = beside(variant).filter(|path| path.exists());
    match (file.or(beside.as_deref()), alice_config::builtin_weights(variant)) {
        (Some(path), _) => read_weights(path, rules),
        (None, Some(text)) => weights_of(&format!("the weights of {variant}"), text, rules),
        (None, None) => Ok(Weights::of_rules(rules)),
    }
}

/// The weights of a file.
///
/// # Errors
/// If they can't be read, or are not for a variant of these rules.
pub fn read_weights(path: &Path, rules: &Rules) -> Result<Weights, Failure> {
    weights_of(&path.display().to_string(), &read(path)?, rules)
}

fn weights_of(place: &str, text: &str, rules: &Rules) -> Result<Weights, Failure> {
    let weights = Weights::read(text).and_then(|weights| weights.check(rules).map(|()| weights));
    weights.map_err(|error| {
        let advice = match error {
            WeightsError::Unreadable(_) => "write it as `alice tune` does, or leave it out",
            _ => "tune weights for this variant, or leave them out",
        };
        Failure::BadInput(format!("error: {place}: {error}\n{advice}"))
    })
}

/// A player of a variant.
///
/// # Errors
/// As [`weights`].
pub fn player(config: &Config, variant: &str, file: Option<&Path>) -> Result<Player, Failure> {
    let weights = weights(config, variant, file)?;
    let player = Player::with_weights(&config.variant, weights);
    player.map_err(|error| Failure::Internal(error.to_string()))
}

/// Where the weights of a variant lie that is read from a file.
pub fn beside(variant: &str) -> Option<PathBuf> {
    if alice_config::builtin_text(variant).is_some() {
        return None;
    }
    let path = Path::new(variant);
    let name = Path::new(path.file_stem()?).with_extension("toml");
    Some(path.parent()?.join("weights").join(name))
}

fn read(path: &Path) -> Result<String, Failure> {
    let shown = path.display();
    let refuse = |why: String| Failure::BadInput(format!("error: {shown}: {why}"));
    let about = std::fs::metadata(path).map_err(|error| {
        let why = match error.kind() {
            ErrorKind::NotFound => "there is no such file".to_string(),
            kind => kind.to_string(),
        };
        refuse(format!("{why}; name a file of weights, as `alice tune` writes it"))
    })?;
    if !about.is_file() || about.len() > LONGEST {
        return Err(refuse("it is no ordinary file of less than a megabyte; name a file of weights".into()));
    }
    let bytes = std::fs::read(path).map_err(|error| refuse(error.kind().to_string()))?;
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..good]).into_owned();
        let last = before.lines().last().unwrap_or_default();
        refuse(format!("it is not a text: byte {good}, after {}, is not UTF-8", shortened(last)))
    })
}
