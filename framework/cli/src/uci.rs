//! The UCI protocol: how chess interfaces drive the engine, line by line.
//!
//! The main thread reads and answers; a search runs on a thread of its own, so that `stop`, `isready`
//! and `ponderhit` are heard. What can't be done is told in an `info string`. docs/uci.md says what
//! goes beyond the protocol. Must not know how a search is done.

use crate::arguments;
use crate::bench;
use crate::code::Code;
use crate::drawing::Look;
use crate::failure::Failure;
use crate::game::{Game, play_all};
use crate::reports::picture;
use alice_core::{Colour, Language, Move, Position, Record};
use alice_play::{Limits, Player, Report, Stop, Value};
use alice_score::{looks_like_one_grid, read_one_grid, write_one_grid};
use std::io::{BufRead, Read, Write};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longer lines are cut; a game of a thousand moves needs a tenth of it.
const LONGEST: u64 = 1 << 20;
/// Sequences of more moves are not counted: nobody could wait for it, and each move takes some stack.
const MOST_COUNTED: u32 = 99;
const COMMANDS: [&str; 13] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "bench",
];

/// Prints lines whole, whichever thread they come from. If nobody reads them any more, that shows when
/// there is nothing more to read either.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

fn complain(text: &str) {
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        say(&format!("info string {}", line.trim_end()));
    }
}

/// The command of a line and what follows it; unknown words before it are skipped.
fn command(line: &str) -> Option<(&str, &str)> {
    let mut left = line.trim();
    while !left.is_empty() {
        let (word, rest) = left.split_once(char::is_whitespace).unwrap_or((left, ""));
        left = rest.trim_start();
        if COMMANDS.contains(&word) {
            return Some((word, left));
        }
    }
    None
}

/// `alice uci`.
pub fn uci(arguments: &arguments::Uci, code: &Code) -> Result<(), Failure> {
    let game = Game::new(&arguments.variant, &arguments::From::default(), code)?;
    let mut session = Session {
        code,
        player: None,
        first: arguments.variant.clone(),
        game,
        weights: None,
        options: Options {
            hash: 64,
            threads: 1,
            lines: 1,
            overhead: 30,
            passes: true,
            grid: false,
            exact: false,
        },
        search: None,
    };
    let lines = listen();
    loop {
        let wait = session.search.as_ref().and_then(|search| search.until);
        let line = match wait.map(|until| until.saturating_duration_since(Instant::now())) {
            Some(left) => lines.recv_timeout(left),
            None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match line {
            Ok(line) => match command(&line) {
                Some(("quit", _)) => {
                    session.stop();
                    return session.finish();
                }
                Some((word, rest)) => session.obey(word, rest)?,
                None if line.is_empty() => {}
                None => complain(&format!("there is no command in {line:?}")),
            },
            Err(RecvTimeoutError::Timeout) => session.stop(),
            Err(RecvTimeoutError::Disconnected) => {
                // Nobody is left to end a search that does not end by itself.
                if session.search.as_ref().is_some_and(|search| search.endless) {
                    session.stop();
                }
                return session.finish();
            }
        }
    }
}

/// The lines of the standard input, as they come.
fn listen() -> Receiver<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let mut line = Vec::new();
            match Read::by_ref(&mut input).take(LONGEST).read_until(b'\n', &mut line) {
                Ok(1..) => {}
                _ => return,
            }
            if send.send(String::from_utf8_lossy(&line).trim().to_string()).is_err() {
                return;
            }
        }
    });
    receive
}

#[derive(Clone, Copy)]
struct Options {
    hash: u32,
    threads: usize,
    lines: usize,
    /// How much of each move's time gets lost on the way, in milliseconds.
    overhead: u64,
    /// Whether moves may be left out for what would follow if a side passed.
    passes: bool,
    grid: bool,
    exact: bool,
}

/// A search that goes on.
struct Running {
    /// Gives the player back, if it has one: a count needs none.
    thread: JoinHandle<Option<Player>>,
    stop: Stop,
    /// When it has to end, where it does not watch the clock itself.
    until: Option<Instant>,
    /// How long it may go on once the other side has made the move that was expected.
    allowed: Option<Duration>,
    endless: bool,
}

