//! The progress bar on standard error: puzzles a second, or the fraction of one puzzle's tree.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use dlx::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The bar appears only when a run takes longer than this.
const PATIENCE: Duration = Duration::from_millis(700);
const TICK: Duration = Duration::from_millis(100);

/// A progress bar, drawn by a thread of its own; nothing where standard error is no terminal.
pub(super) struct Bar {
    shared: Arc<Shared>,
    drawn: Option<(ProgressBar, JoinHandle<()>)>,
}

struct Shared {
    progress: Arc<Progress>,
    puzzles: AtomicU64,
    /// What is done, if that says more than puzzles and nodes.
    what: Mutex<String>,
    is_over: AtomicBool,
}

impl Bar {
    /// Starts to watch a run.
    pub(super) fn start(is_wanted: bool) -> Self {
        let shared = Arc::new(Shared {
            progress: Arc::default(),
            puzzles: AtomicU64::new(0),
            what: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let is_wanted = is_wanted && io::stderr().is_terminal();
        let draw = || {
            let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::hidden());
            let (shared, drawn) = (Arc::clone(&shared), bar.clone());
            // Without a thread there is no bar.
            let ticker = thread::Builder::new().spawn(move || tick(&shared, &drawn)).ok()?;
            Some((bar, ticker))
        };
        let drawn = if is_wanted { draw() } else { None };
        Self { shared, drawn }
    }

    /// Returns where the searches tell how far they are.
    pub(super) fn progress(&self) -> &Arc<Progress> {
        &self.shared.progress
    }

    /// Counts finished puzzles.
    pub(super) fn add(&self, puzzles: u64) {
        self.shared.puzzles.fetch_add(puzzles, Relaxed);
    }

    /// Says what is done now, instead of how far it is.
    pub(super) fn tell(&self, what: &str) {
        if let Ok(mut told) = self.shared.what.lock() {
            what.clone_into(&mut told);
        }
    }

    /// Writes to the terminal with the bar out of the way.
    pub(super) fn hide_while<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.drawn {
            Some((bar, _)) => bar.suspend(write),
            None => write(),
        }
    }

    /// Clears the bar.
    pub(super) fn finish(self) {
        self.shared.is_over.store(true, Relaxed);
        if let Some((bar, ticker)) = self.drawn {
            ticker.thread().unpark();
            // The thread only draws; that it panicked would not change any answer.
            let _ = ticker.join();
            bar.finish_and_clear();
        }
    }
}

fn tick(shared: &Shared, bar: &ProgressBar) {
    let started = Instant::now();
    let mut is_shown = false;
    let style = |template: &str| {
        ProgressStyle::with_template(template)
            .expect("the template is one of the two below")
            .progress_chars("=> ")
    };
    let single = style("{bar:40} {percent:>3} % of the tree, {msg} [{elapsed}]");
    let batch = style("{spinner} {msg} [{elapsed}]");
    while !shared.is_over.load(Relaxed) {
        thread::park_timeout(TICK);
        let elapsed = started.elapsed();
        let what = shared.what.lock().map(|what| what.clone()).unwrap_or_default();
        let is_begun =
            !what.is_empty() || shared.puzzles.load(Relaxed) > 0 || shared.progress.nodes() > 0;
        // While input is awaited, a user may be typing it.
        if elapsed < PATIENCE || !is_begun || shared.is_over.load(Relaxed) {
            continue;
        }
        if !is_shown {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            is_shown = true;
        }
        let puzzles = shared.puzzles.load(Relaxed);
        if !what.is_empty() {
            bar.set_style(batch.clone());
            bar.set_message(what);
        } else if puzzles == 0 {
            bar.set_style(single.clone());
            bar.set_position((shared.progress.fraction() * 1000.0) as u64);
            let (nodes, solutions) = (shared.progress.nodes(), shared.progress.solutions());
            bar.set_message(format!("{nodes} nodes, {solutions} solutions"));
        } else {
            bar.set_style(batch.clone());
            let rate = puzzles as f64 / elapsed.as_secs_f64();
            bar.set_message(format!("{puzzles} puzzles, {rate:.0} a second"));
        }
        bar.tick();
    }
}
