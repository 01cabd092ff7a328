"""What a cluster costs: `python benches/cluster.py rate | kills | speed`.

Processor time is told beside the clock on the wall, since it does not depend on what else the machine does.

- `rate`: fake work and a real scheduler: the processor time of scheduler and client for each task, from it how many cores shards of
  1, 10 and 60 s keep busy; and the memory of both with 100,000 shards.
- `kills`: thirty times a worker is killed while a count runs; the number must be right.
- `speed`: two local workers beside the program with two threads (in `FARANDOLE`), both with a journal of the same shards.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import distributed
import psutil

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from clusters import Machines, machines, program, queens  # noqa: E402

import farandole.dask  # noqa: E402
from farandole.dask._crew import Crew, Task  # noqa: E402


def nothing(argument: Any, whole: Any = None) -> str:
    """As much as a shard and its count."""
    return "x" * 150


def cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def rate(tasks: int = 20_000) -> None:
    with tempfile.TemporaryDirectory() as folder, machines(Path(folder)) as there:
        client = connect(there, 2)
        scheduler, me = psutil.Process(there.scheduler.pid), psutil.Process()
        for size in (tasks // 10, tasks):
            lines = ["y" * 300 for _ in range(size)]
            before = cpu(scheduler), cpu(me), time.monotonic()
            with Crew(client, nothing) as crew:
                done, waiting = 0, iter(lines)
                while done < size:
                    # As many as 50 workers have ahead.
                    room = max(100 - len(crew), 0)
                    crew.submit([Task(line) for _, line in zip(range(room), waiting)])
                    done += len(crew.take(0.2))
            after = cpu(scheduler), cpu(me), time.monotonic()
            spent = [1e3 * (b - a) / size for a, b in zip(before, after)]
            print(f"{size} tasks: scheduler {spent[0]:.2f} ms, client {spent[1]:.2f} ms of processor time each")
            print(f"  on the wall {spent[2]:.2f} ms, load {os.getloadavg()[0]:.1f}")
        slowest = max(spent[:2])
        for seconds in (1, 10, 60):
            print(f"  shards of {seconds} s keep {1e3 * seconds / slowest:.0f} cores busy")
        print(f"scheduler holds {scheduler.memory_info().rss >> 20} MiB, client {me.memory_info().rss >> 20} MiB")
        # Shards as long as those of 16 queens wait in the client alone.
        (one, *_) = farandole.shards.split(queens(16), 200)
        before, begun = me.memory_info().rss, time.process_time()
        shards = [farandole.shards.Shard(one.whole, f"{one.line[:-9]}{number:08}\n") for number in range(100_000)]
        held = (me.memory_info().rss - before) >> 20
        print(f"{len(shards)} shards: {held} MiB more in the client")


def connect(there: Machines, workers: int) -> Any:
    while not there.file.exists():
        time.sleep(0.05)
    client = distributed.Client(scheduler_file=str(there.file))
    for _ in range(workers):
        there.worker()
    client.wait_for_workers(workers)
    return client


def kills(wanted: int = 30, size: int = 14, count: int = 365596, shards: int = 400) -> None:
    done = runs = 0
    while done < wanted:
        with tempfile.TemporaryDirectory() as folder, distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster, distributed.Client(cluster) as client:
            journal, killed, next_kill = Path(folder) / "journal", 0, random.uniform(0, 0.2)

            def kill(progress: farandole.Progress) -> None:
                # A worker that the scheduler does not know yet is not started again by its nanny, so these are spared.
                nonlocal killed, next_kill
                if progress.fraction > next_kill:
                    pids = client.run(os.getpid, on_error="ignore")
                    next_kill = progress.fraction + random.uniform(0, 0.2)
                    if pids:
                        os.kill(random.choice(list(pids.values())), signal.SIGKILL)
                        killed += 1

            begun = time.monotonic()
            found = farandole.dask.count(queens(size), client, journal=journal, shards=shards, progress=kill)
            done, runs = done + killed, runs + 1
            merged = subprocess.run([program(), "merge", journal], capture_output=True, text=True).stdout.strip()
            assert found == count and merged == str(count), (found, merged)
            lines = len(journal.read_text().splitlines())
            print(f"run {runs}: {killed} kills, {found}, {lines} lines, {time.monotonic() - begun:.1f} s", flush=True)
    print(f"{done} kills in {runs} runs: the number was right every time")


def children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def speed(size: int = 15, shards: int = 200) -> None:
    problem = queens(size)
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "queens.dlx"
        text.write_text(problem.to_text())
        for turn in range(3):
            journal = Path(folder) / f"program-{turn}"
            before, begun = children(), time.monotonic()
            command = [program(), "count", "--threads", "2", "--journal", journal, "--shards", str(shards), text]
            out = subprocess.run(list(map(str, command)), capture_output=True, text=True).stdout.strip()
            print(f"program: {out}, {time.monotonic() - begun:.1f} s, processor {children() - before:.1f} s", flush=True)
            with distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
            ) as cluster, distributed.Client(cluster) as client:
                workers = [psutil.Process(pid) for pid in client.run(os.getpid).values()]
                me = psutil.Process()
                journal = Path(folder) / f"cluster-{turn}"
                before, own, begun = sum(map(cpu, workers)), cpu(me), time.monotonic()
                found = farandole.dask.count(problem, client, journal=journal, shards=shards)
                wall = time.monotonic() - begun
                spent = sum(map(cpu, workers)) - before
                print(
                    f"cluster: {found}, {wall:.1f} s, processor {spent:.1f} s and {cpu(me) - own:.1f} s of client and"
                    f" scheduler, load {os.getloadavg()[0]:.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    name, *numbers = sys.argv[1:] or ["rate"]
    {"rate": rate, "kills": kills, "speed": speed}[name](*map(int, numbers))
