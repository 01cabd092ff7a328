//! Replaces files atomically.
//!
//! The text is written to a temporary file in the folder of the target. Once the text is on disk,
//! the temporary file is renamed to the target. After a failed or interrupted run or with a full
//! disk, the old file is therefore unchanged, and no reader sees a partial file. The temporary file
//! is removed unless the process is killed. If the target is a symbolic link, the file that it
//! points to is replaced. Permissions are kept, and so is the owner where allowed. Other hard links
//! to the old file keep the old text.
//!
//! Special files (a pipe, a terminal, `/dev/null`) and files that the process has open
//! (`/dev/stdout`) are written directly.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::io::interrupt;
use crate::io::names::shown;

/// Largest number of symbolic links followed in a row.
const LINKS_MAX: usize = 40;

pub(crate) struct WholeFile {
    /// The path given by the user, as messages show it.
    name: String,
    place: Destination,
}

enum Destination {
    /// A temporary file that will replace `target`.
    Temporary { file: BufWriter<NamedTempFile>, target: PathBuf },
    /// The target itself, for special files.
    Direct(BufWriter<File>),
}

impl WholeFile {
    /// Begins to write a file. The target changes only in [`Self::finish`].
    pub(crate) fn create(path: &Path) -> Result<Self, String> {
        let place = open(path).map_err(|error| fault(&shown(path), &error))?;
        Ok(Self { name: shown(path), place })
    }

    /// Replaces the target with the file that has everything written so far.
    pub(crate) fn finish(self) -> Result<(), String> {
        let Self { name, place } = self;
        finish(place).map_err(|error| fault(&name, &error))
    }

    pub(crate) fn fault(&self, error: &io::Error) -> String {
        fault(&self.name, error)
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Destination::Temporary { file, .. } => file.write(bytes),
            Destination::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            Destination::Temporary { file, .. } => file.flush(),
            Destination::Direct(file) => file.flush(),
        }
    }
}

/// Writes `text` as the whole content of a file.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), String> {
    let mut file = WholeFile::create(path)?;
    match file.write_all(text) {
        Ok(()) => file.finish(),
        Err(error) => Err(file.fault(&error)),
    }
}

/// Checks in advance whether a file can be written.
pub(crate) fn probe(path: &Path) -> Result<(), String> {
    // Do not open a pipe, since closing it again would end the program that reads it.
    let is_special = fs::metadata(path).is_ok_and(|known| !known.is_file() && !known.is_dir());
    if is_special { Ok(()) } else { WholeFile::create(path).map(drop) }
}

/// Creates a folder and its parents, unless they exist.
pub(crate) fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| format!("{}: cannot make: {error}", shown(path)))
}

fn fault(name: &str, error: &io::Error) -> String {
    let error = error.to_string();
    // Omit the name of the temporary file from the message.
    let why = error.split(" at path ").next().unwrap_or_default();
    format!("{name}: cannot write: {why}")
}

fn open(path: &Path) -> io::Result<Destination> {
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
        |path: &Path| Ok(Destination::Direct(BufWriter::new(File::options().append(true).open(path)?)));
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
            return Ok(Destination::Temporary { file, target });
        };
        target = folder(&target).join(link);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Creates an empty temporary file in the folder of the target. If the target exists, the file gets
/// its owner and permissions.
fn beside(target: &Path, known: Option<&Metadata>) -> io::Result<NamedTempFile> {
    if target.file_name().is_none_or(OsStr::is_empty) {
        return Err(io::Error::other("expected the name of a file"));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".farandole-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // These are the permissions of any new file, reduced by the umask.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    if known.is_some() {
        // Opening the target for writing fails if the target is read-only. Such a file must not be
        // replaced.
        File::options().write(true).open(target)?;
    }
    let file = builder.tempfile_in(folder(target))?;
    if let Some(known) = known {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt as _, fchown};
            // Only root may change the owner. In other cases the new file belongs to the user.
            let _ = fchown(file.as_file(), Some(known.uid()), Some(known.gid()));
        }
        file.as_file().set_permissions(known.permissions())?;
    }
    Ok(file)
}

fn finish(place: Destination) -> io::Result<()> {
    match place {
        Destination::Direct(mut file) => file.flush(),
        Destination::Temporary { file, target } => {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.as_file().sync_all()?;
            file.persist(&target).map_err(|error| error.error)?;
            // Ignore errors, because some folders cannot be synced.
            let _ = File::open(folder(&target)).and_then(|folder| folder.sync_all());
            Ok(())
        }
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
