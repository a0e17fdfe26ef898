//! The command's arguments. Must not know what the commands do.

use crate::code::CodeArguments;
use alice_compare::{Effort, Sprt};
use alice_play::Manner;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint, value_parser};
use std::path::PathBuf;

/// Plays, inspects and counts games of the Alice chess family: a man moves on its own board, then goes
/// through the looking-glass to another.
#[derive(Debug, Parser)]
#[command(name = "alice", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "A VARIANT is a built-in name (see `alice list`) or the path of a TOML file.\n\
    A MOVE is e2e4, or exactly e2Ae4B: from e2 on board A to e4, landing on board B.\n\
    Algebraic notation is read too: Nf3, d4/A, O-O.\n\
    Exit codes: 0 fine, 1 internal failure, 2 bad input, 130 interrupted.")]
pub struct Arguments {
    /// When to use colours.
    #[arg(long, alias = "colour", value_enum, default_value_t, global = true, value_name = "WHEN")]
    pub color: ColourWhen,
    #[command(flatten)]
    pub code: CodeArguments,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum ColourWhen {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Also in pipes and files.
    Always,
    /// Not at all.
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the built-in games.
    List(List),
    /// Check config files: `ok`, or every error with its place.
    Check(Check),
    /// Print a commented config to edit.
    New(New),
    /// Show the boards.
    Show(Show),
    /// List all legal moves in exact or algebraic notation, sorted.
    Moves(Moves),
    /// Count the sequences of legal moves of each length up to DEPTH.
    Perft(Perft),
    /// Say whether a move is legal, and which rule says so.
    Explain(Explain),
    /// List the games of a PGN file, show one, or step through it.
    Replay(Replay),
    /// Turn games and positions from one kind of text into another.
    Convert(Convert),
    /// Solve a chess problem: #2, s#3, h#2.5, ser-h#4, pg 10.5.
    Solve(Solve),
    /// Draw the boards as a picture, SVG or PNG.
    Diagram(Diagram),
    /// Play in the terminal: two people, or against the program.
    Play(Play),
    /// Compare variants by games of the program against itself.
    Compare(Compare),
    /// Join the parts of a comparison.
    Merge(Merge),
    /// Let two players meet, and say how much stronger the first is.
    Match(Match),
    /// Learn from games how to weigh the men of a variant, and prove it.
    Tune(Tune),
    /// Search for the best moves.
    Analyze(Analyze),
    /// Speak the UCI protocol on standard input and output, for chess interfaces.
    Uci(Uci),
    /// Measure how fast moves are counted and positions searched, game by game.
    Bench(Bench),
    /// Look at plug-ins, and say which you trust.
    #[command(subcommand)]
    Plugin(PluginCommand),
    /// Print a completion script for a shell.
    Completions(Completions),
}

/// What to do with plug-ins.
#[derive(Debug, Subcommand)]
pub enum PluginCommand {
    /// List the plug-ins that you trust.
    List {
        #[command(flatten)]
        report: Report,
    },
    /// Say what a library is, without running it.
    Info {
        /// A library.
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        #[command(flatten)]
        report: Report,
    },
    /// Test whether a plug-in keeps the laws, each in a process of its own.
    Check {
        /// A library that you trust, or name with --trust-this-session.
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// How many seconds each law gets.
        #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = value_parser!(u64).range(1..=3600))]
        limit: u64,
        /// A parameter that a rule needs; may be given several times.
        #[arg(long, value_name = "RULE:name=value")]
        params: Vec<String>,
        #[command(flatten)]
        report: Report,
    },
    /// Show what a library is, ask, and put it on the list of those you trust.
    Trust {
        /// A library.
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// Do not ask.
        #[arg(long)]
        yes: bool,
    },
    /// Take plug-ins off the list.
    Untrust {
        /// The id, or the SHA-256 or eight letters at least of its beginning.
        #[arg(value_name = "ID|SHA-256")]
        which: String,
    },
    /// Write a plug-in to begin with into a new folder.
    New {
        /// Its id, and the folder's name.
        name: String,
        /// The language.
        #[arg(long, value_enum, default_value_t)]
        lang: Language,
    },
    /// What `check` does in each of its processes.
    #[command(hide = true)]
    Law {
        file: PathBuf,
        law: String,
        #[arg(long)]
        params: Vec<String>,
    },
}

/// What a plug-in is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Rust: a crate.
    #[default]
    Rust,
    /// C: a file and a Makefile.
    C,
}