struct Session<'a> {
    code: &'a Code,
    game: Game,
    /// The variant that the command was started with.
    first: String,
    /// None while it is searching, or if the variant is new.
    player: Option<Player>,
    /// The file of the weights, if not those of the variant.
    weights: Option<PathBuf>,
    options: Options,
    search: Option<Running>,
}

impl Session<'_> {
    /// Does what one of the [`COMMANDS`] says.
    fn obey(&mut self, word: &str, rest: &str) -> Result<(), Failure> {
        match word {
            "debug" | "register" => {}
            "uci" => self.introduce(),
            "isready" => {
                // What takes time is done before a clock runs.
                if self.search.is_none() {
                    self.player = self.take_player();
                }
                say("readyok");
            }
            "stop" => {
                self.stop();
                self.finish()?;
            }
            "ponderhit" => self.ponder_hit(),
            _ => {
                // Whatever else is asked is asked of a program that is not searching.
                if self.search.as_ref().is_some_and(|search| search.endless) {
                    self.stop();
                }
                self.finish()?;
                match word {
                    "setoption" => self.set(rest),
                    "ucinewgame" => {
                        if let Some(player) = &mut self.player {
                            player.forget();
                        }
                    }
                    "position" => self.place(rest),
                    "go" => self.go(rest)?,
                    "d" => self.show(),
                    _ => self.bench()?,
                }
            }
        }
        Ok(())
    }

    fn introduce(&self) {
        say(&format!("id name Alice {}", env!("CARGO_PKG_VERSION")));
        say("id author the authors of Alice Chess");
        say("option name Hash type spin default 64 min 1 max 65536");
        say("option name Threads type spin default 1 min 1 max 256");
        say("option name MultiPV type spin default 1 min 1 max 500");
        say("option name Ponder type check default false");
        say("option name Move Overhead type spin default 30 min 0 max 5000");
        let games: Vec<_> = alice_config::builtin_names().iter().map(|name| format!("var {name}")).collect();
        say(&format!("option name UCI_Variant type combo default {} {}", self.first, games.join(" ")));
        say("option name VariantPath type string default <empty>");
        say("option name WeightsFile type string default <empty>");
        say("option name Passes type check default true");
        say("option name ExactMoves type check default false");
        say("option name OneGrid type check default false");
        say("option name Clear Hash type button");
        say("uciok");
    }

    /// Ends a search soon; it still tells its move.
    fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            search.stop.raise();
            search.until = None;
        }
    }

    /// Waits for a search to end.
    fn finish(&mut self) -> Result<(), Failure> {
        if let Some(search) = self.search.take() {
            while search.until.is_some_and(|until| Instant::now() < until) && !search.thread.is_finished() {
                std::thread::sleep(Duration::from_millis(1));
            }
            if search.until.is_some() {
                search.stop.raise();
            }
            let player = search.thread.join().map_err(|_| Failure::Internal("a search has failed".into()))?;
            if player.is_some() {
                self.player = player;
            }
        }
        Ok(())
    }

    fn ponder_hit(&mut self) {
        if let Some(search) = &mut self.search {
            search.until = search.allowed.map(|allowed| Instant::now() + allowed);
            search.endless &= search.until.is_none();
        }
    }

    fn set(&mut self, text: &str) {
        let text = text.strip_prefix("name ").unwrap_or(text);
        let (name, value) = match text.split_once(" value ") {
            Some((name, value)) => (name.trim(), value.trim()),
            None => (text.strip_suffix(" value").unwrap_or(text).trim(), ""),
        };
        let check = |set: &mut bool| match value {
            "true" => *set = true,
            "false" => *set = false,
            _ => complain(&format!("{name} is true or false, not {value:?}")),
        };
        let unset = ["", "<empty>"].contains(&value);
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let before = self.options.hash;
                spin(name, value, 1, 65_536, &mut self.options.hash);
                if self.options.hash != before {
                    // A new player is made when it is needed, so that there is never memory for two tables.
                    self.player = None;
                }
            }
            "threads" => spin(name, value, 1, 256, &mut self.options.threads),
            "multipv" => spin(name, value, 1, 500, &mut self.options.lines),
            "move overhead" => spin(name, value, 0, 5_000, &mut self.options.overhead),
            "ponder" => check(&mut false),
            "passes" => check(&mut self.options.passes),
            "exactmoves" => check(&mut self.options.exact),
            "onegrid" => check(&mut self.options.grid),
            "variantpath" if unset => {}
            "uci_variant" | "variantpath" => match Game::new(value, &arguments::From::default(), self.code) {
                Ok(game) => {
                    self.game = game;
                    self.player = None;
                    self.weights = None;
                }
                Err(failure) => refused(failure),
            },
            "weightsfile" => {
                let file = Some(PathBuf::from(value)).filter(|_| !unset);
                match self.game.player(file.as_deref()) {
                    Ok(_) => (self.player, self.weights) = (None, file),
                    Err(failure) => refused(failure),
                }
            }
            "clear hash" => {
                if let Some(player) = &mut self.player {
                    player.forget();
                }
            }
            _ => complain(&format!("there is no option {name:?}")),
        }
        match name.to_ascii_lowercase().as_str() {
            "threads" => {
                if let Some(player) = &mut self.player {
                    player.set_threads(self.options.threads);
                }
            }
            "passes" => {
                if let Some(player) = &mut self.player {
                    player.set_passes(self.options.passes);
                }
            }
            _ => {}
        }
    }

    fn place(&mut self, text: &str) {
        let (start, moves) = match text.split_once("moves") {
            Some((start, moves)) => (start.trim(), moves),
            None => (text, ""),
        };
        let variant = &self.game.config.variant;
        let position = match start.split_once(char::is_whitespace) {
            None if start == "startpos" => Ok(variant.start()),
            Some(("fen", text)) => {
                let text = text.trim();
                match looks_like_one_grid(variant.rules(), text) {
                    true => read_one_grid(variant, text).map_err(|error| error.to_string()),
                    false => variant.read_position(text).map_err(|error| error.to_string()),
                }
            }
            _ => return complain("write position startpos, or position fen and a position"),
        };
        let position = match position {
            Ok(position) => position,
            Err(error) => return complain(&format!("this is no position: {error}")),
        };
        let mut record = Record::new(position);
        match play_all(&mut record, moves, Language::default()) {
            Ok(()) => self.game.record = record,
            Err(fault) => complain(&format!("{}; {}", fault.problem, fault.advice)),
        }
    }

    fn show(&self) {
        let picture = picture(&self.game.record, Look::of_output(true));
        say(picture.trim_end());
        let position = self.game.position();
        let grid = if self.options.grid { write_one_grid(position).ok() } else { None };
        say(&format!("Fen: {}", grid.unwrap_or_else(|| position.to_string())));
    }

    fn bench(&mut self) -> Result<(), Failure> {
        let one = bench::measure(&self.game, Duration::from_millis(1_500))?;
        say(&format!("perft: {} sequences of {} moves", one.perft_nodes, one.perft_depth));
        say(&format!("perft nodes/second: {:.0}", one.perft_per_second));
        say(&format!("Nodes searched: {}", one.search_nodes));
        say(&format!("Nodes/second: {:.0}", one.search_per_second));
        Ok(())
    }

    fn go(&mut self, text: &str) -> Result<(), Failure> {
        let position = self.game.position();
        let asked = match Asked::read(text, position) {
            Ok(asked) => asked,
            Err(problem) => {
                complain(&problem);
                say("bestmove 0000");
                return Ok(());
            }
        };
        if let Some(depth) = asked.perft {
            return self.perft(depth);
        }
        let spend = asked.clocks.spend(position.turn(), self.options.overhead);
        let endless = asked.infinite || asked.ponder;
        let stop = Stop::new();
        let limits = Limits {
            depth: asked.depth,
            nodes: asked.nodes,
            time: spend.map(|(_, most)| most).filter(|_| !asked.ponder),
            enough: spend.map(|(enough, _)| enough).filter(|_| !asked.ponder),
            lines: self.options.lines,
            only: asked.only,
            stop: stop.clone(),
            endless,
        };
        let options = self.options;
        let Some(mut player) = self.take_player() else {
            say("bestmove 0000");
            return Ok(());
        };
        let game = self.game.clone();
        let search = move || {
            let position = game.position();
            let report = player.think(&game.record, &limits, &mut |report| tell(report, position, options));
            if let Err(failure) = game.sound() {
                refused(failure);
                say("bestmove 0000");
                return Some(player);
            }
            tell(&report, position, options);
            let best = report.best().map_or("0000".into(), |mv| text_of(&mv, position, options));
            let expected = report.best().zip(report.expected()).map(|(best, expected)| {
                format!(" ponder {}", text_of(&expected, &position.after(&best), options))
            });
            say(&format!("bestmove {best}{}", expected.unwrap_or_default()));
            Some(player)
        };
        let thread = std::thread::Builder::new().spawn(search);
        let thread = thread.map_err(|e| Failure::Internal(format!("no thread can be started: {e}")))?;
        let allowed = spend.map(|(enough, _)| enough);
        self.search = Some(Running { thread, stop, until: None, allowed, endless });
        Ok(())
    }

    /// The player, to be given to a search; none if its weights can't be read, which is told.
    fn take_player(&mut self) -> Option<Player> {
        if let Some(player) = self.player.take() {
            return Some(player);
        }
        match self.game.player(self.weights.as_deref()) {
            Ok(mut player) => {
                player.set_threads(self.options.threads);
                player.set_passes(self.options.passes);
                player.set_memory((self.options.hash as usize) << 20);
                Some(player)
            }
            Err(failure) => {
                refused(failure);
                None
            }
        }
    }

    /// Counts sequences of moves, move by move.
    fn perft(&mut self, depth: u32) -> Result<(), Failure> {
        let stop = Stop::new();
        let (game, options, flag) = (self.game.clone(), self.options, stop.clone());
        let work = move || {
            let position = game.position();
            let mut all = 0_u64;
            let moves = if depth == 0 { Vec::new() } else { position.legal_moves() };
            for mv in moves {
                let Some(sequences) = count(&position.after(&mv), depth - 1, &flag) else {
                    complain("the count was ended before it was done");
                    return None;
                };
                all = all.saturating_add(sequences);
                say(&format!("{}: {sequences}", text_of(&mv, position, options)));
            }
            match game.sound() {
                Ok(()) if depth == 0 => say("Nodes searched: 1"),
                Ok(()) => say(&format!("\nNodes searched: {all}")),
                Err(failure) => refused(failure),
            }
            None
        };
        let thread = std::thread::Builder::new().spawn(work);
        let thread = thread.map_err(|e| Failure::Internal(format!("no thread can be started: {e}")))?;
        self.search = Some(Running { thread, stop, until: None, allowed: None, endless: false });
        Ok(())
    }
}

