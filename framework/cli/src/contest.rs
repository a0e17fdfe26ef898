//! `alice match`: two players against each other, and how much stronger the first of them is.
//!
//! Must not know how games are played, nor how strength is estimated.

use crate::arguments::{self, Whom};
use crate::code::{Code, sound};
use crate::failure::{Failure, complain};
use crate::many::{
    Contender, MEMORY, bar, contenders, contest_failure, kept, possible, rules, show, stop_when_interrupted,
    threads, warn_of_doubles,
};
use crate::reports::print_json;
use crate::weights::weights;
use crate::words::list;
use alice_compare::{
    Bout, Conditions, Contest, ContestError, Effort, Entrant, Estimate, Field, Folder, Pairing, Progress,
    Sprt, Tally, Tested, Verdict,
};
use alice_play::{Stop, Weights};
use comfy_table::{CellAlignment, Table, presets};
use indicatif::ProgressBar;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// A variant at which two play, and what each judges positions by.
struct Ground {
    contender: Contender,
    weights: [Weights; 2],
}

/// Who meets whom, where, and how.
struct Match<'a> {
    arguments: &'a arguments::Match,
    first: Effort,
    second: Whom,
    grounds: Vec<Ground>,
    conditions: Conditions,
}

/// The games of a variant, by their numbers.
type Bouts = BTreeMap<u64, Bout>;

/// `alice match`.
pub fn contest(arguments: &arguments::Match, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    possible(&arguments.many)?;
    let contest = Match::new(arguments, code)?;
    let pairing = contest.pairing();
    let (mut folder, bouts) = contest.kept(&pairing)?;
    let stop = stop_when_interrupted()?;
    let bar = bar();
    let tallies = contest.play(&mut folder, bouts, &stop, &bar);
    bar.finish_and_clear();
    let report = Report::new(arguments.sprt, &pairing, &tallies?);
    if arguments.report.json { print_json(out, &report) } else { report.print(out) }
}

impl<'a> Match<'a> {
    fn new(arguments: &'a arguments::Match, code: &Code) -> Result<Self, Failure> {
        let first = match (arguments.depth, arguments.nodes, arguments.time) {
            (Some(depth), _, _) => Effort::Depth(depth),
            (_, Some(nodes), _) => Effort::Nodes(nodes),
            (_, _, Some(time)) => Effort::Time(time),
            (None, None, None) => Effort::Nodes(arguments::NODES),
        };
        let second = arguments.against.unwrap_or(Whom::Engine(first));
        if matches!(second, Whom::Novice(_)) && arguments.against_weights.is_some() {
            return Err(Failure::BadInput(format!(
                "error: --against-weights is for the engine, and {second} is none; write --against nodes=1000, or \
                 leave it out"
            )));
        }
        let ground = |(contender, variant): (Contender, &String)| {
            let read = |file: &Option<PathBuf>| match file {
                Some(file) => weights(&contender.config, variant, Some(file)),
                None => Ok(contender.weights.clone()),
            };
            let weights = [read(&arguments.weights.file)?, read(&arguments.against_weights)?];
            Ok(Ground { contender, weights })
        };
        let contenders = contenders(&arguments.variants, code, "play", false)?;
        let grounds = contenders.into_iter().zip(&arguments.variants).map(ground);
        Ok(Self {
            first,
            second,
            grounds: grounds.collect::<Result<_, Failure>>()?,
            conditions: Conditions {
                seed: arguments.many.seed,
                openings: arguments.many.openings,
                longest: arguments.many.longest,
            },
            arguments,
        })
    }

    /// What is kept with the games.
    fn pairing(&self) -> Pairing {
        let field = |ground: &Ground| {
            let config = &ground.contender.config;
            let [mine, others] = ground.weights.each_ref().map(Weights::text);
            let others = if matches!(self.second, Whom::Engine(_)) { others } else { String::new() };
            // The weights of a file are no part of the rules.
            let rules = rules(config, &Weights::of_rules(config.variant.rules()));
            Field { name: config.name.clone(), rules, weights: [mine, others] }
        };
        Pairing {
            version: env!("CARGO_PKG_VERSION").into(),
            entrants: [self.first.to_string(), self.second.to_string()],
            conditions: self.conditions,
            variants: self.grounds.iter().map(field).collect(),
        }
    }

