//! A zero-suppressed decision diagram of all covers in the format of Graphillion, described at
//! [`dlx::diagram::Diagram`].
//!
//! Variables must ascend on all paths, so they are numbered in the order of the diagram's
//! decisions. Options keep their numbers of the input, as in the forms cnf and opb. After the line
//! `.`, where Graphillion stops reading, a line `3 x5 = a b` maps variable 3 to option 5. Without
//! such lines, variable k is option k. The result of reading is a diagram instead of a problem,
//! which only some commands accept.

use dlx::diagram::{Diagram, DiagramError, DiagramPlan};
use dlx::{Entry, Limit, Limits, OptionId, ParseError, Problem, ProblemBuilder};

use super::{Form, Unwritten, WritePace};
use text::{InputError, TextLimit};

pub(super) const FORM: Form = Form {
    name: "zdd",
    summary: "the decision diagram of all covers, for Graphillion; read by count, sample, rank and \
              unrank",
    example: "2 1 B T\n.\n1 x1 = a b\n2 x2 = b\n",
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

const BYTES_MAX: u64 = 4 << 30;
/// Largest option or variable number that is read, to bound the memory of tables.
const COUNT_MAX: usize = 1 << 24;

/// Builds the diagram of a problem.
pub(super) fn build(problem: &Problem, limits: &Limits) -> Result<Diagram, Unwritten> {
    let bytes = limits.memory.map_or(BYTES_MAX, |bytes| BYTES_MAX.min(bytes as u64));
    let ended = |unbuilt: DiagramError| Unwritten::limited(unbuilt.limit);
    let plan = DiagramPlan::new(problem, &[], limits).map_err(ended)?;
    let size = plan.size();
    let too_large = || Unwritten {
        message: format!("a diagram of about {:.1e} nodes is too large to be written", size.nodes),
        limit: Some(TextLimit::Memory),
    };
    // The size is estimated at most four times too high.
    if size.bytes > 4.0 * bytes as f64 {
        return Err(too_large());
    }
    plan.build(limits, bytes).map_err(|unbuilt| match unbuilt.limit {
        Limit::Memory => too_large(),
        _ => ended(unbuilt),
    })
}

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    let diagram = build(problem, limits)?;
    let mut text = diagram.to_text_within(limits).map_err(Unwritten::limited)?;
    let mut pen = WritePace::new(limits);
    for (variable, &option) in (1..).zip(diagram.options()) {
        pen.spend(problem.option(option).len())?;
        let shown = problem.show(option);
        pushln!(text, "{variable} x{} = {shown}", option.index() + 1);
    }
    Ok(text)
}

/// Reads a diagram, and a problem whose options show the meaning of the variables. The options are
/// given by the lines below the diagram, or are `x1`, `x2`, ... without such lines. The covers of
/// this problem are not the solutions of the diagram.
///
/// ```
/// let text = "4 2 B T\n6 1 4 T\n.\n1 x2 = a b:red\n2 x1 = c\n";
/// let (diagram, problem) = puzzle::cover::zdd::read(text)?;
/// assert_eq!(diagram.count(), 2u32.into());
/// let shown = [0, 1].map(|option| problem.show(dlx::OptionId::new(option)).to_string());
/// assert_eq!(shown, ["c", "a b:red"]);
/// # Ok::<(), text::InputError>(())
/// ```
///
/// # Errors
/// If the text is not valid. The error has a position.
pub fn read(text: &str) -> Result<(Diagram, Problem), InputError> {
    let diagram = Diagram::from_text(text).map_err(|error| {
        let ParseError { line, column, message, .. } = error;
        let text = text.lines().nth(line.saturating_sub(1)).unwrap_or_default().to_owned();
        InputError { line, column, message, text, limit: None }
    })?;
    let variable_count = diagram.options().len();
    let mut lines: Vec<OptionLine<'_>> = Vec::new();
    let below = (1..).zip(text.lines()).skip_while(|(_, line)| line.trim() != ".").skip(1);
    for (number, line) in below.filter(|(_, line)| !line.trim().is_empty()) {
        let option = OptionLine::parse(number, line).ok_or_else(|| {
            let start = line.len() - line.trim_start().len();
            let message = format!("expected a line such as `3 x5 = a b`, found `{}`", line.trim());
            InputError::at(number, line, start, message)
        })?;
        lines.push(option);
    }
    lines.sort_by_key(|line| (line.variable, line.number));
    let twice = lines.windows(2).find(|pair| pair[0].variable == pair[1].variable);
    if let Some([_, again]) = twice {
        let message = format!("expected variable {} once, found it again", again.variable);
        return Err(InputError::at(again.number, again.line, 0, message));
    }
    // A variable without a line is the option with the same number.
    let count = lines.last().map_or(0, |line| line.variable).max(variable_count);
    let is_renumbered = lines.iter().any(|line| line.variable != line.option);
    let mut options: Vec<usize> = (1..=count).collect();
    let mut shown = vec![None; count];
    for line in &lines {
        let number = |at: usize| (1..=count).contains(&at).then(|| at - 1);
        let (variable, option) = (number(line.variable), number(line.option));
        let (Some(variable), Some(option)) = (variable, option) else {
            let message = format!("expected a number from 1 to {count} for each option");
            return Err(InputError::at(line.number, line.line, 0, message));
        };
        options[variable] = option + 1;
        shown[option] = Some(line);
    }
    let mut diagram = diagram;
    if is_renumbered || count > variable_count {
        let options = options.into_iter().map(|option| OptionId::new(option - 1)).collect();
        diagram = diagram.with_options(options).ok_or_else(|| {
            InputError::whole("expected each option once below the diagram, found one again")
        })?;
    }
    let mut builder = ProblemBuilder::new();
    for (index, line) in shown.into_iter().enumerate() {
        let own = format!("x{}", index + 1);
        let (number, text, shown) =
            line.map_or((0, "", &*own), |line| (line.number, line.line, line.shown));
        add_option(shown, &mut builder).map_err(|message| InputError::at(number, text, 0, message))?;
    }
    Ok((diagram, builder.build()))
}

/// A line below a diagram: `3 x5 = a b`, or `x5 = a b` for variable 5.
struct OptionLine<'t> {
    number: usize,
    line: &'t str,
    variable: usize,
    option: usize,
    shown: &'t str,
}

impl<'t> OptionLine<'t> {
    fn parse(number: usize, line: &'t str) -> Option<Self> {
        let (head, shown) = line.split_once('=')?;
        let mut words = head.split_whitespace().rev();
        let option = words.next()?.strip_prefix('x')?.parse().ok()?;
        let variable = words.next().map_or(Some(option), |word| word.parse().ok())?;
        let is_whole = words.next().is_none() && option <= COUNT_MAX && variable <= COUNT_MAX;
        is_whole.then_some(Self { number, line, variable, option, shown })
    }
}

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
