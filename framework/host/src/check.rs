//! The conformance kit on a library, each law in a process of its own with a time limit: a plug-in
//! that hangs, crashes or corrupts its memory spoils that process only.
//!
//! The parent starts children with a command of the program's choice; a child calls [`child`]. Must
//! not know what the command line looks like.

use crate::PluginFile;
use crate::trust::{Consent, Home, TrustError};
use crate::{ForeignMovement, ForeignTransfer, Guard, game_of};
use alice_core::{ManRules, Movement, Rules, Transfer, Variant};
use alice_plugin::Plugin;
use alice_plugin::kit::{self, Kit, Law};
use std::fmt;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the kit alone can't test.
const TWO_PROCESSES: Law = Law {
    id: "two-processes",
    says: "Another process gets the same answers",
    advice: "do not let answers depend on addresses, hash seeds, the environment, files or time",
};

/// What needs the core: a program tests it on games of its own with [`games`], by [`check_law`].
pub const GAMES: Law = Law {
    id: "games",
    says: "In games of some plies the rules keep their promises, and the fast path finds the moves of the slow one",
    advice: "look for an answer that depends on more than it should; the other laws ask at random, this one in games",
};

/// The laws that [`check`] tests, in order.
pub fn laws() -> impl Iterator<Item = Law> {
    kit::LAWS.into_iter().chain([TWO_PROCESSES])
}

/// What became of a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is kept.
    Kept,
    /// It is broken: what was seen.
    Broken(String),
    /// The test did not end in time, and was killed.
    Killed(Duration),
    /// The process that tested it died.
    Died(String),
    /// Not tested, since one of the first laws is broken.
    Skipped,
}

/// A law and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// The law.
    pub law: Law,
    /// What became of it.
    pub outcome: Outcome,
}

impl Tested {
    /// Whether there is nothing to complain about.
    pub fn is_kept(&self) -> bool {
        self.outcome == Outcome::Kept
    }

    /// What was seen, if the law is not kept.
    pub fn seen(&self) -> String {
        match &self.outcome {
            Outcome::Kept | Outcome::Skipped => String::new(),
            Outcome::Broken(seen) => seen.clone(),
            Outcome::Killed(limit) => {
                format!("a call did not return; stopped after {} seconds", limit.as_secs_f32())
            }
            Outcome::Died(how) => format!("the process that ran the plug-in died ({how})"),
        }
    }
}

impl fmt::Display for Tested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Law { id, says, advice } = self.law;
        match &self.outcome {
            Outcome::Kept => return write!(f, "ok    {id}: {says}."),
            Outcome::Skipped => return write!(f, "-     {id}: not tested, since an earlier law is broken."),
            _ => {}
        }
        let seen = self.seen();
        write!(f, "FAIL  {id}: {says}.\n      seen: {seen}\n      what to do: {advice}")
    }
}

/// Tests all laws, each in a child that `command` makes for the law's id. Children have to call
/// [`child`] with that id, and get `limit` each.
///
/// # Errors
/// If a child can't be started.
pub fn check(command: &dyn Fn(&str) -> Command, limit: Duration) -> std::io::Result<Vec<Tested>> {
    let mut tested: Vec<Tested> = Vec::new();
    for (n, law) in laws().enumerate() {
        let skip = n >= kit::FIRST_LAWS && tested[..kit::FIRST_LAWS].iter().any(|t| !t.is_kept())
            || tested.iter().any(|t| matches!(t.outcome, Outcome::Killed(_)));
        tested.push(if skip {
            Tested { law, outcome: Outcome::Skipped }
        } else {
            check_law(command, law, limit)?
        });
    }
    Ok(tested)
}

/// Tests one of [`laws`] in the same way.
///
/// # Errors
/// If a child can't be started.
pub fn check_law(command: &dyn Fn(&str) -> Command, law: Law, limit: Duration) -> std::io::Result<Tested> {
    let outcome =
        if law == TWO_PROCESSES { two_processes(command, limit)? } else { run(command(law.id), limit)?.1 };
    Ok(Tested { law, outcome })
}

