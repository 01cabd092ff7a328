//! Files that are written whole or stay what they were.
//!
//! A text goes into a file beside the one that is wanted, and takes its place once all of it is on the
//! disk. So a run that fails, is interrupted or finds the disk full leaves the old file, and nobody
//! reads half a file. What was begun is removed, unless the process is killed. A symbolic link is
//! followed and stays a link; permissions, and the owner where that is allowed, are kept. Other hard
//! links to the old file keep the old text.
//!
//! What is no regular file (a pipe, a terminal, `/dev/null`) has nothing to be kept and is written
//! directly, as is what the process has open itself (`/dev/stdout`).

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::io::interrupt;
use crate::io::names::shown;

/// The most symbolic links that are followed one after the other.
const LINKS_MAX: usize = 40;

/// A file that is being written.
pub(crate) struct WholeFile {
    /// The name by which it was asked for, as messages show it.
    name: String,
    place: Place,
}

/// Where the text goes.
enum Place {
    /// Into a file beside the target, which it replaces.
    Beside { file: BufWriter<NamedTempFile>, target: PathBuf },
    /// Into the target itself.
    Direct(BufWriter<File>),
}

impl WholeFile {
    /// Begins to write a file; nothing is seen of it before [`Self::finish`].
    ///
    /// # Errors
    /// If it cannot be written; names it.
    pub(crate) fn create(path: &Path) -> Result<Self, String> {
        let place = open(path).map_err(|error| fault(&shown(path), &error))?;
        Ok(Self { name: shown(path), place })
    }

    /// Ends the file: from now on it is there, with all that was written.
    ///
    /// # Errors
    /// If it cannot be written; what was there before is still there then.
    pub(crate) fn finish(self) -> Result<(), String> {
        let Self { name, place } = self;
        finish(place).map_err(|error| fault(&name, &error))
    }

    /// Returns the message that it cannot be written.
    pub(crate) fn fault(&self, error: &io::Error) -> String {
        fault(&self.name, error)
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Beside { file, .. } => file.write(bytes),
            Place::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            Place::Beside { file, .. } => file.flush(),
            Place::Direct(file) => file.flush(),
        }
    }
}

/// Writes a text as the whole of a file.
///
/// # Errors
/// If it cannot be written; names the file.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), String> {
    let mut file = WholeFile::create(path)?;
    match file.write_all(text) {
        Ok(()) => file.finish(),
        Err(error) => Err(file.fault(&error)),
    }
}

/// Tells in advance whether a file can be written, as far as that can be known.
///
/// # Errors
/// If it cannot be; names it.
pub(crate) fn probe(path: &Path) -> Result<(), String> {
    // To open a pipe and close it again would end its reader.
    let is_special = fs::metadata(path).is_ok_and(|known| !known.is_file() && !known.is_dir());
    if is_special { Ok(()) } else { WholeFile::create(path).map(drop) }
}

/// Makes a folder, with those that it is in, unless it is there.
///
/// # Errors
/// If it cannot be made; names it.
pub(crate) fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| format!("{}: cannot make: {error}", shown(path)))
}

fn fault(name: &str, error: &io::Error) -> String {
    let error = error.to_string();
    // The name of the file beside it says nothing to a reader.
    let why = error.split(" at path ").next().unwrap_or_default();
    format!("{name}: cannot write: {why}")
}

fn open(path: &Path) -> io::Result<Place> {
    interrupt::outlive_size_limit();
    let known = match fs::metadata(path) {
        Ok(known) if known.is_dir() => {
            return Err(io::Error::other("expected a file, found a folder"));
        }
        Ok(known) => Some(known),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let directly =
        |path: &Path| Ok(Place::Direct(BufWriter::new(File::options().append(true).open(path)?)));
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return directly(path);
    }
    let mut target = path.to_owned();
    for _ in 0..LINKS_MAX {
        if target.starts_with("/proc") || target.starts_with("/dev/fd") {
            return directly(path);
        }
        let Ok(link) = fs::read_link(&target) else {
            let file = BufWriter::new(beside(&target, known.as_ref())?);
            return Ok(Place::Beside { file, target });
        };
        target = folder(&target).join(link);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Makes an empty file beside the target, like the one that is there.
fn beside(target: &Path, known: Option<&Metadata>) -> io::Result<NamedTempFile> {
    if target.file_name().is_none_or(OsStr::is_empty) {
        return Err(io::Error::other("expected the name of a file"));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".farandole-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As for any new file; what the user's mask takes away is taken away.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    if known.is_some() {
        // What may not be written may not be replaced.
        File::options().write(true).open(target)?;
    }
    let file = builder.tempfile_in(folder(target))?;
    if let Some(known) = known {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt as _, fchown};
            // Only the administrator may give files away; else the new file is the writer's.
            let _ = fchown(file.as_file(), Some(known.uid()), Some(known.gid()));
        }
        file.as_file().set_permissions(known.permissions())?;
    }
    Ok(file)
}

fn finish(place: Place) -> io::Result<()> {
    match place {
        Place::Direct(mut file) => file.flush(),
        Place::Beside { file, target } => {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.as_file().sync_all()?;
            file.persist(&target).map_err(|error| error.error)?;
            // Where a folder cannot be synced, the file is there nevertheless.
            let _ = File::open(folder(&target)).and_then(|folder| folder.sync_all());
            Ok(())
        }
    }
}

/// Returns the folder in which a file is.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
