//! The text format of the solver miniexact, also known as xcc: `< a b > [ x ]`, then options that
//! end in `;`.
//!
//! ```text
//! < a b:1;2 c > [ x y ]      primary items with optional bounds `:k` or `:low;high`; secondary items
//! a b x:red;                 an option; it may take several lines
//! b c x;
//! ```
//!
//! The solver also reads Knuth's text, which is the form [`dlx_text`](super::dlx_text), and a
//! numbered format with a line `p xc`, which is the form [`numbered`](super::numbered). Lines that
//! begin with `#` may precede the items. Costs are not supported.

use dlx::limits::Pace;
use dlx::{Bounds, Entry, Limits, Problem, ProblemBuilder};

use super::{Feature, Form, Reading, Unwritten, WritePace, refuse, spend};
use text::{InputError, end_error};

pub(super) const FORM: Form = Form {
    name: "miniexact",
    summary: "miniexact's text: `< a b:1;2 > [ x ]`, primary and secondary items, then options that \
              end in `;`",
    example: "< a b:1;2 c > [ x y ]\na b x:red;\nb c x:red y;\nc;\n",
    extensions: &["xcc", "ccxc"],
    recognizes,
    is_meant: |_| false,
    read: Some(read),
    diagram: None,
    write,
};

/// Characters that are tokens by themselves.
const MARKS: [char; 6] = ['<', '>', '[', ']', ':', ';'];

/// Returns whether the text begins with items in angle brackets and is not XML.
pub(super) fn recognizes(sample: &str) -> bool {
    let mut rest = sample.trim_start_matches('\u{feff}').trim_start();
    while rest.starts_with('#') {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    let Some(rest) = rest.strip_prefix('<') else { return false };
    let is_markup =
        rest.starts_with(['?', '!', '/', '|']) || rest.contains("</") || rest.contains("/>");
    !is_markup && !rest.contains('=')
}

#[derive(Clone, Copy)]
struct Token<'t> {
    number: usize,
    line: &'t str,
    start: usize,
    text: &'t str,
}

impl Token<'_> {
    fn error(&self, message: impl Into<String>) -> InputError {
        InputError::at(self.number, self.line, self.start, message)
    }

    fn is(&self, mark: &str) -> bool {
        self.text == mark
    }

    fn is_name(&self) -> bool {
        !self.text.starts_with(MARKS)
    }
}

/// Iterates over the words and the one-character tokens after the comments at the beginning.
fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let is_head = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    lines.skip_while(move |(_, line)| is_head(line)).flat_map(|(index, line)| {
        let mut start = 0;
        std::iter::from_fn(move || {
            start += line[start..].find(|c: char| !c.is_whitespace())?;
            let rest = &line[start..];
            let end =
                rest.find(|c: char| c.is_whitespace() || MARKS.contains(&c)).unwrap_or(rest.len());
            let text = &rest[..if end == 0 { 1 } else { end }];
            let token = Token { number: index + 1, line, start, text };
            start += text.len();
            Some(token)
        })
    })
}

