//! Sets of integers: how many subfamilies contain each of 0 to 6 exactly once?

use dlx::{BuildError, Problem};

fn main() -> Result<(), BuildError> {
    let sets = [vec![2, 4], vec![0, 3, 6], vec![1, 2, 5], vec![0, 3, 5], vec![1, 6], vec![3, 4, 6]];
    let problem = Problem::from_sets(7, sets)?;
    println!("{} exact cover", dlx::count(&problem));
    for cover in dlx::solutions(&problem) {
        let sets: Vec<_> =
            cover.iter().map(|&option| format!("{{{}}}", problem.show(option))).collect();
        println!("{}", sets.join(" "));
    }
    Ok(())
}
