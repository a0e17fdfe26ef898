//! A plug-in's file: looked at before any of its code runs, then loaded for good.
//!
//! The file is read once; what was checked and hashed is just what is loaded, whatever happens to
//! the file meanwhile. Must not know trust, nor what rules are for.

use alice_plugin::{Identity, Plugin, RecordFault, abi};
use object::{Architecture, BinaryFormat, Object, ObjectKind, ObjectSection};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The largest library that is read.
const MOST_BYTES: u64 = 256 << 20;

/// What every plug-in's symbol begins with; the major version and the id follow.
const SYMBOL: &str = "alice_plugin_";

/// The SHA-256 of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

/// In hexadecimal.
impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

/// A file that is a plug-in which this program can load, as far as can be seen from outside.
#[derive(Clone)]
pub struct PluginFile {
    path: PathBuf,
    bytes: Vec<u8>,
    hash: Hash,
    found: Found,
}

/// A record as it stands in a file.
#[derive(Clone)]
struct Found {
    symbol: String,
    identity: Identity,
    /// All that is not a pointer.
    fixed: Vec<u8>,
}

impl fmt::Debug for PluginFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PluginFile").field(&self.path).finish()
    }
}

/// Why a file is no plug-in that this program loads.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    /// Which file.
    pub path: PathBuf,
    /// What is the matter.
    pub problem: FileProblem,
}

