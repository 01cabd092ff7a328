//! Views of a comparison: tables, pages, plots, and exports.
//!
//! All of them need only the plain data of a [`Comparison`](crate::Comparison).

pub mod export;
mod html;
pub mod plot;
pub mod show;
mod table;

pub use self::html::html;
