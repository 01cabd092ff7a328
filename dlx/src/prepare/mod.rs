//! Prepares a problem for a search: reduces it and splits it into independent parts.

pub(crate) mod components;
mod parts;
pub(crate) mod reduce;

pub(crate) use components::Components;
pub(crate) use parts::{Parts, Weighted};
pub(crate) use reduce::{Reduction, reduce};
