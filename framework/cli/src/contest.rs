//! `alice match`: two players against each other, and how much stronger the first of them is.
//!
//! Must not know how games are played, nor how strength is estimated.

use crate::arguments::{self, Whom};
use crate::code::{Code, sound};
use crate::compare::{Contender, MEMORY, bar, contenders, cores, rules, stop_when_interrupted};
use crate::failure::{Failure, complain};
use crate::reports::print_json;
use crate::weights::weights;
use crate::words::list;
use alice_compare::{
    Bout, Conditions, Contest, ContestError, Effort, Entrant, Estimate, Field, Folder, Pairing, Tally,
    Tested, Verdict,
};
use alice_play::Weights;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

impl From<ContestError> for Failure {
    fn from(error: ContestError) -> Self {
        match error {
            ContestError::Bad(bad) => Self::BadInput(format!(
                "error: {bad}; remove its line from games.jsonl to have it played again"
            )),
            error => Self::BadInput(format!("error: {error}")),
        }
    }
}

/// A variant at which two play, and what each judges positions by.
struct Ground {
    contender: Contender,
    weights: [Weights; 2],
}

/// `alice match`.
pub fn contest(arguments: &arguments::Match, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    let (first, second) = players(arguments)?;
    let grounds = grounds(arguments, code)?;
    let entrants = |ground: &Ground| {
        let [mine, others] = ground.weights.clone();
        let first = Entrant::Engine { weights: mine, effort: first };
        let second = match second {
            Whom::Engine(effort) => Entrant::Engine { weights: others, effort },
            Whom::Novice(manner) => Entrant::Novice(manner),
        };
        [first, second]
    };
    let conditions =
        Conditions { seed: arguments.seed, openings: arguments.openings, longest: arguments.longest };
    let pairing = Pairing {
        version: env!("CARGO_PKG_VERSION").into(),
        entrants: [first.to_string(), second.to_string()],
        conditions,
        variants: grounds.iter().map(|ground| ground.field(second)).collect(),
    };
    let mut folder = None;
    let mut bouts: Vec<BTreeMap<u64, Bout>> = vec![BTreeMap::new(); grounds.len()];
    if let Some(path) = &arguments.out {
        let (opened, found) = Folder::open(path, &pairing)?;
        if let Some(dropped) = found.dropped {
            complain(&format!("warning: {dropped}"));
        }
        for ((variant, number), bout) in found.games {
            bouts[variant].insert(number, bout);
        }
        folder = Some(opened);
    }
    let stop = stop_when_interrupted()?;
    let bar = bar();
    // Games that a test finds unnecessary are taken off.
    let mut all = arguments.games as usize * grounds.len();
    let (mut before, mut begun) = (0, false);
    let mut tallies = Vec::new();
    for (ground, bouts) in grounds.iter().zip(&mut bouts) {
        let config = &ground.contender.config;
        let contest = Contest {
            name: &config.name,
            variant: &config.variant,
            entrants: entrants(ground),
            conditions,
            games: arguments.games,
            sprt: arguments.sprt,
            threads: arguments.threads.unwrap_or_else(cores),
            memory: MEMORY,
            sound: &|| ground.contender.guard.violation().is_none(),
        };
        let mut done = 0;
        let mut tell = |progress: alice_compare::Progress, tally: &Tally| {
            done = progress.done;
            let unnecessary = arguments.games as usize - progress.all;
            bar.set_length((all - unnecessary) as u64);
            bar.set_position((before + done) as u64);
            if !begun {
                // The rate is that of this run.
                bar.reset_eta();
                bar.enable_steady_tick(Duration::from_millis(500));
                begun = true;
            }
            bar.set_message(format!("{} +{} ={} -{}", config.name, tally.wins, tally.draws, tally.losses));
        };
        let tally = contest.run(folder.as_mut(), bouts, &stop, &mut tell);
        if tally.is_err() {
            bar.finish_and_clear();
        }
        let tally = tally?;
        sound(&ground.contender.guard, &config.variant.start(), None)?;
        before += done;
        if !contest.is_over(&tally) {
            bar.finish_and_clear();
            let kept = match &arguments.out {
                Some(path) => format!("kept in {}; the same command goes on with them", path.display()),
                None => "lost; with --out DIR they are kept".into(),
            };
            complain(&format!("interrupted: {before} of {all} games are finished, {kept}"));
            std::process::exit(130);
        }
        all -= arguments.games as usize - done;
        tallies.push(tally);
    }
    bar.finish_and_clear();
    let report = Report::new(arguments, &pairing, &tallies);
    if arguments.report.json {
        return print_json(out, &report);
    }
    report.print(out)
}

/// The effort of the first player, and who the second is.
fn players(arguments: &arguments::Match) -> Result<(Effort, Whom), Failure> {
    let effort = match (arguments.depth, arguments.nodes, arguments.time) {
        (Some(depth), _, _) => Effort::Depth(depth),
        (_, Some(nodes), _) => Effort::Nodes(nodes),
        (_, _, Some(time)) => Effort::Time(time),
        (None, None, None) => Effort::Nodes(arguments::NODES),
    };
    let whom = arguments.against.unwrap_or(Whom::Engine(effort));
    match (whom, &arguments.against_weights) {
        (Whom::Novice(_), Some(_)) => Err(Failure::BadInput(format!(
            "error: --against-weights is for the engine, and {whom} is none; write --against nodes=1000, or leave it out"
        ))),
        _ => Ok((effort, whom)),
    }
}

