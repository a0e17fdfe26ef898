//! What a config asks of plug-ins, and who answers: `[transfer.plugin]` and a man's
//! `movement = { plugin = … }`.
//!
//! Reading is done here; no code is ever run here. Whoever loads a config for play hands in
//! [`Plugins`], which may. Must not know libraries nor trust.

use crate::faults::{Faults, quoted};
use crate::keys;
use crate::tree::{Node, Place, Value};
use alice_core::{Movement, Rules, Transfer};

/// A rule of a plug-in that a config needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// For what: `transfer`, or `men.NAME.movement`.
    pub key: String,
    /// The plug-in's id.
    pub id: String,
    /// Its version; parts left out at the end are free: `1.2` is also met by 1.2.3.
    pub version: String,
    /// Which of its rules; none if it has just one of that sort.
    pub rule: Option<String>,
    /// The rule's parameters: lines `name=value`, several of one name for a list.
    pub parameters: String,
}

/// Why a need is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// Which parameter (which line) is to blame; none if no single one is.
    pub parameter: Option<usize>,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub advice: String,
}

/// Makes rules from the code of plug-ins.
pub trait Plugins {
    /// The rule for where a man lands. The game is that of `rules`, whose transfer means nothing yet.
    ///
    /// # Errors
    /// Why there is none: everything that could be found, one at least.
    fn transfer(&mut self, need: &Need, rules: &Rules) -> Result<Transfer, Vec<Unmet>>;

    /// The rule for how a man moves. The game is that of `rules`, whose transfer and such movements mean
    /// nothing yet.
    ///
    /// # Errors
    /// Why there is none: everything that could be found, one at least.
    fn movement(&mut self, need: &Need, rules: &Rules) -> Result<Movement, Vec<Unmet>>;
}

/// Meets no need: for who does not load code.
pub(crate) struct NoPlugins;

impl NoPlugins {
    fn unmet(need: &Need) -> Vec<Unmet> {
        vec![Unmet {
            parameter: None,
            problem: format!(
                "the plug-in {} {} is needed, but no code is loaded here",
                need.id, need.version
            ),
            advice: "use a program that loads plug-ins, or another rule".into(),
        }]
    }
}

impl Plugins for NoPlugins {
    fn transfer(&mut self, need: &Need, _: &Rules) -> Result<Transfer, Vec<Unmet>> {
        Err(Self::unmet(need))
    }

    fn movement(&mut self, need: &Need, _: &Rules) -> Result<Movement, Vec<Unmet>> {
        Err(Self::unmet(need))
    }
}

/// Meets every need with what was there before, only to see what else is in order. What comes out must
/// not be played.
pub(crate) struct StandIns;

impl Plugins for StandIns {
    fn transfer(&mut self, _: &Need, rules: &Rules) -> Result<Transfer, Vec<Unmet>> {
        Ok(rules.transfer.clone())
    }

    fn movement(&mut self, need: &Need, rules: &Rules) -> Result<Movement, Vec<Unmet>> {
        let own = |man: &&alice_core::ManRules| need.key == format!("men.{}.movement", man.name);
        let man = rules.men.iter().find(own).expect("a man that needs a movement is among the men");
        Ok(man.movement.clone())
    }
}

/// A need, with its places in the config.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) need: Need,
    place: Place,
    parameters: Vec<Place>,
}

impl Asked {
    /// Notes why the need is not met, at each place.
    pub(crate) fn unmet(&self, all: Vec<Unmet>, faults: &mut Faults) {
        for unmet in all {
            let parameter = unmet.parameter.and_then(|n| self.parameters.get(n));
            faults.add(parameter.unwrap_or(&self.place), unmet.problem, unmet.advice);
        }
    }
}

/// Reads the table `plugin` of the table called `name`.
pub(crate) fn read(node: &Node, name: &str, key: &str, faults: &mut Faults) -> Option<Asked> {
    let full = format!("{name}.plugin");
    let table = faults.table(node, &full, keys::PLUGIN)?;
    let mut word = |key: &str, what: &str| {
        let Some(given) = table.get(key) else {
            faults.missing(node, &full, key, &format!("write {key} = \"…\": {what}"));
            return None;
        };
        let text = faults.text(given, "a text in quotes")?;
        let plain = |c: char| c.is_ascii_alphanumeric() || "-.+".contains(c);
        if text.is_empty() || text.len() > 32 || !text.chars().all(plain) {
            let problem = format!("{} can't be {what}", quoted(text));
            faults.add(&given.place, problem, "write letters, digits, - and ., at most 32");
            return None;
        }
        Some(text.to_string())
    };
    let (id, version) = (word("id", "a plug-in's id"), word("version", "a plug-in's version"));
    let rule = table.get("rule").map(|_| word("rule", "a rule's name"));
    let (mut lines, mut places) = (Vec::new(), Vec::new());
    if let Some(given) = table.get("params") {
        let Value::Table(params) = &given.value else {
            faults.wrong(given, "a table", format!("write [{full}.params]"));
            return None;
        };
        for param in &params.nodes {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
            if param.key.is_empty() || !param.key.chars().all(plain) {
                let problem = format!("{} can't be the name of a parameter", quoted(&param.key));
                faults.add(&param.key_place, problem, "write letters, digits, - and _");
                continue;
            }
            let values = match &param.value {
                Value::List(list) => list.as_slice(),
                _ => std::slice::from_ref(param),
            };
            for value in values {
                let text = match &value.value {
                    Value::Text(_) => faults.text(value, "a text in quotes").map(String::from),
                    Value::Whole(Some(number)) => Some(number.to_string()),
                    Value::Truth(truth) => Some(truth.to_string()),
                    _ => {
                        faults.wrong(
                            value,
                            "a parameter",
                            "write a text, a whole number, true, false, or a list of these",
                        );
                        None
                    }
                };
                lines.push(format!("{}={}", param.key, text.unwrap_or_default()));
                places.push(value.place.clone());
            }
        }
    }
    let rule = match rule {
        Some(None) => return None,
        Some(Some(rule)) => Some(rule),
        None => None,
    };
    let need = Need { key: key.into(), id: id?, version: version?, rule, parameters: lines.join("\n") };
    Some(Asked { need, place: node.key_place.clone(), parameters: places })
}
