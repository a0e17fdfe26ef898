//! Reading a plug-in's record before any of its code runs: the magic, the versions, the features,
//! and who it is.
//!
//! Works on bytes, from a file or from memory. Must not know files, nor rule sets.

use crate::abi::{self, Record};
use std::fmt;
use std::mem::offset_of;

/// What a program can load. Tests ask as a program of another version would.
#[derive(Clone, Copy, Debug)]
pub struct Supports<'a> {
    /// The fingerprints of the minor versions that it knows, oldest first.
    pub layouts: &'a [u64],
    /// The `FEATURE_…` bits that it has.
    pub features: u64,
}

impl Supports<'_> {
    /// This version.
    pub const THIS: Supports<'static> =
        Supports { layouts: &abi::LAYOUTS, features: abi::FEATURE_TRANSFER | abi::FEATURE_MOVEMENT };
}

/// Who a plug-in says it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Its id: small letters, digits and `-`.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Its licence.
    pub licence: String,
    /// The minor version of the interface that it was made for.
    pub minor: u16,
    /// The names of the features that it needs.
    pub features: String,
}

/// Why a record is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordFault {
    /// There are fewer bytes than a record has.
    Short {
        /// So many.
        bytes: usize,
    },
    /// It does not begin with [`abi::MAGIC`].
    Magic,
    /// It says to be smaller than any record is.
    Size {
        /// What it says.
        size: u32,
    },
    /// Another major version.
    Major {
        /// What it was made for.
        major: u16,
        /// What it was made for.
        minor: u16,
    },
    /// The structs are laid out otherwise than they should be for its version.
    Layout {
        /// Which version it says to be made for.
        minor: u16,
        /// Its fingerprint.
        seen: u64,
        /// What it should be.
        expected: u64,
    },
    /// It needs features that the program lacks.
    Features {
        /// Their names, or the numbers of their bits where it names none.
        lacking: String,
    },
    /// A text of the record is none.
    Text {
        /// Which one.
        field: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The rule sets that it points to are not as they should be.
    RuleSets {
        /// What is wrong with them.
        problem: String,
    },
}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = (abi::MAJOR, abi::MINOR);
        match self {
            Self::Short { bytes } => write!(
                f,
                "its record has {bytes} bytes, but {} are needed; build it again",
                size_of::<Record>()
            ),
            Self::Magic => {
                f.write_str("its record does not begin with ALICEABI; it is not a plug-in of ours")
            }
            Self::Size { size } => write!(
                f,
                "its record says to have {size} bytes, but {} are needed; set `size` to the size of the record",
                size_of::<Record>()
            ),
            Self::Major { major: other, minor: their_minor } => write!(
                f,
                "it is made for version {other}.{their_minor} of the interface, but this program has \
                 {major}.{minor}; build it with a plug-in crate or header of version {major}"
            ),
            Self::Layout { minor: theirs, seen, expected } => write!(
                f,
                "its structs are laid out otherwise than version {major}.{theirs} of the interface has \
                 them (fingerprint {seen:#018x}, expected {expected:#018x}); build it with the header or \
                 crate as they come, and for this processor"
            ),
            Self::Features { lacking } => {
                write!(f, "it needs {lacking}, which this program lacks; use a newer version of this program")
            }
            Self::Text { field, problem } => write!(f, "its {field} {problem}"),
            Self::RuleSets { problem } => f.write_str(problem),
        }
    }
}

impl std::error::Error for RecordFault {}

impl Identity {
    /// Reads and checks the part of a record that is plain bytes.
    ///
    /// # Errors
    /// The first reason why this version can't load it.
    pub fn read(bytes: &[u8]) -> Result<Self, RecordFault> {
        Self::read_as(bytes, Supports::THIS)
    }

