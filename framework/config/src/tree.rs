//! A config as a tree of keys and values in which everything remembers its place, and the laying
//! of one config over another (`extends`).
//!
//! Knows TOML. Must not know which keys mean what, but for the tables that are replaced as a whole.

use crate::report::Source;
use alice_core::Fault;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeInteger, DeString, DeTable, DeValue};

/// Where something stands: a text, and bytes of it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) source: Arc<Source>,
    pub(crate) at: Range<usize>,
}

/// A key with its value, or an entry of a list with no key of its own.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The key; for an entry of a list, the list's.
    pub(crate) key: String,
    /// Where the key stands; for an entry of a list, the entry.
    pub(crate) key_place: Place,
    /// Where the value stands.
    pub(crate) place: Place,
    pub(crate) value: Value,
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    /// A whole number; none if it is too large for anything.
    Whole(Option<i64>),
    Truth(bool),
    List(Vec<Node>),
    Table(Table),
    /// What configs have no use for: numbers that are not whole, dates.
    Other(&'static str),
}

/// Keys with values, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) nodes: Vec<Node>,
}

impl Table {
    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.key == key)
    }

    /// Takes a key away, with its value.
    pub(crate) fn remove(&mut self, key: &str) -> Option<Node> {
        let found = self.nodes.iter().position(|node| node.key == key)?;
        Some(self.nodes.remove(found))
    }
}

/// Reads TOML.
///
/// # Errors
/// The faults of syntax, at most one a line, since each tends to cause more.
pub(crate) fn parse(source: &Arc<Source>) -> Result<Table, Vec<Fault>> {
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    if errors.is_empty() {
        return Ok(table_of(table.into_inner(), source));
    }
    let fault = |error: &toml::de::Error| syntax_fault(error.message(), error.span(), &source.text);
    let mut faults: Vec<Fault> = errors.iter().map(fault).collect();
    faults.sort_by_key(|fault| fault.at.start);
    faults.dedup_by(|next, fault| !source.text[fault.at.start..next.at.start].contains('\n'));
    Err(faults)
}

/// A fault of syntax in our own words where the parser's would mislead.
fn syntax_fault(message: &str, span: Option<Range<usize>>, text: &str) -> Fault {
    let at = span.unwrap_or(0..0);
    let word = text.get(at.clone()).unwrap_or_default().trim();
    let (problem, advice) = if message.contains("recurs") {
        ("lists or tables are nested too deeply".into(), "no config needs more than a few".into())
    } else if message.contains("must be quoted") && word.is_empty() {
        ("a value is missing".into(), "write `key = value`; texts stand in quotes".into())
    } else if ["string values", "invalid float", "invalid boolean"].iter().any(|m| message.starts_with(m)) {
        let advice = format!("texts stand in quotes: {}", crate::faults::quoted(word));
        (format!("{} is no value", crate::faults::quoted(word)), advice)
    } else if message.starts_with("duplicate key") {
        (
            format!("{} is there twice", crate::faults::quoted(word)),
            "write each key and each table once".into(),
        )
    } else {
        let advice = "each line is `key = value` or `[table]`; texts stand in quotes";
        (format!("this is not TOML: {message}"), advice.into())
    };
    Fault { at, problem, advice }
}

fn table_of(table: DeTable<'_>, source: &Arc<Source>) -> Table {
    let place = |at| Place { source: source.clone(), at };
    let node = |(key, value): (Spanned<DeString<'_>>, Spanned<DeValue<'_>>)| {
        let key_place = place(key.span());
        let key = key.into_inner().into_owned();
        Node { place: place(value.span()), value: value_of(value.into_inner(), &key, source), key, key_place }
    };
    let mut nodes: Vec<Node> = table.into_iter().map(node).collect();
    nodes.sort_by_key(|node| node.key_place.at.start);
    Table { nodes }
}

fn value_of(value: DeValue<'_>, key: &str, source: &Arc<Source>) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(number) => Value::Whole(whole(&number)),
        DeValue::Boolean(truth) => Value::Truth(truth),
        DeValue::Float(_) => Value::Other("a number that is not whole"),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Table(table) => Value::Table(table_of(table, source)),
        DeValue::Array(list) => {
            let node = |entry: Spanned<DeValue<'_>>| {
                let place = Place { source: source.clone(), at: entry.span() };
                let value = value_of(entry.into_inner(), key, source);
                Node { key: key.into(), key_place: place.clone(), place, value }
            };
            Value::List(list.into_iter().map(node).collect())
        }
    }
}

fn whole(number: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// The tables of a config that are not merged key by key: what they say belongs together.
const REPLACED: [&str; 2] = ["transfer", "zero-moves"];

/// Lays a config over the one that it extends: tables key by key, everything else replaced.
pub(crate) fn lay_over(base: Table, over: Table) -> Table {
    merge(base, over, &REPLACED)
}

fn merge(mut base: Table, over: Table, replaced: &[&str]) -> Table {
    for node in over.nodes {
        let Some(below) = base.nodes.iter_mut().find(|below| below.key == node.key) else {
            base.nodes.push(node);
            continue;
        };
        let merged = match (&mut below.value, node.value) {
            (Value::Table(base), Value::Table(over)) if !replaced.contains(&node.key.as_str()) => {
                Value::Table(merge(std::mem::take(base), over, &[]))
            }
            (_, over) => over,
        };
        *below = Node { value: merged, ..node };
    }
    base
}
