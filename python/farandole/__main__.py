"""Runs the program: ``python -m farandole``, or ``farandole`` where the package is installed."""

from __future__ import annotations

import os
import signal
import sys
import sysconfig
from pathlib import Path

from ._farandole import main as run

__all__ = ["main"]


def main() -> int:
    """Runs the program with the arguments of this process, and returns its exit code."""
    # The program handles Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    script = Path(sysconfig.get_path("scripts")) / ("farandole.exe" if os.name == "nt" else "farandole")
    return run(sys.argv[1:], str(script) if script.is_file() else None)


if __name__ == "__main__":
    sys.exit(main())
