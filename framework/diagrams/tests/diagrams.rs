//! Every game is drawn, and what is drawn is what stands there.

use alice_config::load;
use alice_core::{Language, Man, Move, Position, Variant};
use alice_diagrams::{Diagram, Layout, Look, PngError, Refused, png};

fn svg(position: &Position, last: Option<&Move>, look: Look) -> Result<String, Refused> {
    let (rules, setup) = (position.rules(), position.setup());
    let king = rules.royal().and_then(|kind| setup.find(Man { kind, colour: setup.turn }).next());
    Diagram { rules, setup: &setup, last, check: king }.svg(look)
}

fn games() -> impl Iterator<Item = (&'static str, Variant)> {
    alice_config::builtin_names().into_iter().map(|name| (name, load(name).unwrap().variant))
}

/// Width and height, as a PNG says them.
fn size(png: &[u8]) -> [u32; 2] {
    assert_eq!(&png[1..4], b"PNG");
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn every_game_is_drawn_in_every_layout_that_it_has() {
    for (name, variant) in games() {
        let start = variant.start();
        let mv = start.legal_moves()[0];
        let position = start.after(&mv);
        let two_flat = start.rules().boards == 2 && start.rules().shape.levels() == 1;
        for layout in [Layout::Boards, Layout::OneBoard, Layout::Split] {
            for (flip, dark) in [(false, false), (true, true)] {
                let look = Look { size: 16, dark, flip, layout, letters: Language::German };
                match svg(&position, Some(&mv), look) {
                    Ok(svg) => {
                        assert!(two_flat || layout == Layout::Boards, "{name}");
                        let png = png(&svg).unwrap();
                        assert!(size(&png).iter().all(|side| (70..2000).contains(side)), "{name}");
                    }
                    Err(Refused::NotTwoFlatBoards) => {
                        assert!(!two_flat && layout != Layout::Boards, "{name}")
                    }
                }
            }
        }
    }
}

#[test]
fn each_man_is_drawn_once_and_those_of_board_b_upside_down_on_one_board() {
    let variant = load("alice").unwrap().variant;
    let text = "r3k2r/8/8/8/8/8/8/R3K2R|r7/1n6/8/8/8/8/8/6P1 w KQkq - 0 1";
    let position = variant.read_position(text).unwrap();
    for (layout, upside_down) in [(Layout::Boards, 0), (Layout::Split, 0), (Layout::OneBoard, 3)] {
        let svg = svg(&position, None, Look { layout, ..Look::default() }).unwrap();
        assert_eq!(svg.matches("<use ").count(), 9, "{layout:?}");
        assert_eq!(svg.matches("rotate(180").count(), upside_down, "{layout:?}");
    }
}

#[test]
fn a_transfer_is_marked_with_the_man_where_it_arrived_and_an_arrow_to_where_it_landed() {
    let start = load("duo").unwrap().variant.start();
    let marks = |text: &str| {
        let mv = start.read_move(text).unwrap();
        let svg = svg(&start.after(&mv), Some(&mv), Look::default()).unwrap();
        ["opacity=\"0.3\"", "stroke-dasharray=\"13.8", "stroke-dasharray=\"1 13\"", "opacity=\"0.75\"/>"]
            .map(|mark| svg.matches(mark).count())
    };
    assert_eq!(marks("e2Ae4B"), [1, 1, 1, 2]);
    assert_eq!(marks("e2Ae4A"), [0, 0, 0, 2]);
    assert_eq!(marks("b1Ab1B"), [0, 0, 1, 2]);
}

#[test]
fn each_kind_of_man_has_a_picture_of_its_own_in_both_colours() {
    for (name, variant) in games() {
        let svg = svg(&variant.start(), None, Look::default()).unwrap();
        let defs = svg.split("<defs>\n").nth(1).unwrap().split("</defs>").next().unwrap();
        let mut pictures: Vec<&str> = defs.lines().map(|line| line.split_once('>').unwrap().1).collect();
        let men = pictures.len();
        pictures.sort_unstable();
        pictures.dedup();
        assert_eq!(pictures.len(), men, "{name}");
        assert_eq!(men, 2 * variant.rules().men.len(), "{name}");
    }
}

#[test]
fn a_board_is_as_large_as_its_cells() {
    let start = load("chess").unwrap().variant.start();
    for cell in [8, 32, 100] {
        let png = png(&svg(&start, None, Look { size: cell, ..Look::default() }).unwrap()).unwrap();
        // Eight cells, and three quarters of one for what is around them.
        let side = (8.75 * f32::from(cell)).ceil() as u32;
        assert_eq!(size(&png), [side, side]);
    }
}

#[test]
fn a_picture_that_no_memory_could_hold_is_refused() {
    let start = load("raumschach-alice").unwrap().variant.start();
    let svg = svg(&start, None, Look { size: 512, ..Look::default() }).unwrap();
    assert!(matches!(png(&svg), Err(PngError::TooLarge { .. })));
    assert!(matches!(png("no svg"), Err(PngError::Renderer(_))));
}
