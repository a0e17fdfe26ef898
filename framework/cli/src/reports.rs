//! The reports that need no counting: list, check, new, show, moves, explain, completions.
//!
//! The fields of the JSON reports are described in docs/notation.md and don't change their meaning.

use crate::arguments::{self, Arguments};
use crate::code::Code;
use crate::drawing::{Look, Marks, draw, wrapped};
use crate::explain::{Effects, Reason, Verdict, explain_in_game};
use crate::failure::{Failure, colour, complain};
use crate::game::{Game, shortened};
use crate::words::{Words, list as words_list};
use alice_config::{Config, ConfigError, render_faults};
use alice_core::*;
use serde::Serialize;
use std::io::Write;

type Done = Result<(), Failure>;

/// Prints one JSON value on one line.
pub fn print_json(out: &mut dyn Write, value: &impl Serialize) -> Done {
    let text = serde_json::to_string(value).map_err(|e| Failure::Internal(e.to_string()))?;
    Ok(writeln!(out, "{text}")?)
}

#[derive(Serialize)]
struct Listed {
    name: String,
    title: String,
    boards: u8,
    files: usize,
    ranks: usize,
    levels: usize,
    inventor: String,
    year: Option<i32>,
    source: String,
    summary: String,
}

impl Listed {
    fn new(config: &Config) -> Self {
        let (rules, about) = (config.variant.rules(), config.about.clone());
        Self {
            name: config.name.clone(),
            title: about.title,
            boards: rules.boards,
            files: rules.shape.files(),
            ranks: rules.shape.ranks(),
            levels: rules.shape.levels(),
            inventor: about.inventor,
            year: about.year,
            source: about.source,
            summary: about.summary,
        }
    }

    /// `2 of 8x8`.
    fn boards(&self) -> String {
        let levels = if self.levels > 1 { format!("x{}", self.levels) } else { String::new() };
        format!("{} of {}x{}{levels}", self.boards, self.files, self.ranks)
    }
}

/// Why a config is refused, for people.
fn bad_config(error: ConfigError) -> Failure {
    Failure::BadInput(error.render(colour()))
}

