#!/usr/bin/env python3
"""Kills a count at random moments until it has come to its end, again and again: is the number right each time?

    python3 benches/kills.py [--kills 100] [--within 1.0] [--tear] [--seed 1] NUMBER COMMAND...

`{}` in the command stands for a path in a new folder, which a count has for itself: `--scratch {}` or `--journal {}`. A
count is killed with SIGKILL at a moment within so many seconds, begun again, and so on; after nine kills it is left
alone to its end, and must print NUMBER. With `--tear`, after every third kill a random file in that folder is cut
off or a bit of it changed; then the command must either print NUMBER or refuse the folder with exit code 2, never print
anything else. The last line tells how many kills and counts there were.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KILLS_OF_A_COUNT = 9


def tear(path: Path) -> str:
    """Cuts off a file or changes a byte of it; returns what it did."""
    files = [path] if path.is_file() else sorted(path.glob("*"))
    files = [file for file in files if file.stat().st_size]
    if not files:
        return "nothing to tear"
    file = random.choice(files)
    data = bytearray(file.read_bytes())
    place = random.randrange(len(data))
    if random.random() < 0.5:
        del data[place:]
        what = f"{file.name} cut off after {place} bytes"
    else:
        data[place] ^= 1 << random.randrange(8)
        what = f"byte {place} of {file.name} changed"
    file.write_bytes(data)
    return what


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--within", type=float, default=1.0, help="seconds")
    parser.add_argument("--tear", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("number")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    random.seed(args.seed)
    kills = counts = torn = refused = gone_back = 0
    begun = time.monotonic()
    while kills < args.kills:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "kept"
            command = [word.replace("{}", str(path)) for word in args.command]
            here, whole, words = 0, None, ""
            while whole is None:
                child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                wait = random.uniform(0, args.within) if here < KILLS_OF_A_COUNT else None
                try:
                    out, words = child.communicate(timeout=wait)
                    whole = out, child.returncode
                except subprocess.TimeoutExpired:
                    child.kill()
                    _, words = child.communicate()
                    here += 1
                    if args.tear and here % 3 == 0:
                        print(tear(path))
                        torn += 1
                gone_back += "goes on from what was kept before" in words
            kills, counts = kills + here, counts + 1
            if args.tear and whole == ("", 2):
                refused += 1
                print(f"refused: {words.strip()}")
            elif whole != (f"{args.number}\n", 0):
                sys.exit(f"expected {args.number}, found {whole[0]!r}, exit code {whole[1]}, seed {args.seed}: {words}")
    print(
        f"{kills} kills in {counts} counts, {torn} times torn, {gone_back} times gone back, {refused} refused, the number right "
        f"in all others, in {time.monotonic() - begun:.0f} s"
    )


if __name__ == "__main__":
    main()
