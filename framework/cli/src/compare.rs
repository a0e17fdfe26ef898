//! `alice compare` and `alice merge`: games of the program against itself, what they say about the variants, and
//! the folder that keeps them.
//!
//! Must not know what is measured.

use crate::arguments;
use crate::code::{Code, sound};
use crate::drawing::width;
use crate::failure::{Failure, complain};
use crate::many::{
    Contender, MEMORY, bar, contenders, kept, possible, show, stop_when_interrupted, threads, told,
    warn_of_doubles,
};
use alice_compare::{Folder, Game, Heading, Played, Progress, Report, Run, Settings, Shard};
use alice_core::Variant;
use alice_play::Player;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

fn variants(contenders: &[Contender]) -> Vec<(String, Variant)> {
    contenders.iter().map(|c| (c.config.name.clone(), c.config.variant.clone())).collect()
}

/// `alice compare`.
pub fn compare(arguments: &arguments::Compare, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    possible(&arguments.many)?;
    let contenders = contenders(&arguments.variants, code, "compare", arguments.untuned)?;
    let settings = Settings {
        nodes: arguments.nodes.or(if arguments.time.is_none() { Some(arguments::NODES) } else { None }),
        time: arguments.time,
        seed: arguments.many.seed,
        openings: arguments.many.openings,
        longest: arguments.many.longest,
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
        threads: threads(&arguments.many),
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
        show(&bar, reached.all == 0, progress);
        reached = progress;
    });
    bar.finish_and_clear();
    let out_folder = arguments.out.as_deref();
    if let Err(error) = done {
        complain(&kept(reached.done, reached.all, out_folder));
        return Err(error.into());
    }
    for contender in &contenders {
        sound(&contender.guard, &contender.config.variant.start(), None)?;
    }
    if reached.done < reached.all {
        complain(&format!("interrupted: {}", kept(reached.done, reached.all, out_folder)));
        std::process::exit(130);
    }
    conclude(&heading, &variants, &games, folder.as_ref(), arguments.report.json, out)
}

/// `alice merge`.
pub fn merge(arguments: &arguments::Merge, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    let (joined, dropped) = alice_compare::join(&arguments.parts)?;
    let opened = &joined;
    for dropped in dropped {
        complain(&format!("warning: {dropped}"));
    }
    let sources: Vec<String> = opened.heading.variants.iter().map(|v| v.source.clone()).collect();
    let mut contenders = contenders(&sources, code, "compare", false)?;
    for (played, contender) in opened.heading.variants.iter().zip(&mut contenders) {
        if played.rules != contender.rules() {
            contender.untune();
        }
        if played.rules != contender.rules() {
            return Err(Failure::BadInput(format!(
                "error: the games of {} were played by other rules or weights than {} has now; compare them with the program \
                 and the file they were played with",
                played.name, played.source
            )));
        }
    }
    let variants = variants(&contenders);
    // All is looked at before anything is written.
    Report::new(&opened.heading, &variants, opened.games.values())
        .map_err(|bad| told(&bad, arguments.parts.iter().map(PathBuf::as_path)))?;
    let (folder, whole) = joined.put(&arguments.out)?;
    for (n, (name, _)) in variants.iter().enumerate() {
        let numbers = whole.games.keys().filter(|(variant, _)| *variant == n).map(|(_, number)| number);
        let (count, last) = numbers.fold((0, 0), |(count, last), number| (count + 1, last.max(*number)));
        if count <= last {
            complain(&format!(
                "warning: games of {name} are missing: there are {count}, and one of number {last}, counted from 0; \
                 is a part missing?"
            ));
        }
    }
    conclude(&whole.heading, &variants, &whole.games, Some(&folder), arguments.report.json, out)
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
    let report = Report::new(heading, variants, games.values());
    let report = report.map_err(|bad| told(&bad, folder.map(Folder::path)))?;
    for (n, (name, _)) in variants.iter().enumerate() {
        let of = games.iter().filter(|((variant, _), _)| *variant == n).map(|(_, game)| &*game.moves);
        warn_of_doubles("games", name, of);
    }
    if let Some(folder) = folder {
        for (name, text) in
            [("report.json", report.json()), ("report.csv", report.csv()), ("report.html", report.html())]
        {
            folder.write(name, &text).inspect_err(|_| {
                complain(&kept(games.len(), games.len(), Some(folder.path())));
            })?;
        }
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
