//! The game that a command is about: a variant, a position, the moves made from it. Every error is
//! shown with its place in what was given.

use crate::arguments::{From, Letters};
use crate::code::{Code, Loading, sound};
use crate::explain::{Reason, Verdict, explain};
use crate::failure::{Failure, colour};
use crate::weights;
use crate::words::list;
use alice_config::{Config, render_faults};
use alice_core::{Fault, Language, Move, MoveError, Pattern, Position, PositionError, Record};
use alice_host::Guard;
use alice_play::Player;
use std::path::Path;
use std::sync::Arc;

/// A variant and a game of it.
#[derive(Clone, Debug)]
pub struct Game {
    /// The variant.
    pub config: Config,
    /// Its name or path as it was given.
    pub variant: String,
    /// Where the game began, and what was played.
    pub record: Record,
    /// In which language moves are read, and written where it was asked for.
    pub letters: Letters,
    /// Watches over the rules that are in code.
    pub guard: Arc<Guard>,
}

/// Reads a variant.
///
/// # Errors
/// If there is none, or it is not in order.
pub fn load(variant: &str, code: &Code) -> Result<(Config, Arc<Guard>), Failure> {
    let mut loading = Loading::new(code);
    let config = alice_config::load_with(variant, &mut loading);
    let config = config.map_err(|error| Failure::BadInput(error.render(colour())))?;
    Ok((config, loading.guard))
}

impl Game {
    /// The game that a command's arguments ask for.
    ///
    /// # Errors
    /// If variant, position or moves are not in order.
    pub fn new(variant: &str, from: &From, code: &Code) -> Result<Self, Failure> {
        let (config, guard) = load(variant, code)?;
        let start = match &from.fen {
            None => config.variant.start(),
            Some(text) => config.variant.read_position(text).map_err(|PositionError { faults }| {
                Failure::BadInput(render_faults("--fen", text, &faults, colour()))
            })?,
        };
        let mut record = Record::new(start);
        if let Some(text) = &from.moves {
            let played = play_all(&mut record, text, from.letters.language());
            sound(&guard, record.position(), record.moves().last())?;
            played.map_err(|fault| Failure::BadInput(render_faults("--moves", text, &[fault], colour())))?;
        }
        Ok(Self { config, variant: variant.into(), record, letters: from.letters, guard })
    }

    /// Whether what the core has answered means anything: whether the rules in code have kept their
    /// promises.
    ///
    /// # Errors
    /// Which promise was broken.
    pub fn sound(&self) -> Result<(), Failure> {
        sound(&self.guard, self.position(), self.record.moves().last())
    }

    /// The engine, to play this variant by these weights, or by its own.
    ///
    /// # Errors
    /// If the weights can't be read or do not fit.
    pub fn player(&self, weights: Option<&Path>) -> Result<Player, Failure> {
        weights::player(&self.config, &self.variant, weights)
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        self.record.position()
    }

    /// A legal move as text: exact, or algebraic if a language was asked for.
    pub fn text(&self, position: &Position, mv: &Move) -> String {
        match self.letters.asked {
            None => mv.exact(position.rules()),
            Some(language) => position.algebraic_in(language, mv),
        }
    }

    /// All legal moves of the position now as texts, in the order of their bytes.
    pub fn moves(&self) -> Vec<String> {
        let position = self.position();
        let mut moves: Vec<_> = position.legal_moves().iter().map(|mv| self.text(position, mv)).collect();
        moves.sort_unstable();
        moves
    }
}

/// Makes the moves of a text, with spaces between. Numbers of moves, as `1.` and `1...`, say nothing.
///
/// # Errors
/// The first that can't be made, with its place; the moves before it have been made then.
pub fn play_all(record: &mut Record, text: &str, language: Language) -> Result<(), Fault> {
    let words = text.split_whitespace().map(after_number).filter(|word| !word.is_empty());
    for (n, word) in words.enumerate() {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let mv = read_move(record.position(), word, language).map_err(|mut fault| {
            fault.at = fault.at.start + start..fault.at.end + start;
            fault.problem = format!("move {}: {}", n + 1, fault.problem);
            fault
        })?;
        record.play(&mv);
    }
    Ok(())
}

/// A word without the number of a move, `12.` or `12...`, that it may begin with.
fn after_number(word: &str) -> &str {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let dots = after.trim_start_matches('.');
    if after.len() < word.len() && dots.len() < after.len() { dots } else { word }
}

/// Reads a legal move.
///
/// # Errors
/// Why it is none, in words, with its place in the text.
pub fn read_move(position: &Position, text: &str, language: Language) -> Result<Move, Fault> {
    let rules = position.rules();
    let shown = shortened(text);
    let verdict = match explain(position, text, language) {
        Ok(verdict) => verdict,
        Err(MoveError::Unreadable { at, problem, advice, .. }) => {
            return Err(Fault { at, problem: format!("{shown} is not a move: {problem}"), advice });
        }
        // No other error comes from reading a pattern.
        Err(other) => {
            return Err(Fault { at: 0..text.len(), problem: other.to_string(), advice: String::new() });
        }
    };
    let setup = position.setup();
    match verdict {
        Verdict::Legal(mv) => Ok(mv),
        Verdict::Open { reason, moves } => {
            // Candidates are told in the notation of the text.
            let exact = Pattern::read(rules, text).is_ok();
            let written = |m: &Move| if exact { m.exact(rules) } else { position.algebraic_in(language, m) };
            let moves = moves.iter().map(written);
            let (problem, advice) = match reason {
                Reason::Ambiguous { .. } => (format!("{shown} fits several legal moves"), list(moves, "or")),
                reason => (format!("{shown}: {}", reason.sentence(rules, &setup)), list(moves, "or")),
            };
            Err(Fault { at: 0..text.len(), problem, advice: format!("write {advice}") })
        }
        Verdict::Illegal(reasons) => {
            let why = reasons.iter().map(|r| r.sentence(rules, &setup)).collect::<Vec<_>>().join("; ");
            let mut keys: Vec<_> = reasons.iter().filter_map(|r| r.key(rules)).collect();
            keys.dedup();
            let advice = match keys.is_empty() {
                true => "`alice moves` lists the legal moves".into(),
                false => format!("the rule is {} of {}", list(keys, "and"), rules.name),
            };
            Err(Fault { at: 0..text.len(), problem: format!("{shown} is not legal: {why}"), advice })
        }
    }
}

/// So much of the user's text as a message can repeat.
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.is_empty() {
        return "an empty text".into();
    }
    let mut short: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        short.push('…');
    }
    short
}
