//! A negation normal form of all covers in the format of d4, version 2, described at
//! [`dlx::diagram::Diagram::to_nnf_within`] (write-only).
//!
//! It is the decision diagram of the form zdd. Literals are the numbers of options, as in the form
//! cnf. Knowledge compilers count models of such a form, and draw or list them under assumptions.

use dlx::{Limits, Problem};

use super::{Form, Unwritten, zdd};

pub(super) const FORM: Form = Form {
    name: "nnf",
    summary: "the decision diagram of all covers in the format of d4: its literals are those of cnf",
    example: "o 1 0\no 2 0\nt 3 0\n1 2 0\n2 3 1 -2 0\n",
    extensions: &["nnf"],
    recognizes: |sample| ["o 1 0\n", "f 1 0\n"].iter().any(|head| sample.starts_with(head)),
    is_meant: |_| false,
    read: None,
    diagram: None,
    write,
};

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    let diagram = zdd::build(problem, limits)?;
    diagram.to_nnf_within(limits).map_err(Unwritten::limited)
}