    /// The same as a program would that supports something else.
    ///
    /// # Errors
    /// The first reason why that program can't load it.
    pub fn read_as(bytes: &[u8], program: Supports) -> Result<Self, RecordFault> {
        // Not even the versions can be read from less, whatever they are.
        let short = RecordFault::Short { bytes: bytes.len() };
        let head = bytes.get(..offset_of!(Record, layout)).ok_or(short.clone())?;
        if number(head, offset_of!(Record, magic), 8) != abi::MAGIC {
            return Err(RecordFault::Magic);
        }
        let major = number(head, offset_of!(Record, major), 2) as u16;
        let minor = number(head, offset_of!(Record, minor), 2) as u16;
        if major != abi::MAJOR {
            return Err(RecordFault::Major { major, minor });
        }
        let size = number(head, offset_of!(Record, size), 4) as u32;
        if (size as usize) < size_of::<Record>() {
            return Err(RecordFault::Size { size });
        }
        if bytes.len() < size_of::<Record>() {
            return Err(short);
        }
        // A newer minor has longer structs, which begin like ours; its fingerprint can't be known.
        let seen = number(bytes, offset_of!(Record, layout), 8);
        if let Some(&expected) = program.layouts.get(usize::from(minor))
            && seen != expected
        {
            return Err(RecordFault::Layout { minor, seen, expected });
        }
        let required = number(bytes, offset_of!(Record, required), 8);
        let features =
            text(bytes, offset_of!(Record, required_names), 64, "list of required features", true)?;
        let lacking = required & !program.features;
        if lacking != 0 {
            return Err(RecordFault::Features { lacking: names(required, lacking, &features) });
        }
        let id = text(bytes, offset_of!(Record, id), 32, "id", false)?;
        if !is_name(&id) {
            let problem = format!("is {id:?}; write small letters, digits and -, a letter first");
            return Err(RecordFault::Text { field: "id", problem });
        }
        Ok(Self {
            id,
            version: text(bytes, offset_of!(Record, version), 32, "version", false)?,
            licence: text(bytes, offset_of!(Record, licence), 64, "licence", false)?,
            minor,
            features,
        })
    }
}

/// Whether a text can be the name of a plug-in or a rule set.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-')
}

fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    let mut number = [0; 8];
    // Plug-ins are for the processor that the program runs on: little end first, or not.
    if cfg!(target_endian = "little") {
        number[..size].copy_from_slice(&bytes[at..at + size]);
    } else {
        number[8 - size..].copy_from_slice(&bytes[at..at + size]);
    }
    u64::from_ne_bytes(number)
}

fn text(
    bytes: &[u8],
    at: usize,
    room: usize,
    field: &'static str,
    may_be_empty: bool,
) -> Result<String, RecordFault> {
    let field_bytes = &bytes[at..at + room];
    let length = field_bytes.iter().position(|b| *b == 0).unwrap_or(room);
    let fault = |problem: &str| RecordFault::Text { field, problem: problem.into() };
    let text = std::str::from_utf8(&field_bytes[..length])
        .map_err(|_| fault("is not UTF-8; write plain letters"))?;
    if text.chars().any(char::is_control) {
        return Err(fault("has control characters in it; write plain letters"));
    }
    if text.is_empty() && !may_be_empty {
        return Err(fault("is empty; fill it in"));
    }
    Ok(text.into())
}

/// The names of lacking features. The record names all that it requires, in the order of their bits.
fn names(required: u64, lacking: u64, names: &str) -> String {
    let bits = (0..64).filter(|bit| required >> bit & 1 == 1);
    let mut names = names.split(' ').filter(|name| !name.is_empty());
    let lacking: Vec<_> = bits
        .map(|bit| (bit, names.next()))
        .filter(|(bit, _)| lacking >> bit & 1 == 1)
        .map(|(bit, name)| match name {
            Some(name) => format!("the feature {name}"),
            None => format!("the unnamed feature of bit {bit}"),
        })
        .collect();
    lacking.join(" and ")
}
