//! Solving chess problems, with progress for the impatient and a way to stop.
//!
//! Must not know how problems are solved.

use crate::arguments;
use crate::code::{Code, sound};
use crate::failure::{Failure, colour, complain};
use crate::game::load;
use crate::reports::print_json;
use alice_config::render_faults;
use alice_core::{Fault, Variant};
use alice_problems::{
    Entry, Options, Problem, Report, Solution, Stipulation, Watch, castling_at_home, read_popeye,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How long a problem may take before progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// Long problems need more than a thread's usual stack.
const STACK: usize = 64 << 20;

#[derive(Serialize)]
struct Solved {
    variant: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    heading: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    twin: String,
    #[serde(flatten)]
    report: Report,
    moves_made: u64,
    seconds: f64,
}

/// What a stop from the keyboard has to reach.
#[derive(Default)]
struct Interrupt {
    /// When it was asked for first.
    since: OnceLock<Instant>,
    watch: Mutex<Arc<Watch>>,
}

/// A second stop so soon is the first one once more, sent to the program and to its group.
const ONCE: Duration = Duration::from_millis(300);

impl Interrupt {
    fn pressed(&self) -> bool {
        self.since.get().is_some()
    }

    fn press(&self) {
        let now = Instant::now();
        if *self.since.get_or_init(|| now) + ONCE < now {
            complain("interrupted");
            std::process::exit(130);
        }
        self.watch().stop();
    }

    fn watch(&self) -> Arc<Watch> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// `alice solve`.
pub fn solve(arguments: &arguments::Solve, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    let (config, guard) = load(&arguments.variant, code)?;
    let read = match &arguments.popeye {
        Some(file) => from_file(file, &config.variant),
        None => from_arguments(arguments, &config.variant).map(|entry| vec![entry]),
    };
    let start = config.variant.start();
    sound(&guard, &start, None)?;
    let entries = read?;
    let interrupt = Arc::new(Interrupt::default());
    let pressed = interrupt.clone();
    ctrlc::set_handler(move || pressed.press()).map_err(|e| Failure::Internal(e.to_string()))?;
    let mut solved = Vec::new();
    for entry in &entries {
        if interrupt.pressed() {
            break;
        }
        let options = Options {
            tries: arguments.tries || entry.tries,
            set_play: arguments.set || entry.set_play,
            variations: !arguments.keys_only && entry.variations,
            threads: arguments
                .threads
                .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)),
            most: arguments.max_solutions as usize,
        };
        let began = Instant::now();
        let until = arguments.max_time.map(|seconds| began + Duration::from_secs_f64(seconds));
        let watch = Arc::new(Watch::new(until));
        *interrupt.watch.lock().unwrap_or_else(PoisonError::into_inner) = watch.clone();
        if interrupt.pressed() {
            watch.stop();
        }
        let solution = watched(&entry.problem, &options, &watch, began)?;
        sound(&guard, entry.problem.position(), None)?;
        let took = began.elapsed();
        if std::io::stderr().is_terminal() {
            complain(&format!("{} moves made in {:.3} s", watch.nodes(), took.as_secs_f64()));
        }
        if arguments.report.json {
            solved.push(Solved {
                variant: config.name.clone(),
                heading: entry.heading.clone(),
                twin: entry.twin.join(" ").trim().into(),
                report: solution.report(&entry.problem),
                moves_made: watch.nodes(),
                seconds: took.as_secs_f64(),
            });
        } else {
            write_entry(entry, &solution, entries.len() > 1, out)?;
        }
    }
    if arguments.report.json {
        match arguments.popeye {
            Some(_) => print_json(out, &solved)?,
            None => solved.iter().try_for_each(|one| print_json(out, one))?,
        }
    }
    if interrupt.pressed() {
        out.flush()?;
        complain("interrupted");
        std::process::exit(130);
    }
    Ok(())
}

fn write_entry(
    entry: &Entry,
    solution: &Solution,
    several: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let [letter, note] = &entry.twin;
    if letter.is_empty() || letter == "a" {
        for line in &entry.heading {
            writeln!(out, "{line}")?;
        }
    }
    if several {
        let twin = if letter.is_empty() { String::new() } else { format!("{letter}) ") };
        let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
        writeln!(out, "{twin}{}{note}\n", entry.problem.stipulation())?;
    }
    write!(out, "{}", solution.text(&entry.problem))?;
    if several {
        writeln!(out)?;
    }
    Ok(())
}

