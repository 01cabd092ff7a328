//! An append-only file of lines with checksums, the base of journals.
//!
//! Each line is appended by one write, and the file is synced before the line counts as written. So
//! after a crash the file has complete lines, and perhaps the beginning of another, which is
//! dropped. A process locks the file while it uses it.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde_json::{Map, Value};

use super::lines;

#[derive(Debug)]
pub(super) struct SealedFile {
    pub(super) name: String,
    file: File,
    /// Length of the complete lines (bytes).
    len: u64,
}

impl SealedFile {
    /// Opens and locks the file, and creates it if necessary. Messages call it `name`.
    pub(super) fn open(path: &Path, name: String) -> Result<Self, String> {
        let is_new = !path.exists();
        let file = File::options().read(true).append(true).create(true).open(path);
        let file = file.map_err(|error| format!("{name}: cannot open: {error}"))?;
        if !file.metadata().is_ok_and(|data| data.is_file()) {
            return Err(format!("{name}: expected a regular file, in which a journal can be kept"));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(format!("{name}: another process is at work with this journal"));
            }
            Err(TryLockError::Error(error)) => return Err(format!("{name}: cannot lock: {error}")),
        }
        // Sync the folder, so that the new file survives a power failure; errors are ignored.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if is_new && let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
        Ok(Self { name, file, len: 0 })
    }

    /// Reads a journal of kind `kind`. `each` gets the offset and the object of each line, and may
    /// reject it. Cuts off an incomplete last line, and returns its length (bytes).
    pub(super) fn read(
        &mut self,
        kind: &str,
        mut each: impl FnMut(u64, &Map<String, Value>) -> Result<(), String>,
    ) -> Result<usize, String> {
        let name = &self.name;
        let cannot_read = |error: io::Error| format!("{name}: cannot read: {error}");
        let begin = format!("{{\"farandole\":\"{kind}\"");
        let mut first = Vec::new();
        self.file.seek(SeekFrom::Start(0)).map_err(cannot_read)?;
        let mut reader = BufReader::new(&self.file);
        reader.by_ref().take(begin.len() as u64).read_to_end(&mut first).map_err(cannot_read)?;
        if !begin.as_bytes().starts_with(&first) {
            return Err(format!("{name}:1: expected a journal, which begins with `{begin}`"));
        }
        let mut line = first;
        for number in 1.. {
            reader.read_until(b'\n', &mut line).map_err(cannot_read)?;
            let Some(text) = line.strip_suffix(b"\n") else { break };
            let at = |message: String| format!("{name}:{number}: {message}");
            let object = lines::open(text).map_err(at)?;
            each(self.len, &object).map_err(at)?;
            self.len += line.len() as u64;
            line.clear();
        }
        if !line.is_empty() {
            self.file.set_len(self.len).map_err(|error| format!("{name}: cannot write: {error}"))?;
        }
        Ok(line.len())
    }

    /// Reads the line at byte offset `place` again.
    pub(super) fn line_at(&self, place: u64) -> Result<Map<String, Value>, String> {
        let mut line = Vec::new();
        let mut file = &self.file;
        let read = file
            .seek(SeekFrom::Start(place))
            .and_then(|_| BufReader::new(file).read_until(b'\n', &mut line));
        read.map_err(|error| format!("{}: cannot read: {error}", self.name))?;
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        lines::open(text).map_err(|message| format!("{}: at byte {place}: {message}", self.name))
    }

    /// Appends complete lines, each by one write, and returns the byte offset of the first. If
    /// writing fails, the file still has only complete lines.
    pub(super) fn append(&mut self, text: &str) -> Result<u64, String> {
        let place = self.len;
        for line in text.split_inclusive('\n') {
            if let Err(error) = self.file.write_all(line.as_bytes()) {
                // If this fails as well, the next run drops the incomplete line.
                let _ = self.file.set_len(self.len);
                return Err(self.cannot_write(&error));
            }
            self.len += line.len() as u64;
        }
        Ok(place)
    }

    pub(super) fn sync(&self) -> Result<(), String> {
        self.file.sync_data().map_err(|error| self.cannot_write(&error))
    }

    fn cannot_write(&self, error: &io::Error) -> String {
        format!("{}: cannot write: {error}; what was done before is kept", self.name)
    }
}
