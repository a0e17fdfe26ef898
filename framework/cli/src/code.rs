//! Where the code of plug-ins may come from: files named on the command line, and those that the user
//! trusts. Here a config's needs are met.
//!
//! Must not know what rules do.

use crate::failure::Failure;
use alice_config::{Need, Plugins, Unmet};
use alice_core::{Movement, Position, Rules, Transfer};
use alice_host::{Consent, ForeignMovement, ForeignTransfer, Guard, Home, PluginFile, TrustError, game_of};
use alice_plugin::Game;
use alice_plugin::call::{CreateError, RuleSet};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

/// Which code may run besides our own.
#[derive(Args, Clone, Debug, Default)]
pub struct CodeArguments {
    /// Take plug-ins from this library before those that you trust; may be given several times.
    #[arg(id = "plugin", long, value_name = "FILE", global = true, value_hint = clap::ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Run the code of plug-ins that are named here, though they are not on your list. It has all your
    /// rights.
    #[arg(long, global = true)]
    pub trust_this_session: bool,
}

/// The plug-ins that configs may use.
#[derive(Clone, Debug)]
pub struct Code {
    named: Vec<PluginFile>,
    consent: Consent,
}

/// An error for the user, as all others look.
fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::BadInput(format!("error: {error}"))
}

impl Code {
    /// Looks at the files that are named; runs none of them.
    ///
    /// # Errors
    /// If one of them is no plug-in.
    pub fn new(arguments: &CodeArguments) -> Result<Self, Failure> {
        let read = |path: &PathBuf| PluginFile::read(path).map_err(refused);
        let named = arguments.files.iter().map(read).collect::<Result<_, _>>()?;
        let consent = if arguments.trust_this_session { Consent::ThisSession } else { Consent::Listed };
        Ok(Self { named, consent })
    }

    /// The user's folder of plug-ins.
    ///
    /// # Errors
    /// If the system names none.
    pub fn home() -> Result<Home, Failure> {
        Home::of_user().map_err(refused)
    }

    /// The arguments that allow the same code again.
    pub fn arguments(&self) -> Vec<String> {
        let named = self.named.iter().flat_map(|file| ["--plugin".into(), file.path().display().to_string()]);
        let consent = (self.consent == Consent::ThisSession).then(|| "--trust-this-session".into());
        named.chain(consent).collect()
    }

    /// Whether code may run that is not on the list.
    pub fn consent(&self) -> Consent {
        self.consent
    }

    /// Where a need would be met from, in words; no code runs.
    pub fn found(&self, need: &Need) -> String {
        let found = Home::of_user().and_then(|home| {
            let file = home.find(&need.id, &need.version, &self.named)?;
            let trusted = home.trusts(file.hash())?;
            Ok((file, trusted))
        });
        match found {
            // Of several builds this is the one that would run.
            Ok((file, true)) => {
                let hash = file.hash().to_string();
                format!("you trust {} {}, SHA-256 {}", need.id, file.identity().version, &hash[..16])
            }
            Ok((file, false)) => format!("{} is it, but you do not trust it yet", file.path().display()),
            Err(TrustError::NotFound { .. }) => "it is not among those you trust".into(),
            Err(other) => other.to_string(),
        }
    }
}

/// Meets the needs of one config; the guard watches over all its rules.
pub struct Loading<'a> {
    code: &'a Code,
    /// Keeps the first promise that a rule breaks.
    pub guard: Arc<Guard>,
}

impl<'a> Loading<'a> {
    /// Nothing is loaded yet.
    pub fn new(code: &'a Code) -> Self {
        Self { code, guard: Arc::new(Guard::new()) }
    }

