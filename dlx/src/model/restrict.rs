//! Restricts a problem to the covers that contain given options.
//!
//! [`Engine::search`](crate::search::Engine::search) accepts given options directly. A text for
//! another program (DLX, CNF, a matrix) must instead express them by items and options. The
//! restricted problem keeps all items and the given options, and drops the options that conflict
//! with a given option. The restricted problem forces the given options as follows:
//! - The lower bound of an item is raised to the number of given options that contain it. If the
//!   raised lower bound equals the upper bound, no other option of the restricted problem contains
//!   the item, so the item forces the given options.
//! - A given option gets a new primary item, `given1`, `given2`, ..., if it has no primary item, or
//!   none of its primary items is at its upper bound.
//!
//! Tried and dropped: lowering both bounds and removing the given options. The covers would not
//! contain the given options, and colors fixed by given options would need additional items.

use super::{Bounds, Color, Entry, ItemId, OptionId, Problem, ProblemBuilder};
use crate::trust::{Conflict, conflict};

/// A problem restricted to the covers that contain given options, as built by [`restrict`].
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct Restricted {
    /// The restricted problem. The original items keep their order, and the new items that force
    /// given options follow.
    pub problem: Problem,
    /// The original option of each option of the restricted problem, ascending.
    pub originals: Vec<OptionId>,
}

/// Builds the problem whose covers are the covers of `problem` that contain all options of `given`.
///
/// `given` is a set, and may contain options without primary items, which then belong to every
/// cover.
///
/// ```
/// use dlx::OptionId;
///
/// let problem: dlx::Problem = "a b c | x\na b x:1\nc x:1\nc x:2\na\nb c\n".parse()?;
/// let restricted = dlx::restrict(&problem, &[OptionId::new(0)]).expect("nothing conflicts");
/// assert_eq!(dlx::text::write(&restricted.problem), "a b c | x\na b x:1\nc x:1\n");
/// assert_eq!(restricted.originals, [0, 1].map(OptionId::new));
///
/// // `a b` alone does not rule out another option with `a`: an item of its own forces it.
/// let problem: dlx::Problem = "1:2|a 0:2|b\na b\na\nb\n".parse()?;
/// let restricted = dlx::restrict(&problem, &[OptionId::new(0)]).expect("nothing conflicts");
/// assert_eq!(dlx::text::write(&restricted.problem), "1:2|a 1:2|b given1\na b given1\na\nb\n");
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// The first conflict among the options of `given`: no cover contains them all.
///
/// # Panics
/// If an option of `given` does not belong to the problem, or the restricted problem would exceed
/// 2^31 - 1 records.
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub fn restrict(problem: &Problem, given: &[OptionId]) -> Result<Restricted, Conflict> {
    restrict_sieved(problem, given, &[])
}

/// Restricts a problem like [`restrict`], but also drops the options of `without`. Returns `None`
/// if the given options conflict or one of them is in `without`.
///
/// # Panics
/// As [`restrict`], and if an option of `without` does not belong to the problem.
pub(crate) fn restrict_to(
    problem: &Problem,
    given: &[OptionId],
    without: &[OptionId],
) -> Option<Restricted> {
    let mut is_without = vec![false; problem.option_count()];
    without.iter().for_each(|option| is_without[option.index()] = true);
    if given.iter().any(|option| is_without[option.index()]) {
        return None;
    }
    restrict_sieved(problem, given, &is_without).ok()
}

