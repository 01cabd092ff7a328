"""Two local workers beside the program with two threads, and a journal beside the plain count: `python benches/beside.py`.

On a quiet machine of two cores it takes less than a quarter of an hour: all counts have a round, and another as far as there is time. The sides of
a count take turns, and which begins changes from round to round; a ratio is that of the wall times of one round. All
runs of a count must have the same answer, which stands beside the times. The workers are started before the clock.

- `workers`: `farandole count --threads 2 FILE` beside `farandole.dask.count(problem, client)` on a cluster of two processes with one thread
  each; for frontiers `count --engine frontier --scratch FOLDER` beside `farandole.dask.frontier_count`.
- `journal`: one thread counts one file, plainly by the engine `masks`, plainly as it likes, and with a journal of parts of about ten seconds.

`FARANDOLE` is the program. `--minutes N` (14), `--only WORD` (a part of a name), `--quick` (small counts, to try it all).
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import distributed
import psutil

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from clusters import program, queens  # noqa: E402

import farandole  # noqa: E402
import farandole.dask  # noqa: E402

#: No count has more rounds.
ROUNDS_MAX = 5


class Case(NamedTuple):
    """A count of several sides."""

    name: str
    #: By which method most of it is counted.
    way: str
    make: Callable[[], Any]
    is_frontier: bool = False


class Spent(NamedTuple):
    """What a run took: on the wall and of all processors, in seconds."""

    wall: float
    cpu: float


@dataclass
class Row:
    """The runs of one count, by side."""

    name: str
    way: str
    answer: int | None = None
    runs: dict[str, list[Spent]] = field(default_factory=dict)

    def add(self, side: str, found: int, spent: Spent) -> None:
        self.answer = found if self.answer is None else self.answer
        assert found == self.answer, f"{self.name}, {side}: expected {self.answer}, found {found}"
        self.runs.setdefault(side, []).append(spent)
        load = os.getloadavg()[0]
        print(f"  {self.name}, {side}: {found} in {spent.wall:.1f} s, processor {spent.cpu:.1f} s, load {load:.1f}", flush=True)

    def wall(self, side: str) -> str:
        return f"{statistics.median(spent.wall for spent in self.runs[side]):.1f} s"

    def cpu(self, side: str) -> str:
        return f"{statistics.median(spent.cpu for spent in self.runs[side]):.1f} s"

    def ratios(self, one: str, other: str) -> list[float]:
        return [a.wall / b.wall for a, b in zip(self.runs[one], self.runs[other])]

    def ratio(self, one: str, other: str) -> str:
        """The median of the ratios of the rounds, and the least and the greatest."""
        ratios = self.ratios(one, other)
        return f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"


def children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(*arguments: object) -> tuple[int, Spent]:
    """Runs the program."""
    before, begun = children(), time.monotonic()
    ran = subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, check=True)
    return int(ran.stdout), Spent(time.monotonic() - begun, children() - before)


def cpu(processes: list[psutil.Process]) -> float:
    times = [process.cpu_times() for process in processes]
    return float(sum(each.user + each.system for each in times))


def on_cluster(case: Case, problem: Any, client: Any) -> tuple[int, Spent]:
    """Counts on two workers; the client and the scheduler are part of what it takes."""
    processes = [psutil.Process(pid) for pid in client.run(os.getpid).values()] + [psutil.Process()]
    count = farandole.dask.frontier_count if case.is_frontier else farandole.dask.count
    before, begun = cpu(processes), time.monotonic()
    found = count(problem, client)
    return found, Spent(time.monotonic() - begun, cpu(processes) - before)


class Turns:
    """The sides of a count, by turns."""

    def __init__(self, row: Row, sides: dict[str, Callable[[], tuple[int, Spent]]]) -> None:
        self.row = row
        self.sides = sides
        self.seconds = 0.0

    def go(self, number: int) -> None:
        """One round."""
        begun = time.monotonic()
        for side in list(self.sides) if number % 2 == 0 else list(self.sides)[::-1]:
            self.row.add(side, *self.sides[side]())
        self.seconds = time.monotonic() - begun


def beside_workers(case: Case, client: Any, folder: Path) -> Turns:
    problem = case.make()
    file = folder / f"{len(list(folder.iterdir()))}.dlx"
    file.write_text(problem.to_text())
    scratch = ["--engine", "frontier", "--scratch", folder / "scratch"] if case.is_frontier else []
    sides = {
        "program": lambda: run("count", "--threads", 2, *scratch, file),
        "workers": lambda: on_cluster(case, problem, client),
    }
    return Turns(Row(case.name, case.way), sides)


def beside_journal(case: Case, shards: int, folder: Path) -> Turns:
    file, kept = folder / "parts.dlx", folder / "journal"
    file.write_text(case.make().to_text())

    def with_journal() -> tuple[int, Spent]:
        kept.unlink(missing_ok=True)
        done = run("count", "--threads", 1, "--journal", kept, "--shards", shards, "--engine", "masks", file)
        print(f"    {len(kept.read_text().splitlines()) - 1} lines behind the first in the journal", flush=True)
        return done

    sides = {
        "masks": lambda: run("count", "--threads", 1, "--engine", "masks", file),
        "plain": lambda: run("count", "--threads", 1, file),
        "journal": with_journal,
    }
    return Turns(Row(case.name, case.way), sides)


def some_queens(size: int, places: dict[int, list[int]]) -> Any:
    """Queens of which those of some rows stand in some columns only: nothing is alike then."""
    board = [(row, column) for row in range(size) for column in places.get(row, range(size))]
    options = [[("r", r), ("c", c), ("d", r + c), ("e", r - c)] for r, c in board]
    primary = [(kind, place) for kind in "rc" for place in range(size)]
    return farandole.Problem(options, primary=primary)


def latin(size: int, rows: int) -> Any:
    """Latin rectangles: so many rows of a square."""
    places = [(r, c, s) for r in range(rows) for c in range(size) for s in range(size)]
    options = [[("rc", r, c), ("rs", r, s), ("cs", c, s)] for r, c, s in places]
    primary = [(kind, row, place) for kind in ("rc", "rs") for row in range(rows) for place in range(size)]
    return farandole.Problem(options, primary=primary)


def factorizations(size: int) -> Any:
    """Ways to divide the games of so many teams into rounds in which each plays once."""

    def rounds(teams: list[int]) -> Iterator[list[tuple[int, int]]]:
        if not teams:
            yield []
        for place in range(1, len(teams)):
            for games in rounds(teams[1:place] + teams[place + 1 :]):
                yield [(teams[0], teams[place]), *games]

    return farandole.Problem(list(rounds(list(range(size)))))


#: Counts of 15 to 60 s on two cores, and the same at a size at which they can be tried.
CASES = [
    Case("19 queens", "search; one shard of each class of borders", lambda: queens(19)),
    Case("19 queens, two places in the first row", "search; nothing is alike", lambda: some_queens(19, {0: [3, 8]})),
    Case("one-factorizations of 12 teams", "symmetry; weights", lambda: factorizations(12)),
    Case("Latin rectangles, 6 rows of 9", "symmetry; weights", lambda: latin(9, 6)),
    Case("15 queens by frontier", "frontier by exchange, beside `--scratch`", lambda: queens(15), True),
]
QUICK = [
    Case("13 queens", "search; one shard of each class of borders", lambda: queens(13)),
    Case("13 queens, two places in the first row", "search; nothing is alike", lambda: some_queens(13, {0: [3, 8]})),
    Case("one-factorizations of 8 teams", "symmetry; weights", lambda: factorizations(8)),
    Case("Latin rectangles, 4 rows of 6", "symmetry; weights", lambda: latin(6, 4)),
    Case("10 queens by frontier", "frontier by exchange, beside `--scratch`", lambda: queens(10), True),
]
#: Four places for the queen of the first row, each a part of about ten seconds.
JOURNAL = Case("20 queens, one of four pairs given", "search", lambda: some_queens(20, {0: [2, 3, 4, 5], 1: [12]}))
QUICK_JOURNAL = Case("14 queens, one of four pairs given", "search", lambda: some_queens(14, {0: [2, 3, 4, 5], 1: [12]}))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=14)
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    cases, kept = (QUICK, QUICK_JOURNAL) if asked.quick else (CASES, JOURNAL)
    cases = [case for case in cases if asked.only in case.name]
    is_kept = asked.only in kept.name
    print(f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {time.strftime('%Y-%m-%d %H:%M %Z')}")
    with tempfile.TemporaryDirectory() as name:
        # The scheduler is here, and each worker a process with one thread.
        options: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
        with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
            # Imports.
            farandole.dask.count(queens(8), client, shards=4)
            counts = [beside_workers(case, client, Path(name)) for case in cases]
            parts = [beside_journal(kept, 4, Path(name))] if asked.only in kept.name else []
            begun = time.monotonic()
            for number in range(ROUNDS_MAX):
                for turns in counts + parts:
                    if time.monotonic() - begun + turns.seconds <= 60 * asked.minutes:
                        turns.go(number)
    rows = [turns.row for turns in counts]
    if rows:
        print("\n| count | how | answer | `--threads 2` | two workers | speed of the workers | processor time of both |")
        print("|---|---|---:|---:|---:|---:|---:|")
    for row in rows:
        walls = f"{row.wall('program')} | {row.wall('workers')} | {row.ratio('program', 'workers')}"
        print(f"| {row.name} | {row.way} | {row.answer} | {walls} | {row.cpu('program')}, {row.cpu('workers')} |")
    if rows:
        middle = statistics.median(statistics.median(row.ratios("program", "workers")) for row in rows)
        print(f"\nMedian of the speeds: {middle:.3f}")
    for last in (turns.row for turns in parts):
        print("\n| count | answer | `--engine masks` | `count` | `count --journal` | journal by masks | journal by `count` |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        walls = " | ".join(last.wall(side) for side in ("masks", "plain", "journal"))
        ratios = f"{last.ratio('journal', 'masks')} | {last.ratio('journal', 'plain')}"
        print(f"| {last.name} | {last.answer} | {walls} | {ratios} |")


if __name__ == "__main__":
    main()