/// Solves on other threads, and shows how it gets on.
fn watched(
    problem: &Problem,
    options: &Options,
    watch: &Arc<Watch>,
    began: Instant,
) -> Result<Solution, Failure> {
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        let solver = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || {
                let _ = send.send(alice_problems::solve(problem, options, watch));
                drop(send);
            })
            .map_err(|e| Failure::Internal(format!("no thread can be started: {e}")))?;
        let mut bar = None;
        let solution = loop {
            match receive.recv_timeout(Duration::from_millis(100)) {
                Ok(solution) => break Some(solution),
                Err(mpsc::RecvTimeoutError::Timeout) if solver.is_finished() => break None,
                Err(mpsc::RecvTimeoutError::Timeout) => show(&mut bar, problem, watch, began),
                Err(mpsc::RecvTimeoutError::Disconnected) => break None,
            }
        };
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        // What panicked there is told as if it had here.
        if let Err(panic) = solver.join() {
            std::panic::resume_unwind(panic);
        }
        solution.ok_or_else(|| Failure::Internal("a solver ended without a solution".into()))
    })
}

fn show(bar: &mut Option<ProgressBar>, problem: &Problem, watch: &Watch, began: Instant) {
    if began.elapsed() < PATIENCE || !std::io::stderr().is_terminal() {
        return;
    }
    let (done, all) = watch.shares();
    let bar = bar.get_or_insert_with(|| {
        let template = "{prefix} {bar:30} {pos} of {len} shares, {msg} moves, {elapsed}";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(all).with_style(style).with_elapsed(began.elapsed());
        bar.with_prefix(problem.stipulation().to_string())
    });
    bar.set_length(all);
    bar.set_position(done);
    bar.set_message(watch.nodes().to_string());
}

/// The bytes of one field of a position's text.
fn field(text: &str, n: usize) -> Range<usize> {
    match text.split_whitespace().nth(n) {
        Some(word) => {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            start..start + word.len()
        }
        None => text.len()..text.len(),
    }
}

fn from_arguments(arguments: &arguments::Solve, variant: &Variant) -> Result<Entry, Failure> {
    let text = arguments.stipulation.as_deref().unwrap_or_default();
    let fen = arguments.fen.as_deref().unwrap_or_default();
    let stipulation =
        Stipulation::read(text).map_err(|fault| render_faults("STIPULATION", text, &[fault], colour()));
    let setup = variant.read_setup(fen).map_err(|error| render_faults("--fen", fen, &error.faults, colour()));
    let (stipulation, mut setup) = match (stipulation, setup) {
        (Ok(stipulation), Ok(setup)) => (stipulation, setup),
        (stipulation, setup) => {
            let faults: Vec<String> = [stipulation.err(), setup.err()].into_iter().flatten().collect();
            return Err(Failure::BadInput(faults.join("\n\n")));
        }
    };
    if field(fen, 2).is_empty() {
        setup.castling = castling_at_home(variant.rules(), &setup);
    }
    if arguments.no_castling {
        setup.castling = 0;
    }
    let problem = Problem::new(variant, setup, stipulation).map_err(|error| {
        let placed = |fault: Fault| Fault { at: field(fen, fault.at.start), ..fault };
        let faults: Vec<Fault> = error.faults.into_iter().map(placed).collect();
        Failure::BadInput(render_faults("--fen", fen, &faults, colour()))
    })?;
    Ok(Entry {
        heading: Vec::new(),
        twin: Default::default(),
        problem,
        tries: false,
        set_play: false,
        variations: true,
    })
}

fn from_file(path: &Path, variant: &Variant) -> Result<Vec<Entry>, Failure> {
    let name = path.display().to_string();
    let bad = |problem: String| Failure::BadInput(format!("error: {name}: {problem}"));
    const LARGEST: u64 = 10 << 20;
    let size = std::fs::metadata(path).map_err(|e| bad(format!("the file can't be read: {e}")))?.len();
    if size > LARGEST {
        return Err(bad(format!(
            "{size} bytes are more than a file of problems may have; cut it into several"
        )));
    }
    let bytes = std::fs::read(path).map_err(|e| bad(format!("the file can't be read: {e}")))?;
    // Names may be in whatever encoding; all that counts is ASCII.
    let text =
        String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().iter().map(|b| char::from(*b)).collect());
    read_popeye(variant, &text)
        .map_err(|faults| Failure::BadInput(render_faults(&name, &text, &faults, colour())))
}
