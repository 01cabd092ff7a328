//! Reads puzzles from files, standard input and parameters, in the order of the arguments.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dlx::Limits;
use serde_json::{Map, Value};

use crate::io::args::{InputArgs, PuzzleLimits};
use crate::io::argument;
use crate::io::exit::Exit;
use crate::io::live::{self, LiveInput, ReadingClock};
use crate::io::names::shown;
use crate::io::{host, interrupt, memory};
use farandole::stream::{Stream, StreamHints};
use grid::format::NineLine;
use puzzle::Puzzle;
use text::{InputError, TextLimit};

/// A puzzle with its number and origin, for output and messages.
pub(crate) struct NumberedPuzzle {
    /// The number of the puzzle among all puzzles of all inputs, from 1. Malformed puzzles are
    /// counted too.
    pub(crate) number: u64,
    pub(crate) origin: Origin,
    pub(crate) kind: &'static str,
    /// Whether the puzzle comes from a file or standard input, and whether each puzzle of that
    /// input takes one line.
    pub(crate) is_record: bool,
    pub(crate) is_line: bool,
    pub(crate) puzzle: Result<Box<dyn Puzzle>, ReadError>,
}

/// Where a puzzle comes from, such as `puzzles.txt:3`.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The name of the input, or the parameter that defines the puzzle.
    pub(crate) path: Arc<str>,
    /// The first line of the puzzle in its input, from 1, or `None` if the input holds only one
    /// puzzle.
    pub(crate) line: Option<usize>,
    is_parameter: bool,
}

impl Origin {
    pub(crate) fn whole(input: &str) -> Self {
        Self { path: input.into(), line: None, is_parameter: false }
    }

    pub(crate) fn parameter(parameter: &str) -> Self {
        Self { path: parameter.into(), line: None, is_parameter: true }
    }

    /// Returns the origin of a puzzle that begins `lines` lines after this one.
    pub(crate) fn behind(&self, lines: usize) -> Self {
        Self { line: self.line.map(|line| line + lines), ..self.clone() }
    }

    /// Returns the JSON key `file` (or `parameter`) with its value and a leading comma.
    pub(crate) fn file_key(&self) -> String {
        let key = if self.is_parameter { "parameter" } else { "file" };
        format!(",\"{key}\":{}", Value::from(&*self.path))
    }

    /// Returns the caption for a picture of the puzzle: `puzzles.txt:3`, or a kind with its
    /// parameter.
    pub(crate) fn caption(&self, kind: &str) -> String {
        if self.is_parameter {
            return format!("{kind} {self}");
        }
        // Omit the folder, because a long path would be wider than the picture.
        let place = self.to_string();
        place.rsplit(['/', std::path::MAIN_SEPARATOR]).next().unwrap_or(&place).to_owned()
    }

    /// Builds the JSON object of a puzzle: its number, its origin, and the keys of `rest`.
    pub(crate) fn object(&self, number: u64, rest: Value) -> Value {
        let mut object = Map::new();
        object.insert("puzzle".to_owned(), number.into());
        let key = if self.is_parameter { "parameter" } else { "file" };
        object.insert(key.to_owned(), self.path.as_ref().into());
        if let Some(line) = self.line {
            object.insert("line".to_owned(), line.into());
        }
        if let Value::Object(rest) = rest {
            object.extend(rest);
        }
        Value::Object(object)
    }

