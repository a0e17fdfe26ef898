//! The child of the tests of [`alice_host::check`]: `check-law HOME FILE LAW [RULE name=value]…`.
//! Programs have a child of their own.

use alice_host::{Consent, Home, check};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [home, file, law, parameters @ ..] = arguments.as_slice() else {
        eprintln!("write check-law HOME FILE LAW [RULE name=value]…");
        return ExitCode::from(2);
    };
    let parameters: Vec<_> = parameters.chunks_exact(2).map(|p| (p[0].clone(), p[1].clone())).collect();
    check::child(&Home::at(Path::new(home)), Path::new(file), Consent::ThisSession, law, &parameters)
}
