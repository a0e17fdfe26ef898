//! `alice tune`: the program learns from games against itself how to weigh the men of a variant, and takes the
//! new weights only if it wins by them.
//!
//! A folder keeps all that it has come to: `before.toml` (the weights it began with), `games` (as of a
//! comparison), `candidate.toml`, `match-1` and so on (as of a contest). Must not know how weights are fitted.

use crate::arguments;
use crate::code::{Code, sound};
use crate::failure::{Failure, complain};
use crate::files::{folder_of, write_whole};
use crate::game::load;
use crate::many::{
    MEMORY, bar, contest_failure, kept, over_at_once, possible, rules, show, stop_when_interrupted, threads,
    told, warn_of_doubles,
};
use crate::reports::print_json;
use crate::weights::{beside, read_weights, weights};
use alice_compare::{
    BadGame, Conditions, Contest, ContestError, Effort, Entrant, Estimate, Field, Folder, FolderError, Game,
    Heading, Pairing, Played, Progress, Run, Settings, Shard, Sprt, Tally, Verdict,
};
use alice_config::Config;
use alice_host::Guard;
use alice_play::{Player, Stop, Weights};
use alice_tune::Fit;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// New weights are taken if they are stronger by so many Elo points rather than by none.
const STRONGER: f64 = 15.0;
/// The odds of taking weights that are no stronger, each time they are tried, and of refusing such that are.
const ODDS: [f64; 2] = [0.02, 0.05];
/// Games tell whither to go, and less surely how far: the whole way is tried first, then parts of it.
const PARTS: [f64; 3] = [1.0, 0.5, 0.25];

/// What is tuned, and how.
struct Tuning<'a> {
    arguments: &'a arguments::Tune,
    config: Config,
    guard: Arc<Guard>,
    before: Weights,
    stop: Stop,
}

/// `alice tune`.
pub fn tune(arguments: &arguments::Tune, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    let (config, guard) = load(&arguments.variant, code)?;
    over_at_once(&config, "tune")?;
    possible(&arguments.many)?;
    make_own_folder(&arguments.out)?;
    let before = before(arguments, &config)?;
    let kept = arguments.out.join("before.toml");
    let stop = stop_when_interrupted()?;
    let tuning = Tuning { arguments, config, guard, before, stop };
    // Better now than when all is done.
    tuning.unchanged_place()?;
    if !kept.exists() {
        write(&kept, &tuning.before.text())?;
    }
    let games = tuning.games()?;
    let fit = tuning.fit(&games)?;
    let mut tries = Vec::new();
    let mut place = None;
    for (n, part) in (1..).zip(PARTS) {
        let weights =
            alice_tune::part_of_the_way(tuning.config.variant.rules(), &tuning.before, &fit.weights, part);
        let weights = weights.ok_or_else(|| Failure::Internal("weights have become none".into()))?;
        let tally = tuning.contest(&weights, n)?;
        let accepted = tuning.sprt().test(&tally).verdict == Verdict::Accepted;
        tries.push(Try { part, tally, weights });
        if accepted {
            place = Some(tuning.replace(&tries[n - 1]));
            break;
        }
    }
    // What was found is told even if it can't be put in its place.
    let (place, failure) = match place.transpose() {
        Ok(place) => (place, None),
        Err(failure) => (None, Some(failure)),
    };
    let report = Report::new(&fit, games.len(), &tries, place);
    match arguments.report.json {
        true => print_json(out, &report)?,
        false => tuning.tell(&fit, &tries, &report, failure.is_some(), out)?,
    }
    failure.map_or(Ok(()), Err)
}

