//! Reading typed values out of the tree, and collecting every fault on the way.
//!
//! Each reader gives the value, or notes a fault and gives nothing, so that reading goes on and all
//! faults are found at once. Must not know what any key means.

use crate::keys;
use crate::report::Source;
use crate::tree::{Node, Place, Table, Value};
use alice_core::Fault;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// The faults found so far, with the texts they are in.
#[derive(Debug)]
pub(crate) struct Faults {
    /// The text that was asked for; others are what it extends.
    own: Arc<Source>,
    found: Vec<(Arc<Source>, Fault)>,
}

impl Faults {
    pub(crate) fn new(own: Arc<Source>) -> Self {
        Self { own, found: Vec::new() }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.found.len()
    }

    /// All faults: those of the text that was asked for, then those of what it extends, each in the order
    /// of the text.
    pub(crate) fn into_sorted(self) -> Vec<(Arc<Source>, Fault)> {
        let mut sources = vec![self.own];
        for (source, _) in &self.found {
            if !sources.iter().any(|known| Arc::ptr_eq(known, source)) {
                sources.push(source.clone());
            }
        }
        let mut found = self.found;
        found.sort_by_key(|(source, fault)| {
            (sources.iter().position(|known| Arc::ptr_eq(known, source)), fault.at.start)
        });
        found
    }

    /// The one of two places to blame for what they say together: the one in the text that was asked
    /// for; the first if both are there, or neither.
    pub(crate) fn blame<'a>(&self, first: &'a Place, second: &'a Place) -> &'a Place {
        let is_own = |place: &Place| Arc::ptr_eq(&place.source, &self.own);
        if is_own(second) && !is_own(first) { second } else { first }
    }

    /// Takes over the faults of a text's syntax.
    pub(crate) fn extend(&mut self, source: &Arc<Source>, faults: Vec<Fault>) {
        self.found.extend(faults.into_iter().map(|fault| (source.clone(), fault)));
    }

    pub(crate) fn add(&mut self, place: &Place, problem: impl Into<String>, advice: impl Into<String>) {
        let fault = Fault { at: place.at.clone(), problem: problem.into(), advice: advice.into() };
        self.found.push((place.source.clone(), fault));
    }

    /// Notes that a value is not of the kind that was expected.
    pub(crate) fn wrong(&mut self, node: &Node, expected: &str, advice: impl Into<String>) {
        let problem = format!("{} is {}, but {expected} is expected", node.what(), seen(&node.value));
        self.add(&node.place, problem, advice);
    }

    /// Notes that a required key is missing from a table. `name` is the table's full name.
    pub(crate) fn missing(&mut self, table: &Node, name: &str, key: &str, advice: &str) {
        self.add(&table.key_place, format!("`{key}` is missing from [{name}]"), advice);
    }

