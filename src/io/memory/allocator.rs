//! The program's allocator: the system's, with a count of the bytes in use and an answer where it
//! fails.
//!
//! A limit on memory is kept by estimates where a search can be foreseen, and here where it cannot:
//! once more bytes are in use than [`Guard::allow`] said, or the system has no more to give, a flag is
//! set that every phase looks at as it looks at the clock ([`dlx::Limits::full`]), so a command ends
//! with what is known. What the system refused is asked for once more after a reserve was given back,
//! so that there is room to end. Only if that fails too the program ends at once, with a line and the
//! exit code of a limit.
//!
//! Each thread counts for itself and adds to the common number when it is off by [`SLACK`], so counting
//! takes a few instructions and no thread waits for another. What a thread that ended had not added
//! yet, at most `SLACK`, is not made up for.
//!
//! Invariant: the common number is off by at most `SLACK` for each thread that there is or was.
#![allow(
    unsafe_code,
    reason = "an allocator is a promise to the compiler, as are calls of the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Write;
use std::ptr;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicPtr, Ordering::Relaxed};

/// The most bytes by which the count of a thread may be off.
const SLACK: isize = 1 << 18;
/// The bytes of the reserve: enough to print what is known.
const RESERVE: Layout = match Layout::from_size_align(8 << 20, 4096) {
    Ok(layout) => layout,
    Err(_) => panic!("the size is a multiple of the alignment"),
};

/// The bytes in use, and how many may be.
static IN_USE: AtomicIsize = AtomicIsize::new(0);
static ALLOWED: AtomicIsize = AtomicIsize::new(isize::MAX);
/// What is given back when the system has no more; null when it was, or is not there yet.
static SPARE: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
/// Set when memory is short.
static FULL: OnceLock<Arc<AtomicBool>> = OnceLock::new();

thread_local! {
    /// Bytes that this thread has taken and not yet added to the common number.
    static OWN: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator, counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Allocator;

/// Says how many bytes may be in use from now on, and returns the flag that is set when there are more,
/// or the system has no more.
pub(super) fn allow(bytes: usize) -> Arc<AtomicBool> {
    ALLOWED.store(isize::try_from(bytes).unwrap_or(isize::MAX), Relaxed);
    keep_reserve();
    Arc::clone(FULL.get_or_init(Arc::default))
}

/// Tells whether the flag is set.
pub(super) fn is_short() -> bool {
    FULL.get().is_some_and(|flag| flag.load(Relaxed))
}

/// Clears the flag if no more bytes are in use than may be.
pub(super) fn recover() {
    if IN_USE.load(Relaxed) <= ALLOWED.load(Relaxed) {
        keep_reserve();
        if let Some(flag) = FULL.get() {
            flag.store(false, Relaxed);
        }
    }
}

fn keep_reserve() {
    if SPARE.load(Relaxed).is_null() {
        // SAFETY: the size is not zero.
        let block = unsafe { System.alloc(RESERVE) };
        // Another thread may have been as quick.
        let kept = SPARE.compare_exchange(ptr::null_mut(), block, Relaxed, Relaxed);
        if kept.is_err() && !block.is_null() {
            // SAFETY: it was allocated just now, with this layout.
            unsafe { System.dealloc(block, RESERVE) };
        }
    }
}

fn tell_full() {
    if let Some(flag) = FULL.get() {
        flag.store(true, Relaxed);
    }
}

/// Counts `bytes` that are taken, or given back if they are less than 0.
#[inline(always)]
fn count(bytes: isize) {
    // While a thread ends its numbers are gone; then nothing is counted.
    let _ = OWN.try_with(|own| {
        let sum = own.get() + bytes;
        own.set(sum);
        if sum.unsigned_abs() > SLACK.unsigned_abs() {
            add(own);
        }
    });
}

#[cold]
fn add(own: &Cell<isize>) {
    let bytes = own.replace(0);
    if IN_USE.fetch_add(bytes, Relaxed) + bytes > ALLOWED.load(Relaxed) && bytes > 0 {
        tell_full();
    }
}

/// Gives the reserve back and asks once more; ends the program if that does not help.
#[cold]
fn refused(layout: Layout, again: impl FnOnce() -> *mut u8) -> *mut u8 {
    tell_full();
    let spare = SPARE.swap(ptr::null_mut(), Relaxed);
    if !spare.is_null() {
        // SAFETY: it was allocated with this layout, and nobody else has it: it was swapped for null.
        unsafe { System.dealloc(spare, RESERVE) };
        let block = again();
        if !block.is_null() {
            return block;
        }
    }
    // Formatting takes no memory, and standard error has no buffer.
    let _ = writeln!(std::io::stderr(), "out of memory: {} more bytes cannot be had", layout.size());
    signal_hook::low_level::exit(3)
}

// SAFETY: all is done by the system's allocator; counting neither allocates nor unwinds, for the
// numbers of a thread need no room and are not dropped.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: as for this function, the size of the layout must not be 0, which the caller promises.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() {
            // SAFETY: the layout is that of the call before, of which the caller promises the same.
            return refused(layout, || unsafe { System.alloc(layout) });
        }
        block
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: as for this function, the size of the layout must not be 0, which the caller promises.
        let block = unsafe { System.alloc_zeroed(layout) };
        if block.is_null() {
            // SAFETY: the layout is that of the call before, of which the caller promises the same.
            return refused(layout, || unsafe { System.alloc_zeroed(layout) });
        }
        block
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.cast_signed() - layout.size().cast_signed());
        // SAFETY: every block comes from `System`, by the functions of this file; the caller promises that this one
        // has that layout, and a size that is not 0 and does not overflow.
        let new = unsafe { System.realloc(block, layout, size) };
        if new.is_null() {
            // SAFETY: the size is that of the call, which the caller promises to be in range.
            let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
            // SAFETY: block, layout and size are those of the call before, which failed, so the block is still there.
            return refused(wanted, || unsafe { System.realloc(block, layout, size) });
        }
        new
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: every block comes from `System`, by the functions of this file; the caller promises that this one
        // has that layout and is not used again.
        unsafe { System.dealloc(block, layout) };
    }
}
