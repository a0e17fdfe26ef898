//! Solutions as problem people read them, and as data for programs.
//!
//! Must not know how they were found.

use crate::Solution;
use crate::battle::{Attack, Battle, Defence, Reply};
use crate::help::Lines;
use crate::problem::{Problem, passed};
use crate::stipulation::{Play, Stipulation};
use alice_core::{Move, Position};
use serde::Serialize;

impl Solution {
    /// The solution as people read it. Ends with a line break.
    pub fn text(&self, problem: &Problem) -> String {
        let mut lines = Vec::new();
        match self {
            Self::Battle(battle) => battle_text(battle, problem, &mut lines),
            Self::Lines(found) => lines_text(found, problem, &mut lines),
        }
        lines.push(String::new());
        lines.join("\n")
    }

    /// The solution as data.
    pub fn report(&self, problem: &Problem) -> Report {
        let stipulation = problem.stipulation();
        let start = problem.beginning();
        let mut report = Report {
            stipulation: stipulation.to_string(),
            position: problem.position().to_string(),
            complete: self.complete(),
            ..Report::default()
        };
        match self {
            Self::Battle(battle) => {
                let attacks = |all: &[Attack]| all.iter().map(|one| attack_report(one, &start)).collect();
                report.keys = Some(attacks(&battle.keys));
                report.tries = (!battle.tries.is_empty()).then(|| attacks(&battle.tries));
                report.undecided = battle.undecided.iter().map(|mv| start.algebraic(mv)).collect();
                report.set_play = battle.set_play.as_ref().map(|replies| {
                    let passed = passed(&start);
                    SetPlay::Replies(replies.iter().map(|reply| reply_report(reply, &passed)).collect())
                });
            }
            Self::Lines(lines) => {
                let texts = |lines: &[Vec<Move>], start: &Position| {
                    lines.iter().map(|line| moves_text(line, start, series(problem))).collect::<Vec<_>>()
                };
                report.more = lines.more;
                report.lines = Some(texts(&lines.lines, &start));
                report.short = texts(&lines.short, &start);
                report.set_play =
                    lines.set_play.as_ref().map(|set| SetPlay::Lines(texts(set, &passed(&start))));
            }
        }
        report
    }
}

/// `2.` or `2...`
fn number(n: u32, attacker: bool) -> String {
    format!("{n}{}", if attacker { "." } else { "..." })
}

fn battle_text(battle: &Battle, problem: &Problem, out: &mut Vec<String>) {
    let start = problem.position();
    if let Some(replies) = &battle.set_play {
        out.push(if replies.is_empty() { "Set play: none".into() } else { "Set play".into() });
        let passed = passed(start);
        for group in grouped(replies.iter().map(|reply| reply_lines(reply, &passed, 1))) {
            indent(group, 1, out);
        }
        out.push(String::new());
    }
    for (all, sign) in [(&battle.tries, "?"), (&battle.keys, "!")] {
        for attack in all {
            attack_lines(attack, start, 1, sign, out);
        }
    }
    if !battle.complete && battle.tries.iter().any(|attack| attack.defence.is_none()) {
        out.push("Stopped: of tries without play, the refutation is not shown.".into());
    }
    match (battle.keys.len(), battle.complete) {
        (0, true) => out.push(format!("No solution to {}.", problem.stipulation())),
        (0, false) => out.push("No solution was found so far.".into()),
        (1, _) => {}
        (keys, _) => out.push(format!("{keys} keys.")),
    }
    if !battle.complete {
        let undecided: Vec<_> = battle.undecided.iter().map(|mv| start.algebraic(mv)).collect();
        out.push(match undecided.is_empty() {
            true => "Stopped: not all play after the first moves is shown.".into(),
            false => format!("Stopped: nothing is known of 1.{}.", undecided.join(", ")),
        });
    }
}

fn indent(lines: Vec<String>, by: usize, out: &mut Vec<String>) {
    out.extend(lines.into_iter().map(|line| format!("{}{line}", "    ".repeat(by))));
}

/// The lines that begin with a move of the attacker's.
fn attack_lines(attack: &Attack, before: &Position, n: u32, sign: &str, out: &mut Vec<String>) {
    let mut lines = vec![format!("{}{}{sign}", number(n, true), before.algebraic(&attack.mv))];
    if let Some(defence) = &attack.defence {
        defence_lines(defence, &before.after(&attack.mv), n, &mut lines);
    }
    out.extend(lines);
}

