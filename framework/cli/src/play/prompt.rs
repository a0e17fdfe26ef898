//! Where the players' lines come from: an editor on a terminal, plain lines otherwise.

use rustyline::error::ReadlineError;
use std::io::{self, BufRead, IsTerminal, Read, StdinLock, Write};

/// What came from the players.
pub enum Said {
    /// A line, without its end.
    Line(String),
    /// There is no more input.
    End,
    /// Ctrl-C.
    Interrupted,
}

/// Asks for lines.
pub enum Prompt {
    /// A person at a terminal.
    Editor(Box<rustyline::DefaultEditor>),
    /// A pipe or a file. Lines are repeated on the output, so that it reads as a dialogue.
    Lines(StdinLock<'static>),
}

/// Longer lines are cut in pieces; no command needs so much.
const LONGEST: u64 = 1 << 16;

impl Prompt {
    /// An editor if a person is there.
    pub fn new() -> Self {
        let person = io::stdin().is_terminal() && io::stdout().is_terminal();
        match rustyline::DefaultEditor::new() {
            Ok(editor) if person => Self::Editor(Box::new(editor)),
            _ => Self::Lines(io::stdin().lock()),
        }
    }

    /// The next line.
    ///
    /// # Errors
    /// If the prompt can't be written.
    pub fn ask(&mut self, prompt: &str, out: &mut dyn Write) -> io::Result<Said> {
        match self {
            Self::Editor(editor) => {
                out.flush()?;
                Ok(match editor.readline(prompt) {
                    Ok(line) => {
                        let _ = editor.add_history_entry(&line);
                        Said::Line(line)
                    }
                    Err(ReadlineError::Interrupted) => Said::Interrupted,
                    Err(_) => Said::End,
                })
            }
            Self::Lines(input) => {
                let mut line = Vec::new();
                let read = input.take(LONGEST).read_until(b'\n', &mut line);
                if !matches!(read, Ok(1..)) {
                    return Ok(Said::End);
                }
                let line = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_string();
                let shown: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
                writeln!(out, "{prompt}{shown}")?;
                Ok(Said::Line(line))
            }
        }
    }
}
