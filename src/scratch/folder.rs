//! The folder of a count: block files, and a catalog of the state lists in these files.
//!
//! The catalog is a file of sealed lines (`crates/farandole/src/shards/lines.rs`): a header with
//! the digest of the plan, then one line per state list. A new catalog is written under another
//! name, and renamed once the catalog and all its block files are on disk, so a complete catalog
//! exists at any time and the count can resume from it. The previous catalog is kept as well. If
//! the new catalog or one of its files is corrupt, the count falls back to the previous catalog and
//! repeats a step or two. Block files in neither catalog are removed. A running process locks the
//! folder.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use dlx::exchange::{BlockHead, BlockPlan};
use serde_json::{Map, Value, json};

use super::runs::{RunPlace, StateRun, fault};
use super::work::ScratchFailure;
use crate::io::names::shown;
use crate::io::whole;
use farandole::shards::lines;

/// The kind of file, as stated in the header of the catalog.
const KIND: &str = "scratch";
const FORMAT: u64 = 1;
/// File names of the current catalog, the next one while it is written, the previous one, and the
/// lock.
pub(super) const LIST: &str = "farandole.scratch";
const NEXT_LIST: &str = "farandole.scratch.new";
const OLD_LIST: &str = "farandole.scratch.old";
const LOCK: &str = "farandole.lock";
/// File names of a count by symmetry, which has a file format of its own (`layers.rs`).
pub(super) const LAYERS: &str = "farandole.layers";
pub(super) const NEXT_LAYERS: &str = "farandole.layers.new";
pub(super) const OLD_LAYERS: &str = "farandole.layers.old";
/// Prefix and suffix of the names of block files. A number stands between them.
const BLOCKS: (&str, &str) = ("farandole-", ".blocks");

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockFile(u64);

impl BlockFile {
    pub(super) fn path(self, folder: &Path) -> PathBuf {
        folder.join(format!("{}{}{}", BLOCKS.0, self.0, BLOCKS.1))
    }

    pub(super) fn shown(self, folder: &Path) -> String {
        shown(self.path(folder))
    }

    /// Parses a file name; returns `None` if the file is not a block file.
    fn named(name: &str) -> Option<Self> {
        let number = name.strip_prefix(BLOCKS.0)?.strip_suffix(BLOCKS.1)?;
        number.parse().ok().map(Self).filter(|file| number == file.0.to_string())
    }
}

#[derive(Debug, Default)]
pub(super) struct FileNumbers(AtomicU64);

