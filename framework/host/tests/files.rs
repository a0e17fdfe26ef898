//! What a file has to be before its code runs, and what happens if it changes meanwhile.
#![cfg(target_os = "linux")]

mod support;

use alice_host::{Consent, PluginFile};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// A copy of a good plug-in in a new folder.
fn copy() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().join("good.so");
    let source = support::root().join("variants/chequered/chequered.c");
    fs::copy(support::compile(&source, "files"), &path).unwrap();
    (folder, path)
}

/// The error, with the folder's name taken out.
fn error(path: &Path) -> String {
    let folder = path.parent().unwrap().display().to_string();
    PluginFile::read(path).unwrap_err().to_string().replace(&folder, "FOLDER")
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_good_file_says_who_it_is() {
    let (_folder, path) = copy();
    let file = PluginFile::read(&path).unwrap();
    assert_eq!((file.identity().id.as_str(), file.identity().version.as_str()), ("chequered", "1.0.0"));
    assert_eq!((file.path(), file.size()), (path.as_path(), fs::metadata(&path).unwrap().len()));
}

#[test]
fn a_file_that_can_not_be_one_is_refused_with_its_reason() {
    let (folder, path) = copy();
    let beside = |name: &str| path.with_file_name(name);

    assert_eq!(
        error(&beside("none.so")),
        "FOLDER/none.so: it can't be read (No such file or directory (os error 2)); name a library that exists \
         and that you may read"
    );
    symlink(&path, beside("link.so")).unwrap();
    assert_eq!(
        error(&beside("link.so")),
        "FOLDER/link.so: it is a symbolic link to FOLDER/good.so; name the file itself"
    );
    fs::create_dir(beside("folder.so")).unwrap();
    assert_eq!(error(&beside("folder.so")), "FOLDER/folder.so: it is not a regular file; name a library");
    assert!(std::process::Command::new("mkfifo").arg(beside("pipe.so")).status().unwrap().success());
    assert_eq!(error(&beside("pipe.so")), "FOLDER/pipe.so: it is not a regular file; name a library");

    fs::write(beside("text.so"), "hello").unwrap();
    let no_library =
        "it is not a dynamic library; build the crate as a cdylib, or link it with -shared".to_string();
    assert_eq!(error(&beside("text.so")), format!("FOLDER/text.so: {no_library}"));
    fs::write(beside("empty.so"), "").unwrap();
    assert_eq!(error(&beside("empty.so")), format!("FOLDER/empty.so: {no_library}"));

    let mut other = fs::read(&path).unwrap();
    // The processor's number in an ELF file's head; 183 is AArch64.
    other[18..20].copy_from_slice(&if cfg!(target_arch = "aarch64") { [62, 0] } else { [183, 0] });
    fs::write(beside("other.so"), other).unwrap();
    let (seen, here) =
        if cfg!(target_arch = "aarch64") { ("x86_64", "aarch64") } else { ("aarch64", "x86_64") };
    assert_eq!(
        error(&beside("other.so")),
        format!(
            "FOLDER/other.so: it is a library for {seen}, but this program runs on {here}; build it for that"
        )
    );

    allow(&path, 0o666);
    let advice = "take that right away (chmod o-w) and look at the file again";
    assert_eq!(error(&path), format!("FOLDER/good.so: everybody may write to FOLDER/good.so; {advice}"));
    allow(&path, 0o644);
    allow(folder.path(), 0o777);
    assert_eq!(error(&path), format!("FOLDER/good.so: everybody may write to FOLDER; {advice}"));
    allow(folder.path(), 0o1777);
    assert!(PluginFile::read(&path).is_ok());
}

#[test]
fn the_folders_above_a_file_count_by_name_and_where_it_really_lies() {
    let (folder, path) = copy();
    let real = folder.path().canonicalize().unwrap();
    let deep = real.join("a/b");
    fs::create_dir_all(&deep).unwrap();
    fs::copy(&path, deep.join("good.so")).unwrap();
    allow(&real.join("a"), 0o777);
    let refused = |path: &Path| PluginFile::read(path).unwrap_err().to_string();
    let open = format!("everybody may write to {};", real.join("a").display());
    assert!(refused(&deep.join("good.so")).contains(&open));
    // Through a folder that is a link it is the same file.
    symlink(&deep, real.join("link")).unwrap();
    assert!(refused(&real.join("link/good.so")).contains(&open));
    allow(&real.join("a"), 0o755);
    assert_eq!(PluginFile::read(&real.join("link/good.so")).unwrap().path(), deep.join("good.so"));
    // And whoever may change the link may change the file.
    let open = real.join("open");
    fs::create_dir(&open).unwrap();
    symlink(&deep, open.join("link")).unwrap();
    allow(&open, 0o777);
    assert!(
        refused(&open.join("link/good.so")).contains(&format!("everybody may write to {};", open.display()))
    );
}

#[test]
fn a_file_of_another_system_is_named() {
    let (_folder, path) = copy();
    // The least that is taken for a Mach-O library and for one of Windows.
    let mut macho = vec![0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0, 6, 0, 0, 0];
    macho.extend([0; 16]);
    fs::write(&path, macho).unwrap();
    assert_eq!(
        error(&path),
        "FOLDER/good.so: it is a library for another system (a Mach-O file); build it for this one"
    );
}

#[test]
fn a_damaged_file_is_refused_and_never_crashes_the_reader() {
    let (_folder, path) = copy();
    let good = fs::read(&path).unwrap();
    for length in (0..good.len()).step_by(97) {
        fs::write(&path, &good[..length]).unwrap();
        // Cut behind all that matters, it may still be one; it is not loaded here.
        let _ = PluginFile::read(&path);
    }
    let mut numbers = 1u32;
    let mut next = || {
        numbers = numbers.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        numbers as usize >> 8
    };
    for _ in 0..300 {
        let mut bad = good.clone();
        for _ in 0..1 + next() % 8 {
            let at = next() % bad.len().min(4096);
            bad[at] = next() as u8;
        }
        fs::write(&path, &bad).unwrap();
        let _ = PluginFile::read(&path);
    }
    // Even the magic number of a library does not make one.
    assert!(
        error(&{
            fs::write(&path, &good[..64]).unwrap();
            path.clone()
        })
        .starts_with("FOLDER/good.so: it")
    );
}

#[test]
fn what_was_checked_is_what_is_loaded() {
    let (_home_folder, home) = support::home();
    let (_folder, path) = copy();
    let checked = PluginFile::read(&path).unwrap();
    // Swapped for something else, then deleted: neither changes what runs.
    fs::write(&path, "something else").unwrap();
    fs::remove_file(&path).unwrap();
    let plugin = home.load(&checked, Consent::ThisSession).unwrap();
    assert_eq!(plugin.rule_sets().unwrap()[0].name, "chequered");
    // The copy that was loaded is gone again.
    assert_eq!(fs::read_dir(home.folder()).unwrap().count(), 0);
}

#[test]
fn the_same_library_is_loaded_once() {
    let (_home_folder, home) = support::home();
    let (_folder, path) = copy();
    let again = path.with_file_name("again.so");
    fs::copy(&path, &again).unwrap();
    let first = support::load(&home, &path);
    assert!(std::ptr::eq(first, support::load(&home, &path)));
    assert!(std::ptr::eq(first, support::load(&home, &again)));
}

#[test]
fn fifty_plugins_are_loaded_at_once() {
    let (_home_folder, home) = support::home();
    let (_folder, path) = copy();
    let good = fs::read(&path).unwrap();
    let plugins: Vec<_> = (0..50u8)
        .map(|n| {
            // What follows the end of an ELF file is of no concern to the loader, but makes it another file.
            let path = path.with_file_name(format!("{n}.so"));
            fs::write(&path, [good.as_slice(), &[n]].concat()).unwrap();
            support::load(&home, &path)
        })
        .collect();
    for (n, plugin) in plugins.iter().enumerate() {
        assert!(plugins[..n].iter().all(|other| !std::ptr::eq(*other, *plugin)));
        let (variant, guard) = support::foreign("alice", plugin, "");
        assert_eq!((variant.start().perft(2), guard.violation()), (400, None));
    }
}
