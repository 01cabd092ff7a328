//! From files, standard input and parameters to puzzles, one after the other.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;
use std::sync::Arc;

use super::args::{Input, parse_boxes};
use crate::grid::{FORMATS, Format, Rule, Setting, format};
use crate::input::{InputError, Lines, directive};
use crate::puzzle::{self, KINDS, Kind, Puzzle, Source, TextSource, Translator, cover};

/// Bytes read from a file at once.
const BUFFER_SIZE: usize = 1 << 17;

/// A puzzle with what is needed to speak of it.
pub(super) struct Job {
    /// Counts the puzzles of all inputs from 1, malformed ones included.
    pub(super) number: u64,
    pub(super) kind: &'static str,
    /// Whether it is one of several in its input, and whether each takes a line there.
    pub(super) is_record: bool,
    pub(super) is_line: bool,
    pub(super) puzzle: Result<Box<dyn Puzzle>, Fault>,
}

/// An input that could not be read.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    path: Arc<str>,
    error: Result<InputError, String>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            Ok(error) => write!(f, "{}:{error}\n{}", self.path, error.excerpt()),
            Err(message) => writeln!(f, "{}: {message}", self.path),
        }
    }
}

/// Iterates over the puzzles of all inputs.
pub(super) struct Puzzles {
    input: Input,
    names: std::vec::IntoIter<String>,
    open: Option<Open>,
    number: u64,
}

/// An input whose puzzles come one after the other.
struct Open {
    path: Arc<str>,
    kind: &'static Kind,
    lines: Lines,
    reader: Box<dyn format::Reader>,
    is_line: bool,
    setting: Setting,
    translator: Translator,
}

/// What a name on the command line stands for.
enum Opened {
    Stream(Open),
    One(&'static str, Box<dyn Puzzle>),
}

impl Puzzles {
    pub(super) fn new(input: &Input) -> Self {
        let mut names = input.files.clone();
        if names.is_empty() {
            names.push("-".to_owned());
        }
        Self { input: input.clone(), names: names.into_iter(), open: None, number: 0 }
    }

    fn job(&mut self, kind: &'static str, puzzle: Result<Box<dyn Puzzle>, Fault>) -> Job {
        self.number += 1;
        let is_line = self.open.as_ref().is_some_and(|open| open.is_line);
        Job { number: self.number, kind, is_record: self.open.is_some(), is_line, puzzle }
    }
}

impl Iterator for Puzzles {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        loop {
            if let Some(open) = &mut self.open {
                let kind = open.kind.name;
                match open.reader.next(&mut open.lines, &mut open.setting) {
                    Ok(Some(grid)) => {
                        let puzzle = open.translator.puzzle(grid);
                        return Some(self.job(kind, Ok(Box::new(puzzle))));
                    }
                    Ok(None) => self.open = None,
                    Err(error) => {
                        let fault = Fault { path: Arc::clone(&open.path), error: Ok(error) };
                        return Some(self.job(kind, Err(fault)));
                    }
                }
                continue;
            }
            let name = self.names.next()?;
            match open(&name, &self.input) {
                Ok(Opened::Stream(open)) => self.open = Some(open),
                Ok(Opened::One(kind, puzzle)) => return Some(self.job(kind, Ok(puzzle))),
                Err(error) => {
                    let path = if name == "-" { "standard input".into() } else { name.into() };
                    return Some(self.job("", Err(Fault { path, error })));
                }
            }
        }
    }
}

