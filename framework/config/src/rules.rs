//! The tree of a config made into a playable variant: every table but men, start and castling, which
//! have modules of their own.
//!
//! Must not know files nor any variant by name.

use crate::faults::Faults;
use crate::men::named;
use crate::plugins::{Asked, Need, Plugins};
use crate::tree::{Node, Table, Value};
use crate::{About, castling, keys, men, plugins, start};
use alice_core::{
    Board, CheckTests, EnPassantRule, Ends, KindSet, ManRules, Rules, Setup, Shape, Stalemate,
    StandardTransfer, Staying, Transfer, Variant, ZeroMoves,
};

/// Where a man lands: as the config says, or as a plug-in says.
enum Lands {
    Standard(StandardTransfer),
    Plugin(Asked),
}

/// Makes a variant of a config, or notes why not. Also says what it needs of plug-ins.
pub(crate) fn variant(
    name: &str,
    root: &Node,
    plugins: &mut dyn Plugins,
    faults: &mut Faults,
) -> Option<(About, Variant, Vec<Need>)> {
    let Value::Table(top) = &root.value else { return None };
    if top.nodes.is_empty() {
        let advice = "start with extends = \"chess\" and an [about], or with a copy of a built-in game";
        faults.add(&root.key_place, "the config says nothing", advice);
        return None;
    }
    faults.known_keys(top, "at the top of the file", keys::TOP);
    let about = about(root, top, faults);
    let boards = boards(root, top, faults);
    // What follows is read even if the boards are wrong, to find all faults at once.
    let (shape, count) = boards.unwrap_or((Shape::new(8, 8, 1).expect("8x8 is a shape"), 1));
    let men = match top.get("men") {
        Some(node) => men::read(node, shape, faults),
        None => {
            faults.add(
                &root.key_place,
                "[men] is missing",
                "write [men.king] and so on, a table for each kind",
            );
            None
        }
    };
    let nobody = Vec::new();
    let kinds = men.as_ref().map_or(&nobody, |men| &men.rules);
    let mut transfer = transfer(root, top, boards.map(|(_, count)| count), faults);
    let (zero, leave_check) = zero_moves(top, kinds, transfer.as_ref(), faults);
    if let Some(Lands::Standard(transfer)) = &mut transfer {
        transfer.zero = zero;
    }
    let tests = check(top, leave_check, faults);
    let castling = match top.get("castling") {
        Some(node) if men.is_some() && boards.is_some() => castling::read(node, shape, count, kinds, faults),
        _ => Vec::new(),
    };
    let rules = Rules {
        name: name.into(),
        shape,
        boards: count,
        men: kinds.clone(),
        start: Setup::empty(shape, count),
        transfer: Transfer::Standard(match &transfer {
            Some(Lands::Standard(transfer)) => transfer.clone(),
            // Until the plug-in's rule takes its place.
            Some(Lands::Plugin(_)) if count > 1 => StandardTransfer::next(count),
            _ => StandardTransfer::NONE,
        }),
        tests,
        castling,
        en_passant: en_passant(top, faults),
        ends: ends(top, faults),
    };
    let start = match top.get("start") {
        // A missing letter or a wrong shape would make faults of what is none.
        Some(node) if boards.is_some() && men.as_ref().is_some_and(|men| men.letters) => {
            start::read(node, &rules, faults)
        }
        Some(_) => None,
        None => {
            let advice = "write [start] and under it A = \"…\": the men of board A";
            faults.add(&root.key_place, "[start] is missing", advice);
            None
        }
    };
    if faults.count() > 0 {
        return None;
    }
    let (men, start) = (men?, start?);
    let asked = men.asked.clone();
    let mut rules = Rules { men: men.place(&start), start, ..rules };
    // Code may run from here on, for a config that is otherwise in order.
    let mut needs = Vec::new();
    for (kind, asked) in asked.into_iter().enumerate() {
        let Some(asked) = asked else { continue };
        match plugins.movement(&asked.need, &rules) {
            Ok(movement) => rules.men[kind].movement = movement,
            Err(unmet) => asked.unmet(unmet, faults),
        }
        needs.push(asked.need);
    }
    if let Some(Lands::Plugin(asked)) = transfer {
        match plugins.transfer(&asked.need, &rules) {
            Ok(transfer) => rules.transfer = transfer,
            Err(unmet) => asked.unmet(unmet, faults),
        }
        needs.push(asked.need);
    }
    if faults.count() > 0 {
        return None;
    }
    match Variant::new(rules) {
        Ok(variant) => Some((about?, variant, needs)),
        Err(error) => {
            let place = top.get("start").map_or(&root.key_place, |node| &node.key_place);
            for reason in error.reasons {
                faults.add(place, reason, "change the starting position or the rules");
            }
            None
        }
    }
}

fn table<'a>(top: &'a Table, name: &str, known: &[&str], faults: &mut Faults) -> Option<&'a Table> {
    faults.table(top.get(name)?, name, known)
}

