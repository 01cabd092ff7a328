//! DIMACS CNF: a propositional formula whose models are the covers (write-only).
//!
//! Variable k is option k, which a comment shows. Each primary item becomes a clause of its
//! options. For every item, each pair of its options that exclude each other becomes a clause. A
//! pair that shares several items is written once. Costs and bounds above 1 are not supported.
//!
//! Tried and dropped: sequential counters for bounds, since their auxiliary variables can duplicate
//! models.

use dlx::trust::formula;
use dlx::{Limits, Problem};

use super::rules::unwritten;
use super::{Feature, Form, Unwritten, refuse};

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
    refuse(problem, "CNF", &[Feature::Costs])?;
    formula::cnf(problem, &[], limits).map_err(|fault| unwritten(&fault))
}
