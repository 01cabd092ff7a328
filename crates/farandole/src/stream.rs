//! Reads the puzzles of a text one after the other.
//!
//! The module `recognize` determines their kind and format. A line such as `# boxes: 3x2` or
//! `# rules: diagonals` applies to all later grids, until a later head has such a line. Within one
//! head, several lines of rules add up. An invalid line invalidates all grids that it applies to.
//! For a kind with one puzzle per text, a line `# puzzle: NAME` after a statement or a puzzle
//! starts another puzzle.
//!
//! If the format is guessed and most of the first grids are invalid in it, one error refuses the
//! whole text. The same happens if the only evidence are lines that are too short.

mod recognize;

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use dlx::Limits;

use self::recognize::{Recognized, is_certain, recognize};
use crate::html::{self, HtmlTables};
use crate::kinds::{self, read_text};
use crate::results::{self, Results};
use grid::format::{self, NineLine, Reader};
use grid::{Format, Grid, Rule, Setting};
use puzzle::{Divider, Kind, Made, Puzzle, PuzzleSource, TextSource, Translator};
use text::decode;
use text::{
    InputError, InputNote, InputNotes, IsReady, Line, Lines, WORD_LIMIT, directive, is_cut, remark,
    whole_lines,
};
use variant::head::{self, HeadLine, Stated};

/// Maximum size of a grid of several lines in nearly all texts (bytes).
const GRID_SIZE: usize = 1 << 14;

/// Information about a text that is known in advance.
#[derive(Clone, Debug, Default)]
pub struct StreamHints {
    /// Kind of the puzzles.
    pub kind: Option<&'static Kind>,
    /// Name of the format of grids or covers. If the format is given, a puzzle can be read as soon
    /// as its own text is available.
    pub format: Option<String>,
    /// The file name extension, without the dot, in lowercase.
    pub extension: String,
    /// Width and height of the boxes of grids.
    pub boxes: Option<(usize, usize)>,
    /// The extra rules of grids.
    pub rules: Option<Vec<Rule>>,
    /// Limits for building a puzzle. The deadline is [`StreamHints::time`] after the start of
    /// building.
    pub limits: Limits,
    /// Time limit for building a puzzle.
    pub time: Option<Duration>,
}

/// The puzzles of one text. Grids are read one at a time. For other kinds a text is one puzzle, or
/// has several puzzles, each after a line that names the kind.
///
/// ```
/// use farandole::stream::{StreamHints, Stream};
///
/// let text = "12..\n....\n....\n..21\n\n....\n.x..\n....\n....\n";
/// let mut stream = Stream::open(text.as_bytes(), &StreamHints::default())?;
/// assert_eq!(stream.kind(), "sudoku");
/// assert!(stream.next().is_some_and(|puzzle| puzzle.is_ok()));
/// assert_eq!(stream.next().expect("a second grid").err().map(|error| error.line), Some(7));
/// assert!(stream.next().is_none());
/// # Ok::<(), text::InputError>(())
/// ```
pub struct Stream {
    kind: &'static Kind,
    content: Content,
    /// Notes on the whole text, and on parts of `content` that were already dropped.
    notes: InputNotes,
}

enum Content {
    Grids(Box<Grids>),
    One(Option<Box<dyn Puzzle>>),
    Parts(Box<TextParts>),
}

/// A text with several puzzles, where each is after a line that names the kind.
struct TextParts {
    kind: &'static Kind,
    source: TextSource,
    hints: StreamHints,
    left: VecDeque<TextPart>,
    /// Number of the first line of the last puzzle, from 1.
    begin: usize,
}

/// The text of a puzzle that is not read yet.
struct TextPart {
    before: usize,
    /// Line of `text` where the puzzle begins, from 0.
    line: usize,
    text: Arc<str>,
    /// Index of the puzzle within `text`, from 0; `None` if `text` is one puzzle.
    index: Option<usize>,
}