fn about(root: &Node, top: &Table, faults: &mut Faults) -> Option<About> {
    let Some(node) = top.get("about") else {
        let advice = "write [about] and under it title = \"…\" and source = \"…\": each file has its own";
        faults.add(&root.key_place, "[about] is missing", advice);
        return None;
    };
    let table = faults.table(node, "about", keys::ABOUT)?;
    let mut text = |key, required: Option<&str>| {
        let Some(given) = table.get(key) else {
            required.into_iter().for_each(|advice| faults.missing(node, "about", key, advice));
            return None;
        };
        let text = faults.text(given, "a text in quotes")?;
        if text.trim().is_empty() && required.is_some() {
            faults.add(&given.place, format!("`{key}` is empty"), required.unwrap_or_default());
        }
        Some(text.to_string())
    };
    let title = text("title", Some("write title = \"…\": the game's name for people"));
    let inventor = text("inventor", None);
    let source = text("source", Some("write source = \"…\": where its rules were published"));
    let summary = text("summary", None);
    let year = table.get("year").and_then(|node| faults.whole(node, -3000..=3000, "a year"));
    Some(About {
        title: title?,
        inventor: inventor.unwrap_or_default(),
        year: year.map(|year| year as i32),
        source: source?,
        summary: summary.unwrap_or_default(),
    })
}

/// The shape and the number of the boards.
fn boards(root: &Node, top: &Table, faults: &mut Faults) -> Option<(Shape, u8)> {
    let Some(node) = top.get("boards") else {
        let advice = "write [boards] and under it files = 8 and ranks = 8";
        faults.add(&root.key_place, "[boards] is missing", advice);
        return None;
    };
    let table = faults.table(node, "boards", keys::BOARDS)?;
    let mut number = |key, most, default: Option<i64>, noun| match (table.get(key), default) {
        (Some(node), _) => faults.whole(node, 1..=most, noun),
        (None, Some(_)) => default,
        (None, None) => {
            faults.missing(node, "boards", key, &format!("write {key} = 8"));
            None
        }
    };
    let count = number("count", alice_core::MAX_BOARDS as i64, Some(1), "the number of boards");
    let files = number("files", 26, None, "the number of files");
    let ranks = number("ranks", alice_core::MAX_CELLS as i64, None, "the number of ranks");
    let levels = number("levels", 26, Some(1), "the number of levels");
    let (count, files, ranks, levels) = (count?, files?, ranks?, levels?);
    match Shape::new(files as u16, ranks as u16, levels as u16) {
        Ok(shape) => Some((shape, count as u8)),
        Err(error) => {
            let problem = format!("{files} files, {ranks} ranks, {levels} levels: {error}");
            faults.add(&node.key_place, problem, "make the boards smaller");
            None
        }
    }
}

/// Where a man lands. Without boards only the words are checked.
fn transfer(root: &Node, top: &Table, boards: Option<u8>, faults: &mut Faults) -> Option<Lands> {
    let Some(node) = top.get("transfer") else {
        if boards.is_some_and(|boards| boards > 1) {
            let advice = "write [transfer.next], [transfer.any-other] or [transfer.none]";
            faults.add(&root.key_place, "it is not said where a man lands", advice);
        }
        return Some(Lands::Standard(StandardTransfer::NONE));
    };
    if let Value::Text(_) = node.value {
        faults.wrong(node, "a table", "write [transfer.next], [transfer.any-other] or [transfer.none]");
        return None;
    }
    let table = faults.table(node, "transfer", keys::TRANSFER)?;
    let known: Vec<&Node> = keys::TRANSFER.iter().filter_map(|tag| table.get(tag)).collect();
    let [rule] = known[..] else {
        if let [first, second, ..] = known[..] {
            let problem = format!("two rules of transfer: {} and {}", first.key, second.key);
            faults.add(&second.key_place, problem, "leave just one");
        } else if table.nodes.is_empty() {
            let advice = "write [transfer.next], [transfer.any-other] or [transfer.none]";
            faults.add(&node.key_place, "it is not said where a man lands", advice);
        }
        return None;
    };
    if rule.key == "none" {
        faults.table(rule, "transfer.none", &[])?;
        return Some(Lands::Standard(StandardTransfer::NONE));
    }
    if rule.key == "plugin" {
        return plugins::read(rule, "transfer", "transfer", faults).map(Lands::Plugin);
    }
    let name = format!("transfer.{}", rule.key);
    let table = faults.table(rule, &name, keys::TRANSFER_RULE)?;
    let words = [("never", Staying::Never), ("if-blocked", Staying::IfBlocked), ("always", Staying::Always)];
    let staying = table.get("staying").map_or(Some(Staying::Never), |node| faults.word(node, &words));
    let boards = boards?;
    if boards == 1 {
        let problem = format!("[{name}] needs a second board to transfer to");
        faults.add(&rule.key_place, problem, "write count = 2 in [boards], or [transfer.none]");
        return None;
    }
    let to =
        if rule.key == "next" { StandardTransfer::next(boards) } else { StandardTransfer::any_other(boards) };
    Some(Lands::Standard(StandardTransfer { staying: staying?, ..to }))
}

