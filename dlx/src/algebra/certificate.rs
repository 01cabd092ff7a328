//! The certificate of a refutation: a linear combination of items whose value no selection of
//! options can reach.
//!
//! Each item has an integer coefficient, and the value of an option is the sum of the coefficients
//! of its items. *With a modulus*, every option has the value 0, so every cover would have the
//! value 0; but the required number of covers of all items gives another value. *Without a
//! modulus*, the sum of the positive values of all options is less than the least value of a cover.
//!
//! [`Certificate::refutes`] checks only the options of the problem, independently of how the
//! combination was found. No combination of items is used without this check.

use std::fmt;

use super::system::{colored_items, live_options};
use crate::model::{Bounds, ItemId, Problem};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Certificate {
    pub(crate) terms: Vec<(ItemId, i64)>,
    /// The modulus, or `None` if values are compared as integers.
    pub(crate) modulus: Option<u64>,
}

impl Certificate {
    pub(crate) fn refutes(&self, problem: &Problem) -> bool {
        let mut coefficients = vec![0; problem.item_count()];
        self.terms.iter().for_each(|&(item, coefficient)| coefficients[item.index()] = coefficient);
        let mut options = live_options(problem).map(|option| {
            let terms = problem.option(option).iter().map(|entry| coefficients[entry.item.index()]);
            terms.map(i128::from).sum::<i128>()
        });
        let Some(least) = self.least(problem) else { return false };
        match self.modulus.map(i128::from) {
            Some(0) => false,
            Some(modulus) => options.all(|sum| sum % modulus == 0) && least % modulus != 0,
            None => options.map(|sum| sum.max(0)).sum::<i128>() < least,
        }
    }

    /// Returns the smallest value of a cover, or its exact value with a modulus. Returns `None` if
    /// the coefficient of some item gives no bound.
    fn least(&self, problem: &Problem) -> Option<i128> {
        let is_colored = colored_items(problem);
        let term = |&(item, coefficient): &(ItemId, i64)| {
            let times = match (problem.bounds(item), self.modulus) {
                (Some(Bounds { low, high }), Some(_)) => (low == high).then_some(low),
                (Some(Bounds { low, high }), None) => Some(if coefficient < 0 { high } else { low }),
                // A secondary item is covered at most once, unless several options give it the same
                // color.
                (None, None) => (coefficient < 0 && !is_colored[item.index()]).then_some(1),
                (None, Some(_)) => None,
            };
            times.map(|times| i128::from(times) * i128::from(coefficient))
        };
        self.terms.iter().map(term).sum()
    }

    /// Returns a line of text with up to [`SHOWN`] terms and the contradiction.
    pub(crate) fn show<'s>(&'s self, problem: &'s Problem) -> impl fmt::Display + 's {
        ShownCertificate { certificate: self, problem }
    }
}

const SHOWN: usize = 12;

struct ShownCertificate<'s> {
    certificate: &'s Certificate,
    problem: &'s Problem,
}

impl fmt::Display for ShownCertificate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { certificate: Certificate { terms, modulus }, problem } = *self;
        for (place, &(item, coefficient)) in terms.iter().take(SHOWN).enumerate() {
            let sign = if coefficient < 0 { "- " } else { "+ " };
            let sign = if place == 0 && coefficient > 0 { "" } else { sign };
            write!(f, "{}{sign}", if place == 0 { "" } else { " " })?;
            match coefficient.unsigned_abs() {
                1 => write!(f, "`{}`", problem.item_name(item))?,
                times => write!(f, "{times} `{}`", problem.item_name(item))?,
            }
        }
        if terms.len() > SHOWN {
            write!(f, " ... (of {} items)", terms.len())?;
        }
        let least = self.certificate.least(problem).unwrap_or_default();
        match modulus {
            Some(modulus) => {
                let least = least.rem_euclid(i128::from(*modulus));
                write!(f, " is 0 modulo {modulus} in each option, but {least} in a cover")
            }
            None => write!(f, " is at least {least} in a cover, and less in all selections of options"),
        }
    }
}