/// How a report is printed.
#[derive(Args, Clone, Copy, Debug)]
pub struct Report {
    /// Print JSON, for programs.
    #[arg(long)]
    pub json: bool,
}

/// Which game, and where in it.
#[derive(Args, Debug)]
pub struct Place {
    /// A built-in name or the path of a TOML file.
    #[arg(value_hint = ValueHint::AnyPath)]
    pub variant: String,
    #[command(flatten)]
    pub from: From,
}

/// Where in a game.
#[derive(Args, Debug, Default)]
pub struct From {
    /// Begin with this position instead of the game's own.
    #[arg(long, value_name = "POSITION")]
    pub fen: Option<String>,
    /// Make these moves first, with spaces between.
    #[arg(long, value_name = "MOVE …")]
    pub moves: Option<String>,
    #[command(flatten)]
    pub letters: Letters,
}

/// By which weights the engine plays.
#[derive(Args, Debug, Default)]
pub struct Weights {
    /// Play by the weights of this file, not by the variant's own.
    #[arg(long = "weights", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
}

/// In which language men have their letters.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Letters {
    /// The letters of men in algebraic moves, read and written, are those of this language.
    #[arg(long = "letters", value_name = "LANG", value_parser = languages())]
    pub asked: Option<alice_core::Language>,
}

impl Letters {
    /// The language asked for, or English.
    pub fn language(self) -> alice_core::Language {
        self.asked.unwrap_or_default()
    }
}

fn languages() -> impl TypedValueParser<Value = alice_core::Language> {
    let codes = alice_core::Language::ALL.map(alice_core::Language::code);
    PossibleValuesParser::new(codes)
        .try_map(|code| alice_core::Language::from_code(&code).ok_or("no such language"))
}

/// Arguments of `alice list`.
#[derive(Args, Debug)]
pub struct List {
    #[command(flatten)]
    pub report: Report,
}

/// Arguments of `alice check`.
#[derive(Args, Debug)]
pub struct Check {
    /// Config files.
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub report: Report,
}

/// Arguments of `alice new`.
#[derive(Args, Debug)]
pub struct New {
    /// The game to start from: a built-in name or the path of a TOML file.
    #[arg(long, value_name = "VARIANT", value_hint = ValueHint::AnyPath)]
    pub from: String,
    #[command(flatten)]
    pub report: Report,
}

/// Arguments of `alice show`.
#[derive(Args, Debug)]
pub struct Show {
    #[command(flatten)]
    pub place: Place,
    /// Use letters for men, and ASCII only.
    #[arg(long)]
    pub ascii: bool,
    #[command(flatten)]
    pub report: Report,
}

/// Arguments of `alice moves`.
#[derive(Args, Debug)]
pub struct Moves {
    #[command(flatten)]
    pub place: Place,
    /// Write moves as people do: Nf3, d4/A, O-O. With --letters that goes without saying.
    #[arg(long)]
    pub algebraic: bool,
    #[command(flatten)]
    pub report: Report,
}

/// The deepest count that may be asked for. Nobody lives to see one of twenty; forced sequences can
/// be longer.
const DEEPEST: i64 = 99;

/// Arguments of `alice perft`.
#[derive(Args, Debug)]
pub struct Perft {
    /// A built-in name or the path of a TOML file.
    #[arg(value_hint = ValueHint::AnyPath)]
    pub variant: String,
    /// How many plies.
    #[arg(allow_negative_numbers = true, value_parser = value_parser!(u32).range(0..=DEEPEST))]
    pub depth: u32,
    #[command(flatten)]
    pub from: From,
    /// Also count for each first move.
    #[arg(long)]
    pub divide: bool,
    /// How many threads count.
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = threads)]
    pub threads: usize,
    #[command(flatten)]
    pub report: Report,
}

/// The most threads that are started, whatever is asked for.
const MOST_THREADS: usize = 256;

fn threads(text: &str) -> Result<usize, String> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits || text.bytes().all(|b| b == b'0') {
        return Err("write a number from 1 up".into());
    }
    Ok(text.parse().unwrap_or(MOST_THREADS).min(MOST_THREADS))
}

/// The longest search that may be asked for: a week.
const LONGEST_MS: u64 = 7 * 24 * 60 * 60 * 1000;

