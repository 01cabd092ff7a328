//! Covers up to symmetry: how many classes there are, and one cover of each.
//!
//! A [`Symmetry`] is a permutation of the options that maps covers to covers, such as a reflection of a board does. Two covers
//! are of one class if a symmetry of a group maps one to the other.
//!
//! [`SymmetryGroup::count`] needs no list of covers. By Burnside's lemma (Cauchy, Frobenius) there are as many classes as a
//! symmetry leaves covers unchanged on the average. The covers that a symmetry leaves unchanged are those of a smaller
//! problem (`fixed.rs`), which a [`Counter`] counts; symmetries that are conjugate have equally many, so one of them is enough.
//! [`SymmetryGroup::is_least`] tells whether a cover is the first of its class, so that a search which goes through all
//! covers shows each class once, without memory. [`SymmetryGroup::starts`] spares a search most of the covers that are like others.
//!
//! A group that is too large to be listed, such as the 6 * 7!^3 symmetries of Latin squares of order 7, is given by one symmetry of
//! each class of conjugates ([`ConjugateClasses`]): that is all that a count needs.
//!
//! # Bounds
//! A group has at most [`ORDER_MAX`] symmetries and as many images of options as [`IMAGES_MAX`].

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

/// How many covers the symmetries of a class of conjugates leave unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FixedCount {
    /// The number of symmetries in the class.
    pub symmetries: u64,
    /// The number of covers that each of them leaves unchanged.
    pub covers: BigUint,
}

/// How many classes of covers there are.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClassCount {
    /// The count of classes: its total is at least known to be reached if it did not come to its end.
    pub report: Report,
    /// What was counted for each class of conjugate symmetries, the one that changes nothing first.
    pub fixed: Vec<FixedCount>,
}

impl SymmetryGroup {
    /// Counts the classes of the covers that contain the given options of this group; `None` if the covers that a symmetry
    /// leaves unchanged are no problem of moderate size, which only many bounds that go with each other bring about.
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

    /// Counts the classes under a group of that order, of which these are one symmetry of each class of conjugates and how many
    /// these are.
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
        // Where the count was cut short: each class has at most as many covers as there are symmetries.
        let classes = (sum + &order - 1u32) / order;
        let report = Report { nodes, updates, ..Report::counted(end, classes) };
        Some(ClassCount { report, fixed })
    }
}

/// The symmetries of a problem that form a group which is too large to be listed: one of each class of conjugates.
#[derive(Clone, Debug)]
pub struct ConjugateClasses {
    /// The problem with the group of the one symmetry that changes nothing.
    alone: SymmetryGroup,
    /// A symmetry of each class, and how many these are.
    classes: Vec<(Symmetry, u64)>,
}

impl ConjugateClasses {
    /// Takes one symmetry of each class of conjugates of a group, with the number of symmetries in its class; one may also stand for
    /// several classes if it is known that their symmetries leave equally many covers unchanged. That this is so is not looked at, as
    /// the group may be of any size.
    ///
    /// # Errors
    /// If some are no symmetries of the problem or have too many images, or the one that changes nothing is not there once; or a
    /// limit was reached.
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

    /// Counts the classes of covers, as [`SymmetryGroup::count`] does.
    ///
    /// ```
    /// use dlx::classes::{ConjugateClasses, Symmetry};
    /// use dlx::{Limits, OptionId, parallel::Cores};
    ///
    /// // Three people on three chairs, up to all exchanges of people: the rotations are conjugate, and so are the exchanges of two.
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
