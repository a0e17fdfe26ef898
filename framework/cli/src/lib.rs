//! The command `alice`: arguments, reports, explanations, and play in the terminal.
//!
//! Prints and asks, and leaves all thinking about rules to the core. Every message a user can get
//! from bad input names the place and says what to do; exit code 2 means bad input, 1 a fault of ours.

mod analyze;
mod arguments;
mod bench;
mod code;
mod compare;
mod contest;
mod convert;
mod diagram;
mod drawing;
pub mod explain;
mod failure;
mod files;
mod game;
mod many;
mod perft;
mod play;
mod plugins;
mod replay;
mod reports;
mod sheets;
mod solve;
mod tune;
mod uci;
mod weights;
mod words;

use arguments::{Arguments, ColourWhen, Command, PluginCommand};
use clap::Parser;
use code::Code;
use failure::{Failure, complain};
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// Runs the command with these arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Nobody may be left to read it.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let choice = match arguments.color {
        ColourWhen::Auto => anstream::ColorChoice::Auto,
        ColourWhen::Always => anstream::ColorChoice::Always,
        ColourWhen::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
    if let Command::Plugin(PluginCommand::Law { file, law, params }) = &arguments.command {
        return plugins::law(file, law, params);
    }
    let done = catch_unwind(AssertUnwindSafe(|| carry_out(&arguments)));
    match done {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.report(),
        Err(_) => {
            complain("internal error: please report this with the arguments you gave");
            ExitCode::FAILURE
        }
    }
}

fn carry_out(arguments: &Arguments) -> Result<(), Failure> {
    let out = &mut anstream::stdout();
    let code = &Code::new(&arguments.code)?;
    match &arguments.command {
        Command::List(list) => reports::list(list, out),
        Command::Check(check) => reports::check(check, code, out),
        Command::New(new) => reports::new(new, out),
        Command::Show(show) => reports::show(show, code, out),
        Command::Moves(moves) => reports::moves(moves, code, out),
        Command::Perft(perft) => perft::perft(perft, code, out),
        Command::Explain(explain) => reports::explanation(explain, code, out),
        Command::Replay(replay) => replay::replay(replay, code, out),
        Command::Convert(convert) => convert::convert(convert, code, out),
        Command::Solve(solve) => solve::solve(solve, code, out),
        Command::Diagram(diagram) => diagram::diagram(diagram, code, out),
        Command::Play(play) => play::play(play, code, out),
        Command::Compare(compare) => compare::compare(compare, code, out),
        Command::Merge(merge) => compare::merge(merge, code, out),
        Command::Match(contest) => contest::contest(contest, code, out),
        Command::Tune(tune) => tune::tune(tune, code, out),
        Command::Analyze(analyze) => analyze::analyze(analyze, code, out),
        Command::Uci(uci) => uci::uci(uci, code),
        Command::Bench(bench) => bench::bench(bench, code, out),
        Command::Plugin(plugin) => plugins::carry_out(plugin, code, out),
        Command::Completions(completions) => reports::completions(completions, out),
    }
}
