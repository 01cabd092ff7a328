//! The progress bar on standard error, which shows puzzles per second or the progress of one
//! puzzle. With [`VARIABLE`], the same as JSON for another program (docs/PROTOCOL.md).
//!
//! A thread draws the bar or writes the JSON. Where no thread can be started (WebAssembly), the
//! checks of the limits write the JSON.

use std::io::{self, IsTerminal, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use dlx::limits::Ticker;
use dlx::{CountProgress, Limits, Progress};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::host::{self, Host};
use compare::show;

/// Run time after which the bar appears.
const PATIENCE: Duration = Duration::from_millis(700);
const TICK: Duration = Duration::from_millis(100);
/// Environment variable; if it is `json`, the progress is written as JSON lines.
pub(crate) const VARIABLE: &str = "FARANDOLE_PROGRESS";
/// Time between two lines of JSON. A page shows a few changes per second.
const REPORT: Duration = Duration::from_millis(250);
/// Time of the next report (ms) if a thread reports, or no report is wanted.
const NEVER: u64 = u64::MAX;

/// Returns whether another program asked, and reads the progress as JSON.
pub(crate) fn is_asked_by_program() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| value == "json")
}

/// A progress bar, drawn by its own thread; hidden if standard error is not a terminal.
pub(crate) struct Bar {
    shared: Arc<BarState>,
    /// The thread, and the bar unless the progress is written as JSON.
    drawn: Option<(Option<ProgressBar>, JoinHandle<()>)>,
}

struct BarState {
    progress: Arc<Progress>,
    puzzles: AtomicU64,
    /// The current phase, shown instead of the puzzle and node counts; empty if there is no phase
    /// to show.
    what: Mutex<String>,
    is_over: AtomicBool,
    is_waiting: AtomicBool,
    /// Whether a puzzle has been read and its search has begun.
    is_searching: Arc<AtomicBool>,
    begun: Mutex<Instant>,
    /// When a check of the limits writes the next line of JSON (ms since `begun`), or [`NEVER`].
    next_report: AtomicU64,
}

/// Hides the bar while a user types the input.
pub(crate) struct BarPause {
    shared: Option<Arc<BarState>>,
}

impl BarPause {
    pub(crate) fn begin(&self) {
        if let Some(shared) = &self.shared {
            shared.is_waiting.store(true, Relaxed);
        }
    }

    /// Shows the bar again and restarts its clock.
    pub(crate) fn end(&self) {
        if let Some(shared) = &self.shared {
            if let Ok(mut begun) = shared.begun.lock() {
                *begun = Instant::now();
            }
            shared.is_waiting.store(false, Relaxed);
        }
    }
}

impl Bar {
    pub(crate) fn start(is_wanted: bool) -> Self {
        let shared = Arc::new(BarState {
            progress: host::ask(Host::progress).unwrap_or_default(),
            puzzles: AtomicU64::new(0),
            what: Mutex::default(),
            is_over: AtomicBool::new(false),
            is_waiting: AtomicBool::new(false),
            is_searching: Arc::default(),
            begun: Mutex::new(Instant::now()),
            next_report: AtomicU64::new(NEVER),
        });
        let is_wanted = is_wanted && !host::is_present();
        let is_json = is_wanted && is_asked_by_program();
        let is_wanted = is_wanted && io::stderr().is_terminal();
        let draw = || {
            if is_json {
                let shared = Arc::clone(&shared);
                let reporter = Arc::clone(&shared);
                let reporter = thread::Builder::new().spawn(move || report(&reporter));
                if reporter.is_err() {
                    shared.next_report.store(REPORT.as_millis() as u64, Relaxed);
                }
                return Some((None, reporter.ok()?));
            }
            let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::hidden());
            let (shared, drawn) = (Arc::clone(&shared), bar.clone());
            // If the thread cannot be started, show no bar.
            let ticker = thread::Builder::new().spawn(move || tick(&shared, &drawn)).ok()?;
            Some((Some(bar), ticker))
        };
        let drawn = if is_json || is_wanted { draw() } else { None };
        Self { shared, drawn }
    }

    pub(crate) fn waiting(&self) -> BarPause {
        let is_typed = self.drawn.is_some() && io::stdin().is_terminal();
        BarPause { shared: is_typed.then(|| Arc::clone(&self.shared)) }
    }

    /// Adds the object through which searches report their progress to `limits`, and the callback
    /// that writes it if no thread does.
    pub(crate) fn attached_to(&self, limits: Limits) -> Limits {
        let is_ticking = self.shared.next_report.load(Relaxed) != NEVER;
        let shared = Arc::clone(&self.shared);
        let ticker = is_ticking.then(|| Ticker::new(move || shared.report_if_due()));
        limits.progress(Arc::clone(&self.shared.progress)).ticker(ticker)
    }

    /// Returns the flag to set when the search of a puzzle begins.
    pub(crate) fn searching(&self) -> &Arc<AtomicBool> {
        &self.shared.is_searching
    }

    pub(crate) fn add(&self, puzzles: u64) {
        self.shared.puzzles.fetch_add(puzzles, Relaxed);
        self.shared.report_if_due();
    }

    /// Shows the phase `what` instead of the progress.
    pub(crate) fn tell(&self, what: &str) {
        if let Ok(mut told) = self.shared.what.lock() {
            what.clone_into(&mut told);
        }
        self.shared.report_if_due();
    }

    pub(crate) fn hide_while<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.drawn {
            Some((Some(bar), _)) => bar.suspend(write),
            _ => write(),
        }
    }

    pub(crate) fn finish(self) {
        self.shared.is_over.store(true, Relaxed);
        if let Some((bar, ticker)) = self.drawn {
            ticker.thread().unpark();
            // The thread only draws, so its panic cannot change an answer.
            let _ = ticker.join();
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        }
    }
}

