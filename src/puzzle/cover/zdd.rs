//! A zero-suppressed decision diagram of all covers, as Graphillion loads it; see
//! [`dlx::diagram::Diagram`].
//!
//! The variables are the options in the order in which the diagram decides on them, for they must
//! ascend on all paths. Which option is which variable stands behind the line `.`, where Graphillion
//! does not read on. What is read is a diagram, not a problem; only some commands take it.

use dlx::diagram::{Diagram, DiagramPlan, Unbuilt};
use dlx::{Entry, Limit, Limits, ParseError, Problem, ProblemBuilder};

use super::{Form, Pen, Unwritten};
use crate::input::{InputError, TextLimit};

pub(super) const FORM: Form = Form {
    name: "zdd",
    summary: "the decision diagram of all covers, for Graphillion; read by count, sample, rank and \
              unrank",
    example: "2 1 B T\n.\nx1 = a b\nx2 = b\n",
    extensions: &["zdd"],
    recognizes: |sample| {
        sample
            .lines()
            .next()
            .is_some_and(|line| Diagram::from_text(&(line.to_owned() + "\n.\n")).is_ok())
    },
    is_meant: |_| false,
    read: None,
    diagram: Some(read),
    write,
};

/// The most bytes of a diagram that is written.
const BYTES_MAX: u64 = 4 << 30;

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    let bytes = limits.memory.map_or(BYTES_MAX, |bytes| BYTES_MAX.min(bytes as u64));
    let ended = |unbuilt: Unbuilt| Unwritten::limited(unbuilt.limit);
    let plan = DiagramPlan::new(problem, &[], limits).map_err(ended)?;
    let size = plan.size();
    let too_large = || Unwritten {
        message: format!("a ZDD of about {:.1e} nodes is too large to be written", size.nodes),
        limit: Some(TextLimit::Memory),
    };
    // The estimate may be wrong, but not by more than this factor.
    if size.bytes > 4.0 * bytes as f64 {
        return Err(too_large());
    }
    let diagram = plan.build(limits, bytes).map_err(|unbuilt| match unbuilt.limit {
        Limit::Memory => too_large(),
        _ => ended(unbuilt),
    })?;
    let mut text = diagram.to_text_within(limits).map_err(Unwritten::limited)?;
    let mut pen = Pen::new(limits);
    for (variable, &option) in (1..).zip(diagram.options()) {
        pen.spend(problem.option(option).len())?;
        let shown = problem.show(option);
        pushln!(text, "x{variable} = {shown}");
    }
    Ok(text)
}

/// Reads a diagram, and a problem whose options show what its variables stand for: as the lines behind
/// the diagram tell, or `x1`, `x2`, ... The covers of that problem are not those of the diagram.
///
/// ```
/// let (diagram, problem) = farandole::puzzle::cover::zdd::read("4 2 B T\n6 1 4 T\n.\nx2 = a b:red\n")?;
/// assert_eq!(diagram.count(), 2u32.into());
/// let shown = [0, 1].map(|option| problem.show(dlx::OptionId::new(option)).to_string());
/// assert_eq!(shown, ["x1", "a b:red"]);
/// # Ok::<(), farandole::input::InputError>(())
/// ```
///
/// # Errors
/// If the text is not in order, with the place.
pub fn read(text: &str) -> Result<(Diagram, Problem), InputError> {
    let diagram = Diagram::from_text(text).map_err(|error| {
        let ParseError { line, column, message, .. } = error;
        let text = text.lines().nth(line.saturating_sub(1)).unwrap_or_default().to_owned();
        InputError { line, column, message, text, limit: None }
    })?;
    let mut names = vec![None; diagram.options().len()];
    let behind = (1..).zip(text.lines()).skip_while(|(_, line)| line.trim() != ".");
    for (number, line) in behind {
        let variable =
            |word: &str| word.trim().strip_prefix('x')?.parse::<usize>().ok()?.checked_sub(1);
        let named = line.split_once('=').and_then(|(word, name)| Some((variable(word)?, name)));
        // Variables that are in no set may be missing in the diagram.
        if let Some((name, shown)) =
            named.and_then(|(variable, shown)| Some((names.get_mut(variable)?, shown)))
        {
            *name = Some((number, line, shown));
        }
    }
    let mut builder = ProblemBuilder::new();
    for (index, name) in names.into_iter().enumerate() {
        let own = format!("x{}", index + 1);
        let (number, line, shown) = name.unwrap_or((0, "", &own));
        add_option(shown, &mut builder).map_err(|message| InputError::at(number, line, 0, message))?;
    }
    Ok((diagram, builder.build()))
}

/// Adds the option that was shown as `text`.
fn add_option(text: &str, builder: &mut ProblemBuilder) -> Result<(), String> {
    let mut entries: Vec<Entry> = Vec::new();
    for word in text.split_whitespace() {
        let (name, color) =
            word.split_once(':').map_or((word, None), |(name, color)| (name, Some(color)));
        let item = match builder.item_by_name(name) {
            Some(item) => item,
            None => builder.secondary(name).map_err(|error| error.to_string())?,
        };
        let color = color.map(|color| builder.color(color)).transpose();
        entries.push(match color.map_err(|error| error.to_string())? {
            Some(color) => item.with(color),
            None => item.into(),
        });
    }
    builder.option(entries).map(drop).map_err(|error| error.to_string())
}