/// Plays a few games with each rule of a plug-in in the place of a game's transfer, or of the movement of
/// its first man that is neither royal nor a pawn. Rules that refuse the game are left out.
///
/// # Errors
/// What was seen, if the law [`GAMES`] is broken.
pub fn games(plugin: &'static Plugin, parameters: &[(String, String)], rules: &Rules) -> Result<(), String> {
    for set in plugin.rule_sets().map_err(|fault| fault.to_string())? {
        let given = parameters.iter().find(|(rule, _)| rule == set.name).map_or("", |(_, given)| given);
        let guard = Arc::new(Guard::new());
        let (mut rules, game) = (rules.clone(), game_of(rules));
        if set.is_transfer() {
            let Ok(rule) = ForeignTransfer::new(set.name, &set, &game, given, &guard) else { continue };
            rules.transfer = Transfer::Foreign(Arc::new(rule));
        } else {
            let Ok(rule) = ForeignMovement::new(set.name, &set, &game, given, &guard) else { continue };
            let plain = |man: &&mut ManRules| !man.royal && !man.pawn;
            let Some(man) = rules.men.iter_mut().find(plain) else { continue };
            man.movement = Movement::Foreign(Arc::new(rule));
        }
        let name = rules.name.clone();
        let broken = |what: String| format!("{}, in a game of {name}: {what}", set.name);
        // A starting position that the rule makes impossible is no fault of its.
        let Ok(variant) = Variant::new(rules) else { continue };
        for seed in 0..2 {
            let mut position = variant.start();
            for ply in 0..40 {
                let mut fast = position.legal_moves();
                let mut slow = variant.reference().legal_moves(&position.setup());
                if let Some(violation) = guard.violation() {
                    return Err(broken(violation.during(&position.to_string(), None)));
                }
                fast.sort();
                slow.sort();
                if fast != slow {
                    return Err(broken(format!(
                        "the fast path finds {} moves, the slow one {}, in {position}",
                        fast.len(),
                        slow.len()
                    )));
                }
                if fast.is_empty() {
                    break;
                }
                position = position.after(&fast[(seed + 7 * ply * ply + 13 * ply) % fast.len()]);
            }
        }
    }
    Ok(())
}

fn two_processes(command: &dyn Fn(&str) -> Command, limit: Duration) -> std::io::Result<Outcome> {
    let (first, outcome) = run(command(TWO_PROCESSES.id), limit)?;
    if outcome != Outcome::Kept {
        return Ok(outcome);
    }
    let (second, outcome) = run(command(TWO_PROCESSES.id), limit)?;
    if outcome == Outcome::Kept && first != second {
        return Ok(Outcome::Broken("two processes got different answers".into()));
    }
    Ok(outcome)
}

/// Runs a child to its end or to the limit; gives what it printed and what became of the law.
fn run(mut command: Command, limit: Duration) -> std::io::Result<(String, Outcome)> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut out = child.stdout.take().expect("its output is a pipe");
    let reading = std::thread::spawn(move || {
        let mut printed = Vec::new();
        // What it could not print is missing; its status says enough.
        let _ = out.read_to_end(&mut printed);
        String::from_utf8_lossy(&printed).into_owned()
    });
    let status = wait(&mut child, limit)?;
    let printed = reading.join().expect("reading does not panic");
    let outcome = match status {
        None => Outcome::Killed(limit),
        Some(status) => match status.code() {
            Some(0) => Outcome::Kept,
            Some(1) => Outcome::Broken(printed.trim_end().into()),
            _ => Outcome::Died(died(status, &printed)),
        },
    };
    Ok((printed, outcome))
}

fn died(status: ExitStatus, printed: &str) -> String {
    let printed = printed.trim_end();
    if printed.is_empty() { status.to_string() } else { format!("{status}: {printed}") }
}

/// Waits for a child's end; kills it after the limit.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let end = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// What a child does: loads a plug-in, tests one law, prints what it saw. The rules that need them get
/// parameters: lines `name=value`.
pub fn child(
    home: &Home,
    file: &Path,
    consent: Consent,
    law: &str,
    parameters: &[(String, String)],
) -> ExitCode {
    let load = || -> Result<_, TrustError> { home.load(&PluginFile::read(file)?, consent) };
    let plugin = match load() {
        Ok(plugin) => plugin,
        Err(error) => {
            println!("{error}");
            return ExitCode::from(2);
        }
    };
    let mut kit = Kit::new(plugin);
    for (rule, given) in parameters {
        kit = kit.with(rule, given);
    }
    if law == TWO_PROCESSES.id {
        println!("{:016x}", kit.digest());
        return ExitCode::SUCCESS;
    }
    match kit.check_law(law) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failures) => {
            let seen: Vec<_> = failures.0.iter().map(|f| f.seen.as_str()).collect();
            println!("{}", seen.join("\n"));
            ExitCode::from(1)
        }
    }
}
