//! The slot for the first promise that a rule set breaks during a game.
//!
//! The core asks rules for sets, and gets sets: there is no room for an error in the answer. So an
//! answer that breaks a promise is replaced by the empty set, and what happened is kept here for
//! whoever made the big call (legal moves, make, perft, search). Must not know libraries nor files.

use alice_plugin::call::CallFault;
use std::fmt;
use std::sync::OnceLock;

/// Keeps the first violation of all rules of one variant. Looking at it costs next to nothing.
#[derive(Debug, Default)]
pub struct Guard {
    first: OnceLock<Violation>,
}

impl Guard {
    /// A guard that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The violation, if there was one. From then on all its rules answer with empty sets: whatever the
    /// core has answered since means nothing, and the game can't go on.
    pub fn violation(&self) -> Option<&Violation> {
        self.first.get()
    }

    /// Whether there was a violation.
    #[inline(always)]
    pub(crate) fn is_broken(&self) -> bool {
        self.first.get().is_some()
    }

    /// Keeps a violation, if it is the first.
    #[cold]
    pub(crate) fn report(&self, violation: Violation) {
        // The first one explains the others.
        let _ = self.first.set(violation);
    }
}

/// A promise that a rule set broke: whose rule, in which call, with which answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The plug-in's id and version.
    pub plugin: String,
    /// The rule's name.
    pub rule: String,
    /// The call, and what is wrong with its answer.
    pub fault: CallFault,
    /// What it was asked about.
    pub about: String,
}

impl Violation {
    /// The violation for a player: with the position in which the rule was asked, and the move that
    /// had led there or was to be made.
    pub fn during(&self, position: &str, mv: Option<&str>) -> String {
        let after = mv.map(|mv| format!("\n  move: {mv}")).unwrap_or_default();
        format!(
            "{self}\n  position: {position}{after}\n  The game ends here, its record is kept. Tell the author of \
             the plug-in, who can find the fault with `alice plugin check`."
        )
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plugin, rule, fault, about } = self;
        write!(f, "plug-in {plugin}, rule {rule}: {fault}; asked about {about}")
    }
}

impl std::error::Error for Violation {}
