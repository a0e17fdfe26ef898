//! The examples of `docs/writing-a-variant.md` are what it says they are.

const MANUAL: &str = include_str!("../../../docs/writing-a-variant.md");

/// The fenced blocks: what stands behind the fence, and the text without the fence's indent.
fn blocks() -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String, String)> = None;
    for line in MANUAL.lines() {
        let text = line.trim_start();
        match (&mut open, text.strip_prefix("```")) {
            (None, Some(kind)) => open = Some((line.len() - text.len(), kind.into(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take().map(|(_, kind, text)| (kind, text))),
            (Some((indent, _, block)), None) => {
                block.push_str(line.get(*indent..).unwrap_or_default());
                block.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "the last block is not closed");
    blocks
}

#[test]
fn each_example_can_be_read() {
    let mut examples = 0;
    for (kind, text) in blocks() {
        let text = match kind.strip_prefix("toml over ") {
            Some(game) => {
                format!(
                    "extends = \"{game}\"\n{text}\n[about]\ntitle = \"Example\"\nsource = \"the manual\"\n"
                )
            }
            None if kind == "toml" => text,
            None => continue,
        };
        alice_config::parse("example", &text).unwrap_or_else(|error| panic!("{error}"));
        examples += 1;
    }
    assert_eq!(examples, 7);
}

#[test]
fn the_bad_example_gets_the_message_that_is_shown() {
    let blocks = blocks();
    let find = |kind| &blocks.iter().find(|(k, _)| k == kind).expect("there is such a block").1;
    let error = alice_config::parse("mirror.toml", find("toml bad")).expect_err("it is bad");
    assert_eq!(error.to_string().trim_end(), find("text").trim_end());
}

#[test]
fn each_movement_of_the_table_of_men_can_be_read() {
    let (_, table) = MANUAL.split_once("| man | movement |").expect("the table is there");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut movements = 0;
    for movement in rows.flat_map(|row| row.split('`').skip(1).step_by(2)) {
        let text = format!(
            "extends = \"chess\"\n[about]\ntitle = \"T\"\nsource = \"S\"\n[men.bishop]\nmovement = \"{movement}\"\n"
        );
        alice_config::parse("example", &text).unwrap_or_else(|error| panic!("{error}"));
        movements += 1;
    }
    assert_eq!(movements, 13);
}
