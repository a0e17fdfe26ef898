//! Games that nobody has invented: random config files, of all boards, shapes, men and keys, played out.

use crate::foreign::{twins, twins_agree};
use crate::laws::{always, follow, position_holds, thrown};
use alice_core::{Move, Position, Shape, Strictness};
use proptest::prelude::*;
use std::cell::Cell as Shared;
use std::fmt::Write;

/// Random numbers for making choices, used up one by one; all 0 when they have run out.
struct Dice<'a>(std::slice::Iter<'a, u32>);

impl Dice<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.0.next().map_or(0, |roll| *roll as usize % n)
    }
    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
    /// One time in `n`.
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }
}

/// Parts of movements in Betza's notation, from tame to odd.
#[rustfmt::skip]
const PARTS: [&str; 76] = [
    "R", "B", "N", "Q", "W", "F", "K", "D", "A", "H", "C", "L", "Z", "J", "G", "NN", "DD", "AA", "HH", "CC",
    "R3", "B2", "W2", "F3", "Q4", "K2", "N2", "A3", "nD", "nN", "nA", "nH", "nC", "nZ", "nG", "pR", "pB", "pQ",
    "gR", "gB", "gQ", "pNN", "gNN", "gW4", "pF3", "pW2", "mR", "cR", "mN", "cK", "mB2", "cNN", "mpR", "cpR",
    "cgB", "mgQ", "fW", "fsW", "bF", "ffN", "fR", "sR", "bhN", "imW3", "iN", "ifR", "icF", "imnD", "mnD", "cnA",
    "mfWcfF", "mR4cB", "icpR", "mRcN", "cW3", "iQ",
];

fn betza(dice: &mut Dice) -> String {
    let parts = dice.of(&[1, 1, 1, 2, 2, 3]);
    let mut text = String::new();
    for _ in 0..parts {
        let part = dice.of(&PARTS);
        // A letter and the same letter again would be a rider.
        if !text.chars().last().is_some_and(|last| part.starts_with(last)) {
            text.push_str(part);
        }
    }
    format!("\"{text}\"")
}

fn offset(dice: &mut Dice, shape: Shape) -> [i8; 3] {
    let parts = [1, 0, 1, 2, -1, 0, -2, 3];
    let last = if shape.levels() > 1 { dice.of(&parts) } else { 0 };
    match [dice.of(&parts), dice.of(&parts), last] {
        [0, 0, 0] => [0, 1, 0],
        offset => offset,
    }
}

/// A movement by axes.
fn axes(dice: &mut Dice, shape: Shape) -> String {
    let entries: Vec<String> = (0..dice.of(&[1, 2, 1, 3]))
        .map(|_| {
            let way = dice.of(&["ride", "leap", "leap", "ride", "hop-over", "hop-behind"]);
            let mut text = format!("{{ {way} = {:?}", offset(dice, shape));
            let may = dice.of(&["both", "both", "move", "capture"]);
            let turns = dice.of(&["all", "all", "sides", "none"]);
            let _ = write!(text, ", may = \"{may}\", turns = \"{turns}\"");
            if way == "leap" {
                if dice.one_in(4) {
                    let _ = write!(text, ", over = [{:?}]", offset(dice, shape));
                }
            } else if dice.one_in(3) {
                let _ = write!(text, ", limit = {}", dice.of(&[2, 3, 5]));
            }
            if dice.one_in(6) {
                text.push_str(", initial = true");
            }
            text + " }"
        })
        .collect();
    format!("[{}]", entries.join(", "))
}

/// A config but for its start, and who stands where there.
struct Draft {
    shape: Shape,
    boards: usize,
    rules: String,
    men: Vec<(usize, char)>,
    kings: [(usize, char); 2],
    castling: Vec<(usize, char)>,
}