/// How many sequences of `depth` moves there are; none if it was stopped.
fn count(position: &Position, depth: u32, stop: &Stop) -> Option<u64> {
    if stop.is_raised() {
        return None;
    }
    // So few moves take no time, even where there are hundreds of each.
    if depth <= 2 {
        return Some(position.perft(depth));
    }
    let mut all = 0_u64;
    for mv in position.legal_moves() {
        all = all.saturating_add(count(&position.after(&mv), depth - 1, stop)?);
    }
    Some(all)
}

fn refused(failure: Failure) {
    match failure {
        Failure::BadInput(message) | Failure::Internal(message) => complain(&message),
        Failure::Output(error) => complain(&error.to_string()),
        Failure::Reported => {}
    }
}

fn spin<N: FromStr + TryFrom<u64>>(name: &str, value: &str, least: u64, most: u64, set: &mut N) {
    let number = value.parse::<u64>().ok().filter(|n| (least..=most).contains(n));
    match number.and_then(|n| N::try_from(n).ok()) {
        Some(number) => *set = number,
        None => complain(&format!("{name} is a number from {least} to {most}, not {value:?}")),
    }
}

/// A move in short form where only it is called so, else in exact form.
fn text_of(mv: &Move, position: &Position, options: Options) -> String {
    let rules = position.rules();
    let short = mv.short(rules);
    let alone = || position.legal_moves().iter().filter(|other| other.short(rules) == short).count() == 1;
    if !options.exact && alone() { short } else { mv.exact(rules) }
}

