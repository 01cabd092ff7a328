//! The numbered format of the solver miniexact, similar to DIMACS: `p xc PRIMARY SECONDARY`, then
//! options that end in 0.
//!
//! ```text
//! c a comment
//! p xcc 2 1        two primary items, 1 and 2, and a secondary one, 3; `xcc` where there are colors
//! 2 3 -1 0         an option; a negative number is the color of the secondary item before it
//! 1 3 -1 0
//! ```
//!
//! Items and colors are named by their numbers, so writing loses other names. Bounds and costs are
//! not supported.

use std::collections::HashMap;

use dlx::limits::Pace;
use dlx::{Color, Entry, Limits, Problem, ProblemBuilder};

use super::{Feature, Form, Reading, Unwritten, WritePace, item_numbers, refuse, spend};
use text::{InputError, content_lines, end_error, words};

/// Largest number of items that a header may state, to bound the memory that a short text can take.
const ITEMS_MAX: usize = 1_000_000;

pub(super) const FORM: Form = Form {
    name: "xc",
    summary: "miniexact's numbers: `p xc PRIMARY SECONDARY`, then options that end in 0, colors \
              negative",
    example: "p xcc 2 1\n2 3 -1 0\n1 3 -1 0\n",
    extensions: &["xc"],
    recognizes: |sample| {
        let head = lines(sample).next().map(|(_, line)| line.split_whitespace());
        head.is_some_and(|mut words| {
            words.next() == Some("p") && matches!(words.next(), Some("xc" | "xcc"))
        })
    },
    is_meant: |_| false,
    read: Some(read),
    diagram: None,
    write,
};

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    content_lines(text).filter(|(_, line)| line.split_whitespace().next() != Some("c"))
}

fn read(text: &str, limits: &Limits) -> Result<Reading, InputError> {
    const HEAD: &str = "a head `p xc PRIMARY SECONDARY`";
    let mut pace = Pace::new(limits);
    let mut lines = lines(text);
    let (number, line) = lines.next().ok_or_else(|| end_error(text, HEAD))?;
    let head: Vec<(usize, &str)> = words(line).collect();
    let error = |place: usize, message: String| {
        let start = head.get(place).map_or(line.trim_end().len(), |&(start, _)| start);
        InputError::at(number, line, start, message)
    };
    if !matches!(head[..], [(_, "p"), (_, "xc" | "xcc"), ..]) {
        return Err(error(0, format!("expected {HEAD}, found `{}`", head[0].1)));
    }
    let count = |place: usize, what: &str| {
        let found =
            head.get(place).map_or("the end of the line".into(), |(_, word)| format!("`{word}`"));
        let number = head.get(place).and_then(|(_, word)| word.parse::<usize>().ok());
        number
            .filter(|count| *count <= ITEMS_MAX)
            .ok_or_else(|| error(place, format!("expected {what}, at most {ITEMS_MAX}, found {found}")))
    };
    let primary = count(2, "the number of primary items")?;
    let secondary = count(3, "the number of secondary items")?;
    if let Some((_, more)) = head.get(4) {
        return Err(error(4, format!("expected the end of the line, found `{more}`")));
    }
    let mut builder = ProblemBuilder::new();
    let mut items = Vec::new();
    for index in 1..=primary + secondary {
        let name = index.to_string();
        let new = if index <= primary { builder.primary(&name) } else { builder.secondary(&name) };
        items.push(new.map_err(|problem| error(0, problem.to_string()))?);
    }
    let mut entries: Vec<Entry> = Vec::new();
    // The position of each entry, for error messages.
    let mut places: Vec<(usize, &str, usize)> = Vec::new();
    for (number, line) in lines {
        spend(&mut pace, line)?;
        for (start, word) in words(line) {
            let error = |message: String| InputError::at(number, line, start, message);
            let value: i64 = word.parse().map_err(|_| {
                error(format!("expected the number of an item, a color below 0, or 0, found `{word}`"))
            })?;
            if value == 0 {
                builder.option(entries.drain(..)).map_err(|problem| {
                    let place = problem.entry().and_then(|place| places.get(place)).copied();
                    let (number, line, start) = place.unwrap_or((number, line, start));
                    InputError::at(number, line, start, problem.to_string())
                })?;
                places.clear();
            } else if value < 0 {
                let color = builder.color(&value.unsigned_abs().to_string());
                let color = color.map_err(|problem| error(problem.to_string()))?;
                let last = entries.last_mut().filter(|entry| entry.color.is_none());
                let last = last.ok_or_else(|| {
                    error(format!("expected an item before its color, found the color `{word}`"))
                })?;
                last.color = Some(color);
            } else {
                let item = usize::try_from(value).ok().and_then(|value| items.get(value - 1));
                let item = item.ok_or_else(|| {
                    error(format!(
                        "expected the number of an item, 1 to {}, found `{word}`",
                        items.len()
                    ))
                })?;
                entries.push((*item).into());
                places.push((number, line, start));
            }
        }
    }
    if entries.is_empty() {
        Ok(builder.build().into())
    } else {
        Err(end_error(text, "a `0` behind the last option"))
    }
}

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    refuse(problem, "the format xc", &[Feature::Bounds, Feature::Costs])?;
    if problem.item_count() > ITEMS_MAX {
        return Err(format!("the format xc cannot hold more than {ITEMS_MAX} items").into());
    }
    // Number the colors by first use, because a problem may define colors that no option uses.
    let entries = problem.options().flat_map(|option| problem.option(option));
    let mut colors: HashMap<Color, usize> = HashMap::new();
    for color in entries.filter_map(|entry| entry.color) {
        let number = colors.len() + 1;
        colors.entry(color).or_insert(number);
    }
    let name = if colors.is_empty() { "xc" } else { "xcc" };
    let primary = problem.primary_count();
    let mut text = format!("p {name} {primary} {}\n", problem.item_count() - primary);
    let numbers = item_numbers(problem);
    let mut pen = WritePace::new(limits);
    for option in problem.options() {
        pen.spend(problem.option(option).len())?;
        for entry in problem.option(option) {
            push!(text, "{} ", numbers[entry.item.index()]);
            if let Some(color) = entry.color {
                push!(text, "-{} ", colors[&color]);
            }
        }
        text.push_str("0\n");
    }
    Ok(text)
}
