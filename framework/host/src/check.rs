//! The conformance kit on a library, each law in a process of its own with a time limit: a plug-in
//! that hangs, crashes or corrupts its memory spoils that process only.
//!
//! The parent starts children with a command of the program's choice; a child calls [`child`] or
//! [`answer`]. A child says when it begins with a rule, and when it has come to the law's end: a plug-in
//! that ends the process has not kept the law. It ends when its parent does. Must not know what the
//! command line looks like.

use crate::PluginFile;
use crate::trust::{Consent, Home, TrustError};
use crate::{ForeignMovement, ForeignTransfer, Guard, game_of};
use alice_core::{ManRules, Movement, Rules, Transfer, Variant};
use alice_plugin::Plugin;
use alice_plugin::kit::{self, Kit, Law};
use std::fmt;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
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
    Killed {
        /// How long it was given.
        limit: Duration,
        /// The rule that was being tested; none while the library was loaded.
        rule: Option<String>,
    },
    /// The process that tested it died.
    Died {
        /// How.
        how: String,
        /// The rule that was being tested; none while the library was loaded.
        rule: Option<String>,
    },
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
            Outcome::Killed { limit, rule } => {
                let what = match rule {
                    Some(rule) => format!("{rule}: a call did not return"),
                    None => "loading the library did not end".into(),
                };
                format!("{what}; stopped after {} seconds", limit.as_secs_f32())
            }
            Outcome::Died { how, rule } => {
                let during =
                    rule.as_ref().map_or("while loading the library".into(), |rule| format!("in {rule}"));
                format!("the process that ran the plug-in died {during} ({how})")
            }
        }
    }

    /// What to do about it.
    fn advice(&self) -> &'static str {
        match self.outcome {
            Outcome::Killed { .. } => "look for a loop without end, or a lock that is never opened again",
            Outcome::Died { .. } => {
                "look for exit or abort, for a null pointer, for writing or reading past an array's end, and for \
                 recursion without end; a debugger shows the place"
            }
            _ => self.law.advice,
        }
    }
}

impl fmt::Display for Tested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Law { id, says, .. } = self.law;
        match &self.outcome {
            Outcome::Kept => return write!(f, "ok    {id}: {says}."),
            Outcome::Skipped => return write!(f, "-     {id}: not tested, since an earlier law is broken."),
            _ => {}
        }
        let (seen, advice) = (self.seen(), self.advice());
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
            || tested.iter().any(|t| matches!(t.outcome, Outcome::Killed { .. }));
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
        begin(set.name);
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

/// What begins the lines by which a child tells how far it has come. Anything else that it prints is what
/// the law has seen.
const MARK: &str = "alice-law: ";
/// The line that a child writes when the law has been tested to its end.
const DONE: &str = "done";
/// What begins the line for a rule whose test begins.
const RULE: &str = "rule ";
/// What begins the line for a number made of all answers.
const ANSWERS: &str = "answers ";
/// So much of what a child prints is kept.
const MOST_PRINTED: usize = 1 << 20;

/// Runs a child to its end or to the limit; gives the number made of all answers, if it told one,
/// and what became of the law.
fn run(mut command: Command, limit: Duration) -> std::io::Result<(Option<String>, Outcome)> {
    // The child's input is never written to. It ends when this process does, however that ends.
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let _alive = child.stdin.take();
    let mut out = child.stdout.take().expect("its output is a pipe");
    let printed = Arc::new(Mutex::new(Vec::new()));
    let kept = printed.clone();
    let reading = std::thread::Builder::new().spawn(move || {
        let mut some = [0; 4096];
        // What can't be read is missing; what is missing is not done.
        while let Ok(read @ 1..) = out.read(&mut some) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let room = MOST_PRINTED - kept.len();
            kept.extend(&some[..read.min(room)]);
        }
    });
    let reading = match reading {
        Ok(reading) => reading,
        Err(error) => {
            child.kill()?;
            child.wait()?;
            return Err(error);
        }
    };
    let status = wait(&mut child, limit)?;
    // Processes that the plug-in has started may keep the pipe open for as long as they like.
    let end = Instant::now() + Duration::from_secs(1);
    while !reading.is_finished() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(1));
    }
    let printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
    let printed = String::from_utf8_lossy(&printed);
    let told = || printed.lines().filter_map(|line| line.strip_prefix(MARK));
    let rule = told().filter_map(|line| line.strip_prefix(RULE)).next_back().map(String::from);
    let done = told().any(|line| line == DONE);
    let seen: Vec<_> = printed.lines().take_while(|line| *line != format!("{MARK}{DONE}")).collect();
    let seen = seen.into_iter().filter(|line| !line.starts_with(MARK)).collect::<Vec<_>>().join("\n");
    let seen = seen.trim().to_string();
    let died = |status: ExitStatus| match (seen.as_str(), done) {
        ("", true) => format!("{status}, when the test was done"),
        ("", false) => format!("{status}, before the test was done"),
        (seen, _) => format!("{status}: {seen}"),
    };
    let outcome = match status {
        None => Outcome::Killed { limit, rule },
        Some(status) => match status.code() {
            Some(0) if done => Outcome::Kept,
            Some(1) if done => Outcome::Broken(seen),
            _ => Outcome::Died { how: died(status), rule },
        },
    };
    let answers = told().find_map(|line| line.strip_prefix(ANSWERS)).map(String::from);
    Ok((answers, outcome))
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
    answer(home, file, consent, |plugin| {
        let mut kit = Kit::new(plugin).watched(begin);
        for (rule, given) in parameters {
            kit = kit.with(rule, given);
        }
        if law == TWO_PROCESSES.id {
            tell(&format!("{ANSWERS}{:016x}", kit.digest()));
            return Ok(());
        }
        kit.check_law(law).map_err(|failures| {
            let seen: Vec<_> = failures.0.iter().map(|f| f.seen.as_str()).collect();
            seen.join("\n")
        })
    })
}

/// Tells the parent which rule is tested from now on.
pub fn begin(rule: &str) {
    tell(&format!("{RULE}{rule}"));
}

/// Tells the parent how far the test has come.
fn tell(what: &str) {
    let mut out = std::io::stdout().lock();
    // On a line of its own, whatever the plug-in has printed. A parent that does not read has gone.
    let _ = writeln!(out, "\n{MARK}{what}").and_then(|()| out.flush());
}

/// What a child does for a law of the program's own: loads a plug-in, tests it, prints what was seen.
pub fn answer(
    home: &Home,
    file: &Path,
    consent: Consent,
    test: impl FnOnce(&'static Plugin) -> Result<(), String>,
) -> ExitCode {
    let watching = std::thread::Builder::new().spawn(|| {
        // Nothing is ever written there: reading ends when the parent does.
        let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
        // Not `exit`: what the library wants to do at the end may hang too.
        std::process::abort();
    });
    if let Err(error) = watching {
        println!("no thread can be started: {error}");
        return ExitCode::from(2);
    }
    let load = || -> Result<_, TrustError> { home.load(&PluginFile::read(file)?, consent) };
    let code = match load() {
        Ok(plugin) => match test(plugin) {
            Ok(()) => ExitCode::SUCCESS,
            Err(seen) => {
                println!("{seen}");
                ExitCode::from(1)
            }
        },
        Err(error) => {
            println!("{error}");
            return ExitCode::from(2);
        }
    };
    tell(DONE);
    code
}
