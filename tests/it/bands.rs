//! The engine `bands`, which counts the solutions of plain Sudoku band by band.

use dlx::{End, Limits};
use farandole::algorithm;

#[test]
fn the_engine_named_bands_only_counts_plain_sudoku_grids() {
    let spec = algorithm::by_name("bands").expect("an algorithm");
    let sudoku = farandole::kinds::by_name("sudoku").expect("a kind").parameter.expect("empty grids");
    let make =
        |size: &str| (sudoku.make)(size, &mut Default::default(), &Default::default()).expect("a size");
    let (small, empty) = (make("2x2"), make("3x3"));
    let no_limits = Limits::default();
    assert!(spec.build().count(small.as_ref(), &no_limits).is_err());
    assert!(spec.build().count(empty.as_ref(), &Limits::new().solutions(2)).is_err());
    assert!(spec.build().search(empty.as_ref(), &no_limits, &mut |_| unreachable!()).is_err());
    let report = spec.build().count(empty.as_ref(), &no_limits).expect("plain Sudoku");
    assert_eq!(
        (report.end, report.total().to_string()),
        (End::Exhausted, "6670903752021072936960".into())
    );
}
