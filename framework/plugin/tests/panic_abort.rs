//! A crate that can't catch panics must not become a plug-in: built here as an author would.

use std::path::Path;
use std::process::Command;

const RULE: &str = "
use alice_plugin::*;
pub struct Anywhere;
impl Rule for Anywhere {
    const NAME: &'static str = \"anywhere\";
    const ABOUT: &'static str = \"Anywhere.\";
    fn new(_: &Game, _: &Parameters) -> Result<Self, Complaint> {
        Ok(Self)
    }
}
impl MovementRule for Anywhere {
    fn quiet(&self, _: Cell, _: Colour, occupied: Cells) -> Cells {
        !occupied
    }
    fn attacks(&self, _: Cell, _: Colour, occupied: Cells) -> Cells {
        occupied
    }
}
alice_plugin::export!(anywhere: movement Anywhere);
";

#[test]
fn a_crate_with_panic_abort_does_not_compile() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("abort");
    std::fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"anywhere\"\nversion = \"1.0.0\"\nedition = \"2024\"\nlicense = \"MIT\"\n\
         [lib]\ncrate-type = [\"cdylib\"]\n\
         [dependencies]\nalice-plugin = {{ path = {:?} }}\n\
         [profile.dev]\npanic = \"abort\"\n[workspace]\n",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(folder.join("src/lib.rs"), RULE).unwrap();
    let build = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&build.stderr);
    let expected = "a plug-in must be able to catch its panics: remove panic = \"abort\" from the profile";
    assert!(!build.status.success() && errors.contains(expected), "{errors}");
    assert!(errors.contains("due to 1 previous error"), "{errors}");
}
