//! Access to slices without bounds checks, for the hot loops of the engines.
//!
//! Builds with debug assertions or with `--cfg checked` still check the bounds.
#![allow(unsafe_code, reason = "unchecked access; each caller says why it stays within the slice")]

/// Returns `slice[index]`, checked only with `--cfg checked` or debug assertions.
///
/// # Safety
/// `index` must be less than the length.
#[inline(always)]
pub(crate) unsafe fn get<T>(slice: &[T], index: usize) -> &T {
    debug_assert!(index < slice.len(), "the index is within the slice");
    #[cfg(checked)]
    return &slice[index];
    // SAFETY: the caller guarantees that `index` is less than the length.
    #[cfg(not(checked))]
    unsafe {
        slice.get_unchecked(index)
    }
}

/// Returns `slice[index]` for writing, checked only with `--cfg checked` or debug assertions.
///
/// # Safety
/// `index` must be less than the length.
#[inline(always)]
pub(crate) unsafe fn get_mut<T>(slice: &mut [T], index: usize) -> &mut T {
    debug_assert!(index < slice.len(), "the index is within the slice");
    #[cfg(checked)]
    return &mut slice[index];
    // SAFETY: the caller guarantees that `index` is less than the length.
    #[cfg(not(checked))]
    unsafe {
        slice.get_unchecked_mut(index)
    }
}

/// Returns `slice[start..end]`, checked only with `--cfg checked` or debug assertions.
///
/// # Safety
/// `start` must not exceed `end`, and `end` must not exceed the length.
#[inline(always)]
pub(crate) unsafe fn slice<T>(slice: &[T], start: usize, end: usize) -> &[T] {
    debug_assert!(start <= end, "the range is not upside down");
    debug_assert!(end <= slice.len(), "the range is within the slice");
    #[cfg(checked)]
    return &slice[start..end];
    // SAFETY: the caller guarantees that `start <= end <= slice.len()`.
    #[cfg(not(checked))]
    unsafe {
        slice.get_unchecked(start..end)
    }
}

/// Returns `slice[..at]` and `slice[at..]`, checked only with `--cfg checked` or debug assertions.
///
/// # Safety
/// `at` must not exceed the length.
#[inline(always)]
pub(crate) unsafe fn split_mut<T>(slice: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
    debug_assert!(at <= slice.len(), "the place is within the slice");
    #[cfg(checked)]
    return slice.split_at_mut(at);
    // SAFETY: the caller guarantees that `at` does not exceed the length.
    #[cfg(not(checked))]
    unsafe {
        slice.split_at_mut_unchecked(at)
    }
}
