//! `alice compare` and `alice merge`: games of the program against itself, what they say about the variants, and
//! the folder that keeps them.
//!
//! Must not know what is measured.

use crate::arguments;
use crate::code::{Code, sound};
use crate::drawing::width;
use crate::failure::{Failure, complain};
use crate::game::load;
use crate::weights::weights;
use alice_compare::{
    Folder, FolderError, Game, Heading, Played, Progress, Report, Run, Settings, Shard, fingerprint,
};
use alice_config::Config;
use alice_core::Variant;
use alice_host::Guard;
use alice_play::{Player, Stop, Weights};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// How many bytes the player of each thread may remember with. Part of what makes games repeatable.
pub const MEMORY: usize = 8 << 20;

/// A variant to be compared, by which weights it is played, and who watches over its rules.
pub struct Contender {
    pub config: Config,
    pub weights: Weights,
    pub guard: Arc<Guard>,
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        Self::BadInput(format!("error: {error}"))
    }
}

/// Reads variants, each of which must have a name of its own and something to do.
pub fn contenders(variants: &[String], code: &Code, to: &str) -> Result<Vec<Contender>, Failure> {
    let mut found: Vec<Contender> = Vec::new();
    for variant in variants {
        let (config, guard) = load(variant, code)?;
        if let Some(n) = found.iter().position(|known| known.config.name == config.name) {
            return Err(Failure::BadInput(format!(
                "error: {} and {variant} are both called {}; name each variant once, or rename a file",
                variants[n], config.name
            )));
        }
        over_at_once(&config, to)?;
        let weights = weights(&config, variant, None)?;
        found.push(Contender { config, weights, guard });
    }
    Ok(found)
}

/// Refuses variants in which there is nothing to play.
pub fn over_at_once(config: &Config, to: &str) -> Result<(), Failure> {
    match config.variant.start().outcome() {
        None => Ok(()),
        Some(_) => Err(Failure::BadInput(format!(
            "error: a game of {} is over before its first move; there is nothing to {to}",
            config.name
        ))),
    }
}

/// What tells a variant's rules, and the player's judgement of them, from others.
pub fn rules(config: &Config, weights: &Weights) -> String {
    let needs = config.needs.iter().map(|n| format!("{} {} {:?} {}", n.id, n.version, n.rule, n.parameters));
    fingerprint(&config.variant, &(needs.collect::<String>() + &format!("{weights:?}")))
}

impl Contender {
    /// Judges it by what follows from its rules.
    fn untune(&mut self) {
        self.weights = Weights::of_rules(self.config.variant.rules());
    }

    fn rules(&self) -> String {
        rules(&self.config, &self.weights)
    }
}

fn variants(contenders: &[Contender]) -> Vec<(String, Variant)> {
    contenders.iter().map(|c| (c.config.name.clone(), c.config.variant.clone())).collect()
}