impl TextPart {
    /// Returns a part for each puzzle of `text`, which may hold several.
    fn all(before: usize, text: String, source: &TextSource) -> impl Iterator<Item = Self> + use<> {
        let lines = source.several.map_or(Vec::new(), |several| (several.lines)(&text));
        let places = match lines.len() {
            0 => vec![(0, None)],
            _ => lines.into_iter().enumerate().map(|(index, line)| (line, Some(index))).collect(),
        };
        let text: Arc<str> = text.into();
        places.into_iter().map(move |(line, index)| Self { before, line, text: text.clone(), index })
    }
}

impl TextParts {
    fn next(&mut self) -> Option<Made> {
        let TextPart { before, line, text, index } = self.left.pop_front()?;
        self.begin = before + line + 1;
        let several = self.source.several.zip(index);
        let read = match directive(&text, "puzzle").filter(|name| *name != self.kind.name) {
            // Drop the rest of the text, which is probably of this other kind as well.
            Some(name) => {
                self.left.clear();
                let line = text.lines().next().unwrap_or_default();
                let message = format!("expected {} as before, found `{name}`", self.kind.name);
                let start = line.find(name).unwrap_or_default();
                Err(InputError::at(1, line, start, message))
            }
            None => {
                let limits = self.hints.limits_from_now();
                match several {
                    Some((several, index)) => (several.read)(&text, index, &limits),
                    None => read_text(self.kind, &self.source, &text, &limits),
                }
            }
        };
        Some(read.map_err(|mut error| {
            error.line += if error.line > 0 { before } else { 0 };
            error
        }))
    }
}

/// Divides a text before each line `# puzzle: NAME` that comes after a statement or a puzzle, and
/// at lines chosen by `divider`. Returns the parts, each with the number of lines before it.
fn parts_of(text: String, divider: fn() -> Divider) -> VecDeque<(usize, String)> {
    let is_name = |line: &str| {
        let key = || remark(line).map(|(key, _)| key);
        line.starts_with('#') && key().is_some_and(|key| key.eq_ignore_ascii_case("puzzle"))
    };
    let (mut parts, mut begins) = (VecDeque::new(), vec![(0, 0)]);
    let (mut at, mut has_some) = (0, false);
    let mut begins_at = divider();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let text = line.trim_start_matches('\u{feff}').trim();
        if !is_name(line) {
            let is_comment = text.starts_with('#') && HeadLine::of(text) == HeadLine::Comment;
            has_some |= !text.is_empty() && !is_comment;
            if begins_at(line) {
                begins.push((number, at));
            }
        } else if std::mem::take(&mut has_some) {
            begins_at = divider();
            begins.push((number, at));
        }
        at += line.len();
    }
    if begins.len() == 1 {
        return VecDeque::from([(0, text)]);
    }
    let ends = begins.iter().skip(1).map(|&(_, at)| at).chain([text.len()]);
    for (&(number, start), end) in begins.iter().zip(ends) {
        parts.push_back((number, text[start..end].to_owned()));
    }
    parts
}

struct Grids {
    lines: Lines,
    format: &'static Format,
    reader: Reader,
    setting: Setting,
    /// Hints given in advance, which take precedence over statements in comments.
    hints: StreamHints,
    translator: Translator,
    /// Number of the first line of the last grid.
    begin: usize,
    /// Errors in heads that apply to the next grid.
    faults: Vec<HeadFault>,
    /// The last statement in the head of the next grid.
    last: Option<Line>,
    /// Title and author of the next grid.
    title: [String; 2],
    has_read: bool,
}

impl HeadFault {
    /// Keys of statements that apply to all later grids, until the next statement with the same
    /// key.
    const LASTING: [&str; 9] =
        ["puzzle", "boxes", "rules", "regions", "digits", "order", "rows", "columns", "houses"];

    fn new(key: Option<&str>, error: InputError) -> Self {
        let is_rule = key.is_some_and(|key| Rule::ALL.iter().any(|rule| rule.name() == key));
        let key = if is_rule { "rules" } else { key.unwrap_or_default() };
        Self { key: key.to_owned(), error, lasts: Self::LASTING.contains(&key), is_told: false }
    }
}

