//! Pictures of a comparison, as SVG text.
//!
//! Must not know what the numbers mean.

use plotters::coord::ranged1d::{IntoSegmentedCoord, SegmentValue};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::fmt::Display;

/// Colours that people with any sight of colour can tell apart (Okabe and Ito, 2008).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(150, 150, 150),
];

pub fn colour(n: usize) -> RGBColor {
    COLOURS[n % COLOURS.len()]
}

/// A line of a chart of intervals: its name, and points with the ends of their intervals, each in the colour of
/// that number.
pub struct Row {
    pub name: String,
    pub points: Vec<(f64, f64, f64, usize)>,
}

/// A curve: its name and its points.
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// The width of names and numbers is reckoned, since fonts are the reader's.
const LETTER: usize = 7;

fn names_width<'a>(names: impl Iterator<Item = &'a String>) -> u32 {
    (names.map(|name| name.chars().count()).max().unwrap_or(0).min(30) * LETTER + 16) as u32
}

/// A picture drawn by `draw`, or an empty text: a chart that can't be drawn is no reason to lose a report.
fn drawn<E: Display>(
    size: (u32, u32),
    draw: impl FnOnce(&DrawingArea<SVGBackend, plotters::coord::Shift>) -> Result<(), E>,
) -> String {
    let mut text = String::new();
    let done = {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&area)
            .map_err(|error| error.to_string())
            .and_then(|()| area.present().map_err(|e| e.to_string()))
    };
    if done.is_err() {
        text.clear();
    }
    text
}

/// The range that holds all intervals with an end, with some room.
fn range(rows: &[Row]) -> Option<(f64, f64)> {
    let ends =
        rows.iter().flat_map(|row| &row.points).flat_map(|(value, low, high, _)| [*value, *low, *high]);
    let ends: Vec<f64> = ends.filter(|end| end.is_finite()).collect();
    let (low, high) = (ends.iter().copied().reduce(f64::min)?, ends.iter().copied().reduce(f64::max)?);
    let room = if high > low { (high - low) * 0.06 } else { high.abs().max(1.0) * 0.1 };
    Some((low - room, high + room))
}

/// Values with their intervals, one row each; `write` says how a number is written. Empty if there is nothing
/// to show.
pub fn intervals(rows: &[Row], write: &dyn Fn(f64) -> String) -> String {
    let Some((low, high)) = range(rows) else { return String::new() };
    // The first row is at the top.
    let rows: Vec<&Row> = rows.iter().rev().collect();
    let height = 34 + 22 * rows.len() as u32;
    drawn((560, height), |area| -> Result<(), Box<dyn std::error::Error>> {
        let mut chart = ChartBuilder::on(area)
            .margin_right(24)
            .x_label_area_size(24)
            .y_label_area_size(names_width(rows.iter().map(|row| &row.name)))
            .build_cartesian_2d(low..high, (0..rows.len()).into_segmented())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(RGBColor(225, 225, 225))
            .disable_y_mesh()
            .axis_style(RGBColor(150, 150, 150))
            .label_style(("sans-serif", 13))
            .x_labels(6)
            .y_labels(rows.len())
            .x_label_formatter(&|x| write(*x))
            .y_label_formatter(&|y| match y {
                SegmentValue::CenterOf(n) | SegmentValue::Exact(n) => {
                    rows.get(*n).map_or(String::new(), |row| row.name.clone())
                }
                SegmentValue::Last => String::new(),
            })
            .draw()?;
        for (n, row) in rows.iter().enumerate() {
            for (value, from, to, hue) in &row.points {
                let (from, to) = (from.max(low), to.min(high));
                let at = |x: f64| (x, SegmentValue::CenterOf(n));
                chart
                    .draw_series([PathElement::new(vec![at(from), at(to)], colour(*hue).stroke_width(3))])?;
                chart.draw_series([Circle::new(at(*value), 4, colour(*hue).filled())])?;
            }
        }
        Ok(())
    })
}

