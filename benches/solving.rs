//! Solving chess problems, on one thread: published ones, and larger ones from random play.
//!
//! Each measurement ends with a look at what was found.

// The other benches count moves with it; this one takes turns.
#[expect(dead_code)]
mod counts;

use alice_problems::{Options, Problem, Solution, Stipulation, Watch, castling_at_home, solve};
use criterion::Criterion;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// A problem, what is wanted of it, and how many keys or lines it has.
struct Case {
    name: String,
    problem: Problem,
    options: Options,
    solutions: usize,
}

/// Positions from random play in Alice, made for these benches.
const LARGER: [(&str, &str, usize); 5] = [
    ("8/2k5/8/8/4P3/8/2N5/5B2|8/8/8/4P3/P1Pp4/8/4K3/8 b - -", "h#3", 9),
    ("1n2k3/8/8/2p5/8/8/3P4/2B1KBN1|8/8/4bn2/1p1p3r/8/P1P1P3/8/8 b - -", "h#3", 4),
    ("8/1n6/8/8/3Rp3/2P3B1/8/8|8/5K2/8/6p1/3kN1r1/8/4P3/8 w - -", "#4", 1),
    ("2b2b1r/4k3/8/8/8/5n2/1P2P3/1N4N1|8/7R/2p5/2p2R2/8/3P2P1/8/3K4 w - -", "#4", 0),
    ("6nr/2p3pp/R7/4n3/8/8/8/1N2K2R|3k4/8/7B/8/8/1PP2NP1/8/8 w - -", "#4", 0),
];

fn case(name: &str, variant: &str, position: &str, stipulation: &str, tries: bool, solutions: usize) -> Case {
    let variant = alice_config::load(variant).expect("a built-in game").variant;
    let mut setup = variant.read_setup(position).expect("a position");
    if position.split_whitespace().count() < 3 {
        setup.castling = castling_at_home(variant.rules(), &setup);
    }
    let stipulation = Stipulation::read(stipulation).expect("a stipulation");
    let problem = Problem::new(&variant, setup, stipulation).expect("a problem");
    let name = format!("{stipulation} {name}");
    Case { name, problem, options: Options { tries, ..Options::default() }, solutions }
}

/// The published problems, with all tries and variations. How many solutions each has is not said in its file
/// but to be seen there: keys have a `!`, lines of help-play begin with a number.
fn published() -> Vec<Case> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "framework/problems/tests/published"].iter().collect();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the problems").map(|file| file.expect("a file").path()).collect();
    files.sort();
    let read = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("a text");
        let (head, solution) = text.split_once("\n\n").expect("an empty line");
        let fields: BTreeMap<&str, &str> = head.lines().filter_map(|line| line.split_once(' ')).collect();
        let fights = fields["stipulation"].starts_with('#');
        let is_one = |line: &&str| line.starts_with("1.") && (!fights || line.contains('!'));
        let solutions = solution.lines().filter(is_one).count();
        let tries = fields.get("options").is_some_and(|options| options.contains("tries"));
        let name = file.file_stem().expect("a name").to_string_lossy();
        case(&name, fields["variant"], fields["position"], fields["stipulation"], tries, solutions)
    };
    files.iter().map(read).collect()
}

/// The larger problems; none without optimisation.
fn larger() -> Vec<Case> {
    if cfg!(debug_assertions) {
        return Vec::new();
    }
    let cases = LARGER.into_iter().enumerate().map(|(n, (position, stipulation, solutions))| {
        case(&format!("random {}", n + 1), "alice", position, stipulation, false, solutions)
    });
    cases.collect()
}

impl Case {
    fn solve(&self) {
        let solution = solve(&self.problem, &self.options, &Watch::default());
        let found = match &solution {
            Solution::Battle(battle) => battle.keys.len(),
            Solution::Lines(lines) => lines.lines.len(),
        };
        assert!(solution.complete());
        assert_eq!(found, self.solutions, "{}", self.name);
        assert!(!solution.text(&self.problem).is_empty());
    }
}

fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("published");
    for case in published() {
        group.bench_function(&case.name, |bencher| bencher.iter(|| case.solve()));
    }
    group.finish();
    let mut group = criterion.benchmark_group("larger");
    for case in larger() {
        group.bench_function(&case.name, |bencher| bencher.iter(|| case.solve()));
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    measure(&mut criterion);
    criterion.final_summary();
    if counts::measures() {
        println!("\nMilliseconds of CPU time on one thread, printing included, at best of five turns.\n");
        let cases: Vec<Case> = published().into_iter().chain(larger()).collect();
        let run = |case: &'_ Case| {
            case.solve();
            case.solutions as u64
        };
        let runs = cases
            .iter()
            .map(|case| counts::Run { count: Box::new(move || run(case)), expected: case.solutions as u64 });
        let best = counts::best_of(5, &runs.collect::<Vec<_>>());
        for (case, seconds) in cases.iter().zip(best) {
            println!("{:40}{:>10} solutions{:>12.2} ms", case.name, case.solutions, seconds * 1e3);
        }
    }
}
