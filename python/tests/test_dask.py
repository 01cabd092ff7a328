"""Counts on a cluster are right after crashes, with late or slow workers, torn journals and full disks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from clusters import machines, queens, run

distributed = pytest.importorskip("distributed")

import farandole.dask  # noqa: E402
from farandole import Progress  # noqa: E402
from farandole.dask import ClusterLost  # noqa: E402
from farandole.dask._interrupts import Interrupts  # noqa: E402
from farandole.shards import ShardError  # noqa: E402

SIZE, COUNT = 11, 2680


def lines(journal: Path) -> list[str]:
    return journal.read_text().splitlines(keepends=True)


def test_a_count_is_right_while_a_worker_is_killed(client: Any, tmp_path: Path) -> None:
    journal = tmp_path / "killed.journal"
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if progress.fraction > 0.2 * (len(killed) + 1) and len(killed) < 2:
            # The first kill may not have been noticed yet.
            pids = [pid for pid in client.run(os.getpid, on_error="ignore").values() if pid not in killed]
            if pids:
                os.kill(pids[0], signal.SIGKILL)
                killed.append(pids[0])

    assert farandole.dask.count(queens(12), client, journal=journal, shards=400, progress=kill) == 14200
    assert len(killed) == 2
    assert run("merge", journal) == "14200\n"


def test_torn_incomplete_and_duplicated_journals_are_resumed(client: Any, tmp_path: Path) -> None:
    journal = tmp_path / "torn.journal"

    def count() -> int:
        return farandole.dask.count(queens(SIZE), client, journal=journal, shards=60)

    assert count() == COUNT
    whole = lines(journal)
    for text in ["".join(whole)[:-20], "".join(whole[:9] + whole[5:20]), "".join(whole[:1]), whole[0][:30], ""]:
        journal.write_text(text)
        assert count() == COUNT
        assert len(lines(journal)) >= len(whole)


def test_changed_and_foreign_journals_are_refused_with_the_line(client: Any, tmp_path: Path) -> None:
    journal = tmp_path / "edited.journal"
    assert farandole.dask.count(queens(8), client, journal=journal, shards=10) == 92
    whole = lines(journal)
    edited = whole[:4] + [whole[4].replace('"count":"', '"count":"1')] + whole[5:]
    journal.write_text("".join(edited))
    with pytest.raises(ShardError, match=r"edited.journal:5: expected the check"):
        farandole.dask.count(queens(8), client, journal=journal)
    assert lines(journal) == edited, "what is refused stays as it is"
    journal.write_text("".join(whole))
    with pytest.raises(ShardError, match=r"edited.journal:1: expected the journal of this puzzle"):
        farandole.dask.count(queens(9), client, journal=journal)


def test_long_shards_are_split_and_the_program_resumes_the_parts(client: Any, tmp_path: Path) -> None:
    journal = tmp_path / "split.journal"
    problem, number = queens(14), 365596
    assert farandole.dask.count(problem, client, journal=journal, shards=3, time=0.004) == number
    whole = lines(journal)
    splits = [place for place, line in enumerate(whole) if line.startswith('{"split"')]
    assert splits
    # Both resume from the first line of the split.
    for cut in (splits[0] + 1, splits[0] + 5, splits[-1] + 1):
        journal.write_text("".join(whole[:cut]))
        assert farandole.dask.count(problem, client, journal=journal) == number
    assert run("merge", journal) == f"{number}\n"
    # The names of the program's own queens differ, so it reads the problem from the package.
    text = tmp_path / "queens.dlx"
    text.write_text(problem.to_text())
    journal.write_text("".join(whole[: splits[0] + 1]))
    assert run("count", "--journal", journal, text) == f"{number}\n"


def test_a_slow_worker_does_not_delay_the_count(client: Any) -> None:
    pid = next(iter(client.run(os.getpid).values()))
    is_over = threading.Event()

    def slow_down() -> None:
        while not is_over.is_set():
            os.kill(pid, signal.SIGSTOP)
            time.sleep(0.045)
            os.kill(pid, signal.SIGCONT)
            time.sleep(0.005)

    thread = threading.Thread(target=slow_down)
    thread.start()
    try:
        assert farandole.dask.count(queens(15), client, shards=4) == 2279184
    finally:
        is_over.set()
        thread.join()


def test_a_problem_without_solutions_and_a_short_one_are_counted_without_a_cluster(tmp_path: Path) -> None:
    journal = tmp_path / "short.journal"
    assert farandole.dask.count(queens(3), journal=journal) == 0
    assert farandole.dask.count(queens(3), journal=journal) == 0
    assert farandole.dask.count(queens(8)) == 92


def test_late_workers_join_and_a_lost_scheduler_explains_how_to_resume(tmp_path: Path) -> None:
    journal = tmp_path / "vanished.journal"
    problem = queens(12)
    with machines(tmp_path) as there:
        while not there.file.exists():
            time.sleep(0.05)
        with distributed.Client(scheduler_file=str(there.file)) as client:
            seen: list[int] = []

            def come_and_go(progress: Progress) -> None:
                if progress.fraction > 0.1 and len(there.processes) == 2:
                    there.worker()
                seen.append(len(client.nthreads()) if progress.fraction < 0.5 else 0)
                if progress.fraction > 0.5:
                    there.scheduler.kill()

            timer = threading.Timer(0.5, there.worker)
            timer.start()
            with pytest.raises(ClusterLost, match=f"the scheduler .* is gone; .* are kept in {journal}") as lost:
                farandole.dask.count(problem, client, journal=journal, shards=800, progress=come_and_go)
            assert 0 < lost.value.known < 14200
    before = lines(journal)
    assert 10 < len(before) < 801
    assert farandole.dask.count(problem, journal=journal) == 14200
    assert lines(journal)[: len(before)] == before


FULL = """
import resource, sys
import distributed
import farandole.dask
from clusters import queens
if __name__ == "__main__":
    with distributed.LocalCluster(n_workers=2, processes=False, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            resource.setrlimit(resource.RLIMIT_FSIZE, (4000, resource.RLIM_INFINITY))
            try:
                farandole.dask.count(queens(11), client, journal=sys.argv[1], shards=60)
            except OSError as error:
                print(error)
                sys.exit(7)
"""

SLOW = """
import sys
import farandole, farandole.dask
from clusters import queens
if __name__ == "__main__":
    try:
        farandole.dask.count(queens(18), journal=sys.argv[1], shards=5000, progress=lambda _: print(1, flush=True))
    except farandole.Interrupted as error:
        print(error)
        sys.exit(130)
"""


def script(tmp_path: Path, text: str, *arguments: object) -> subprocess.Popen[str]:
    file = tmp_path / "script.py"
    file.write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, str(file), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True)


def test_a_full_disk_ends_with_an_error_and_a_whole_journal(client: Any, tmp_path: Path) -> None:
    journal = tmp_path / "full.journal"
    ended = script(tmp_path, FULL, journal)
    out, _ = ended.communicate(timeout=60)
    assert ended.returncode == 7, out
    assert "full.journal: cannot write" in out
    before = lines(journal)
    assert 3 < len(before) < 60 and before[-1].endswith("\n")
    assert farandole.dask.count(queens(SIZE), client, journal=journal) == COUNT
    assert lines(journal)[: len(before)] == before


class Interrupting:
    """An object whose deletion is interrupted, as may happen to a future: Python drops the interrupt."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_during_the_deletion_of_an_object_is_raised_again(monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", forgotten.append)
    before = signal.getsignal(signal.SIGINT)
    interrupts = Interrupts()
    went_on = False
    with pytest.raises(KeyboardInterrupt):
        with interrupts, interrupts:
            Interrupting()
            went_on = True
    assert went_on and len(forgotten) == 1
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(KeyboardInterrupt):
        with interrupts:
            signal.raise_signal(signal.SIGINT)
            went_on = False
    assert went_on
    # An interrupt that was raised normally is not raised again.
    with interrupts:
        pass


