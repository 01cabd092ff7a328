//! Any exact cover.
use super::Puzzle;
use crate::input::InputError;
/// A text form.
#[derive(Debug)]
pub struct Form {
    /// name
    pub name: &'static str,
    /// summary
    pub summary: &'static str,
    /// example
    pub example: &'static str,
    /// read
    pub read: Option<fn(&str) -> Result<dlx::Problem, InputError>>,
    /// write
    pub write: fn(&dlx::Problem, &mut String) -> Result<(), String>,
}
/// forms
pub const FORMS: &[Form] = &[];
/// puzzle
pub fn puzzle(_p: dlx::Problem) -> Box<dyn Puzzle> {
    unreachable!()
}
