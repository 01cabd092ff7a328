//! Generic exact covers, whose text lists the items and options.
//!
//! [`FORMS`] is the table of text forms. A new form consists of one file, its `mod` line and its
//! entry in the table. Readable forms are recognized by their content. Other forms are only
//! written, for other solvers.
//!
//! A solution is shown as its options in the order of the problem, one per line, as Knuth writes
//! them. If the items line is put above it, the text is a problem whose only cover is this
//! solution, unless bounds allow others. A line `| options 2 5` with option numbers from 1 comes
//! first on request, or if the solution contains options that equal others. A line `| B, D` with
//! the names of the options follows if they have names.

mod cnf;
mod dlx_text;
mod drawing;
mod json;
mod limits;
mod literal;
mod lp;
mod matrix;
mod miniexact;
mod nnf;
mod numbered;
mod opb;
mod partition;
mod rules;
mod sparse;
mod table;
pub mod zdd;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use dlx::diagram::Diagram;
use dlx::{ItemId, Limits, OptionId, Problem};

pub use self::json::parse as parse_json;
pub use self::limits::Unwritten;
use self::limits::{WritePace, spend, unread};
use super::{
    HeadKeys, Kind, Picture, Puzzle, PuzzleSource, PuzzleTerms, TextLayout, TextSource, TextUnits,
};
use text::InputError;

/// A text form of exact-cover problems.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Name on the command line.
    pub name: &'static str,
    /// One-line description of the form.
    pub summary: &'static str,
    /// A small text in this form.
    pub example: &'static str,
    /// File name extensions of this form, without the dot.
    pub extensions: &'static [&'static str],
    /// Returns whether a text with this beginning (at most 64 KiB) is in this form. An invalid text
    /// counts if it can be in no other form.
    pub recognizes: fn(&str) -> bool,
    /// Returns whether a text that no form and no grid format recognizes was probably meant in this
    /// form. The reader of this form then reports the error.
    pub is_meant: fn(&str) -> bool,
    /// Reads a problem, or `None` if the form is only written.
    pub read: Option<Read>,
    /// Reads a diagram of all solutions, if the form describes a diagram instead of a problem.
    /// Commands about all solutions use it.
    pub diagram: Option<ReadDiagram>,
    /// Writes a problem within the limits, or returns the reason why it cannot be written.
    pub write: Write,
}

/// Writes a problem as text. The limits on time and memory and the flags apply, other limits do
/// not.
pub type Write = fn(&Problem, &Limits) -> Result<String, Unwritten>;

/// Reads a problem from text. The limits on time and memory and the flags apply, other limits do
/// not.
pub type Read = fn(&str, &Limits) -> Result<Reading, InputError>;

/// Reads the diagram of all solutions of a problem; also returns the problem, as far as the text
/// describes it.
pub type ReadDiagram = fn(&str) -> Result<(Diagram, Problem), InputError>;

/// A problem, with the names and numbers of its options in the text.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The exact-cover problem.
    pub problem: Problem,
    /// The names of the options; empty if they have no names.
    pub names: Vec<String>,
    /// The number from 1 of each option in the text, if some options of the text were dropped;
    /// empty otherwise.
    pub numbers: Vec<u32>,
    /// A note about ambiguous or dropped parts of the text; empty without such parts.
    pub note: String,
}

impl From<Problem> for Reading {
    fn from(problem: Problem) -> Self {
        Self { problem, names: Vec::new(), numbers: Vec::new(), note: String::new() }
    }
}

/// Every form, in the order of recognition. The first form is the default for writing.
///
/// ```
/// use dlx::Limits;
/// use puzzle::cover;
///
/// let limits = Limits::default();
/// let problem: dlx::Problem = "a b c\na b\nc\na c\n".parse()?;
/// let matrix = cover::by_name("matrix").expect("a form");
/// assert_eq!((matrix.write)(&problem, &limits), Ok("110\n001\n101\n".into()));
/// let colored: dlx::Problem = "a | x\na x:1\n".parse()?;
/// let refused = (matrix.write)(&colored, &limits).unwrap_err();
/// assert_eq!(refused.message, "a 0/1 matrix cannot hold colors");
/// # Ok::<(), dlx::ParseError>(())
/// ```
pub const FORMS: &[Form] = &[
    dlx_text::FORM,
    matrix::FORM,
    sparse::FORM,
    partition::FORM,
    miniexact::FORM,
    numbered::FORM,
    json::FORM,
    table::FORM,
    literal::FORM,
    cnf::FORM,
    opb::FORM,
    lp::FORM,
    zdd::FORM,
    nnf::FORM,
];