    /// A table, after noting the keys in it that are none of those known. `name` is the table's full
    /// name: `men.king`.
    pub(crate) fn table<'a>(&mut self, node: &'a Node, name: &str, known: &[&str]) -> Option<&'a Table> {
        let Value::Table(table) = &node.value else {
            self.wrong(node, "a table", format!("write [{name}] and under it some of {}", known.join(", ")));
            return None;
        };
        self.known_keys(table, &format!("of [{name}]"), known);
        Some(table)
    }

    /// Notes each key of a table that is none of those known. `place` says where: `of [men.king]`.
    pub(crate) fn known_keys(&mut self, table: &Table, place: &str, known: &[&str]) {
        for node in &table.nodes {
            if !known.contains(&node.key.as_str()) {
                let advice = match (nearest(&node.key, known), keys::belongs(&node.key)) {
                    (Some(word), None) if known.len() == 1 => format!("write `{word}`"),
                    (Some(word), None) => format!("did you mean `{word}`? Known here: {}", known.join(", ")),
                    (_, Some(belongs)) => belongs,
                    (None, None) if known.is_empty() => "nothing is expected here".into(),
                    (None, None) => format!("known here: {}", known.join(", ")),
                };
                self.add(&node.key_place, format!("{} is not a key {place}", quoted(&node.key)), advice);
            }
        }
    }

    /// A text without control characters and not too long to be shown.
    pub(crate) fn text<'a>(&mut self, node: &'a Node, expected: &str) -> Option<&'a str> {
        match &node.value {
            Value::Text(text) if text.chars().any(char::is_control) => {
                let problem = format!("`{}` holds a line break or another control character", node.key);
                self.add(&node.place, problem, "write it in one line of plain text");
                None
            }
            Value::Text(text) if text.len() > 2000 => {
                let problem = format!("`{}` has {} bytes", node.key, text.len());
                self.add(&node.place, problem, "write at most 2000");
                None
            }
            Value::Text(text) => Some(text),
            _ => {
                let advice = match node.is_entry() {
                    true => "write it in quotes, \"…\"".into(),
                    false => format!("write {} = \"…\"", node.key),
                };
                self.wrong(node, expected, advice);
                None
            }
        }
    }

    /// A whole number within limits. `noun` says of what.
    pub(crate) fn whole(&mut self, node: &Node, limits: RangeInclusive<i64>, noun: &str) -> Option<i64> {
        let (least, most) = (limits.start(), limits.end());
        let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
        match node.value {
            Value::Whole(Some(number)) if limits.contains(&number) => Some(number),
            Value::Whole(number) => {
                let number = number.map_or("out of all range".into(), |number| number.to_string());
                let problem = format!("{} is {number}, but {noun} is {range}", node.what());
                self.add(&node.place, problem, "write a whole number within the range");
                None
            }
            _ => {
                self.wrong(node, "a whole number", format!("write {noun}, {range}, without quotes"));
                None
            }
        }
    }

    /// True or false.
    pub(crate) fn truth(&mut self, node: &Node) -> Option<bool> {
        match node.value {
            Value::Truth(truth) => Some(truth),
            _ => {
                let advice = format!("write {0} = true or {0} = false, without quotes", node.key);
                self.wrong(node, "true or false", advice);
                None
            }
        }
    }

    /// One of several words.
    pub(crate) fn word<T: Copy>(&mut self, node: &Node, words: &[(&str, T)]) -> Option<T> {
        let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let choice = all.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(" or ");
        let Value::Text(text) = &node.value else {
            self.wrong(node, "one of some words", format!("write {choice}"));
            return None;
        };
        let found = words.iter().find(|(word, _)| word == text).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let advice = match nearest(text, &all) {
                Some(word) => format!("did you mean \"{word}\"? Write {choice}"),
                None => format!("write {choice}"),
            };
            self.add(&node.place, format!("{} can't be {}", node.what(), quoted(text)), advice);
        }
        found
    }

    /// The only word that may stand where otherwise something else does.
    pub(crate) fn only_word(&mut self, node: &Node, word: &str, otherwise: &str) {
        if !matches!(&node.value, Value::Text(text) if text == word) {
            let problem = format!("{} is {}", node.what(), seen(&node.value));
            self.add(&node.place, problem, format!("write \"{word}\" or {otherwise}"));
        }
    }

    /// A list.
    pub(crate) fn list<'a>(&mut self, node: &'a Node, advice: &str) -> Option<&'a [Node]> {
        match &node.value {
            Value::List(list) => Some(list),
            _ => {
                self.wrong(node, "a list", advice);
                None
            }
        }
    }
}

impl Node {
    /// Whether it is an entry of a list.
    fn is_entry(&self) -> bool {
        self.key_place.at == self.place.at
    }

    /// What it is, for messages.
    fn what(&self) -> String {
        if self.is_entry() { format!("an entry of `{}`", self.key) } else { format!("`{}`", self.key) }
    }

    /// The place of some bytes of a text value. If they can't be found in the file (a text with
    /// escapes), the whole value's.
    pub(crate) fn within(&self, at: Range<usize>) -> Place {
        let Value::Text(text) = &self.value else { return self.place.clone() };
        let start = self.place.at.start;
        let written = self.place.source.text.get(self.place.at.clone()).unwrap_or_default();
        match written.find(text.as_str()) {
            Some(offset) if !text.is_empty() => {
                let base = start + offset;
                Place { source: self.place.source.clone(), at: base + at.start..base + at.end }
            }
            _ => self.place.clone(),
        }
    }
}

/// What a value is, for messages.
fn seen(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("the text {}", quoted(text)),
        Value::Whole(Some(number)) => format!("the number {number}"),
        Value::Whole(None) => "a number out of all range".into(),
        Value::Truth(truth) => truth.to_string(),
        Value::List(_) => "a list".into(),
        Value::Table(_) => "a table".into(),
        Value::Other(what) => (*what).into(),
    }
}

/// A user's word in a message: in quotes, shortened if it is long.
pub(crate) fn quoted(word: &str) -> String {
    let short: String = word.chars().take(40).collect();
    let dots = if short.len() < word.len() { "…" } else { "" };
    format!("{:?}", format!("{short}{dots}"))
}

/// So much of a path as a message repeats.
pub(crate) fn shown(path: &str) -> String {
    const LONGEST: usize = 200;
    let mut shown: String = path.chars().take(LONGEST).collect();
    if shown.len() < path.len() {
        shown.push('…');
    }
    shown
}

/// The one of some words that a misspelt word most resembles, if it resembles any.
pub(crate) fn nearest<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    let plain = |w: &str| w.to_lowercase().replace(['_', ' '], "-");
    if word.len() > 40 {
        return None;
    }
    let word = plain(word);
    let near = |other: &&str| (strsim::jaro_winkler(&word, &plain(other)) * 1000.0) as u32;
    words.iter().copied().max_by_key(near).filter(|best| near(best) >= 800)
}