/// What follows a move of the attacker's: something added to its own line, and lines below it.
fn defence_lines(defence: &Defence, after: &Position, n: u32, out: &mut Vec<String>) {
    if !defence.threats.is_empty() {
        let passed = passed(after);
        let firsts: Vec<_> = defence.threats.iter().map(|threat| passed.algebraic(&threat.mv)).collect();
        let threats = format!(" ({}{})", number(n + 1, true), firsts.join(", "));
        out.last_mut().expect("the move has a line").push_str(&threats);
        for threat in defence.threats.iter().filter(|threat| !threat.ends) {
            let mut lines = Vec::new();
            attack_lines(threat, &passed, n + 1, "", &mut lines);
            lines[0].insert_str(0, "threat ");
            indent(lines, 1, out);
        }
    } else if !defence.check {
        out.last_mut().expect("the move has a line").push_str(" zugzwang");
    }
    let (refuting, met): (Vec<&Reply>, Vec<&Reply>) = defence.replies.iter().partition(|r| r.refutes());
    for group in grouped(met.into_iter().map(|reply| reply_lines(reply, after, n))) {
        indent(group, 1, out);
    }
    for reply in refuting {
        out.push(format!("    but {}{}!", number(n, false), after.algebraic(&reply.mv)));
    }
}

/// A reply: its number, the move, and what follows it, the first line of which belongs behind it.
fn reply_lines(reply: &Reply, before: &Position, n: u32) -> (String, String, Vec<String>) {
    let after = before.after(&reply.mv);
    let mut follows = Vec::new();
    match reply.answers.as_slice() {
        [] => follows.push(String::new()),
        [one] => attack_lines(one, &after, n + 1, "", &mut follows),
        several if several.iter().all(|attack| attack.ends) => {
            let moves: Vec<_> = several.iter().map(|attack| after.algebraic(&attack.mv)).collect();
            follows.push(format!("{}{} (dual)", number(n + 1, true), moves.join(", ")));
        }
        several => {
            follows.push("(dual)".into());
            for attack in several {
                let mut lines = Vec::new();
                attack_lines(attack, &after, n + 1, "", &mut lines);
                indent(lines, 1, &mut follows);
            }
        }
    }
    (number(n, false), before.algebraic(&reply.mv), follows)
}

/// Replies with the same to follow, together.
fn grouped(replies: impl Iterator<Item = (String, String, Vec<String>)>) -> Vec<Vec<String>> {
    let mut groups: Vec<(String, Vec<String>, Vec<String>)> = Vec::new();
    for (number, mv, follows) in replies {
        match groups.iter_mut().find(|(_, _, same)| *same == follows) {
            Some((_, moves, _)) => moves.push(mv),
            None => groups.push((number, vec![mv], follows)),
        }
    }
    let group = |(number, moves, mut follows): (String, Vec<String>, Vec<String>)| {
        let space = if follows[0].is_empty() { "" } else { " " };
        follows[0] = format!("{number}{}{space}{}", moves.join(", "), follows[0]);
        follows
    };
    groups.into_iter().map(group).collect()
}

fn series(problem: &Problem) -> Option<Stipulation> {
    Some(problem.stipulation()).filter(|stipulation| stipulation.play == Play::SeriesHelp)
}

fn lines_text(found: &Lines, problem: &Problem, out: &mut Vec<String>) {
    let start = problem.beginning();
    if let Some(set) = &found.set_play {
        out.push(if set.is_empty() { "Set play: none".into() } else { "Set play".into() });
        let passed = passed(&start);
        let later = |line: &Vec<Move>| format!("    {}", numbered(line, &passed, None, true));
        out.extend(set.iter().map(later));
        out.push(String::new());
    }
    if !found.short.is_empty() {
        out.push("Solutions in fewer moves".into());
        out.extend(found.short.iter().map(|line| format!("    {}", line_text(line, problem, &start))));
        out.push(String::new());
    }
    out.extend(found.lines.iter().map(|line| line_text(line, problem, &start)));
    let solutions = found.lines.len();
    match (solutions, found.complete) {
        (0, true) if found.short.is_empty() => out.push(format!("No solution to {}.", problem.stipulation())),
        (0, true) => out.push(format!("No solution in just {} moves.", problem.stipulation())),
        (1, true) => {}
        (_, true) => out.push(format!("{solutions} solutions.")),
        (0, false) if found.short.is_empty() => out.push("Stopped: no solution was found so far.".into()),
        (_, false) => {
            let counted = if solutions == 1 { "solution" } else { "solutions" };
            let more = if found.more { "; there are more than were asked for" } else { " so far" };
            out.push(format!("Stopped: {solutions} {counted} of this length{more}."));
        }
    }
}

