//! The report as one page that a person would rather look at: charts first, each measure with its meaning, and
//! where variants differ.
//!
//! Must not know how anything is measured.

use crate::charts::{Curve, Row, bars, colour, curves, intervals};
use crate::game::Ending;
use crate::measures::{MEASURES, Measure, Unit};
use crate::report::{Entry, Report, written};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = "
:root { color-scheme: light dark; --paper: #fff; --ink: #1a1a1a; --soft: #666; --line: #ddd; --card: #fff; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181c; --ink: #e6e6e6; --soft: #a0a0a0; --line: #3a3d42; --card: #f7f7f7; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: .2rem } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line) } h3 { margin: 1.6rem 0 0 }
p.soft, td.soft { color: var(--soft) } p { margin: .3rem 0 .6rem }
figure { margin: .6rem 0; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .5rem; overflow-x: auto; width: fit-content; max-width: 100% }
figure svg { display: block; max-width: 100%; height: auto }
table { border-collapse: collapse; display: block; overflow-x: auto } td, th { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap } td:first-child, th:first-child { text-align: left }
code { background: color-mix(in srgb, var(--line) 50%, transparent); padding: 0 .3em; border-radius: 3px }
";

fn figure(svg: String) -> Markup {
    html! { @if !svg.is_empty() { figure { (PreEscaped(svg)) } } }
}

/// The page.
pub fn page(report: &Report) -> String {
    let names: Vec<&str> = report.variants.iter().map(|entry| entry.name.as_str()).collect();
    let title = format!("{} compared", list(&names));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p.soft { (how(report)) }
                h2 { "How games end" }
                (endings(report))
                h2 { "Where they differ" }
                p { "Of two variants whose intervals have nothing in common, it is said that they differ; of the others it can't be said from these games." }
                (differences(report))
                h2 { "The measures" }
                p { "Dots are the values, bars the intervals of 95 %." }
                @for (n, measure) in MEASURES.iter().enumerate() { (one(report, n, measure)) }
                h2 { "Over the plies of a game" }
                h3 { "Legal moves" }
                p { "How many moves there are to choose from, as far as a quarter of the games go." }
                (figure(curves(&legal(report), true, &|y| format!("{y:.0}"))))
                @if let Some(men) = men(report) {
                    h3 { "Men away from board A" }
                    p { "The share of all men that stand on another board." }
                    (figure(curves(&men, true, &|y| format!("{:.0} %", 100.0 * y))))
                }
                h2 { "What men are worth" }
                p { "In pawns, fitted to how games ended; a colour for each board. Wide bars: the games say little." }
                @for entry in &report.variants { (worth(entry)) }
                h2 { "All numbers" }
                (table(report))
            }
        }
    };
    page.into_string()
}

fn how(report: &Report) -> String {
    let settings = report.heading.settings;
    let effort = match (settings.nodes, settings.time) {
        (Some(nodes), Some(time)) => format!("{nodes} positions or {time} ms"),
        (Some(nodes), None) => format!("{nodes} positions"),
        (None, Some(time)) => format!("{time} ms"),
        (None, None) => "no limit".into(),
    };
    let games: usize = report.variants.iter().map(|entry| entry.games).sum();
    format!(
        "{games} games of the program against itself: {effort} a move, the first {} plies drawn by lot (seed {}), broken off after {} plies. Version {}.",
        settings.openings, settings.seed, settings.longest, report.heading.version
    )
}

fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_string(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

fn endings(report: &Report) -> Markup {
    let parts = Ending::ALL.map(Ending::name);
    let rows = report.variants.iter().map(|entry| {
        let share = |part: &&str| entry.endings[part] as f64 / entry.games.max(1) as f64;
        (entry.name.clone(), parts.iter().map(share).collect())
    });
    figure(bars(&rows.collect::<Vec<_>>(), &parts))
}

fn differences(report: &Report) -> Markup {
    let all = report.variants.len() * report.variants.len().saturating_sub(1) / 2;
    html! {
        @if all > 0 {
            table {
                tr { th { "measure" } th { "pairs that differ" } th { "which" } }
                @for measure in MEASURES {
                    @let apart = &report.apart[measure.key];
                    tr {
                        td { (measure.title) }
                        td { (apart.len()) " of " (all) }
                        td.soft { (apart.iter().take(3).map(|(a, b)| format!("{a} / {b}")).collect::<Vec<_>>().join(", ")) @if apart.len() > 3 { ", …" } }
                    }
                }
            }
        }
    }
}

fn one(report: &Report, n: usize, measure: &Measure) -> Markup {
    let estimates: Vec<_> =
        report.variants.iter().filter_map(|entry| Some((entry, entry.measures[n].estimate?))).collect();
    // What never happens needs no picture.
    if estimates.iter().all(|(_, estimate)| estimate.value == 0.0) {
        return html! {
            h3 { (measure.title) }
            p.soft { (measure.meaning) ". There was nothing of the sort." }
        };
    }
    let row = |(entry, estimate): &(&Entry, crate::Estimate)| Row {
        name: entry.name.clone(),
        points: vec![(estimate.value, estimate.low, estimate.high, 0)],
    };
    let rows: Vec<Row> = estimates.iter().map(row).collect();
    html! {
        h3 { (measure.title) }
        p.soft { (measure.meaning) }
        (figure(intervals(&rows, &|x| axis(measure.unit, x))))
    }
}

fn axis(unit: Unit, x: f64) -> String {
    match unit {
        Unit::Share => format!("{:.0} %", 100.0 * x),
        Unit::Number(_) if x.abs() >= 10.0 => format!("{x:.0}"),
        Unit::Number(_) => format!("{x:.2}"),
    }
}

fn legal(report: &Report) -> Vec<Curve> {
    let curve = |entry: &Entry| Curve {
        name: entry.name.clone(),
        points: entry.legal_by_ply.iter().map(|(ply, moves)| (*ply as f64, *moves)).collect(),
    };
    report.variants.iter().map(curve).collect()
}

/// None if no variant has a second board.
fn men(report: &Report) -> Option<Vec<Curve>> {
    let doubled = report.variants.iter().filter(|entry| entry.men_by_ply.len() > 1);
    let curves: Vec<Curve> = doubled
        .map(|entry| Curve {
            name: entry.name.clone(),
            points: entry.men_by_ply[0]
                .iter()
                .enumerate()
                .map(|(ply, on_a)| (ply as f64, 1.0 - on_a))
                .collect(),
        })
        .collect();
    (!curves.is_empty()).then_some(curves)
}

fn worth(entry: &Entry) -> Markup {
    let mut rows: Vec<Row> = Vec::new();
    let mut boards: Vec<&str> = Vec::new();
    for worth in &entry.worth {
        if !boards.contains(&worth.board.as_str()) {
            boards.push(&worth.board);
        }
        let hue = boards.iter().position(|board| *board == worth.board).unwrap_or(0);
        let point = (worth.estimate.value, worth.estimate.low, worth.estimate.high, hue);
        rows.push(Row { name: format!("{} {}", worth.man, worth.board), points: vec![point] });
    }
    html! {
        h3 { (entry.name) }
        @if rows.is_empty() {
            p.soft { "These games do not say." }
        } @else {
            p.soft { @for (n, board) in boards.iter().enumerate() {
                @let hue = colour(n);
                span style=(format!("color: rgb({}, {}, {})", hue.0, hue.1, hue.2)) { "● " } "board " (board) " "
            } }
            (figure(intervals(&rows, &|x| format!("{x:.1}"))))
        }
    }
}

fn table(report: &Report) -> Markup {
    html! {
        table {
            tr { th { "measure" } @for entry in &report.variants { th { (entry.name) } } }
            tr { td { "games" } @for entry in &report.variants { td { (entry.games) } } }
            @for (n, measure) in MEASURES.iter().enumerate() {
                tr { td { (measure.title) } @for entry in &report.variants { td { (written(measure, &entry.measures[n])) } } }
            }
        }
    }
}