impl Draft {
    fn throw(dice: &mut Dice) -> Self {
        let boards = dice.of(&[2, 2, 2, 1, 3, 2, 4, 6, 8]);
        let levels = dice.of(&[1, 1, 1, 1, 2, 3, 5]);
        let files: usize = dice.of(&[8, 5, 4, 8, 10, 16, 3, 12, 26, 1, 2, 7]);
        let ranks: usize = dice.of(&[8, 5, 6, 8, 9, 10, 3, 16, 2, 7, 12, 1]);
        let ranks = ranks.min(256 / (files * levels)).max(1);
        let files = files.min(256 / (ranks * levels));
        let shape = Shape::new(files as u16, ranks as u16, levels as u16).unwrap();
        let squares = boards * shape.cells();
        let mut draft = Self {
            shape,
            boards,
            rules: String::new(),
            kings: [(dice.below(squares), 'K'), (dice.below(squares), 'k')],
            castling: Vec::new(),
            men: Vec::new(),
        };
        let letters: Vec<char> =
            ('A'..='Z').filter(|c| *c != 'K').take(dice.of(&[3, 2, 5, 1, 7, 11, 24])).collect();
        draft.write_rules(dice, &letters);
        for _ in 0..dice.below(44) {
            let letter = dice.of(&letters);
            let letter = if dice.one_in(2) { letter.to_ascii_lowercase() } else { letter };
            draft.men.push((dice.below(squares), letter));
        }
        draft
    }

    fn write_rules(&mut self, dice: &mut Dice, letters: &[char]) {
        let (shape, boards) = (self.shape, self.boards);
        let mut text = String::new();
        let mut line = |part: String| {
            text.push_str(&part);
            text.push('\n');
        };
        line(format!("en-passant = {:?}", dice.of(&["none", "either", "origin", "landing"])));
        line("[about]\ntitle = \"A game of chance\"\nsource = \"thrown\"".into());
        let (files, ranks, levels) = (shape.files(), shape.ranks(), shape.levels());
        line(format!("[boards]\ncount = {boards}\nfiles = {files}\nranks = {ranks}\nlevels = {levels}"));
        let movement = |dice: &mut Dice, tame: &str| {
            if levels > 1 {
                return if tame.is_empty() || dice.one_in(4) {
                    axes(dice, shape)
                } else {
                    "[{ leap = [1, 1, 0] }, { leap = [1, 0, 0] }]".into()
                };
            }
            match dice.below(4) {
                0 | 1 if !tame.is_empty() => format!("\"{tame}\""),
                3 => axes(dice, shape),
                _ => betza(dice),
            }
        };
        line(format!("[men.king]\nletter = \"K\"\nroyal = true\nmovement = {}", movement(dice, "K")));
        for (i, letter) in letters.iter().enumerate() {
            let pawn = dice.one_in(3);
            let tame = if pawn { "mfWcfF" } else { "" };
            line(format!("[men.{letter}]\nletter = \"{letter}\"\nmovement = {}", movement(dice, tame)));
            if pawn {
                let ranks = format!("{{ ranks = [{}] }}", 1 + dice.below(ranks));
                line(format!("pawn = true\ndouble-step = {}", dice.of(&["true", "false", &ranks])));
            }
            if dice.one_in(3) {
                let others: Vec<String> = letters
                    .iter()
                    .skip(dice.below(letters.len()))
                    .take(1 + i)
                    .map(|l| format!("{l:?}"))
                    .collect();
                line(format!("promotes-to = [{}]", others.join(", ").replace('\'', "\"")));
                if dice.one_in(3) {
                    let (rank, level) = (1 + dice.below(ranks), 1 + dice.below(levels));
                    line(format!("promotes-on = {{ ranks = [{rank}], levels = [{level}] }}"));
                }
            }
        }
        if boards > 1 {
            let transfer = dice.of(&["next", "next", "any-other", "none"]);
            line(format!("[transfer.{transfer}]"));
            if transfer != "none" {
                line(format!("staying = {:?}", dice.of(&["never", "if-blocked", "always"])));
                if dice.one_in(2) {
                    let men = dice.of(&["men = \"all\"", "except = [\"king\"]", "men = [\"A\"]"]);
                    let (capture, leave) = (dice.one_in(2), dice.one_in(2));
                    line(format!("[zero-moves]\n{men}\ncapture = {capture}\nleave-check = {leave}"));
                }
            }
        }
        let (before, after) = (!dice.one_in(4), !dice.one_in(8));
        line(format!("[check]\nbefore-transfer = {before}\nafter-transfer = {after}"));
        if files > 1 && dice.one_in(3) {
            line(format!("[castling]\nrook = \"{}\"", letters[0]));
            for (side, letters) in
                [("white", ['K', letters[0]]), ("black", ['k', letters[0].to_ascii_lowercase()])]
            {
                let (board, row) = (dice.below(boards), dice.below(ranks * levels));
                let cell = |file: usize| alice_core::Cell((file + files * row) as u8);
                let [king, king_to, rook, rook_to] = [0; 4].map(|_| dice.below(files));
                if king == king_to || king == rook || king_to == rook_to {
                    continue;
                }
                let path =
                    |from, to| format!("{}-{}", shape.cell_name(cell(from)), shape.cell_name(cell(to)));
                line(format!("[castling.{side}]\nboard = \"{}\"", alice_core::Board(board as u8)));
                let wing = dice.of(&["king-side", "queen-side"]);
                let (king_path, rook_path) = (path(king, king_to), path(rook, rook_to));
                line(format!("{wing} = {{ king = \"{king_path}\", rook = \"{rook_path}\" }}"));
                let square = |file| board * shape.cells() + file + files * row;
                let colour = usize::from(side == "black");
                self.kings[colour].0 = square(king);
                self.castling.push((square(rook), letters[1]));
            }
        }
        self.rules = text;
    }