struct HeadFault {
    /// Key of the statement; the next valid statement with the same key removes the error.
    key: String,
    error: InputError,
    lasts: bool,
    is_told: bool,
}

/// Maximum number of lines after a grid that are searched for misplaced statements; heads are
/// shorter.
const BELOW_MAX: usize = 64;

impl StreamHints {
    /// Builds the puzzle of a parameter alone, such as `queens 8`. Returns `None` if the kind is
    /// unknown or has no parameter.
    ///
    /// ```
    /// use farandole::{kinds, stream::StreamHints};
    ///
    /// let hints = StreamHints { kind: kinds::by_name("queens"), ..StreamHints::default() };
    /// let puzzle = hints.make("8").expect("queens have a parameter")?;
    /// assert_eq!(dlx::count(puzzle.problem()), 92u32.into());
    /// # Ok::<(), text::InputError>(())
    /// ```
    ///
    /// # Errors
    /// The expected form of the parameter, or the hints that do not fit the kind.
    #[must_use]
    pub fn make(&self, parameter: &str) -> Option<Made> {
        let kind = self.kind?;
        let make = kind.parameter?.make;
        Some(match self.check_grid_hints(kind) {
            Ok(()) => make(parameter, &mut self.setting(false), &self.limits_from_now()),
            Err(message) => Err(message.into()),
        })
    }

    /// Returns the limits for building a puzzle; its time begins now.
    #[must_use]
    pub fn limits_from_now(&self) -> Limits {
        let limits = self.limits.clone();
        self.time.map_or(limits.clone(), |time| limits.within(time))
    }