def test_an_interrupt_that_python_drops_still_ends_the_work(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    seen: list[float] = []

    def interrupt(progress: Progress) -> None:
        seen.append(progress.fraction)
        Interrupting()

    with pytest.raises(farandole.Interrupted, match="the count was interrupted; with `journal`"):
        farandole.dask.count(queens(SIZE), client, shards=60, progress=interrupt)
    grids = tmp_path / "grids.txt"
    grids.write_text(("." * 81 + "\n") * 40)
    with pytest.raises(farandole.Interrupted, match="of 40 blocks were solved"):
        farandole.dask.solve_files(str(grids), str(tmp_path / "out"), client, block=82, progress=interrupt)
    assert len(seen) > 1 and max(seen) < 1


def test_ctrl_c_ends_at_once_with_a_whole_journal_and_no_process_left(tmp_path: Path) -> None:
    journal = tmp_path / "interrupted.journal"
    ended = script(tmp_path, SLOW, journal)
    assert ended.stdout is not None
    ended.stdout.readline()
    # Like a terminal: all processes receive the signal.
    os.killpg(ended.pid, signal.SIGINT)
    out, _ = ended.communicate(timeout=60)
    assert ended.returncode == 130, out
    assert f"are kept in {journal}" in out
    assert len(lines(journal)) > 1
    with pytest.raises(ProcessLookupError):
        for _ in range(100):
            os.killpg(ended.pid, 0)
            time.sleep(0.1)
