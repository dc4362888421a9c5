"""Speed and values against packages of R.

Claim: none; the ratios show where compiled R stands. Values agree to rounding but for three kinds:
psych's variance of a weighted kappa is not that of Fleiss, Cohen and Everitt, which vcd has too;
riskRegression divides by n - 1 in its errors; and survfit(type = "interval2") stops early.

R runs in a process of its own and is asked for one measurement at a time; both sides are timed turn
by turn by the CPU time of one call, reading the file not included. R's calls are in bench_r.R.

Command: nice python tests/benchmarks/bench_r.py [--repeats 5]
It needs numba, and R with its packages. On Debian and Ubuntu: apt-get install r-base-core
r-cran-survival r-cran-hmisc r-cran-pec r-cran-psych r-cran-psy r-cran-vcd r-cran-riskregression
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits
from timing import (
    RATIO_HEADER,
    cpu_seconds,
    environment,
    markdown_table,
    ratio_row,
    take_turns,
)

from sklearn_ordinal_censored._kernels import pairs
from sklearn_ordinal_censored._kernels.pairs_fast import fenwick_sums
from sklearn_ordinal_censored.metrics import (
    auc_inference,
    brier_inference,
    censored_brier_score,
    concordance_index,
    concordance_index_ipcw,
    concordance_inference,
    cumulative_dynamic_auc,
    kappa_inference,
    quadratic_weighted_kappa,
)
from sklearn_ordinal_censored.nonparametric import KaplanMeier, Turnbull
from sklearn_ordinal_censored.targets import interval_censored, right_censored

PACKAGES = ("survival", "Hmisc", "pec", "psych", "psy", "vcd", "riskRegression")
KERNELS = {"NumPy": pairs.wavelet_sums, "numba": fenwick_sums}
HEADER = (*(name.replace("peer", "R") for name in RATIO_HEADER[:-1]), "largest difference")
Work = Callable[[], Any]


class Case(NamedTuple):
    """A call of R (bench_r.R), the file that it reads, and the same work by us."""

    name: str
    call: str
    data: str
    ours: Work


class R:
    """A running R that answers with CPU seconds and values."""

    def __init__(self, folder: Path) -> None:
        script = Path(__file__).with_suffix(".R")
        self._process = subprocess.Popen(
            ["Rscript", str(script), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )

    def ask(self, case: Case, calls: int = 1) -> list[float]:
        print(case.call, case.data, calls, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            sys.exit(f"R failed at {case.name}; what it says stands above.")
        return [float(word) for word in answer.split()]

    def seconds(self, case: Case, calls: int) -> float:
        return self.ask(case, calls)[0]

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()


def ask_versions() -> str:
    """Return the versions of R and its packages, or stop and say what is missing."""
    if shutil.which("Rscript") is None:
        sys.exit("Rscript is missing." + __doc__.partition("It needs")[2])
    listed = ", ".join(f'"{name}"' for name in PACKAGES)
    code = (
        f"for (p in c({listed})) cat(p, if (requireNamespace(p, quietly = TRUE)) "
        'format(packageVersion(p)) else "missing", "\\n"); cat("R", format(getRversion()))'
    )
    found = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=True)
    versions = ", ".join(line.strip() for line in reversed(found.stdout.splitlines()))
    if "missing" in versions:
        sys.exit(versions + ": install with" + __doc__.partition("Ubuntu:")[2])
    return versions


def concordance_cases(folder: Path) -> Iterator[Case]:
    for n_samples in (20_000, 200_000):
        rng = np.random.default_rng(0)
        time, event = rng.exponential(1, n_samples), rng.random(n_samples) < 0.5
        predicted = time + rng.normal(size=n_samples)
        data = f"concordance{n_samples}"
        write(folder, data, time=time, event=event.astype(int), prediction=predicted)
        y = right_censored(event, time)
        size = f"n = {n_samples:,}"
        for kernel in KERNELS:
            works = {
                "survival::concordancefit": ("concordance_error", with_error(y, predicted)),
                "survival::concordancefit(std.err = FALSE)": (
                    "concordance_alone",
                    partial(concordance_index, y, predicted),
                ),
                'survival::concordancefit(std.err = FALSE, timewt = "n/G2")': (
                    "concordance_ipcw",
                    partial(concordance_index_ipcw, y, predicted),
                ),
                "Hmisc::rcorr.cens": ("rcorr_cens", with_error(y, predicted)),
            }
            if n_samples > 20_000:
                del works["Hmisc::rcorr.cens"]  # quadratic: minutes
            for peer, (call, ours) in works.items():
                yield Case(f"{peer}, {size} ({kernel})", call, data, by_kernel(kernel, ours))
        yield Case(f"survival::survfit, {size}", "survfit", data, partial(kaplan_meier, y))


def with_error(y: np.ndarray, predicted: np.ndarray) -> Work:
    def _both() -> tuple[float, float]:
        found = concordance_inference(y, predicted)
        return found.estimate, found.standard_error

    return _both


def by_kernel(name: str, work: Work) -> Work:
    def _work() -> Any:
        with patch.object(pairs, "_implementation", lambda: KERNELS[name]):
            return work()

    return _work


def kaplan_meier(y: np.ndarray) -> np.ndarray:
    """Return the curve, and Greenwood's errors, at 20 places."""
    curve = KaplanMeier().fit(y)
    curve.confidence_interval()
    places = np.linspace(0, len(curve.times_) - 1, 20).astype(int)
    # The last place is left out as R has no error for a curve that has come down to 0.
    return np.append(curve.survival_[places], np.sqrt(curve.variance_[places[:-1]]))