    /// Refuses hints about grids that puzzles of the kind do not have.
    fn check_grid_hints(&self, kind: &Kind) -> Result<(), String> {
        match kind.source {
            PuzzleSource::Text(_) if self.boxes.is_some() || self.rules.is_some() => {
                Err(format!("boxes and rules are for grids, found the kind {}", kind.name))
            }
            PuzzleSource::Grids { is_latin: true, .. } if self.boxes.is_some() => {
                Err("boxes are for Sudoku, found the kind latin".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn setting(&self, is_latin: bool) -> Setting {
        Setting::new(is_latin, self.boxes, self.rules.clone().unwrap_or_default())
    }
}

/// Maximum number of grids that are read to check a guessed format.
const GRIDS_TRIED: usize = 32;

/// Minimum order of a grid in one line for the line to be evidence of a grid.
const EVIDENT_ORDER: usize = 4;

impl Grids {
    /// Skips blank lines and comments, and takes the settings of the next grid from the comments.
    ///
    /// # Errors
    /// If the input cannot be read. An error in a line of the head is kept for the grids that
    /// the line applies.
    fn read_head(&mut self, kind: &Kind) -> Result<(), InputError> {
        let Self { lines, setting, hints, faults, last, title, .. } = self;
        let (mut stated, mut others, mut passed) = (Stated::default(), Vec::new(), Vec::new());
        *last = None;
        lines.skip(|comment| {
            match HeadLine::of(&comment.text) {
                HeadLine::Comment => {
                    for (place, name) in ["title", "author"].iter().enumerate() {
                        let value =
                            remark(&comment.text).filter(|(key, _)| key.eq_ignore_ascii_case(name));
                        value.inspect(|(_, value)| title[place] = (*value).to_owned());
                    }
                }
                HeadLine::Statement { key, value } => {
                    passed.extend(is_overridden(&key, value, hints).then(|| comment.clone()));
                    match apply_statement(comment, &key, value, kind, hints, setting, &mut stated) {
                        Ok(()) => {
                            faults.retain(|fault| fault.key != key);
                            *last = Some(comment.clone());
                        }
                        Err(error) => others.push(HeadFault::new(Some(&key), error)),
                    }
                }
                HeadLine::Unknown { start, message, nearest } => {
                    others.push(HeadFault::new(nearest, comment.error(start, message)));
                }
            }
            Ok(())
        })?;
        lines.take_fault();
        for line in &passed {
            let text = line.text.trim();
            lines.notes.add("not used, since an option says it: a line of the head", line, 0, text);
        }
        faults.append(&mut others);
        Ok(())
    }

    fn next(&mut self, kind: &Kind) -> Option<Made> {
        if let Err(error) = self.read_head(kind) {
            return Some(Err(error));
        }
        self.begin = self.lines.next_number();
        let grid = (self.reader)(&mut self.lines, &mut self.setting).transpose();
        let passed = self.lines.take_fault();
        let Some(grid) = grid else {
            let untold = self.faults.drain(..).find(|fault| !fault.is_told).map(|fault| fault.error);
            let no_grid =
                |line: Line| line.error(0, "expected a grid below the head, found the end of the text");
            let last = self.last.take().filter(|line| self.begin > line.number && self.has_read);
            return untold.or_else(|| last.map(no_grid)).map(Err);
        };
        self.has_read = true;
        let error = self.faults.first().map(|fault| fault.error.clone());
        self.faults.retain(|fault| fault.lasts);
        self.faults.iter_mut().for_each(|fault| fault.is_told = true);
        let error = error.or(passed).or_else(|| self.fault_below());
        Some(match error {
            Some(error) => Err(error),
            None => grid.and_then(|grid| {
                if self.setting.is_latin && grid.shape().regions().next().is_some() {
                    let message = format!(
                        "expected no regions in a {} square, found a grid with regions",
                        kind.name
                    );
                    return Err(InputError::at(self.begin, "", 0, message));
                }
                let [title, author] = std::mem::take(&mut self.title);
                let fill = self.translator.puzzle(grid);
                let is_titled = !title.is_empty() || !author.is_empty();
                let fill = if is_titled { fill.titled(&title, &author) } else { fill };
                Ok(Box::new(fill) as Box<dyn Puzzle>)
            }),
        })
    }

    /// Reads the comments after the last grid and returns an error in them. Waits for input only if
    /// a statement follows the grid, because it may be in the head of another grid.
    fn fault_below(&mut self) -> Option<InputError> {
        let Self { lines, format, .. } = self;
        let is_comment = |line: &&Line| line.text.trim_start().starts_with('#');
        let fault = |lines: &[Line]| lines.iter().filter(is_comment).find_map(head::misplaced);
        let is_known = if format.is_line { lines.is_ready() } else { lines.has_bytes(GRID_SIZE) };
        if !is_known && fault(&lines.arrived()).is_none() || !lines.is_at_comment() {
            return None;
        }
        let fault = fault(&lines.last_comments(BELOW_MAX)?)?;
        lines.rest().ok()?;
        Some(fault)
    }

    /// Reads the first grids of a sample of the text to check the guessed kind and format. Returns
    /// a note if the guess is doubtful. The end of the sample may be cut.
    ///
    /// # Errors
    /// The first error, if most of these grids are invalid.
    fn check_guess(
        mut self,
        kind: &Kind,
        is_kind_known: bool,
        is_cut: bool,
    ) -> Result<Option<InputNote>, InputError> {
        let mut doubt = None;
        let (mut count, mut faults, mut small_count, mut first) = (0, 0, 0, None);
        while count < GRIDS_TRIED && self.read_head(kind).is_ok() {
            let begin = self.lines.next_number();
            self.faults.clear();
            match (self.reader)(&mut self.lines, &mut self.setting) {
                Ok(None) => break,
                Ok(Some(grid)) => {
                    let order = grid.shape().order();
                    let is_line = self.format.name == format::DEFAULT.name;
                    if count == 0 && !is_kind_known && is_doubtful(&grid) {
                        let name = kind.name;
                        let what =
                            format!("taken for a {name} of order {order}; --puzzle names another kind");
                        doubt = Some(InputNote {
                            what: what.into(),
                            line: begin,
                            column: 1,
                            ..InputNote::default()
                        });
                    }
                    if is_line && order < EVIDENT_ORDER && !is_kind_known {
                        let cells = order * order;
                        let message = format!(
                            "expected a puzzle, found {cells} cells, too few to tell what they are \
                             (`--puzzle sudoku` or `latin` makes a grid of order {order} of them)"
                        );
                        small_count += 1;
                        first.get_or_insert(InputError::at(self.lines.number(), "", 0, message));
                    }
                }
                Err(error) => {
                    faults += 1;
                    first.get_or_insert(error);
                }
            }
            count += 1;
        }
        let name = self.format.name;
        match first {
            Some(error) if small_count > 0 && small_count + faults == count => Err(error),
            Some(mut error) if 2 * faults > count && count > 2 + usize::from(is_cut) => {
                error.message += &format!(
                    " ({faults} of the first {count} grids are not in order in the format {name}, \
                     which comes \
                     nearest; --from names another)"
                );
                Err(error)
            }
            _ => Ok(doubt),
        }
    }
}

/// Returns whether a grid of unspecified kind may not be a Sudoku. A grid is doubtful if its order
/// is not 9 and it breaks the rules or has blanks (zeros) exactly on the diagonal, as a table of
/// distances does.
fn is_doubtful(grid: &Grid) -> bool {
    let order = grid.shape().order();
    let blanks = (0..grid.shape().cell_count()).filter(|&cell| grid.is_blank(cell));
    order != 9 && (grid.clash().is_some() || blanks.eq((0..order).map(|row| row * (order + 1))))
}

impl Stream {
    /// Recognizes the text and prepares to read it. If the text is one puzzle, reads it at once.
    ///
    /// # Errors
    /// If the input cannot be read, no kind or format recognizes it, or the hints are inconsistent;
    /// or if the text is one puzzle and this puzzle is invalid.
    pub fn open(input: impl Read + Send + 'static, hints: &StreamHints) -> Result<Self, InputError> {
        Self::of_input(decoded(input)?, Lines::new, hints)
    }

    /// Does the same as [`Stream::open`] for an input that may grow, such as a pipe or a terminal.
    /// `is_ready` returns whether more input is available. If each grid is one line, the first line
    /// is enough to recognize the format.
    ///
    /// # Errors
    /// As [`Stream::open`].
    pub fn live(
        input: impl Read + Send + 'static,
        is_ready: IsReady,
        hints: &StreamHints,
    ) -> Result<Self, InputError> {
        Self::of_input(decoded(input)?, |input| Lines::live(input, is_ready), hints)
    }

    fn of_input(
        mut input: Box<dyn BufRead + Send>,
        lines: impl FnOnce(Box<dyn Read + Send>) -> Lines,
        hints: &StreamHints,
    ) -> Result<Self, InputError> {
        let is_over = Arc::new(AtomicBool::new(false));
        let head = input.fill_buf().unwrap_or_default();
        let (is_results, is_html) = (results::recognizes(head), html::recognizes(head));
        let watched = Watched { input, limits: hints.limits.clone(), is_over: Arc::clone(&is_over) };
        let input: Box<dyn Read + Send> = match (is_results, is_html) {
            (true, _) => Box::new(Results::new(BufReader::new(watched))),
            (_, true) => Box::new(HtmlTables::new(watched)),
            _ => Box::new(watched),
        };
        let stream = Self::of_lines(lines(input), hints);
        is_over.store(true, Relaxed);
        stream
    }

    fn of_lines(mut lines: Lines, hints: &StreamHints) -> Result<Self, InputError> {
        lines.limit_sample(hints.limits.memory.unwrap_or(usize::MAX));
        let sample = lines.sample(|head| hints.format.is_some() || is_certain(head));
        if lines.has_long_word() {
            let message = format!("expected a word of at most {WORD_LIMIT} bytes, found a longer one");
            return Err(InputError::at(1, "", 0, message));
        }
        let sample = lines.unwrap_paste(sample.map_err(|error| InputError::of_io(&error))?);
        let mut notes = InputNotes::default();
        let (kind, content) = match recognize(&sample, hints)? {
            Recognized::Grids { kind, format, is_latin, is_kind_known } => {
                hints.check_grid_hints(kind).map_err(InputError::whole)?;
                lines.judged_by(head::stray);
                let setting = hints.setting(is_latin);
                if !format.has_long_lines {
                    lines.limit_lines(format::LINE_LIMIT);
                }
                let grids = |lines| Grids {
                    lines,
                    format,
                    reader: (format.reader)(),
                    setting: setting.clone(),
                    hints: hints.clone(),
                    translator: Translator::default(),
                    begin: 0,
                    faults: Vec::new(),
                    last: None,
                    title: Default::default(),
                    has_read: false,
                };
                if hints.format.is_none() {
                    let text = Lines::of_text(whole_lines(&sample));
                    let guess = grids(text).check_guess(kind, is_kind_known, is_cut(&sample))?;
                    notes.append(guess);
                }
                (kind, Content::Grids(Box::new(grids(lines))))
            }
            Recognized::Text(kind, source) => {
                hints.check_grid_hints(kind).map_err(InputError::whole)?;
                drop(sample);
                let text = lines.rest()?;
                notes.append(lines.notes.take());
                let hints = hints.clone();
                let texts = match source.divider {
                    Some(divider) => parts_of(text, divider),
                    None => [(0, text)].into(),
                };
                let parts = texts.into_iter();
                let left = parts.flat_map(|(before, text)| TextPart::all(before, text, &source));
                let left: VecDeque<TextPart> = left.collect();
                let is_one = left.len() == 1;
                let mut parts = TextParts { kind, source, hints, left, begin: 1 };
                let content = match is_one {
                    true => Content::One(parts.next().transpose()?),
                    false => Content::Parts(Box::new(parts)),
                };
                (kind, content)
            }
            Recognized::Cover(kind, read) => {
                drop(sample);
                let text = lines.rest()?;
                notes.append(lines.notes.take());
                let puzzle = kinds::read_cover(read, &text, &hints.limits_from_now())?;
                (kind, Content::One(Some(puzzle)))
            }
        };
        Ok(Self { kind, content, notes })
    }

    /// Reads the first puzzle of a text; `None` if there is none.
    ///
    /// ```
    /// use farandole::stream::{Stream, StreamHints};
    ///
    /// let first = |text: &str| Stream::first(text, &StreamHints::default());
    /// let puzzle = first("12..\n....\n....\n..21\n")?.expect("there is one");
    /// assert_eq!(puzzle.given().len(), 4);
    /// assert!(first("# boxes: 7x\n1...\n").is_err());
    /// # Ok::<(), text::InputError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Stream::open`], and errors in the puzzle.
    pub fn first(
        text: impl Into<String>,
        hints: &StreamHints,
    ) -> Result<Option<Box<dyn Puzzle>>, InputError> {
        let text = io::Cursor::new(text.into().into_bytes());
        Self::open(text, hints)?.next().transpose()
    }

    /// Returns whether the next puzzle may take long to read. Grids are read soon.
    #[must_use]
    pub fn may_take_long(&self) -> bool {
        matches!(self.content, Content::Parts(_))
    }

    /// Replaces the limits for building the puzzles that are not read yet.
    pub fn set_limits(&mut self, limits: Limits) {
        match &mut self.content {
            Content::Grids(grids) => grids.hints.limits = limits,
            Content::Parts(parts) => parts.hints.limits = limits,
            Content::One(_) => {}
        }
    }

    /// Returns the name of the kind of the puzzles.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.kind.name
    }

    /// Takes the raw text of the next puzzles that are plain 9x9 Sudoku on one line each, at most
    /// `range.end()` of them. Returns an empty list if there are fewer than `range.start()` in a
    /// row.
    ///
    /// ```
    /// use farandole::stream::{StreamHints, Stream};
    ///
    /// let line = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
    /// let text = line.repeat(3) + "# rules: diagonals\n" + line;
    /// let mut stream = Stream::open(std::io::Cursor::new(text), &StreamHints::default())?;
    /// assert_eq!(stream.next_lines(2..=8).concat(), line.repeat(3).as_bytes());
    /// assert!(stream.next_lines(1..=8).is_empty());
    /// assert!(stream.next().is_some_and(|puzzle| puzzle.is_ok()));
    /// assert!(stream.next_lines(1..=8).is_empty());
    /// # Ok::<(), text::InputError>(())
    /// ```
    pub fn next_lines(&mut self, range: RangeInclusive<usize>) -> Vec<NineLine> {
        match &mut self.content {
            // An error in the head must be reported for each grid, so the grids are read one at a
            // time.
            Content::Grids(grids) if !grids.faults.is_empty() => Vec::new(),
            Content::Grids(grids) => {
                let taken = (grids.format.next_lines)(&mut grids.lines, &mut grids.setting, range);
                if !taken.is_empty() {
                    grids.has_read = true;
                    grids.begin = grids.lines.next_number() - taken.len();
                }
                taken
            }
            Content::One(_) | Content::Parts(_) => Vec::new(),
        }
    }

    /// Returns the notes on the text read since the last call. A note concerns unused text that
    /// cannot change the answer, or a doubtful assumption.
    pub fn take_notes(&mut self) -> Vec<InputNote> {
        match &mut self.content {
            Content::Grids(grids) => self.notes.append(grids.lines.notes.take()),
            Content::One(_) | Content::Parts(_) => {}
        }
        self.notes.take()
    }

    /// Returns whether the next puzzle, or the end of the text, can be read without waiting for
    /// input. Reads available input to decide this.
    pub fn is_ready(&mut self) -> bool {
        match &mut self.content {
            Content::One(_) | Content::Parts(_) => true,
            Content::Grids(grids) if grids.format.is_line => grids.lines.is_ready(),
            Content::Grids(grids) => grids.lines.has_bytes(GRID_SIZE),
        }
    }

    /// If each puzzle is one line, waits until [`Stream::is_ready`] holds. For puzzles of several
    /// lines, the next read waits instead.
    pub fn wait(&mut self) {
        if let Content::Grids(grids) = &mut self.content
            && grids.format.is_line
        {
            grids.lines.wait();
        }
    }

    /// Returns the number of lines read so far; 0 if the puzzles are not grids.
    #[must_use]
    pub fn line_count(&self) -> usize {
        match &self.content {
            Content::One(_) | Content::Parts(_) => 0,
            Content::Grids(grids) => grids.lines.number(),
        }
    }

    /// Returns the line number (from 1) where the last puzzle begins, or the last group of lines
    /// taken. Returns `None` if the puzzle is the whole text.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        match &self.content {
            Content::One(_) => None,
            Content::Grids(grids) => Some(grids.begin),
            Content::Parts(parts) => Some(parts.begin),
        }
    }

    /// Returns whether it is certain that the text has no further puzzle.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        match &self.content {
            Content::One(puzzle) => puzzle.is_none(),
            Content::Grids(grids) => grids.lines.is_at_end(),
            Content::Parts(parts) => parts.left.is_empty(),
        }
    }

    /// Returns whether each puzzle is one line of the text.
    #[must_use]
    pub fn is_line(&self) -> bool {
        matches!(&self.content, Content::Grids(grids) if grids.format.is_line)
    }
}

