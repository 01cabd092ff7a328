//! Integration tests of the public interface, checked with an independent oracle.

mod answers;
mod bands;
mod generate;
mod grids;
mod lanes;
mod oracle;
