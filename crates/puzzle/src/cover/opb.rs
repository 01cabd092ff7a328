//! OPB: linear constraints on 0/1 variables, for pseudo-Boolean solvers and the proof checker
//! VeriPB (write-only).
//!
//! Variable `xk` is option k, which a comment shows. An item is one equation, or one or two
//! inequalities if its bounds differ. Costs are the objective. The format has only `=` and `>=`, so
//! upper bounds use negative factors. All features are supported.

use dlx::{Limits, OptionId, Problem};

use super::rules::{rules, variable, write_options};
use super::{Form, Unwritten, WritePace};

pub(super) const FORM: Form = Form {
    name: "opb",
    summary: "OPB for pseudo-Boolean solvers: a variable an option, costs to minimize",
    example: "* #variable= 2 #constraint= 2\n* x1 = a b\n* x2 = b\n+1 x1 = 1 ;\n+1 x1 +1 x2 = 1 ;\n",
    extensions: &["opb"],
    recognizes: |sample| sample.starts_with("* #variable="),
    is_meant: |_| false,
    read: None,
    diagram: None,
    write,
};

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    let mut pen = WritePace::new(limits);
    let mut constraints = String::new();
    let mut constraint_count = 0;
    for rule in rules(problem, &mut pen)? {
        pen.spend(2 * rule.options.len())?;
        let options = || rule.options.iter().copied();
        let is_equation = rule.low == rule.high;
        if rule.low > 0 || is_equation {
            write_sum(options(), |_| 1, &mut constraints);
            let relation = if is_equation { "=" } else { ">=" };
            pushln!(constraints, "{relation} {} ;", rule.low);
            constraint_count += 1;
        }
        if !is_equation && rule.options.len() > rule.high as usize {
            write_sum(options(), |_| -1, &mut constraints);
            pushln!(constraints, ">= -{} ;", rule.high);
            constraint_count += 1;
        }
    }
    let variable_count = problem.option_count();
    let mut text = format!("* #variable= {variable_count} #constraint= {constraint_count}\n");
    write_options(problem, "*", &mut pen, &mut text)?;
    if problem.has_costs() {
        text.push_str("min: ");
        write_sum(problem.options(), |option| i128::from(problem.cost(option)), &mut text);
        text.push_str(";\n");
    }
    Ok(text + &constraints)
}

/// Appends a sum such as `+1 x1 +1 x2`, with the factors returned by `factor`. Terms with factor 0
/// are omitted.
fn write_sum(
    options: impl Iterator<Item = OptionId>,
    factor: impl Fn(OptionId) -> i128,
    out: &mut String,
) {
    for option in options {
        let factor = factor(option);
        if factor != 0 {
            push!(out, "{factor:+} x{} ", variable(option));
        }
    }
}
