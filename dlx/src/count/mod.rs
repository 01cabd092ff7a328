//! Counting covers without enumerating them: exact at any size.
#![allow(dead_code, reason = "the parts come one after the other")]

pub mod estimate;
mod frontier;
mod layout;
mod order;
mod random;
pub mod trace;
mod watch;
mod weighted;

pub(crate) use watch::{Cut, Watch};
pub(crate) use weighted::{Parts, Weighted};
