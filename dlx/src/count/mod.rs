//! Counting covers without enumerating them: exact at any size.
#![allow(dead_code, unused_imports, reason = "the parts come one after the other")]

mod symmetry;
mod watch;
mod weighted;

pub(crate) use watch::{Cut, Watch};
pub(crate) use weighted::{Parts, Weighted};
