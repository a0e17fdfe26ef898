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

#[test]
fn a_list_that_names_no_sha256_names_no_file() {
    let (folder, home) = support::home();
    fs::create_dir_all(home.folder()).unwrap();
    let precious = folder.path().join(format!("precious{}", std::env::consts::DLL_SUFFIX));
    fs::write(&precious, "").unwrap();
    let hashes = ["../precious".to_string(), "a".repeat(63), "A".repeat(64), "g".repeat(64), String::new()];
    for hash in hashes {
        let list =
            format!("[[plugin]]\nid = \"x\"\nversion = \"1\"\nsize = 1\nfrom = \"y\"\nsha256 = \"{hash}\"\n");
        fs::write(home.folder().join("trusted.toml"), list).unwrap();
        let error = home.untrust("x").unwrap_err().to_string();
        let says = "line 6: a sha256 has 64 digits, each one of 0 to 9 or a to f; mend it";
        assert!(error.contains(says), "{error}");
        assert!(home.find("x", "1", &[]).is_err());
    }
    assert!(precious.exists());
}

#[test]
fn a_copy_that_is_gone_is_to_be_trusted_again() {
    let (_folder, home) = support::home();
    let file = read(&chequered());
    home.trust(&file).unwrap();
    fs::remove_file(home.folder().join(format!("{}.so", file.hash()))).unwrap();
    let error = home.find("chequered", "1", &[]).unwrap_err().to_string();
    assert!(error.starts_with("the copy of chequered 1.0.0, which you trusted, is gone ("), "{error}");
    assert!(error.ends_with("; run `alice plugin trust` again with the file that you trust"), "{error}");
    home.trust(&file).unwrap();
    assert_eq!(home.find("chequered", "1", &[]).unwrap().hash(), file.hash());
}

#[test]
fn of_several_builds_the_one_that_was_trusted_last_is_found() {
    let (_folder, home) = support::home();
    let first = read(&chequered());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("again.so");
    fs::write(&path, [fs::read(chequered()).unwrap().as_slice(), b"more"].concat()).unwrap();
    let second = read(&path);
    for file in [&first, &second, &first] {
        home.trust(file).unwrap();
        assert_eq!(home.find("chequered", "1", &[]).unwrap().hash(), file.hash());
    }
    assert_eq!(home.trusted().unwrap().len(), 2);
}

#[test]
#[cfg(unix)]
fn a_folder_that_others_have_a_hand_in_is_not_believed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let allow = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().canonicalize().unwrap();
    let home = Home::at(&real.join("alice/plugins"));
    let file = read(&chequered());
    home.trust(&file).unwrap();
    let list = home.folder().join("trusted.toml");
    for (path, open, closed) in [
        (list.as_path(), 0o666, 0o600),
        (home.folder(), 0o777, 0o700),
        (home.folder(), 0o1777, 0o700),
        (&real.join("alice"), 0o777, 0o755),
    ] {
        allow(path, open);
        let says = format!("{} may be written to by everybody; take that right away", path.display());
        for error in [
            home.trusted().unwrap_err(),
            home.trust(&file).unwrap_err(),
            home.untrust("chequered").unwrap_err(),
            home.find("chequered", "1", &[]).unwrap_err(),
            home.load(&file, Consent::Listed).map(drop).unwrap_err(),
        ] {
            assert!(error.to_string().starts_with(&says), "{error}");
        }
        // What the user names and allows is another matter.
        assert!(home.load(&file, Consent::ThisSession).is_ok());
        allow(path, closed);
        assert_eq!(home.trusted().unwrap().len(), 1);
    }
    let elsewhere = real.join("elsewhere");
    for path in [list.as_path(), home.folder()] {
        fs::rename(path, &elsewhere).unwrap();
        symlink(&elsewhere, path).unwrap();
        let error = home.trusted().unwrap_err().to_string();
        assert_eq!(
            error,
            format!("{} is a symbolic link; put in its place what it points to", path.display())
        );
        fs::remove_file(path).unwrap();
        fs::rename(&elsewhere, path).unwrap();
    }
    // The folders above may be links, as the system or the user likes.
    symlink(real.join("alice"), &elsewhere).unwrap();
    assert_eq!(Home::at(&elsewhere.join("plugins")).trusted().unwrap().len(), 1);
}

#[test]
fn what_is_trusted_for_this_session_needs_no_folder_of_the_users() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let home = Home::at(&file.join("plugins"));
    let library = folder.path().join("own.so");
    fs::write(&library, [fs::read(chequered()).unwrap().as_slice(), b"own"].concat()).unwrap();
    let plugin = home.load(&read(&library), Consent::ThisSession).unwrap();
    assert_eq!(plugin.rule_sets().unwrap()[0].name, "chequered");
    assert!(home.trust(&read(&library)).is_err());
}

#[test]
fn what_a_process_left_that_ended_while_loading_is_taken_away_later() {
    use std::time::{Duration, SystemTime};
    let (_folder, home) = support::home();
    fs::create_dir_all(home.folder()).unwrap();
    let hour = Duration::from_secs(60 * 60);
    for (name, age) in [("loading-old.so", 25), ("writing-old", 25), ("loading-new.so", 1), ("other", 25)] {
        let file = fs::File::create(home.folder().join(name)).unwrap();
        file.set_modified(SystemTime::now() - age * hour).unwrap();
    }
    support::load(&home, &chequered());
    let mut left: Vec<_> = fs::read_dir(home.folder()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["loading-new.so", "other"]);
}