fn grounds(arguments: &arguments::Match, code: &Code) -> Result<Vec<Ground>, Failure> {
    let contenders = contenders(&arguments.variants, code, "play")?;
    let ground = |(contender, variant): (Contender, &String)| {
        let read = |file: &Option<PathBuf>| match file {
            Some(file) => weights(&contender.config, variant, Some(file)),
            None => Ok(contender.weights.clone()),
        };
        let weights = [read(&arguments.weights.file)?, read(&arguments.against_weights)?];
        Ok(Ground { contender, weights })
    };
    contenders.into_iter().zip(&arguments.variants).map(ground).collect()
}

impl Ground {
    /// What is kept of it with the games.
    fn field(&self, second: Whom) -> Field {
        let config = &self.contender.config;
        let [mine, others] = self.weights.each_ref().map(Weights::text);
        let others = if matches!(second, Whom::Engine(_)) { others } else { String::new() };
        // The weights of a file are no part of the rules.
        let rules = rules(config, &Weights::of_rules(config.variant.rules()));
        Field { name: config.name.clone(), rules, weights: [mine, others] }
    }
}

/// What contests come to, as it is printed.
#[derive(Serialize)]
struct Report<'a> {
    entrants: &'a [String; 2],
    conditions: Conditions,
    results: Vec<Outcome<'a>>,
    /// All variants in one; none if there is but one.
    #[serde(skip_serializing_if = "Option::is_none")]
    together: Option<Outcome<'a>>,
}

/// What the games of a variant come to.
#[derive(Serialize)]
struct Outcome<'a> {
    variant: &'a str,
    games: u64,
    #[serde(flatten)]
    tally: Tally,
    score: Option<Estimate>,
    elo: Option<Estimate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Tested>,
}

impl<'a> Report<'a> {
    fn new(arguments: &arguments::Match, pairing: &'a Pairing, tallies: &[Tally]) -> Self {
        let outcome = |variant: &'a str, tally: &Tally| Outcome {
            variant,
            games: tally.games(),
            score: tally.score(),
            elo: tally.elo(),
            sprt: arguments.sprt.map(|sprt| sprt.test(tally)),
            tally: tally.clone(),
        };
        let names = pairing.variants.iter().map(|field| &*field.name);
        let results: Vec<_> = names.zip(tallies).map(|(name, tally)| outcome(name, tally)).collect();
        let mut sum = Tally::default();
        tallies.iter().for_each(|tally| sum.add_all(tally));
        // A test of each is none of all.
        let together = || Outcome { sprt: None, ..outcome("together", &sum) };
        let together = (results.len() > 1).then(together);
        Self { entrants: &pairing.entrants, conditions: pairing.conditions, results, together }
    }

    fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let [first, second] = self.entrants;
        writeln!(out, "{first} against {second}\n")?;
        let rows = || self.results.iter().chain(&self.together);
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        let tested = rows().any(|outcome| outcome.sprt.is_some());
        let test = tested.then_some("SPRT");
        table.set_header(["", "games", "won", "drawn", "lost", "score", "Elo"].into_iter().chain(test));
        for outcome in rows() {
            let Tally { wins, draws, losses, .. } = outcome.tally;
            let numbers = [outcome.games, wins, draws, losses].map(|number| number.to_string());
            let percent = |part: f64| format!("{:.1}", 100.0 * part);
            let points = |elo: f64| match elo {
                elo if elo.is_finite() => format!("{elo:+.0}"),
                elo => {
                    if elo > 0.0 {
                        "∞".into()
                    } else {
                        "-∞".into()
                    }
                }
            };
            let score = outcome.score.map_or("-".into(), |score| interval(&score, " %", percent));
            let elo = outcome.elo.map_or("-".into(), |elo| interval(&elo, "", points));
            let sprt = outcome.sprt.map(|tested| {
                let verdict = match tested.verdict {
                    Verdict::Accepted => "accepted",
                    Verdict::Rejected => "rejected",
                    Verdict::Undecided => "undecided",
                };
                format!("{verdict} {:.2}", tested.llr)
            });
            let last = tested.then(|| sprt.unwrap_or_default());
            table.add_row(
                std::iter::once(outcome.variant.to_string()).chain(numbers).chain([score, elo]).chain(last),
            );
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(out, "{}\n", table.trim_fmt())?;
        writeln!(out, "How games ended:")?;
        for outcome in rows() {
            let endings =
                outcome.tally.endings.iter().map(|(ending, games)| format!("{games} by {}", ending.name()));
            writeln!(out, "{}: {}", outcome.variant, list(endings, "and"))?;
        }
        Ok(())
    }
}

/// `52.1 % [47.9, 56.3]`.
fn interval(estimate: &Estimate, unit: &str, write: impl Fn(f64) -> String) -> String {
    let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(write);
    format!("{value}{unit} [{low}, {high}]")
}
