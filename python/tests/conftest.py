"""What the tests of clusters share."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Where the tests run in the background of a shell, interrupts are ignored, by the processes that they start, too.
signal.signal(signal.SIGINT, signal.default_int_handler)


# A busy machine is no fault of an input.
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile("short", max_examples=60, deadline=None, suppress_health_check=SLOW)
settings.register_profile("deep", max_examples=5_000, deadline=None, suppress_health_check=SLOW)
settings.load_profile("short")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Two processes, whose nannies start them again."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster, distributed.Client(cluster) as client:
        yield client
