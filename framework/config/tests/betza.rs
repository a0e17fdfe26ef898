//! What men reach by Betza's notation, from a table; and by axes, where that says the same.

use alice_config::parse;
use alice_core::{Cell, CellSet, Cells, Colour, Kind, Shape, Variant, Wide};

const CROWD: &str = "d5 b5 e7 e9 g7 h8 f4 h5 f7";

/// A 9x9 game whose second man moves as said, in TOML, and starts on e5.
fn game(movement: &str) -> Variant {
    let text = format!(
        r#"
        [about]
        title = "One man"
        source = "none"
        [boards]
        files = 9
        ranks = 9
        [start]
        A = "7k1/9/9/9/4X4/9/9/K8/9"
        [men.king]
        letter = "K"
        movement = "K"
        royal = true
        [men.man]
        letter = "X"
        movement = {movement}
        "#
    );
    parse(movement, &text).unwrap_or_else(|error| panic!("{error}")).variant
}

fn cell(shape: Shape, name: &str) -> Cell {
    match shape.read_cell(name) {
        Some((cell, "")) => cell,
        _ => panic!("{name} is not a cell"),
    }
}

/// What the man reaches from a cell, in the notation of the table, sorted.
fn reached(game: &Variant, from: &str, colour: Colour, crowd: &str) -> Vec<String> {
    let shape = game.rules().shape;
    let occupied = crowd.split_whitespace().fold(Wide::EMPTY, |set, name| set | Wide::of(cell(shape, name)));
    let from = cell(shape, from);
    let movement = game.rules().man(Kind(1)).movement.wide();
    let quiet = movement.quiet(from, colour, occupied) & !occupied;
    let attacks = movement.attacks(from, colour, occupied);
    let mark = |cell: Cell| match (quiet.has(cell), attacks.has(cell), occupied.has(cell)) {
        (_, true, true) => "x",
        (true, true, false) => "",
        (true, false, _) => "m",
        _ => "c",
    };
    let cells: Cells<Wide> = (quiet | attacks).cells();
    let mut names: Vec<String> = cells.map(|c| format!("{}{}", mark(c), shape.cell_name(c))).collect();
    names.sort();
    names
}

#[test]
fn each_movement_of_the_table_reaches_its_cells() {
    let table = include_str!("betza.txt");
    let rows = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut wrong = Vec::new();
    for row in rows {
        let parts: Vec<&str> = row.split(':').map(str::trim).collect();
        let game = game(&format!("{:?}", parts[0]));
        let boards = ["", CROWD];
        for (expected, crowd) in parts[1..].iter().zip(boards) {
            let mut expected: Vec<String> = expected.split_whitespace().map(String::from).collect();
            expected.sort();
            let found = reached(&game, "e5", Colour::White, crowd);
            if found != expected {
                wrong.push(format!("{}: {} instead of {}", parts[0], found.join(" "), expected.join(" ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn black_moves_down_the_board_but_left_stays_left() {
    let pawn = game(r#""mfWcfF""#);
    assert_eq!(reached(&pawn, "e5", Colour::Black, ""), ["cd4", "cf4", "me4"]);
    let slanting = game(r#""flN""#);
    assert_eq!(reached(&slanting, "e5", Colour::Black, ""), ["c4"]);
}

#[test]
fn initial_steps_are_open_only_where_such_men_start() {
    let man = game(r#""fWimfnD""#);
    assert_eq!(reached(&man, "e5", Colour::White, ""), ["e6", "me7"]);
    assert_eq!(reached(&man, "e5", Colour::White, "e6"), ["xe6"]);
    assert_eq!(reached(&man, "e4", Colour::White, ""), ["e5"]);
    assert_eq!(reached(&man, "e5", Colour::Black, ""), ["e4"]);
}

#[test]
fn movement_by_axes_and_by_betza_agree() {
    let pairs = [
        ("[{ leap = [0, 1, 0] }]", "W"),
        ("[{ leap = [1, 2, 0] }]", "N"),
        ("[{ leap = [2, -1, 0] }]", "N"),
        ("[{ ride = [1, 1, 0] }]", "B"),
        ("[{ ride = [0, 1, 0], limit = 3 }]", "W3"),
        ("[{ ride = [0, 1, 0], may = \"move\" }, { hop-over = [0, 1, 0], may = \"capture\" }]", "mRcpR"),
        ("[{ hop-behind = [0, 1, 0] }, { hop-behind = [1, 1, 0] }]", "gQ"),
        ("[{ hop-over = [1, 0, 0], limit = 3 }]", "pR3"),
        ("[{ leap = [1, 2, 0], over = [[0, 1, 0]] }]", "nN"),
        ("[{ leap = [3, 0, 0], over = [[1, 0, 0], [2, 0, 0]] }]", "nH"),
        (
            "[{ leap = [0, 1, 0], may = \"move\", turns = \"none\" }, \
           { leap = [1, 1, 0], may = \"capture\", turns = \"sides\" }]",
            "mfWcfF",
        ),
        (
            "[{ leap = [0, 2, 0], over = [[0, 1, 0]], may = \"move\", turns = \"none\", initial = true }]",
            "ifmnD",
        ),
        ("[{ leap = [-1, 2, 0], turns = \"none\" }]", "lfN"),
        ("[{ ride = [1, 2, 0], turns = \"sides\" }]", "ffNN"),
    ];
    for (axes, betza) in pairs {
        let (by_axes, by_betza) = (game(axes), game(&format!("{betza:?}")));
        for from in ["e5", "a1", "h8", "e4"] {
            for crowd in ["", CROWD] {
                for colour in Colour::BOTH {
                    let (a, b) =
                        (reached(&by_axes, from, colour, crowd), reached(&by_betza, from, colour, crowd));
                    assert_eq!(a, b, "{axes} and {betza} from {from}");
                }
            }
        }
    }
}

#[test]
fn on_levels_an_offset_stands_for_all_its_orders_and_signs() {
    let raumschach = alice_config::load("raumschach").unwrap().variant;
    let rules = raumschach.rules();
    let count = |letter, from| {
        let kind = rules.kind_of_letter(letter).expect("such a man exists");
        let movement = rules.man(kind).movement.wide();
        movement.attacks(cell(rules.shape, from), Colour::White, Wide::EMPTY).count()
    };
    let counts: Vec<u32> = "KNUBRQ".chars().map(|letter| count(letter, "Cc3")).collect();
    assert_eq!(counts, [26, 24, 16, 24, 12, 52]);
    assert_eq!(count('K', "Aa1"), 7);
    let pawn = rules.man(rules.kind_of_letter('P').unwrap()).movement.wide();
    let names = |cells: Wide| {
        let mut names: Vec<String> = cells.cells().map(|c| rules.shape.cell_name(c)).collect();
        names.sort();
        names
    };
    let from = cell(rules.shape, "Cc3");
    assert_eq!(names(pawn.quiet(from, Colour::White, Wide::EMPTY)), ["Cc4", "Dc3"]);
    assert_eq!(names(pawn.attacks(from, Colour::White, Wide::EMPTY)), ["Cb4", "Cd4", "Db3", "Dc4", "Dd3"]);
    assert_eq!(names(pawn.quiet(from, Colour::Black, Wide::EMPTY)), ["Bc3", "Cc2"]);
}
