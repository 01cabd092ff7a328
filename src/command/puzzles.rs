//! The command `puzzles` lists the kinds, formats and engines, and prints examples.

use crate::io::exit::Exit;
use crate::io::output;
use farandole::algorithm::{self, ALGORITHMS};
use farandole::kinds::KINDS;
use grid::{FORMATS, GridRule, format};
use puzzle::{PuzzleSource, cover};

pub(super) fn run(name: Option<&str>) -> Exit {
    let text = match name {
        None => overview(),
        Some(name) => match example(name) {
            Some(text) => text,
            None => {
                let hint =
                    puzzle::nearest(name, names()).map(|name| format!(" (`{name}` comes nearest)"));
                let hint = hint.unwrap_or_default();
                say!(
                    "expected a kind, a format or an engine, found `{name}`{hint}; `farandole \
                     puzzles` lists them"
                );
                return Exit::BadInput;
            }
        },
    };
    output::write_all(text.as_bytes(), Exit::Done)
}

/// Returns the names of all kinds and formats that have an example.
fn names() -> impl Iterator<Item = &'static str> {
    let kinds = KINDS.iter().map(|kind| kind.name);
    let formats = FORMATS.iter().map(|format| format.name);
    let forms = cover::FORMS.iter().map(|form| form.name);
    kinds.chain(formats).chain(forms).chain(ALGORITHMS.iter().map(|spec| spec.name))
}

fn overview() -> String {
    let mut out = String::from("Kinds (--puzzle):\n");
    for kind in KINDS {
        pushln!(out, "  {:<12} {}", kind.name, kind.summary);
        if let Some(parameter) = kind.parameter {
            let (name, example) = (kind.name, parameter.example);
            pushln!(out, "  {:<12} --puzzle {name} {example}: {}", "", parameter.meaning);
        }
    }
    let rules = GridRule::ALL.map(GridRule::name).join(", ");
    pushln!(out, "\nExtra rules of grids (--rules): {rules}");
    out.push_str("\nFormats of grids (--from, --to, convert --to):\n");
    for format in FORMATS {
        let note = if format.is_written { "" } else { " (read only)" };
        pushln!(out, "  {:<12} {}{note}", format.name, format.summary);
        pushln!(out, "  {:<12}   {}", "", short(format.example));
    }
    out.push_str("\nFormats of exact covers (--from, convert --to):\n");
    for form in cover::FORMS.iter().filter(|form| form.read.is_some()) {
        show_form(form, &mut out);
    }
    out.push_str("\nFormats of exact covers to be written (convert --to):\n");
    for form in cover::FORMS.iter().filter(|form| form.read.is_none()) {
        show_form(form, &mut out);
    }
    for (purpose, specs) in algorithm::by_purpose() {
        pushln!(out, "\nEngines (--engine) that {purpose}:");
        for spec in specs {
            pushln!(out, "  {:<12} {}", spec.name, spec.summary);
        }
    }
    out.push_str("\nFor an example: farandole puzzles NAME\n");
    out
}

fn show_form(form: &cover::Form, out: &mut String) {
    pushln!(out, "  {:<12} {}", form.name, form.summary);
    pushln!(out, "  {:<12}   {}", "", short(form.example));
}

/// Returns the first lines of an example as one line, with slashes between them.
fn short(example: &str) -> String {
    const WIDTH: usize = 76;
    let lines: Vec<&str> = example.lines().map(str::trim).collect();
    let line = lines.join(" / ");
    match line.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line,
    }
}

fn example(name: &str) -> Option<String> {
    if let Some(kind) = farandole::kinds::by_name(name) {
        return Some(match kind.source {
            // Print the rules as comments, so that the output is a valid puzzle.
            PuzzleSource::Text(text) => {
                let rules = text.rules.lines().map(|line| format!("# {line}"));
                let rules: String = rules.map(|line| format!("{}\n", line.trim_end())).collect();
                rules + text.example
            }
            PuzzleSource::Grids { example, .. } => example.to_owned(),
        });
    }
    if let Some(format) = format::by_name(name) {
        return Some(format.example.to_owned());
    }
    if let Some(spec) = algorithm::by_name(name) {
        return Some(format!("{}: {}\n", spec.name, spec.summary));
    }
    cover::FORMS.iter().find(|form| form.name == name).map(|form| form.example.to_owned())
}