    /// Loads the plug-in and finds the rule, and how the plug-in is called in messages.
    fn rule(&self, need: &Need, fits: fn(&RuleSet) -> bool, sort: &str) -> Result<(RuleSet, String), Unmet> {
        let unmet = |problem: String, advice: &str| Unmet { parameter: None, problem, advice: advice.into() };
        let load = || -> Result<_, TrustError> {
            let home = Home::of_user()?;
            let file = home.find(&need.id, &need.version, &self.code.named)?;
            Ok((home.load(&file, self.code.consent)?, file))
        };
        let (plugin, file) = load().map_err(|error| {
            let text = error.to_string();
            // Most end with what to do, after a semicolon or as a sentence of their own.
            match text.rsplit_once("; ").or_else(|| text.split_once(". ")) {
                Some((problem, advice)) => unmet(problem.into(), advice),
                None => unmet(text, "`alice plugin info FILE` looks at a file"),
            }
        })?;
        let named = format!("{} {}", file.identity().id, file.identity().version);
        let sets =
            plugin.rule_sets().map_err(|e| unmet(format!("plug-in {named}: {e}"), "tell its author"))?;
        let fitting: Vec<_> = sets.iter().filter(|set| fits(set)).collect();
        let names: Vec<_> = fitting.iter().map(|set| set.name).collect();
        let list = names.join(", ");
        let found = match (&need.rule, fitting.as_slice()) {
            (Some(rule), _) => fitting.iter().find(|set| set.name == rule).copied(),
            (None, [one]) => Some(*one),
            (None, _) => None,
        };
        match (found, names.is_empty()) {
            (Some(set), _) => Ok((*set, named)),
            (None, true) => {
                Err(unmet(format!("plug-in {named} has no rule of {sort}"), "name another plug-in"))
            }
            (None, false) => {
                let what =
                    need.rule.as_ref().map_or("several".into(), |rule| format!("none called {rule:?}"));
                let problem = format!("of rules of {sort}, plug-in {named} has {what}");
                Err(unmet(problem, &format!("write rule = \"…\": one of {list}")))
            }
        }
    }
}

/// All that a rule has against its parameters or the game. A rule says one thing at a time, so it is asked
/// again without the parameter that it complained about.
fn complained(named: &str, set: &RuleSet, game: &Game, parameters: &str, first: CreateError) -> Vec<Unmet> {
    let mut left: Vec<(usize, &str)> = parameters.lines().enumerate().collect();
    let mut unmet = Vec::new();
    let mut answer = Some(first);
    while let Some(error) = answer {
        let at = match &error {
            CreateError::Refused(complaint) => complaint.parameter().filter(|at| *at < left.len()),
            CreateError::Fault(_) => None,
        };
        // Without what was taken away, other complaints may be nobody's fault.
        if at.is_none() && !unmet.is_empty() {
            break;
        }
        let mut one = complaint(named, set, error);
        one.parameter = at.map(|at| left.remove(at).0);
        unmet.push(one);
        let rest: Vec<_> = left.iter().map(|(_, line)| *line).collect();
        answer = at.and_then(|_| set.create(game, &rest.join("\n")).err());
    }
    unmet
}

fn complaint(named: &str, set: &RuleSet, error: CreateError) -> Unmet {
    match error {
        CreateError::Refused(complaint) => {
            let says = complaint.to_string();
            let (problem, advice) =
                says.split_once("; ").unwrap_or((&says, "see what the rule's author says"));
            Unmet { parameter: None, problem: format!("{}: {problem}", set.name), advice: advice.into() }
        }
        CreateError::Fault(fault) => Unmet {
            parameter: None,
            problem: format!("plug-in {named}, rule {}: {fault}", set.name),
            advice: "tell the author of the plug-in, who can find the fault with `alice plugin check`".into(),
        },
    }
}

impl Plugins for Loading<'_> {
    fn transfer(&mut self, need: &Need, rules: &Rules) -> Result<Transfer, Vec<Unmet>> {
        let (set, named) = self.rule(need, RuleSet::is_transfer, "transfer").map_err(|unmet| vec![unmet])?;
        let (game, given) = (game_of(rules), &need.parameters);
        let rule = ForeignTransfer::new(&named, &set, &game, given, &self.guard);
        let rule = rule.map_err(|error| complained(&named, &set, &game, given, error))?;
        Ok(Transfer::Foreign(Arc::new(rule)))
    }

    fn movement(&mut self, need: &Need, rules: &Rules) -> Result<Movement, Vec<Unmet>> {
        let (set, named) = self.rule(need, RuleSet::is_movement, "movement").map_err(|unmet| vec![unmet])?;
        let (game, given) = (game_of(rules), &need.parameters);
        let rule = ForeignMovement::new(&named, &set, &game, given, &self.guard);
        let rule = rule.map_err(|error| complained(&named, &set, &game, given, error))?;
        Ok(Movement::Foreign(Arc::new(rule)))
    }
}

/// Whether the rules in code have kept their promises. What the core has answered since one did not
/// means nothing.
///
/// # Errors
/// Which promise was broken, in which position and after which move.
pub fn sound(guard: &Guard, position: &Position, last: Option<&alice_core::Move>) -> Result<(), Failure> {
    let Some(violation) = guard.violation() else { return Ok(()) };
    let last = last.map(|mv| mv.exact(position.rules()));
    Err(refused(violation.during(&position.to_string(), last.as_deref())))
}
