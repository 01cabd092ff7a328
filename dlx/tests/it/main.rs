//! Integration tests in one binary: engines, counts, diagrams and estimates against the oracle on
//! random problems, and the examples.

mod agree;
mod cheapest;
mod count;
mod cpog;
mod diagram;
mod estimate;
mod events;
mod examples;
mod exchange;
mod explain;
mod find;
mod lazy;
mod methods;
mod proof;
mod random;
mod samples;
#[cfg(feature = "serde")]
mod serial;
mod shards;
mod squares;
mod threads;