/// Arguments of `alice analyze`.
#[derive(Args, Debug)]
pub struct Analyze {
    #[command(flatten)]
    pub place: Place,
    /// Look so many plies ahead.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u32).range(1..=DEEPEST))]
    pub depth: Option<u32>,
    /// Think so many milliseconds; three seconds, if nothing is said.
    #[arg(long, value_name = "MS", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..=LONGEST_MS))]
    pub time: Option<u64>,
    /// Look at so many positions.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// How many of the best moves to show.
    #[arg(long, value_name = "K", default_value = "1", allow_negative_numbers = true, value_parser = value_parser!(u16).range(1..=500))]
    pub lines: u16,
    /// How many threads think. With one, and without --time, the answer is always the same.
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = threads)]
    pub threads: usize,
    /// How many MB of memory hold what was found.
    #[arg(long, value_name = "MB", default_value = "64", allow_negative_numbers = true, value_parser = value_parser!(u32).range(1..=65_536))]
    pub hash: u32,
    /// Look also where one would rather not move, as in problems: slower in games.
    #[arg(long)]
    pub no_passes: bool,
    #[command(flatten)]
    pub weights: Weights,
    #[command(flatten)]
    pub report: Report,
}

/// Arguments of `alice uci`.
#[derive(Args, Debug)]
pub struct Uci {
    /// The game to begin with: a built-in name or the path of a TOML file.
    #[arg(default_value = "alice", value_hint = ValueHint::AnyPath)]
    pub variant: String,
}

/// Arguments of `alice bench`.
#[derive(Args, Debug)]
pub struct Bench {
    /// Built-in names or paths of TOML files; all built-in games, if none is named.
    #[arg(value_name = "VARIANT", value_hint = ValueHint::AnyPath)]
    pub variants: Vec<String>,
    /// How long each game is measured, half of it for each measure.
    #[arg(long, value_name = "MS", default_value = "3000", allow_negative_numbers = true, value_parser = value_parser!(u64).range(10..=LONGEST_MS))]
    pub time: u64,
    #[command(flatten)]
    pub report: Report,
}

/// Arguments of `alice explain`.
#[derive(Args, Debug)]
pub struct Explain {
    /// A built-in name or the path of a TOML file.
    #[arg(value_hint = ValueHint::AnyPath)]
    pub variant: String,
    /// The move to explain, short, exact or algebraic: e2e4, e2Ae4B, e4.
    #[arg(value_name = "MOVE")]
    pub mv: String,
    #[command(flatten)]
    pub from: From,
    #[command(flatten)]
    pub report: Report,
}

/// Arguments of `alice replay`.
#[derive(Args, Debug)]
pub struct Replay {
    /// A PGN file, or - for the standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Which game of the file.
    #[arg(long, value_name = "K", value_parser = counting())]
    pub game: Option<usize>,
    /// Show the boards after so many plies, not at the end.
    #[arg(long, value_name = "P")]
    pub ply: Option<usize>,
    /// Go forth and back through the game.
    #[arg(long, conflicts_with = "json")]
    pub step: bool,
    /// All games are of this variant, whatever their tags say.
    #[arg(long, value_name = "VARIANT", value_hint = ValueHint::AnyPath)]
    pub variant: Option<String>,
    #[command(flatten)]
    pub letters: Letters,
    /// Use letters for men, and ASCII only.
    #[arg(long)]
    pub ascii: bool,
    /// Print JSON, for programs: a line for each game.
    #[arg(long)]
    pub json: bool,
}

/// Counts from 1.
fn counting() -> impl TypedValueParser<Value = usize> {
    value_parser!(u64).range(1..).map(|n| usize::try_from(n).unwrap_or(usize::MAX))
}

/// A kind of text for games or positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Text {
    /// Games in PGN.
    Pgn,
    /// A game in each line: exact moves, after `POSITION;` if it does not begin as usual.
    Moves,
    /// A position in each line; of a game, the last.
    Position,
    /// The same, two boards as one grid with `|` before men on board B, as PyChess writes them.
    OneGrid,
}

impl Text {
    /// What a file named so would hold.
    pub fn of_file(path: &std::path::Path) -> Option<Self> {
        path.extension().filter(|end| end.eq_ignore_ascii_case("pgn")).map(|_| Self::Pgn)
    }
}

