//! Lists of states, in block files or, if they are short, in memory.
//!
//! A list is a sequence of blocks in a file. Each block is verified when it is read. The combined
//! head of the blocks must equal the head of the list in the catalog.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use dlx::exchange::{BlockHead, BlockPlan, BlockRun, SentBlock};

use super::folder::{BlockFile, FileNumbers};

/// Size of the write buffer (bytes).
const WAITING_MAX: usize = 1 << 20;
/// If the lists of a step have at most this many bytes in total, they stay in memory until the next
/// save.
const HELD_MAX: usize = 1 << 15;

/// A list of states of one step and owner.
#[derive(Clone, Debug)]
pub(super) struct StateRun {
    pub(super) head: BlockHead,
    pub(super) place: RunPlace,
}

#[derive(Clone, Debug)]
pub(super) enum RunPlace {
    Held(Arc<Vec<u8>>),
    Filed { file: BlockFile, offset: u64, bytes: u64 },
}

impl StateRun {
    pub(super) fn bytes(&self) -> u64 {
        match &self.place {
            RunPlace::Held(blocks) => blocks.len() as u64,
            RunPlace::Filed { bytes, .. } => *bytes,
        }
    }
}

/// Reads lists of states, and remembers the position of the last block for error messages.
pub(super) struct RunReader<'f> {
    folder: &'f Path,
    /// The file and offset of the last block read.
    last: Rc<RefCell<String>>,
    torn: Rc<Cell<bool>>,
}

/// A callback that receives the number of states in each block read, and stops the reading by an
/// error.
pub(super) type BlockVisit<'s> = dyn Fn(u64) -> Result<(), String> + 's;

impl<'f> RunReader<'f> {
    pub(super) fn new(folder: &'f Path) -> Self {
        Self { folder, last: Rc::default(), torn: Rc::default() }
    }

    pub(super) fn is_torn(&self) -> bool {
        self.torn.get()
    }

    /// Prefixes a message about an invalid block with the position of the last block read.
    pub(super) fn place(&self, message: &str) -> String {
        let last = self.last.borrow();
        if last.is_empty() { message.to_owned() } else { format!("{last}: {message}") }
    }

    /// Returns an iterator over the blocks of a list. Each block is read from the file when it is
    /// needed.
    pub(super) fn blocks<'r>(
        &self,
        plan: &'r BlockPlan,
        run: &StateRun,
        seen: &'r BlockVisit<'r>,
    ) -> BlockRun<'r> {
        match &run.place {
            RunPlace::Held(blocks) => {
                let mut held = HeldRun { blocks: Arc::clone(blocks), place: 0 };
                Box::new(std::iter::from_fn(move || held.next(plan, seen)))
            }
            &RunPlace::Filed { file, offset, bytes } => {
                let mut filed = FiledRun {
                    path: file.path(self.folder),
                    name: file.shown(self.folder),
                    place: offset,
                    end: offset + bytes,
                    last: Rc::clone(&self.last),
                    torn: Rc::clone(&self.torn),
                    expected: run.head,
                    found: None,
                };
                Box::new(std::iter::from_fn(move || filed.next(plan, seen)))
            }
        }
    }
}

struct HeldRun {
    blocks: Arc<Vec<u8>>,
    place: usize,
}

impl HeldRun {
    fn next(
        &mut self,
        plan: &BlockPlan,
        seen: &BlockVisit<'_>,
    ) -> Option<Result<Cow<'static, [u8]>, String>> {
        let blocks = self.blocks.get(self.place..).filter(|blocks| !blocks.is_empty())?;
        let head = plan.head(blocks).map_err(|error| error.to_string());
        Some(head.and_then(|head| {
            seen(head.states)?;
            let len = head.block_bytes() as usize;
            self.place += len;
            Ok(Cow::Owned(blocks[..len].to_vec()))
        }))
    }
}

/// A list that is read from a file. The file is opened again for each block, because there may be
/// more lists than files that the process may open.
struct FiledRun {
    path: PathBuf,
    name: String,
    place: u64,
    end: u64,
    last: Rc<RefCell<String>>,
    torn: Rc<Cell<bool>>,
    /// The combined head of all blocks according to the catalog, and of the blocks read so far.
    expected: BlockHead,
    found: Option<BlockHead>,
}

