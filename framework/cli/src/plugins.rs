//! `alice plugin …`: whom the user trusts, what a library is, whether it keeps the laws, and a crate to
//! begin with.

use crate::arguments::{Language, PluginCommand};
use crate::code::Code;
use crate::failure::Failure;
use crate::reports::print_json;
use alice_host::check::{self, Outcome, Tested};
use alice_host::{Consent, Home, PluginFile, Trusted};
use serde::Serialize;
use std::fs;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

type Done = Result<(), Failure>;

fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::BadInput(format!("error: {error}"))
}

/// Carries out one of the commands.
pub fn carry_out(command: &PluginCommand, code: &Code, out: &mut dyn Write) -> Done {
    match command {
        PluginCommand::List { report } => list(report.json, out),
        PluginCommand::Info { file, report } => info(file, code, report.json, out),
        PluginCommand::Check { file, limit, params, report } => {
            check(file, code, Duration::from_secs(*limit), params, report.json, out)
        }
        PluginCommand::Trust { file, yes } => trust(file, *yes, out),
        PluginCommand::Untrust { which } => untrust(which, out),
        PluginCommand::New { name, lang } => new(name, *lang, out),
        // Answered before anything else; see `law`.
        PluginCommand::Law { .. } => Ok(()),
    }
}

#[derive(Serialize)]
struct Listed {
    id: String,
    version: String,
    sha256: String,
    size: u64,
    from: PathBuf,
}