/// Returns the text form called `name`.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.name == name)
}

/// Returns the function that reads diagrams in the form called `name`, if that form has one.
#[must_use]
pub fn diagram_by_name(name: &str) -> Option<ReadDiagram> {
    by_name(name)?.diagram
}

/// The name of the kind.
pub const NAME: &str = "cover";

/// The kind.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "any exact cover: items and options, with colors, bounds and costs",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: dlx_text::FORM.example,
        rules: "",
        extensions: &["dlx", "xc", "xcc", "ccxc"],
        divider: None,
        several: None,
        recognizes,
        head: HeadKeys::Prose,
        read: |text, limits| Ok(puzzle(reading(text, limits)?)),
    }),
};

/// Builds the puzzle of a generic problem.
#[must_use]
pub fn puzzle(reading: impl Into<Reading>) -> Box<dyn Puzzle> {
    Box::new(CoverPuzzle::new(reading.into()))
}

#[derive(Debug)]
struct CoverPuzzle {
    problem: Arc<Problem>,
    names: Vec<String>,
    /// The number of each option in the text, if some options of the text were dropped. Empty
    /// otherwise.
    numbers: Vec<u32>,
    shows_numbers: bool,
    note: String,
}

impl CoverPuzzle {
    fn new(Reading { problem, names, numbers, note }: Reading) -> Self {
        let mut notes: Vec<String> = Some(note).filter(|note| !note.is_empty()).into_iter().collect();
        let number = |option: OptionId| {
            numbers.get(option.index()).map_or(option.index() + 1, |&number| number as usize)
        };
        let (mut twin_count, mut first) = (0_usize, None);
        for (option, other) in twins(&problem) {
            twin_count += 1;
            first.get_or_insert((number(option), number(other)));
        }
        if let Some((option, other)) = first {
            notes.push(match twin_count {
                1 => format!("option {option} equals option {other}, and both count"),
                _ => format!(
                    "{twin_count} options equal earlier ones, and all count; the first is option \
                     {option}, equal to option {other}"
                ),
            });
        }
        let mut is_used = vec![false; problem.item_count()];
        for entry in problem.options().flat_map(|option| problem.option(option)) {
            is_used[entry.item.index()] = true;
        }
        let is_needed = |item: &dlx::ItemId| problem.bounds(*item).is_some_and(|bounds| bounds.low > 0);
        let mut unused = problem.items().filter(|item| !is_used[item.index()] && is_needed(item));
        if let Some(first) = unused.next() {
            let name = problem.item_name(first);
            notes.push(match unused.count() {
                0 => format!("item `{name}` is in no option, so there is no cover"),
                more => format!(
                    "{} items are in no option, so there is no cover; the first is `{name}`",
                    more + 1
                ),
            });
        }
        // If options have names, equal options need no numbers.
        let shows_numbers = twin_count > 0 && names.is_empty();
        let note = notes.join("; ");
        Self { problem: Arc::new(problem), names, numbers, shows_numbers, note }
    }
}

