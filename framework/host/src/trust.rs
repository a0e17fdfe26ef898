//! What the user trusts: a list of plug-ins by the SHA-256 of their bytes, with copies of them, in the
//! user's own folder; and how a plug-in is found by its id and version.
//!
//! Only what is said on the command line, or was put on this list by the user, is ever loaded: never
//! something that lies in the current folder, or beside a config. Must not know rules.

use crate::file::{FileError, FileProblem, Hash, PluginFile, replaceable_by_all, writable_by_all};
use alice_plugin::Plugin;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The list's file in the folder.
const LIST: &str = "trusted.toml";

/// What the names of files begin with that are there only for a moment.
const WRITING: &str = "writing-";
/// The same, for a library's copy while it is loaded.
pub(crate) const LOADING: &str = "loading-";
/// Files for a moment that are as old as that were left by a process that did not end well.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// A plug-in that the user trusts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trusted {
    /// The SHA-256 of its bytes, in hexadecimal.
    #[serde(deserialize_with = "sha256")]
    pub sha256: String,
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// How many bytes it has.
    pub size: u64,
    /// Where it lay when it was trusted.
    pub from: PathBuf,
}

/// A SHA-256 as it is written here. It becomes the name of a file, so nothing else will do.
fn sha256<'de, D: serde::Deserializer<'de>>(text: D) -> Result<String, D::Error> {
    let text = String::deserialize(text)?;
    let digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    match text.len() == 64 && text.chars().all(digit) {
        true => Ok(text),
        false => Err(serde::de::Error::custom("a sha256 has 64 digits, each one of 0 to 9 or a to f")),
    }
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    plugin: Vec<Trusted>,
}

/// Whether code may run that is not on the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consent {
    /// No.
    #[default]
    Listed,
    /// Yes: the user says so, for this once.
    ThisSession,
}

/// The user's folder for plug-ins: the list of those trusted, and copies of them.
#[derive(Clone, Debug)]
pub struct Home {
    folder: PathBuf,
}

/// Why a plug-in is not trusted, found or loaded.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The system does not say where the user's folders are.
    #[error("this system does not say where your folder is; set HOME")]
    NoHome,
    /// The folder or a file in it can't be used.
    #[error("{} can't be used ({source}); see that you may read and write there", path.display())]
    Unusable {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The folder or the list may not be what the user has written.
    #[error("{} {problem}", path.display())]
    Unsafe {
        /// Which.
        path: PathBuf,
        /// What is the matter, and what to do.
        problem: &'static str,
    },
    /// The list can't be read.
    #[error("{} is not a list of trusted plug-ins: {problem}; mend it, or take it away to start anew", path.display())]
    Broken {
        /// The list.
        path: PathBuf,
        /// What is the matter.
        problem: String,
    },
    /// A file is no plug-in to load.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not on the list.
    #[error(
        "{} (plug-in {id} {version}, SHA-256 {hash}) is not trusted. A plug-in has all your rights: if you know where \
         it comes from, run `alice plugin trust {}`, or add --trust-this-session if it is your own", path.display(), path.display()
    )]
    NotTrusted {
        /// The file.
        path: PathBuf,
        /// Its id.
        id: String,
        /// Its version.
        version: String,
        /// Its hash.
        hash: Hash,
    },
    /// There is none of that id.
    #[error(
        "there is no plug-in {id} {version} among those you trust{}; run `alice plugin trust FILE`, or name \
         the file with --plugin FILE", others(.seen)
    )]
    NotFound {
        /// The id that was asked for.
        id: String,
        /// The version that was asked for.
        version: String,
        /// The versions there are of that id.
        seen: Vec<String>,
    },
    /// The copy of a trusted plug-in is not there.
    #[error("the copy of {id} {version}, which you trusted, is gone ({}); run `alice plugin trust` again with the file that you trust", path.display())]
    Lost {
        /// The copy.
        path: PathBuf,
        /// The plug-in's id.
        id: String,
        /// Its version.
        version: String,
    },
    /// The copy of a trusted plug-in is not what it was.
    #[error("{} is no longer what you trusted (its SHA-256 is {hash}); run `alice plugin trust` again with the file that you trust", path.display())]
    Changed {
        /// The copy.
        path: PathBuf,
        /// What its hash is now.
        hash: Hash,
    },
}

