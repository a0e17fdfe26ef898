//! What the host's tests share: libraries to load, games to load them into.
#![allow(dead_code)]

use alice_core::{Rules, Transfer, Variant};
use alice_host::{Consent, ForeignTransfer, Guard, Home, PluginFile, game_of};
use alice_plugin::Plugin;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder for plug-ins, as a user has one; gone with the test.
pub fn home() -> (tempfile::TempDir, Home) {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(&folder.path().join("plugins"));
    (folder, home)
}

/// The library of a crate that is a dev-dependency: cargo has built it beside this test.
pub fn library(krate: &str) -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    let name = format!("{}{krate}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let path = deps.parent().unwrap().join(name);
    assert!(path.is_file(), "{} was not built", path.display());
    path
}

/// Compiles a C file into a library.
pub fn compile(source: &Path, folder: &str) -> PathBuf {
    compile_with(&root().join("framework/plugin/include"), source, folder)
}

/// The same with the header of some other version.
pub fn compile_with(include: &Path, source: &Path, folder: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    let out = folder.join(source.file_stem().unwrap()).with_extension("so");
    // Several tests may do so at once: each sees all of a library or none.
    let new = tempfile::NamedTempFile::new_in(&folder).unwrap().into_temp_path();
    let compiler = std::env::var("CC").unwrap_or("cc".into());
    let done = Command::new(compiler)
        .args(["-std=gnu11", "-w", "-fPIC", "-shared", "-o"])
        .arg(&new)
        .arg(source)
        .arg("-I")
        .arg(include)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    new.persist(&out).unwrap();
    out
}

/// Loads a library without asking.
pub fn load(home: &Home, path: &Path) -> &'static Plugin {
    home.load(&PluginFile::read(path).unwrap(), Consent::ThisSession).unwrap()
}

/// The rules of one of the built-in variants.
pub fn rules(variant: &str) -> Rules {
    alice_config::load(variant).unwrap().variant.rules().clone()
}

/// A built-in variant with the first rule of a plug-in in the place of its transfer.
pub fn foreign(variant: &str, plugin: &'static Plugin, parameters: &str) -> (Variant, Arc<Guard>) {
    let mut rules = rules(variant);
    let guard = Arc::new(Guard::new());
    let set = plugin.rule_sets().unwrap()[0];
    let rule = ForeignTransfer::new("it", &set, &game_of(&rules), parameters, &guard).unwrap();
    rules.transfer = Transfer::Foreign(Arc::new(rule));
    (Variant::new(rules).unwrap(), guard)
}