/// Returns the hash of an entry: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
fn entry_hash(entry: &dlx::Entry) -> u64 {
    let color = entry.color.map_or(0, |color| color.index() as u64 + 1);
    let word = (color << 32 | entry.item.index() as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Iterates over the options that equal an earlier option, each with the first equal option.
fn twins(problem: &Problem) -> impl Iterator<Item = (OptionId, OptionId)> {
    // An option is a set of entries, so sum the hashes of its entries.
    let sum = move |option: OptionId| {
        let entries = problem.option(option).iter();
        entries.map(entry_hash).fold(problem.cost(option), u64::wrapping_add)
    };
    let sorted = |option: OptionId| {
        let mut entries = problem.option(option).to_vec();
        entries.sort_unstable_by_key(|entry| (entry.item, entry.color));
        (problem.cost(option), entries)
    };
    let mut seen: HashMap<u64, Vec<OptionId>> = HashMap::new();
    problem.options().filter_map(move |option| {
        let alike = seen.entry(sum(option)).or_default();
        let first = alike.iter().copied().find(|&other| sorted(other) == sorted(option));
        if first.is_none() {
            alike.push(option);
        }
        Some((option, first?))
    })
}

impl Puzzle for CoverPuzzle {
    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn show_numbers(&mut self) {
        self.shows_numbers = true;
    }

    fn layout(&self) -> TextLayout<'_> {
        TextLayout::new(TextUnits::Lines, false)
    }

    fn show(&self, cover: &[OptionId], _number: u64, out: &mut String) {
        let mut cover = cover.to_vec();
        cover.sort_unstable();
        if self.shows_numbers {
            let numbers = self.option_numbers(&cover).unwrap_or_default();
            let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
            pushln!(out, "{NUMBERS}{}", numbers.join(" "));
        }
        let names: Vec<&str> =
            cover.iter().filter_map(|option| Some(self.names.get(option.index())?.as_str())).collect();
        if !names.is_empty() {
            pushln!(out, "| {}", names.join(", "));
        }
        for &option in &cover {
            out.push_str(&dlx_text::line(&self.problem, option));
        }
        if cover.is_empty() {
            out.push_str("| no options\n");
        }
    }

    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        drawing::draw(&self.problem, &self.names, cover)
    }

    fn note(&self) -> Option<&str> {
        Some(&*self.note).filter(|note| !note.is_empty())
    }

    fn terms(&self) -> &dyn PuzzleTerms {
        self
    }
}

impl PuzzleTerms for CoverPuzzle {
    fn option_names(&self) -> &[String] {
        &self.names
    }

    fn option_numbers(&self, cover: &[OptionId]) -> Option<Vec<u32>> {
        let number = |option: &OptionId| {
            self.numbers.get(option.index()).copied().unwrap_or(option.index() as u32 + 1)
        };
        let mut numbers: Vec<u32> = cover.iter().map(number).collect();
        numbers.sort_unstable();
        Some(numbers)
    }

    fn option_words(&self, option: OptionId) -> String {
        let name = self.names.get(option.index()).map(|name| format!("`{name}`"));
        name.unwrap_or_else(|| self.problem.option_words(option))
    }

    fn item_words(&self, item: ItemId) -> Option<String> {
        self.problem.item_words(item)
    }

    fn picture_beside(&self, cover: &[OptionId], _common: &[OptionId]) -> Option<Picture> {
        self.picture(cover)
    }
}

fn recognizes(sample: &str) -> bool {
    let sample = &*unfenced(sample);
    FORMS.iter().any(|form| (form.recognizes)(sample))
}

/// Replaces the LaTeX commands of a matrix with blanks. A row that ends within a line ends it.
fn without_latex(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '&', '$']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let mut length = 1;
        if rest.starts_with("\\\\") {
            length = 2;
            let line = rest[length..].lines().next().unwrap_or_default().trim_start();
            if !line.is_empty() && !line.starts_with('\\') {
                plain.push('\n');
            }
        } else if let Some(command) = rest.strip_prefix('\\') {
            length += command.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(command.len());
            // The brackets of `\left(` and `\right)`.
            let is_bracket = ["left", "right"].contains(&&rest[1..length]);
            length +=
                usize::from(is_bracket && rest[length..].starts_with(['(', ')', '[', ']', '.', '|']));
            while rest[length..].starts_with('{')
                && let Some(end) = rest[length..].find('}')
            {
                length += end + 1;
            }
        }
        plain.extend(std::iter::repeat_n(' ', length));
        rest = &rest[length..];
    }
    plain + rest
}

/// Moves an error in the text without LaTeX commands to its position in the text with them.
fn with_latex(error: InputError, plain: &str, text: &str) -> InputError {
    let is_latex = plain != text && without_latex(text) == plain;
    if !is_latex || error.line == 0 {
        return error;
    }
    let start: usize = plain.split_inclusive('\n').take(error.line - 1).map(str::len).sum();
    let line = plain[start..].lines().next().unwrap_or_default();
    let length: usize = line.chars().take(error.column.saturating_sub(1)).map(char::len_utf8).sum();
    // Both texts differ in their length only by the inserted line breaks.
    let mut at = 0;
    for &byte in &plain.as_bytes()[..start + length] {
        let is_inserted = byte == b'\n' && text.as_bytes().get(at) != Some(&b'\n');
        at += usize::from(!is_inserted);
    }
    let before = text.get(..at).unwrap_or(text);
    let begin = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text[begin..].lines().next().unwrap_or_default();
    let number = before.matches('\n').count() + 1;
    InputError::at(number, line, before.len() - begin, error.message)
}

