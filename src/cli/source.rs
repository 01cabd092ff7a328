//! From files, standard input and parameters to puzzles, one after the other.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dlx::{Limit, Limits};

use super::args::Input;
use super::argument;
use super::names::shown;
use super::{interrupt, memory};
use crate::grid::format::NineLine;
use crate::input::InputError;
use crate::puzzle::{self, Puzzle};
use crate::stream::{Hints, Stream};

/// Bytes read from a file at once.
const BUFFER_SIZE: usize = 1 << 17;

/// A puzzle with what is needed to speak of it.
pub(super) struct Job {
    /// Counts the puzzles of all inputs from 1, malformed ones included.
    pub(super) number: u64,
    /// The input in which it stands, or the parameter of which it was made.
    pub(super) path: Arc<str>,
    pub(super) kind: &'static str,
    /// Whether it stands in an input that could be opened, and whether each puzzle takes a line there.
    pub(super) is_record: bool,
    pub(super) is_line: bool,
    pub(super) puzzle: Result<Box<dyn Puzzle>, Fault>,
}

/// An input that could not be read, or a puzzle in it.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    path: Arc<str>,
    error: InputError,
}

impl Fault {
    /// Returns the limit that ended the reading, if nothing is wrong with the input.
    pub(super) fn limit(&self) -> Option<Limit> {
        self.error.limit
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, error } = self;
        let separator = if error.line == 0 { ": " } else { ":" };
        write!(f, "{path}{separator}{error}\n{}", error.excerpt())
    }
}

/// Iterates over the puzzles of all inputs.
pub(super) struct Puzzles {
    hints: Hints,
    names: std::vec::IntoIter<OsString>,
    open: Option<(Arc<str>, Stream)>,
    number: u64,
}

impl Puzzles {
    pub(super) fn new(input: &Input) -> Self {
        let mut names = input.files.clone();
        if names.is_empty() {
            names.push("-".into());
        }
        let hints = Hints {
            kind: input.puzzle.as_deref().and_then(puzzle::by_name),
            format: input.from.clone(),
            extension: String::new(),
            boxes: input.boxes,
            rules: input.rules.as_ref().map(|rules| rules.0.clone()),
            limits: memory::guard(
                Limits { cancel: Some(interrupt::watch()), ..Limits::default() },
                None,
            ),
            time: None,
        };
        Self { hints, names: names.into_iter(), open: None, number: 0 }
    }

    /// Lets the making of each puzzle be ended by `limits`, and after `time`.
    pub(super) fn within(mut self, limits: &Limits, time: Option<Duration>) -> Self {
        (self.hints.limits, self.hints.time) = (limits.clone(), time);
        self
    }

    /// Returns how many puzzles there were so far.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Returns the next puzzles of the input that is open as [`Stream::next_lines`] does.
    pub(super) fn next_lines(&mut self, range: RangeInclusive<usize>) -> Vec<NineLine> {
        let lines = self.open.as_mut().map(|(_, stream)| stream.next_lines(range)).unwrap_or_default();
        self.number += lines.len() as u64;
        lines
    }

    /// Makes the job of a puzzle that stands in no stream.
    fn lone(
        &mut self,
        path: Arc<str>,
        kind: &'static str,
        puzzle: Result<Box<dyn Puzzle>, Fault>,
    ) -> Job {
        self.number += 1;
        Job { number: self.number, path, kind, is_record: false, is_line: false, puzzle }
    }

    /// Returns the next puzzle of the open stream; closes it at its end.
    fn next_of_stream(&mut self) -> Option<Job> {
        let (path, stream) = self.open.as_mut()?;
        let Some(puzzle) = stream.next() else {
            self.open = None;
            return None;
        };
        self.number += 1;
        Some(Job {
            number: self.number,
            path: Arc::clone(path),
            kind: stream.kind(),
            is_record: true,
            is_line: stream.is_line(),
            puzzle: puzzle.map_err(|error| Fault { path: Arc::clone(path), error }),
        })
    }
}

impl Iterator for Puzzles {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        loop {
            if let Some(job) = self.next_of_stream() {
                return Some(job);
            }
            let name = self.names.next()?;
            // A name that is no file's may be a parameter.
            if name != "-"
                && !Path::new(&name).exists()
                && let Some(made) = self.hints.make(&name.to_string_lossy())
            {
                let kind = self.hints.kind.map_or("", |kind| kind.name);
                let path: Arc<str> = shown(&name).into();
                let made = made.map_err(|error| Fault { path: Arc::clone(&path), error });
                return Some(self.lone(path, kind, made));
            }
            let path: Arc<str> =
                if name == "-" { "standard input".into() } else { shown(&name).into() };
            let is_no_file = argument::is_no_file(Path::new(&name));
            let text = name.to_string_lossy();
            if is_no_file && let Some(stream) = argument::puzzle(&text, &self.hints) {
                self.open = Some(("argument".into(), stream));
                continue;
            }
            let next =
                self.names.as_slice().first().filter(|next| argument::is_no_file(Path::new(next)));
            let next = next.map(|next| next.to_string_lossy().into_owned());
            if is_no_file && let Some(hint) = argument::hint(&text, &self.hints, next.as_deref()) {
                // What stands behind the kind was to be its parameter.
                if next.is_some() {
                    self.names.next();
                }
                let error = InputError::whole(hint);
                return Some(self.lone(Arc::clone(&path), "", Err(Fault { path, error })));
            }
            match open(&name, &self.hints) {
                Ok(stream) => self.open = Some((path, stream)),
                Err(error) => {
                    return Some(self.lone(Arc::clone(&path), "", Err(Fault { path, error })));
                }
            }
        }
    }

    /// Tells without reading whether this is the end, if that can be told.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let open = self.open.as_ref().map_or((0, Some(0)), |(_, stream)| stream.size_hint());
        (open.0, open.1.filter(|_| self.names.len() == 0))
    }
}

/// Opens a file or standard input.
fn open(name: &OsStr, hints: &Hints) -> Result<Stream, InputError> {
    if name == "-" {
        return Stream::open(BufReader::with_capacity(BUFFER_SIZE, io::stdin()), hints);
    }
    let cannot_read = |error: io::Error| InputError::whole(format!("cannot read: {error}"));
    let file = File::open(name).map_err(cannot_read)?;
    if file.metadata().map_err(cannot_read)?.is_dir() {
        return Err(InputError::whole("expected a file, found a folder"));
    }
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    let extension = extension.unwrap_or_default().to_ascii_lowercase();
    Stream::open(BufReader::with_capacity(BUFFER_SIZE, file), &Hints { extension, ..hints.clone() })
}
