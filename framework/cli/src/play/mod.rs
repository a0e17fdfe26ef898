//! Play in the terminal: two people, or people against the program, or the program against itself.

mod opponent;
pub mod prompt;
mod saved;

use crate::analyze::algebraic;
use crate::arguments::{self, Opponent, Side};
use crate::code::Code;
use crate::drawing::{Look, width};
use crate::explain::{Verdict, explain_in_game};
use crate::failure::{Failure, complain};
use crate::game::{Game, shortened};
use crate::reports::{picture, told};
use crate::weights::weights;
use alice_config::render_faults;
use alice_core::{Colour, Fault, Move, MoveError};
use alice_score::ScoreSheet;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use opponent::{Player, advice};
use prompt::{Prompt, Said};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const HELP: &str = "\
e2e4, e2Ae4B, e4 make a move: from cell to cell, boards if you like, a letter to promote
moves            list all legal moves
explain MOVE     say whether a move is legal, and why
show             show the boards again
hint             ask the engine for a move; analyze for the three it likes best
undo             take back your last move
save FILE        save the game; load FILE goes on with a saved one
quit             leave
";

/// A game that would be lost if the program ended now, as the text of a saved game.
type Unsaved = Arc<Mutex<Option<String>>>;

/// `alice play`.
pub fn play(arguments: &arguments::Play, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    let look = Look::of_output(arguments.ascii);
    let strength = [
        ("--level", arguments.level.is_some()),
        ("--time", arguments.time.is_some()),
        ("--nodes", arguments.nodes.is_some()),
    ];
    let given = strength.iter().find(|(_, given)| *given);
    if let (Some((option, _)), false) = (given, arguments.opponent == Some(Opponent::Engine)) {
        let problem =
            format!("error: {option} is for the engine; write --opponent engine too, or leave it out");
        return Err(Failure::BadInput(problem));
    }
    let ((game, sheet), file) = match (&arguments.load, &arguments.variant) {
        (Some(path), _) => {
            (saved::load(path, arguments.game, arguments.from.letters, code)?, Some(path.clone()))
        }
        (None, variant) => {
            // The parser lets nobody through with neither.
            let variant = variant.as_deref().unwrap_or_default();
            ((Game::new(variant, &arguments.from, code)?, ScoreSheet::default()), None)
        }
    };
    let unsaved = Unsaved::default();
    let options = options(arguments, code);
    let (rescued, again) = (unsaved.clone(), options.clone());
    ctrlc::set_handler(move || interrupted(&rescued, &again))
        .map_err(|e| Failure::Internal(e.to_string()))?;
    let mut table = Table {
        saved: game.record.moves().to_vec(),
        player: None,
        game,
        sheet,
        // A game taken from among others is not to take their place.
        file: file.filter(|_| arguments.game.is_none()),
        arguments,
        code,
        seed: arguments.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish() >> 32),
        look,
        unsaved,
        options,
        out,
    };
    table.seat()?;
    let played = table.greet().and_then(|()| table.run());
    if played.is_err() {
        rescue(&table.unsaved, &table.options);
    }
    played
}

/// The arguments with which a game goes on as it was played, each with a space before.
fn options(arguments: &arguments::Play, code: &Code) -> String {
    let named = |value: &dyn Fn() -> Option<PossibleValue>| value().map(|v| v.get_name().to_string());
    let number = |n: Option<u64>| n.map(|n| n.to_string());
    let side = (arguments.side != Side::default()).then_some(arguments.side);
    let pairs = [
        ("--letters", arguments.from.letters.asked.map(|language| language.code().to_string())),
        ("--opponent", named(&|| arguments.opponent?.to_possible_value())),
        ("--level", number(arguments.level.map(u64::from))),
        ("--time", number(arguments.time)),
        ("--nodes", number(arguments.nodes)),
        ("--side", named(&|| side?.to_possible_value())),
        ("--weights", arguments.weights.file.as_ref().map(|path| path.display().to_string())),
    ];
    let given = pairs.into_iter().filter_map(|(option, value)| Some([option.to_string(), value?]));
    let ascii = arguments.ascii.then(|| "--ascii".to_string());
    let words = code.arguments().into_iter().chain(given.flatten()).chain(ascii);
    words.map(|word| format!(" {}", quoted(&word))).collect()
}