/// The weights to begin with: those that the folder keeps, if it keeps any.
fn before(arguments: &arguments::Tune, config: &Config) -> Result<Weights, Failure> {
    let rules = config.variant.rules();
    let now = match (arguments.untuned, &arguments.weights) {
        (true, _) => Weights::of_rules(rules),
        (false, Some(file)) if file.exists() => read_weights(file, rules)?,
        (false, file) => {
            if let Some(file) = file {
                let file = file.display();
                complain(&format!("{file} is not there yet: it begins with the variant's own weights"));
            }
            weights(config, &arguments.variant, None)?
        }
    };
    let (kept, taken) = (arguments.out.join("before.toml"), arguments.out.join("taken.toml"));
    if !kept.exists() {
        return Ok(now);
    }
    let before = read_weights(&kept, rules)?;
    // What was proved better than other weights may be worse than these.
    let finished = taken.exists() && read_weights(&taken, rules)? == now;
    if now != before && !finished {
        return Err(Failure::BadInput(format!(
            "error: {} began with other weights than {} is to begin with now; tune in a new folder",
            arguments.out.display(),
            config.name
        )));
    }
    Ok(before)
}

/// Weights that were tried, and what came of it.
struct Try {
    /// What part of the way from the old weights to the fitted ones they are.
    part: f64,
    weights: Weights,
    tally: Tally,
}

/// Makes a folder for a tuning, or says that it is one of something else.
fn make_own_folder(path: &Path) -> Result<(), Failure> {
    make_folder(path)?;
    match ["settings.json", "games.jsonl"].iter().find(|file| path.join(file).exists()) {
        None => Ok(()),
        Some(file) => Err(Failure::BadInput(format!(
            "error: {} is the folder of a comparison or a match: it has {file}; name another one",
            path.display()
        ))),
    }
}

