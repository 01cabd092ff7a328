//! Decision diagrams as arbitrary input.

use dlx::diagram::Diagram;
use puzzle::cover::zdd;

use super::Target;

pub(super) const TARGET: Target =
    Target { name: "zdd", summary: "decision diagrams as input", run, seeds, short_runs: 20_000 };

fn seeds() -> Vec<Vec<u8>> {
    let texts =
        ["4 2 B T\n6 1 4 T\n.\nx2 = a b:red\n", "2 1 B T\n.\nx1 = a b\nx2 = b\n", "T\n.\n", "B\n.\n"];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}

/// Reads a decision diagram, and runs all queries on it.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let read = zdd::read(text);
    let Ok(diagram) = Diagram::from_text(text) else {
        assert!(read.is_err(), "what is no diagram is not read as one");
        return;
    };
    let count = diagram.count();
    let few: Vec<Vec<dlx::OptionId>> = diagram.covers().take(200).collect();
    for (number, cover) in (0_u32..).zip(&few) {
        assert_eq!(diagram.unrank(&number.into()).as_ref(), Some(cover));
        assert_eq!(diagram.rank(cover), Some(number.into()));
    }
    if few.len() < 200 {
        assert_eq!(count, few.len().into());
        let counts = diagram.counts();
        for &option in diagram.options() {
            let expected = few.iter().filter(|cover| cover.contains(&option)).count();
            assert_eq!(counts[option.index()], expected.into());
        }
    }
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        state
    };
    let sample = diagram.sample(&mut random);
    assert_eq!(sample.is_some(), !few.is_empty());
    assert!(sample.is_none_or(|cover| diagram.rank(&cover).is_some_and(|number| number < count)));
    let written = diagram.to_text();
    let again = Diagram::from_text(&written).expect("what was written can be read");
    assert_eq!((again.count(), again.to_text()), (count, written));
    if let Ok((again, problem)) = read {
        assert_eq!(again.count(), diagram.count());
        assert!(problem.option_count() >= diagram.options().len());
    }
}
