//! Plug-ins for a program: found, checked, trusted, loaded and guarded.
//!
//! [`PluginFile`] looks at a library without running it, [`Home`] knows what the user trusts and loads
//! it, [`ForeignTransfer`] and [`ForeignMovement`] are its rules as the core's own traits, [`Guard`]
//! keeps the first promise that one of them breaks. [`check`] runs the conformance kit in child
//! processes. A native library has all the user's rights; nothing here can change that.
//!
//! With `alice-plugin` this is the only crate with `unsafe` code. Must not know configs nor variants.
#![deny(unsafe_op_in_unsafe_fn)]

pub mod check;
mod file;
mod foreign;
mod guard;
mod trust;

pub use file::{FileError, FileProblem, Hash, PluginFile};
pub use foreign::{ForeignMovement, ForeignTransfer, game_of};
pub use guard::{Guard, Violation};
pub use trust::{Consent, Home, TrustError, Trusted};