impl FileNumbers {
    pub(super) fn new_file(&self) -> BlockFile {
        BlockFile(self.0.fetch_add(1, Relaxed))
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct CountState {
    /// All state lists that are not expanded yet or belong to the final step.
    pub(super) runs: Vec<StateRun>,
    /// The number of states expanded so far in each step.
    pub(super) seen: Vec<u64>,
    pub(super) seconds: f64,
}

impl CountState {
    /// Returns whether the count has begun. The catalog is empty until the first states are saved.
    pub(super) fn is_begun(&self) -> bool {
        !self.runs.is_empty() || !self.seen.is_empty()
    }
}

pub(super) struct ScratchFolder {
    pub(super) path: PathBuf,
    pub(super) numbers: Arc<FileNumbers>,
    /// The block files known to be on disk, the files of the current and of the previous catalog,
    /// and all block files of this count.
    synced: BTreeSet<BlockFile>,
    listed: BTreeSet<BlockFile>,
    listed_before: BTreeSet<BlockFile>,
    known: BTreeSet<BlockFile>,
    _lock: File,
}

impl ScratchFolder {
    /// Opens and locks a folder. Creates the folder if necessary.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        whole::make_folder(path)?;
        let name = path.join(LOCK);
        let lock = File::options().create(true).append(true).open(&name);
        let lock = lock.map_err(|error| fault(&name, "write", &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(format!("{}: another process is at work in this folder", shown(path)));
            }
            Err(TryLockError::Error(error)) => return Err(fault(&name, "lock", &error)),
        }
        let none = BTreeSet::new;
        Ok(Self {
            path: path.to_owned(),
            numbers: Arc::default(),
            synced: none(),
            listed: none(),
            listed_before: none(),
            known: none(),
            _lock: lock,
        })
    }

    /// Reads the progress of the count with this plan, and removes block files in neither catalog;
    /// returns `None` if the count has not begun.
    pub(super) fn read(&mut self, plan: &BlockPlan) -> Result<Option<CountState>, ScratchFailure> {
        self.expect_no(LAYERS)?;
        let files = self.files()?;
        let most = files.last().map_or(0, |file| file.0 + 1);
        self.numbers.0.fetch_max(most, Relaxed);
        self.known = files.iter().copied().collect();
        let (path, old) = (self.path.join(LIST), self.path.join(OLD_LIST));
        if !path.exists() && old.exists() {
            // The current catalog is missing because the process was killed between the two
            // renames.
            fs::rename(&old, &path).map_err(|error| fault(&path, "write", &error))?;
        }
        let Some(state) = self.read_list(&path, plan)? else {
            if let Some(file) = files.first() {
                let file = file.shown(&self.path);
                let message = format!(
                    "{file}: expected beside it the list `{LIST}` of what it is; remove it if it is needed no more"
                );
                return Err(message.into());
            }
            return Ok(None);
        };
        self.listed = files_of(&state.runs);
        // An invalid previous catalog is ignored. There is then no progress to fall back to.
        if let Ok(Some(before)) = self.read_list(&old, plan) {
            self.listed_before = files_of(&before.runs);
        }
        self.known.extend(self.listed.union(&self.listed_before));
        self.tidy(&state.runs)?;
        self.expect_whole(&state)?;
        self.synced = self.listed.clone();
        Ok(state.is_begun().then_some(state))
    }

    /// Replaces the catalog with the previous one and returns its progress; returns `None` if the
    /// previous catalog is invalid.
    pub(super) fn restore_previous(&mut self, plan: &BlockPlan) -> Result<Option<CountState>, String> {
        let (path, old) = (self.path.join(LIST), self.path.join(OLD_LIST));
        let state = self.read_list(&old, plan).ok().flatten();
        let Some(state) = state.filter(|state| self.expect_whole(state).is_ok()) else {
            return Ok(None);
        };
        fs::rename(&old, &path).map_err(|error| fault(&path, "write", &error))?;
        self.listed = files_of(&state.runs);
        self.listed_before.clear();
        self.synced.extend(&self.listed);
        self.tidy(&state.runs)?;
        Ok(Some(state))
    }

    /// Reads a catalog; returns `None` if the file does not exist.
    fn read_list(&self, path: &Path, plan: &BlockPlan) -> Result<Option<CountState>, ScratchFailure> {
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(fault(path, "read", &error).into()),
        };
        let name = shown(path);
        let torn = ScratchFailure::Torn;
        let mut state = CountState::default();
        let mut count = None;
        for (number, line) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
            let at = |message: String| format!("{name}:{number}: {message}");
            let line = line
                .strip_suffix(b"\n")
                .ok_or_else(|| torn(at("expected the end of the line".to_owned())))?;
            let object = lines::open(line).map_err(|message| torn(at(message)))?;
            if number == 1 {
                count = Some(self.read_header(&object, plan, &mut state).map_err(at)?);
            } else {
                state.runs.push(read_run(&object, plan).map_err(at)?);
            }
        }
        if count != Some(state.runs.len()) {
            let expected = count.unwrap_or_default();
            let found = state.runs.len();
            return Err(torn(format!("{name}: expected {expected} lists of states, found {found}")));
        }
        Ok(Some(state))
    }

    /// Checks that all files of a catalog exist and are long enough.
    fn expect_whole(&self, state: &CountState) -> Result<(), ScratchFailure> {
        for run in &state.runs {
            let RunPlace::Filed { file, offset, bytes } = run.place else { continue };
            let path = file.path(&self.path);
            let torn = |message: String| Err(ScratchFailure::Torn(message));
            let len = match fs::metadata(&path) {
                Ok(data) => data.len(),
                Err(error) => return torn(fault(&path, "read", &error)),
            };
            if offset.checked_add(bytes).is_none_or(|end| end > len) {
                return torn(format!(
                    "{}: expected at least {} bytes, found {len}: the file was torn",
                    shown(&path),
                    offset.saturating_add(bytes)
                ));
            }
        }
        Ok(())
    }

    /// Fails if the file `name` exists, which shows that the folder belongs to a count of another
    /// kind.
    pub(super) fn expect_no(&self, name: &str) -> Result<(), String> {
        let path = self.path.join(name);
        if path.exists() {
            return Err(format!(
                "{}: expected the folder of such a count, found that of one by another --engine",
                shown(path)
            ));
        }
        Ok(())
    }

    fn read_header(
        &self,
        object: &Map<String, Value>,
        plan: &BlockPlan,
        state: &mut CountState,
    ) -> Result<usize, String> {
        if object.get("farandole").and_then(Value::as_str) != Some(KIND) {
            return Err(format!("expected the first line of a file of the kind `{KIND}`"));
        }
        let format = object.get("format").and_then(Value::as_u64);
        if format != Some(FORMAT) {
            let found = format.map_or("none".to_owned(), |format| format.to_string());
            return Err(format!("expected the format {FORMAT}, found `{found}`"));
        }
        let (expected, found) = (plan.digest().to_string(), lines::text(object, "plan")?);
        if expected != found {
            return Err(format!(
                "expected the states of this puzzle, with the plan {expected}, found `{found}`: another puzzle, or \
                 another version of the program"
            ));
        }
        let seen = object.get("seen").and_then(Value::as_array);
        let seen = seen.and_then(|seen| seen.iter().map(Value::as_u64).collect());
        state.seen = seen.ok_or("expected in `seen` a list of numbers")?;
        if state.seen.len() > plan.steps() as usize {
            return Err(format!("expected at most {} steps in `seen`", plan.steps()));
        }
        state.seconds = object.get("seconds").and_then(Value::as_f64).unwrap_or_default();
        let next = object.get("next").and_then(Value::as_u64).ok_or("expected the number `next`")?;
        self.numbers.0.fetch_max(next, Relaxed);
        let count = object.get("lists").and_then(Value::as_u64).ok_or("expected the number `lists`")?;
        usize::try_from(count).map_err(|_| "expected fewer lists".to_owned())
    }

    /// Saves `state`, so that the count can resume from it.
    pub(super) fn keep(&mut self, plan: &BlockPlan, state: &mut CountState) -> Result<(), String> {
        self.write_held(&mut state.runs)?;
        let mut text = lines::seal(&json!({
            "farandole": KIND,
            "format": FORMAT,
            "version": env!("CARGO_PKG_VERSION"),
            "plan": plan.digest().to_string(),
            "seen": state.seen,
            "seconds": state.seconds,
            "next": self.numbers.0.load(Relaxed),
            "lists": state.runs.len(),
        }));
        for run in &state.runs {
            let RunPlace::Filed { file, offset, bytes } = run.place else {
                unreachable!("all are in files")
            };
            if !self.synced.contains(&file) {
                let path = file.path(&self.path);
                let synced = File::open(&path).and_then(|file| file.sync_data());
                synced.map_err(|error| fault(&path, "write", &error))?;
                self.synced.insert(file);
            }
            let head: String = run.head.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
            let line = json!({ "step": run.head.step, "owner": run.head.owner, "file": file.0, "offset": offset,
                "bytes": bytes, "head": head });
            text += &lines::seal(&line);
        }
        let (next, list) = (self.path.join(NEXT_LIST), self.path.join(LIST));
        let old = self.path.join(OLD_LIST);
        let write = || -> io::Result<()> {
            let mut file = File::create(&next)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            self.sync()?;
            match fs::rename(&list, &old) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            fs::rename(&next, &list)?;
            self.sync()
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&next);
            fault(&next, "write", &error)
        })?;
        self.listed_before = std::mem::replace(&mut self.listed, files_of(&state.runs));
        self.tidy(&state.runs)
    }

    /// Registers the files of new state lists.
    pub(super) fn adopt(&mut self, runs: &[StateRun]) {
        self.known.extend(files_of(runs));
    }

    /// Writes the state lists that are held in memory into a file.
    fn write_held(&mut self, runs: &mut [StateRun]) -> Result<(), String> {
        if !runs.iter().any(|run| matches!(run.place, RunPlace::Held(_))) {
            return Ok(());
        }
        let new = self.numbers.new_file();
        let path = new.path(&self.path);
        let mut blocks = Vec::new();
        let mut places = Vec::new();
        for run in runs.iter() {
            if let RunPlace::Held(held) = &run.place {
                places.push(RunPlace::Filed {
                    file: new,
                    offset: blocks.len() as u64,
                    bytes: held.len() as u64,
                });
                blocks.extend_from_slice(held);
            }
        }
        let written = File::create_new(&path).and_then(|mut file| file.write_all(&blocks));
        if let Err(error) = written {
            let _ = fs::remove_file(&path);
            return Err(fault(&path, "write", &error));
        }
        self.known.insert(new);
        let held = runs.iter_mut().filter(|run| matches!(run.place, RunPlace::Held(_)));
        held.zip(places).for_each(|(run, place)| run.place = place);
        Ok(())
    }

    /// Writes the directory entries of the folder to disk, where the platform supports it.
    pub(super) fn sync(&self) -> io::Result<()> {
        #[cfg(unix)]
        File::open(&self.path)?.sync_all()?;
        Ok(())
    }

    /// Returns the block files in the folder, in ascending order.
    fn files(&self) -> Result<Vec<BlockFile>, String> {
        let cannot_read = |error| fault(&self.path, "read", &error);
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(cannot_read)? {
            let name = entry.map_err(cannot_read)?.file_name();
            files.extend(name.to_str().and_then(BlockFile::named));
        }
        files.sort_unstable();
        Ok(files)
    }

    /// Removes the block files that are needed neither by `runs` nor by the two catalogs.
    pub(super) fn tidy(&mut self, runs: &[StateRun]) -> Result<(), String> {
        let named = files_of(runs);
        let all = [&named, &self.listed, &self.listed_before];
        let is_needed = |file: &BlockFile| all.iter().any(|files| files.contains(file));
        let (needed, others): (BTreeSet<_>, BTreeSet<_>) =
            self.known.iter().copied().partition(is_needed);
        self.synced.retain(|file| needed.contains(file));
        self.known = needed;
        others.into_iter().try_for_each(|file| remove(&file.path(&self.path)))
    }

    /// Removes all files of the count. Other files and the folder itself stay.
    pub(super) fn clear(mut self) -> Result<(), String> {
        // Remove the catalogs first. Block files without a catalog are not mistaken for an
        // unfinished count.
        for name in [LIST, NEXT_LIST, OLD_LIST, LAYERS, NEXT_LAYERS, OLD_LAYERS] {
            remove(&self.path.join(name))?;
        }
        self.listed.clear();
        self.listed_before.clear();
        self.tidy(&[])?;
        remove(&self.path.join(LOCK))
    }
}

