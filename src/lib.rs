//! Solves, counts and compares exact-cover puzzles.