/// Opens a file, standard input, or the puzzle of a parameter.
fn open(name: &str, input: &Input) -> Result<Opened, Result<InputError, String>> {
    let kind = input.puzzle.as_deref().and_then(puzzle::by_name);
    let parameter = kind.and_then(|kind| kind.parameter.map(|parameter| (kind, parameter)));
    if let Some((kind, parameter)) = parameter
        && name != "-"
        && !Path::new(name).exists()
    {
        return (parameter.make)(name).map(|puzzle| Opened::One(kind.name, puzzle)).map_err(Err);
    }
    let mut lines = if name == "-" {
        Lines::new(Box::new(BufReader::with_capacity(BUFFER_SIZE, io::stdin())))
    } else {
        let file = File::open(name).map_err(|error| Err(cannot_read(&error)))?;
        if file.metadata().is_ok_and(|data| data.is_dir()) {
            return Err(Err("expected a file, found a folder".to_owned()));
        }
        Lines::new(Box::new(BufReader::with_capacity(BUFFER_SIZE, file)))
    };
    let sample = lines.sample().map_err(|error| Err(cannot_read(&error)))?;
    let extension = Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default();
    let extension = extension.to_ascii_lowercase();
    match recognize(&sample, &extension, kind, input).map_err(Err)? {
        Form::Text(kind, text) => {
            let whole = lines.rest().map_err(Ok)?;
            (text.read)(&whole).map(|puzzle| Opened::One(kind.name, puzzle)).map_err(Ok)
        }
        Form::Cover(read) => {
            let whole = lines.rest().map_err(Ok)?;
            let problem = read(&whole).map_err(Ok)?;
            Ok(Opened::One("cover", cover::puzzle(problem)))
        }
        Form::Grids(kind, format, is_latin) => {
            let setting = setting(&sample, is_latin, input).map_err(Err)?;
            let (reader, translator) = (format.reader(), Translator::default());
            let path = if name == "-" { "standard input" } else { name }.into();
            let is_line = format.is_line();
            Ok(Opened::Stream(Open { path, kind, lines, reader, is_line, setting, translator }))
        }
    }
}

fn cannot_read(error: &io::Error) -> String {
    format!("cannot read: {error}")
}

/// How an input is to be read.
enum Form {
    Text(&'static Kind, TextSource),
    Cover(fn(&str) -> Result<dlx::Problem, InputError>),
    Grids(&'static Kind, &'static dyn Format, bool),
}

/// Finds kind and format: from the command line, the head of the text, the file's name, the content.
fn recognize(
    sample: &str,
    extension: &str,
    kind: Option<&'static Kind>,
    input: &Input,
) -> Result<Form, String> {
    let form = input.from.as_deref().and_then(cover::by_name);
    if let Some((form, read)) = form.and_then(|form| Some((form, form.read?))) {
        return match kind {
            Some(kind) if kind.name != "cover" => {
                let (form, kind) = (form.name, kind.name);
                Err(format!("the format {form} holds the kind `cover`, found --puzzle {kind}"))
            }
            _ => Ok(Form::Cover(read)),
        };
    }
    let kind = match (kind, directive(sample, "puzzle")) {
        (Some(kind), _) => Some(kind),
        (None, Some(name)) => {
            let kind = puzzle::by_name(name);
            Some(kind.ok_or_else(|| format!("expected a kind of puzzle in the head, found `{name}`"))?)
        }
        (None, None) => None,
    };
    let format = input.from.as_deref().and_then(format::by_name);
    let kind = kind.or_else(|| {
        let mut kinds = KINDS.iter().filter(|_| format.is_none());
        let speaks = |kind: &&Kind| match kind.source {
            Source::Text(text) => text.extensions.contains(&extension),
            Source::Grids { .. } => false,
        };
        kinds.clone().find(speaks).or_else(|| {
            let has_format = FORMATS.iter().any(|format| format.extensions().contains(&extension));
            kinds.find(|kind| match kind.source {
                Source::Text(text) => !has_format && (text.recognizes)(sample),
                Source::Grids { .. } => false,
            })
        })
    });
    let kind = match kind {
        Some(kind) => kind,
        None => puzzle::by_name("sudoku").expect("sudoku is a kind"),
    };
    match kind.source {
        Source::Text(text) => Ok(Form::Text(kind, text)),
        Source::Grids { is_latin } => {
            let named =
                || FORMATS.iter().copied().find(|format| format.extensions().contains(&extension));
            let sniffed = || FORMATS.iter().copied().find(|format| format.recognizes(sample));
            let format = format.or_else(named).or_else(sniffed);
            let format = format.or_else(|| sample.trim().is_empty().then_some(format::DEFAULT));
            let format = format.ok_or_else(|| {
                "expected puzzles, found a text in no known format; --from names one".to_owned()
            })?;
            Ok(Form::Grids(kind, format, is_latin))
        }
    }
}

/// Takes boxes and rules from the command line or the head of the text.
fn setting(sample: &str, is_latin: bool, input: &Input) -> Result<Setting, String> {
    let boxes = match (input.boxes, directive(sample, "boxes")) {
        (Some(boxes), _) => Some(boxes),
        (None, Some(text)) => Some(parse_boxes(text)?),
        (None, None) => None,
    };
    let rules = match (&input.rules, directive(sample, "rules")) {
        (Some(rules), _) => rules.0.clone(),
        (None, Some(text)) => Rule::parse_list(text)?,
        (None, None) => Vec::new(),
    };
    Ok(Setting::new(is_latin, boxes, rules))
}