impl Iterator for Stream {
    type Item = Result<Box<dyn Puzzle>, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.content {
            Content::One(puzzle) => puzzle.take().map(Ok),
            Content::Parts(parts) => parts.next(),
            Content::Grids(grids) => grids.next(self.kind),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.content {
            Content::One(puzzle) => {
                (usize::from(puzzle.is_some()), Some(usize::from(puzzle.is_some())))
            }
            Content::Parts(parts) => (usize::from(!parts.left.is_empty()), Some(parts.left.len())),
            Content::Grids(_) => (0, None),
        }
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("kind", &self.kind.name).finish_non_exhaustive()
    }
}

/// Size of the buffer used to recognize the encoding (bytes); larger reads bypass the buffer.
const HEAD_SIZE: usize = 1 << 9;

/// An input that continues to report its end, because more could be typed at a terminal.
struct EndOnce<R> {
    input: R,
    is_over: bool,
}

impl<R: Read> Read for EndOnce<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_over {
            return Ok(0);
        }
        let count = self.input.read(buffer)?;
        self.is_over = count == 0 && !buffer.is_empty();
        Ok(count)
    }
}

/// Decodes an input, which may be compressed or in an encoding other than UTF-8.
fn decoded(input: impl Read + Send + 'static) -> Result<Box<dyn BufRead + Send>, InputError> {
    let input = BufReader::with_capacity(HEAD_SIZE, EndOnce { input, is_over: false });
    decode::open(Box::new(input)).map_err(|error| InputError::of_io(&error))
}