/// Saves what would be lost, and says where.
fn rescue(unsaved: &Unsaved, options: &str) {
    // A text is replaced whole, so that what a panicking thread left is in order.
    let text = unsaved.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(text) = text {
        match saved::rescue(&text) {
            Some(path) => complain(&format!(
                "\nThe game is saved in {}. To go on with it:\n  alice play --load {}{options}",
                path.display(),
                quoted(&path.display().to_string())
            )),
            None => complain(&format!("\nThe game could not be saved to a file. This is it:\n{text}")),
        }
    }
}

fn interrupted(unsaved: &Unsaved, options: &str) -> ! {
    rescue(unsaved, options);
    std::process::exit(130);
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Who sits at the boards, and what lies on them.
struct Table<'a> {
    game: Game,
    /// What was loaded, with all that is remarked there.
    sheet: ScoreSheet<Move>,
    arguments: &'a arguments::Play,
    code: &'a Code,
    player: Option<Player>,
    seed: u64,
    /// The file of the game, once there is one.
    file: Option<PathBuf>,
    /// The moves that are in the file, or were given to begin with.
    saved: Vec<Move>,
    look: Look,
    unsaved: Unsaved,
    /// With what the game goes on another time.
    options: String,
    out: &'a mut dyn Write,
}

/// Whether the dialogue goes on.
enum Next {
    Ask,
    Leave,
}