def curve_cases(folder: Path) -> Iterator[Case]:
    for n_samples in (2_000, 20_000):
        rng = np.random.default_rng(0)
        risk = rng.permutation(n_samples) / n_samples + 0.1
        event_time, censoring = rng.exponential(1 / risk), rng.exponential(2, n_samples)
        times = np.linspace(0.1, 1.5, 10)
        curves = np.exp(-np.outer(risk, times))
        y = right_censored(event_time <= censoring, np.minimum(event_time, censoring))
        data, columns = f"curves{n_samples}", {f"at{k}": c for k, c in enumerate(curves.T)}
        write(folder, data, time=y["time"], event=y["event"].astype(int), **columns)
        write(folder, data + "_times", times=times)
        brier = partial(censored_brier_score, y, curves, times=times)
        auc = partial(cumulative_dynamic_auc, y, curves, times=times)
        size = f"n = {n_samples:,}, 10 times"
        score = "riskRegression::Score"
        yield Case(f"pec::pec, {size}", "pec", data, brier)
        yield Case(f"{score}, Brier, {size}", "score_brier", data, brier)
        yield Case(f"{score}, AUC, {size}", "score_auc", data, auc)
        for name, infer in (("Brier", brier_inference), ("AUC", auc_inference)):
            ours = partial(stacked, infer, y, curves, times)
            label = f"{score}, {name} with errors, {size}"
            yield Case(label, f"score_{name.lower()}_error", data, ours)


def stacked(infer: Callable, y: np.ndarray, curves: np.ndarray, times: np.ndarray) -> np.ndarray:
    found = infer(y, curves, times=times)
    return np.append(found.estimate, found.standard_error)


def kappa_cases(folder: Path) -> Iterator[Case]:
    for n_samples in (100, 1_000_000):
        rng = np.random.default_rng(0)
        truth = rng.integers(5, size=n_samples)
        graded = np.clip(truth + rng.integers(-1, 2, size=n_samples), 0, 4)
        data, size = f"kappa{n_samples}", f"n = {n_samples:,}"
        write(folder, data, truth=truth, graded=graded)
        both = partial(kappa_and_error, truth, graded)
        kappa = partial(quadratic_weighted_kappa, truth, graded)
        yield Case(f"psy::wkappa, {size}", "psy", data, kappa)
        yield Case(f"psych::cohen.kappa, {size}", "psych", data, both)
        yield Case(f"vcd::Kappa(table(...)), {size}", "vcd", data, both)


def kappa_and_error(truth: np.ndarray, graded: np.ndarray) -> tuple[float, float]:
    found = kappa_inference(truth, graded)
    return found.estimate, found.standard_error


def turnbull_cases(folder: Path) -> Iterator[Case]:
    for n_samples in (100, 1_000):
        rng = np.random.default_rng(0)
        time = rng.weibull(1.5, n_samples)
        looks = np.sort(rng.uniform(0, 2.5, (n_samples, 2)), axis=1)
        ends = np.column_stack([np.full(n_samples, -np.inf), looks, np.full(n_samples, np.inf)])
        stretch = (time[:, np.newaxis] > looks).sum(axis=1)
        lower, upper = (ends[np.arange(n_samples), stretch + side] for side in (0, 1))
        data, y = f"intervals{n_samples}", interval_censored(lower, upper)
        write(folder, data, lower=lower, upper=upper)
        right_ends = Turnbull().fit(y).intervals_[:, 1]
        times = right_ends[np.isfinite(right_ends)]
        write(folder, data + "_times", times=times)
        name = f'survival::survfit(type = "interval2"), n = {n_samples:,}'
        yield Case(name, "interval2", data, partial(turnbull, y, times))


def turnbull(y: np.ndarray, times: np.ndarray) -> np.ndarray:
    return Turnbull().fit(y).predict(times)


def write(folder: Path, name: str, **columns: Any) -> None:
    frame = pd.DataFrame(columns).replace({np.inf: "Inf", -np.inf: "-Inf"})
    frame.to_csv(folder / f"{name}.csv", index=False, float_format="%.17g")


def line(r: R, case: Case, repeats: int) -> list[str]:
    theirs, ours = np.array(r.ask(case)[1:]), np.ravel(case.ours())
    times = take_turns(partial(r.seconds, case), partial(cpu_seconds, case.ours), repeats)
    return [*ratio_row(case.name, times, 0)[:-1], f"{np.abs(theirs - ours).max():.0e}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    versions = ask_versions()
    makers = (concordance_cases, curve_cases, kappa_cases, turnbull_cases)
    with tempfile.TemporaryDirectory() as name, threadpool_limits(1):
        folder = Path(name)
        cases = [case for make in makers for case in make(folder)]
        r = R(folder)
        rows = [line(r, case, repeats) for case in cases]
        r.close()
    print(environment() + "; " + versions, end="\n\n")
    print(markdown_table(HEADER, rows))


if __name__ == "__main__":
    main()
