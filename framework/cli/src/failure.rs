//! How a command can fail, and what the shell is told then.

use std::io;
use std::process::ExitCode;

/// Why a command did not do all that was asked.
#[derive(Debug)]
pub enum Failure {
    /// What was given can't be used; the whole message.
    BadInput(String),
    /// The same, and everything about it has been printed.
    Reported,
    /// What was found can't be printed.
    Output(io::Error),
    /// It is not the user's fault.
    Internal(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl Failure {
    /// Tells the user, and says how the command ends.
    pub fn report(self) -> ExitCode {
        match self {
            Self::BadInput(message) => {
                complain(&message);
                ExitCode::from(2)
            }
            Self::Reported => ExitCode::from(2),
            // The reader has seen enough, as in `alice moves alice | head -1`.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(error) => {
                complain(&format!("error: the report can't be written: {error}"));
                ExitCode::FAILURE
            }
            Self::Internal(message) => {
                complain(&format!("internal error: {message}"));
                ExitCode::FAILURE
            }
        }
    }
}

/// Prints a message for people to the standard error, where there is one.
pub fn complain(message: &str) {
    use io::Write;
    let _ = writeln!(anstream::stderr(), "{}", message);
}

/// Whether messages to the standard error are coloured.
pub fn colour() -> bool {
    anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}