/// Zero moves, and whether a king may leave check by one.
fn zero_moves(
    top: &Table,
    men: &[ManRules],
    transfer: Option<&Lands>,
    faults: &mut Faults,
) -> (ZeroMoves, bool) {
    let none = (ZeroMoves::default(), false);
    let Some(node) = top.get("zero-moves") else { return none };
    if let Value::Text(_) = node.value {
        faults.only_word(node, "none", "a table [zero-moves]");
        return none;
    }
    if let Some(Lands::Plugin(_)) = transfer {
        // Who makes zero moves is the plug-in's business; whether the king may, is not.
        let table = faults.table(node, "zero-moves", keys::ZERO_MOVES_BY_PLUGIN);
        let leave_check = table.and_then(|t| t.get("leave-check")).and_then(|node| faults.truth(node));
        return (ZeroMoves::default(), leave_check.unwrap_or(false));
    }
    let Some(table) = faults.table(node, "zero-moves", keys::ZERO_MOVES) else { return none };
    if matches!(transfer, Some(Lands::Standard(transfer)) if transfer.to[Board(0).index()] == Default::default())
    {
        let advice = "write zero-moves = \"none\", or another transfer";
        faults.add(&node.key_place, "a zero move is a transfer, but nobody transfers", advice);
    }
    let names: Vec<&str> = men.iter().map(|man| man.name.as_str()).collect();
    let listed = |node: &Node, faults: &mut Faults| {
        let advice = format!("write {} = [\"…\"]: names of men", node.key);
        let list = faults.list(node, &advice).unwrap_or_default();
        list.iter().filter_map(|node| named(node, &names, faults)).map(|(kind, _)| kind).collect()
    };
    let all: KindSet = (0..men.len() as u8).map(alice_core::Kind).collect();
    let men = match (table.get("men"), table.get("except")) {
        (Some(_), Some(except)) => {
            let advice = "write men = […], or except = […] for all men but these";
            faults.add(&except.key_place, "both `men` and `except` say who makes zero moves", advice);
            KindSet::EMPTY
        }
        (Some(node), None) if matches!(node.value, Value::Text(_)) => {
            faults.only_word(node, "all", "a list of men");
            all
        }
        (Some(node), None) => listed(node, faults),
        (None, Some(node)) => {
            let except: KindSet = listed(node, faults);
            all.iter().filter(|kind| !except.has(*kind)).collect()
        }
        (None, None) => {
            let advice = "write men = \"all\", men = [\"…\"] or except = [\"…\"]";
            faults.add(&node.key_place, "it is not said who makes zero moves", advice);
            KindSet::EMPTY
        }
    };
    let mut truth = |key| table.get(key).and_then(|node| faults.truth(node)).unwrap_or(false);
    let (capture, leave_check) = (truth("capture"), truth("leave-check"));
    (ZeroMoves { men, capture }, leave_check)
}

fn check(top: &Table, leave_check: bool, faults: &mut Faults) -> CheckTests {
    let table = table(top, "check", keys::CHECK, faults);
    let mut test = |key| table.and_then(|t| t.get(key)).and_then(|node| faults.truth(node)).unwrap_or(true);
    let (before_transfer, after_transfer) = (test("before-transfer"), test("after-transfer"));
    CheckTests { before_transfer, before_zero_move: before_transfer && !leave_check, after_transfer }
}

fn en_passant(top: &Table, faults: &mut Faults) -> EnPassantRule {
    let words = [
        ("none", EnPassantRule::None),
        ("origin", EnPassantRule::Origin),
        ("landing", EnPassantRule::Landing),
        ("either", EnPassantRule::Either),
    ];
    top.get("en-passant").and_then(|node| faults.word(node, &words)).unwrap_or_default()
}

fn ends(top: &Table, faults: &mut Faults) -> Ends {
    let mut ends = Ends::default();
    let Some(table) = table(top, "ends", keys::ENDS, faults) else { return ends };
    let words = [("draw", Stalemate::Draw), ("loss", Stalemate::Loss), ("win", Stalemate::Win)];
    if let Some(stalemate) = table.get("stalemate").and_then(|node| faults.word(node, &words)) {
        ends.stalemate = stalemate;
    }
    let mut count = |key, least, noun, default| match table.get(key) {
        Some(node) if matches!(node.value, Value::Text(_)) => {
            faults.only_word(node, "off", "a number");
            None
        }
        Some(node) => faults.whole(node, least..=10_000, noun).map(|n| n as u16),
        None => default,
    };
    ends.moves_without_progress =
        count("moves-without-progress", 1, "a count of moves", ends.moves_without_progress);
    ends.repetition = count("repetition", 2, "a count of repetitions", ends.repetition);
    if let Some(bare_kings) = table.get("bare-kings").and_then(|node| faults.truth(node)) {
        ends.bare_kings = bare_kings;
    }
    ends
}
