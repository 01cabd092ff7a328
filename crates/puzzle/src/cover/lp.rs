//! CPLEX LP: an integer program on 0/1 variables, as most solvers of linear programs read it.
//!
//! Variable `xk` is option k, which a comment shows. The constraints are those of [`opb`](super::opb),
//! but at most a few terms stand in a line, for readers with a limit. Everything fits.

use dlx::{Limits, OptionId, Problem};

use super::rules::{rules, variable, write_options};
use super::{Form, Pen, Unwritten};

/// The most terms in a line, which stays far below the limit of 510 characters that some readers have.
const LINE_TERMS: usize = 12;

pub(super) const FORM: Form = Form {
    name: "lp",
    summary: "CPLEX LP for integer programming: a variable an option, costs to minimize",
    example: "\\ x1 = a b\n\\ x2 = b\nMinimize\n obj: 0 x1\nSubject To\n x1 = 1\n x1 + x2 = \
              1\nBinary\n x1\n x2\nEnd\n",
    extensions: &["lp"],
    recognizes: |sample| sample.lines().any(|line| line.trim() == "Subject To"),
    is_meant: |_| false,
    read: None,
    diagram: None,
    write,
};

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    if problem.option_count() == 0 {
        return Err("LP cannot hold a problem without options".into());
    }
    let mut pen = Pen::new(limits);
    let rules = rules(problem, &mut pen)?;
    if rules.iter().any(|rule| rule.options.is_empty()) {
        return Err("LP cannot hold an item without options that must be covered".into());
    }
    let mut text = String::new();
    write_options(problem, "\\", &mut pen, &mut text)?;
    text.push_str("Minimize\n obj:");
    if problem.has_costs() {
        let priced: Vec<_> = problem.options().filter(|&option| problem.cost(option) > 0).collect();
        write_terms(&priced, |option| format!("{} ", problem.cost(option)), &mut text);
    } else {
        text.push_str(" 0 x1");
    }
    text.push_str("\nSubject To\n");
    for rule in rules {
        pen.spend(2 * rule.options.len())?;
        let mut push = |relation: &str, bound: u32| {
            write_terms(&rule.options, |_| String::new(), &mut text);
            pushln!(text, " {relation} {bound}");
        };
        if rule.low == rule.high {
            push("=", rule.low);
            continue;
        }
        if rule.low > 0 {
            push(">=", rule.low);
        }
        if rule.options.len() > rule.high as usize {
            push("<=", rule.high);
        }
    }
    text.push_str("Binary\n");
    for option in problem.options() {
        pushln!(text, " x{}", variable(option));
    }
    text.push_str("End\n");
    Ok(text)
}

/// Appends ` x1 + x2`, with a factor before each variable as `factor` gives it.
fn write_terms(options: &[OptionId], factor: impl Fn(OptionId) -> String, out: &mut String) {
    for (index, &option) in options.iter().enumerate() {
        let sign = match index {
            0 => " ",
            _ if index % LINE_TERMS == 0 => "\n + ",
            _ => " + ",
        };
        push!(out, "{sign}{}x{}", factor(option), variable(option));
    }
}