/// Arguments of `alice convert`.
#[derive(Args, Debug)]
pub struct Convert {
    /// A file, or - for the standard input.
    #[arg(value_hint = ValueHint::FilePath, default_value = "-")]
    pub file: PathBuf,
    /// What the file holds; PGN if nothing else is said.
    #[arg(long, value_enum)]
    pub from: Option<Text>,
    /// What to write.
    #[arg(long, value_enum)]
    pub to: Option<Text>,
    /// Only this game, or line, of the file.
    #[arg(long, value_name = "K", value_parser = counting())]
    pub game: Option<usize>,
    /// All are of this variant; needed for what is not PGN.
    #[arg(long, value_name = "VARIANT", value_hint = ValueHint::AnyPath)]
    pub variant: Option<String>,
    #[command(flatten)]
    pub letters: Letters,
    /// Letters of this language are written, if not of the same.
    #[arg(long, value_name = "LANG", value_parser = languages())]
    pub to_letters: Option<alice_core::Language>,
    /// Write to this file, whole or not at all.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

/// Arguments of `alice solve`.
#[derive(Args, Debug)]
#[command(
    after_help = "A STIPULATION is #n or =n (mate or stalemate in n moves), s#n (selfmate), h#n or h#n.5 \
    (helpmate), ser-h#n (series-helpmate) or pg n or pg n.5 (shortest proof game); quote it for the shell.\n\
    Ctrl-C prints what has been found so far; once more, it ends the program."
)]
pub struct Solve {
    /// A built-in name or the path of a TOML file.
    #[arg(value_hint = ValueHint::AnyPath)]
    pub variant: String,
    /// What is asked: '#2', 's#3', 'h#2.5', 'ser-h#4', 'pg 10.5'.
    #[arg(required_unless_present = "popeye")]
    pub stipulation: Option<String>,
    /// The position; if it says nothing of castling, kings and rooks at home may castle.
    #[arg(long, value_name = "POSITION", required_unless_present = "popeye")]
    pub fen: Option<String>,
    /// Solve the problems of a file written for Popeye.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["stipulation", "fen"], value_hint = ValueHint::FilePath)]
    pub popeye: Option<PathBuf>,
    /// Also print tries: first moves that only one reply refutes.
    #[arg(long)]
    pub tries: bool,
    /// Also print set play: what happens if the other side begins.
    #[arg(long)]
    pub set: bool,
    /// Print keys and tries without what follows them.
    #[arg(long)]
    pub keys_only: bool,
    /// Nobody may castle.
    #[arg(long, conflicts_with = "popeye")]
    pub no_castling: bool,
    /// Stop a problem after so many seconds, and print what has been found.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub max_time: Option<f64>,
    /// Stop a helpmate or proof game after so many solutions.
    #[arg(long, value_name = "N", default_value = "10000", allow_negative_numbers = true, value_parser = value_parser!(u32).range(1..))]
    pub max_solutions: u32,
    /// How many threads work; all processors if left out.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub report: Report,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=1e9).contains(seconds));
    seconds.ok_or_else(|| "write a number of seconds, from 0.001 up".into())
}

/// Arguments of `alice diagram`.
#[derive(Args, Debug)]
pub struct Diagram {
    #[command(flatten)]
    pub place: Place,
    /// A file named .svg or .png; without one, SVG goes to the standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// The side of a cell in pixels.
    #[arg(long, value_name = "PIXELS", default_value = "64", value_parser = value_parser!(u16).range(8..=512))]
    pub size: u16,
    /// Black below.
    #[arg(long)]
    pub flip: bool,
    /// For dark pages.
    #[arg(long)]
    pub dark: bool,
    /// Two boards as one: men of board B upside down.
    #[arg(long)]
    pub one_board: bool,
    /// Two boards as the halves of one.
    #[arg(long, conflicts_with = "one_board")]
    pub split: bool,
}

/// Who plays for the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Opponent {
    /// Any legal move.
    Random,
    /// Mate if it sees it, else the most valuable capture, else any move.
    Greedy,
    /// The engine, which looks ahead.
    Engine,
}

/// Which side the program plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// White.
    White,
    /// Black.
    #[default]
    Black,
    /// Both, against itself.
    Both,
}

