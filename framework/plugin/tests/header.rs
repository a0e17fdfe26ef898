//! The C header is generated from `src/abi.rs`; here it is compared with what is checked in.
//! `UPDATE_HEADER=1 cargo test -p alice-plugin --test header` writes it anew.

use cbindgen::{Builder, Config, DocumentationStyle, ItemType, Language, Style};
use std::path::Path;

const STRUCTS: [(&str, &str); 14] = [
    ("Cells", "alice_cells"),
    ("Text", "alice_text"),
    ("ManInfo", "alice_man"),
    ("GameInfo", "alice_game"),
    ("MoverInfo", "alice_mover"),
    ("PositionInfo", "alice_position"),
    ("CastlingInfo", "alice_castling"),
    ("Complaint", "alice_complaint"),
    ("TransferFacts", "alice_transfer_facts"),
    ("Transfer", "alice_transfer"),
    ("Movement", "alice_movement"),
    ("Interface", "alice_interface"),
    ("RuleSet", "alice_rule_set"),
    ("Record", "alice_record"),
];

const TITLE: &str = "/* The interface between an Alice program and its plug-ins; see docs/plugin-abi.md.
 * Generated from framework/plugin/src/abi.rs: do not edit. */";

const TRAILER: &str = r#"#if UINTPTR_MAX != UINT64_MAX
#error "plug-ins are for processors of 64 bits"
#endif

#ifdef _WIN32
#define ALICE_EXPORT __declspec(dllexport)
#else
#define ALICE_EXPORT __attribute__((visibility("default")))
#endif

/* The record of a plug-in: ALICE_PLUGIN(my_rule) = {ALICE_RECORD, ...}; its id is then "my-rule". */
#ifdef __cplusplus
#define ALICE_PLUGIN(id) extern "C" ALICE_EXPORT const alice_record alice_plugin_1_##id
#else
#define ALICE_PLUGIN(id) ALICE_EXPORT const alice_record alice_plugin_1_##id
#endif

/* The first fields of every record. */
#define ALICE_RECORD \
  .magic = ALICE_MAGIC, .size = sizeof(alice_record), .major = ALICE_MAJOR, \
  .minor = ALICE_MINOR, .layout = ALICE_LAYOUT

/* A text from a string in quotes. */
#define ALICE_TEXT(string) {(const uint8_t *)(string), sizeof(string) - 1}
"#;

#[test]
fn the_c_header_is_made_of_the_layouts() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(here.join("src/abi.rs")).unwrap();
    let mut config = Config {
        language: Language::C,
        style: Style::Type,
        pragma_once: true,
        header: Some(TITLE.into()),
        trailer: Some(TRAILER.into()),
        no_includes: true,
        sys_includes: vec!["stdint.h".into()],
        documentation_style: DocumentationStyle::C99,
        usize_is_size_t: true,
        cpp_compat: true,
        line_length: 100,
        ..Config::default()
    };
    config.export.item_types = vec![ItemType::Structs, ItemType::Constants];
    config.export.exclude = vec!["LAYOUTS".into()];
    config.export.include = STRUCTS.iter().map(|(rust, _)| (*rust).to_string()).collect();
    config.export.rename = STRUCTS.iter().map(|(rust, c)| ((*rust).into(), (*c).into())).collect();
    for line in source.lines().filter_map(|line| line.strip_prefix("pub const ")) {
        let name = line.split(':').next().unwrap();
        config.export.rename.insert(name.into(), format!("ALICE_{name}"));
    }
    let mut generated = Vec::new();
    let bindings = Builder::new().with_src(here.join("src/abi.rs")).with_config(config).generate().unwrap();
    bindings.write(&mut generated);
    let generated = String::from_utf8(generated).unwrap();

    let path = here.join("include/alice_plugin.h");
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&path, &generated).unwrap();
    }
    let checked_in = std::fs::read_to_string(&path).unwrap();
    assert!(generated == checked_in, "the header is out of date; run this test with UPDATE_HEADER=1");
}
