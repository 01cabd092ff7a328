//! Covers up to symmetry: the number of classes, and one cover of each class.
//!
//! A [`Symmetry`] is a permutation of the options that maps covers to covers, for example a
//! reflection of a board. Two covers are in the same class if a symmetry of the group maps one to
//! the other.
//!
//! [`SymmetryGroup::count`] uses Burnside's lemma: the number of classes is the average number of
//! covers that a symmetry leaves unchanged. The unchanged covers are the covers of a smaller
//! problem (`fixed.rs`), which a [`Counter`] counts once per conjugacy class.
//! [`SymmetryGroup::is_least`] decides whether a cover is the least of its class, so a search lists
//! each class once without storing covers. [`SymmetryGroup::starts`] reduces a search for one cover
//! per class.
//!
//! A group that is too large to list, such as the 6 * 7!^3 symmetries of Latin squares of order 7,
//! is given by one symmetry per conjugacy class ([`ConjugateClasses`]), which suffices for
//! counting.
//!
//! # Bounds
//! A group has at most [`ORDER_MAX`] symmetries, and at most [`IMAGES_MAX`] images of options in
//! total.

mod fixed;
mod starts;

use std::sync::Arc;

use num_bigint::BigUint;

pub use self::starts::ClassStarts;
use crate::count::Counter;
use crate::limits::{Limits, Pace};
use crate::model::Problem;
use crate::parallel::Cores;
use crate::search::{End, Report};
pub use crate::symmetries::{GroupFault, IMAGES_MAX, ORDER_MAX, Symmetry, SymmetryGroup};

/// The number of covers that each symmetry of a conjugacy class leaves unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FixedCount {
    /// The number of symmetries in the conjugacy class.
    pub symmetries: u64,
    /// The number of covers that each symmetry of the class leaves unchanged.
    pub covers: BigUint,
}

/// The number of classes of covers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClassCount {
    /// The report of the count. If the count was interrupted, its total is a lower bound.
    pub report: Report,
    /// The counts of unchanged covers for each conjugacy class, the identity first.
    pub fixed: Vec<FixedCount>,
}

impl SymmetryGroup {
    /// Counts the classes of the covers that contain the given options of this group. Returns
    /// `None` if the unchanged covers of a symmetry would need too many problems, which happens
    /// only with many items with bounds.
    ///
    /// ```
    /// use dlx::classes::{Symmetry, SymmetryGroup};
    /// use dlx::{Limits, OptionId, parallel::Cores};
    ///
    /// // Dominoes on a square: its half turn exchanges the first two options, and the last two.
    /// let problem: dlx::Problem = "a b c d\na b\nc d\na c\nb d\n".parse()?;
    /// let half_turn = Symmetry::new([1, 0, 3, 2].map(OptionId::new).to_vec()).expect("a permutation");
    /// let diagonal = Symmetry::new([2, 3, 0, 1].map(OptionId::new).to_vec()).expect("a permutation");
    /// let both = Symmetry::new([3, 2, 1, 0].map(OptionId::new).to_vec()).expect("a permutation");
    /// let limits = Limits::new();
    /// let group = SymmetryGroup::new(problem, &[], vec![half_turn, diagonal, both], &limits)?;
    /// assert_eq!(group.order(), 4);
    /// let counted = group.count(&Cores::new(0), &limits).expect("there are no bounds");
    /// assert_eq!(counted.report.count(), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn count(&self, cores: &Arc<Cores>, limits: &Limits) -> Option<ClassCount> {
        let conjugates = self.conjugates().map(|(symmetry, count)| (symmetry, count as u64));
        self.count_over(conjugates, BigUint::from(self.order()), cores, limits)
    }

    /// Counts the classes under a group of the given order. `conjugates` yields one symmetry per
    /// conjugacy class with the size of the class.
    fn count_over<'s>(
        &self,
        conjugates: impl Iterator<Item = (&'s Symmetry, u64)>,
        order: BigUint,
        cores: &Arc<Cores>,
        limits: &Limits,
    ) -> Option<ClassCount> {
        let (mut sum, mut fixed) = (BigUint::ZERO, Vec::new());
        let (mut nodes, mut updates) = (0, 0);
        let mut end = End::Exhausted;
        for (symmetry, symmetries) in conjugates {
            let mut covers = BigUint::ZERO;
            let problems = match self.fixed_problems(symmetry, limits) {
                Ok(problems) => problems?,
                Err(limit) => {
                    end = End::Limit(limit);
                    break;
                }
            };
            for (problem, given) in problems {
                let report = Counter::new(problem).on(cores).count(&given, limits);
                covers += report.total();
                (nodes, updates) = (nodes + report.nodes, updates + report.updates);
                end = report.end;
                if end != End::Exhausted {
                    break;
                }
            }
            sum += &covers * symmetries;
            fixed.push(FixedCount { symmetries, covers });
            if end != End::Exhausted {
                break;
            }
        }
        debug_assert!(
            end != End::Exhausted || &sum % &order == BigUint::ZERO,
            "a number of classes is whole"
        );
        // A class has at most as many covers as there are symmetries, so rounding up gives a lower
        // bound if the count was interrupted.
        let classes = (sum + &order - 1u32) / order;
        let report = Report { nodes, updates, ..Report::counted(end, classes) };
        Some(ClassCount { report, fixed })
    }
}