fn others(seen: &[String]) -> String {
    if seen.is_empty() { String::new() } else { format!(" (only {})", seen.join(", ")) }
}

impl Home {
    /// The folder under the platform's own for the user's configuration.
    ///
    /// # Errors
    /// If the platform does not name one.
    pub fn of_user() -> Result<Self, TrustError> {
        let folders = directories::ProjectDirs::from("", "", "alice").ok_or(TrustError::NoHome)?;
        Ok(Self::at(&folders.config_dir().join("plugins")))
    }

    /// Some other folder, which only the user may write to.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the user trusts.
    ///
    /// # Errors
    /// If the list can't be read. That there is none is no error.
    pub fn trusted(&self) -> Result<Vec<Trusted>, TrustError> {
        let path = self.folder.join(LIST);
        self.is_safe()?;
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(TrustError::Unusable { path, source }),
        };
        match toml::from_str::<List>(&text) {
            Ok(list) => Ok(list.plugin),
            Err(e) => {
                let line = e.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
                let problem = format!("line {line}: {}", e.message());
                Err(TrustError::Broken { path, problem })
            }
        }
    }

    /// Whether a plug-in with just these bytes is trusted.
    ///
    /// # Errors
    /// If the list can't be read.
    pub fn trusts(&self, hash: Hash) -> Result<bool, TrustError> {
        Ok(self.trusted()?.iter().any(|t| t.sha256 == hash.to_string()))
    }

    /// Puts a plug-in at the end of the list, and keeps a copy of it. Gives whether it was new.
    ///
    /// # Errors
    /// If the folder can't be written to.
    pub fn trust(&self, file: &PluginFile) -> Result<bool, TrustError> {
        let _locked = self.lock()?;
        let mut plugin = self.trusted()?;
        let entry = Trusted {
            sha256: file.hash().to_string(),
            id: file.identity().id.clone(),
            version: file.identity().version.clone(),
            size: file.size(),
            from: file.path().into(),
        };
        let known = plugin.len();
        plugin.retain(|t| t.sha256 != entry.sha256);
        let new = plugin.len() == known;
        // The copy first: an entry without one would be of no use.
        self.write(&self.copy_of(&entry.sha256), file.bytes())?;
        plugin.push(entry);
        self.write_list(plugin)?;
        Ok(new)
    }

    /// Takes off the list all plug-ins of that id, or of that SHA-256 (or its beginning, eight letters at
    /// least). Gives those taken off.
    ///
    /// # Errors
    /// If the folder can't be written to.
    pub fn untrust(&self, which: &str) -> Result<Vec<Trusted>, TrustError> {
        let _locked = self.lock()?;
        let meant = |t: &Trusted| t.id == which || which.len() >= 8 && t.sha256.starts_with(which);
        let (gone, kept): (Vec<_>, Vec<_>) = self.trusted()?.into_iter().partition(meant);
        if !gone.is_empty() {
            self.write_list(kept)?;
        }
        for plugin in &gone {
            let copy = self.copy_of(&plugin.sha256);
            match fs::remove_file(&copy) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(TrustError::Unusable { path: copy, source });
                }
                _ => {}
            }
        }
        Ok(gone)
    }

    /// Loads a plug-in's code, if the user consents.
    ///
    /// # Errors
    /// If it is not trusted, or can't be loaded.
    pub fn load(&self, file: &PluginFile, consent: Consent) -> Result<&'static Plugin, TrustError> {
        if consent != Consent::ThisSession && !self.trusts(file.hash())? {
            return Err(TrustError::NotTrusted {
                path: file.path().into(),
                id: file.identity().id.clone(),
                version: file.identity().version.clone(),
                hash: file.hash(),
            });
        }
        let own = self.make_folder().and_then(|()| {
            self.sweep();
            Ok(file.load(&self.folder)?)
        });
        match own {
            Err(
                TrustError::Unusable { .. }
                | TrustError::Unsafe { .. }
                | TrustError::File(FileError { problem: FileProblem::NoCopy { .. }, .. }),
            ) => {
                // Where the user's folder is of no use, a new one, which only the user may write to, will do.
                let folder = std::env::temp_dir();
                let other = tempfile::Builder::new().prefix("alice-").tempdir_in(&folder);
                let other = other.map_err(|source| TrustError::Unusable { path: folder, source })?;
                Ok(file.load(other.path())?)
            }
            own => own,
        }
    }

    /// Takes away what processes have left that could not clean up.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let passing = [LOADING, WRITING].iter().any(|begins| name.to_string_lossy().starts_with(begins));
            let changed = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
            if passing && changed().is_some_and(|age| age > STALE) {
                // Another process may be quicker, and what stays does no harm.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Finds the plug-in that a config names: first among the files named on the command line, then
    /// among those trusted. No code runs.
    ///
    /// # Errors
    /// If there is none, or the one found can't be read.
    pub fn find(&self, id: &str, version: &str, named: &[PluginFile]) -> Result<PluginFile, TrustError> {
        let fits =
            |has: &str| has == version || has.strip_prefix(version).is_some_and(|r| r.starts_with('.'));
        let mut seen = Vec::new();
        for file in named.iter().filter(|f| f.identity().id == id) {
            if fits(&file.identity().version) {
                return Ok(file.clone());
            }
            seen.push(file.identity().version.clone());
        }
        let trusted = self.trusted()?;
        // The one trusted last is the newest to the user.
        for plugin in trusted.iter().rev().filter(|t| t.id == id) {
            if !fits(&plugin.version) {
                seen.push(plugin.version.clone());
                continue;
            }
            let path = self.copy_of(&plugin.sha256);
            if !path.exists() {
                return Err(TrustError::Lost { path, id: id.into(), version: plugin.version.clone() });
            }
            let file = PluginFile::read(&path)?;
            if file.hash().to_string() != plugin.sha256 {
                return Err(TrustError::Changed { path: file.path().into(), hash: file.hash() });
            }
            return Ok(file);
        }
        Err(TrustError::NotFound { id: id.into(), version: version.into(), seen })
    }

    /// Where the copy of a trusted plug-in is kept.
    fn copy_of(&self, sha256: &str) -> PathBuf {
        self.folder.join(format!("{sha256}{}", std::env::consts::DLL_SUFFIX))
    }

    fn write_list(&self, plugin: Vec<Trusted>) -> Result<(), TrustError> {
        let list = toml::to_string(&List { plugin }).expect("the list is plain text");
        let text = format!(
            "# The plug-ins that you trust; written by `alice plugin trust` and `untrust`.\n\n{list}"
        );
        self.write(&self.folder.join(LIST), text.as_bytes())
    }

    /// Writes a file so that others see all of it or nothing.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), TrustError> {
        let write = || -> io::Result<()> {
            let mut file = tempfile::Builder::new().prefix(WRITING).tempfile_in(&self.folder)?;
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            file.persist(path).map_err(|e| e.error)?;
            Ok(())
        };
        write().map_err(|source| TrustError::Unusable { path: path.into(), source })
    }

    /// Makes the folder, where only the user may look and write.
    fn make_folder(&self) -> Result<(), TrustError> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let unusable = |source| TrustError::Unusable { path: self.folder.clone(), source };
        builder.create(&self.folder).map_err(unusable)?;
        self.is_safe()
    }

    /// Whether nobody but the user has a hand in the folder and the list. What is not there is no danger.
    fn is_safe(&self) -> Result<(), TrustError> {
        let open = "may be written to by everybody; take that right away (chmod o-w), and see that the list of \
            plug-ins there is your own";
        for path in [self.folder.clone(), self.folder.join(LIST)] {
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            let problem = if metadata.is_symlink() {
                "is a symbolic link; put in its place what it points to"
            } else if writable_by_all(&path, &metadata).is_err() {
                open
            } else {
                continue;
            };
            return Err(TrustError::Unsafe { path, problem });
        }
        let Ok(real) = fs::canonicalize(&self.folder) else { return Ok(()) };
        match replaceable_by_all(&real) {
            Err(FileProblem::WritableByAll(path)) => Err(TrustError::Unsafe { path, problem: open }),
            _ => Ok(()),
        }
    }

    /// Waits until no other process changes the list. Ends when dropped.
    fn lock(&self) -> Result<fs::File, TrustError> {
        self.make_folder()?;
        let path = self.folder.join("lock");
        let lock = || -> io::Result<fs::File> {
            let file = fs::File::options().create(true).truncate(false).write(true).open(&path)?;
            file.lock()?;
            Ok(file)
        };
        lock().map_err(|source| TrustError::Unusable { path: path.clone(), source })
    }
}