/// `alice list`.
pub fn list(arguments: &arguments::List, out: &mut dyn Write) -> Done {
    let listed: Vec<Listed> = alice_config::builtin_names()
        .into_iter()
        .map(|name| alice_config::load(name).map(|config| Listed::new(&config)))
        .collect::<Result<_, _>>()
        .map_err(bad_config)?;
    if arguments.report.json {
        return print_json(out, &listed);
    }
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(["NAME", "TITLE", "BOARDS", "INVENTOR", "YEAR"]);
    for game in &listed {
        let year = game.year.map_or_else(String::new, |y| y.to_string());
        table.add_row([&game.name, &game.title, &game.boards(), &game.inventor, &year]);
    }
    for line in table.lines() {
        writeln!(out, "{}", line.trim())?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Checked {
    file: String,
    ok: bool,
    errors: Vec<Error>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    needs: Vec<Needed>,
}

/// A plug-in that a config needs.
#[derive(Serialize)]
struct Needed {
    key: String,
    id: String,
    version: String,
    rule: Option<String>,
    found: String,
}

#[derive(Serialize)]
struct Error {
    file: String,
    line: Option<usize>,
    column: Option<usize>,
    problem: String,
    advice: String,
}

fn errors(error: &ConfigError) -> Vec<Error> {
    let one = |p: alice_config::Problem| Error {
        file: p.origin,
        line: p.place.map(|(line, _)| line),
        column: p.place.map(|(_, column)| column),
        problem: p.problem,
        advice: p.advice,
    };
    error.problems().into_iter().map(one).collect()
}

/// `alice check`.
pub fn check(arguments: &arguments::Check, code: &Code, out: &mut dyn Write) -> Done {
    let mut all = Vec::new();
    for path in &arguments.files {
        let file = path.display().to_string();
        let result = alice_config::check_file(path);
        let needs = result.as_ref().map_or(Vec::new(), |outline| outline.needs.clone());
        if !arguments.report.json {
            match &result {
                Ok(_) => {
                    writeln!(out, "{file}: ok")?;
                    for need in &needs {
                        let found = code.found(need);
                        writeln!(
                            out,
                            "  {} needs the plug-in {} {}: {found}",
                            need.key, need.id, need.version
                        )?;
                    }
                }
                // With a blank line between the reports of two files.
                Err(error) => complain(&format!("{}\n", error.render(colour()))),
            }
        }
        let errors = result.as_ref().err().map(errors).unwrap_or_default();
        let needed = |need: alice_config::Need| Needed {
            found: code.found(&need),
            key: need.key,
            id: need.id,
            version: need.version,
            rule: need.rule,
        };
        let needs = needs.into_iter().map(needed).collect();
        all.push(Checked { file, ok: result.is_ok(), errors, needs });
    }
    if arguments.report.json {
        print_json(out, &all)?;
    }
    if all.iter().all(|c| c.ok) { Ok(()) } else { Err(Failure::Reported) }
}

/// `alice completions`.
pub fn completions(arguments: &arguments::Completions, out: &mut dyn Write) -> Done {
    use clap::CommandFactory;
    // Into memory first: a script may be piped into something that stops reading.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "alice", &mut script);
    Ok(out.write_all(&script)?)
}

#[derive(Serialize)]
struct Template {
    from: String,
    config: String,
}

/// `alice new`.
pub fn new(arguments: &arguments::New, out: &mut dyn Write) -> Done {
    let from = &arguments.from;
    let text = match alice_config::template(from) {
        Some(text) => text,
        None => {
            // A user's own file is its own template, if it is in order.
            alice_config::check(from).map_err(bad_config)?;
            let unreadable = |e| Failure::BadInput(format!("error: {from} can't be read: {e}"));
            std::fs::read_to_string(from).map_err(unreadable)?
        }
    };
    if arguments.report.json {
        return print_json(out, &Template { from: arguments.from.clone(), config: text });
    }
    Ok(out.write_all(text.as_bytes())?)
}

#[derive(Serialize)]
struct Listing {
    variant: String,
    position: String,
    moves: Vec<String>,
}

/// The legal moves of a position in exact notation, in the order of their bytes.
pub fn exact_moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<_> = position.legal_moves().iter().map(|m| m.exact(position.rules())).collect();
    moves.sort_unstable();
    moves
}

/// `alice moves`.
pub fn moves(arguments: &arguments::Moves, code: &Code, out: &mut dyn Write) -> Done {
    let game = Game::new(&arguments.place.variant, &arguments.place.from, code)?;
    let position = game.position();
    let mut moves = exact_moves(position);
    if arguments.algebraic {
        moves = position.legal_moves().iter().map(|mv| position.algebraic(mv)).collect();
        moves.sort_unstable();
    }
    game.sound()?;
    if arguments.report.json {
        let position = game.position().to_string();
        return print_json(out, &Listing { variant: game.config.name, position, moves });
    }
    moves.iter().try_for_each(|mv| writeln!(out, "{mv}"))?;
    Ok(())
}

#[derive(Serialize)]
struct Shown {
    variant: String,
    position: String,
    turn: &'static str,
    check: bool,
    checkers: Vec<String>,
    castling: String,
    en_passant: String,
    halfmoves: u16,
    fullmoves: u16,
    last_move: Option<String>,
    legal_moves: usize,
    outcome: Option<End>,
    boards: Vec<ShownBoard>,
}

#[derive(Serialize)]
struct ShownBoard {
    board: String,
    men: Vec<ShownMan>,
}

#[derive(Serialize)]
struct ShownMan {
    cell: String,
    man: String,
    letter: char,
    side: &'static str,
}

/// How a game has ended, for programs.
#[derive(Serialize)]
pub struct End {
    kind: &'static str,
    winner: Option<&'static str>,
    score: String,
    sentence: String,
}

const fn side(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "white",
        Colour::Black => "black",
    }
}

impl End {
    /// The report of an outcome.
    pub fn new(outcome: Outcome) -> Self {
        let kind = match outcome {
            Outcome::Mate { .. } => "mate",
            Outcome::Stalemate { .. } => "stalemate",
            Outcome::NoProgress { .. } => "no-progress",
            Outcome::Repetition { .. } => "repetition",
            Outcome::BareKings => "bare-kings",
        };
        Self {
            kind,
            winner: outcome.winner().map(side),
            score: outcome.score().to_string(),
            sentence: outcome.to_string(),
        }
    }
}

