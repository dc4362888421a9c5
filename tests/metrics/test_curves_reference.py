"""Brier scores and areas under the ROC curve as R packages compute them."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sklearn_ordinal_censored.metrics import (
    censored_brier_score,
    cumulative_dynamic_auc,
    scaled_brier_score,
)
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import right_censored

FOLDER = Path(__file__).parent.parent / "reference"
CASES = json.loads((FOLDER / "curves.json").read_text())


def as_parameters(kind):
    cases = [case for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", cases, ids=[case["id"] for case in cases])


def read_columns(case):
    with (FOLDER / f"{case['dataset']}.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {
        role: np.array([float(row[name]) for row in rows]) for role, name in case["columns"].items()
    }


def read_curves(case):
    return np.loadtxt(FOLDER / f"{case['curves']}.csv", delimiter=",", skiprows=1, ndmin=2)


@as_parameters("brier")
def test_brier_score(case):
    columns, expected, times = read_columns(case), case["values"], case["times"]
    y, curves = right_censored(columns["event"], columns["time"]), read_curves(case)
    value = censored_brier_score(y, curves, times=times)
    assert_allclose(value, expected["brier"], rtol=1e-9)
    marginal = np.tile(KaplanMeier().fit(y).predict(times), (len(y), 1))
    value = censored_brier_score(y, marginal, times=times)
    assert_allclose(value, expected["marginal_brier"], rtol=1e-9)
    if "ipa" in expected:
        value = scaled_brier_score(y, curves, times=times)
        assert_allclose(value, expected["ipa"], rtol=1e-9, atol=1e-9)


@as_parameters("auc")
def test_auc(case):
    columns, times = read_columns(case), case["times"]
    y = right_censored(columns["event"], columns["time"])
    if "curves" in case:
        value = cumulative_dynamic_auc(y, read_curves(case), times=times)
    else:
        value = cumulative_dynamic_auc(y, columns["score"], times=times, prediction="risk")
    assert_allclose(value, case["values"]["auc"], rtol=1e-9)


def by_other_rules(y, curves, times, weight):
    """The score with the sum of all factors as its divisor, as survival::brier has it."""
    keywords = {"times": times, "sample_weight": weight}
    sums = (
        censored_brier_score(y, np.full(curves.shape, share), **keywords) for share in (0.0, 1.0)
    )
    return censored_brier_score(y, curves, **keywords) / sum(sums)


@as_parameters("brier_survival")
def test_brier_score_by_other_rules(case):
    """For survival::brier who is censored at t is still there at t: half a gap later here."""
    columns, expected, times = read_columns(case), case["values"], case["times"]
    gap = np.diff(np.unique(columns["time"])).min()
    y = right_censored(columns["event"], columns["time"] + gap / 2 * (columns["event"] == 0))
    curves, weight = read_curves(case), columns.get("weights")
    value = by_other_rules(y, curves, times, weight)
    assert_allclose(value, expected["brier"], rtol=1e-8)
    value = scaled_brier_score(y, curves, times=times, sample_weight=weight)
    assert_allclose(value, expected["rsquared"], rtol=0, atol=1e-8)


def test_every_reference_row_is_compared():
    assert {case["kind"] for case in CASES} == {"auc", "brier", "brier_survival"}
    assert len(CASES) == len({case["id"] for case in CASES})
    assert all(case["package"] and case["call"] for case in CASES)