impl BarState {
    /// Returns the time since the bar was started, or since the user typed the input.
    fn elapsed(&self) -> Duration {
        self.begun.lock().map(|begun| begun.elapsed()).unwrap_or_default()
    }

    /// Writes the progress if the checks of the limits report it and the next report is due.
    fn report_if_due(&self) {
        if self.next_report.load(Relaxed) != NEVER && self.is_due(self.elapsed()) {
            // Without threads, a closed standard error cannot be noticed.
            let _ = self.write();
        }
    }

    /// Returns whether the next report is due after `elapsed`, and plans the one after it.
    fn is_due(&self, elapsed: Duration) -> bool {
        let now = elapsed.as_millis() as u64;
        let is_due = now >= self.next_report.load(Relaxed);
        if is_due {
            self.next_report.store(now + REPORT.as_millis() as u64, Relaxed);
        }
        is_due
    }

    fn write(&self) -> io::Result<()> {
        writeln!(io::stderr(), "{}", self.object(self.elapsed()))
    }

    /// Returns the progress after `elapsed`: the finished fraction, if known, and a description.
    fn news(&self, elapsed: Duration) -> (Option<f64>, String) {
        let what = self.what.lock().map(|what| what.clone()).unwrap_or_default();
        if !what.is_empty() {
            return (None, what);
        }
        if let puzzles @ 1.. = self.puzzles.load(Relaxed) {
            let rate = puzzles as f64 / elapsed.as_secs_f64().max(1e-9);
            return (None, format!("{}, {rate:.0} a second", show::count(puzzles, "puzzle")));
        }
        let nodes = self.progress.nodes();
        let found = || {
            let solutions = show::count(self.progress.solutions(), "solution");
            format!("{}, {solutions}", show::count(nodes, "node"))
        };
        if let Some(count) = self.progress.of_count() {
            let of = if count.fraction.is_some() { "of the count, " } else { "" };
            return (count.fraction, format!("{of}{}; {} so far", tell(&count), found()));
        }
        if nodes > 0 {
            return (Some(self.progress.fraction()), format!("of the search tree, {}", found()));
        }
        let phase = if self.is_searching.load(Relaxed) { "preparing the search" } else { "reading" };
        (None, phase.to_owned())
    }

    /// Returns the progress after `elapsed` as a JSON object.
    fn object(&self, elapsed: Duration) -> serde_json::Value {
        let (fraction, message) = self.news(elapsed);
        let count = self.progress.of_count();
        serde_json::json!({"progress": {
            "fraction": fraction,
            "message": message,
            "puzzles": self.puzzles.load(Relaxed),
            "nodes": self.progress.nodes(),
            "solutions": self.progress.solutions(),
            "method": count.as_ref().map(|count| count.method),
            "left": count.as_ref().and_then(|count| count.left).map(|left| left.as_secs_f64()),
            "seconds": elapsed.as_secs_f64(),
        }})
    }
}

fn shown(time: Duration) -> String {
    HumanDuration(time).to_string()
}

/// Describes the method expected to finish first, and its remaining time.
fn tell(count: &CountProgress) -> String {
    let CountProgress { method, left, error, part, parts, is_check, .. } = *count;
    let part = if parts > 1 { format!("part {part} of {parts}, ") } else { String::new() };
    let role = if is_check { "checked by" } else { "by" };
    let left = match left {
        None => "no method is sure yet how long it takes".to_owned(),
        Some(left) => {
            let seconds = |time: f64| shown(Duration::from_secs(time.min(1e15).ceil() as u64));
            let (least, most) = (left.as_secs_f64(), left.as_secs_f64() * error);
            let (least, most) = (seconds(least), seconds(most));
            match (least.split_once(' '), most.split_once(' ')) {
                _ if least == most => format!("{least} left"),
                // Print the unit only once if both times have the same unit.
                (Some((number, one)), Some((_, other)))
                    if one.trim_end_matches('s') == other.trim_end_matches('s') =>
                {
                    format!("{number} to {most} left")
                }
                _ => format!("{least} to {most} left"),
            }
        }
    };
    format!("{part}{role} {method}, {left}")
}

