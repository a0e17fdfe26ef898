//! Letters and figures as strokes, so that a diagram looks the same everywhere, fonts or none.

/// Capital letters are so high.
const HEIGHT: f32 = 14.0;

/// What stands between two letters.
const GAP: f32 = 3.4;

/// A stroke is so wide.
const STROKE: f32 = 1.9;

/// The path and the width of a letter. The base line is at 14, small letters begin at 5.
fn letter(c: char) -> (&'static str, f32) {
    match c {
        'A' => ("M0 14L5 0L10 14M1.8 9.5H8.2", 10.0),
        'B' => ("M0 0V14H5A3.7 3.7 0 0 0 5 6.6H0M5 6.6A3.3 3.3 0 0 0 5 0H0", 8.7),
        'C' => ("M9.6 2.6A5.6 7 0 1 0 9.6 11.4", 9.6),
        'D' => ("M0 0V14H3.5A7 7 0 0 0 3.5 0Z", 10.5),
        'E' => ("M8 0H0V14H8M0 7H6.5", 8.0),
        'F' => ("M8 0H0V14M0 7H6.5", 8.0),
        'G' => ("M9.6 2.6A5.6 7 0 1 0 10.5 7.6H6.5", 10.5),
        'H' => ("M0 0V14M9 0V14M0 7H9", 9.0),
        'I' => ("M0.5 0V14", 1.0),
        'J' => ("M6 0V10A3.2 4 0 0 1 0 11", 6.0),
        'K' => ("M0 0V14M8.5 0L0 8.6M3 5.7L9 14", 9.0),
        'L' => ("M0 0V14H7.5", 7.5),
        'M' => ("M0 14V0L5.5 9L11 0V14", 11.0),
        'N' => ("M0 14V0L9 14V0", 9.0),
        'O' => ("M5.5 0A5.5 7 0 1 0 5.5 14A5.5 7 0 1 0 5.5 0Z", 11.0),
        'P' => ("M0 14V0H5A4 4 0 0 1 5 8H0", 9.0),
        'Q' => ("M5.5 0A5.5 7 0 1 0 5.5 14A5.5 7 0 1 0 5.5 0ZM6.8 10L10.8 15", 11.0),
        'R' => ("M0 14V0H5A4 4 0 0 1 5 8H0M4.6 8L9 14", 9.0),
        'S' => ("M8.3 2.4A4.1 3.4 0 1 0 4.5 6.8A4.4 3.6 0 1 1 0.2 11.4", 9.0),
        'T' => ("M0 0H10M5 0V14", 10.0),
        'U' => ("M0 0V9A4.5 5 0 0 0 9 9V0", 9.0),
        'V' => ("M0 0L5 14L10 0", 10.0),
        'W' => ("M0 0L3.5 14L7 3L10.5 14L14 0", 14.0),
        'X' => ("M0 0L9 14M9 0L0 14", 9.0),
        'Y' => ("M0 0L5 7L10 0M5 7V14", 10.0),
        'Z' => ("M0 0H9L0 14H9", 9.0),
        'a' => ("M8 5V14M8 9.5A4 4.5 0 1 0 0 9.5A4 4.5 0 1 0 8 9.5", 8.0),
        'b' => ("M0 0V14M0 9.5A4 4.5 0 1 1 8 9.5A4 4.5 0 1 1 0 9.5", 8.0),
        'c' => ("M7.2 6.8A4 4.5 0 1 0 7.2 12.2", 7.2),
        'd' => ("M8 0V14M8 9.5A4 4.5 0 1 0 0 9.5A4 4.5 0 1 0 8 9.5", 8.0),
        'e' => ("M0.1 9.3H8A4 4.4 0 1 0 7 12.5", 8.0),
        'f' => ("M5 0.2A2.6 2.8 0 0 0 2 3.2V14M0 5H4.8", 5.0),
        'g' => ("M8 5V14A4 4 0 0 1 0.6 16M8 9.5A4 4.5 0 1 0 0 9.5A4 4.5 0 1 0 8 9.5", 8.0),
        'h' => ("M0 0V14M0 9A3.6 4.2 0 0 1 7.2 9V14", 7.2),
        'i' => ("M0.5 5V14M0.5 1V1.2", 1.0),
        'j' => ("M2.5 5V15A2.5 3 0 0 1 0 17.5M2.5 1V1.2", 3.0),
        'k' => ("M0 0V14M7 5L0 10.5M2.7 8.5L7.4 14", 7.4),
        'l' => ("M0.5 0V14", 1.0),
        'm' => ("M0 5V14M0 8.6A3 3.8 0 0 1 6 8.6V14M6 8.6A3 3.8 0 0 1 12 8.6V14", 12.0),
        'n' => ("M0 5V14M0 9A3.6 4.2 0 0 1 7.2 9V14", 7.2),
        'o' => ("M4 5A4 4.5 0 1 0 4 14A4 4.5 0 1 0 4 5Z", 8.0),
        'p' => ("M0 5V18M0 9.5A4 4.5 0 1 1 8 9.5A4 4.5 0 1 1 0 9.5", 8.0),
        'q' => ("M8 5V18M8 9.5A4 4.5 0 1 0 0 9.5A4 4.5 0 1 0 8 9.5", 8.0),
        'r' => ("M0 5V14M0 9A3.6 4 0 0 1 4.8 5.2", 4.8),
        's' => ("M6.5 6.4A3.3 2.3 0 1 0 3.4 9.4A3.6 2.4 0 1 1 0.1 12.4", 7.0),
        't' => ("M2 1V11.5A2.4 2.5 0 0 0 5 13.9M0 5H5", 5.0),
        'u' => ("M0 5V10A3.6 4 0 0 0 7.2 10V5M7.2 10V14", 7.2),
        'v' => ("M0 5L3.8 14L7.6 5", 7.6),
        'w' => ("M0 5L2.8 14L5.6 6.5L8.4 14L11.2 5", 11.2),
        'x' => ("M0 5L7 14M7 5L0 14", 7.0),
        'y' => ("M0 5L3.8 14M7.6 5L2.6 17.6", 7.6),
        'z' => ("M0 5H7L0 14H7", 7.0),
        '0' => ("M4.5 0A4.5 7 0 1 0 4.5 14A4.5 7 0 1 0 4.5 0Z", 9.0),
        '1' => ("M0 3L4 0V14", 4.0),
        '2' => ("M0.4 3.8A4.2 3.9 0 1 1 7.8 6.2L0 14H8.8", 8.8),
        '3' => ("M0.5 2.2A4 3.5 0 1 1 4 6.7A4.4 3.65 0 1 1 0 11.4", 8.4),
        '4' => ("M6.6 14V0L0 9.8H9", 9.0),
        '5' => ("M8 0H1.5L0.8 6.3A4.5 4.3 0 1 1 0 12", 8.6),
        '6' => ("M7.4 0.2C2.4 2.6 0 5.6 0 9.6A4.3 4.4 0 1 0 8.6 9.6A4.3 4.4 0 1 0 0 9.6", 8.6),
        '7' => ("M0 0H8.6L3 14", 8.6),
        '8' => (
            "M4.4 6.6A3.5 3.3 0 1 1 4.4 0A3.5 3.3 0 1 1 4.4 6.6A4.4 3.7 0 1 0 4.4 14A4.4 3.7 0 1 0 4.4 6.6",
            8.8,
        ),
        '9' => ("M1.2 13.8C6.2 11.4 8.6 8.4 8.6 4.4A4.3 4.4 0 1 0 0 4.4A4.3 4.4 0 1 0 8.6 4.4", 8.6),
        ' ' => ("", 3.0),
        _ => ("M0 0H8V14H0Z", 8.0),
    }
}

/// A text with its middle at a point, its capitals so high, in a colour.
pub fn centred(text: &str, x: f32, y: f32, height: f32, colour: &str) -> String {
    let scale = height / HEIGHT;
    let letters: Vec<_> = text.chars().map(letter).collect();
    let width = letters.iter().map(|(_, width)| width + GAP).sum::<f32>() - GAP;
    let (mut left, top) = (x - width * scale / 2.0, y - height / 2.0);
    let mut svg = format!(
        "<g fill=\"none\" stroke=\"{colour}\" stroke-width=\"{STROKE}\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\">"
    );
    for (path, width) in letters {
        if !path.is_empty() {
            svg += &format!(
                "<path transform=\"translate({left:.2} {top:.2}) scale({scale:.4})\" d=\"{path}\"/>"
            );
        }
        left += (width + GAP) * scale;
    }
    svg + "</g>\n"
}

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn every_letter_and_figure_has_a_form_of_its_own() {
        let mut forms: Vec<_> = ('A'..='Z').chain('a'..='z').chain('0'..='9').map(|c| letter(c).0).collect();
        forms.push(letter('?').0);
        let all = forms.len();
        forms.sort_unstable();
        forms.dedup();
        assert_eq!(forms.len(), all);
    }
}