fn read(text: &str, limits: &Limits) -> Result<Reading, InputError> {
    let mut pace = Pace::new(limits);
    let mut tokens = tokens(text).peekable();
    let end = |expected: &'static str| move || end_error(text, expected);
    let open = tokens.next().ok_or_else(end("`<` and the primary items"))?;
    if !open.is("<") {
        return Err(open.error(format!("expected `<` before the primary items, found `{}`", open.text)));
    }
    let mut builder = ProblemBuilder::new();
    loop {
        let name = tokens.next().ok_or_else(end("`>` behind the primary items"))?;
        if name.is(">") {
            break;
        }
        if !name.is_name() {
            return Err(name.error(format!("expected a primary item or `>`, found `{}`", name.text)));
        }
        let mut bounds = Bounds::ONE;
        if tokens.next_if(|token| token.is(":")).is_some() {
            let token = tokens.next().ok_or_else(end("a bound"))?;
            let low = bound(token, "a bound as in `a:2` or `a:1;2`")?;
            let mut high = low;
            if tokens.next_if(|token| token.is(";")).is_some() {
                let token = tokens.next().ok_or_else(end("an upper bound"))?;
                high = bound(token, "an upper bound as in `a:1;2`")?;
            }
            bounds = Bounds { low, high };
        }
        let added = builder.bounded(name.text, bounds.low, bounds.high);
        added.map_err(|error| name.error(error.to_string()))?;
    }
    if tokens.next_if(|token| token.is("[")).is_some() {
        loop {
            let name = tokens.next().ok_or_else(end("`]` behind the secondary items"))?;
            if name.is("]") {
                break;
            }
            if !name.is_name() {
                let message = format!("expected a secondary item or `]`, found `{}`", name.text);
                return Err(name.error(message));
            }
            builder.secondary(name.text).map_err(|error| name.error(error.to_string()))?;
        }
    }
    let mut entries: Vec<Entry> = Vec::new();
    let mut places: Vec<Token<'_>> = Vec::new();
    while let Some(token) = tokens.next() {
        spend(&mut pace, token.text)?;
        if token.is_name() {
            let item = builder.item_by_name(token.text);
            let item = item.ok_or_else(|| {
                token.error(format!("expected an item or `;`, found `{}`", token.text))
            })?;
            let mut color = None;
            if tokens.next_if(|token| token.is(":")).is_some() {
                let name = tokens.next().ok_or_else(end("a color"))?;
                if !name.is_name() {
                    return Err(name.error(format!("expected a color, found `{}`", name.text)));
                }
                let new = builder.color(name.text).map_err(|error| name.error(error.to_string()))?;
                color = Some(new);
            }
            entries.push(Entry { item, color });
            places.push(token);
        } else if !token.is(";") {
            return Err(token.error(format!("expected an item or `;`, found `{}`", token.text)));
        }
        // The `;` of the last option may be missing.
        if token.is(";") || tokens.peek().is_none() {
            builder.option(entries.drain(..)).map_err(|error| {
                let place = error.entry().and_then(|place| places.get(place));
                place.unwrap_or(&token).error(error.to_string())
            })?;
            places.clear();
        }
    }
    Ok(builder.build().into())
}

fn bound(token: Token<'_>, expected: &str) -> Result<u32, InputError> {
    let number = token.text.parse().ok();
    number.ok_or_else(|| token.error(format!("expected {expected}, found `{}`", token.text)))
}

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    refuse(problem, "miniexact's text", &[Feature::Costs])?;
    let name = |item| {
        let name = problem.item_name(item);
        if name.contains(MARKS) {
            return Err(format!("miniexact's text cannot hold the name `{name}`"));
        }
        Ok(name)
    };
    let mut text = String::from("<");
    for item in problem.items() {
        match problem.bounds(item) {
            None => {}
            Some(Bounds::ONE) => push!(text, " {}", name(item)?),
            Some(Bounds { low, high }) if low == high => push!(text, " {}:{low}", name(item)?),
            Some(Bounds { low, high }) => push!(text, " {}:{low};{high}", name(item)?),
        }
    }
    text.push_str(" >");
    if problem.primary_count() < problem.item_count() {
        text.push_str(" [");
        for item in problem.items().filter(|&item| !problem.is_primary(item)) {
            push!(text, " {}", name(item)?);
        }
        text.push_str(" ]");
    }
    text.push('\n');
    let mut pen = WritePace::new(limits);
    for option in problem.options() {
        pen.spend(problem.option(option).len())?;
        let mut separator = "";
        for entry in problem.option(option) {
            push!(text, "{separator}{}", name(entry.item)?);
            if let Some(color) = entry.color.map(|color| problem.color_name(color)) {
                if color.contains(MARKS) {
                    return Err(format!("miniexact's text cannot hold the color `{color}`").into());
                }
                push!(text, ":{color}");
            }
            separator = " ";
        }
        text.push_str(";\n");
    }
    Ok(text)
}
