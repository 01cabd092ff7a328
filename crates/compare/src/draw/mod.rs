//! Comparisons as people see them: tables, pages, plots, and texts for other programs.
//!
//! All of it needs only the plain data of a [`Comparison`](crate::Comparison).

pub mod export;
mod html;
pub mod plot;
pub mod show;
mod table;

pub use self::html::html;