    /// The config, with so many of the men and this side to move.
    fn toml(&self, men: usize, turn: &str) -> String {
        let (shape, cells) = (self.shape, self.shape.cells());
        let mut squares = vec![None; cells * self.boards];
        for (square, letter) in self.men.iter().take(men).chain(&self.castling).chain(&self.kings) {
            squares[*square] = Some(*letter);
        }
        let mut text = format!("{}[start]\nturn = \"{turn}\"\n", self.rules);
        for (board, squares) in squares.chunks(cells).enumerate() {
            let row = |row: &[Option<char>]| {
                let runs = row.chunk_by(|a, b| a.is_none() && b.is_none());
                runs.map(|run| run[0].map_or(run.len().to_string(), String::from)).collect::<String>()
            };
            let level = |cells: &[Option<char>]| {
                cells.chunks(shape.files()).rev().map(row).collect::<Vec<_>>().join("/")
            };
            let levels: Vec<String> =
                squares.chunks(shape.files() * shape.ranks()).rev().map(level).collect();
            let _ = writeln!(text, "{} = \"{}\"", alice_core::Board(board as u8), levels.join("//"));
        }
        text
    }

    /// A start in which the side not to move is not in check, if one is found by leaving men out.
    fn start(&self) -> Option<(String, Position)> {
        let fewer = [self.men.len(), self.men.len() / 2, self.men.len() / 6, 0];
        let tries = fewer.into_iter().flat_map(|men| ["white", "black"].map(|turn| self.toml(men, turn)));
        let mut last = None;
        for toml in tries {
            match alice_config::parse("thrown", &toml) {
                Ok(config) => return Some((toml, config.variant.start())),
                Err(error) => last = Some((toml, error)),
            }
        }
        let (toml, error) = last?;
        // Kings on one square, or next to each other in every try; nothing else may be wrong.
        let known = |p: &alice_config::Problem| {
            p.problem.contains("already attacked") || p.problem.contains("no king")
        };
        assert!(error.problems().iter().all(known), "{toml}\n{error}");
        None
    }
}

/// The slow twin compares so many moves of a game, then only every sixteenth position: large boards have
/// thousands.
const SLOWLY: usize = 2_500;