/// An input that fails when a limit of memory or time is reached, or an interrupt occurs, while the
/// text is read as a whole. A compressed text may be a thousand times as long as its file.
///
/// Later, when grids are read one at a time and solved, these limits no longer apply.
struct Watched {
    input: Box<dyn BufRead + Send>,
    limits: Limits,
    is_over: Arc<AtomicBool>,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.is_over.load(Relaxed)
            && let Err(limit) = self.limits.check()
        {
            return Err(io::Error::other(InputError::limited(
                puzzle::text_limit(limit),
                "while the text was read",
            )));
        }
        self.input.read(buffer)
    }
}

/// Returns whether a hint overrides a statement in a head that has another value.
fn is_overridden(key: &str, value: &str, hints: &StreamHints) -> bool {
    match key {
        "boxes" => hints.boxes.is_some_and(|boxes| Setting::parse_boxes(value) != Ok(boxes)),
        "rules" => {
            let is_other = |rules: &Vec<Rule>| {
                Rule::parse_list(value).is_ok_and(|said| !said.iter().all(|rule| rules.contains(rule)))
            };
            hints.rules.as_ref().is_some_and(is_other)
        }
        "puzzle" => hints.kind.is_some_and(|kind| kind.name != value),
        _ => false,
    }
}

fn apply_statement(
    line: &Line,
    key: &str,
    value: &str,
    kind: &Kind,
    hints: &StreamHints,
    setting: &mut Setting,
    stated: &mut Stated,
) -> Result<(), InputError> {
    let start = value.as_ptr().addr() - line.text.as_ptr().addr();
    let is_known = match key {
        "boxes" => hints.boxes.is_some(),
        "rules" => hints.rules.is_some(),
        "puzzle" => hints.kind.is_some() || value == kind.name,
        _ => false,
    };
    let applied = match key {
        _ if is_known => Ok(()),
        "puzzle" => Err(format!("expected {} as before, found `{value}`", kind.name)),
        "boxes" if setting.is_latin => {
            Err(format!("expected no boxes in a {} square, found `{value}`", kind.name))
        }
        "boxes" => stated
            .add(key, value, line.number)
            .and_then(|_| Setting::parse_boxes(value))
            .map(|boxes| setting.boxes = Some(boxes)),
        "rules" if value.is_empty() && setting.rules.is_empty() => {
            Err("expected the names of rules, found none".to_owned())
        }
        "rules" => Rule::parse_list(value).map(|rules| {
            if stated.is_first(key, line.number) {
                setting.rules.clear();
            }
            setting.add_rules(&rules);
        }),
        _ => {
            return Err(line.error(
                line.text.find(|c: char| c.is_alphanumeric()).unwrap_or(0),
                format!(
                    "expected `puzzle`, `boxes` or `rules` in the head of a {} grid, found `{key}` (clues and other \
                     shapes are for `# puzzle: variant`)",
                    kind.name
                ),
            ));
        }
    };
    applied.map_err(|message| line.error(start, message))
}
