"""Kappa and grading errors as R packages compute them."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sklearn_ordinal_censored.metrics import (
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
    weighted_kappa,
)

FOLDER = Path(__file__).parent.parent / "reference"
CASES = json.loads((FOLDER / "ordinal.json").read_text())
UNDEFINED = -9.0  # stands for R's NaN on both sides


def as_parameters(*parts):
    cases = [case for case in CASES if case["id"].split("/")[0] in parts]
    return pytest.mark.parametrize("case", cases, ids=[case["id"] for case in cases])


def read_ratings(case):
    with (FOLDER / f"{case['dataset']}.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row.get("case") == case.get("case")]
    true, pred = ([int(row[side]) for row in rows] for side in ("r1", "r2"))
    return true, pred, [int(row.get("count", 1)) for row in rows]


def disagreement(case):
    if "disagreement" in case:
        return case["disagreement"]
    if "agreement_weights" in case:
        return 1 - np.array(case["agreement_weights"])
    return {"unweighted": None}.get(case["weights"], case["weights"])


@as_parameters("kappa", "kappa_vcd", "irrcac_kappa2")
def test_weighted_kappa(case):
    true, pred, count = read_ratings(case)
    value = weighted_kappa(
        true,
        pred,
        weights=disagreement(case),
        labels=case["levels"],
        sample_weight=count,
        replace_undefined_by=UNDEFINED,
    )
    expected = case["values"]["kappa"]
    assert value == pytest.approx(UNDEFINED if expected is None else expected, abs=1e-9)


@as_parameters("simple")
def test_grading_errors(case):
    true, pred, count = read_ratings(case)
    keywords = {"labels": case["levels"], "sample_weight": count}
    values = {
        "accuracy": ordinal_accuracy(true, pred, **keywords),
        "accuracy_within_1": ordinal_accuracy(true, pred, tolerance=1, **keywords),
        "mae": mean_absolute_class_error(true, pred, **keywords),
        "mse": mean_squared_class_error(true, pred, **keywords),
        "macro_mae": mean_absolute_class_error(true, pred, average="macro", **keywords),
        "max_mae": mean_absolute_class_error(true, pred, average="max", **keywords),
    }
    by_grade = mean_absolute_class_error(
        true, pred, average=None, replace_undefined_by=UNDEFINED, **keywords
    )
    expected = dict(case["values"])
    expected_by_grade = [UNDEFINED if v is None else v for v in expected.pop("mae_per_true_level")]
    assert values == pytest.approx(expected, abs=1e-9)
    assert_allclose(by_grade, expected_by_grade, atol=1e-9)


def test_every_reference_row_is_compared():
    parts = {case["id"].split("/")[0] for case in CASES}
    assert parts == {"kappa", "kappa_vcd", "irrcac_kappa2", "simple"}
    assert len(CASES) == len({case["id"] for case in CASES})
    assert all(case["package"] and case["call"] for case in CASES)
