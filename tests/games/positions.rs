//! Positions from random play, each with its check and all its legal moves.

use crate::{both_ways, data, exact, game};

/// Checks one line; gives what is wrong.
fn wrong(variant: &alice_core::Variant, line: &str) -> Option<String> {
    let fields: Vec<&str> = line.split(';').collect();
    let [text, check, moves] = fields[..] else { return Some("not three fields".into()) };
    let position = match variant.read_position(text) {
        Ok(position) => position,
        Err(error) => return Some(format!("refused: {error}")),
    };
    if position.to_string() != text {
        return Some(format!("written as {position}"));
    }
    let check: bool = check.parse().expect("the second field is true or false");
    let slow_check = !position.checkers().is_empty();
    if (position.in_check(), slow_check) != (check, check) {
        return Some(format!("check: fast {}, slow {slow_check}", position.in_check()));
    }
    let expected: Vec<&str> = moves.split_whitespace().collect();
    let (fast, slow) = both_ways(&position);
    for (path, found) in [("fast", exact(&position, &fast)), ("slow", exact(&position, &slow))] {
        if found != expected {
            let more: Vec<_> = found.iter().filter(|m| !expected.contains(&m.as_str())).collect();
            let less: Vec<_> = expected.iter().filter(|m| !found.iter().any(|f| f == *m)).collect();
            return Some(format!("{path}: too many {more:?}, missing {less:?}"));
        }
    }
    None
}

#[test]
fn every_position_has_just_its_listed_moves_and_its_check() {
    let mut faults = Vec::new();
    let mut files = 0;
    for entry in std::fs::read_dir(data("positions")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let variant = game(name);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.trim().is_empty(), "{name} has no positions");
        let wrong =
            text.lines().filter_map(|line| Some(format!("{name}: {line}\n  {}", wrong(&variant, line)?)));
        faults.extend(wrong);
        files += 1;
    }
    assert_eq!(files, 16, "a file of positions for every game");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