fn line_text(line: &[Move], problem: &Problem, start: &Position) -> String {
    let stipulation = problem.stipulation();
    let second = stipulation.half && stipulation.play == Play::Help;
    numbered(line, start, series(problem), second)
}

fn moves_text(line: &[Move], start: &Position, series: Option<Stipulation>) -> Vec<String> {
    let mut position = start.clone();
    let mut texts = Vec::new();
    for (n, mv) in line.iter().enumerate() {
        texts.push(position.algebraic(mv));
        position.play(mv);
        if series.is_some() && n + 2 < line.len() {
            position = passed(&position);
        }
    }
    texts
}

/// A line with numbers; `second` if it begins with the second half of a move.
fn numbered(line: &[Move], start: &Position, series: Option<Stipulation>, second: bool) -> String {
    let texts = moves_text(line, start, series);
    let mut words = Vec::new();
    for (n, text) in texts.iter().enumerate() {
        let last = n + 1 == texts.len();
        let half = n + usize::from(second);
        words.push(match series {
            Some(_) if last => text.clone(),
            Some(_) => format!("{}.{text}", n + 1),
            None if half % 2 == 0 => format!("{}.{text}", half / 2 + 1),
            None if n == 0 => format!("1...{text}"),
            None => text.clone(),
        });
    }
    words.join(" ")
}

/// A solution as data. Moves are in algebraic notation.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// What was asked.
    pub stipulation: String,
    /// Of which position.
    pub position: String,
    /// Whether all was searched.
    pub complete: bool,
    /// Whether there are more solutions than were asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// The keys, where sides fight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keys: Option<Vec<AttackReport>>,
    /// The tries, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tries: Option<Vec<AttackReport>>,
    /// The solutions, where sides help each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<Vec<String>>>,
    /// Solutions in fewer moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub short: Vec<Vec<String>>,
    /// Set play, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_play: Option<SetPlay>,
    /// First moves of which nothing is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<String>,
}

/// Set play as data.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum SetPlay {
    /// Where sides fight.
    Replies(Vec<ReplyReport>),
    /// Where they help each other.
    Lines(Vec<Vec<String>>),
}

/// A move of the attacker's as data.
#[derive(Clone, Debug, Serialize)]
pub struct AttackReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it threatens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub threats: Vec<AttackReport>,
    /// The replies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<ReplyReport>,
}

/// A reply as data.
#[derive(Clone, Debug, Serialize)]
pub struct ReplyReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The answers; none after a refutation and after the last move of a selfmate.
    pub answers: Vec<AttackReport>,
    /// Whether it refutes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub refutes: bool,
}

fn attack_report(attack: &Attack, before: &Position) -> AttackReport {
    let after = before.after(&attack.mv);
    let mut report =
        AttackReport { mv: before.algebraic(&attack.mv), threats: Vec::new(), replies: Vec::new() };
    if let Some(defence) = &attack.defence {
        if !defence.threats.is_empty() {
            let passed = passed(&after);
            report.threats = defence.threats.iter().map(|threat| attack_report(threat, &passed)).collect();
        }
        report.replies = defence.replies.iter().map(|reply| reply_report(reply, &after)).collect();
    }
    report
}

fn reply_report(reply: &Reply, before: &Position) -> ReplyReport {
    let after = before.after(&reply.mv);
    ReplyReport {
        mv: before.algebraic(&reply.mv),
        answers: reply.answers.iter().map(|answer| attack_report(answer, &after)).collect(),
        refutes: reply.refutes(),
    }
}
