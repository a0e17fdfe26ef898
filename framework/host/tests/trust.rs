//! Whom the user trusts, and how a plug-in is found.

mod support;

use alice_host::{Consent, Home, PluginFile, TrustError};
use std::fs;
use std::path::PathBuf;

fn chequered() -> PathBuf {
    support::compile(&support::root().join("variants/chequered/chequered.c"), "trust")
}

fn read(path: &std::path::Path) -> PluginFile {
    PluginFile::read(path).unwrap()
}

#[test]
fn only_what_is_trusted_is_loaded() {
    let (_folder, home) = support::home();
    let file = read(&chequered());
    let refused = home.load(&file, Consent::Listed).map(|_| ()).unwrap_err().to_string();
    let path = file.path().display();
    assert_eq!(
        refused,
        format!(
            "{path} (plug-in chequered 1.0.0, SHA-256 {}) is not trusted. A plug-in has all your rights: if you \
             know where it comes from, run `alice plugin trust {path}`, or add --trust-this-session if it is your own",
            file.hash()
        )
    );
    assert!(home.trust(&file).unwrap());
    assert!(!home.trust(&file).unwrap(), "it was known already");
    assert!(home.load(&file, Consent::Listed).is_ok());
    let gone = home.untrust("chequered").unwrap();
    assert_eq!((gone.len(), home.trusted().unwrap()), (1, vec![]));
    assert!(home.load(&file, Consent::Listed).is_err());
    assert_eq!(home.untrust("chequered").unwrap(), []);
    // The list and the lock are all that is left.
    let mut left: Vec<_> = fs::read_dir(home.folder()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["lock", "trusted.toml"]);
}

#[test]
fn the_list_says_what_is_trusted() {
    let (_folder, home) = support::home();
    let file = read(&chequered());
    home.trust(&file).unwrap();
    let list = fs::read_to_string(home.folder().join("trusted.toml")).unwrap();
    assert_eq!(
        list,
        format!(
            "# The plug-ins that you trust; written by `alice plugin trust` and `untrust`.\n\n[[plugin]]\n\
             sha256 = \"{}\"\nid = \"chequered\"\nversion = \"1.0.0\"\nsize = {}\nfrom = \"{}\"\n",
            file.hash(),
            file.size(),
            file.path().display()
        )
    );
}

#[test]
fn a_plugin_is_found_by_id_and_version() {
    let (_folder, home) = support::home();
    let file = read(&chequered());
    let other = read(&support::library("seesaw"));
    let not_found = |version: &str, named: &[PluginFile]| match home.find("chequered", version, named) {
        Err(error @ TrustError::NotFound { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let advice = "; run `alice plugin trust FILE`, or name the file with --plugin FILE";
    assert_eq!(
        not_found("1.0.0", std::slice::from_ref(&other)),
        format!("there is no plug-in chequered 1.0.0 among those you trust{advice}")
    );
    // A file named on the command line is found without being trusted.
    let named = [other, file.clone()];
    assert_eq!(home.find("chequered", "1.0.0", &named).unwrap().path(), file.path());
    home.trust(&file).unwrap();
    for version in ["1", "1.0", "1.0.0"] {
        assert_eq!(home.find("chequered", version, &[]).unwrap().hash(), file.hash());
    }
    for version in ["1.0.1", "1.", "10", "0"] {
        assert_eq!(
            not_found(version, &[]),
            format!("there is no plug-in chequered {version} among those you trust (only 1.0.0){advice}")
        );
    }
}

#[test]
fn a_copy_that_was_changed_is_not_loaded() {
    let (_folder, home) = support::home();
    let file = read(&chequered());
    home.trust(&file).unwrap();
    let copy = home.folder().join(format!("{}.so", file.hash()));
    let mut bytes = fs::read(&copy).unwrap();
    bytes.push(0);
    fs::write(&copy, bytes).unwrap();
    let error = home.find("chequered", "1", &[]).unwrap_err().to_string();
    assert!(error.contains("is no longer what you trusted (its SHA-256 is "), "{error}");
}

#[test]
fn a_broken_list_is_named_with_its_line() {
    let (_folder, home) = support::home();
    fs::create_dir_all(home.folder()).unwrap();
    let list = home.folder().join("trusted.toml");
    fs::write(&list, "[[plugin]]\nid = \"x\"\nhash = \"y\"\n").unwrap();
    assert_eq!(
        home.trusted().unwrap_err().to_string(),
        format!(
            "{} is not a list of trusted plug-ins: line 3: unknown field `hash`, expected one of `sha256`, `id`, \
             `version`, `size`, `from`; mend it, or take it away to start anew",
            list.display()
        )
    );
    // What can't be read is not written over.
    assert!(home.trust(&read(&chequered())).is_err());
    assert!(fs::read_to_string(&list).unwrap().contains("hash"));
}

#[test]
fn many_at_once_lose_nothing() {
    let (_folder, home) = support::home();
    let bytes = fs::read(chequered()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<_> = (0..16u8)
        .map(|n| {
            let path = folder.path().join(format!("{n}.so"));
            fs::write(&path, [bytes.as_slice(), &[n]].concat()).unwrap();
            read(&path)
        })
        .collect();
    std::thread::scope(|scope| {
        for file in &files {
            // Each with a handle of its own, as another process would have.
            let home = Home::at(home.folder());
            scope.spawn(move || home.trust(file).unwrap());
        }
    });
    assert_eq!(home.trusted().unwrap().len(), 16);
    assert!(files.iter().all(|file| home.trusts(file.hash()).unwrap()));
}