/// Replaces Markdown fences around a text with empty lines, so that all line numbers stay the same.
/// The commands of a matrix in LaTeX become blanks.
fn unfenced(text: &str) -> Cow<'_, str> {
    const FENCE: &str = "```";
    let inside = text.trim_start_matches('\u{feff}').trim_start();
    if inside.starts_with(['\\', '$']) && inside.contains("\\begin{") {
        return without_latex(text).into();
    }
    if !inside.starts_with(FENCE) {
        return text.into();
    }
    let blank = |line: &str| if line.trim_start().starts_with(FENCE) { "\n" } else { line }.to_owned();
    text.split_inclusive('\n').map(blank).collect::<String>().into()
}

/// Replaces the statement `# puzzle: cover` above a text with blanks, because `#` begins a comment
/// only in some forms.
fn unstated(text: &str) -> Cow<'_, str> {
    let is_statement = |line: &str| {
        let statement = text::remark(line.trim_start_matches('\u{feff}'));
        statement.is_some_and(|(key, value)| {
            key.eq_ignore_ascii_case("puzzle") && value.eq_ignore_ascii_case(NAME)
        })
    };
    let Some(line) = text.lines().find(|line| !line.trim().is_empty()) else { return text.into() };
    if !line.contains('#') || !is_statement(line) {
        return text.into();
    }
    text.replacen(line, &" ".repeat(line.len()), 1).into()
}

/// Returns whether a text may be printed covers: several options without a word twice.
#[must_use]
pub fn may_be_shown(sample: &str) -> bool {
    let is_option = |line: &str| {
        let mut words = HashSet::new();
        let is_name = |c: char| c.is_alphanumeric() || ":|_-.".contains(c);
        line.split_whitespace().all(|word| word.chars().all(is_name) && words.insert(word))
    };
    let mut options = sample.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('|'));
    options.clone().count() > 1 && options.all(is_option)
}

/// Reads a problem in the form that recognizes the text.
///
/// If no form recognizes the text, all forms are tried. The returned error is the one whose
/// position is farthest into the text.
///
/// ```
/// let problem = puzzle::cover::read("110\n001\n101\n")?;
/// assert_eq!((problem.item_count(), dlx::count(&problem)), (3, 1u32.into()));
/// # Ok::<(), text::InputError>(())
/// ```
///
/// # Errors
/// If the text is not valid. The error has a position.
pub fn read(text: &str) -> Result<Problem, InputError> {
    reading(text, &Limits::default()).map(|reading| reading.problem)
}

/// Reads a problem like [`read`] within the limits. The names and numbers of its options are
/// returned too.
///
/// # Errors
/// As [`read`], and the limit that was reached.
pub fn reading(text: &str, limits: &Limits) -> Result<Reading, InputError> {
    let unfenced = unfenced(text);
    let plain = &*unstated(&unfenced);
    plain_reading(plain, limits).map_err(|error| with_latex(error, plain, text))
}

fn plain_reading(text: &str, limits: &Limits) -> Result<Reading, InputError> {
    let sample = text::sample(text);
    if let Some(form) = FORMS.iter().find(|form| (form.recognizes)(sample)) {
        return form.reading(text, limits);
    }
    if let Some(error) = meant(text, limits) {
        return Err(error);
    }
    let mut farthest: Option<InputError> = None;
    for read in FORMS.iter().filter_map(|form| form.read) {
        match read(text, limits) {
            Ok(reading) => return Ok(reading),
            Err(error) if error.limit.is_some() => return Err(error),
            Err(error) => {
                let place = |error: &InputError| (error.line, error.column);
                if farthest.as_ref().is_none_or(|farthest| place(farthest) < place(&error)) {
                    farthest = Some(error);
                }
            }
        }
    }
    Err(farthest.expect("the forms that can be read are not none"))
}

