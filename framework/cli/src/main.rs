//! The command `alice`. All of it is in the library beside this file.

use std::process::ExitCode;

fn main() -> ExitCode {
    alice_cli::run(std::env::args_os())
}
