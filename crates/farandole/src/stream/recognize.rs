//! Recognizes the kind of puzzle and the format of a text from a sample of its beginning.
//!
//! Both come from hints given in advance, else from the head of the text (`# puzzle: latin`), else
//! from the file name extension, else from the content. A text in no known format is described by
//! the error of the reader that accepts most of it, or as a text of a known other type.

use dlx::Limits;

use super::StreamHints;
use crate::kinds::{self, read_text};
use grid::{FORMATS, Format, format};
use puzzle::{Kind, PuzzleSource, TextSource, cover};
use text::{InputError, content_lines, directive, whole_lines};

/// The kind of a text, with the reader of its content.
pub(super) enum Recognized {
    Grids { kind: &'static Kind, format: &'static Format, is_latin: bool, is_kind_known: bool },
    Text(&'static Kind, TextSource),
    Cover(&'static Kind, cover::Read),
}

/// Returns whether the first complete line of a text determines the format.
pub(super) fn is_certain(head: &str) -> bool {
    let whole = head.rfind('\n').map_or("", |end| &head[..end]);
    let first = content_lines(whole).next();
    first.is_some_and(|(_, line)| format::is_certain(line))
}

/// Determines the kind and the format of a text.
///
/// # Errors
/// If hints contradict each other, or no kind or format fits.
pub(super) fn recognize(sample: &str, hints: &StreamHints) -> Result<Recognized, InputError> {
    let named = hints.format.as_deref();
    if let Some(form) = named.and_then(cover::by_name) {
        return by_form(form, hints.kind);
    }
    let stated = match (hints.kind, directive(sample, "puzzle")) {
        (None, Some(name)) => {
            let unknown = || format!("expected a kind of puzzle in the head, found `{name}`");
            Some(kinds::by_name(name).ok_or_else(|| InputError::whole(unknown()))?)
        }
        (kind, _) => kind,
    };
    let by_extension = FORMATS.iter().find(|format| format.extensions.contains(&&*hints.extension));
    let format = named.and_then(format::by_name);
    let fitting = format.or(by_extension.filter(|format| (format.recognizes)(sample)));
    // If a format of grids is given by name or by the extension, no other kind is tested. Only the
    // matrix of an exact cover may have the extension of a table of grids.
    let is_grid = fitting.is_some() || by_extension.is_some() && !is_named_matrix(sample);
    let found = || if is_grid { None } else { text_kind(sample, &hints.extension) };
    let kind = stated.or_else(found).unwrap_or_else(|| known("sudoku"));
    match kind.source {
        PuzzleSource::Text(text) => Ok(Recognized::Text(kind, text)),
        PuzzleSource::Grids { is_latin, .. } => {
            if let Some(what) = format::no_grid(sample).filter(|_| format.is_none()) {
                return Err(not_read(what));
            }
            let is_kind_known = stated.is_some();
            let format = match fitting.or_else(|| format::recognize(sample)).or(by_extension) {
                Some(format) => format,
                None => unrecognized(sample, is_kind_known)?,
            };
            Ok(Recognized::Grids { kind, format, is_latin, is_kind_known })
        }
    }
}

fn known(kind: &str) -> &'static Kind {
    kinds::by_name(kind).expect("the table has this kind")
}

/// Returns the reader of a form of exact covers that was given by name.
///
/// # Errors
/// If the form cannot be read, or another kind was given.
fn by_form(form: &'static cover::Form, kind: Option<&Kind>) -> Result<Recognized, InputError> {
    let read = form.read.ok_or_else(|| InputError::whole(form.only_written()))?;
    match kind.filter(|kind| kind.name != cover::NAME) {
        Some(Kind { name, .. }) => Err(InputError::whole(format!(
            "the format {} is one of covers, found the kind {name}",
            form.name
        ))),
        None => Ok(Recognized::Cover(known(cover::NAME), read)),
    }
}

const LINES_TRIED: usize = 40;

/// Returns whether an unrecognized text is best read in the default format, whose errors have
/// positions. Such a text is empty, is a single line that is nearly all cells, or has lines of
/// which the format recognizes at least half.
fn fits_default_format(sample: &str) -> bool {
    let lines = content_lines(sample).map(|(_, line)| line);
    let lines: Vec<&str> = lines.take(LINES_TRIED).collect();
    let good = lines.iter().filter(|line| (format::DEFAULT.recognizes)(line)).count();
    match lines[..] {
        [] => true,
        [line] => good > 0 || is_nearly_cells(line),
        _ => good > 0 && 2 * good >= lines.len(),
    }
}

/// Returns whether most characters of a line may be cells: at least three of four are digits or
/// blanks, or the line has one long word.
fn is_nearly_cells(line: &str) -> bool {
    const LONG_WORD: usize = 60;
    let is_digit = |c: &char| c.is_ascii_digit() || ".*_-xX?".contains(*c);
    let cells = line.chars().filter(is_digit).count();
    let others =
        line.chars().filter(|c| !is_digit(c) && !c.is_whitespace() && !",;|\"'".contains(*c)).count();
    let is_word = |word: &str| {
        word.len() >= LONG_WORD && word.chars().all(|c| c.is_ascii_alphanumeric() || is_digit(&c))
    };
    line.len() <= format::LINE_LIMIT && (cells >= 3 * others || line.split_whitespace().any(is_word))
}

fn not_read(what: &str) -> InputError {
    InputError::whole(format!("expected puzzles, found {what}, which is not read"))
}

/// Returns the default format for an unrecognized text, if it is plausible.
///
/// # Errors
/// A description of the text if it is of a known other type; the error of the kind that seems to be
/// meant; or that the format is unknown.
fn unrecognized(sample: &str, is_kind_known: bool) -> Result<&'static Format, InputError> {
    if let Some(what) = format::stranger(sample) {
        return Err(not_read(what));
    }
    if let Some(error) = cover::meant(sample, &Limits::default()) {
        return Err(error);
    }
    let text = whole_lines(sample);
    // If the text begins with a bracket, the error of the JSON reader is the most helpful.
    let json = cover::by_name("json").and_then(|form| form.read);
    if let Some(json) = json.filter(|_| !text.is_empty() && sample.trim_start().starts_with(['[', '{']))
        && let Err(mut error) = json(text, &Limits::default())
    {
        error.message += " (no format is recognized; JSON comes nearest)";
        return Err(error);
    }
    if is_kind_known {
        return Ok(format::DEFAULT);
    }
    let mut near = kinds::texts().filter_map(|(kind, source)| {
        let error = read_text(kind, &source, text, &Limits::default()).err();
        error.filter(|error| is_near(text, error)).map(|error| (kind.name, error))
    });
    match (near.next(), near.next()) {
        (Some((kind, mut error)), None) => {
            error.message += &format!(" (no format is recognized; {kind} comes nearest)");
            Err(error)
        }
        _ if fits_default_format(sample) => Ok(format::DEFAULT),
        _ => {
            let hint = match cover::may_be_shown(sample) {
                true => "; solutions of an exact cover are read by `check --solution FILE PROBLEM`",
                false => "",
            };
            Err(InputError::whole(format!(
                "expected puzzles, found a text in no known format (`farandole puzzles` lists them, \
                 --from names one){hint}"
            )))
        }
    }
}

/// Returns whether a reader has accepted more of `text` than its first line before the error. A
/// first line may be anything, and a line of one word may also belong to a grid.
fn is_near(text: &str, error: &InputError) -> bool {
    let is_content =
        |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with(['#', '|']);
    let before: String = error.text.chars().take(error.column.saturating_sub(1)).collect();
    let whole = text.lines().take(error.line.saturating_sub(1));
    let mut understood = whole.chain([&*before]).filter(is_content);
    understood.next().is_some_and(|first| first.split_whitespace().nth(1).is_some())
        && understood.next().is_some()
}

fn is_named_matrix(sample: &str) -> bool {
    cover::by_name("named-matrix").is_some_and(|form| (form.recognizes)(sample))
}

/// Returns the kind, other than grids, that the file name extension or the content suggests.
fn text_kind(sample: &str, extension: &str) -> Option<&'static Kind> {
    let by_name = kinds::texts().find(|(_, text)| text.extensions.contains(&extension));
    let may_be_text = by_name.is_none() && format::plain(sample).is_none();
    let by_content = || kinds::texts().find(|(_, text)| may_be_text && (text.recognizes)(sample));
    by_name.or_else(by_content).map(|(kind, _)| kind)
}
