//! Records of comparisons as arbitrary input.

use compare::{Comparison, export, html};

use super::Target;

pub(super) const TARGET: Target = Target {
    name: "record",
    summary: "records of comparisons (JSON) as input, with pages and tables of them",
    run,
    seeds,
    short_runs: 10_000,
};

fn seeds() -> Vec<Vec<u8>> {
    vec![include_bytes!("../../record.json").to_vec()]
}

/// Reads a record, writes it again, and draws all its plots.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(comparison) = Comparison::from_record(text) else { return };
    let written = comparison.to_record();
    let again = Comparison::from_record(&written).expect("what was written can be read");
    assert_eq!(again.to_record(), written);
    let page = html(&comparison);
    assert!(page.ends_with("</html>\n"));
    assert!(!page.contains("<script>alert"), "names are escaped");
    let _ = comparison.changes_since(&again);
    export_all(&comparison);
}

fn export_all(comparison: &Comparison) {
    let _ = export::csv(comparison);
    let _ = export::markdown(comparison);
}
