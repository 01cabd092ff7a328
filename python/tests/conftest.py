"""Shared fixtures of the cluster tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Shells ignore interrupts in background jobs and their children, so restore the default handler.
signal.signal(signal.SIGINT, signal.default_int_handler)


# No deadline: a busy machine is not a test failure.
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile("short", max_examples=60, deadline=None, suppress_health_check=SLOW)
settings.register_profile("deep", max_examples=5_000, deadline=None, suppress_health_check=SLOW)
settings.load_profile("short")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Two worker processes that their nannies restart."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster, distributed.Client(cluster) as client:
        yield client
