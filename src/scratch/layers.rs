//! A resumable count by symmetry. The pending subproblems are saved to a folder from time to time.
//!
//! The file consists of a sealed line (`crates/farandole/src/shards/lines.rs`) and the blocks of
//! [`LayeredCount`], each preceded by its length. A new file is written under another name and
//! renamed once it is on disk. The previous file is kept and is read if the new one is corrupt.
//! Each file is about as large as the pending subproblems in memory.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dlx::count::{LayeredCount, LayersHead};
use dlx::parallel::Cores;
use dlx::{BigUint, Limits};
use indicatif::HumanCount;
use serde_json::{Map, Value, json};

use super::folder::{LAYERS, LIST, NEXT_LAYERS, OLD_LAYERS, ScratchFolder};
use super::runs::fault;
use super::work::ScratchFailure;
use crate::io::args::{RunArgs, thread_count};
use crate::io::bar::Bar;
use crate::io::names::shown;
use farandole::shards::lines;
use puzzle::Puzzle;

pub(super) const ENGINE: &str = "symmetry";
/// The kind of file, as stated in its first line.
const KIND: &str = "layers";
/// Amount of work between two checks whether to save the count (units of about a nanosecond).
const SLICE: u64 = 500_000_000;
/// The count is saved `KEEP_WITHIN` after the last save, or earlier after `KEEP_SHARE` times the
/// duration of that save.
const KEEP_SHARE: u32 = 20;
const KEEP_WITHIN: Duration = Duration::from_secs(120);
/// Largest size of a block (bytes).
const BLOCK_MAX: usize = 1 << 24;

/// Counts the covers of the puzzle, and saves the progress in the folder.
pub(super) fn count(
    puzzle: &dyn Puzzle,
    path: &Path,
    limits: &Limits,
    run: &RunArgs,
    bar: &Bar,
) -> Result<(BigUint, String, ScratchFolder), ScratchFailure> {
    let folder = ScratchFolder::open(path)?;
    folder.expect_no(LIST)?;
    let threads = thread_count(run.threads);
    let cores = Cores::new(if threads == 1 { 0 } else { threads });
    let _busy = cores.occupy();
    bar.tell("reading the puzzle");
    let made = LayeredCount::new(puzzle.problem(), puzzle.given(), &cores, limits)?;
    let Some(count) = made else {
        let message = "expected a puzzle in one piece, without colors and bounds, with items that are alike: no other \
                       can be counted by `--engine symmetry` in a folder";
        return Err(message.to_owned().into());
    };
    let mut count = KeptCount { count, folder, times: 0, seconds: 0.0 };
    count.read(run.output.quiet)?;
    let before = count.seconds;
    let begun = Instant::now();
    let (mut last, mut took) = (begun, Duration::ZERO);
    loop {
        let counted = count.count.go_on(limits, SLICE);
        count.seconds = before + begun.elapsed().as_secs_f64();
        match counted {
            Ok(Some(total)) => {
                let words = format!(
                    "symmetry in layers: {:.1} s, kept {} times, the last time in {:.1} s",
                    count.seconds,
                    count.times,
                    took.as_secs_f64()
                );
                return Ok((total, words, count.folder));
            }
            Ok(None) => {}
            Err(limit) => {
                count.keep()?;
                return Err(limit.into());
            }
        }
        if let Some((size, sizes, problems)) = count.count.progress() {
            let problems = HumanCount(problems as u64);
            bar.tell(&format!("size {size} of {sizes}, {problems} problems wait"));
        }
        if last.elapsed() >= KEEP_WITHIN.min(took * KEEP_SHARE) {
            let now = Instant::now();
            count.keep()?;
            (last, took) = (Instant::now(), now.elapsed());
        }
    }
}

struct KeptCount {
    count: LayeredCount,
    folder: ScratchFolder,
    times: u64,
    /// Total run time of this and earlier processes (s).
    seconds: f64,
}