/// Returns the error of a text that no form recognizes, as reported by the form that was probably
/// meant, or `None` if that form is unclear.
#[must_use]
pub fn meant(text: &str, limits: &Limits) -> Option<InputError> {
    let sample = text::sample(text);
    let form = FORMS.iter().find(|form| (form.is_meant)(sample))?;
    form.reading(text, limits).err()
}

impl Form {
    fn reading(&self, text: &str, limits: &Limits) -> Result<Reading, InputError> {
        match self.read {
            Some(read) => read(text, limits),
            None => Err(InputError::whole(self.only_written())),
        }
    }

    /// Returns the message that this form cannot be read, or not by this command.
    pub fn only_written(&self) -> String {
        let name = self.name;
        if self.diagram.is_some() {
            return format!(
                "a decision diagram is no problem; with --from {name} it is read by count, sample, \
                 rank and unrank"
            );
        }
        format!("the format {name} is only written, not read")
    }
}

/// Prefix of the line that lists the option numbers (from 1) of a solution.
pub const NUMBERS: &str = "| options ";

/// The dropped options, which have no items and are in no cover.
#[derive(Debug, Default)]
struct Skipped {
    count: usize,
    /// The number of each kept option among all options, including the dropped ones.
    kept: Vec<u32>,
    first: String,
}

impl Skipped {
    fn add(&mut self, place: std::fmt::Arguments<'_>) {
        self.count += 1;
        if self.count == 1 {
            self.first = place.to_string();
        }
    }

    fn keep(&mut self) {
        self.kept.push((self.kept.len() + self.count + 1) as u32);
    }

    fn numbers(&mut self) -> Vec<u32> {
        if self.count == 0 { Vec::new() } else { std::mem::take(&mut self.kept) }
    }

    fn note(&self) -> String {
        let first = &self.first;
        match self.count {
            0 => String::new(),
            1 => format!("{first} is an option without items, which is never chosen and left out"),
            count => format!(
                "{count} options without items are never chosen and left out, the first is {first}"
            ),
        }
    }
}

/// A feature that a form may not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feature {
    Colors,
    Secondary,
    Costs,
    /// Bounds other than exactly once (1:1).
    Bounds,
}

/// Refuses a problem that has one of `features`. The form named `form` does not support them.
fn refuse(problem: &Problem, form: &str, features: &[Feature]) -> Result<(), String> {
    for feature in features {
        let (has, what) = match feature {
            Feature::Colors => (problem.has_colors(), "colors"),
            Feature::Secondary => (problem.primary_count() < problem.item_count(), "secondary items"),
            Feature::Costs => (problem.has_costs(), "costs"),
            Feature::Bounds => (problem.has_bounds(), "bounds"),
        };
        if has {
            return Err(format!("{form} cannot hold {what}"));
        }
    }
    Ok(())
}

/// Returns the number (from 1) of each item in written texts, where primary items come first.
fn item_numbers(problem: &Problem) -> Vec<usize> {
    let (mut primary, mut secondary) = (0, problem.primary_count());
    let numbers = problem.items().map(|item| {
        let next = if problem.is_primary(item) { &mut primary } else { &mut secondary };
        *next += 1;
        *next
    });
    numbers.collect()
}

