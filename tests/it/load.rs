//! The choice of a counting method does not depend on the load of the machine.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use crate::command::run;

/// Counts the covers of a problem on one thread; returns the count and the name of the method.
fn counted(problem: &str) -> (String, String) {
    let ran = run(&format!("count --threads 1 --stats --puzzle {problem}"), "");
    assert_eq!(ran.code, 0, "{ran:?}");
    let (_, method) = ran.err.split_once(": ").expect("what it is, then what was done");
    let words = method.split_whitespace().take_while(|word| !word.starts_with('('));
    (ran.out, words.collect::<Vec<_>>().join(" "))
}

#[test]
fn busy_and_idle_machines_choose_the_same_counting_method() {
    let problems = ["polyomino dominoes:12x12", "queens 8", "langford 8", "latin 4"];
    let idle = problems.map(counted);
    let is_over = AtomicBool::new(false);
    let busy = thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..2 * cores {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let busy = std::panic::catch_unwind(|| problems.map(counted));
        is_over.store(true, Relaxed);
        busy
    });
    assert_eq!(busy.expect("it counts"), idle);
}
