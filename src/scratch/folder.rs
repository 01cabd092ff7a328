//! The folder of a count: files of blocks, and a list of the states that stand in them.
//!
//! The list is a file of sealed lines (`src/shards/lines.rs`): a header with the digest of the plan, then a line for each
//! list of states. It is written beside the old one and takes its place once it is on the disk with all files that it
//! names. So there is always a whole list, whatever ends the process, and the count goes on from there. The list before is
//! kept as well: should the new one or a file of it be torn or changed, the count goes back to it, and does a step or two
//! again.
//! Files that neither names are removed. While a process counts, it holds a lock.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use dlx::exchange::{BlockHead, BlockPlan};
use serde_json::{Map, Value, json};

use super::runs::{RunPlace, StateRun, fault};
use super::work::ScratchTrouble;
use crate::io::names::shown;
use crate::io::whole;
use farandole::shards::lines;

/// What the first line of a list says that it is.
const KIND: &str = "scratch";
/// The version of folders.
const FORMAT: u64 = 1;
/// The names of the list, of the next one while it is written, and of what is locked.
pub(super) const LIST: &str = "farandole.scratch";
const NEXT_LIST: &str = "farandole.scratch.new";
const OLD_LIST: &str = "farandole.scratch.old";
const LOCK: &str = "farandole.lock";
/// The name of the file of a count by symmetry, which is another than these (`layers.rs`).
pub(super) const LAYERS: &str = "farandole.layers";
pub(super) const NEXT_LAYERS: &str = "farandole.layers.new";
pub(super) const OLD_LAYERS: &str = "farandole.layers.old";
/// How files of blocks are named: with a number in between.
const BLOCKS: (&str, &str) = ("farandole-", ".blocks");

/// A file of blocks, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockFile(u64);

impl BlockFile {
    pub(super) fn path(self, folder: &Path) -> PathBuf {
        folder.join(format!("{}{}{}", BLOCKS.0, self.0, BLOCKS.1))
    }

    /// Returns its name as messages show it.
    pub(super) fn shown(self, folder: &Path) -> String {
        shown(self.path(folder))
    }

    /// Returns the file of a name, if that is one of these.
    fn named(name: &str) -> Option<Self> {
        let number = name.strip_prefix(BLOCKS.0)?.strip_suffix(BLOCKS.1)?;
        number.parse().ok().map(Self).filter(|file| number == file.0.to_string())
    }
}

/// Gives files their names.
#[derive(Debug, Default)]
pub(super) struct FileNumbers(AtomicU64);

impl FileNumbers {
    /// Returns the next file to write.
    pub(super) fn new_file(&self) -> BlockFile {
        BlockFile(self.0.fetch_add(1, Relaxed))
    }
}

/// How far a count is.
#[derive(Clone, Debug, Default)]
pub(super) struct CountState {
    /// All lists of states that are still to be expanded, or have come to an end.
    pub(super) runs: Vec<StateRun>,
    /// The states that were expanded at each step.
    pub(super) seen: Vec<u64>,
    /// The seconds of work on them.
    pub(super) seconds: f64,
}

impl CountState {
    /// Tells whether there is something to go on with: before the first states are kept there is a list of none.
    pub(super) fn is_begun(&self) -> bool {
        !self.runs.is_empty() || !self.seen.is_empty()
    }
}

/// A folder that is locked.
pub(super) struct ScratchFolder {
    pub(super) path: PathBuf,
    pub(super) numbers: Arc<FileNumbers>,
    /// The files that are known to be on the disk, those that the list names and that before, and all that states were
    /// written to.
    synced: BTreeSet<BlockFile>,
    listed: BTreeSet<BlockFile>,
    listed_before: BTreeSet<BlockFile>,
    known: BTreeSet<BlockFile>,
    _lock: File,
}

impl ScratchFolder {
    /// Opens a folder, which is made if it is not there, and locks it.
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

    /// Reads how far the count of this plan is; `None` if it was not begun. Files that no list names are removed.
    pub(super) fn read(&mut self, plan: &BlockPlan) -> Result<Option<CountState>, ScratchTrouble> {
        self.expect_no(LAYERS)?;
        let files = self.files()?;
        let most = files.last().map_or(0, |file| file.0 + 1);
        self.numbers.0.fetch_max(most, Relaxed);
        self.known = files.iter().copied().collect();
        let (path, old) = (self.path.join(LIST), self.path.join(OLD_LIST));
        if !path.exists() && old.exists() {
            // The process was killed between two names.
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
        // Should it not be in order, there is nothing to go back to.
        if let Ok(Some(before)) = self.read_list(&old, plan) {
            self.listed_before = files_of(&before.runs);
        }
        self.known.extend(self.listed.union(&self.listed_before));
        self.tidy(&state.runs)?;
        self.expect_whole(&state)?;
        self.synced = self.listed.clone();
        Ok(state.is_begun().then_some(state))
    }

    /// Goes back to the list before, which is that of the folder from now on; `None` if there is none that is in order.
    pub(super) fn go_back(&mut self, plan: &BlockPlan) -> Result<Option<CountState>, String> {
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

    /// Reads a list; `None` if there is none.
    fn read_list(&self, path: &Path, plan: &BlockPlan) -> Result<Option<CountState>, ScratchTrouble> {
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(fault(path, "read", &error).into()),
        };
        let name = shown(path);
        let torn = ScratchTrouble::Torn;
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

    /// Sees whether all files of a list are there, as long as they have to be.
    fn expect_whole(&self, state: &CountState) -> Result<(), ScratchTrouble> {
        for run in &state.runs {
            let RunPlace::Filed { file, offset, bytes } = run.place else { continue };
            let path = file.path(&self.path);
            let torn = |message: String| Err(ScratchTrouble::Torn(message));
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

    /// Refuses a folder in which another count keeps a file of that name.
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

    /// Brings the folder up to date: from now on the count goes on from this state.
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

    /// Takes note of lists that were written.
    pub(super) fn adopt(&mut self, runs: &[StateRun]) {
        self.known.extend(files_of(runs));
    }

    /// Writes the lists that are held in memory into a file.
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

    /// Waits until the names in the folder are on the disk, where that can be.
    pub(super) fn sync(&self) -> io::Result<()> {
        #[cfg(unix)]
        File::open(&self.path)?.sync_all()?;
        Ok(())
    }

    /// Returns the files of blocks in the folder, in ascending order.
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

    /// Removes the files in which nothing is that is needed: neither now, nor to go on from the list or that before.
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

    /// Removes all that was made in the folder; what else is in it stays, and so does the folder.
    pub(super) fn clear(mut self) -> Result<(), String> {
        // Without its list nobody takes the rest for a count.
        for name in [LIST, NEXT_LIST, OLD_LIST, LAYERS, NEXT_LAYERS, OLD_LAYERS] {
            remove(&self.path.join(name))?;
        }
        self.listed.clear();
        self.listed_before.clear();
        self.tidy(&[])?;
        remove(&self.path.join(LOCK))
    }
}

/// Returns the files in which lists are.
fn files_of(runs: &[StateRun]) -> BTreeSet<BlockFile> {
    runs.iter().filter_map(|run| run.place.file()).collect()
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> Result<(), String> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(fault(path, "remove", &error)),
        _ => Ok(()),
    }
}

impl RunPlace {
    /// Returns the file in which it is.
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

/// Returns blocks as a list in memory.
pub(super) fn held(head: BlockHead, block: Vec<u8>) -> StateRun {
    StateRun { head, place: RunPlace::Held(Arc::new(block)) }
}
