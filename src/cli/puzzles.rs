//! The command `puzzles`: the kinds, formats and engines, with an example each.

use super::exit::Exit;
use super::output;
use crate::algorithm::{self, ALGORITHMS};
use crate::grid::{FORMATS, Rule, format};
use crate::puzzle::{self, KINDS, Source, cover};

/// Runs the command and returns how it ended.
pub(super) fn run(name: Option<&str>) -> Exit {
    let text = match name {
        None => overview(),
        Some(name) => match example(name) {
            Some(text) => text,
            None => {
                say!(
                    "expected a kind, a format or an engine, found `{name}`; `farandole puzzles` lists them"
                );
                return Exit::BadInput;
            }
        },
    };
    output::write_all(text.as_bytes(), Exit::Done)
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
    let rules = Rule::ALL.map(Rule::name).join(", ");
    pushln!(out, "\nExtra rules of grids (--rules): {rules}");
    out.push_str("\nFormats of grids (--from, --to, convert --to):\n");
    for format in FORMATS {
        let note = if format.is_written() { "" } else { " (only read)" };
        pushln!(out, "  {:<12} {}{note}", format.name(), format.summary());
    }
    out.push_str("\nFormats of exact covers (--from, convert --to):\n");
    for form in cover::FORMS {
        let note = if form.read.is_none() { " (written only)" } else { "" };
        pushln!(out, "  {:<12} {}{note}", form.name, form.summary);
    }
    out.push_str("\nEngines (--engine):\n");
    for spec in ALGORITHMS.iter() {
        pushln!(out, "  {:<12} {}", spec.name, spec.summary);
    }
    out.push_str("\nFor an example: farandole puzzles NAME\n");
    out
}

fn example(name: &str) -> Option<String> {
    if let Some(kind) = puzzle::by_name(name) {
        return Some(match kind.source {
            Source::Text(text) => text.example.to_owned(),
            Source::Grids { example, .. } => example.to_owned(),
        });
    }
    if let Some(format) = format::by_name(name) {
        return Some(format.example().to_owned());
    }
    if let Some(spec) = algorithm::by_name(name) {
        return Some(format!("{}: {}\n", spec.name, spec.summary));
    }
    cover::FORMS.iter().find(|form| form.name == name).map(|form| form.example.to_owned())
}