/// Arguments of `alice play`.
#[derive(Args, Debug)]
pub struct Play {
    /// A built-in name or the path of a TOML file.
    #[arg(required_unless_present = "load", value_hint = ValueHint::AnyPath)]
    pub variant: Option<String>,
    #[command(flatten)]
    pub from: From,
    /// Go on with a saved game.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "fen", "moves"], value_hint = ValueHint::FilePath)]
    pub load: Option<PathBuf>,
    /// Which game of the file.
    #[arg(long, value_name = "K", requires = "load", value_parser = counting())]
    pub game: Option<usize>,
    /// Play against the program.
    #[arg(long, value_enum)]
    pub opponent: Option<Opponent>,
    /// How well the engine plays, from 1 to 10.
    #[arg(long, value_name = "N", requires = "opponent", conflicts_with_all = ["time", "nodes"], allow_negative_numbers = true, value_parser = value_parser!(u8).range(1..=10))]
    pub level: Option<u8>,
    /// How long the engine thinks about each move.
    #[arg(long, value_name = "MS", requires = "opponent", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..=LONGEST_MS))]
    pub time: Option<u64>,
    /// At how many positions the engine looks for each move.
    #[arg(long, value_name = "N", requires = "opponent", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Which side the program plays.
    #[arg(long, value_enum, default_value_t, requires = "opponent")]
    pub side: Side,
    /// Make the program's choices repeatable.
    #[arg(long, value_name = "N", requires = "opponent", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub weights: Weights,
    /// Use letters for men, and ASCII only.
    #[arg(long)]
    pub ascii: bool,
}

/// How many positions the program looks at for each move of a comparison, unless told otherwise.
pub const NODES: u64 = 1_000;

/// How the games of a command that plays many are begun and ended.
#[derive(Args, Clone, Copy, Debug)]
pub struct Many {
    /// What openings are drawn from: the same seed, the same games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// How many games are played at once: as many as there are cores, unless told otherwise.
    #[arg(long, value_name = "T", value_parser = threads)]
    pub threads: Option<usize>,
    /// How many plies at the beginning of each game, or pair of games, are drawn by lot.
    #[arg(long, value_name = "PLIES", default_value_t = 6, value_parser = value_parser!(u32).range(0..=100))]
    pub openings: u32,
    /// After how many plies a game is broken off, as a draw.
    #[arg(long, value_name = "PLIES", default_value_t = 400, value_parser = value_parser!(u32).range(1..=10_000))]
    pub longest: u32,
}

/// Arguments of `alice compare`.
#[derive(Args, Debug)]
pub struct Compare {
    /// Built-in names or paths of TOML files.
    #[arg(required = true, value_name = "VARIANT", value_hint = ValueHint::AnyPath)]
    pub variants: Vec<String>,
    /// How many games are played of each variant.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u64).range(1..=10_000_000))]
    pub games: u64,
    /// How many positions the program looks at for each move: 1000 unless --time says otherwise.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=1_000_000_000_000))]
    pub nodes: Option<u64>,
    /// How many milliseconds it has for each move. Games are not repeatable then.
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..=86_400_000))]
    pub time: Option<u64>,
    #[command(flatten)]
    pub many: Many,
    /// Keep the games and the report in this folder, and go on where an earlier run stopped.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Judge every variant by what follows from its rules, also those whose weights have been tuned.
    #[arg(long)]
    pub untuned: bool,
    /// Play only the I-th of N equal parts; `alice merge` joins them.
    #[arg(long, value_name = "I/N", requires = "out", value_parser = shard)]
    pub shard: Option<alice_compare::Shard>,
    #[command(flatten)]
    pub report: Report,
}

fn shard(text: &str) -> Result<alice_compare::Shard, String> {
    let read = || {
        let (part, of) = text.split_once('/')?;
        Some(alice_compare::Shard { part: part.parse().ok()?, of: of.parse().ok()? })
    };
    let shard = read().filter(|shard| (1..=shard.of).contains(&shard.part));
    shard.ok_or_else(|| "write which part of how many, as in 1/4".into())
}

/// Arguments of `alice merge`.
#[derive(Args, Debug)]
pub struct Merge {
    /// Folders of parts.
    #[arg(required = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub parts: Vec<PathBuf>,
    /// The folder for the whole.
    #[arg(long, value_name = "DIR", required = true, value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    #[command(flatten)]
    pub report: Report,
}

/// Whom the engine meets in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// The engine.
    Engine(Effort),
    /// One that does not look ahead.
    Novice(Manner),
}

/// As it is read.
impl std::fmt::Display for Whom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Engine(effort) => effort.fmt(f),
            Self::Novice(manner) => manner.fmt(f),
        }
    }
}

