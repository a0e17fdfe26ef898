//! A comparison as a whole: all measures of all variants, in which of them variants really differ, and the
//! files that say so.
//!
//! Must not know how games are played or kept.

use crate::estimate::Estimate;
use crate::facts::Facts;
use crate::folder::Heading;
use crate::game::{Ending, Game, GameError};
use crate::measures::{MEASURES, Measure, Unit, legal_by_ply, men_by_ply};
use crate::page;
use crate::worth::worth;
use alice_core::{Board, Variant};
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::collections::BTreeMap;

/// A game that its moves do not bear out.
#[derive(Debug, thiserror::Error)]
#[error("game {number} of {variant}: {error}")]
pub struct BadGame {
    /// Of which variant.
    pub variant: String,
    /// Its number.
    pub number: u64,
    /// What is wrong with it.
    pub error: GameError,
}

/// One measure of one variant.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The measure's name in files.
    pub measure: &'static str,
    /// What it came to; none where no game has anything of the sort.
    pub estimate: Option<Estimate>,
}

/// All that is measured of one variant.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// The variant's name.
    pub name: String,
    /// How many games.
    pub games: usize,
    /// The measures, in the order in which they are shown.
    pub measures: Vec<Measured>,
    /// How games ended, and how many so.
    pub endings: BTreeMap<&'static str, usize>,
    /// Plies, and the mean number of legal moves before each.
    pub legal_by_ply: Vec<(usize, f64)>,
    /// For each board, the share of the men on it after each ply.
    pub men_by_ply: Vec<Vec<f64>>,
    /// For each kind of man but the royal one and each board: what it is worth, in pawns.
    pub worth: Vec<Worth>,
}

/// What a kind of man is worth on a board.
#[derive(Clone, Debug, Serialize)]
pub struct Worth {
    /// The kind's name.
    pub man: String,
    /// The board's letter.
    pub board: String,
    /// In pawns.
    pub estimate: Estimate,
}

/// A whole comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What was compared and how.
    pub heading: Heading,
    /// Each variant.
    pub variants: Vec<Entry>,
    /// For each measure, the pairs of variants whose intervals have nothing in common.
    pub apart: BTreeMap<&'static str, Vec<(String, String)>>,
}

impl Report {
    /// Measures games, which have to be those of the heading's variants, in its order.
    ///
    /// # Errors
    /// The first game that its moves do not bear out.
    pub fn new<'a>(
        heading: &Heading,
        variants: &[(String, Variant)],
        games: impl IntoIterator<Item = &'a Game>,
    ) -> Result<Self, BadGame> {
        let mut facts: Vec<Vec<Facts>> = variants.iter().map(|_| Vec::new()).collect();
        for game in games {
            let Some(n) = variants.iter().position(|(name, _)| *name == game.variant) else { continue };
            let found = Facts::of(game, &variants[n].1);
            facts[n].push(found.map_err(|error| BadGame {
                variant: game.variant.clone(),
                number: game.number,
                error,
            })?);
        }
        let entries: Vec<Entry> =
            variants.iter().zip(&facts).map(|((name, variant), facts)| entry(name, variant, facts)).collect();
        let apart = MEASURES.iter().enumerate().map(|(n, measure)| (measure.key, apart(&entries, n)));
        Ok(Self { heading: heading.clone(), apart: apart.collect(), variants: entries })
    }

    /// In which measures variants really differ, in words, a line each; empty if there is but one variant.
    pub fn verdict(&self) -> String {
        let pairs = self.variants.len() * self.variants.len().saturating_sub(1) / 2;
        let mut text = String::new();
        for measure in MEASURES.iter().filter(|_| pairs > 0) {
            let apart = &self.apart[measure.key];
            if apart.len() == pairs {
                text += &format!("{}: all differ\n", measure.title);
            } else if !apart.is_empty() {
                let some = apart.iter().take(4).map(|(a, b)| format!("{a} / {b}"));
                let some = some.collect::<Vec<_>>().join(", ");
                let more = if apart.len() > 4 { ", …" } else { "" };
                text +=
                    &format!("{}: {} of {pairs} pairs differ: {some}{more}\n", measure.title, apart.len());
            }
        }
        match (pairs, text.is_empty()) {
            (0, _) => text,
            (_, true) => "\nIn nothing do these games tell the variants apart.\n".into(),
            (_, false) => {
                format!(
                    "\nWhere intervals have nothing in common (of the rest these games can't tell):\n{text}"
                )
            }
        }
    }

    /// As JSON. An interval without end is `null`.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report is plain data") + "\n"
    }

    /// As CSV: a line for each variant and measure.
    pub fn csv(&self) -> String {
        let mut csv = csv::Writer::from_writer(Vec::new());
        let row = |csv: &mut csv::Writer<Vec<u8>>, cells: [&str; 6]| {
            csv.write_record(cells).expect("memory can be written");
        };
        row(&mut csv, ["variant", "measure", "value", "low", "high", "count"]);
        for entry in &self.variants {
            let measured = entry.measures.iter().filter_map(|m| Some((m.measure.to_string(), m.estimate?)));
            let worth =
                entry.worth.iter().map(|w| (format!("worth of the {} on {}", w.man, w.board), w.estimate));
            for (name, estimate) in measured.chain(worth) {
                let [value, low, high] =
                    [estimate.value, estimate.low, estimate.high].map(|number| number.to_string());
                row(&mut csv, [&entry.name, &name, &value, &low, &high, &estimate.count.to_string()]);
            }
        }
        let bytes = csv.into_inner().expect("memory can be written");
        String::from_utf8(bytes).expect("only text was written")
    }

    /// As one page for people, with charts, that needs nothing else.
    pub fn html(&self) -> String {
        page::page(self)
    }

    /// As tables for the terminal, at most so many columns wide: one, or several with some of the variants each.
    pub fn table(&self, width: usize) -> String {
        const TITLE: usize = 24;
        const CELL: usize = 26;
        let at_once = (width.saturating_sub(TITLE) / CELL).max(1);
        let tables: Vec<String> = self.variants.chunks(at_once).map(part).collect();
        tables.join("\n\n")
    }
}