/// A group of symmetries that is too large to list, given by one symmetry per conjugacy class.
#[derive(Clone, Debug)]
pub struct ConjugateClasses {
    alone: SymmetryGroup,
    classes: Vec<(Symmetry, u64)>,
}

impl ConjugateClasses {
    /// Takes one symmetry per conjugacy class of a group, with the size of the class. One entry may
    /// also represent several classes if their symmetries leave equally many covers unchanged. The
    /// classes and their sizes are not checked, because the group may have any size.
    ///
    /// # Errors
    /// If some permutations are not symmetries of the problem, there are too many images, the
    /// identity does not occur exactly once, or a limit is reached.
    pub fn new(
        problem: impl Into<Arc<Problem>>,
        classes: Vec<(Symmetry, u64)>,
        limits: &Limits,
    ) -> Result<Self, GroupFault> {
        let alone = SymmetryGroup::new(problem, &[], Vec::new(), limits)?;
        if classes.len().saturating_mul(alone.problem.option_count()) > IMAGES_MAX {
            return Err(GroupFault::TooLarge);
        }
        let mut pace = Pace::new(limits);
        let mut symmetries = classes.iter().map(|(symmetry, _)| symmetry);
        if !alone.have_images(&mut symmetries, &mut pace)? {
            return Err(GroupFault::OptionCount);
        }
        let changes_nothing = |(symmetry, count): &(Symmetry, u64)| {
            *count == 1 && alone.problem.options().all(|option| symmetry.image(option) == option)
        };
        let is_some = classes.iter().all(|&(_, count)| count > 0);
        if !is_some || classes.iter().filter(|class| changes_nothing(class)).count() != 1 {
            return Err(GroupFault::NotClosed);
        }
        Ok(Self { alone, classes })
    }

    /// Returns the number of symmetries.
    #[must_use]
    pub fn order(&self) -> BigUint {
        self.classes.iter().map(|&(_, count)| BigUint::from(count)).sum()
    }

    /// Counts the classes of covers, like [`SymmetryGroup::count`].
    ///
    /// ```
    /// use dlx::classes::{ConjugateClasses, Symmetry};
    /// use dlx::{Limits, OptionId, parallel::Cores};
    ///
    /// // Three people on three chairs, up to permutations of people. The conjugacy classes are the
    /// // identity, the three transpositions and the two rotations.
    /// let problem: dlx::Problem = "a b c 1 2 3\na 1\na 2\na 3\nb 1\nb 2\nb 3\nc 1\nc 2\nc 3\n".parse()?;
    /// let people = |images: [usize; 3]| {
    ///     let option = |person: usize, chair| OptionId::new(3 * person + chair);
    ///     let all = (0..9).map(|number| option(images[number / 3], number % 3));
    ///     Symmetry::new(all.collect()).expect("a permutation")
    /// };
    /// let classes = vec![(people([0, 1, 2]), 1), (people([1, 0, 2]), 3), (people([1, 2, 0]), 2)];
    /// let classes = ConjugateClasses::new(problem, classes, &Limits::new())?;
    /// let counted = classes.count(&Cores::new(0), &Limits::new()).expect("there are no bounds");
    /// assert_eq!(counted.report.count(), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn count(&self, cores: &Arc<Cores>, limits: &Limits) -> Option<ClassCount> {
        let conjugates = self.classes.iter().map(|(symmetry, count)| (symmetry, *count));
        self.alone.count_over(conjugates, self.order(), cores, limits)
    }
}

#[cfg(test)]
mod tests;
