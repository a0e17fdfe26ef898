//! `alice compare` and `alice merge`: games of the program against itself, what they say about the variants, and
//! the folder that keeps them.
//!
//! Must not know what is measured.

use crate::arguments;
use crate::code::{Code, sound};
use crate::drawing::width;
use crate::failure::{Failure, complain};
use crate::many::{Contender, MEMORY, bar, contenders, cores, stop_when_interrupted};
use alice_compare::{Folder, Game, Heading, Played, Progress, Report, Run, Settings, Shard};
use alice_core::Variant;
use alice_play::Player;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

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