impl KeptCount {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path.join(name)
    }

    /// Resumes the count in the folder, if the folder contains one.
    fn read(&mut self, is_quiet: bool) -> Result<(), String> {
        let (new, old) = (self.path(LAYERS), self.path(OLD_LAYERS));
        let read = self.read_file(&new);
        match read {
            Ok(()) => Ok(()),
            Err(LayersFault::None) if !old.exists() => Ok(()),
            Err(LayersFault::Other(message)) => Err(message),
            // Use the previous file. Either the process was killed between the two renames, or the
            // new file is corrupt.
            Err(LayersFault::None) => self.read_file(&old).map_err(LayersFault::words),
            Err(LayersFault::Torn(message)) => {
                self.read_file(&old).map_err(|_| message.clone())?;
                if !is_quiet {
                    say!("{message}; the count goes on from what was kept before");
                }
                fs::rename(&old, &new).map_err(|error| fault(&new, "write", &error))
            }
        }
    }

    fn read_file(&mut self, path: &Path) -> Result<(), LayersFault> {
        let name = shown(path);
        let torn = |message: String| LayersFault::Torn(format!("{name}: {message}"));
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(LayersFault::None),
            Err(error) => return Err(LayersFault::Other(fault(path, "read", &error))),
        };
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).map_err(|error| torn(error.to_string()))?;
        let text = line.strip_suffix(b"\n").ok_or_else(|| torn("expected a whole line".to_owned()))?;
        let object = lines::open(text).map_err(torn)?;
        let (head, seconds) = read_head(&object).map_err(torn)?;
        let mut left = head.blocks();
        let blocks = std::iter::from_fn(|| {
            left = left.checked_sub(1)?;
            Some(read_block(&mut reader).map_err(|error| format!("cannot read a block: {error}")))
        });
        let resumed = self.count.resume(&head, blocks);
        resumed.map_err(|message| match message.starts_with("expected a count of this puzzle") {
            true => LayersFault::Other(format!("{name}: {message}")),
            false => torn(message),
        })?;
        self.seconds = seconds;
        Ok(())
    }

    /// Saves the pending subproblems.
    fn keep(&mut self) -> Result<(), String> {
        let Some(head) = self.count.head() else { return Ok(()) };
        let (next, new, old) = (self.path(NEXT_LAYERS), self.path(LAYERS), self.path(OLD_LAYERS));
        let line = lines::seal(&json!({
            "farandole": KIND,
            "version": env!("CARGO_PKG_VERSION"),
            "digest": head.digest,
            "sizes": head.sizes,
            "count": head.covers.to_string(),
            "problems": head.problems,
            "seconds": self.seconds,
        }));
        let write = || -> io::Result<()> {
            let mut file = BufWriter::new(File::create(&next)?);
            file.write_all(line.as_bytes())?;
            let written = self.count.each_block(&mut |block| {
                let len = u32::try_from(block.len()).unwrap_or(u32::MAX).to_le_bytes();
                let written = file.write_all(&len).and_then(|()| file.write_all(block));
                written.map_err(|error| error.to_string())
            });
            written.map_err(io::Error::other)?;
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            match fs::rename(&new, &old) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            fs::rename(&next, &new)?;
            self.folder.sync()
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&next);
            fault(&next, "write", &error)
        })?;
        self.times += 1;
        Ok(())
    }
}

enum LayersFault {
    None,
    /// The file is corrupt.
    Torn(String),
    /// The file belongs to another count or cannot be read.
    Other(String),
}

impl LayersFault {
    fn words(self) -> String {
        match self {
            Self::None => "expected a file, found none".to_owned(),
            Self::Torn(message) | Self::Other(message) => message,
        }
    }
}

/// Parses the first line; returns the head and the run time so far (s).
fn read_head(object: &Map<String, Value>) -> Result<(LayersHead, f64), String> {
    if object.get("farandole").and_then(Value::as_str) != Some(KIND) {
        return Err(format!("expected the first line of a file of the kind `{KIND}`"));
    }
    let problems =
        object.get("problems").and_then(Value::as_u64).and_then(|number| number.try_into().ok());
    let head = LayersHead {
        digest: lines::text(object, "digest")?.to_owned(),
        sizes: lines::text(object, "sizes")?.to_owned(),
        covers: lines::text(object, "count")?.parse().map_err(|_| "expected a number in `count`")?,
        problems: problems.ok_or("expected the number `problems`")?,
    };
    Ok((head, lines::seconds(object)))
}

fn read_block(reader: &mut BufReader<File>) -> io::Result<Vec<u8>> {
    let mut len = [0; 4];
    reader.read_exact(&mut len)?;
    let len = u32::from_le_bytes(len) as usize;
    if len > BLOCK_MAX {
        return Err(io::Error::other(format!("expected at most {BLOCK_MAX} bytes, found {len}")));
    }
    let mut block = vec![0; len];
    reader.read_exact(&mut block)?;
    Ok(block)
}
