//! Tests the events of a search.

use std::ops::ControlFlow;

use dlx::engine::Links;
use dlx::engine::events::{self, Event, Observer};
use dlx::{End, Engine, Limits, OptionId};
use fastrand::Rng;

use crate::random::{self, ALL_FEATURES};

#[test]
fn events_of_random_problems_are_nested_and_add_up_to_the_report() {
    let mut rng = Rng::with_seed(12);
    for round in 0..4_000 {
        let problem = random::problem(&mut rng, ALL_FEATURES[round % 4]);
        let given: Vec<OptionId> = problem.options().filter(|_| rng.u8(0..12) == 0).collect();
        let nodes = (rng.u8(0..4) == 0).then(|| rng.u64(0..9));
        let limits = Limits::new().nodes(nodes);
        let expected = Links::new(&problem).count(&given, &limits);
        let mut open = Vec::new();
        let (mut nodes, mut solutions, mut sum) = (0, 0, 0);
        let mut check = |event| match event {
            Event::Given { updates, .. } | Event::Cover { updates, .. } => sum += updates,
            Event::Choose { level, .. } => {
                assert_eq!(open.len(), 2 * level);
                open.push(level);
                nodes += 1;
            }
            Event::Try { level, ordinal, degree, updates, .. } => {
                assert_eq!(open.len(), 2 * level + 1);
                assert!((1..=degree).contains(&ordinal));
                open.push(level);
                sum += updates;
            }
            Event::DeadEnd { level, updates, .. } | Event::Solution { level, updates } => {
                assert_eq!((open.len(), updates), (2 * level, sum));
                nodes += 1;
                solutions += u64::from(matches!(event, Event::Solution { .. }));
            }
            Event::Back { level } => {
                assert_eq!((open.pop(), open.len()), (Some(level), 2 * level + 1));
            }
            Event::Leave { level } => assert_eq!((open.pop(), open.len()), (Some(level), 2 * level)),
            _ => panic!("{event:?} is new"),
        };
        let mut count = 0;
        let report = events::search(&problem, &given, &limits, &mut |event| {
            check(event);
            count += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(report, expected);
        assert!(open.is_empty());
        assert_eq!((nodes, solutions, sum), (report.nodes, report.solutions, report.updates));

        // After an observer stops the search, it receives no further events.
        let enough = rng.u64(0..=count);
        let (mut seen, mut nodes) = (0, 0);
        let report = events::search(&problem, &given, &limits, &mut |event| {
            seen += 1;
            let is_node =
                matches!(event, Event::Choose { .. } | Event::DeadEnd { .. } | Event::Solution { .. });
            nodes += u64::from(is_node);
            if seen == enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(seen, if enough == 0 { count } else { enough });
        assert_eq!(report.nodes, nodes);
        if enough > 0 && limits.nodes.is_none() {
            assert_eq!(report.end, End::Stopped);
        }
    }
}

#[test]
fn an_observed_engine_is_unchanged_and_reusable() {
    struct Few(u64);

    impl Observer for Few {
        fn see(&mut self, _: Event) {
            self.0 = self.0.saturating_sub(1);
        }

        fn is_over(&self) -> bool {
            self.0 == 0
        }
    }

    let mut rng = Rng::with_seed(13);
    for round in 0..1_000 {
        let problem = random::problem(&mut rng, ALL_FEATURES[round % 4]);
        let mut links = Links::observed(&problem, Few(rng.u64(1..60)));
        for _ in 0..3 {
            let report = links.count(&[], &Limits::default());
            assert!(links.is_at_rest(&problem));
            assert!(report.end == End::Exhausted || links.observer().is_over());
        }
    }
}