    /// Writes the first keys of the JSON object of a puzzle: its number and its origin.
    pub(crate) fn begin_object(&self, number: u64, out: &mut String) {
        push!(out, "{{\"puzzle\":{number}{}", self.file_key());
        if let Some(line) = self.line {
            push!(out, ",\"line\":{line}");
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct ReadError {
    path: Arc<str>,
    error: InputError,
}

impl ReadError {
    /// Returns whether the error lies at a position in the input.
    pub(crate) fn has_position(&self) -> bool {
        self.error.line > 0
    }

    /// Returns the limit that stopped the reading, or `None` if the input itself is malformed.
    pub(crate) fn limit(&self) -> Option<TextLimit> {
        self.error.limit
    }

    /// Returns the exit code of a command that has only this puzzle.
    pub(crate) fn exit(&self) -> Exit {
        match self.limit() {
            None => Exit::BadInput,
            Some(TextLimit::Interrupt) => Exit::Interrupted,
            Some(_) => Exit::Limited,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, error } = self;
        let separator = if error.line == 0 { ": " } else { ":" };
        write!(f, "{path}{separator}{error}\n{}", error.excerpt())
    }
}

pub(crate) struct Puzzles {
    hints: StreamHints,
    clock: ReadingClock,
    names: std::vec::IntoIter<OsString>,
    open: Option<Open>,
    number: u64,
    /// Whether to ask the user on the terminal to type the input, because no file is named.
    asks: bool,
    /// Whether the command uses the exact cover of each puzzle.
    needs_covers: bool,
    /// Whether to print the notes of each puzzle when it is read.
    has_notes: bool,
    notes: NoteList,
}

/// The notes on all inputs, printed at the end of each input or kept while a progress bar is shown.
#[derive(Clone, Default)]
pub(crate) struct NoteList {
    is_quiet: bool,
    /// The notes kept for later, or `None` if notes are printed at once.
    kept: Option<Arc<Mutex<Vec<String>>>>,
    count: usize,
}

const NOTES_MAX: usize = 50;

impl NoteList {
    /// Prints or keeps the notes of a stream.
    fn add(&mut self, Open { path, stream, .. }: &mut Open) {
        for note in stream.take_notes() {
            let separator = if note.line == 0 { ": " } else { ":" };
            self.add_text(|| format!("{path}{separator}{note}"));
        }
    }

    /// Prints or keeps a note.
    fn add_text(&mut self, text: impl FnOnce() -> String) {
        self.count += 1;
        let text = match self.count {
            _ if self.is_quiet => return,
            ..=NOTES_MAX => text(),
            _ if self.count == NOTES_MAX + 1 => "... and more notes on the input".to_owned(),
            _ => return,
        };
        match &self.kept {
            Some(kept) => kept.lock().map(|mut kept| kept.push(text)).unwrap_or_default(),
            None => say!("{text}"),
        }
    }

    pub(crate) fn print(&self) {
        let kept = self.kept.as_ref().and_then(|kept| kept.lock().ok());
        kept.iter().flat_map(|kept| kept.iter()).for_each(|text| say!("{text}"));
    }
}

struct Open {
    path: Arc<str>,
    stream: Stream,
    /// Whether the stream has yielded no puzzle so far.
    is_empty: bool,
}

impl Puzzles {
    /// Opens the inputs. The time limit holds for the reading of each puzzle. The memory limit
    /// replaces half of the free memory as the limit of all that the command allocates.
    pub(crate) fn new(input: &InputArgs, limits: PuzzleLimits) -> Self {
        let PuzzleLimits { time, memory } = limits;
        let mut names = input.files.clone();
        let asks = names.is_empty();
        if asks {
            names.push("-".into());
        }
        let hints = StreamHints {
            kind: input.puzzle.as_deref().and_then(farandole::kinds::by_name),
            format: input.from.clone(),
            extension: String::new(),
            boxes: input.boxes,
            rules: input.rules.as_ref().map(|rules| rules.0.clone()),
            limits: memory::guard(Limits::new().cancel(interrupt::watch()), memory),
            time,
        };
        let notes = NoteList::default();
        let (names, needs_covers, has_notes) = (names.into_iter(), false, true);
        let clock = ReadingClock::new(time);
        Self { hints, clock, names, open: None, number: 0, asks, needs_covers, has_notes, notes }
    }

    /// If `is_quiet`, suppresses notes and the request to type the input.
    pub(crate) fn quiet(mut self, is_quiet: bool) -> Self {
        self.asks &= !is_quiet;
        self.notes.is_quiet = is_quiet;
        self
    }

    /// Leaves the notes of each puzzle to the caller.
    pub(crate) fn without_puzzle_notes(mut self) -> Self {
        self.has_notes = false;
        self
    }

    /// Prints or keeps a note on a puzzle.
    pub(crate) fn add_note(&mut self, number: u64, note: &str) {
        if !self.notes.is_quiet {
            self.notes.add_text(|| format!("puzzle {number}: {note}"));
        }
    }

    /// Keeps notes on the inputs from now on, until [`NoteList::print`] prints them.
    pub(crate) fn keep_notes(&mut self) -> NoteList {
        self.notes.kept = Some(Arc::default());
        self.notes.clone()
    }

    /// Returns the origin of the first of the last `count` puzzles. Each of these puzzles took one
    /// line. Returns `None` if `count` is 0.
    pub(crate) fn origin_of(&self, count: usize) -> Option<Origin> {
        let open = self.open.as_ref().filter(|_| count > 0)?;
        let (path, line) = (Arc::clone(&open.path), open.stream.line());
        Some(Origin { path, line, is_parameter: false })
    }

    /// Returns whether the next puzzle, or the end, can be determined without waiting for input.
    pub(crate) fn is_ready(&mut self) -> bool {
        match &mut self.open {
            Some(open) if !open.stream.is_at_end() => open.stream.is_ready(),
            _ => self.names.as_slice().first().is_none_or(|name| !may_wait(name)),
        }
    }

    /// Returns the next puzzle. While this function waits for input, an interrupt ends the program
    /// at once, so the caller must have written all complete output.
    pub(crate) fn next_or_end(&mut self) -> Option<NumberedPuzzle> {
        if self.is_ready() { self.next() } else { interrupt::ending_on_interrupt(|| self.next()) }
    }

    /// If each puzzle takes one line, waits for input until [`Puzzles::is_ready`].
    pub(crate) fn wait(&mut self) {
        if let Some(open) = &mut self.open {
            self.clock.reset();
            open.stream.wait();
        }
    }

    /// Also builds the exact cover of each puzzle, so that building is limited as reading is.
    pub(crate) fn with_covers(mut self) -> Self {
        self.needs_covers = true;
        self
    }

    /// Builds the exact cover of a puzzle if the command needs it.
    fn built(&self, mut job: NumberedPuzzle) -> NumberedPuzzle {
        if self.needs_covers
            && let Ok(puzzle) = &job.puzzle
            && let Err(limit) = puzzle.build_problem(&self.hints.limits_from_now())
        {
            let limit = puzzle::text_limit(limit);
            let error = InputError::limited(limit, "while the clues were compiled");
            job.puzzle = Err(ReadError { path: Arc::clone(&job.origin.path), error });
        }
        job
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Returns the next lines of the open input, as [`Stream::next_lines`] does.
    pub(crate) fn next_lines(&mut self, range: RangeInclusive<usize>) -> Vec<NineLine> {
        let Some(open) = &mut self.open else { return Vec::new() };
        let lines = open.stream.next_lines(range);
        open.is_empty &= lines.is_empty();
        self.number += lines.len() as u64;
        lines
    }

    /// Builds the job of a puzzle that comes from a parameter and not from a stream.
    fn lone(
        &mut self,
        path: Arc<str>,
        kind: &'static str,
        puzzle: Result<Box<dyn Puzzle>, ReadError>,
    ) -> NumberedPuzzle {
        self.number += 1;
        let origin = Origin { path, line: None, is_parameter: false };
        NumberedPuzzle { number: self.number, origin, kind, is_record: false, is_line: false, puzzle }
    }

    /// Returns the next puzzle of the open stream. Closes the stream at its end.
    fn next_of_stream(&mut self) -> Option<NumberedPuzzle> {
        let Open { path, stream, is_empty } = self.open.as_mut()?;
        self.clock.reset();
        let Some(puzzle) = stream.next() else {
            let mut open = self.open.take()?;
            self.notes.add(&mut open);
            let Open { path, stream, is_empty } = open;
            let error = is_empty.then(|| InputError::whole(nothing_in(stream.line_count())))?;
            return Some(self.lone(Arc::clone(&path), stream.kind(), Err(ReadError { path, error })));
        };
        *is_empty = false;
        self.number += 1;
        Some(NumberedPuzzle {
            number: self.number,
            origin: Origin { path: Arc::clone(path), line: stream.line(), is_parameter: false },
            kind: stream.kind(),
            is_record: true,
            is_line: stream.is_line(),
            puzzle: puzzle.map_err(|error| ReadError { path: Arc::clone(path), error }),
        })
    }
}

impl Drop for Puzzles {
    fn drop(&mut self) {
        if let Some(open) = &mut self.open {
            self.notes.add(open);
        }
    }
}

impl Iterator for Puzzles {
    type Item = NumberedPuzzle;

    fn next(&mut self) -> Option<NumberedPuzzle> {
        let job = self.read()?;
        let job = self.built(job);
        if self.has_notes
            && let Some(note) = job.puzzle.as_ref().ok().and_then(|puzzle| puzzle.note())
        {
            self.add_note(job.number, note);
        }
        Some(job)
    }
}

impl Puzzles {
    fn read(&mut self) -> Option<NumberedPuzzle> {
        let only = host::only();
        loop {
            if let Some(job) = self.next_of_stream() {
                match only {
                    Some(only) if job.number < only => continue,
                    Some(only) if job.number > only => return None,
                    _ => return Some(job),
                }
            }
            let name = self.names.next()?;
            // The memory of the previous input has been freed.
            memory::recover();
            // A name that does not exist as a file may be a parameter.
            if name != "-"
                && !host::is_file(Path::new(&name))
                && !argument::is_text(&name.to_string_lossy())
                && let Some(made) = self.hints.make(&name.to_string_lossy())
            {
                let kind = self.hints.kind.map_or("", |kind| kind.name);
                let path: Arc<str> = shown(&name).into();
                let made = made.map_err(|error| ReadError { path: Arc::clone(&path), error });
                let mut job = self.lone(path, kind, made);
                job.origin.is_parameter = true;
                return Some(job);
            }
            let path: Arc<str> =
                if name == "-" { "standard input".into() } else { shown(&name).into() };
            let is_no_file = argument::is_no_file(Path::new(&name));
            let text = name.to_string_lossy();
            if is_no_file && let Some(stream) = argument::puzzle(&text, &self.hints) {
                let path: Arc<str> = "argument".into();
                match stream {
                    Ok(stream) => self.open = Some(Open { path, stream, is_empty: true }),
                    Err(error) => {
                        return Some(self.lone(Arc::clone(&path), "", Err(ReadError { path, error })));
                    }
                }
                continue;
            }
            let next =
                self.names.as_slice().first().filter(|next| argument::is_no_file(Path::new(next)));
            let next = next.map(|next| next.to_string_lossy().into_owned());
            if is_no_file && let Some(hint) = argument::hint(&text, &self.hints, next.as_deref()) {
                // Skip the argument after the kind, because the user meant it as a parameter.
                if next.is_some() {
                    self.names.next();
                }
                let error = InputError::whole(hint);
                return Some(self.lone(Arc::clone(&path), "", Err(ReadError { path, error })));
            }
            if std::mem::take(&mut self.asks) && !host::is_present() && io::stdin().is_terminal() {
                say!("type or paste puzzles, then Ctrl-D on a line of its own");
            }
            self.clock.reset();
            match open(&name, &self.hints, &self.clock) {
                Ok(stream) => self.open = Some(Open { path, stream, is_empty: true }),
                Err(error) => {
                    return Some(self.lone(Arc::clone(&path), "", Err(ReadError { path, error })));
                }
            }
        }
    }
}

/// Returns the error message for a text that contains no puzzle.
fn nothing_in(line_count: usize) -> String {
    match line_count {
        0 => "expected a puzzle, found nothing".to_owned(),
        1 => "expected a puzzle, found none in 1 line".to_owned(),
        _ => format!("expected a puzzle, found none in {line_count} lines"),
    }
}

fn open(name: &OsStr, hints: &StreamHints, clock: &ReadingClock) -> Result<Stream, InputError> {
    let cannot_read = |error: io::Error| InputError::whole(format!("cannot read: {error}"));
    if name == "-" {
        if let Some(text) = host::take_input() {
            return Stream::open(io::Cursor::new(text), hints);
        }
        let input = LiveInput::new(live::stdin().map_err(cannot_read)?, clock);
        return Stream::live(input, Box::new(|| has_more(&io::stdin())), hints);
    }
    if host::is_present() && argument::is_no_file(Path::new(name)) {
        return Err(cannot_read(io::ErrorKind::NotFound.into()));
    }
    let file = File::open(name).map_err(cannot_read)?;
    let kind = file.metadata().map_err(cannot_read)?.file_type();
    if kind.is_dir() {
        return Err(InputError::whole("expected a file, found a folder"));
    }
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    let extension = extension.unwrap_or_default().to_ascii_lowercase();
    let hints = StreamHints { extension, ..hints.clone() };
    if kind.is_file() {
        return Stream::open(file, &hints);
    }
    let same = file.try_clone().map_err(cannot_read)?;
    Stream::live(LiveInput::new(file, clock), Box::new(move || has_more(&same)), &hints)
}

/// Returns whether the first read of an input may block.
fn may_wait(name: &OsStr) -> bool {
    !host::is_present()
        && (name == "-" || std::fs::metadata(name).is_ok_and(|data| !data.is_file() && !data.is_dir()))
}

/// Returns whether a read from `input` would certainly return at once.
fn has_more(input: &impl live::PollSource) -> bool {
    live::is_readable(input, Duration::ZERO) == Some(true)
}
