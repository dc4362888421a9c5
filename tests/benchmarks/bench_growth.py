"""Cost of metrics and tools as the number of rows grows, as a table and as a picture.

Claim: the CPU time of everything of ours grows with a slope below 1.5 up to ten million rows, where
that of all pairs of rows is 2.

Every work runs in a process of its own, on one thread and within 8 GB, its data included. It stops
before a size of which a call is expected to take more than 60 s by the last two, or where memory is
out. The slope is that of log time on log n, fitted to the upper half of the sizes.

Command: nice python tests/benchmarks/bench_growth.py --picture docs/images/growth.png
It needs scikit-survival, lifelines, numba and matplotlib. Less: [--largest 1000000]
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import resource
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple
from unittest.mock import patch

import matplotlib.pyplot as plt
import numpy as np
from bench_censored import random_rows, with_kernel
from bench_ordinal import N_CLASSES, cohen_quadratic, nelder_mead, scored_rows
from bench_survival_curves import random_rows as random_curves
from lifelines import KaplanMeierFitter
from lifelines.utils import concordance_index as lifelines_concordance
from sklearn.model_selection import StratifiedKFold
from sksurv.metrics import brier_score, concordance_index_censored
from sksurv.metrics import cumulative_dynamic_auc as peer_auc
from threadpoolctl import threadpool_limits
from timing import cpu_seconds, environment, markdown_table, show_seconds

from sklearn_ordinal_censored._kernels import pairs
from sklearn_ordinal_censored.metrics import (
    censored_brier_score,
    concordance_index_ipcw,
    cumulative_dynamic_auc,
    ordinal_accuracy,
    quadratic_weighted_kappa,
    ranked_probability_score,
)
from sklearn_ordinal_censored.model_selection import CensoredCVSplitter
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.plotting._style import BLUE, GREY, SKY, VERMILLION
from sklearn_ordinal_censored.postprocessing import optimal_thresholds
from sklearn_ordinal_censored.targets import right_censored

SIZES = [round(10 ** (k / 2)) for k in range(6, 15)]  # half a decade apart
MOST_SECONDS, MOST_BYTES = 60, 8e9
N_TIMES, N_SPLITS = 10, 10
_LEAST_SECONDS = 0.05  # of one measurement
_ONCE = 10.0  # seconds from which a call is not repeated
Work = Callable[[], Any]


def grades(n_samples: int) -> tuple[np.ndarray, np.ndarray]:
    y, score = scored_rows(n_samples)
    return y, np.clip(np.rint(score), 0, N_CLASSES - 1).astype(int)


def kappa(n_samples: int) -> Work:
    return partial(quadratic_weighted_kappa, *grades(n_samples))


def accuracy(n_samples: int) -> Work:
    return partial(ordinal_accuracy, *grades(n_samples), tolerance=1)


def probabilities(n_samples: int) -> Work:
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.ones(N_CLASSES), n_samples)
    return partial(ranked_probability_score, rng.integers(N_CLASSES, size=n_samples), proba)


def cohen(n_samples: int) -> Work:
    return partial(cohen_quadratic, *grades(n_samples))


def cuts(strategy: str, n_samples: int) -> Work:
    return partial(optimal_thresholds, *scored_rows(n_samples), strategy=strategy)


def local_search(n_samples: int) -> Work:
    return partial(nelder_mead, *scored_rows(n_samples), N_CLASSES, cohen_quadratic)


def concordance(kernel: str, n_samples: int) -> Work:
    event, time, predicted = random_rows(n_samples)
    return partial(with_kernel, kernel, right_censored(event, time), predicted)


def concordance_ipcw(n_samples: int) -> Work:
    event, time, predicted = random_rows(n_samples)
    y = right_censored(event, time)

    def _numpy() -> float:
        with patch.object(pairs, "_implementation", lambda: pairs.wavelet_sums):
            return concordance_index_ipcw(y, predicted)

    return _numpy


def survival_concordance(n_samples: int) -> Work:
    event, time, predicted = random_rows(n_samples)
    return partial(concordance_index_censored, event, time, -predicted)


def lifelines_pairs(n_samples: int) -> Work:
    event, time, predicted = random_rows(n_samples)
    return partial(lifelines_concordance, time, predicted, event)


def brier(n_samples: int) -> Work:
    rows = random_curves(n_samples, N_TIMES)
    return partial(censored_brier_score, rows.y, rows.curves, times=rows.times)


def area(n_samples: int) -> Work:
    rows = random_curves(n_samples, N_TIMES)
    return partial(cumulative_dynamic_auc, rows.y, rows.risk, times=rows.times, prediction="risk")


def peer_brier(n_samples: int) -> Work:
    rows = random_curves(n_samples, N_TIMES)
    return partial(brier_score, rows.y, rows.y, rows.curves, rows.times)


def peer_area(n_samples: int) -> Work:
    rows = random_curves(n_samples, N_TIMES)
    return partial(peer_auc, rows.y, rows.y, rows.risk, rows.times)


def kaplan_meier(n_samples: int) -> Work:
    event, time, _ = random_rows(n_samples)
    return partial(KaplanMeier().fit, right_censored(event, time))


def lifelines_curve(n_samples: int) -> Work:
    event, time, _ = random_rows(n_samples)
    return partial(KaplanMeierFitter().fit, time, event)


def censored_folds(n_samples: int) -> Work:
    event, time, _ = random_rows(n_samples)
    X, y = np.zeros((n_samples, 1)), right_censored(event, time)
    return lambda: list(CensoredCVSplitter(N_SPLITS, random_state=0).split(X, y))


def stratified_folds(n_samples: int) -> Work:
    event, _, _ = random_rows(n_samples)
    X, folds = np.zeros((n_samples, 1)), StratifiedKFold(N_SPLITS, shuffle=True, random_state=0)
    return lambda: list(folds.split(X, event))


class Tool(NamedTuple):
    """What is measured and how it is drawn: peers are dashed."""

    name: str
    make: Callable[[int], Work]
    colour: str
    is_peer: bool = False


PANELS = {
    "Metrics of grades": (
        Tool("ranked_probability_score", probabilities, SKY),
        Tool("quadratic_weighted_kappa", kappa, BLUE),
        Tool("ordinal_accuracy", accuracy, VERMILLION),
        Tool("scikit-learn: cohen_kappa_score", cohen, BLUE, True),
    ),
    "Cut points": (
        Tool("smoothed", partial(cuts, "smoothed"), BLUE),
        Tool("exact", partial(cuts, "exact"), VERMILLION),
        Tool("Nelder-Mead on cohen_kappa_score", local_search, GREY, True),
    ),
    "Concordance": (
        Tool("concordance_index_ipcw", concordance_ipcw, VERMILLION),
        Tool("concordance_index, NumPy", partial(concordance, "NumPy"), BLUE),
        Tool("concordance_index, numba", partial(concordance, "numba"), SKY),
        Tool("scikit-survival", survival_concordance, "black", True),
        Tool("lifelines", lifelines_pairs, GREY, True),
    ),
    "Curves at 10 times": (
        Tool("cumulative_dynamic_auc", area, VERMILLION),
        Tool("censored_brier_score", brier, BLUE),
        Tool("scikit-survival: AUC", peer_area, VERMILLION, True),
        Tool("scikit-survival: Brier score", peer_brier, BLUE, True),
    ),
    "Kaplan-Meier": (
        Tool("KaplanMeier", kaplan_meier, BLUE),
        Tool("lifelines", lifelines_curve, BLUE, True),
    ),
    "Ten folds": (
        Tool("CensoredCVSplitter", censored_folds, BLUE),
        Tool("scikit-learn: StratifiedKFold", stratified_folds, BLUE, True),
    ),
}


def measure(tool: Tool, sizes: list[int], pipe: Any) -> None:
    """Send the seconds of a call for one size after the other."""
    resource.setrlimit(resource.RLIMIT_DATA, (int(MOST_BYTES), int(MOST_BYTES)))
    times: list[float] = []
    with threadpool_limits(1):
        tool.make(sizes[0])()  # compiles
        for n_samples in sizes:
            if len(times) > 1 and times[-1] ** 2 / times[-2] > MOST_SECONDS:
                break
            try:
                times.append(best_seconds(tool.make(n_samples)))
            except MemoryError:
                print(f"{tool.name}: no memory for {n_samples:,} rows", file=sys.stderr)
                break
            pipe.send(times[-1])
    pipe.close()


def best_seconds(work: Work) -> float:
    """Return the least time of a few calls: the first one pays for pages of memory, too."""
    first = cpu_seconds(work, 1)
    if first > _ONCE:
        return first
    calls = math.ceil(_LEAST_SECONDS / first)
    return min(cpu_seconds(work, calls) for _ in range(5 if calls > 1 else 3))


def in_a_process(panel: str, place: int, sizes: list[int]) -> list[float]:
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    tool = PANELS[panel][place]
    process = context.Process(target=measure, args=(tool, sizes, sender))
    process.start()
    sender.close()
    times = []
    try:
        while True:
            times.append(receiver.recv())
    except EOFError:
        process.join()
    if process.exitcode:  # its line would look as if a limit had ended it
        sys.exit(f"{panel}, {tool.name}: the process died, exit code {process.exitcode}.")
    print(panel, tool.name, [show_seconds(t) for t in times], file=sys.stderr, flush=True)
    return times


def slope(sizes: list[int], times: list[float]) -> float:
    upper = slice(len(times) // 2, len(times))
    return float(np.polyfit(np.log(sizes[: len(times)][upper]), np.log(times[upper]), 1)[0])


def table(sizes: list[int], found: dict[str, list[list[float]]]) -> str:
    decades = sizes[::2]
    lines = []
    for panel, tools in PANELS.items():
        for tool, times in zip(tools, found[panel], strict=True):
            cells = [show_seconds(t) for t in times[::2]] + [""] * len(decades)
            name = f"{panel}: {tool.name}" + (" (peer)" if tool.is_peer else "")
            lines.append([name, *cells[: len(decades)], f"{slope(sizes, times):.2f}"])
    return markdown_table(["work", *(f"{n:,}" for n in decades), "slope"], lines)


def draw(sizes: list[int], found: dict[str, list[list[float]]], path: str) -> None:
    markers = "osD^v"
    with plt.rc_context({"font.size": 11, "axes.titlesize": 12, "legend.fontsize": 9.5}):
        figure, axes = plt.subplots(3, 2, figsize=(8, 10.5), sharex=True, layout="constrained")
        for ax, (panel, tools) in zip(axes.flat, PANELS.items(), strict=True):
            for k, (tool, times) in enumerate(zip(tools, found[panel], strict=True)):
                ax.plot(
                    sizes[: len(times)],
                    times,
                    "--" if tool.is_peer else "-",
                    marker=markers[k],
                    markersize=5,
                    markerfacecolor="white" if tool.is_peer else tool.colour,
                    color=tool.colour,
                    label=tool.name,
                )
            ax.set(xscale="log", yscale="log", title=panel, ylim=(1e-5, 1e5))
            ax.set_yticks([1e-4, 1e-2, 1, 60], ["0.1 ms", "10 ms", "1 s", "1 min"], minor=False)
            ax.minorticks_off()
            ax.grid(color="#DDDDDD", linewidth=0.7)
            ax.legend(loc="upper left", frameon=False, labelspacing=0.25)
        for ax in axes[-1]:
            ax.set_xlabel("rows")
        figure.supylabel("CPU time of one call")
        figure.savefig(path, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    parser.add_argument("--picture", help="where the picture goes")
    options = parser.parse_args()
    sizes = [n for n in SIZES if n <= options.largest]
    found = {
        panel: [in_a_process(panel, place, sizes) for place in range(len(tools))]
        for panel, tools in PANELS.items()
    }
    print(environment(), end="\n\n")
    print(table(sizes, found))
    if options.picture:
        draw(sizes, found, options.picture)


if __name__ == "__main__":
    main()
