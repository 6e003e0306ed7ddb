"""Runs the benchmarks: `python -m tests.bench [NAME ...]`, without a name all of them, one line a name.

A benchmark is a module in this folder with a function `measure() -> Measurement`; its name is the module's.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

NOT_BENCHMARKS = {"__init__", "__main__", "measurement"}


def names() -> list[str]:
    """The benchmarks there are: modules in this folder that define `measure`."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return [
        file.stem
        for file in files
        if file.stem not in NOT_BENCHMARKS and "\ndef measure()" in file.read_text()
    ]


def main(wanted: list[str]) -> int:
    """Measure what is wanted and print it; 2 and the list of names for one that doesn't exist."""
    unknown = set(wanted) - set(names())
    if unknown:
        print(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(names())}", file=sys.stderr)
        return 2
    for name in wanted or names():
        print(importlib.import_module(f"tests.bench.{name}").measure().line(name), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or os.environ.get("ONLY", "").replace(",", " ").split()))