/// Arguments of `alice match`.
#[derive(Args, Debug)]
#[command(
    after_help = "WHOM is greedy (mates if it sees it, else takes what it can), random, or the engine with an \
    effort of its own: depth=N, nodes=N or time=MS. With --against-weights alone, it works as hard as the first."
)]
pub struct Match {
    /// Built-in names or paths of TOML files.
    #[arg(required = true, value_name = "VARIANT", value_hint = ValueHint::AnyPath)]
    pub variants: Vec<String>,
    /// Whom the engine meets.
    #[arg(long, value_name = "WHOM", required_unless_present = "against_weights", value_parser = whom)]
    pub against: Option<Whom>,
    /// How many positions the engine looks at for each move: 1000 unless something else is said.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MOST_NODES))]
    pub nodes: Option<u64>,
    /// How many milliseconds it has for each move. Games are not repeatable then.
    #[arg(long, value_name = "MS", conflicts_with = "nodes", value_parser = value_parser!(u64).range(1..=MOST_MS))]
    pub time: Option<u64>,
    /// How many plies it looks ahead.
    #[arg(long, value_name = "N", conflicts_with_all = ["nodes", "time"], value_parser = value_parser!(u32).range(1..=DEEPEST))]
    pub depth: Option<u32>,
    #[command(flatten)]
    pub weights: Weights,
    /// The engine that is met plays by the weights of this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub against_weights: Option<PathBuf>,
    /// How many games are played of each variant, at most: an even number.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = even)]
    pub games: u64,
    /// End a match as soon as it is clear whether the first is stronger by ELO1 or only by ELO0.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = sprt)]
    pub sprt: Option<Sprt>,
    #[command(flatten)]
    pub many: Many,
    /// Keep the games in this folder, and go on where an earlier run stopped.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub report: Report,
}

/// The most positions, and the most milliseconds, that a player gets for each move of a match.
const MOST_NODES: u64 = 1_000_000_000_000;
const MOST_MS: u64 = 86_400_000;

fn whom(text: &str) -> Result<Whom, String> {
    let number = |text: &str, most: u64| text.parse::<u64>().ok().filter(|n| (1..=most).contains(n));
    let read = || match (text, text.split_once('=')) {
        ("greedy", _) => Some(Whom::Novice(Manner::Greedy)),
        ("random", _) => Some(Whom::Novice(Manner::Random)),
        (_, Some(("depth", n))) => Some(Whom::Engine(Effort::Depth(number(n, DEEPEST as u64)? as u32))),
        (_, Some(("nodes", n))) => Some(Whom::Engine(Effort::Nodes(number(n, MOST_NODES)?))),
        (_, Some(("time", ms))) => Some(Whom::Engine(Effort::Time(number(ms, MOST_MS)?))),
        _ => None,
    };
    let form = format!(
        "write greedy, random, depth=N (at most {DEEPEST}), nodes=N or time=MS (at most {MOST_MS}), with a number from 1 up"
    );
    read().ok_or(form)
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let read = || {
        let (elo0, elo1) = text.split_once(',')?;
        Some((elo0.parse().ok()?, elo1.parse().ok()?))
    };
    let (elo0, elo1) = read().ok_or("write two Elo differences, as in 0,20")?;
    Sprt::new(elo0, elo1, 0.05, 0.05).map_err(|error| error.to_string())
}

/// Arguments of `alice tune`.
#[derive(Args, Debug)]
pub struct Tune {
    /// A built-in name or the path of a TOML file.
    #[arg(value_hint = ValueHint::AnyPath)]
    pub variant: String,
    /// Keep all of it in this folder, and go on where an earlier run stopped.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    /// How many games are played to learn from.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
    /// How many games at most are played to prove the gain: an even number.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = even)]
    pub match_games: u64,
    /// How many positions the program looks at for each move.
    #[arg(long, value_name = "N", default_value_t = NODES, value_parser = value_parser!(u64).range(1..=1_000_000_000_000))]
    pub nodes: u64,
    #[command(flatten)]
    pub many: Many,
    /// The file whose weights are to be improved, and where better ones go.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub weights: Option<PathBuf>,
    /// Begin with what follows from the rules, whatever weights there are.
    #[arg(long)]
    pub untuned: bool,
    #[command(flatten)]
    pub report: Report,
}

fn even(text: &str) -> Result<u64, String> {
    let number = text.parse::<u64>().ok().filter(|n| (2..=10_000_000).contains(n) && n.is_multiple_of(2));
    number.ok_or_else(|| "write an even number from 2 to 10000000; games come in pairs".into())
}

/// Arguments of `alice completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}