/// Writes the progress as JSON lines until the end, or until their reader has gone.
fn report(shared: &BarState) {
    let mut reported = Instant::now();
    while !shared.is_over.load(Relaxed) {
        thread::park_timeout(REPORT.saturating_sub(reported.elapsed()));
        if !shared.is_over.load(Relaxed) && reported.elapsed() >= REPORT {
            reported = Instant::now();
            if shared.write().is_err() {
                return;
            }
        }
    }
}

fn tick(shared: &BarState, bar: &ProgressBar) {
    let mut is_shown = false;
    let style = |template: &str| {
        ProgressStyle::with_template(template)
            .expect("the template is one of the two below")
            .progress_chars("=> ")
    };
    let measured = style("{bar:20} {percent:>3} % {wide_msg} [{prefix}]");
    let told = style("{spinner} {wide_msg} [{prefix}]");
    while !shared.is_over.load(Relaxed) {
        thread::park_timeout(TICK);
        let elapsed = shared.elapsed();
        // Hide the bar while the user may be typing.
        let is_waiting = shared.is_waiting.load(Relaxed);
        if is_waiting && is_shown {
            bar.finish_and_clear();
            bar.set_draw_target(ProgressDrawTarget::hidden());
            is_shown = false;
        }
        if is_waiting || elapsed < PATIENCE || shared.is_over.load(Relaxed) {
            continue;
        }
        if !is_shown {
            bar.reset();
            bar.set_draw_target(ProgressDrawTarget::stderr());
            is_shown = true;
        }
        let (fraction, message) = shared.news(elapsed);
        bar.set_style(if fraction.is_some() { measured.clone() } else { told.clone() });
        bar.set_position((fraction.unwrap_or_default() * 1000.0) as u64);
        bar.set_message(message);
        bar.set_prefix(format!("{} so far", shown(Duration::from_secs(elapsed.as_secs()))));
        bar.tick();
    }
}

#[cfg(test)]
mod tests {
    use dlx::Problem;
    use dlx::count::{Counter, METHODS};

    use super::*;

    #[test]
    fn a_count_names_the_leading_method_and_the_remaining_time() {
        let problem: Problem = "a b c\na b\nc\na\nb c\n".parse().unwrap();
        let bar = Bar::start(false);
        assert_eq!(bar.shared.news(Duration::ZERO), (None, "reading".to_owned()));
        let limits = bar.attached_to(Limits::new());
        assert!(limits.ticker.is_none(), "a bar that reports nothing needs no callback");
        let frontier = METHODS.iter().find(|method| method.name == "frontier").unwrap();
        Counter::new(problem).by(frontier).count(&[], &limits);
        let mut count = bar.shared.progress.of_count().unwrap();
        let (_, news) = bar.shared.news(Duration::ZERO);
        assert!(news.contains("by frontier, ") && news.ends_with(" so far"), "{news}");
        (count.left, count.error) = (Some(Duration::from_secs(20)), 6.0);
        assert_eq!(tell(&count), "by frontier, 20 seconds to 2 minutes left");
        (count.left, count.error) = (Some(Duration::from_secs(300)), 2.0);
        assert_eq!(tell(&count), "by frontier, 5 to 10 minutes left");
        (count.left, count.part, count.parts, count.is_check) = (None, 2, 3, true);
        assert_eq!(
            tell(&count),
            "part 2 of 3, checked by frontier, no method is sure yet how long it takes"
        );
    }

    #[test]
    fn without_a_thread_the_checks_of_the_limits_report_four_times_a_second() {
        let bar = Bar::start(false);
        assert!(!bar.shared.is_due(Duration::from_secs(1_000_000)));
        bar.shared.next_report.store(0, Relaxed);
        let due = |time| bar.shared.is_due(Duration::from_millis(time));
        assert_eq!(
            [0, 100, 249, 250, 260, 5000, 5249].map(due),
            [true, false, false, true, false, true, false]
        );
        bar.shared.next_report.store(0, Relaxed);
        assert_eq!(bar.attached_to(Limits::new()).check(), Ok(()));
        assert!(bar.shared.next_report.load(Relaxed) >= 250, "a check has reported");
    }
}