fn files_of(runs: &[StateRun]) -> BTreeSet<BlockFile> {
    runs.iter().filter_map(|run| run.place.file()).collect()
}

fn remove(path: &Path) -> Result<(), String> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(fault(path, "remove", &error)),
        _ => Ok(()),
    }
}

impl RunPlace {
    /// Returns the file that contains the list, or `None` for a list in memory.
    pub(super) fn file(&self) -> Option<BlockFile> {
        if let Self::Filed { file, .. } = self { Some(*file) } else { None }
    }
}

fn read_run(object: &Map<String, Value>, plan: &BlockPlan) -> Result<StateRun, String> {
    let number = |key: &str| {
        let number = object.get(key).and_then(Value::as_u64);
        number.ok_or_else(|| format!("expected the number `{key}`"))
    };
    let (file, offset, bytes) = (BlockFile(number("file")?), number("offset")?, number("bytes")?);
    let digits = lines::text(object, "head")?;
    let byte =
        |place: usize| digits.get(place..place + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    let head: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(byte).collect();
    let head = head.ok_or("expected in `head` hexadecimal digits")?;
    let head: BlockHead = plan.head(&head).map_err(|error| error.to_string())?;
    Ok(StateRun { head, place: RunPlace::Filed { file, offset, bytes } })
}

/// Returns a list with the single block `block`, held in memory.
pub(super) fn held(head: BlockHead, block: Vec<u8>) -> StateRun {
    StateRun { head, place: RunPlace::Held(Arc::new(block)) }
}
