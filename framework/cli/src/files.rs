//! Files that are written whole or not at all: beside their place first, then moved there. A link stays,
//! and what it points to is replaced.
//!
//! Must not know what is written.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that comes into being when it is finished, and not before.
pub struct NewFile {
    shown: String,
    target: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// Begins a file.
    ///
    /// # Errors
    /// Why nothing can be written there, in words.
    pub fn create(path: &Path) -> Result<Self, String> {
        let target = target(path)?;
        let shown = path.display().to_string();
        // The kind says what is wrong without naming the temporary file.
        let file = temporary(&target).map_err(|e| format!("{shown} can't be written: {}", e.kind()))?;
        Ok(Self { shown, target, file: BufWriter::new(file) })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    pub fn finish(self) -> Result<(), String> {
        let refuse = |e: io::Error| format!("{} can't be written: {}", self.shown, e.kind());
        let file = self.file.into_inner().map_err(|e| refuse(e.into_error()))?;
        file.as_file().sync_all().map_err(refuse)?;
        file.persist(&self.target).map_err(|e| refuse(e.error))?;
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a text to a file.
///
/// # Errors
/// Why not, in words.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let mut file = NewFile::create(path)?;
    let written = file.write_all(bytes);
    written.map_err(|e| format!("{} can't be written: {}", path.display(), e.kind()))?;
    file.finish()
}

/// Where a file named so would be written.
fn target(path: &Path) -> Result<PathBuf, String> {
    let shown = path.display().to_string();
    if shown.contains(char::is_control) {
        return Err(format!("{shown:?} has control characters; choose another name"));
    }
    if path.is_dir() {
        return Err(format!("{shown} is a directory; name a file"));
    }
    if path.exists() && !path.is_file() {
        return Err(format!("{shown} is not an ordinary file; name another file"));
    }
    if path.is_symlink() && !path.exists() {
        return Err(format!("{shown} is a link to a file that is not there; name another file"));
    }
    let target = match path.canonicalize() {
        Ok(pointed_to) if path.is_symlink() => pointed_to,
        _ => path.to_path_buf(),
    };
    let folder = folder_of(&target);
    match folder.is_dir() {
        true => Ok(target),
        false => Err(format!("there is no folder {}", folder.display())),
    }
}

/// The folder that a file of this path is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A temporary file beside `path`.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".alice-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any file that a program writes; the umask still counts.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder_of(path))
}

/// Writes a text to a file of a new name: the first of these paths where there is none yet. Says which.
pub fn write_new(text: &str, paths: impl IntoIterator<Item = PathBuf>) -> Option<PathBuf> {
    paths.into_iter().find(|path| {
        let written = temporary(path).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            Ok(file.persist_noclobber(path)?)
        });
        written.is_ok()
    })
}
