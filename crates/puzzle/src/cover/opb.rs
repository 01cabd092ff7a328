//! OPB: linear constraints on 0/1 variables, for pseudo-Boolean solvers and the proof checker
//! VeriPB (write-only).
//!
//! Variable `xk` is option k, which a comment shows. An item is one equation, or one or two
//! inequalities if its bounds differ. Costs are the objective. The format has only `=` and `>=`, so
//! upper bounds use negative factors. All features are supported.

use dlx::trust::formula;
use dlx::{Limits, Problem};

use super::rules::unwritten;
use super::{Form, Unwritten};

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
    formula::opb(problem, &[], true, limits).map_err(|fault| unwritten(&fault))
}
