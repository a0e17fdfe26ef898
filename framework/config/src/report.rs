//! Faults shown to people: the line they are in, a caret under the place, and advice.
//!
//! Knows texts and places only. Must not know what a config, a position or a move is.

use alice_core::Fault;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// The most faults of one text that are shown in full; the rest are counted.
const SHOWN: usize = 25;

/// A text with a name for people: where it came from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// `chess.toml`, `--fen` …
    pub origin: String,
    /// All of it; empty if it could not be read.
    pub text: String,
}

/// Renders the faults of a position's or move's text, one after the other: what is wrong, the text
/// with a caret under the place, what to do. `origin` says where the text came from, as in a
/// file's name or an option's.
///
/// A fault with an empty range at the end of the text points just behind it.
pub fn render_faults(origin: &str, text: &str, faults: &[Fault], colour: bool) -> String {
    let source = Source { origin: origin.into(), text: text.into() };
    render(faults.iter().map(|fault| (&source, fault)), colour)
}

/// Renders faults of several texts, in the order given.
pub(crate) fn render<'a>(
    faults: impl ExactSizeIterator<Item = (&'a Source, &'a Fault)>,
    colour: bool,
) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let hidden = faults.len().saturating_sub(SHOWN);
    let mut parts: Vec<String> = faults.take(SHOWN).map(|(s, f)| one(&renderer, s, f)).collect();
    if hidden > 0 {
        let more = format!("and {hidden} more like these");
        parts.push(renderer.render(&[Group::with_title(Level::NOTE.primary_title(more))]));
    }
    parts.join("\n\n")
}

fn one(renderer: &Renderer, source: &Source, fault: &Fault) -> String {
    let title = Level::ERROR.primary_title(plain(&fault.problem));
    let group = if source.text.is_empty() {
        title.element(Origin::path(source.origin.as_str()))
    } else {
        let line = Line::at(&source.text, fault.at.start);
        let place = line.within(&source.text, fault.at.clone());
        let snippet = Snippet::source(line.shown(&source.text))
            .path(source.origin.as_str())
            .line_start(line.number)
            .annotation(AnnotationKind::Primary.span(place));
        title.element(snippet)
    };
    let advice = plain(&fault.advice);
    let group = if advice.is_empty() { group } else { group.element(Level::HELP.message(advice)) };
    renderer.render(&[group])
}

/// One line of a text.
struct Line {
    /// From 1.
    number: usize,
    /// Its bytes in the text, without its end.
    bytes: Range<usize>,
}

impl Line {
    /// The line in which byte `at` of a text lies.
    fn at(text: &str, at: usize) -> Self {
        let at = boundary(text, at);
        let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
        let end = text[at..].find('\n').map_or(text.len(), |n| at + n);
        Self { number: text[..start].matches('\n').count() + 1, bytes: start..end }
    }

    /// The line for people. Control characters would move the caret or the reader's cursor; each
    /// is shown as spaces, as many as it has bytes.
    fn shown(&self, text: &str) -> String {
        let spaced = |c: char| {
            let (c, n) = if c.is_control() { (' ', c.len_utf8()) } else { (c, 1) };
            std::iter::repeat_n(c, n)
        };
        text[self.bytes.clone()].chars().flat_map(spaced).collect()
    }

    /// A range of the text's bytes as bytes of this line, cut where the line ends.
    fn within(&self, text: &str, at: Range<usize>) -> Range<usize> {
        let inside = |n| boundary(text, n).clamp(self.bytes.start, self.bytes.end) - self.bytes.start;
        let from = inside(at.start);
        from..inside(at.end).max(from)
    }
}

/// The first byte of the character in which byte `at` lies.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|n| text.is_char_boundary(*n)).unwrap_or(0)
}

/// The line and column, counted in characters from 1, of a byte of a text.
pub(crate) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let line = Line::at(text, at);
    (line.number, text[line.bytes.start..boundary(text, at)].chars().count() + 1)
}

/// Without control characters, which a message could have got from the user's text.
fn plain(message: &str) -> String {
    message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(at: Range<usize>) -> Fault {
        Fault { at, problem: "what is wrong".into(), advice: "what to do".into() }
    }

    #[test]
    fn a_fault_is_shown_under_its_place() {
        let text = "one\ntwo three\nfour";
        insta::assert_snapshot!(render_faults("a.txt", text, &[fault(8..13), fault(18..18)], false));
    }

    #[test]
    fn a_fault_of_no_text_names_its_origin_only() {
        insta::assert_snapshot!(render_faults("a.txt", "", &[fault(0..0)], false));
    }

    #[test]
    fn any_range_of_any_text_is_shown_without_a_panic() {
        for text in ["", "\n", "é\r\nü\t日本\u{0}x", "\u{feff}a", "\u{85}\u{2028}b"] {
            for from in 0..text.len() + 3 {
                for to in 0..text.len() + 3 {
                    render_faults("a", text, &[fault(Range { start: from, end: to })], true);
                }
            }
        }
    }
}
