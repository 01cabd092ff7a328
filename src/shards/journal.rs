//! The file of a count whose finished parts are kept, so that it can be gone on with.
//!
//! The first line is the header; each finished shard appends a line by one write, and the file is synced. So a process
//! that is killed leaves whole lines and perhaps the beginning of another, which is dropped. The shards are made anew
//! from the puzzle each time; the header has their digest. A shard that took too long was split further, which is one line
//! as well: its parts are made anew like the others. While a process counts, it holds a lock on the file.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use dlx::shards::{Sha256Digest, ShardTally};

use super::lines::{self, Header, Splitting};

/// The kind of the file.
pub const KIND: &str = "journal";

/// A journal that is open, and locked.
#[derive(Debug)]
pub struct Journal {
    /// The name of the file, as messages show it.
    pub name: String,
    file: File,
    /// The bytes of its whole lines.
    len: u64,
    /// The bytes of a last line that was not written whole, and was cut off.
    pub dropped: usize,
}

/// What stands in a journal beside the counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Which shards the count was begun with.
    pub header: Header,
    /// Which of them, and of their parts, were split further.
    pub splittings: Vec<Splitting>,
}

impl Journal {
    /// Opens the file, which is made if it is not there, and locks it. Messages call it `name`.
    ///
    /// # Errors
    /// If it cannot be opened, or another process counts with it.
    pub fn open(path: &Path, name: String) -> Result<Self, String> {
        let is_new = !path.exists();
        let file = File::options().read(true).append(true).create(true).open(path);
        let file = file.map_err(|error| format!("{name}: cannot open: {error}"))?;
        if !file.metadata().is_ok_and(|data| data.is_file()) {
            return Err(format!("{name}: expected a regular file, in which a journal can be kept"));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(format!("{name}: another process is counting with this journal"));
            }
            Err(TryLockError::Error(error)) => return Err(format!("{name}: cannot lock: {error}")),
        }
        // That the name is there after a failure of power is as much as can be asked for.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if is_new && let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
        Ok(Self { name, file, len: 0, dropped: 0 })
    }

    /// Reads the counts that are there into the tally, and returns the plan; `None` if the journal is new. The beginning of
    /// a line that was not written whole is cut off.
    ///
    /// # Errors
    /// If it is not the journal of the problem of that digest and of so many shards, with the line.
    pub fn read(
        &mut self,
        digest: &Sha256Digest,
        asked: Option<usize>,
        tally: &mut ShardTally,
    ) -> Result<Option<Plan>, String> {
        let name = self.name.clone();
        let mut bytes = Vec::new();
        let read = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.read_to_end(&mut bytes));
        read.map_err(|error| format!("{name}: cannot read: {error}"))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
        let begin = format!("{{\"farandole\":\"{KIND}\"");
        let same = bytes.len().min(begin.len());
        if bytes[..same] != begin.as_bytes()[..same] {
            return Err(format!("{name}:1: expected a journal, which begins with `{begin}`"));
        }
        let mut plan: Option<Plan> = None;
        for (line, text) in (1..).zip(bytes[..whole].split_inclusive(|&byte| byte == b'\n')) {
            let at = |message: String| format!("{name}:{line}: {message}");
            let object = lines::open(&text[..text.len() - 1]).map_err(at)?;
            if let Some(Plan { splittings, .. }) = &mut plan {
                if object.contains_key("split") {
                    splittings.push(Splitting::read(&object, digest).map_err(at)?);
                    continue;
                }
                let count = lines::count(&object).map_err(at)?;
                tally.add(count).map_err(|fault| at(fault.to_string()))?;
                continue;
            }
            let found = Header::read(&object, &[KIND]).map_err(at)?;
            if found.digest != *digest {
                return Err(at(format!(
                    "expected the journal of this puzzle, with the digest {digest}, found `{}`",
                    found.digest
                )));
            }
            if asked.is_some_and(|asked| asked != found.asked) {
                return Err(at(format!(
                    "expected {} shards, as many as this journal was begun with, found `--shards {}`",
                    found.asked,
                    asked.unwrap_or_default()
                )));
            }
            plan = Some(Plan { header: found, splittings: Vec::new() });
        }
        self.len = whole as u64;
        self.dropped = bytes.len() - whole;
        if self.dropped > 0 {
            self.file.set_len(self.len).map_err(|error| format!("{name}: cannot write: {error}"))?;
        }
        Ok(plan)
    }

    /// Appends lines, each by one write, and waits until they are on the disk. If that fails, whole lines stay.
    ///
    /// # Errors
    /// If it fails.
    pub fn append(&mut self, text: &str) -> Result<(), String> {
        let cannot_write = |name: &str, error: io::Error| {
            format!("{name}: cannot write: {error}; what was counted before is kept")
        };
        for line in text.split_inclusive('\n') {
            if let Err(error) = self.file.write_all(line.as_bytes()) {
                // What cannot be taken away now is dropped by the next run.
                let _ = self.file.set_len(self.len);
                return Err(cannot_write(&self.name, error));
            }
            self.len += line.len() as u64;
        }
        if text.is_empty() {
            return Ok(());
        }
        self.file.sync_data().map_err(|error| cannot_write(&self.name, error))
    }
}
