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
//! # Bounds
//! A group has at most [`ORDER_MAX`] symmetries and as many images of options as [`IMAGES_MAX`].

mod fixed;
mod starts;

use std::sync::Arc;

use num_bigint::BigUint;

pub use self::starts::ClassStarts;
use crate::count::Counter;
use crate::limits::Limits;
use crate::parallel::Cores;
use crate::search::{End, Report};
pub use crate::symmetries::{GroupFault, IMAGES_MAX, ORDER_MAX, Symmetry, SymmetryGroup};

/// How many covers the symmetries of a class of conjugates leave unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FixedCount {
    /// The number of symmetries in the class.
    pub symmetries: usize,
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
        let order = BigUint::from(self.order());
        let (mut sum, mut fixed) = (BigUint::ZERO, Vec::new());
        let (mut nodes, mut updates) = (0, 0);
        let mut end = End::Exhausted;
        for (symmetry, symmetries) in self.conjugates() {
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

#[cfg(test)]
mod tests;
