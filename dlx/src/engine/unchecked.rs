//! Access to slices without bounds checks, for the hot loops of the engines.
//!
//! The checks come back with debug assertions, and with `--cfg checked` in any build.
#![allow(unsafe_code, reason = "unchecked access; each caller says why it stays within the slice")]

/// Returns `slice[index]`, which is checked only with `--cfg checked` or debug assertions.
///
/// # Safety
/// `index` must be less than the length.
#[inline(always)]
pub(crate) unsafe fn get<T>(slice: &[T], index: usize) -> &T {
    debug_assert!(index < slice.len(), "the index is within the slice");
    #[cfg(checked)]
    return &slice[index];
    // SAFETY: the caller keeps the index within the slice.
    #[cfg(not(checked))]
    unsafe {
        slice.get_unchecked(index)
    }
}

/// Returns `slice[index]` to write to; likewise.
///
/// # Safety
/// `index` must be less than the length.
#[inline(always)]
pub(crate) unsafe fn get_mut<T>(slice: &mut [T], index: usize) -> &mut T {
    debug_assert!(index < slice.len(), "the index is within the slice");
    #[cfg(checked)]
    return &mut slice[index];
    // SAFETY: the caller keeps the index within the slice.
    #[cfg(not(checked))]
    unsafe {
        slice.get_unchecked_mut(index)
    }
}

/// Returns `slice[start..end]`; likewise.
///
/// # Safety
/// `start` must not exceed `end`, nor that the length.
#[inline(always)]
pub(crate) unsafe fn slice<T>(slice: &[T], start: usize, end: usize) -> &[T] {
    debug_assert!(start <= end, "the range is not upside down");
    debug_assert!(end <= slice.len(), "the range is within the slice");
    #[cfg(checked)]
    return &slice[start..end];
    // SAFETY: the caller keeps the range within the slice.
    #[cfg(not(checked))]
    unsafe {
        slice.get_unchecked(start..end)
    }
}
