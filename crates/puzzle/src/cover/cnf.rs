//! DIMACS CNF: a propositional formula whose models are the covers (write-only).
//!
//! Variable k is option k, which a comment shows. Each primary item becomes a clause of its
//! options. For every item, each pair of its options that exclude each other becomes a clause. A
//! pair that shares several items is written once. Costs and bounds above 1 are not supported.
//!
//! Tried and dropped: sequential counters for bounds, since their auxiliary variables can duplicate
//! models.

use dlx::{Limits, Problem};

use super::rules::{ExcludedPairs, rules, variable, write_options};
use super::{Feature, Form, Unwritten, WritePace, refuse};

pub(super) const FORM: Form = Form {
    name: "cnf",
    summary: "DIMACS CNF for SAT solvers: a variable an option, a model a cover",
    example: "c x1 = a b\nc x2 = b\np cnf 2 3\n1 0\n1 2 0\n-1 -2 0\n",
    extensions: &["cnf"],
    recognizes: |sample| sample.lines().any(|line| line.starts_with("p cnf ")),
    is_meant: |_| false,
    read: None,
    diagram: None,
    write,
};

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    refuse(problem, "CNF", &[Feature::Costs, Feature::Multiplicities])?;
    let mut pen = WritePace::new(limits);
    let mut clauses = String::new();
    let mut clause_count = 0;
    let mut pairs = ExcludedPairs::default();
    let mut push = |literals: std::fmt::Arguments<'_>| {
        push!(clauses, "{literals}");
        clause_count += 1;
    };
    for rule in rules(problem, &mut pen)? {
        if rule.low == 1 {
            let literals: String = rule.options.iter().map(|&o| format!("{} ", variable(o))).collect();
            push(format_args!("{literals}0\n"));
        }
        if rule.high == 0 {
            for &option in &rule.options {
                push(format_args!("-{} 0\n", variable(option)));
            }
            continue;
        }
        for (index, &first) in rule.options.iter().enumerate() {
            pen.spend(3 * (rule.options.len() - index))?;
            for &second in &rule.options[index + 1..] {
                if pairs.insert(first, second)? {
                    push(format_args!("-{} -{} 0\n", variable(first), variable(second)));
                }
            }
        }
    }
    let mut text = String::new();
    write_options(problem, "c", &mut pen, &mut text)?;
    pushln!(text, "p cnf {} {clause_count}", problem.option_count());
    Ok(text + &clauses)
}
