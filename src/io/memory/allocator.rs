//! The program's allocator: the system allocator with a count of the bytes in use and a fallback
//! when it fails.
//!
//! Where the memory need of a search is predictable, estimates enforce the memory limit. Elsewhere
//! the allocator sets a flag when the bytes in use exceed the limit of [`allow`], or when the
//! system refuses an allocation. Each phase checks the flag together with the clock
//! ([`dlx::Limits::full`]), so that the command ends with a partial result. A refused allocation is
//! retried after a reserve is released. If the retry fails, the program ends at once with a message
//! and the exit code of a limit.
//!
//! Each thread counts its own bytes and adds them to the shared count when they exceed [`SLACK`],
//! so counting takes a few instructions and needs no lock. When a thread ends, up to `SLACK` bytes
//! of its count may be lost.
//!
//! Invariant: the error of the shared count is at most `SLACK` per thread, including ended threads.
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

use crate::io::interrupt;

/// Largest error of the count of a thread (bytes).
const SLACK: isize = 1 << 18;
/// Minimum size of a block that is returned to the system when it is freed (bytes).
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 1 << 20;
/// Size and alignment of the memory reserve, which is large enough for printing a partial result.
const RESERVE: Layout = match Layout::from_size_align(8 << 20, 4096) {
    Ok(layout) => layout,
    Err(_) => panic!("the size is a multiple of the alignment"),
};

/// The bytes in use, and their limit.
static IN_USE: AtomicIsize = AtomicIsize::new(0);
static ALLOWED: AtomicIsize = AtomicIsize::new(isize::MAX);
/// The address of the reserve; null before the reserve is allocated and after it is released.
static SPARE: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
/// The flag that is set when memory is exhausted.
static FULL: OnceLock<Arc<AtomicBool>> = OnceLock::new();

thread_local! {
    /// Bytes that this thread has allocated and not yet added to the shared count.
    static OWN: Cell<isize> = const { Cell::new(0) };
}

/// The system allocator with a count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator;

/// Sets the limit of the bytes in use; returns the flag that is set when memory is exhausted.
pub(super) fn allow(bytes: usize) -> Arc<AtomicBool> {
    ALLOWED.store(isize::try_from(bytes).unwrap_or(isize::MAX), Relaxed);
    keep_reserve();
    Arc::clone(FULL.get_or_init(Arc::default))
}

/// Makes the system allocator return each block of [`LARGE`] or more bytes to the system when it is
/// freed. By default glibc keeps blocks of up to 32 MiB in its heaps, whose gaps can take as much
/// memory as the blocks in use. Other allocators need no call.
pub(super) fn keep_no_gaps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two numbers and is safe to call at any time.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

pub(super) fn is_short() -> bool {
    FULL.get().is_some_and(|flag| flag.load(Relaxed))
}

/// Clears the flag if the bytes in use are within the limit.
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
        // Another thread may have stored a reserve first.
        let kept = SPARE.compare_exchange(ptr::null_mut(), block, Relaxed, Relaxed);
        if kept.is_err() && !block.is_null() {
            // SAFETY: the block was just allocated with this layout.
            unsafe { System.dealloc(block, RESERVE) };
        }
    }
}

fn tell_full() {
    if let Some(flag) = FULL.get() {
        flag.store(true, Relaxed);
    }
}

/// Returns how many bytes a block of `size` bytes takes, with the header and the padding of glibc.
#[inline(always)]
fn held(size: usize) -> isize {
    (size.saturating_add(23) & !15).max(32).cast_signed()
}

/// Adds `bytes` to the count of this thread; negative for freed bytes.
#[inline(always)]
fn count(bytes: isize) {
    // While a thread is destroyed, its thread-local count no longer exists, and bytes are not
    // counted.
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

/// Releases the reserve and retries the allocation with `again`. Ends the program if the retry
/// fails.
#[cold]
fn refused(layout: Layout, again: impl FnOnce() -> *mut u8) -> *mut u8 {
    tell_full();
    let spare = SPARE.swap(ptr::null_mut(), Relaxed);
    if !spare.is_null() {
        // SAFETY: the block was allocated with this layout, and the swap for null made this thread
        // its only owner.
        unsafe { System.dealloc(spare, RESERVE) };
        let block = again();
        if !block.is_null() {
            return block;
        }
    }
    // Formatting this message and writing to standard error allocate no memory.
    let _ =
        writeln!(std::io::stderr(), "out of memory: {} more bytes are not available", layout.size());
    interrupt::exit_at_once(3)
}

// SAFETY: all calls are forwarded to the system allocator; counting neither allocates nor unwinds,
// as the thread-local count has constant initialization and no destructor.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(held(layout.size()));
        // SAFETY: the caller promises a layout of nonzero size, as `System` requires.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() {
            // SAFETY: the same layout as in the first call.
            return refused(layout, || unsafe { System.alloc(layout) });
        }
        block
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(held(layout.size()));
        // SAFETY: the caller promises a layout of nonzero size, as `System` requires.
        let block = unsafe { System.alloc_zeroed(layout) };
        if block.is_null() {
            // SAFETY: the same layout as in the first call.
            return refused(layout, || unsafe { System.alloc_zeroed(layout) });
        }
        block
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(held(size) - held(layout.size()));
        // SAFETY: every block comes from `System` through this file; the caller promises that this
        // block has this layout, and that `size` is nonzero and does not overflow.
        let new = unsafe { System.realloc(block, layout, size) };
        if new.is_null() {
            // SAFETY: the caller promises that `size` is in range for this alignment.
            let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
            // SAFETY: the same arguments as in the first call, which failed and so left the block
            // allocated.
            return refused(wanted, || unsafe { System.realloc(block, layout, size) });
        }
        new
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-held(layout.size()));
        // SAFETY: every block comes from `System` through this file; the caller promises that this
        // block has this layout and is not used again.
        unsafe { System.dealloc(block, layout) };
    }
}
