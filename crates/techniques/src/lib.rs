//! The named solving techniques of Sudoku players.
//!
//! [`find`] returns the easiest steps of a position. Each step has the name that players use, a
//! score in tenths, its conclusion, the pattern to look at (houses, cells, chains) and the facts
//! that prove it ([`Step::truths`]), which [`is_proved`] checks with a plain search.
//!
//! # Method
//! Families of techniques ([`techniques`]) are searched from the easiest to the hardest. A search
//! stops when no family can have an easier step than those found. A family offers all its steps, so
//! the steps of the least score do not depend on the numbering of rows, columns and digits.
//!
//! # Scores
//! Scores follow Sudoku Explainer where it knows the technique; the others stand beside techniques
//! of similar difficulty for people, in an order close to HoDoKu's.
//!
//! # Bounds
//! A board has at most [`Layout::SIZE_MAX`] rows. Each file states the bound of its search.

mod almost_locked;
mod als;
mod bits;
mod board;
mod bug;
mod chains;
mod check;
mod colouring;
mod exocet;
mod fireworks;
mod fish;
mod forcing;
mod intersections;
mod layout;
mod links;
mod msls;
mod nets;
mod rectangles;
mod search;
mod sectors;
mod singles;
mod sk_loop;
mod step;
mod subsets;
mod sue_de_coq;
mod technique;
mod templates;
mod tridagon;
mod turbot;
mod wings;
mod words;

pub use self::bits::{Cells, Digits};
pub use self::board::{Board, Candidate};
pub use self::check::is_proved;
pub use self::layout::{House, HouseKind, Layout};
pub use self::search::{Search, Settings, find, find_only};
pub use self::step::{Chain, Group, Inference, Net, Node, Part, Step, Truth};
pub use self::technique::{Technique, by_name, techniques};
pub use self::words::{Words, join};

/// Tests the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
