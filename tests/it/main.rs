//! The integration tests, one binary: the command as a user meets it, the shipped puzzles with their counts,
//! and the formats. Those of the library alone are in `dlx/tests`.

mod algebra;
mod algorithms;
mod bands;
mod benchmarks;
mod canonical;
mod cheapest;
mod check;
mod clashes;
mod classes;
mod cli;
mod command;
mod compare;
mod count;
mod covers;
mod cut;
mod diagram;
mod estimate;
mod explain;
mod files;
mod formats;
mod generate;
mod golden;
mod grids;
mod journal;
mod json;
mod lanes;
#[cfg(target_os = "linux")]
mod limits;
mod lines;
mod load;
mod overlapping;
mod pages;
mod picture;
mod pictures;
mod proof;
mod questions;
mod scratch;
mod seeds;
mod shards;
mod sticks;
mod threads;
mod trace;
mod variant;
mod why;
mod xmpuzzle;