/// `alice show`.
pub fn show(arguments: &arguments::Show, code: &Code, out: &mut dyn Write) -> Done {
    let game = Game::new(&arguments.place.variant, &arguments.place.from, code)?;
    if arguments.report.json {
        let shown = shown(&game);
        game.sound()?;
        return print_json(out, &shown);
    }
    let picture = picture(&game.record, Look::of_output(arguments.ascii));
    game.sound()?;
    write!(out, "{picture}")?;
    Ok(writeln!(out, "{}", game.position())?)
}

fn shown(game: &Game) -> Shown {
    let (record, position, rules) = (&game.record, game.position(), game.position().rules());
    let (setup, text) = (position.setup(), position.to_string());
    let field = |n: usize| text.split(' ').nth(n).unwrap_or("-").to_string();
    let board = |board: Board| ShownBoard {
        board: board.to_string(),
        men: setup
            .men()
            .filter(|(square, _)| square.board == board)
            .map(|(square, man)| ShownMan {
                cell: rules.shape.cell_name(square.cell),
                man: rules.man(man.kind).name.clone(),
                letter: rules.letter(man.kind, man.colour),
                side: side(man.colour),
            })
            .collect(),
    };
    Shown {
        variant: game.config.name.clone(),
        turn: side(position.turn()),
        check: position.in_check(),
        checkers: position.checkers().iter().map(|s| rules.shape.square_name(*s)).collect(),
        castling: field(2),
        en_passant: field(3),
        halfmoves: setup.halfmoves,
        fullmoves: setup.fullmoves,
        last_move: record.moves().last().map(|m| m.exact(rules)),
        legal_moves: position.legal_moves().len(),
        outcome: record.outcome().map(End::new),
        boards: rules.all_boards().map(board).collect(),
        position: text,
    }
}

/// The boards and what is to be known of the position, for people.
pub fn picture(record: &Record, look: Look) -> String {
    let position = record.position();
    let (rules, setup) = (position.rules(), position.setup());
    let words = Words(rules);
    let king = rules.royal().and_then(|kind| setup.find(Man { kind, colour: setup.turn }).next());
    let mut marks = Marks::default();
    if let Some(mv) = record.moves().last() {
        marks.moved = vec![mv.start(), mv.end()];
    }
    let checkers = position.checkers();
    marks.check = king.filter(|_| !checkers.is_empty());
    let boards = draw(rules, &setup, &marks, look);
    let mut text = String::new();
    if let Some(mv) = record.moves().last() {
        text += &format!("Last move: {}\n", mv.exact(rules));
    }
    let side = setup.turn.name();
    if let Some(outcome) = record.outcome() {
        text += &format!("{}: {outcome}\n", outcome.score());
    } else if let Some(king) = marks.check {
        let by = words.men_on(&setup, &checkers, king.board);
        text += &format!("{side} to move, in check{} from {by}\n", words.on(king.board));
    } else {
        text += &format!("{side} to move\n");
    }
    if !rules.castling.is_empty() {
        text += &format!("Castling: {}\n", castling(rules, &setup));
    }
    if let Some(right) = setup.en_passant {
        let passed = rules.shape.cell_name(right.passed);
        let boards = match rules.boards {
            1 => String::new(),
            _ => format!(" (from board {} to board {})", right.origin, right.landing),
        };
        text += &format!("En passant: a pawn has just passed over {passed}{boards}\n");
    }
    let lines = text.lines().map(|line| wrapped(line, look.width) + "\n");
    format!("{boards}\n{}", lines.collect::<String>())
}

fn castling(rules: &Rules, setup: &Setup) -> String {
    let rights = |colour: Colour| {
        let held = rules.castling.iter().filter(|c| c.colour == colour && setup.castling & c.right() != 0);
        let wings: Vec<_> = held.map(|c| if c.wing == Wing::King { "O-O" } else { "O-O-O" }).collect();
        (!wings.is_empty()).then(|| format!("{} {}", colour.name(), wings.join(" ")))
    };
    let sides: Vec<_> = Colour::BOTH.into_iter().filter_map(rights).collect();
    if sides.is_empty() { "none".into() } else { sides.join(", ") }
}

