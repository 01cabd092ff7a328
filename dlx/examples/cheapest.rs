//! The cheapest crew schedule: each flight has one crew, and each roster has a price.

use dlx::{BuildError, Limits, ProblemBuilder, cheapest};

fn main() -> Result<(), BuildError> {
    let mut builder = ProblemBuilder::new();
    let flights =
        ["OSL-CDG", "CDG-LIS", "LIS-CDG", "CDG-OSL"].map(|name| builder.primary(name).expect("new"));
    for (roster, cost) in
        [(&[0, 1][..], 9), (&[2, 3], 9), (&[0, 3], 5), (&[1, 2], 6), (&[0, 1, 2, 3], 13)]
    {
        builder.option_with_cost(roster.iter().map(|&flight| flights[flight]), cost)?;
    }
    let problem = builder.build();
    let best = cheapest::search(&problem, &[], 2, &Limits::new());
    for cover in &best.covers {
        let rosters: Vec<_> =
            cover.options.iter().map(|&option| problem.show(option).to_string()).collect();
        println!("{}: {}", cover.cost, rosters.join("; "));
    }
    Ok(())
}