fn tell(report: &Report, position: &Position, options: Options) {
    let time = report.time.as_millis();
    let speed = report.nodes as f64 / report.time.as_secs_f64().max(1e-6);
    for (n, line) in report.lines.iter().enumerate() {
        let mut at = position.clone();
        let moves = line.moves.iter().map(|mv| {
            let text = text_of(mv, &at, options);
            at.play(mv);
            text
        });
        let moves: Vec<String> = moves.collect();
        say(&format!(
            "info depth {} seldepth {} multipv {} score {} nodes {} nps {speed:.0} hashfull {} time {time} pv {}",
            report.depth,
            report.deepest,
            n + 1,
            score(line.value),
            report.nodes,
            report.table,
            moves.join(" ")
        ));
    }
}

fn score(value: Value) -> String {
    match (value.wins_in(), value.loses_in()) {
        (Some(plies), _) => format!("mate {}", plies.div_ceil(2)),
        (_, Some(plies)) => format!("mate -{}", plies.div_ceil(2)),
        _ => format!("cp {}", value.points().unwrap_or_default()),
    }
}

/// What the clocks of a game say, in milliseconds.
#[derive(Default)]
struct Clocks {
    left: [Option<u64>; 2],
    increment: [u64; 2],
    moves_to_go: Option<u64>,
    move_time: Option<u64>,
}