impl Table<'_> {
    /// Seats the program's player for this variant.
    fn seat(&mut self) -> Result<(), Failure> {
        // Whoever names a file of weights learns at once if it is none, also where only a hint needs it.
        if let Some(file) = &self.arguments.weights.file {
            weights(&self.game.config, &self.game.variant, Some(file))?;
        }
        let player = |kind| Player::new(kind, &self.game, self.seed, self.arguments);
        self.player = self.arguments.opponent.map(player).transpose()?;
        Ok(())
    }

    fn greet(&mut self) -> Result<(), Failure> {
        let (config, seed) = (&self.game.config, self.seed);
        let title = if config.about.title.is_empty() { &config.name } else { &config.about.title };
        writeln!(self.out, "{title}. Write a move, or help.")?;
        let side = match self.arguments.side {
            Side::White => "White",
            Side::Black => "Black",
            Side::Both => "both sides",
        };
        if self.player.is_some() {
            writeln!(self.out, "The program plays {side} (seed {seed}).")?;
        }
        writeln!(self.out)?;
        self.show()
    }

    fn show(&mut self) -> Result<(), Failure> {
        let picture = picture(&self.game.record, self.look);
        self.game.sound()?;
        write!(self.out, "{picture}")?;
        Ok(writeln!(self.out)?)
    }

    fn is_program(&self, side: Colour) -> bool {
        let its = match self.arguments.side {
            Side::White => side == Colour::White,
            Side::Black => side == Colour::Black,
            Side::Both => true,
        };
        self.player.is_some() && its
    }

    fn over(&self) -> bool {
        self.game.record.outcome().is_some()
    }

    /// Keeps what would be lost by an interruption up to date.
    fn changed(&mut self) {
        let text = (!self.saved.starts_with(self.game.record.moves()))
            .then(|| saved::write(&self.game, &self.sheet));
        *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }

    fn run(&mut self) -> Result<(), Failure> {
        let mut prompt = None;
        loop {
            self.game.sound()?;
            let turn = self.game.position().turn();
            if !self.over() && self.is_program(turn) {
                self.program_moves()?;
                continue;
            }
            if self.is_program(Colour::White) && self.is_program(Colour::Black) {
                return self.farewell();
            }
            let prompt = prompt.get_or_insert_with(Prompt::new);
            let asked = if self.over() { "Game over> ".into() } else { format!("{}> ", turn.name()) };
            match prompt.ask(&asked, self.out)? {
                Said::Line(line) => {
                    if let Next::Leave = self.obey(line.trim())? {
                        return self.farewell();
                    }
                }
                Said::End => {
                    writeln!(self.out)?;
                    return self.farewell();
                }
                Said::Interrupted => interrupted(&self.unsaved, &self.options),
            }
        }
    }

    fn program_moves(&mut self) -> Result<(), Failure> {
        let position = self.game.position().clone();
        let turn = position.turn();
        let chosen = self.player.as_mut().and_then(|player| player.choose(&self.game.record));
        self.game.sound()?;
        let mv = chosen.ok_or_else(|| Failure::Internal("a game that is not over has no move".into()))?;
        self.game.record.play(&mv);
        self.changed();
        writeln!(self.out, "{} plays {}", turn.name(), self.game.text(&position, &mv))?;
        if self.over() || !self.is_program(!turn) {
            writeln!(self.out)?;
            self.show()?;
        }
        Ok(())
    }

    fn obey(&mut self, line: &str) -> Result<Next, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "help" | "?" => write!(self.out, "{HELP}")?,
            "quit" | "exit" | "q" => return Ok(Next::Leave),
            "show" => self.show()?,
            "moves" => self.list_moves()?,
            "undo" => self.undo()?,
            "hint" => self.advise(1)?,
            "analyze" | "analyse" => self.advise(3)?,
            "save" => self.save(rest)?,
            "load" => self.load(rest)?,
            "explain" if rest.is_empty() => writeln!(self.out, "Explain which move? Write: explain MOVE")?,
            "explain" => {
                if let Some(verdict) = self.judge(rest)? {
                    write!(self.out, "{}", told(&self.game, rest, &verdict))?;
                }
            }
            _ => self.make(line)?,
        }
        Ok(Next::Ask)
    }

    /// Reads a move; if it is none, says so.
    fn judge(&mut self, text: &str) -> Result<Option<Verdict>, Failure> {
        let verdict = explain_in_game(&self.game.record, text, self.game.letters.language());
        self.game.sound()?;
        match verdict {
            Ok(verdict) => Ok(Some(verdict)),
            Err(MoveError::Unreadable { at, problem, advice, .. }) => {
                let problem = format!("{} is neither a move nor a command: {problem}", shortened(text));
                let advice = format!("{advice}; for commands write help");
                let faults = [Fault { at, problem, advice }];
                writeln!(self.out, "{}", render_faults("move", text, &faults, self.look.colour))?;
                Ok(None)
            }
            Err(other) => Err(Failure::Internal(other.to_string())),
        }
    }

    fn make(&mut self, text: &str) -> Result<(), Failure> {
        let Some(verdict) = self.judge(text)? else { return Ok(()) };
        if let Some(outcome) = self.game.record.outcome() {
            writeln!(self.out, "The game is over: {outcome}. You can undo, save FILE or quit.")?;
        } else if let Verdict::Legal(mv) = verdict {
            self.game.record.play(&mv);
            self.changed();
            self.game.sound()?;
            writeln!(self.out)?;
            if self.over() || !self.is_program(self.game.position().turn()) {
                self.show()?;
            }
        } else {
            write!(self.out, "{}", told(&self.game, text, &verdict))?;
        }
        Ok(())
    }

    fn list_moves(&mut self) -> Result<(), Failure> {
        let moves = self.game.moves();
        self.game.sound()?;
        let Some(longest) = moves.iter().map(String::len).max() else {
            return Ok(writeln!(self.out, "There are no legal moves.")?);
        };
        let columns = (width() / (longest + 2)).max(1);
        for row in moves.chunks(columns) {
            let row: String = row.iter().map(|mv| format!("{mv:<width$}", width = longest + 2)).collect();
            writeln!(self.out, "{}", row.trim_end())?;
        }
        Ok(())
    }

    /// Says what the engine would play.
    fn advise(&mut self, lines: usize) -> Result<(), Failure> {
        if self.over() {
            return Ok(writeln!(self.out, "The game is over; there is nothing to think about.")?);
        }
        let report = advice(&self.game, self.arguments.weights.file.as_deref(), lines)?;
        self.game.sound()?;
        for line in &report.lines {
            let language = self.game.letters.language();
            let moves = algebraic(self.game.position(), &line.moves, language).join(" ");
            let mv = line.moves.first().map_or(String::new(), |mv| mv.exact(self.game.position().rules()));
            match lines {
                1 => writeln!(self.out, "{mv} looks best ({}): {moves}", line.value)?,
                _ => writeln!(self.out, "{mv} {:>7}  {moves}", line.value)?,
            }
        }
        Ok(())
    }

    /// Takes back moves to where a person is to move.
    fn undo(&mut self) -> Result<(), Failure> {
        let turns = self.game.record.moves().len();
        let side = |n: usize| {
            let turn = self.game.position().turn();
            if (turns - n).is_multiple_of(2) { turn } else { !turn }
        };
        let Some(back) = (0..turns).rev().find(|n| !self.is_program(side(*n))) else {
            return Ok(writeln!(self.out, "There is no move of yours to take back.")?);
        };
        while self.game.record.moves().len() > back {
            self.game.record.undo();
        }
        self.changed();
        writeln!(self.out)?;
        self.show()
    }

    fn save(&mut self, name: &str) -> Result<(), Failure> {
        let path = match (name, &self.file) {
            ("", None) => return Ok(writeln!(self.out, "Save where? Write: save FILE")?),
            ("", Some(file)) => file.clone(),
            (name, _) => PathBuf::from(name),
        };
        match saved::save(&path, &saved::write(&self.game, &self.sheet)) {
            Ok(()) => {
                writeln!(self.out, "Saved in {}", path.display())?;
                self.saved = self.game.record.moves().to_vec();
                self.file = Some(path);
                self.changed();
            }
            Err(problem) => writeln!(self.out, "Not saved: {problem}")?,
        }
        Ok(())
    }

    fn load(&mut self, name: &str) -> Result<(), Failure> {
        if name.is_empty() {
            return Ok(writeln!(self.out, "Load what? Write: load FILE")?);
        }
        match saved::load(Path::new(name), None, self.game.letters, self.code) {
            Ok((game, sheet)) => {
                self.farewell()?;
                self.saved = game.record.moves().to_vec();
                self.game = game;
                self.sheet = sheet;
                self.file = Some(PathBuf::from(name));
                self.seat()?;
                self.changed();
                self.greet()?;
            }
            Err(Failure::BadInput(message)) => writeln!(self.out, "{message}")?,
            Err(other) => return Err(other),
        }
        Ok(())
    }

    /// Says how to come back to what is not saved.
    fn farewell(&mut self) -> Result<(), Failure> {
        let record = &self.game.record;
        if self.saved.starts_with(record.moves()) {
            return Ok(());
        }
        let moves: Vec<_> = record.moves().iter().map(|m| m.exact(self.game.position().rules())).collect();
        let start = record.start().to_string();
        let fen = match start == self.game.config.variant.start().to_string() {
            true => String::new(),
            false => format!(" --fen {}", quoted(&start)),
        };
        let variant = quoted(&self.game.variant);
        writeln!(self.out, "The game is not saved. To go on with it:")?;
        Ok(writeln!(self.out, "  alice play {variant}{fen} --moves '{}'{}", moves.join(" "), self.options)?)
    }
}