fn list(json: bool, out: &mut dyn Write) -> Done {
    let home = Code::home()?;
    let trusted = home.trusted().map_err(refused)?;
    if json {
        let listed = |t: Trusted| Listed {
            id: t.id,
            version: t.version,
            sha256: t.sha256,
            size: t.size,
            from: t.from,
        };
        return print_json(out, &trusted.into_iter().map(listed).collect::<Vec<_>>());
    }
    if trusted.is_empty() {
        return Ok(writeln!(out, "You trust no plug-ins. `alice plugin trust FILE` adds one.")?);
    }
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(["ID", "VERSION", "BYTES", "SHA-256", "FROM"]);
    for t in &trusted {
        let hash = t.sha256.get(..16).unwrap_or(&t.sha256);
        table.add_row([&t.id, &t.version, &t.size.to_string(), hash, &t.from.display().to_string()]);
    }
    for line in table.lines() {
        writeln!(out, "{}", line.trim())?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Info {
    path: PathBuf,
    id: String,
    version: String,
    licence: String,
    interface: String,
    features: String,
    size: u64,
    sha256: String,
    trusted: bool,
    /// None if the code may not run.
    rules: Option<Vec<Rule>>,
}

#[derive(Serialize)]
struct Rule {
    name: &'static str,
    sort: &'static str,
    about: &'static str,
}

fn info(path: &Path, code: &Code, json: bool, out: &mut dyn Write) -> Done {
    let file = PluginFile::read(path).map_err(refused)?;
    let home = Code::home()?;
    let trusted = home.trusts(file.hash()).map_err(refused)?;
    let mut rules = None;
    // What the rules are is known only to the code, which does not run to satisfy curiosity.
    if trusted || code.consent() == Consent::ThisSession {
        let sets = home.load(&file, code.consent()).map_err(refused)?.rule_sets().map_err(refused)?;
        let rule = |set: &alice_plugin::call::RuleSet| Rule {
            name: set.name,
            sort: if set.is_transfer() { "transfer" } else { "movement" },
            about: set.about,
        };
        rules = Some(sets.iter().map(rule).collect());
    }
    let identity = file.identity();
    let info = Info {
        path: file.path().into(),
        id: identity.id.clone(),
        version: identity.version.clone(),
        licence: identity.licence.clone(),
        interface: format!("{}.{}", alice_plugin::abi::MAJOR, identity.minor),
        features: identity.features.clone(),
        size: file.size(),
        sha256: file.hash().to_string(),
        trusted,
        rules,
    };
    if json {
        return print_json(out, &info);
    }
    print_identity(&file, out)?;
    writeln!(out, "trusted    {}", if trusted { "yes" } else { "no" })?;
    match &info.rules {
        Some(rules) => {
            rules.iter().try_for_each(|r| writeln!(out, "{:<10} {}: {}", r.sort, r.name, r.about))?
        }
        None => writeln!(out, "rules      shown once you trust it, or with --trust-this-session")?,
    }
    Ok(())
}

fn print_identity(file: &PluginFile, out: &mut dyn Write) -> Done {
    let identity = file.identity();
    writeln!(out, "file       {}", file.path().display())?;
    writeln!(out, "plug-in    {} {}", identity.id, identity.version)?;
    writeln!(out, "licence    {}", identity.licence)?;
    writeln!(out, "interface  {}.{} ({})", alice_plugin::abi::MAJOR, identity.minor, identity.features)?;
    writeln!(out, "bytes      {}", file.size())?;
    Ok(writeln!(out, "SHA-256    {}", file.hash())?)
}

fn trust(path: &Path, yes: bool, out: &mut dyn Write) -> Done {
    let file = PluginFile::read(path).map_err(refused)?;
    print_identity(&file, out)?;
    writeln!(out, "A plug-in is a program: it has all your rights, on your files and the network.")?;
    if !yes {
        write!(out, "Do you know where it comes from, and trust it? [y/N] ")?;
        out.flush()?;
        let mut answer = String::new();
        std::io::stdin().lock().read_line(&mut answer)?;
        if !["y", "yes"].contains(&answer.trim().to_lowercase().as_str()) {
            writeln!(out)?;
            return Err(refused("it is not trusted; answer y, or add --yes"));
        }
    }
    let new = Code::home()?.trust(&file).map_err(refused)?;
    let known = if new { "is trusted now" } else { "was trusted already" };
    Ok(writeln!(out, "{} {} {known}.", file.identity().id, file.identity().version)?)
}

fn untrust(which: &str, out: &mut dyn Write) -> Done {
    let gone = Code::home()?.untrust(which).map_err(refused)?;
    if gone.is_empty() {
        return Err(refused(format_args!(
            "{which:?} is neither the id nor the SHA-256 of a plug-in that you trust; see `alice plugin list`"
        )));
    }
    gone.iter()
        .try_for_each(|t| writeln!(out, "{} {} ({}) is no longer trusted.", t.id, t.version, t.sha256))?;
    Ok(())
}

#[derive(Serialize)]
struct Law {
    law: &'static str,
    says: &'static str,
    outcome: &'static str,
    seen: String,
}

/// The parameters of rules, given as `RULE:name=value`.
fn parameters(given: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let mut all: Vec<(String, String)> = Vec::new();
    for one in given {
        let Some((rule, parameter)) = one.split_once(':').filter(|(_, p)| p.contains('=')) else {
            return Err(refused(format_args!("{one:?} is no parameter of a rule; write RULE:name=value")));
        };
        match all.iter_mut().find(|(known, _)| known == rule) {
            Some((_, lines)) => *lines += &format!("\n{parameter}"),
            None => all.push((rule.into(), parameter.into())),
        }
    }
    Ok(all)
}

fn check(
    path: &Path,
    code: &Code,
    limit: Duration,
    given: &[String],
    json: bool,
    out: &mut dyn Write,
) -> Done {
    parameters(given)?;
    let file = PluginFile::read(path).map_err(refused)?;
    let home = Code::home()?;
    if code.consent() != Consent::ThisSession && !home.trusts(file.hash()).map_err(refused)? {
        return Err(refused(home.load(&file, Consent::Listed).map(drop).unwrap_err()));
    }
    let own = std::env::current_exe().map_err(|e| Failure::Internal(e.to_string()))?;
    let child = |law: &str| {
        let mut child = std::process::Command::new(&own);
        child.args(["plugin", "law"]).arg(file.path()).arg(law).arg("--trust-this-session");
        for parameter in given {
            child.arg("--params").arg(parameter);
        }
        child
    };
    let internal = |e: std::io::Error| Failure::Internal(format!("no process can be started: {e}"));
    let mut tested: Vec<Tested> = check::check(&child, limit).map_err(internal)?;
    let games = match tested.iter().all(Tested::is_kept) {
        true => check::check_law(&child, check::GAMES, limit).map_err(internal)?,
        false => Tested { law: check::GAMES, outcome: Outcome::Skipped },
    };
    tested.push(games);
    let kept = tested.iter().all(Tested::is_kept);
    if json {
        let law = |t: &Tested| Law {
            law: t.law.id,
            says: t.law.says,
            outcome: match t.outcome {
                Outcome::Kept => "kept",
                Outcome::Broken(_) => "broken",
                Outcome::Killed { .. } => "killed",
                Outcome::Died { .. } => "died",
                Outcome::Skipped => "skipped",
            },
            seen: t.seen(),
        };
        print_json(out, &tested.iter().map(law).collect::<Vec<_>>())?;
    } else {
        tested.iter().try_for_each(|t| writeln!(out, "{t}"))?;
    }
    if kept { Ok(()) } else { Err(Failure::Reported) }
}

/// What a child of `check` does: tests one law, and prints what it saw.
pub fn law(path: &Path, law: &str, given: &[String]) -> ExitCode {
    let Ok(home) = Home::of_user() else { return ExitCode::from(2) };
    let Ok(parameters) = parameters(given) else { return ExitCode::from(2) };
    if law != check::GAMES.id {
        return check::child(&home, path, Consent::ThisSession, law, &parameters);
    }
    check::answer(&home, path, Consent::ThisSession, |plugin| {
        // Games of two boards and of three, small and large; what a rule refuses it need not play.
        for game in ["alice", "duo", "three-board", "alice-8x4", "capablanca-alice", "raumschach-alice"] {
            let config = alice_config::load(game).map_err(|e| e.to_string())?;
            check::games(plugin, &parameters, config.variant.rules())?;
        }
        Ok(())
    })
}

const RUST: &str = include_str!("new/lib.rs.txt");
const MANIFEST: &str = include_str!("new/Cargo.toml.txt");
const C: &str = include_str!("new/rule.c.txt");
const MAKEFILE: &str = include_str!("new/Makefile.txt");
const CONFIG: &str = include_str!("new/game.toml.txt");
const HEADER: &str = include_str!("../../plugin/include/alice_plugin.h");
/// Where the author's part of the framework lies.
const FRAMEWORK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../plugin");

/// Names that Rust has other uses for.
const TAKEN: &[&str] = &[
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc-macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// Names of files that Windows has taken for devices.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// Whether a crate or file of that name would get in the way of another: one of ours, a word of Rust's, a
/// device.
fn is_taken(name: &str) -> bool {
    let port = name.len() == 4 && (name.starts_with("com") || name.starts_with("lpt"));
    let device = DEVICES.contains(&name) || port && name.ends_with(|c: char| c.is_ascii_digit());
    let ours = name == "alice" || name.starts_with("alice-");
    ours || device || TAKEN.contains(&name)
}

fn new(name: &str, lang: Language, out: &mut dyn Write) -> Done {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !begins || name.len() > 32 || !name.chars().all(plain) || name.ends_with('-') || is_taken(name) {
        return Err(refused(format_args!(
            "{name:?} can't be the name of a plug-in; write small letters, digits and -, a letter first, at most 32, \
             and no word of Rust's, no device of Windows' and nothing that begins with alice"
        )));
    }
    let folder = Path::new(name);
    if folder.exists() {
        return Err(refused(format_args!("{name} exists already; take another name, or another folder")));
    }
    let ident = name.replace('-', "_");
    let part = |word: &str| word[..1].to_uppercase() + &word[1..];
    let type_name: String = name.split('-').filter(|w| !w.is_empty()).map(part).collect();
    let framework = fs::canonicalize(FRAMEWORK).unwrap_or_else(|_| FRAMEWORK.into());
    let fill = |text: &str| {
        text.replace("@NAME@", name)
            .replace("@IDENT@", &ident)
            .replace("@TYPE@", &type_name)
            .replace("@FRAMEWORK@", &toml::Value::String(framework.display().to_string()).to_string())
    };
    let files: Vec<(PathBuf, String)> = match lang {
        Language::Rust => {
            vec![("Cargo.toml".into(), fill(MANIFEST)), ("src/lib.rs".into(), fill(RUST))]
        }
        Language::C => vec![
            (format!("{name}.c").into(), fill(C)),
            ("Makefile".into(), fill(MAKEFILE)),
            ("alice_plugin.h".into(), HEADER.into()),
        ],
    };
    let config = (PathBuf::from(format!("{name}.toml")), fill(CONFIG));
    let write = || -> std::io::Result<()> {
        // Whole or not at all.
        let new = tempfile::Builder::new().prefix(".alice-").tempdir_in(".")?;
        for (path, text) in files.iter().chain([&config]) {
            let path = new.path().join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, text)?;
        }
        #[cfg(unix)]
        fs::set_permissions(new.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        fs::rename(new.path(), folder)?;
        // It is no longer there to be taken away.
        let _ = new.keep();
        Ok(())
    };
    write().map_err(|e| refused(format_args!("{name} can't be written here ({e}); go to another folder")))?;
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let (build, library) = match lang {
        Language::Rust => (
            format!("cargo build --release --manifest-path {name}/Cargo.toml"),
            format!("{name}/target/release/{prefix}{ident}{suffix}"),
        ),
        Language::C => (format!("make -C {name}"), format!("{name}/{prefix}{ident}{suffix}")),
    };
    writeln!(out, "{name}/ is a plug-in that builds, and a game with it. Build it, and play:\n")?;
    writeln!(out, "  {build}")?;
    writeln!(out, "  alice play {name}/{name}.toml --plugin {library} --trust-this-session\n")?;
    Ok(writeln!(out, "When you have changed it: alice plugin check {library} --trust-this-session")?)
}
