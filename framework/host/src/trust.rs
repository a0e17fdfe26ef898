//! What the user trusts: a list of plug-ins by the SHA-256 of their bytes, with copies of them, in the
//! user's own folder; and how a plug-in is found by its id and version.
//!
//! Only what is said on the command line, or was put on this list by the user, is ever loaded: never
//! something that lies in the current folder, or beside a config. Must not know rules.

use crate::file::{FileError, Hash, PluginFile};
use alice_plugin::Plugin;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The list's file in the folder.
const LIST: &str = "trusted.toml";

/// A plug-in that the user trusts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trusted {
    /// The SHA-256 of its bytes, in hexadecimal.
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

    /// Puts a plug-in on the list, and keeps a copy of it. Gives whether it was new.
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
        let new = !plugin.iter().any(|t| t.sha256 == entry.sha256);
        // The copy first: an entry without one would be of no use.
        self.write(&self.copy_of(&entry.sha256), file.bytes())?;
        if new {
            plugin.push(entry);
            self.write_list(plugin)?;
        }
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
        self.make_folder()?;
        Ok(file.load(&self.folder)?)
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
            let file = PluginFile::read(&self.copy_of(&plugin.sha256))?;
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
            let mut file = tempfile::Builder::new().prefix("writing-").tempfile_in(&self.folder)?;
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
        builder.create(&self.folder).map_err(unusable)
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