/// What is the matter with a file.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// It can't be read.
    #[error("it can't be read ({0}); name a library that exists and that you may read")]
    Unreadable(std::io::Error),
    /// A symbolic link.
    #[error("it is a symbolic link to {}; name the file itself", .0.display())]
    Link(PathBuf),
    /// A folder, a device, a pipe …
    #[error("it is not a regular file; name a library")]
    NotRegular,
    /// Others may write to it.
    #[error("everybody may write to {}; take that right away (chmod o-w) and look at the file again", .0.display())]
    WritableByAll(PathBuf),
    /// It is too large.
    #[error("it has {0} bytes; a plug-in may have {MOST_BYTES}")]
    Large(u64),
    /// It is no dynamic library of any system.
    #[error("it is not a dynamic library; build the crate as a cdylib, or link it with -shared")]
    NotALibrary,
    /// A library of another system.
    #[error("it is a library for another system ({0}); build it for this one")]
    OtherSystem(&'static str),
    /// A library for another processor.
    #[error(
        "it is a library for {seen}, but this program runs on {}; build it for that",
        std::env::consts::ARCH
    )]
    OtherProcessor {
        /// Which one.
        seen: String,
    },
    /// It has no record.
    #[error("it exports no alice_plugin_1_…; it is not a plug-in of ours, or its record is not exported")]
    NoRecord,
    /// It has more than one record.
    #[error("it exports {0}; a plug-in exports just one record")]
    ManyRecords(String),
    /// It is made for another major version.
    #[error(
        "it exports {symbol}, so it is made for another version of the interface than this program's \
         {}.{}; build it with a plug-in crate or header of version {}",
        abi::MAJOR,
        abi::MINOR,
        abi::MAJOR
    )]
    OtherMajor {
        /// What it exports.
        symbol: String,
    },
    /// The symbol and the record name different plug-ins.
    #[error("it exports {symbol}, but its record says that its id is {id}; write the same in both")]
    OtherId {
        /// What it exports.
        symbol: String,
        /// What the record says.
        id: String,
    },
    /// Its record is not as it should be.
    #[error(transparent)]
    Record(#[from] RecordFault),
    /// The system can't load it.
    #[error("the system can't load it: {0}")]
    NotLoadable(String),
    /// No private copy can be made.
    #[error("no private copy can be made in {} ({source})", folder.display())]
    NoCopy {
        /// Where.
        folder: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// What was loaded is not what the file holds.
    #[error("once loaded, its record is another one; it changes itself when it is loaded")]
    Changed,
}

impl PluginFile {
    /// Reads a file and looks at all that can be seen without running its code.
    ///
    /// # Errors
    /// The first reason not to load it.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let fail = |path: &Path, problem| FileError { path: path.into(), problem };
        let unreadable = |e| fail(path, FileProblem::Unreadable(e));
        let named = fs::symlink_metadata(path).map_err(unreadable)?;
        if named.is_symlink() {
            return Err(fail(path, FileProblem::Link(fs::read_link(path).unwrap_or_default())));
        }
        // The folders that lead to it by name, and those where it really lies: a link among them is as
        // good as the folder that holds it.
        let absolute = std::path::absolute(path).map_err(unreadable)?;
        let path = fs::canonicalize(path).map_err(unreadable)?;
        let fail = |problem| fail(&path, problem);
        // Looked at before it is opened: opening a pipe would wait for its other end.
        if !named.is_file() {
            return Err(fail(FileProblem::NotRegular));
        }
        let mut file = fs::File::open(&path).map_err(|e| fail(FileProblem::Unreadable(e)))?;
        let metadata = file.metadata().map_err(|e| fail(FileProblem::Unreadable(e)))?;
        if !metadata.is_file() {
            return Err(fail(FileProblem::NotRegular));
        }
        writable_by_all(&path, &metadata).map_err(fail)?;
        replaceable_by_all(&path).map_err(fail)?;
        replaceable_by_all(&absolute).map_err(fail)?;
        if metadata.len() > MOST_BYTES {
            return Err(fail(FileProblem::Large(metadata.len())));
        }
        let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
        file.by_ref()
            .take(MOST_BYTES)
            .read_to_end(&mut bytes)
            .map_err(|e| fail(FileProblem::Unreadable(e)))?;
        let found = look(&bytes).map_err(fail)?;
        let hash = Hash(Sha256::digest(&bytes).into());
        Ok(Self { path, bytes, hash, found })
    }

    /// Where it was read, as a path without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its bytes' SHA-256.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// How many bytes it has.
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Its bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Who it says it is.
    pub fn identity(&self) -> &Identity {
        &self.found.identity
    }

    /// Loads it: from here on its code runs, with all rights of the user. A library is loaded once and
    /// stays until the process ends.
    ///
    /// The copy that is loaded is made in `private`, where nobody but the user may write.
    pub(crate) fn load(&self, private: &Path) -> Result<&'static Plugin, FileError> {
        static LOADED: Mutex<Option<HashMap<Hash, &'static Plugin>>> = Mutex::new(None);
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = loaded.get_or_insert_default();
        if let Some(plugin) = loaded.get(&self.hash) {
            return Ok(plugin);
        }
        let fail = |problem| FileError { path: self.path.clone(), problem };
        let copy = self
            .copy(private)
            .map_err(|source| fail(FileProblem::NoCopy { folder: private.into(), source }))?;
        let record = open(&copy, &self.found.symbol).map_err(|says| {
            // People know the file by its own name, not by the copy's.
            let (copy, own) = (copy.to_string_lossy(), self.path.to_string_lossy());
            fail(FileProblem::NotLoadable(says.replace(&*copy, &own)))
        })?;
        // SAFETY: the library stays loaded. That the record and what it points to are as they should be
        // is what a plug-in promises; a native library can break any promise, so the user must trust it.
        let plugin = unsafe { Plugin::loaded(record) };
        if !plugin.bytes().starts_with(&self.found.fixed) {
            return Err(fail(FileProblem::Changed));
        }
        plugin.rule_sets().map_err(|fault| fail(fault.into()))?;
        loaded.insert(self.hash, plugin);
        Ok(plugin)
    }

    /// A copy of just the bytes that were checked, which only the user can touch, for as long as it is
    /// kept.
    fn copy(&self, private: &Path) -> std::io::Result<tempfile::TempPath> {
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(crate::trust::LOADING).suffix(std::env::consts::DLL_SUFFIX);
        let mut file = builder.tempfile_in(private)?;
        std::io::Write::write_all(&mut file, &self.bytes)?;
        Ok(file.into_temp_path())
    }
}

#[cfg(unix)]
pub(crate) fn writable_by_all(path: &Path, metadata: &fs::Metadata) -> Result<(), FileProblem> {
    use std::os::unix::fs::PermissionsExt;
    match metadata.permissions().mode() & 0o002 {
        0 => Ok(()),
        _ => Err(FileProblem::WritableByAll(path.into())),
    }
}

/// Whether everybody could put something else in the place of what lies there: in a folder above it,
/// everybody may write, and not only the owner may replace a file.
#[cfg(unix)]
pub(crate) fn replaceable_by_all(path: &Path) -> Result<(), FileProblem> {
    use std::os::unix::fs::PermissionsExt;
    const OTHERS_WRITE: u32 = 0o002;
    const STICKY: u32 = 0o1000;
    for folder in path.ancestors().skip(1) {
        let mode = fs::metadata(folder).map_err(FileProblem::Unreadable)?.permissions().mode();
        if mode & OTHERS_WRITE != 0 && mode & STICKY == 0 {
            return Err(FileProblem::WritableByAll(folder.into()));
        }
    }
    Ok(())
}

/// Windows has no such bits; who may write there is up to the folder's list of rights.
#[cfg(not(unix))]
pub(crate) fn writable_by_all(_: &Path, _: &fs::Metadata) -> Result<(), FileProblem> {
    Ok(())
}