    /// The folder for the games, and those of earlier runs in it.
    fn kept(&self, pairing: &Pairing) -> Result<(Option<Folder<Pairing>>, Vec<Bouts>), Failure> {
        let mut bouts = vec![Bouts::new(); self.grounds.len()];
        let Some(path) = &self.arguments.out else { return Ok((None, bouts)) };
        let (folder, found) = Folder::open(path, pairing)?;
        if let Some(dropped) = found.dropped {
            complain(&format!("warning: {dropped}"));
        }
        for ((variant, number), bout) in found.games {
            bouts[variant].insert(number, bout);
        }
        Ok((Some(folder), bouts))
    }

    /// Plays what is missing, one variant after the other; says what each came to. Whoever interrupts it ends the
    /// command.
    fn play(
        &self,
        folder: &mut Option<Folder<Pairing>>,
        bouts: Vec<Bouts>,
        stop: &Stop,
        bar: &ProgressBar,
    ) -> Result<Vec<Tally>, Failure> {
        let games = self.arguments.games as usize;
        // Of all variants; games that a test finds unnecessary are taken off.
        let (mut done, mut all) = (0, games * self.grounds.len());
        let mut tallies = Vec::new();
        for (ground, mut bouts) in self.grounds.iter().zip(bouts) {
            let config = &ground.contender.config;
            let mut reached = Progress { done: 0, all: 0 };
            let mut tell = |progress: Progress, tally: &Tally| {
                let all = Progress { done: done + progress.done, all: all - games + progress.all };
                show(bar, done + reached.all == 0, all);
                bar.set_message(format!(
                    "{} +{} ={} -{}",
                    config.name, tally.wins, tally.draws, tally.losses
                ));
                reached = progress;
            };
            let contest = Contest {
                name: &config.name,
                variant: &config.variant,
                entrants: self.entrants(ground),
                conditions: self.conditions,
                games: self.arguments.games,
                sprt: self.arguments.sprt,
                threads: threads(&self.arguments.many),
                memory: MEMORY,
                sound: &|| ground.contender.guard.violation().is_none(),
            };
            let tally = contest.run(folder.as_mut(), &mut bouts, stop, &mut tell);
            let out = self.arguments.out.as_deref();
            let tally = tally.map_err(|error| {
                bar.finish_and_clear();
                if matches!(error, ContestError::Folder(_)) {
                    complain(&kept(done + reached.done, all, out));
                }
                contest_failure(error, out)
            })?;
            let firsts = bouts.values().filter(|bout| bout.number.is_multiple_of(2));
            warn_of_doubles("pairs of games", &config.name, firsts.map(|bout| &*bout.moves));
            sound(&ground.contender.guard, &config.variant.start(), None)?;
            done += reached.done;
            all = all - games + reached.all;
            if !contest.is_over(&tally) {
                bar.finish_and_clear();
                complain(&format!("interrupted: {}", kept(done, all, out)));
                std::process::exit(130);
            }
            tallies.push(tally);
        }
        Ok(tallies)
    }

    fn entrants(&self, Ground { weights: [mine, others], .. }: &Ground) -> [Entrant; 2] {
        let engine = |weights: &Weights, effort| Entrant::Engine { weights: weights.clone(), effort };
        let second = match self.second {
            Whom::Engine(effort) => engine(others, effort),
            Whom::Novice(manner) => Entrant::Novice(manner),
        };
        [engine(mine, self.first), second]
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
    fn new(sprt: Option<Sprt>, pairing: &'a Pairing, tallies: &[Tally]) -> Self {
        let outcome = |variant: &'a str, tally: &Tally| Outcome {
            variant,
            games: tally.games(),
            score: tally.score(),
            elo: tally.elo(),
            sprt: sprt.map(|sprt| sprt.test(tally)),
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