/// Restricts a problem to the covers that contain all options of `given` and no option marked in
/// `is_without`.
fn restrict_sieved(
    problem: &Problem,
    given: &[OptionId],
    is_without: &[bool],
) -> Result<Restricted, Conflict> {
    const SOUND: &str = "a part of a sound problem is sound";
    let mut is_given = vec![false; problem.option_count()];
    let mut distinct = given.to_vec();
    distinct.retain(|option| !std::mem::replace(&mut is_given[option.index()], true));
    if let Some(conflict) = conflict(problem, &distinct) {
        return Err(conflict);
    }

    // Per item, the number of given options that contain it, and their color for it.
    let mut counts = vec![0_u32; problem.item_count()];
    let mut colors: Vec<Option<Color>> = vec![None; problem.item_count()];
    for entry in distinct.iter().flat_map(|&option| problem.option(option)) {
        counts[entry.item.index()] += 1;
        colors[entry.item.index()] = entry.color;
    }
    let is_full = |item: ItemId| problem.bounds(item).is_some_and(|b| counts[item.index()] >= b.high);
    let fits = |entry: &Entry| match problem.bounds(entry.item) {
        Some(_) => !is_full(entry.item),
        None => {
            let color = colors[entry.item.index()];
            counts[entry.item.index()] == 0 || (color.is_some() && color == entry.color)
        }
    };

    let mut builder = ProblemBuilder::new();
    for item in problem.items() {
        let name = problem.item_name(item);
        let new = match problem.bounds(item) {
            Some(Bounds { low, high }) => builder.bounded(name, low.max(counts[item.index()]), high),
            None => builder.secondary(name),
        };
        new.expect(SOUND);
    }
    for index in 0..problem.color_count() {
        builder.color(problem.color_name(Color::new(index))).expect(SOUND);
    }
    let mut names = (1_u64..).map(|number| format!("given{number}"));
    let mut originals = Vec::new();
    for option in problem.options() {
        let entries = problem.option(option);
        let mut forcing = None;
        if is_given[option.index()] {
            if !entries.iter().any(|entry| is_full(entry.item)) {
                let name = names.find(|name| problem.item_by_name(name).is_none());
                let name = name.expect("there are more names than items");
                forcing = Some(builder.primary(&name).expect("the limit of records is documented"));
            }
        } else if is_without.get(option.index()) == Some(&true) || !entries.iter().all(fits) {
            continue;
        }
        let all = entries.iter().copied().chain(forcing.map(Entry::from));
        let new = builder.option(all).expect("the limit of records is documented");
        builder.set_cost(new, problem.cost(option));
        originals.push(option);
    }
    Ok(Restricted { problem: builder.build(), originals })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::engine::ENGINES;
    use crate::limits::Limits;
    use crate::model::text;
    use crate::numbers::Random;

    /// Returns the covers that contain `given`, each as a sorted list of options.
    fn covers(
        spec: &crate::search::EngineSpec,
        problem: &Problem,
        given: &[OptionId],
    ) -> Vec<Vec<OptionId>> {
        let mut covers = Vec::new();
        let mut engine = (spec.build)(problem).unwrap();
        engine.search(given, &Limits::default(), &mut |cover| {
            let mut cover = cover.to_vec();
            cover.sort();
            covers.push(cover);
            ControlFlow::Continue(())
        });
        covers.sort();
        covers
    }

    fn check(problem: &str, given: &[usize], expected: &str) {
        let problem: Problem = problem.parse().unwrap();
        let given: Vec<_> = given.iter().copied().map(OptionId::new).collect();
        let restricted = check_covers(&problem, &given).expect("nothing conflicts");
        assert_eq!(text::write(&restricted.problem), expected);
    }

    fn check_covers(problem: &Problem, given: &[OptionId]) -> Option<Restricted> {
        let restricted = restrict(problem, given);
        for spec in ENGINES.iter().filter(|spec| (spec.build)(problem).is_ok()) {
            let expected = covers(spec, problem, given);
            let found = match &restricted {
                Ok(Restricted { problem, originals }) => {
                    let original = |option: OptionId| originals[option.index()];
                    let back = |cover: Vec<_>| cover.into_iter().map(original).collect::<Vec<_>>();
                    covers(spec, problem, &[]).into_iter().map(back).collect()
                }
                Err(_) => Vec::new(),
            };
            let text = text::write(problem);
            assert_eq!(found, expected, "{} with {given:?} on\n{text}", spec.name);
        }
        restricted.ok()
    }

    #[test]
    fn restriction_drops_the_options_that_conflict_with_a_given_option() {
        check("a b c\na b\nc\na\nb c\n", &[2], "a b c\nc\na\nb c\n");
        check("a b | x\na x:1\nb x:2\nb x:1\nb x\nb\n", &[0], "a b | x\na x:1\nb x:1\nb\n");
        check("a b | x\na x |3\nb x |4\nb |5\n", &[0, 0], "a b | x\na x |3\nb |5\n");
    }

    #[test]
    fn a_given_option_gets_a_new_item_if_its_items_admit_other_options() {
        check("2|a\na\na\na\n", &[1], "2|a given1\na\na given1\na\n");
        check("2|a\na\na\na\n", &[0, 2], "2|a\na\na\n");
        check("0:1|a b\na\na b\nb\n", &[0], "a b\na\nb\n");
        check(
            "0:2|given1 0:2|b\nb\ngiven1\n",
            &[0, 1],
            "1:2|given1 1:2|b given2 given3\nb given2\ngiven1 given3\n",
        );
    }

    #[test]
    fn a_given_option_without_primary_items_is_forced_by_a_new_item() {
        check("a | x y\nx\na x\na y\n", &[0], "a given1 | x y\nx given1\na y\n");
    }

    #[test]
    fn conflicting_given_options_are_an_error() {
        let problem: Problem = "a b | x\na x:1\nb x:2\n".parse().unwrap();
        let conflict = restrict(&problem, &[0, 1].map(OptionId::new)).unwrap_err();
        assert_eq!(problem.item_name(conflict.item), "x");
    }

    #[test]
    fn restricted_covers_are_the_covers_with_the_given_options() {
        let mut random = Random::new(1);
        let (mut sound, mut nonempty) = (0, 0);
        for _ in 0..3000 {
            let problem = random_problem(&mut random);
            let count = random.below(4).min(problem.option_count());
            let given: Vec<_> =
                (0..count).map(|_| OptionId::new(random.below(problem.option_count()))).collect();
            if let Some(restricted) = check_covers(&problem, &given) {
                sound += 1;
                nonempty += u32::from(crate::solutions(&restricted.problem).next().is_some());
            }
        }
        assert!(sound > 1500, "most cases have no conflict: {sound}");
        assert!(nonempty > 300, "many cases have covers: {nonempty}");
    }

    /// Builds a small problem with bounds, secondary items, colors and idle options.
    fn random_problem(random: &mut Random) -> Problem {
        let mut builder = ProblemBuilder::new();
        let colors = ["red", "blue"].map(|name| builder.color(name).unwrap());
        let mut primary = Vec::new();
        for index in 0..1 + random.below(4) {
            let [low, more] = [random.below(2) as u32, random.below(2) as u32];
            let (low, high) = if random.below(2) == 0 { (1, 1) } else { (low, low + more) };
            primary.push(builder.bounded(&format!("p{index}"), low, high).unwrap());
        }
        let secondary: Vec<_> = (0..random.below(3))
            .map(|index| builder.secondary(&format!("s{index}")).unwrap())
            .collect();
        for _ in 0..1 + random.below(7) {
            let mut entries = Vec::new();
            entries
                .extend(primary.iter().filter(|_| random.below(5) < 2).map(|&item| Entry::from(item)));
            for &item in &secondary {
                match random.below(6) {
                    0 => entries.push(item.into()),
                    choice @ (1 | 2) => entries.push(item.with(colors[choice - 1])),
                    _ => {}
                }
            }
            if !entries.is_empty() {
                builder.option(entries).unwrap();
            }
        }
        builder.build()
    }
}
