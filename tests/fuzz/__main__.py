"""``python -m tests.fuzz``: every decoder against every kind of stream, a million bytes each unless told otherwise."""

from __future__ import annotations

import argparse
import secrets
import sys
import time

from tests.fuzz.run import run
from tests.fuzz.streams import KINDS
from tests.fuzz.tongues import TONGUES


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9), help="repeats a run")
    parser.add_argument("--bytes", type=int, default=1_000_000, dest="size", help="bytes a stream")
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.size} bytes a stream")
    print("decoder  stream       frames missed invented by chance told  MB/s")
    sound = True
    for tongue in TONGUES:
        for kind in KINDS:
            began = time.perf_counter()
            came = run(tongue, kind, options.size, options.seed)
            speed = came.octets / (time.perf_counter() - began) / 1e6
            sound = sound and came.sound
            counts = f"{came.frames:7} {came.missed:6} {came.invented:8} {came.ghosts:9} {came.told:4}"
            print(f"{tongue.name:8} {kind:11} {counts} {speed:5.1f}", flush=True)
    print("sound" if sound else f"NOT sound: repeat it with --seed {options.seed}")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
