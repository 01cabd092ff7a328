//! The way from filled cells to an exact cover: the options besides those of cells follow from these.
//!
//! Each primary item that the options of cells leave has the options that cover it; of these one alone fits, or does so once those
//! of other items were taken. The options of each item are told once for a puzzle, so that a solution costs a look at
//! what it leaves, not at all options.

use dlx::{Color, ItemId, OptionId, Problem};

/// The options besides those of cells, by the primary items that they cover.
#[derive(Debug)]
pub(super) struct Completion(Vec<(ItemId, Vec<OptionId>)>);

impl Completion {
    /// Sorts the options behind the first ones, which are those of cells.
    pub(super) fn new(problem: &Problem, placements: usize) -> Self {
        let mut options_of: Vec<Vec<OptionId>> = vec![Vec::new(); problem.item_count()];
        for option in problem.options().skip(placements) {
            for entry in problem.option(option).iter().filter(|entry| problem.is_primary(entry.item)) {
                options_of[entry.item.index()].push(option);
            }
        }
        let options = problem.items().zip(options_of).filter(|(_, options)| !options.is_empty());
        Self(options.collect())
    }

    /// Adds to options that fill all cells those that follow.
    pub(super) fn complete(&self, problem: &Problem, cover: &mut Vec<OptionId>) {
        // The color of each item that is covered, if it has one.
        let mut covered: Vec<Option<Option<Color>>> = vec![None; problem.item_count()];
        let take = |covered: &mut Vec<Option<Option<Color>>>, option: OptionId| {
            for entry in problem.option(option) {
                covered[entry.item.index()] = Some(entry.color);
            }
        };
        cover.iter().for_each(|&option| take(&mut covered, option));
        let fits = |covered: &[Option<Option<Color>>], option: OptionId| {
            problem.option(option).iter().all(|entry| match covered[entry.item.index()] {
                None => true,
                Some(color) => color.is_some() && color == entry.color,
            })
        };
        // Walks go on from state to state in the order of their items, so that one round is mostly enough.
        let mut left: Vec<usize> = (0..self.0.len()).collect();
        loop {
            let before = left.len();
            left.retain(|&index| {
                let (item, options) = &self.0[index];
                if covered[item.index()].is_none() {
                    let mut fitting = options.iter().filter(|&&option| fits(&covered, option));
                    if let (Some(&option), None) = (fitting.next(), fitting.next()) {
                        take(&mut covered, option);
                        cover.push(option);
                    }
                }
                covered[item.index()].is_none()
            });
            if left.is_empty() {
                return;
            }
            if left.len() == before {
                // Walks from several states may need more than a look ahead.
                let whole = dlx::engine::Links::new(problem).into_solutions(cover).next();
                *cover = whole.expect("filled cells have one cover");
                return;
            }
        }
    }
}