impl FiledRun {
    fn next(
        &mut self,
        plan: &BlockPlan,
        seen: &BlockVisit<'_>,
    ) -> Option<Result<Cow<'static, [u8]>, String>> {
        if self.place == self.end {
            let (found, expected) = (self.found.take()?, self.expected);
            let is_whole = (found.states, found.fingerprint) == (expected.states, expected.fingerprint);
            return (!is_whole).then(|| {
                self.torn.set(true);
                Err(format!(
                    "{}: expected {} states with the fingerprint {:016x} up to byte {}, found {} with {:016x}: the file was \
                     changed",
                    self.name, expected.states, expected.fingerprint, self.end, found.states, found.fingerprint
                ))
            });
        }
        self.last.replace(format!("{}: at byte {}", self.name, self.place));
        let read = self.read(plan);
        self.torn.set(read.is_err());
        Some(read.and_then(|(head, block)| {
            seen(head.states)?;
            self.place += block.len() as u64;
            self.found = Some(self.found.map_or(head, |found| found.and(&head)));
            Ok(Cow::Owned(block))
        }))
    }

    fn read(&self, plan: &BlockPlan) -> Result<(BlockHead, Vec<u8>), String> {
        let at = |message: String| format!("{}: at byte {}: {message}", self.name, self.place);
        let torn = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                at("expected a whole block, found the end of the file".to_owned())
            }
            _ => at(format!("cannot read: {error}")),
        };
        let mut file = File::open(&self.path).map_err(torn)?;
        file.seek(SeekFrom::Start(self.place)).map_err(torn)?;
        let mut block = vec![0; BlockHead::BYTES];
        file.read_exact(&mut block).map_err(torn)?;
        let head = plan.head(&block).map_err(|error| at(error.to_string()))?;
        let left = self.end - self.place;
        if head.block_bytes() > left {
            let found = head.block_bytes();
            return Err(at(format!("expected a block of at most {left} bytes, found {found}")));
        }
        block.resize(head.block_bytes() as usize, 0);
        file.read_exact(&mut block[BlockHead::BYTES..]).map_err(torn)?;
        Ok((head, block))
    }
}

/// Describes an I/O error of the operation `verb` on a file.
pub(super) fn fault(path: &Path, verb: &str, error: &io::Error) -> String {
    let kept = if verb == "write" {
        "; what was done before is kept, and run the same command again to resume"
    } else {
        ""
    };
    format!("{}: cannot {verb}: {error}{kept}", crate::io::names::shown(path))
}

/// Writes lists of states into files, one file for each step.
pub(super) struct RunWriter<'f> {
    folder: &'f Path,
    numbers: &'f FileNumbers,
    steps: BTreeMap<u32, StepFile>,
    waiting: usize,
    current: Option<(u32, u32)>,
}

#[derive(Default)]
struct StepFile {
    file: Option<(BlockFile, File)>,
    /// The number of bytes in the file, and the buffered bytes.
    written: u64,
    waiting: Vec<u8>,
    /// The head, the offset and the length (bytes) of each list.
    runs: Vec<(BlockHead, u64, u64)>,
}

impl<'f> RunWriter<'f> {
    pub(super) fn new(folder: &'f Path, numbers: &'f FileNumbers) -> Self {
        Self { folder, numbers, steps: BTreeMap::new(), waiting: 0, current: None }
    }

    /// Appends a block to the last list, or begins a new list.
    pub(super) fn add(&mut self, sent: &SentBlock) -> Result<(), String> {
        let SentBlock { head, bytes, begins_list, .. } = sent;
        let step = self.steps.entry(head.step).or_default();
        let len = bytes.len() as u64;
        if *begins_list || self.current != Some((head.step, head.owner)) {
            let offset = step.written + step.waiting.len() as u64;
            step.runs.push((*head, offset, len));
            self.current = Some((head.step, head.owner));
        } else {
            let (all, _, bytes) = step.runs.last_mut().expect("it was begun");
            *all = all.and(head);
            *bytes += len;
        }
        step.waiting.extend_from_slice(bytes);
        self.waiting += bytes.len();
        if self.waiting > WAITING_MAX {
            for step in self.steps.values_mut() {
                step.write(self.folder, self.numbers)?;
            }
            self.waiting = 0;
        }
        Ok(())
    }

    /// Returns all lists. The lists of a step with few bytes are held in memory.
    pub(super) fn finish(mut self) -> Result<Vec<StateRun>, String> {
        let mut runs = Vec::new();
        for step in self.steps.values_mut() {
            if step.file.is_some() || step.waiting.len() > HELD_MAX {
                step.write(self.folder, self.numbers)?;
            }
            let blocks = std::mem::take(&mut step.waiting);
            for (head, offset, bytes) in std::mem::take(&mut step.runs) {
                let place = match &step.file {
                    Some((file, _)) => RunPlace::Filed { file: *file, offset, bytes },
                    None => {
                        let start = offset as usize;
                        RunPlace::Held(Arc::new(blocks[start..start + bytes as usize].to_vec()))
                    }
                };
                runs.push(StateRun { head, place });
            }
            // Keep the file when the writer is dropped.
            step.file = None;
        }
        Ok(runs)
    }
}

impl StepFile {
    fn write(&mut self, folder: &Path, numbers: &FileNumbers) -> Result<(), String> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let (name, file) = match &mut self.file {
            Some((name, file)) => (*name, file),
            none => {
                let name = numbers.new_file();
                let path = name.path(folder);
                let file = File::create_new(&path).map_err(|error| fault(&path, "write", &error))?;
                let (name, file) = none.insert((name, file));
                (*name, file)
            }
        };
        file.write_all(&self.waiting).map_err(|error| fault(&name.path(folder), "write", &error))?;
        self.written += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }
}

impl Drop for RunWriter<'_> {
    /// Removes the files of a writer that was not finished.
    fn drop(&mut self) {
        for (name, _) in self.steps.values().filter_map(|step| step.file.as_ref()) {
            let _ = std::fs::remove_file(name.path(self.folder));
        }
    }
}