#[test]
fn every_law_holds_in_games_of_random_configs() {
    let (asked, played) = (Shared::new(0), Shared::new(0));
    let dice = prop::collection::vec(any::<u32>(), 200..600);
    let choices = prop::collection::vec(any::<u16>(), 200);
    let setups = prop::collection::vec(thrown(), 4);
    always(200, (dice, choices, setups), |(dice, choices, setups)| {
        asked.set(asked.get() + 1);
        let Some((toml, start)) = Draft::throw(&mut Dice(dice.iter())).start() else { return };
        played.set(played.get() + 1);
        let twins = twins(start.rules());
        let (mut compared, mut ply) = (0, 0);
        let each = |position: &Position| {
            ply += 1;
            let moves: Vec<Move> = if compared < SLOWLY || ply % 16 == 0 {
                let moves = position_holds(position);
                twins_agree(&twins, position, &moves);
                compared += moves.len() + 20;
                moves
            } else {
                position.legal_moves()
            };
            assert_eq!(position.hash(), position.hash_from_scratch());
            let text = position.to_string();
            assert!(start.variant().read_position(&text).is_ok(), "{text} is refused");
            moves
        };
        let play = || {
            follow(start.clone(), &choices, each);
            for setup in &setups {
                let setup = setup.setup(start.variant());
                let position = start.variant().position(&setup, Strictness::Problem).unwrap();
                twins_agree(&twins, &position, &position_holds(&position));
            }
        };
        if let Err(panic) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(play)) {
            eprintln!("{toml}");
            std::panic::resume_unwind(panic);
        }
    });
    assert!(played.get() * 10 > asked.get() * 8, "{} of {} configs play", played.get(), asked.get());
}

/// What becomes of a position by a move, in a game that is chess but for this.
fn after(changes: &str, position: &str, mv: &str) -> String {
    let about = "[about]\ntitle = \"a test\"\nsource = \"a test\"";
    let config = alice_config::parse("changed", &format!("extends = \"chess\"\n{changes}\n{about}\n"));
    let variant = config.unwrap_or_else(|error| panic!("{error}")).variant;
    let position = variant.read_position(position).unwrap();
    position_holds(&position);
    let next = position.after(&position.read_move(mv).unwrap());
    position_holds(&next);
    next.to_string()
}

#[test]
fn a_king_may_castle_onto_the_cell_that_its_rook_leaves() {
    let castling = "[castling.white]\nking-side = { king = \"e1-f1\", rook = \"f1-e1\" }
        [start]\nA = \"4k3/8/8/8/8/8/8/4KR2\"";
    let next = after(castling, "4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "e1Af1A");
    assert_eq!(next, "4k3/8/8/8/8/8/8/4RK2 b - - 1 1");
}

#[test]
fn a_double_step_that_promotes_leaves_no_right_to_capture_en_passant() {
    let short = "castling = \"off\"\n[boards]\nranks = 4\n[start]\nA = \"4k3/8/P7/4K3\"";
    let next = after(short, "4k3/8/P7/4K3 w - - 0 1", "a2Aa4Aq");
    assert_eq!(next, "Q3k3/8/8/4K3 b - - 0 1");
}

#[test]
fn a_leap_of_two_cells_over_a_man_is_no_double_step() {
    let leaping = "[men.pawn]\nmovement = \"mfWcfFmD\"";
    let from = |passed: &str| format!("4k3/8/8/8/3p4/{passed}/4P3/4K3 w - - 0 1");
    assert_eq!(after(leaping, &from("4N3"), "e2e4"), "4k3/8/8/8/3pP3/4N3/8/4K3 b - - 0 1");
    assert_eq!(after(leaping, &from("8"), "e2e4"), "4k3/8/8/8/3pP3/8/8/4K3 b - e3AA 0 1");
    let third = "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1";
    assert_eq!(after(leaping, third, "e3e5"), "4k3/8/8/4P3/8/8/8/4K3 b - - 0 1");
}