/// Shares of a whole, one bar a row; the parts' names go with their colours in order.
pub fn bars(rows: &[(String, Vec<f64>)], parts: &[&str]) -> String {
    let rows: Vec<&(String, Vec<f64>)> = rows.iter().rev().collect();
    let height = 60 + 26 * rows.len() as u32;
    drawn((720, height), |area| -> Result<(), Box<dyn std::error::Error>> {
        let (legend, area) = area.split_vertically(28);
        let mut x = 8;
        for (n, part) in parts.iter().enumerate() {
            legend.draw(&Rectangle::new([(x, 8), (x + 12, 20)], colour(n).filled()))?;
            let font = ("sans-serif", 13).into_font().color(&RGBColor(60, 60, 60));
            let style = font.pos(Pos::new(HPos::Left, VPos::Center));
            legend.draw(&Text::new((*part).to_string(), (x + 17, 14), style))?;
            x += 34 + (part.chars().count() * LETTER) as i32;
        }
        let mut chart = ChartBuilder::on(&area)
            .margin_right(24)
            .x_label_area_size(24)
            .y_label_area_size(names_width(rows.iter().map(|row| &row.0)))
            .build_cartesian_2d(0.0..1.0, (0..rows.len()).into_segmented())?;
        chart
            .configure_mesh()
            .disable_mesh()
            .label_style(("sans-serif", 13))
            .axis_style(RGBColor(150, 150, 150))
            .y_labels(rows.len())
            .x_label_formatter(&|x| format!("{:.0} %", 100.0 * x))
            .y_label_formatter(&|y| match y {
                SegmentValue::CenterOf(n) | SegmentValue::Exact(n) => {
                    rows.get(*n).map_or(String::new(), |row| row.0.clone())
                }
                SegmentValue::Last => String::new(),
            })
            .draw()?;
        for (n, (_, shares)) in rows.iter().enumerate() {
            let mut from = 0.0;
            for (hue, share) in shares.iter().enumerate() {
                let corners = [(from, SegmentValue::Exact(n)), (from + share, SegmentValue::Exact(n + 1))];
                let mut bar = Rectangle::new(corners, colour(hue).filled());
                bar.set_margin(4, 4, 0, 0);
                chart.draw_series([bar])?;
                from += share;
            }
        }
        Ok(())
    })
}

/// Curves over plies. Empty if there is nothing to show.
pub fn curves(curves: &[Curve], from_zero: bool, write: &dyn Fn(f64) -> String) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let Some(last) = points().map(|p| p.0).reduce(f64::max) else { return String::new() };
    let high = points().map(|p| p.1).fold(f64::MIN, f64::max);
    let low = if from_zero { 0.0 } else { points().map(|p| p.1).fold(f64::MAX, f64::min) };
    let room = ((high - low) * 0.05).max(1e-3);
    drawn((720, 320), |area| -> Result<(), Box<dyn std::error::Error>> {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .x_label_area_size(36)
            .y_label_area_size(54)
            .build_cartesian_2d(0.0..last.max(1.0), low..high + room)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(RGBColor(225, 225, 225))
            .axis_style(RGBColor(150, 150, 150))
            .label_style(("sans-serif", 13))
            .x_desc("ply")
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| write(*y))
            .draw()?;
        for (n, curve) in curves.iter().enumerate() {
            let style = colour(n).stroke_width(2);
            chart
                .draw_series(LineSeries::new(curve.points.iter().copied(), style))?
                .label(curve.name.clone())
                .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], colour(n).stroke_width(3)));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .label_font(("sans-serif", 13))
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(200, 200, 200))
            .draw()?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_name_what_they_show_and_take_numbers_without_end() {
        let row = |name: &str, point| Row { name: name.into(), points: vec![point] };
        let endless = (1.0, f64::NEG_INFINITY, f64::INFINITY, 1);
        let drawn =
            intervals(&[row("alice", (0.5, 0.4, 0.6, 0)), row("duo", endless)], &|x| format!("{x:.1}"));
        assert!(drawn.contains("<svg") && drawn.contains("alice") && drawn.contains("duo"), "{drawn}");
        assert_eq!(intervals(&[row("none", (f64::NAN, f64::NAN, f64::NAN, 0))], &|x| x.to_string()), "");
        let bar = bars(&[("alice".into(), vec![0.25, 0.75])], &["mate", "stalemate"]);
        assert!(bar.contains("stalemate") && bar.contains("alice"));
        let line = Curve { name: "alice".into(), points: vec![(0.0, 20.0), (1.0, 20.0)] };
        assert!(curves(&[line], true, &|x| format!("{x:.0}")).contains("ply"));
        assert_eq!(curves(&[], true, &|x| x.to_string()), "");
    }
}