fn make_folder(path: &Path) -> Result<(), Failure> {
    match std::fs::create_dir(path) {
        Err(_) if path.exists() && !path.is_dir() => {
            Err(Failure::BadInput(format!("error: {} is no folder; name another one", path.display())))
        }
        Err(error) if !path.is_dir() => Err(Failure::BadInput(format!(
            "error: {}: {error}; the folder above it must exist, and let you write",
            path.display()
        ))),
        _ => Ok(()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    write_whole(path, text.as_bytes()).map_err(|error| Failure::BadInput(format!("error: {error}")))
}

impl Tuning<'_> {
    /// The games of the weights before against themselves.
    fn games(&self) -> Result<Vec<Game>, Failure> {
        let Self { arguments, config, .. } = self;
        let settings = Settings {
            nodes: Some(arguments.nodes),
            time: None,
            seed: arguments.many.seed,
            openings: arguments.many.openings,
            longest: arguments.many.longest,
        };
        let played = Played {
            name: config.name.clone(),
            source: arguments.variant.clone(),
            rules: rules(config, &self.before),
        };
        let version = env!("CARGO_PKG_VERSION").into();
        let heading = Heading { version, settings, variants: vec![played] };
        let (folder, found) = Folder::open(&arguments.out.join("games"), &heading)?;
        if let Some(dropped) = found.dropped {
            complain(&format!("warning: {dropped}"));
        }
        let (mut folder, mut games) = (Some(folder), found.games);
        let run = Run {
            variants: &[(config.name.clone(), config.variant.clone())],
            settings,
            games: arguments.games,
            shard: Shard { part: 1, of: 1 },
            threads: threads(&arguments.many),
            player: &|_| {
                let player = Player::with_weights(&config.variant, self.before.clone());
                let mut player = player.expect("weights are checked when they are read");
                player.set_memory(MEMORY);
                player
            },
            sound: &|_| self.guard.violation().is_none(),
        };
        let bar = bar();
        let mut reached = Progress { done: 0, all: 0 };
        let done = alice_compare::run(&run, &mut folder, &mut games, &self.stop, &mut |progress| {
            show(&bar, reached.all == 0, progress);
            reached = progress;
        });
        bar.finish_and_clear();
        if let Err(error) = done {
            complain(&kept(reached.done, reached.all, Some(&arguments.out)));
            return Err(error.into());
        }
        self.sound()?;
        self.finished(reached)?;
        warn_of_doubles("games", &config.name, games.values().map(|game| &*game.moves));
        let wanted = |((_, number), _): &((usize, u64), Game)| *number < arguments.games;
        Ok(games.into_iter().filter(wanted).map(|(_, game)| game).collect())
    }

    /// The weights that fit them, which are kept.
    fn fit(&self, games: &[Game]) -> Result<Fit, Failure> {
        let variant = &self.config.variant;
        let samples = alice_tune::samples(variant, &self.before, games).map_err(|(n, error)| {
            let number = games.get(n).map_or(0, |game| game.number);
            let bad = BadGame { variant: self.config.name.clone(), number, error };
            told(&bad, [&*self.arguments.out.join("games")])
        })?;
        self.sound()?;
        let Some(fit) = alice_tune::fit(variant.rules(), &self.before, &samples) else {
            return Err(Failure::BadInput(format!(
                "error: {} can't tell how to weigh the men of {}; play more, with --games",
                crate::words::counted(games.len(), "game", "games"),
                self.config.name
            )));
        };
        write(&self.arguments.out.join("candidate.toml"), &fit.weights.text())?;
        Ok(fit)
    }

    fn sprt(&self) -> Sprt {
        Sprt::new(0.0, STRONGER, ODDS[0], ODDS[1]).expect("these are different strengths and possible odds")
    }

    /// New weights, the `n`th that are tried, against those before.
    fn contest(&self, candidate: &Weights, n: usize) -> Result<Tally, Failure> {
        let Self { arguments, config, .. } = self;
        // Other openings than those that were learnt from.
        let conditions = Conditions {
            seed: arguments.many.seed.wrapping_add(1),
            openings: arguments.many.openings,
            longest: arguments.many.longest,
        };
        let effort = Effort::Nodes(arguments.nodes);
        let entrant = |weights: &Weights| Entrant::Engine { weights: weights.clone(), effort };
        let entrants = [entrant(candidate), entrant(&self.before)];
        let field = Field {
            name: config.name.clone(),
            rules: rules(config, &self.before),
            weights: [candidate, &self.before].map(Weights::text),
        };
        let pairing = Pairing {
            version: env!("CARGO_PKG_VERSION").into(),
            entrants: entrants.each_ref().map(ToString::to_string),
            conditions,
            variants: vec![field],
        };
        let path = arguments.out.join(format!("match-{n}"));
        let (mut folder, found) = Folder::open(&path, &pairing).map_err(|error| match error {
            FolderError::Other { .. } => Failure::BadInput(format!(
                "error: {} is of weights that were fitted to other games, or by other options; remove the folders \
                 match-1 to match-3 to prove anew, or tune in a new folder",
                path.display()
            )),
            error => error.into(),
        })?;
        if let Some(dropped) = found.dropped {
            complain(&format!("warning: {dropped}"));
        }
        let mut bouts: BTreeMap<_, _> =
            found.games.into_iter().map(|((_, number), bout)| (number, bout)).collect();
        let contest = Contest {
            name: &config.name,
            variant: &config.variant,
            entrants,
            conditions,
            games: arguments.match_games,
            sprt: Some(self.sprt()),
            threads: threads(&arguments.many),
            memory: MEMORY,
            sound: &|| self.guard.violation().is_none(),
        };
        let bar = bar();
        let mut reached = Progress { done: 0, all: 0 };
        let done = contest.run(Some(&mut folder), &mut bouts, &self.stop, &mut |progress, tally| {
            show(&bar, reached.all == 0, progress);
            if let Some(score) = tally.score() {
                bar.set_message(format!("new against old {}", percent(&score)));
            }
            reached = progress;
        });
        bar.finish_and_clear();
        let tally = done.map_err(|error| {
            if matches!(error, ContestError::Folder(_)) {
                complain(&kept(reached.done, reached.all, Some(&arguments.out)));
            }
            contest_failure(error, Some(&path))
        })?;
        self.sound()?;
        self.finished(reached)?;
        let firsts = bouts.values().filter(|bout| bout.number.is_multiple_of(2));
        warn_of_doubles("pairs of games", &config.name, firsts.map(|bout| &*bout.moves));
        Ok(tally)
    }

    /// Where the new weights are to go. What is there already must be what this tuning began with, or has come to:
    /// nothing else has been shown to be weaker.
    fn unchanged_place(&self) -> Result<PathBuf, Failure> {
        let Self { arguments, config, .. } = self;
        let place = match (&arguments.weights, beside(&arguments.variant)) {
            (Some(file), _) => file.clone(),
            (None, Some(beside)) => beside,
            (None, None) => arguments.out.join("weights.toml"),
        };
        if place.is_symlink() && !place.exists() {
            return Err(Failure::BadInput(format!(
                "error: {} is a link to a file that is not there; name another file with --weights",
                place.display()
            )));
        }
        if place.exists() {
            let now = read_weights(&place, config.variant.rules())?;
            // What this tuning has come to earlier.
            let taken = arguments.out.join("taken.toml");
            let reached = taken.exists() && read_weights(&taken, config.variant.rules())? == now;
            if now != self.before && !reached {
                return Err(Failure::BadInput(format!(
                    "error: {} is not what this tuning began with, and is not replaced; tune it in a new folder, or \
                     name another file with --weights",
                    place.display()
                )));
            }
        }
        let folder = folder_of(&place);
        let above = match (folder.is_dir(), &arguments.weights) {
            (false, Some(_)) => {
                return Err(Failure::BadInput(format!(
                    "error: {}: there is no folder {}; make it, or name another file",
                    place.display(),
                    folder.display()
                )));
            }
            (true, _) => folder,
            (false, None) if folder.exists() => {
                return Err(Failure::BadInput(format!(
                    "error: {} is no folder, and better weights are to go there; move it away, or name another file \
                     with --weights",
                    folder.display()
                )));
            }
            // It is made when it is needed.
            (false, None) => folder.parent().unwrap_or(folder),
        };
        let locked = |path: &Path| std::fs::metadata(path).is_ok_and(|about| about.permissions().readonly());
        let shut = [place.as_path(), above].into_iter().find(|path| locked(path)).map(Path::to_path_buf);
        if let Some(path) = shut {
            return Err(Failure::BadInput(format!(
                "error: {} may not be written, and better weights are to go there; let it be written, or name another \
                 file with --weights",
                path.display()
            )));
        }
        Ok(place)
    }

    /// Puts new weights where those before were, or where they belong.
    fn replace(&self, proved: &Try) -> Result<PathBuf, Failure> {
        let Self { arguments, config, .. } = self;
        let place = self.unchanged_place()?;
        if arguments.weights.is_none() {
            make_folder(folder_of(&place))?;
        }
        let title = if config.about.title.is_empty() { &config.name } else { &config.about.title };
        let score = proved.tally.score().map_or(String::new(), |score| percent(&score));
        let text = format!(
            "# How the engine weighs men in {title}, in hundredths of a point (docs/tuning.md). Fitted by `alice tune`\n\
             # to {} games at {} positions a move, seed {}, {}; scored {score} in {} games\n\
             # against the weights before.\n\n{}",
            arguments.games,
            arguments.nodes,
            arguments.many.seed,
            way(proved.part),
            proved.tally.games(),
            proved.weights.text()
        );
        write(&arguments.out.join("taken.toml"), &text)?;
        write(&place, &text)?;
        Ok(place)
    }

    fn sound(&self) -> Result<(), Failure> {
        sound(&self.guard, &self.config.variant.start(), None)
    }

    /// Ends here if the run was interrupted.
    fn finished(&self, reached: Progress) -> Result<(), Failure> {
        if reached.done < reached.all {
            complain(&format!("interrupted: {}", kept(reached.done, reached.all, Some(&self.arguments.out))));
            std::process::exit(130);
        }
        Ok(())
    }

    fn tell(
        &self,
        fit: &Fit,
        tries: &[Try],
        report: &Report,
        failed: bool,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let last = tries.last().map_or(&self.before, |last| &last.weights);
        let shown = if report.replaced.is_some() { last } else { &fit.weights };
        writeln!(out, "{}", self.table(shown))?;
        let [old, new] = fit.surprise;
        writeln!(
            out,
            "Fitted to {} quiet positions of {} games. Surprise at the ends of others: {old:.4} bits before, {new:.4} now.",
            fit.samples, report.games
        )?;
        for Try { part, tally, .. } in tries {
            let score = tally.score().map_or(String::new(), |score| percent(&score));
            let (way, games) = (way(*part), tally.games());
            let verdict = match self.sprt().test(tally).verdict {
                Verdict::Accepted => "they are stronger",
                Verdict::Rejected => "they are not stronger",
                Verdict::Undecided => "not enough to be sure; more --match-games go on",
            };
            writeln!(
                out,
                "New weights, {way}, score {score} in {games} games against the old ones: {verdict}."
            )?;
        }
        let folder = &self.arguments.out;
        match &report.replaced {
            Some(place) => writeln!(out, "They are in {place} now.")?,
            None if failed => writeln!(out, "They are in {}.", folder.join("taken.toml").display())?,
            None if folder.join("taken.toml").exists() => writeln!(
                out,
                "No gain is proved by these. What was proved in this folder before is in {}.",
                folder.join("taken.toml").display()
            )?,
            None => writeln!(
                out,
                "No gain is proved, and nothing was replaced. The fitted weights are in {} all the same.",
                folder.join("candidate.toml").display()
            )?,
        }
        Ok(())
    }

    /// The weights before and now, man by man.
    fn table(&self, new: &Weights) -> Table {
        let rules = self.config.variant.rules();
        let [before, now] = [&self.before, new].map(|weights| weights.numbers(rules));
        let names = Weights::names(rules);
        let mut rows: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut columns: Vec<&str> = Vec::new();
        let mut order: Vec<&str> = Vec::new();
        for (name, (before, now)) in names.iter().zip(before.iter().zip(&now)) {
            let Some((weight, man)) = name.split_once(" of the ") else { continue };
            if !columns.contains(&weight) {
                columns.push(weight);
            }
            if !order.contains(&man) {
                order.push(man);
            }
            let same = before == now;
            let cell = if same { format!("{now}") } else { format!("{before} → {now}") };
            rows.entry(man).or_default().push(cell);
        }
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(std::iter::once("").chain(columns));
        for man in order {
            let cells = rows.remove(man).unwrap_or_default();
            table.add_row(std::iter::once(man.to_string()).chain(cells));
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }
}

fn percent(score: &Estimate) -> String {
    let [value, low, high] = [score.value, score.low, score.high].map(|part| 100.0 * part);
    format!("{value:.1} % ({low:.1} to {high:.1})")
}

/// A part of the way in words.
fn way(part: f64) -> String {
    if part == 1.0 { "the whole way".into() } else { format!("{} % of the way", 100.0 * part) }
}

/// What came of a tuning.
#[derive(Serialize)]
struct Report {
    games: usize,
    samples: usize,
    /// Bits, before and now.
    surprise: [f64; 2],
    /// All weights that were tried, until some were better.
    tries: Vec<Tried>,
    /// The file that holds the new weights, if they are better.
    replaced: Option<String>,
    /// The weights that were fitted.
    fitted: Weights,
}

/// Weights that were tried.
#[derive(Serialize)]
struct Tried {
    /// What part of the way from the old weights to the fitted ones.
    part: f64,
    games: u64,
    score: Option<Estimate>,
    elo: Option<Estimate>,
    weights: Weights,
}

impl Report {
    fn new(fit: &Fit, games: usize, tries: &[Try], place: Option<PathBuf>) -> Self {
        let tried = |one: &Try| Tried {
            part: one.part,
            games: one.tally.games(),
            score: one.tally.score(),
            elo: one.tally.elo(),
            weights: one.weights.clone(),
        };
        Self {
            games,
            samples: fit.samples,
            surprise: fit.surprise,
            tries: tries.iter().map(tried).collect(),
            replaced: place.map(|place| place.display().to_string()),
            fitted: fit.weights.clone(),
        }
    }
}
