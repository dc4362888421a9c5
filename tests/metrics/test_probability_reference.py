"""Scores of probabilities and concordances of grades as R packages compute them."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sklearn_ordinal_censored.metrics import (
    cost_weighted_log_loss,
    cumulative_auc,
    cumulative_brier,
    ordinal_concordance_index,
    quadratic_weighted_kappa,
    ranked_probability_score,
    soft_weighted_kappa,
)

FOLDER = Path(__file__).parent.parent / "reference"
CASES = json.loads((FOLDER / "probability.json").read_text())


def climatology(y_true, y_proba, labels):
    """The ranked probability score of the shares of the grades."""
    shares = [np.mean(np.equal(y_true, label)) for label in labels]
    return ranked_probability_score(y_true, [shares] * len(y_true), labels=labels)


# What of ours a value of R is, called with the truth, the second argument and the levels.
VALUES = {
    "rps": lambda *rows, **scale: ranked_probability_score(*rows, **scale),
    "rps_times_qm1": lambda *rows, **scale: ranked_probability_score(
        *rows, normalize=False, **scale
    ),
    "rps_climatology": climatology,
    "log_loss": lambda *rows, **scale: cost_weighted_log_loss(*rows, alpha=0, **scale),
    "cum_brier_per_cut": lambda *rows, **scale: cumulative_brier(*rows, average=None, **scale),
    "auc_per_cut": lambda *rows, **scale: cumulative_auc(*rows, average=None, **scale),
    "concordance": ordinal_concordance_index,
    "somers_d": lambda *rows, **scale: 2 * ordinal_concordance_index(*rows, **scale) - 1,
    "concordance_correlation": quadratic_weighted_kappa,
}


def read_columns(case):
    """The truth, and a score or probabilities; a row of a table counts as often as it says."""
    with (FOLDER / f"{case['dataset']}.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row.get("case") == case.get("case")]
    rows = [row for row in rows for _ in range(int(row.get("count", 1)))]
    columns = case["columns"]
    true = [int(row[columns["y_true"]]) for row in rows]
    if "y_proba" in columns:
        return true, [[float(row[name]) for name in columns["y_proba"]] for row in rows]
    return true, [float(row[columns["y_score"]]) for row in rows]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_values_of_r(case):
    columns = read_columns(case)
    for name, expected in case["values"].items():
        # R has no concordance correlation of a constant; kappa is then 0 by rule.
        expected = 0.0 if expected is None else expected
        assert_allclose(VALUES[name](*columns, labels=case["levels"]), expected, atol=1e-9)


def test_one_hot_probabilities_of_a_table_have_its_kappa():
    cases = [case for case in CASES if "concordance_correlation" in case["values"]]
    for case in cases:
        true, pred = read_columns(case)
        certain = np.equal.outer(pred, case["levels"]).astype(float)
        kappa = soft_weighted_kappa(true, certain, labels=case["levels"])
        expected = case["values"]["concordance_correlation"] or 0.0
        assert kappa == pytest.approx(expected, abs=1e-9)


def test_every_value_is_compared():
    assert {name for case in CASES for name in case["values"]} == set(VALUES)
    assert len(CASES) == len({case["id"] for case in CASES}) > 20
    assert all(case["package"] and case["call"] for case in CASES)
