//! What makes a record unfit to be loaded, and how plug-ins of other versions fare.

use alice_plugin::abi::{self, Record};
use alice_plugin::call::Supports;
use alice_plugin::*;
use std::mem::offset_of;

struct Mirror(Game);

impl Rule for Mirror {
    const NAME: &'static str = "mirror";
    const ABOUT: &'static str = "Alice.";
    fn new(game: &Game, _: &Parameters) -> Result<Self, Complaint> {
        Ok(Self(game.clone()))
    }
}

impl TransferRule for Mirror {
    fn landings(&self, origin: Board) -> BoardSet {
        BoardSet::of(self.0.next(origin))
    }
    fn landing_cells(&self, _: &Mover, _: Board, landing: Board, boards: Boards) -> Cells {
        boards.vacant(landing)
    }
}

export!(my_mirror: transfer Mirror);

/// Bytes, and where to write them.
type Changes<'a> = &'a [(usize, &'a [u8])];

/// The record with some bytes written over.
fn with(changes: Changes) -> Vec<u8> {
    let mut bytes = PLUGIN.bytes().to_vec();
    for (at, new) in changes {
        bytes[*at..at + new.len()].copy_from_slice(new);
    }
    bytes
}

fn fault(bytes: &[u8]) -> String {
    Identity::read(bytes).unwrap_err().to_string()
}

#[test]
fn a_good_record_says_who_it_is() {
    let identity = Identity::read(PLUGIN.bytes()).unwrap();
    let Identity { id, version, licence, features, .. } = identity;
    assert_eq!(
        [id.as_str(), &version, &licence, &features],
        ["my-mirror", env!("CARGO_PKG_VERSION"), "MIT OR Apache-2.0", "transfer/1"]
    );
}

#[test]
fn a_bad_record_is_refused_with_its_reason() {
    let major = (abi::MAJOR + 1).to_ne_bytes();
    let cases: &[(Changes, &str)] = &[
        (&[(0, b"Alice")], "its record does not begin with ALICEABI; it is not a plug-in of ours"),
        (
            &[(offset_of!(Record, major), &major), (offset_of!(Record, minor), &[9, 0])],
            "it is made for version 2.9 of the interface, but this program has 1.1; build it with a \
             plug-in crate or header of version 1",
        ),
        (
            &[(offset_of!(Record, size), &[100, 0, 0, 0])],
            "its record says to have 100 bytes, but 248 are needed; set `size` to the size of the record",
        ),
        (
            &[(offset_of!(Record, layout), &[0; 8])],
            "its structs are laid out otherwise than version 1.1 of the interface has them (fingerprint \
             0x0000000000000000, expected 0x4c168de7d84486ef); build it with the header or crate as they \
             come, and for this processor",
        ),
        (
            &[(offset_of!(Record, id), b"My_Rule\0")],
            "its id is \"My_Rule\"; write small letters, digits and -, a letter first",
        ),
        (&[(offset_of!(Record, id), b"\0")], "its id is empty; fill it in"),
        (&[(offset_of!(Record, id), b"\xff")], "its id is not UTF-8; write plain letters"),
        (
            &[(offset_of!(Record, version), b"\x1b[1m")],
            "its version has control characters in it; write plain letters",
        ),
        (&[(offset_of!(Record, licence), &[0xc3])], "its licence is not UTF-8; write plain letters"),
    ];
    for (changes, expected) in cases {
        assert_eq!(fault(&with(changes)), *expected);
    }
    for length in [0, 7, 20, 247] {
        let expected = format!("its record has {length} bytes, but 248 are needed; build it again");
        assert_eq!(fault(&PLUGIN.bytes()[..length]), expected);
    }
}

#[test]
fn a_plugin_made_for_an_older_minor_version_loads() {
    // As a program of two minor versions more would see it: it knows this layout among others.
    let mut layouts = abi::LAYOUTS.to_vec();
    layouts.extend([1, 2]);
    let newer = Supports { layouts: &layouts, features: !0 };
    assert!(Identity::read_as(PLUGIN.bytes(), newer).is_ok());
}

#[test]
fn a_plugin_made_for_a_newer_minor_version_loads_unless_it_needs_a_feature_that_is_lacking() {
    let minor = (abi::MINOR + 1).to_ne_bytes();
    let newer: Changes = &[(offset_of!(Record, minor), &minor), (offset_of!(Record, layout), &[7; 8])];
    assert_eq!(Identity::read(&with(newer)).unwrap().minor, abi::MINOR + 1);

    let names = offset_of!(Record, required_names);
    let needing = |bits: u64, named: &[u8]| {
        let bits = bits.to_ne_bytes();
        let more: Changes = &[(offset_of!(Record, required), &bits), (names, named)];
        fault(&with(&[newer, more].concat()))
    };
    assert_eq!(
        needing(0b101, b"transfer/1 clocks/1\0"),
        "it needs the feature clocks/1, which this program lacks; use a newer version of this program"
    );
    assert_eq!(
        needing(0b1001, b"transfer/1\0"),
        "it needs the unnamed feature of bit 3, which this program lacks; use a newer version of this program"
    );
}
