//! CPLEX LP: an integer program on 0/1 variables, which most MIP solvers read (write-only).
//!
//! Variable `xk` is option k, which a comment shows. The constraints are the same as in
//! [`opb`](super::opb), with a limited number of terms per line. All features are supported.

use dlx::{Limits, OptionId, Problem};

use super::rules::{rules, variable, write_options};
use super::{Form, Unwritten, WritePace};

/// Largest number of terms per line, which keeps lines below the 510 characters that some readers
/// accept.
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
    let mut pen = WritePace::new(limits);
    let rules = rules(problem, limits)?;
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

/// Appends a sum such as ` x1 + x2`, with the factor of each option before its variable.
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
