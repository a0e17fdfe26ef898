//! How men look: shapes in a box of 100 by 100, drawn for this program. Men without a shape of their
//! own are round tokens with their letter.

use crate::letters::centred;
use crate::theme::Ink;

/// A man's parts, from back to front: each closed path gets an outline and a filling.
const PAWN: &[&str] = &[
    "M41 50C41 60 36 68 29 78H71C64 68 59 60 59 50Z",
    "M50 16A15.5 15.5 0 1 1 50 47A15.5 15.5 0 1 1 50 16Z",
    "M37 45H63A4 4 0 0 1 63 53H37A4 4 0 0 1 37 45Z",
    BASE,
];

const BASE: &str = "M26 77H74A6 6 0 0 1 80 83V87A3 3 0 0 1 77 90H23A3 3 0 0 1 20 87V83A6 6 0 0 1 26 77Z";

const ROOK: &[&str] =
    &["M35 40H65L68 78H32Z", "M24 15H36.5V23H44V15H56V23H63.5V15H76V33L67 42H33L24 33Z", BASE];

const BISHOP: &[&str] = &[
    "M50 7.5A6 6 0 1 1 50 19.5A6 6 0 1 1 50 7.5Z",
    "M50 18C63 26 74 40 71 54C69.5 61 65 65 62 68H38C35 65 30.5 61 29 54C26 40 37 26 50 18Z",
    "M36 66H64A4.5 4.5 0 0 1 64 75H36A4.5 4.5 0 0 1 36 66Z",
    BASE,
];

const KNIGHT: &[&str] = &[
    "M33 80C33 70 42 67 47 57C41 60 36 60 32 64C29 67 27 71 22 70.5C16 70 13.5 64 15.5 59C18 52 24 47 27 39\
     C29.5 32 34 26 42 22L45 11L55 19C72 25 81 46 77 80Z",
    BASE,
];

/// The horn is behind the head.
const UNICORN: &[&str] = &["M35 32L15 5L44 24Z", KNIGHT[0], BASE];

const QUEEN: &[&str] = &[
    "M30 80L15 36L32 53L32.5 24L45 50L50 19L55 50L67.5 24L68 53L85 36L70 80Z",
    "M15 28A5.5 5.5 0 1 1 15 39A5.5 5.5 0 1 1 15 28Z",
    "M32 15A5.5 5.5 0 1 1 32 26A5.5 5.5 0 1 1 32 15Z",
    "M50 9A5.5 5.5 0 1 1 50 20A5.5 5.5 0 1 1 50 9Z",
    "M68 15A5.5 5.5 0 1 1 68 26A5.5 5.5 0 1 1 68 15Z",
    "M85 28A5.5 5.5 0 1 1 85 39A5.5 5.5 0 1 1 85 28Z",
    BASE,
];

const KING: &[&str] = &[
    "M46.5 5H53.5V11.5H60V18.5H53.5V30H46.5V18.5H40V11.5H46.5Z",
    "M30 80C30 68 15 62 15 47C15 34 30 28 42 35C46 37.5 49 42 50 48C51 42 54 37.5 58 35C70 28 85 34 85 47\
     C85 62 70 68 70 80Z",
    "M50 26C58 34 58 42 50 52C42 42 42 34 50 26Z",
    BASE,
];

/// Lines and dots on top of the parts.
const BISHOP_LINES: &str = "M50 34V54M41 43H59";
const ROOK_LINES: &str = "M36 49H64M33.5 68H66.5";
const QUEEN_LINES: &str = "M29 67Q50 60 71 67";
const KING_LINES: &str = "M28.5 69Q50 61 71.5 69";
const KNIGHT_LINES: &str = "M58 29C67 39 70 55 68.5 71";
const KNIGHT_EYE: &str =
    "M39 34.5A3.2 3.2 0 1 1 39 41A3.2 3.2 0 1 1 39 34.5ZM21 61A1.7 1.7 0 1 1 21 64.4A1.7 1.7 0 1 1 21 61Z";

/// A man of a kind known by its English name, in a box of 100 by 100; a token with its letter otherwise.
pub fn man(name: &str, letter: char, ink: &Ink) -> String {
    let (parts, lines, eye) = match name {
        "pawn" => (PAWN, "", ""),
        "rook" => (ROOK, ROOK_LINES, ""),
        "bishop" => (BISHOP, BISHOP_LINES, ""),
        "knight" => (KNIGHT, KNIGHT_LINES, KNIGHT_EYE),
        "unicorn" => (UNICORN, KNIGHT_LINES, KNIGHT_EYE),
        "queen" => (QUEEN, QUEEN_LINES, ""),
        "king" => (KING, KING_LINES, ""),
        _ => return token(letter, ink),
    };
    let Ink { halo, fill, edge, seam } = ink;
    let all = parts.concat();
    // All that is behind comes first: seen from afar a man is one shape on a ground that sets it off.
    let mut svg = format!(
        "<path d=\"{all}\" fill=\"{halo}\" stroke=\"{halo}\" stroke-width=\"9\" stroke-linejoin=\"round\"/>"
    );
    svg += &format!(
        "<path d=\"{all}\" fill=\"{edge}\" stroke=\"{edge}\" stroke-width=\"5\" stroke-linejoin=\"round\"/>"
    );
    for part in parts {
        svg += &format!(
            "<path d=\"{part}\" fill=\"{fill}\" stroke=\"{seam}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>"
        );
    }
    if !lines.is_empty() {
        svg += &format!(
            "<path d=\"{lines}\" fill=\"none\" stroke=\"{seam}\" stroke-width=\"3.6\" stroke-linecap=\"round\"/>"
        );
    }
    if !eye.is_empty() {
        svg += &format!("<path d=\"{eye}\" fill=\"{seam}\"/>");
    }
    svg
}

fn token(letter: char, ink: &Ink) -> String {
    let Ink { halo, fill, edge, seam } = ink;
    format!(
        "<circle cx=\"50\" cy=\"50\" r=\"40\" fill=\"{halo}\"/>\
         <circle cx=\"50\" cy=\"50\" r=\"37\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"4\"/>\
         <circle cx=\"50\" cy=\"50\" r=\"31\" fill=\"none\" stroke=\"{seam}\" stroke-width=\"1.6\"/>{}",
        centred(&letter.to_string(), 50.0, 50.0, 32.0, seam).trim_end()
    )
}
