"""Shared clusters and problems of the tests."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from farandole import Problem


def queens(size: int) -> Problem[Any]:
    """Queens on a board: 2680 for 11, 14200 for 12, 365596 for 14."""
    board = [(row, column) for row in range(size) for column in range(size)]
    options = [[("r", r), ("c", c), ("d", r + c), ("e", r - c)] for r, c in board]
    diagonals = [(name, place) for name in "de" for place in range(-size, 2 * size)]
    return Problem(options, secondary=diagonals)


def program() -> str:
    """Returns the program `farandole` of this checkout."""
    target = Path(__file__).parents[2] / "target"
    found = [os.environ.get("FARANDOLE"), *map(str, [target / "debug/farandole", target / "release/farandole"])]
    for path in found:
        if path and os.path.exists(path):
            return path
    path = shutil.which("farandole")
    if path is None:
        pytest.skip("the program is not built")
    return path


def run(*arguments: object, code: int = 0, text: str | None = None) -> str:
    """Runs the program."""
    ran = subprocess.run([program(), *map(str, arguments)], input=text, capture_output=True, text=True, timeout=120)
    assert ran.returncode == code, ran.stderr
    return ran.stdout if code == 0 else ran.stderr


class Machines:
    """A scheduler and workers, each a process of its own that can be killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.file = folder / "scheduler.json"
        self.scheduler = self.start("scheduler", "--scheduler-file", str(self.file), "--port", "0", "--no-dashboard")

    def start(self, kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", kind, *arguments]
        with open(self.folder / "log", "ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        self.processes.append(process)
        return process

    def worker(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Starts a worker with one thread and no nanny."""
        file = ("--scheduler-file", str(self.file))
        return self.start("worker", *file, "--nthreads", "1", "--no-nanny", "--no-dashboard", *arguments)


@contextlib.contextmanager
def machines(folder: Path) -> Iterator[Machines]:
    made = Machines(folder)
    try:
        yield made
    finally:
        for process in made.processes:
            process.kill()
            process.wait()
