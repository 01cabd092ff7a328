//! Takes covers while the solver continues to search, under a time limit, with a given option, on
//! two threads.

use std::time::Duration;

use dlx::{BuildError, Limits, OptionId, Problem};

fn main() -> Result<(), BuildError> {
    // Each pair of 12 people is an option. There are 10395 ways to form six pairs, and 945 with a
    // given pair.
    let pairs = (0..12).flat_map(|one| (0..one).map(move |other| [one, other]));
    let problem = Problem::from_sets(12, pairs)?;

    let limits = Limits::new().within(Duration::from_secs(60));
    let mut covers = dlx::solutions(&problem).given(&[OptionId::new(0)]).limits(limits).threads(2);
    for cover in covers.by_ref().take(500) {
        assert_eq!(cover.len(), 6);
    }
    println!("{} more", covers.by_ref().count());
    println!("{:?}", covers.report().map(|report| (report.solutions, report.end)));
    Ok(())
}
