//! Measures the cost of work in this process: wall time, CPU time, instructions and cycles.

use std::time::{Duration, Instant};

#[cfg(not(target_family = "wasm"))]
use cpu_time::ProcessTime;

use crate::Cost;

pub(super) struct Stopwatch {
    begun: Instant,
    cpu: Option<ProcessTime>,
    counters: counters::Counters,
}

impl Stopwatch {
    pub(super) fn start() -> Self {
        let counters = counters::Counters::start();
        Self { cpu: ProcessTime::try_now().ok(), counters, begun: Instant::now() }
    }

    pub(super) fn cost(mut self) -> Cost {
        let wall = self.begun.elapsed().as_secs_f64();
        let cpu = self.cpu.and_then(|cpu| cpu.try_elapsed().ok()).as_ref().map(Duration::as_secs_f64);
        let [instructions, cycles] = self.counters.read();
        Cost { wall, cpu, instructions, cycles, memory: None }
    }
}

/// WebAssembly has no clock of the processor.
#[cfg(target_family = "wasm")]
struct ProcessTime;

#[cfg(target_family = "wasm")]
impl ProcessTime {
    fn try_now() -> Result<Self, ()> {
        Err(())
    }

    fn try_elapsed(&self) -> Result<Duration, ()> {
        Err(())
    }
}

/// Counters of the instructions and cycles of this thread, if Linux permits them.
#[cfg(target_os = "linux")]
mod counters {
    use perf_event::events::Hardware;
    use perf_event::{Builder, Counter};

    pub(super) struct Counters([Option<Counter>; 2]);

    impl Counters {
        pub(super) fn start() -> Self {
            let start = |event| {
                let mut counter = Builder::new(event).build().ok()?;
                counter.enable().ok().map(|()| counter)
            };
            Self([Hardware::INSTRUCTIONS, Hardware::CPU_CYCLES].map(start))
        }

        pub(super) fn read(&mut self) -> [Option<u64>; 2] {
            self.0.each_mut().map(|counter| counter.as_mut()?.read().ok())
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod counters {
    pub(super) struct Counters;

    impl Counters {
        pub(super) fn start() -> Self {
            Self
        }

        pub(super) fn read(&mut self) -> [Option<u64>; 2] {
            [None; 2]
        }
    }
}
