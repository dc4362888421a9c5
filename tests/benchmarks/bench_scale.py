"""Time and memory of metrics over many rows, direct and from rows that an engine has counted.

Claim: grades of ten million rows take seconds whatever the way, and an engine that counts cells
takes less memory than the rows; concordance of rows that repeat is the same value from the distinct
ones, sooner and in less memory.

Every line runs in a process of its own. "read" is the wall time until rows or counts are there,
"score" that of the metric; compiling is not counted. The memory is the peak of the process
(ru_maxrss) above what it held once the libraries were loaded. Engines use all cores, the metrics
one.

Command: nice python tests/benchmarks/bench_scale.py [--rows 10000000]
It needs polars, duckdb, pyarrow, dask and numba.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from timing import environment, markdown_table, show_seconds

N_FILES = 10
PREDICTIONS = {
    "graded": "5 grades",
    "exact": "predictions as they are",
    "three": "of three decimals",
    "rounded": "of one decimal",
}
GRADES, TIMES = ["truth", "prediction"], ["time", "event", "prediction"]


def write_files(folder: Path, n_rows: int) -> None:
    """Write grades, whole days with rounded predictions, and the predictions before rounding."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(0)
    for part in range(N_FILES):
        size = n_rows // N_FILES
        true = rng.integers(5, size=size)
        pred = np.clip(true + rng.integers(-1, 2, size=size), 0, 4)
        pd.DataFrame({"truth": true, "prediction": pred}).to_parquet(
            folder / f"graded-{part}.parquet"
        )
        day = rng.integers(1, 3651, size=size)
        exact = day / 3650 + rng.normal(scale=0.5, size=size)
        frame = pd.DataFrame({"time": day, "event": rng.random(size) < 0.3})
        for name, digits in (("exact", 15), ("three", 3), ("rounded", 1)):
            frame.assign(prediction=exact.round(digits)).to_parquet(
                folder / f"{name}-{part}.parquet"
            )


def _all_rows(pattern: str, keys: list[str]) -> dict[str, Any]:
    import pyarrow.parquet as pq

    files = sorted(Path(pattern).parent.glob(Path(pattern).name))
    table = pq.read_table(files, columns=keys)
    return {key: table[key].to_numpy() for key in keys}


def _duckdb(pattern: str, keys: list[str]) -> Any:
    import duckdb

    listed = ", ".join(keys)
    return duckdb.sql(f"SELECT {listed}, count(*) AS n FROM '{pattern}' GROUP BY ALL").fetchnumpy()


def _polars(pattern: str, keys: list[str]) -> Any:
    import polars as pl

    counted = pl.scan_parquet(pattern).group_by(keys).len("n").collect(engine="streaming")
    return {name: counted[name].to_numpy() for name in counted.columns}


def _dask(pattern: str, keys: list[str]) -> Any:
    import dask.dataframe as dd

    rows = dd.read_parquet(pattern, columns=keys)
    counted = rows.groupby(keys).size().rename("n").reset_index().compute()
    return {name: counted[name].to_numpy() for name in counted.columns}


READERS: dict[str, Callable[[str, list[str]], Any]] = {
    "all rows": _all_rows,
    "DuckDB": _duckdb,
    "polars": _polars,
    "dask": _dask,
}
LIBRARIES = {"all rows": "pyarrow.parquet", "DuckDB": "duckdb", "dask": "dask.dataframe"}


def _peak() -> float:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def measure(reader: str, metric: str, kernel: str, pattern: str, pipe: Any) -> None:
    """Send seconds of reading and scoring, peak megabytes, number of rows read, and the value."""
    __import__(LIBRARIES.get(reader, reader))
    import pandas  # noqa: F401

    score = _kappa if metric == "kappa" else _concordance
    with patch("sklearn_ordinal_censored._kernels.pairs._implementation", lambda: _kernel(kernel)):
        score({"truth": [0, 1], "prediction": [0, 1], "time": [1, 2], "event": [True, True]})
        score(
            {"truth": [0, 1], "prediction": [0, 1], "time": [1, 2], "event": [True, True]}
            | {"n": [1, 2]}
        )
        before, start = _peak(), time.perf_counter()
        rows = READERS[reader](pattern, GRADES if metric == "kappa" else TIMES)
        read = time.perf_counter()
        value = score(rows)
        end = time.perf_counter()
    pipe.send((read - start, end - read, _peak() - before, len(rows["prediction"]), value))


def _kernel(name: str) -> Any:
    from sklearn_ordinal_censored._kernels import pairs, pairs_fast

    return pairs_fast.fenwick_sums if name == "numba" else pairs.wavelet_sums


def _kappa(rows: Any) -> float:
    from sklearn_ordinal_censored.metrics import quadratic_weighted_kappa

    return quadratic_weighted_kappa(
        rows["truth"], rows["prediction"], sample_weight=rows.get("n"), labels=range(5)
    )


def _concordance(rows: Any) -> float:
    from sklearn_ordinal_censored.metrics import concordance_index
    from sklearn_ordinal_censored.targets import right_censored

    y = right_censored(rows["event"], rows["time"])
    return concordance_index(y, rows["prediction"], sample_weight=rows.get("n"))


def in_a_process(reader: str, metric: str, kernel: str, pattern: str) -> tuple[Any, ...]:
    # A spawned process begins with the peak of its parent, which loads no more than it must.
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=measure, args=(reader, metric, kernel, pattern, sender))
    process.start()
    sender.close()
    result: tuple[Any, ...] = receiver.recv()
    process.join()
    return result


def lines(folder: Path) -> list[list[str]]:
    works = [("kappa", "NumPy", "graded", reader) for reader in READERS]
    works += [("concordance", "numba", name, "all rows") for name in ("exact", "three")]
    works += [("concordance", "NumPy", "exact", "all rows")]
    works += [
        ("concordance", kernel, "rounded", reader)
        for kernel in ("numba", "NumPy")
        for reader in (READERS if kernel == "numba" else ("all rows", "DuckDB"))
    ]
    table = []
    for metric, kernel, name, reader in works:
        read, score, peak, n_rows, value = in_a_process(
            reader, metric, kernel, str(folder / f"{name}-*.parquet")
        )
        work = f"{metric} ({kernel}), {PREDICTIONS[name]}, {reader}"
        row = [work, f"{n_rows:,}", show_seconds(read)]
        table.append([*row, show_seconds(score), f"{peak:,.0f} MB", repr(value)])
        print(table[-1], file=sys.stderr, flush=True)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    n_rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as name:
        writer = multiprocessing.get_context("spawn").Process(
            target=write_files, args=(Path(name), n_rows)
        )
        writer.start()
        writer.join()
        header = ("work", "rows scored", "read", "score", "peak memory", "value")
        print(environment(), "\n")
        print(markdown_table(header, lines(Path(name))))


if __name__ == "__main__":
    main()
