"""CPU times of two competitors in one process, and Markdown tables of them.

Claim: none of its own. The benchmark scripts of this folder import it. A ratio of times that were
taken turn by turn in one run says more about other machines than the times do.

Command: python tests/benchmarks/bench_ordinal.py
"""

from __future__ import annotations

import math
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any, NamedTuple

Work = Callable[[], Any]
Clock = Callable[[int], float]
PACKAGES = ("numpy", "scipy", "scikit-learn", "sklearn_ordinal_censored")
_LEAST_SECONDS = 0.05  # of one measurement: short work is called many times


class Timing(NamedTuple):
    """CPU seconds of one call: the least, and the median, over the repeats."""

    best: float
    median: float


def compare(peer: Work, ours: Work, repeats: int) -> tuple[Timing, Timing]:
    """Time both, turn by turn, so that a disturbance meets both of them."""
    return take_turns(partial(cpu_seconds, peer), partial(cpu_seconds, ours), repeats)


def take_turns(peer: Clock, ours: Clock, repeats: int) -> tuple[Timing, Timing]:
    """Read two clocks turn by turn; a clock takes a number of calls and returns seconds a call."""
    clocks = (peer, ours)
    calls = [_calls(clock) for clock in clocks]
    seconds = [[clock(n) for clock, n in zip(clocks, calls, strict=True)] for _ in range(repeats)]
    first, second = (Timing(min(s), statistics.median(s)) for s in zip(*seconds, strict=True))
    return first, second


def _calls(clock: Clock) -> int:
    """Return how many calls fill a measurement; the first call warms up."""
    clock(1)
    calls = 1
    while (seconds := clock(calls) * calls) < _LEAST_SECONDS / 10:  # too short to go by
        calls *= 10
    return max(1, math.ceil(calls * _LEAST_SECONDS / seconds))


def cpu_seconds(work: Work, calls: int) -> float:
    """Return CPU seconds a call."""
    start = time.process_time()
    for _ in range(calls):
        work()
    return (time.process_time() - start) / calls


def ratio_row(work: str, times: tuple[Timing, Timing], bar: float) -> list[str]:
    """Return one line of the table of ratios."""
    peer, ours = times
    return [
        work,
        show_seconds(peer.best),
        show_seconds(ours.best),
        f"{peer.best / ours.best:.1f} x",
        f"{peer.median / ours.median:.1f} x",
        f"{bar:g} x",
    ]


RATIO_HEADER = ("work", "peer (best)", "ours (best)", "ratio of best", "ratio of medians", "bar")


def show_seconds(seconds: float) -> str:
    """Return a time with three digits in a fitting unit."""
    units = (("s", 1.0), ("ms", 1e-3), ("us", 0.0))
    unit = next(name for name, size in units if seconds >= size)
    scale = {"s": 1.0, "ms": 1e3, "us": 1e6}[unit]
    return f"{seconds * scale:.3g} {unit}"


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table, the first column to the left, the others to the right."""
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in (header, rule, *rows))


def environment() -> str:
    """Return machine and versions in one line."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{machine}; Python {platform.python_version()}, {packages}"
