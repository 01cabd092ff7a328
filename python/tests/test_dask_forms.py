"""Counts by forms on a cluster: isomorphic problems are expanded once, on any worker."""

from __future__ import annotations

import itertools
import os
import signal
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")

from clusters import queens  # noqa: E402

import farandole.dask  # noqa: E402
from farandole import Problem, Progress  # noqa: E402
from farandole.dask import _count, _exchange  # noqa: E402
from farandole.shards import ShardError  # noqa: E402


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sends even short problems to the cluster, and keeps the client from expanding blocks."""
    monkeypatch.setattr(_count, "survey_count", lambda *_: ("time", None, ""))
    monkeypatch.setattr(_exchange, "FEW_BY_FORMS", 0)
    monkeypatch.setattr(_exchange, "HERE_SECONDS", 0)


def latin(order: int) -> Problem[Any]:
    """Latin squares: 576 of order 4, 161280 of order 5."""
    places = itertools.product(range(order), repeat=3)
    return Problem([[("rc", r, c), ("rs", r, s), ("cs", c, s)] for r, c, s in places])


@pytest.mark.usefixtures("small")
def test_canonical_forms_are_distributed_to_the_workers(client: Any) -> None:
    told: list[Progress] = []
    assert farandole.dask.count(latin(5), client, by="forms", progress=told.append) == 161280
    assert told[-1].fraction == 1 and told[-1].method == "symmetry"
    # The client would choose the method; here it is always counting by forms.
    assert farandole.dask.count(latin(4), client) == 576
    assert farandole.dask.count(queens(6), client, memory=300_000) == 4
    assert farandole.dask.count(queens(3), client) == 0
    # Shards can be requested explicitly.
    assert farandole.dask.count(latin(4), client, shards=3) == farandole.dask.count(latin(4), client, by="shards") == 576


@pytest.mark.usefixtures("small")
def test_blocks_of_a_killed_worker_are_computed_again(client: Any) -> None:
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if progress.fraction > 0.3 * (1 + len(killed)) and len(killed) < 2:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[-1], signal.SIGKILL)

    assert farandole.dask.count(latin(5), client, by="forms", progress=kill) == 161280
    assert len(killed) == 2


@pytest.mark.usefixtures("small")
def test_a_journal_of_canonical_forms_resumes_from_a_saved_step(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_exchange, "KEEP_SHARE", 0)
    journal, problem = tmp_path / "forms.journal", latin(4)
    kept: list[bytes] = []

    class Ended(Exception):
        pass

    def end(_: Progress) -> None:
        if journal.exists() and (not kept or journal.read_bytes() != kept[-1]):
            kept.append(journal.read_bytes())
            if len(kept) == 4:
                raise Ended

    with pytest.raises(Ended):
        farandole.dask.count(problem, client, journal=journal, by="forms", progress=end)
    assert farandole.dask.count(problem, client, journal=journal, progress=end) == 576
    assert len(kept) > 4
    for step in kept[::2]:
        journal.write_bytes(step)
        assert farandole.dask.count(problem, client, journal=journal) == 576
    with pytest.raises(ShardError, match="expected the journal of a count by shards"):
        farandole.dask.count(problem, client, journal=journal, by="shards")
    with pytest.raises(ShardError, match="expected the journal of a count by a frontier, found one of another kind"):
        farandole.dask.frontier_count(problem, client, journal=journal)
    with pytest.raises(ShardError, match="expected the journal of this puzzle"):
        farandole.dask.count(latin(3), client, journal=journal)
    head, _, blocks = kept[2].partition(b"\n")
    for torn in [head + b"\n" + blocks[:-1], head + b"\n" + blocks[:90] + bytes([blocks[90] ^ 1]) + blocks[91:]]:
        journal.write_bytes(torn)
        with pytest.raises(ShardError, match="forms.journal: expected at its end the check of all of it"):
            farandole.dask.count(problem, client, journal=journal)
    # A journal of shards resumes with shards.
    shards = tmp_path / "shards.journal"
    assert farandole.dask.count(problem, client, journal=shards, shards=5) == 576
    assert farandole.dask.count(problem, client, journal=shards, by="forms") == 576


def test_duplicate_and_lost_blocks_are_detected(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_count, "survey_count", lambda *_: ("time", None, ""))
    # The client expands all blocks, so that the test can interfere.
    monkeypatch.setattr(_exchange, "HERE_SECONDS", 10**9)
    expand: Any = _exchange._expand
    for change in (lambda blocks: blocks * 2, lambda blocks: blocks[1:]):
        calls: list[int] = []

        def changed(lists: Any, *rest: Any, change: Any = change, calls: Any = calls) -> Any:
            calls.append(1)
            return expand([change(blocks) for blocks in lists] if len(calls) == 9 else lists, *rest)

        monkeypatch.setattr(_exchange, "_expand", changed)
        with pytest.raises(ShardError, match="one is missing, doubled or exchanged|expected the blocks that were expanded"):
            farandole.dask.count(latin(4), client, by="forms")


def test_problems_without_canonical_forms_are_refused(client: Any) -> None:
    bounded = Problem(["ab", "b", "a"], bounds={"a": (1, 2)})
    with pytest.raises(ValueError, match="expected a problem whose items are interchangeable"):
        farandole.dask.count(bounded, client, by="forms")
    with pytest.raises(ValueError, match="expected `forms` or `shards` for `by`, found 'luck'"):
        farandole.dask.count(latin(3), client, by="luck")
    with pytest.raises(ValueError, match="expected neither `shards` nor `time`"):
        farandole.dask.count(latin(3), client, by="forms", shards=3)
    # A short count needs no cluster.
    assert farandole.dask.count(latin(6), client, by="forms") == 812851200