impl Clocks {
    /// After how much time it is enough, and how much may be spent at most.
    fn spend(&self, side: Colour, overhead: u64) -> Option<(Duration, Duration)> {
        if let Some(time) = self.move_time {
            let time = Duration::from_millis(time.saturating_sub(overhead.min(time / 10)).max(1));
            return Some((time, time));
        }
        let left = self.left[side.index()]?.saturating_sub(overhead);
        let moves = self.moves_to_go.unwrap_or(30).clamp(1, 40);
        let share = (left / (moves + 1)).saturating_add(self.increment[side.index()].saturating_mul(3) / 4);
        let most = share.saturating_mul(4).min(left / 3).max(1);
        Some((Duration::from_millis((share / 2).min(most)), Duration::from_millis(most)))
    }
}

/// A whole number; the largest, or the least, where it is beyond all that are told apart.
fn whole(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let beyond = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(beyond))
}

/// What a `go` asks for.
#[derive(Default)]
struct Asked {
    clocks: Clocks,
    depth: Option<u32>,
    nodes: Option<u64>,
    perft: Option<u32>,
    only: Vec<Move>,
    infinite: bool,
    ponder: bool,
}

const WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

impl Asked {
    fn read(text: &str, position: &Position) -> Result<Self, String> {
        let mut asked = Self::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => asked.infinite = true,
                "ponder" => asked.ponder = true,
                "searchmoves" => {
                    while let Some(text) = words.next_if(|word| !WORDS.contains(word)) {
                        asked.only.push(position.read_move(text).map_err(|e| e.to_string())?);
                    }
                }
                _ if WORDS.contains(&word) => {
                    let value = words.next().unwrap_or_default();
                    let whole =
                        whole(value).ok_or_else(|| format!("{word} needs a number, not {value:?}"))?;
                    // Interfaces send negative times when a clock has run out.
                    let number = whole.max(0).unsigned_abs();
                    let small = u32::try_from(number).unwrap_or(u32::MAX);
                    match word {
                        "wtime" => asked.clocks.left[0] = Some(number),
                        "btime" => asked.clocks.left[1] = Some(number),
                        "winc" => asked.clocks.increment[0] = number,
                        "binc" => asked.clocks.increment[1] = number,
                        "movestogo" => asked.clocks.moves_to_go = Some(number),
                        "movetime" => asked.clocks.move_time = Some(number),
                        "depth" => asked.depth = Some(small.max(1)),
                        "mate" => asked.depth = Some(small.saturating_mul(2).max(1)),
                        "nodes" => asked.nodes = Some(number.max(1)),
                        _ if (0..=i64::from(MOST_COUNTED)).contains(&whole) => asked.perft = Some(small),
                        _ => {
                            return Err(format!("perft counts from 0 to {MOST_COUNTED} moves, not {value}"));
                        }
                    }
                }
                other => return Err(format!("go does not know {other:?}")),
            }
        }
        // Without any limit, it is `stop` that ends it.
        let clocks = asked.clocks.spend(position.turn(), 0).is_some();
        asked.infinite |= !clocks && asked.depth.is_none() && asked.nodes.is_none();
        Ok(asked)
    }
}