/// `alice compare`.
pub fn compare(arguments: &arguments::Compare, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    let mut contenders = contenders(&arguments.variants, code, "compare")?;
    if arguments.untuned {
        contenders.iter_mut().for_each(Contender::untune);
    }
    let settings = Settings {
        nodes: arguments.nodes.or(if arguments.time.is_none() { Some(arguments::NODES) } else { None }),
        time: arguments.time,
        seed: arguments.seed,
        openings: arguments.openings,
        longest: arguments.longest,
    };
    let played = |(contender, source): (&Contender, &String)| Played {
        name: contender.config.name.clone(),
        source: source.clone(),
        rules: contender.rules(),
    };
    let heading = Heading {
        version: env!("CARGO_PKG_VERSION").into(),
        settings,
        variants: contenders.iter().zip(&arguments.variants).map(played).collect(),
    };
    let mut games = BTreeMap::new();
    let mut folder = None;
    if let Some(path) = &arguments.out {
        let (opened, found) = Folder::open(path, &heading)?;
        if let Some(dropped) = found.dropped {
            complain(&format!("warning: {dropped}"));
        }
        (folder, games) = (Some(opened), found.games);
    }
    let stop = stop_when_interrupted()?;
    let bar = bar();
    let variants = variants(&contenders);
    let run = Run {
        variants: &variants,
        settings,
        games: arguments.games,
        shard: arguments.shard.unwrap_or(Shard { part: 1, of: 1 }),
        threads: arguments.threads.unwrap_or_else(cores),
        player: &|n| {
            let weights = contenders[n].weights.clone();
            let player = Player::with_weights(&contenders[n].config.variant, weights);
            let mut player = player.expect("weights are checked when they are read");
            player.set_memory(MEMORY);
            player
        },
        sound: &|n| contenders[n].guard.violation().is_none(),
    };
    let mut reached = Progress { done: 0, all: 0 };
    let done = alice_compare::run(&run, &mut folder, &mut games, &stop, &mut |progress| {
        if reached.all == 0 {
            bar.set_length(progress.all as u64);
            bar.set_position(progress.done as u64);
            // The rate is that of this run.
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        bar.set_position(progress.done as u64);
        reached = progress;
    });
    bar.finish_and_clear();
    done?;
    for contender in &contenders {
        sound(&contender.guard, &contender.config.variant.start(), None)?;
    }
    if reached.done < reached.all {
        let kept = match &arguments.out {
            Some(path) => format!("kept in {}; the same command goes on with them", path.display()),
            None => "lost; with --out DIR they are kept".into(),
        };
        complain(&format!("interrupted: {} of {} games are finished, {kept}", reached.done, reached.all));
        std::process::exit(130);
    }
    conclude(&heading, &variants, &games, folder.as_ref(), arguments.report.json, out)
}

/// `alice merge`.
pub fn merge(arguments: &arguments::Merge, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    let (folder, opened, dropped) = alice_compare::merge(&arguments.parts, &arguments.out)?;
    for dropped in dropped {
        complain(&format!("warning: {dropped}"));
    }
    let sources: Vec<String> = opened.heading.variants.iter().map(|v| v.source.clone()).collect();
    let mut contenders = contenders(&sources, code, "compare")?;
    for (played, contender) in opened.heading.variants.iter().zip(&mut contenders) {
        if played.rules != contender.rules() {
            contender.untune();
        }
        if played.rules != contender.rules() {
            return Err(Failure::BadInput(format!(
                "error: the games of {} were played by other rules than {} has now; compare them with the program \
                 and the file they were played with",
                played.name, played.source
            )));
        }
    }
    let variants = variants(&contenders);
    conclude(&opened.heading, &variants, &opened.games, Some(&folder), arguments.report.json, out)
}

/// Measures, prints, and writes the report's files.
fn conclude(
    heading: &Heading,
    variants: &[(String, Variant)],
    games: &BTreeMap<(usize, u64), Game>,
    folder: Option<&Folder>,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let report = Report::new(heading, variants, games.values())
        .map_err(|error| Failure::BadInput(format!("error: {error}; remove its line from games.jsonl")))?;
    if let Some(folder) = folder {
        folder.write("report.json", &report.json())?;
        folder.write("report.csv", &report.csv())?;
        folder.write("report.html", &report.html())?;
    }
    if json {
        write!(out, "{}", report.json())?;
        return Ok(());
    }
    writeln!(out, "{}", report.table(width()))?;
    write!(out, "{}", report.verdict())?;
    if let Some(folder) = folder {
        writeln!(out, "\nThe whole report, with charts: {}", folder.path().join("report.html").display())?;
    }
    Ok(())
}

/// A flag that goes up when the user interrupts the command.
pub fn stop_when_interrupted() -> Result<Stop, Failure> {
    let stop = Stop::new();
    let raised = stop.clone();
    ctrlc::set_handler(move || {
        // Whoever asks twice does not want to wait.
        if raised.is_raised() {
            std::process::exit(130);
        }
        raised.raise();
    })
    .map_err(|error| Failure::Internal(error.to_string()))?;
    Ok(stop)
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Shown on the standard error where somebody sees it.
pub fn bar() -> ProgressBar {
    let template = "{bar:30} {pos} of {len} games, {per_sec}, {eta} left {msg}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::no_length().with_style(style)
}
