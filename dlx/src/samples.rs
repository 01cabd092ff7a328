//! Problems for the tests of several modules.

use crate::{Problem, ProblemBuilder};

/// Parts of so many items in a row, to be covered one by one or in neighboring pairs: a cover for
/// each composition.
pub(crate) fn rows(counts: &[usize]) -> Problem {
    let mut builder = ProblemBuilder::new();
    for (row, &count) in counts.iter().enumerate() {
        let item = |index| builder.primary(&format!("{row}.{index}")).unwrap();
        let items: Vec<_> = (0..count).map(item).collect();
        for index in 0..count {
            builder.option([items[index]]).unwrap();
            if let Some(&next) = items.get(index + 1) {
                builder.option([items[index], next]).unwrap();
            }
        }
    }
    builder.build()
}