/// The table of some variants.
fn part(entries: &[Entry]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let mut row = |title: &str, cell: &dyn Fn(&Entry) -> String| {
        table.add_row(std::iter::once(title.to_string()).chain(entries.iter().map(cell)));
    };
    row("", &|entry| entry.name.clone());
    row("games", &|entry| entry.games.to_string());
    for (n, measure) in MEASURES.iter().enumerate() {
        row(measure.title, &|entry| written(measure, &entry.measures[n]));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

/// A value with its interval, as `52.1 % (47.9 to 56.3 %)` in short.
pub(crate) fn written(measure: &Measure, measured: &Measured) -> String {
    match measured.estimate {
        None => "-".into(),
        Some(estimate) => format!(
            "{} [{}, {}]",
            measure.unit.write(estimate.value),
            measure.unit.write(estimate.low).trim_end_matches(" %"),
            measure.unit.write(estimate.high).trim_end_matches(" %")
        ),
    }
}

fn entry(name: &str, variant: &Variant, facts: &[Facts]) -> Entry {
    let rules = variant.rules();
    let boards = usize::from(rules.boards);
    let count = |ending: Ending| facts.iter().filter(|f| f.ending == ending).count();
    let worth = worth(variant, facts).into_iter().enumerate().filter_map(|(column, estimate)| {
        Some(Worth {
            man: rules.men[column / boards].name.clone(),
            board: Board((column % boards) as u8).to_string(),
            estimate: estimate?,
        })
    });
    let measured = |measure: &Measure| {
        let estimate = (measure.of)(facts);
        let share = measure.unit == Unit::Share;
        let estimate = if share { estimate.map(|share| share.within(0.0, 1.0)) } else { estimate };
        Measured { measure: measure.key, estimate }
    };
    Entry {
        name: name.into(),
        games: facts.len(),
        measures: MEASURES.iter().map(measured).collect(),
        endings: Ending::ALL.into_iter().map(|ending| (ending.name(), count(ending))).collect(),
        legal_by_ply: legal_by_ply(facts),
        men_by_ply: men_by_ply(facts, boards),
        worth: worth.collect(),
    }
}

/// The pairs that differ in a measure.
fn apart(entries: &[Entry], measure: usize) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (n, one) in entries.iter().enumerate() {
        for other in &entries[n + 1..] {
            let both = (one.measures[measure].estimate, other.measures[measure].estimate);
            if let (Some(a), Some(b)) = both
                && a.differs_from(&b)
            {
                pairs.push((one.name.clone(), other.name.clone()));
            }
        }
    }
    pairs
}