#[derive(Serialize)]
struct Explained {
    variant: String,
    position: String,
    #[serde(rename = "move")]
    mv: String,
    legal: bool,
    verdict: &'static str,
    moves: Vec<String>,
    reasons: Vec<Told>,
    effect: Option<Effect>,
}

#[derive(Serialize)]
struct Told {
    rule: &'static str,
    key: Option<String>,
    board: Option<String>,
    sentence: String,
}

#[derive(Serialize)]
struct Effect {
    captures: Option<String>,
    check: bool,
    outcome: Option<End>,
    sentence: String,
}

/// `alice explain`.
pub fn explanation(arguments: &arguments::Explain, code: &Code, out: &mut dyn Write) -> Done {
    let game = Game::new(&arguments.variant, &arguments.from, code)?;
    let text = arguments.mv.trim();
    let verdict = match explain_in_game(&game.record, text) {
        Ok(verdict) => verdict,
        Err(MoveError::Unreadable { at, problem, advice, .. }) => {
            let problem = format!("{} is not a move: {problem}", shortened(text));
            let fault = Fault { at, problem, advice };
            return Err(Failure::BadInput(render_faults("MOVE", text, &[fault], colour())));
        }
        Err(other) => return Err(Failure::Internal(other.to_string())),
    };
    if arguments.report.json {
        let explained = explained(&game, text, &verdict);
        game.sound()?;
        return print_json(out, &explained);
    }
    let told = told(&game, text, &verdict);
    game.sound()?;
    write!(out, "{told}")?;
    Ok(())
}

fn explained(game: &Game, text: &str, verdict: &Verdict) -> Explained {
    let position = game.position();
    let (rules, setup) = (position.rules(), position.setup());
    let reason = |r: &Reason| Told {
        rule: r.rule(),
        key: r.key(rules),
        board: r.board().map(|b| b.to_string()),
        sentence: r.sentence(rules, &setup),
    };
    let exact = |moves: &[Move]| moves.iter().map(|m| m.exact(rules)).collect();
    let mut explained = Explained {
        variant: game.config.name.clone(),
        position: position.to_string(),
        mv: text.into(),
        legal: false,
        verdict: "illegal",
        moves: vec![],
        reasons: vec![],
        effect: None,
    };
    match verdict {
        Verdict::Legal(mv) => {
            let effects = Effects::new(position, mv);
            explained.legal = true;
            explained.verdict = "legal";
            explained.moves = exact(&[*mv]);
            explained.effect = Some(Effect {
                captures: effects.captured.map(|(square, _)| rules.shape.square_name(square)),
                check: !effects.checkers.is_empty(),
                outcome: effects.outcome.map(End::new),
                sentence: effects.sentence(),
            });
        }
        Verdict::Open { reason: r, moves } => {
            explained.verdict = "open";
            explained.moves = exact(moves);
            explained.reasons = vec![reason(r)];
        }
        Verdict::Illegal(reasons) => explained.reasons = reasons.iter().map(reason).collect(),
    }
    explained
}

/// An explanation for people.
pub fn told(game: &Game, text: &str, verdict: &Verdict) -> String {
    let position = game.position();
    let (rules, setup) = (position.rules(), position.setup());
    let shown = shortened(text);
    let reason = |r: &Reason| {
        let mut told = format!("- {}\n", r.sentence(rules, &setup));
        if let Some(key) = r.key(rules) {
            let board = r.board().map_or_else(String::new, |b| Words(rules).on(b));
            told += &format!("  rule: {key} of {}{}\n", rules.name, board.replacen(" on", ", on", 1));
        }
        told
    };
    match verdict {
        Verdict::Legal(mv) => {
            let exact = mv.exact(rules);
            let which = if exact == shown { String::new() } else { format!(", as {exact}") };
            format!("{shown} is legal{which}\n- {}\n", Effects::new(position, mv).sentence())
        }
        Verdict::Open { reason: r @ Reason::Ambiguous { .. }, .. } => {
            format!("{shown} is ambiguous\n{}", reason(r))
        }
        Verdict::Open { reason: r, moves } => {
            let exact = words_list(moves.iter().map(|m| m.exact(rules)), "or");
            format!("{shown} is not legal as it is written\n{}  write {exact}\n", reason(r))
        }
        Verdict::Illegal(reasons) => {
            format!("{shown} is not legal\n{}", reasons.iter().map(reason).collect::<String>())
        }
    }
}