/// Returns whether lines with these word counts may be filled grids: the number of words in every
/// line equals the number of lines of a grid.
fn may_be_squares(mut word_counts: impl Iterator<Item = usize>) -> bool {
    let Some(order) = word_counts.next() else { return false };
    let mut line_count = 1_usize;
    let is_even = word_counts.all(|count| {
        line_count += 1;
        count == order
    });
    is_even && line_count.is_multiple_of(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = "a 1:2|b 0:1|c | x y\na b x:red |3\nb y\nb x:red y |12\nc x:blue\n";

    fn check(text: &str, expected: Option<&str>) {
        let forms = FORMS.iter().filter(|form| form.read.is_some() && (form.recognizes)(text));
        let names: Vec<_> = forms.map(|form| form.name).collect();
        assert_eq!(names, expected.into_iter().collect::<Vec<_>>(), "{text}");
    }

    fn check_error(text: &str, expected: &str) {
        assert_eq!(read(text).unwrap_err().to_string(), expected, "{text}");
    }

    #[test]
    fn only_its_own_form_recognizes_an_example_and_writes_it_unchanged() {
        for form in FORMS {
            assert!((form.recognizes)(form.example), "{}", form.name);
            let Some(read) = form.read else { continue };
            check(form.example, Some(form.name));
            let problem = read(form.example, &Limits::default()).unwrap().problem;
            let written = (form.write)(&problem, &Limits::default()).unwrap();
            let content = |line: &&str| !line.starts_with('|');
            let example: String =
                form.example.lines().filter(content).map(|l| format!("{l}\n")).collect();
            assert_eq!(written, example, "{}", form.name);
        }
        let problem = read("a b\na b\nb\n").unwrap();
        for form in FORMS.iter().filter(|form| form.read.is_none()) {
            let written = (form.write)(&problem, &Limits::default());
            assert_eq!(written, Ok(form.example.to_owned()), "{}", form.name);
        }
    }

    #[test]
    fn a_written_problem_reads_back_equal_or_is_refused() {
        let texts =
            [FULL, "a b | x\na x\nb\n", "a b\na b\nb\n", "0:1|a b\na\nb\n", "a\n", "é | ü\né ü:ß\n"];
        for text in texts {
            let problem = read(text).unwrap();
            let mut count = 0;
            for form in FORMS {
                let written = (form.write)(&problem, &Limits::default());
                let (Some(read), Ok(written)) = (form.read, written) else { continue };
                let again = read(&written, &Limits::default()).unwrap().problem;
                let shape = |p: &Problem| {
                    let bounds = p.items().map(|item| p.bounds(item)).collect::<Vec<_>>();
                    let costs = p.options().map(|option| p.cost(option)).collect::<Vec<_>>();
                    let mut sizes = p.options().map(|option| p.option(option).len());
                    (bounds, costs, sizes.by_ref().collect::<Vec<_>>(), dlx::count(p))
                };
                assert_eq!(shape(&again), shape(&problem), "{} of {text}", form.name);
                count += 1;
            }
            assert!(count >= 2, "Knuth's text and JSON hold everything");
        }
    }

    #[test]
    fn unsupported_features_are_named() {
        let refused = |name: &str, text: &str| {
            let form = by_name(name).unwrap();
            (form.write)(&text.parse().unwrap(), &Limits::default()).unwrap_err().message
        };
        assert_eq!(refused("matrix", FULL), "a 0/1 matrix cannot hold colors");
        assert_eq!(refused("matrix", "a | x\na x\n"), "a 0/1 matrix cannot hold secondary items");
        assert_eq!(refused("matrix", "a\na |1\n"), "a 0/1 matrix cannot hold costs");
        assert_eq!(refused("matrix", "a b\n"), "a 0/1 matrix cannot hold a problem without options");
        assert_eq!(refused("sparse", "0:1|a\na\n"), "a sparse list cannot hold bounds");
        assert_eq!(refused("cnf", "2|a\na\n"), "CNF cannot hold bounds other than 0:1 and 1:1");
        assert_eq!(
            refused("lp", "a b\na\n"),
            "LP cannot hold an item without options that must be covered"
        );
    }

    #[test]
    fn pseudo_boolean_and_integer_programs_support_every_feature() {
        let problem: Problem = FULL.parse().unwrap();
        let write = |name| (by_name(name).unwrap().write)(&problem, &Limits::default()).unwrap();
        assert_eq!(
            write("opb"),
            "* #variable= 4 #constraint= 5\n\
             * x1 = a b x:red\n* x2 = b y\n* x3 = b x:red y\n* x4 = c x:blue\n\
             min: +3 x1 +12 x3 ;\n\
             +1 x1 = 1 ;\n+1 x1 +1 x2 +1 x3 >= 1 ;\n-1 x1 -1 x2 -1 x3 >= -2 ;\n\
             -1 x1 -1 x4 >= -1 ;\n-1 x3 -1 x4 >= -1 ;\n-1 x2 -1 x3 >= -1 ;\n"
                .replace("#constraint= 5", "#constraint= 6")
        );
        assert_eq!(
            write("lp"),
            "\\ x1 = a b x:red\n\\ x2 = b y\n\\ x3 = b x:red y\n\\ x4 = c x:blue\n\
             Minimize\n obj: 3 x1 + 12 x3\nSubject To\n x1 = 1\n x1 + x2 + x3 >= 1\n\x20x1 + x2 + x3 \
             <= 2\n\
             \x20x1 + x4 <= 1\n x3 + x4 <= 1\n x2 + x3 <= 1\nBinary\n x1\n x2\n x3\n x4\nEnd\n"
        );
    }

    #[test]
    fn each_text_is_recognized_as_its_form() {
        check("a b c\na b\nc\n", Some("dlx"));
        check("| a comment\na b |x\na x:1\nb |3\n", Some("dlx"));
        check("1 2 3\n1 3\n2\n", Some("dlx"));
        check("0 1 1\n1,0,0\n", Some("matrix"));
        check("# a head\n01\n10\n11\n", Some("matrix"));
        check("3 1 2\n1 4\n2 3\n", Some("sparse"));
        check("[[0, 1], [1, 0]]", Some("json"));
        check("[[\"a\", \"b\"], [\"c\"]]", Some("json"));
        check("{\"options\": []}", Some("json"));
        check("[[0, 1], [1, 2], [2, 3], [3, 0]]", Some("json"));
        check("{\"A\": [1, 2], \"B\": [\"x\"]}", Some("json"));
        check("4 2\n2 1 3\n4 1 2\n", Some("sparse"));
        check("p ec 2 1\n1 2 0\n", Some("sparse"));
        check(" 2 2\n 4578 1 1\n 12 2 1 2\n", Some("partition"));
        check("<a> a;", Some("miniexact"));
        check("c\np xc 1 0\n1 0\n", Some("xc"));
    }

    #[test]
    fn grids_and_tables_are_not_recognized_as_covers() {
        let line = "800000000003600000070090200050007000000045700000100030001000068008500010090000400";
        let rows: Vec<&str> = (0..9).map(|row| &line[9 * row..9 * row + 9]).collect();
        let spaced = |rows: &[&str]| {
            let space = |row: &&str| row.chars().map(|c| format!("{c} ")).collect::<String>() + "\n";
            rows.iter().map(space).collect::<String>()
        };
        check(&format!("{line}\n{line}\n"), None);
        check(&line.replace('0', "."), None);
        check(&(rows.join("\n") + "\n"), None);
        check(&rows.join("\n").replace('0', "."), None);
        check(&format!("1\n{}\n", rows.join("\n")), None);
        check(&format!("2\n{0}\n{0}\n", rows.join("\n")), None);
        check(&spaced(&rows), None);
        check(&spaced(&["1234", "3412", "2143", "4321"]), None);
        check(&format!("{0}\n{0}", spaced(&["123", "231", "312"])), None);
        check(&spaced(&["21", "12"]), None);
        check(&spaced(&["ABC", "BCA", "CAB"]), None);
        check(&format!("puzzle,solution\n{line},{line}\n"), None);
        check("1,2,3\n4,5,6\n", None);
        check("+-----+-----+\n| 1 . | . 2 |\n| . . | . . |\n+-----+-----+\n", None);
        check(" *-----------*\n |4..|...|8.5|\n *-----------*\n", None);
        check("[[5, 3, 0, 0], [6, 0, 0, 1], [0, 9, 8, 0], [0, 0, 1, 2]]", None);
        check("[[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]", None);
        // Lists with fewer than four rows are sets, because they are too small for a grid.
        check("[[1, 2], [2, 1]]", Some("json"));
        check("{\"puzzle\": [5, 5, 3], \"size\": [1]}", None);
        check("<opensudoku>\n<game data=\"1\" />\n</opensudoku>\n", None);
        check("{\"version\": \"http://ipuz.org/v2\", \"puzzle\": [[1, 0]]}", None);
        check("000\n000\n", None);
        check("hello world\n", None);
        check("", None);
    }

    #[test]
    fn long_texts_are_recognized_by_their_beginning() {
        let long = |head: &str, line: &str| head.to_owned() + &line.repeat(20_000);
        let cut = |text: String| text::sample(&text).to_owned();
        check(&cut(long("abc defg\n", "abc defg\nabc\n")), Some("dlx"));
        check(&cut(long("", "0110\n")), Some("matrix"));
        check(&cut(long("70 20000\n", "12 70 3\n")), Some("sparse"));
        check(&cut(long("[[1, 2]", ", [1, 2, 3]")), Some("json"));
    }

    #[test]
    fn every_error_in_a_problem_gives_its_position() {
        check_error("", "1:1: expected a line of items, found the end of the text");
        check_error("a b c\na b\nc d\n", "3:3: expected an item, found `d`");
        check_error("101\n1201\n", "2:2: expected `0` or `1`, found `2`");
        check_error("101\n1001\n", "2:4: expected 3 digits as in the first line, found more");
        check_error("1 0 1\n0 1\n", "2:4: expected 3 digits as in the first line, found 2");
        check_error("3 2\n1 2\n3 4\n", "3:3: expected the number of an item, 1 to 3, found `4`");
        check_error("3 2\n1 2\n3 2 03\n", "3:5: the option names item `3` twice");
        check_error("4 2\n1 2\n3 4\n2\n", "4:1: expected 2 options as the head says, found more");
        check_error(
            "4 3\n1 2\n3 4\n",
            "4:1: expected 3 options as the head says, found 2 and the end of the text",
        );
        let huge =
            sparse::FORM.read.unwrap()("1000000 1 0\n", &Limits::default()).unwrap_err().to_string();
        assert_eq!(huge, "1:1: expected at most 1000000 items, found more");
        check_error("{\"options\": [[1, 2],\n  [3 4]]}", "2:6: expected `,` or `]`");
        check_error("{\"options\": [[1],\n [true]]}", "2:3: expected a name, found `true`");
        check_error(
            "{\"options\": [],\n \"option\": 1}",
            "2:2: expected one of the keys `items`, `secondary`, `options`, `costs`, found `option`",
        );
        check_error(
            "{\"items\": [\"a\", \"é b\"], \"options\": []}",
            "1:17: expected a name without blanks, `:` and `|`, found `é b`",
        );
        check_error(
            "{\"items\": [\"é\"],\n\"options\": [[\"é\"], [\"é\", \"c\"]]}",
            "2:26: expected an item, found `c`",
        );
        check_error(
            "{\"options\": [[\"a\"], [\"b\", \"a\", \"b\"]]}",
            "1:32: the option names item `b` twice",
        );
        check_error(
            "{\"options\": [[\"a\"]], \"costs\": [1, 2]}",
            "1:31: expected as many costs as options, 1, found 2",
        );
        check_error(
            "{\"options\": [[\"a\"]], \"costs\": [-1]}",
            "1:32: expected a cost from 0 to 18446744073709551615, found -1",
        );
        check_error("[[1, 2],\n 3]", "2:2: expected an array, found `3`");
        check_error("[[1, 2],\n []]", "2:2: the option names no item");
        check_error(
            "{\"items\": [{\"name\": \"a\", \"low\": 1}], \"options\": []}",
            "1:12: expected an object with the keys `name`, `low` and `high`, numbers the last two",
        );
    }

    #[test]
    fn a_printed_solution_below_the_items_line_is_its_own_only_solution() {
        let texts =
            [dlx_text::FORM.example, "a b c\na b\nc\na\nb c\n", "2|a b | x\na x:1\na x:1 b |4\na b\n"];
        for text in texts {
            let puzzle = CoverPuzzle::new(reading(text, &Limits::default()).unwrap());
            let written = dlx::text::write(&puzzle.problem);
            let items = written.lines().next().unwrap();
            for mut cover in dlx::solutions(&puzzle.problem) {
                let mut shown = String::new();
                puzzle.show(&cover, 1, &mut shown);
                let again = CoverPuzzle::new(
                    reading(&format!("{items}\n{shown}"), &Limits::default()).unwrap(),
                );
                let mut solutions = dlx::solutions(&again.problem);
                let mut shown_again = String::new();
                again.show(&solutions.next().expect("a solution"), 1, &mut shown_again);
                assert_eq!((shown_again, solutions.next()), (shown.clone(), None));
                // The shown text does not depend on the order of the options.
                cover.reverse();
                let mut reversed = String::new();
                puzzle.show(&cover, 1, &mut reversed);
                assert_eq!(reversed, shown);
            }
        }
    }

    #[test]
    fn the_example_with_colors_is_printed_in_the_notation_of_knuth() {
        let puzzle = CoverPuzzle::new(reading(dlx_text::FORM.example, &Limits::default()).unwrap());
        let mut shown = String::new();
        puzzle.show(&dlx::solutions(&puzzle.problem).next().unwrap(), 1, &mut shown);
        assert_eq!(shown, "A C X:1 Y:1\nB X:1\n");
    }
}