/// The same for folders.
#[cfg(not(unix))]
pub(crate) fn replaceable_by_all(_: &Path) -> Result<(), FileProblem> {
    Ok(())
}

/// Finds the record in a library's bytes and reads it.
fn look(bytes: &[u8]) -> Result<Found, FileProblem> {
    let library = object::File::parse(bytes).map_err(|_| FileProblem::NotALibrary)?;
    if library.kind() != ObjectKind::Dynamic {
        return Err(FileProblem::NotALibrary);
    }
    let (here, named) = match library.format() {
        BinaryFormat::Elf => (cfg!(all(unix, not(target_vendor = "apple"))), "an ELF file"),
        BinaryFormat::MachO => (cfg!(target_vendor = "apple"), "a Mach-O file"),
        BinaryFormat::Pe => (cfg!(windows), "a PE file"),
        _ => (false, "an unknown kind of file"),
    };
    if !here {
        return Err(FileProblem::OtherSystem(named));
    }
    let processor = match library.architecture() {
        Architecture::X86_64 => "x86_64".into(),
        Architecture::Aarch64 => "aarch64".into(),
        other => format!("{other:?}").to_lowercase(),
    };
    if processor != std::env::consts::ARCH {
        return Err(FileProblem::OtherProcessor { seen: processor });
    }
    let exports = library.exports().map_err(|_| FileProblem::NotALibrary)?;
    let record = |export: object::read::Export| {
        let object::read::NameOrOrdinal::Name(name) = export.name() else { return None };
        let object::read::ExportTarget::Address { address } = export.target() else { return None };
        // Apple's symbols have one more `_` before them.
        let name = std::str::from_utf8(name).ok()?.trim_start_matches('_');
        name.starts_with(SYMBOL).then(|| (name.to_string(), address))
    };
    let mut records: Vec<_> = exports.flatten().filter_map(record).collect();
    records.sort();
    let (symbol, address) = match records.as_slice() {
        [] => return Err(FileProblem::NoRecord),
        [one] => one.clone(),
        several => {
            let names: Vec<_> = several.iter().map(|(name, _)| name.as_str()).collect();
            return Err(FileProblem::ManyRecords(names.join(" and ")));
        }
    };
    let Some(id) = symbol.strip_prefix(&format!("{SYMBOL}{}_", abi::MAJOR)) else {
        return Err(FileProblem::OtherMajor { symbol });
    };
    let record = library.sections().find_map(|section| {
        // What is left of the section if it ends before the record does: then it is reported as short.
        let end = section.address().checked_add(section.size())?;
        let room = end.checked_sub(address).filter(|room| *room > 0)?;
        let size = room.min(size_of::<abi::Record>() as u64);
        section.data_range(address, size).ok().flatten()
    });
    let record = record.unwrap_or_default();
    let identity = Identity::read(record)?;
    if identity.id != id.replace('_', "-") {
        return Err(FileProblem::OtherId { id: identity.id, symbol });
    }
    let fixed = record[..std::mem::offset_of!(abi::Record, rule_sets)].to_vec();
    Ok(Found { symbol, identity, fixed })
}

/// What the system says is the source of what libloading says.
fn says(error: libloading::Error) -> String {
    std::error::Error::source(&error).unwrap_or(&error).to_string()
}

/// Loads a library for good and finds a symbol in it.
#[cfg(unix)]
fn open(path: &Path, symbol: &str) -> Result<*const abi::Record, String> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    // SAFETY: runs the library's initialisers, which the user trusts.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
    let library = library.map_err(says)?;
    // SAFETY: for data, what is found is its address.
    let record = unsafe { library.get::<*const abi::Record>(symbol.as_bytes()) };
    let record = record.map(|symbol| *symbol).map_err(says);
    // Never closed: thread-local destructors and the record outlive any use of it.
    std::mem::forget(library);
    record
}

/// Loads a library for good and finds a symbol in it.
#[cfg(windows)]
fn open(path: &Path, symbol: &str) -> Result<*const abi::Record, String> {
    use libloading::os::windows::{
        LOAD_LIBRARY_SEARCH_DEFAULT_DIRS, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR, Library,
    };
    let flags = LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS;
    // SAFETY: runs the library's initialisers, which the user trusts.
    let library = unsafe { Library::load_with_flags(path, flags) };
    let library = library.map_err(says)?;
    // SAFETY: for data, what is found is its address.
    let record = unsafe { library.get::<*const abi::Record>(symbol.as_bytes()) };
    let record = record.map(|symbol| *symbol).map_err(says);
    // Never closed: thread-local destructors and the record outlive any use of it.
    std::mem::forget(library);
    record
}
