"""Concordance and Kaplan-Meier curves as R packages compute them."""

import csv
import functools
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sklearn_ordinal_censored.metrics import concordance_index, concordance_index_ipcw
from sklearn_ordinal_censored.metrics._comparable import read_scored, sum_pairs
from sklearn_ordinal_censored.metrics._ipcw import censoring_survival
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import right_censored

FOLDER = Path(__file__).parent.parent / "reference"
CASES = json.loads((FOLDER / "censored.json").read_text())
UNDEFINED = -9.0  # stands for R's NaN on both sides
NO_CENSORING = right_censored([1], [1.0])


def has_other_rules(case):
    """R merges times within 1.5e-8 and ranks infinite scores; we do neither, see the end."""
    merged = case.get("case") == "float_time_near_tie" and case.get("timefix", True)
    infinite = case.get("case") == "infinite_score"
    return case["id"].startswith("concordance") and (merged or infinite)


def as_parameters(*kinds, other_rules=False):
    cases = [
        case
        for case in CASES
        if case["id"].split("/")[0] in kinds and has_other_rules(case) == other_rules
    ]
    return pytest.mark.parametrize("case", cases, ids=[case["id"] for case in cases])


@functools.cache
def read_table(dataset):
    with (FOLDER / f"{dataset}.csv").open() as file:
        return list(csv.DictReader(file))


def read_columns(case):
    """The columns that a case names, by their role; rows are repeated where it says so."""
    rows = [row for row in read_table(case["dataset"]) if row.get("case") == case.get("case")]
    columns = {
        role: np.array([float(row[name]) for row in rows]) for role, name in case["columns"].items()
    }
    times = columns.pop("replicate", np.ones(len(rows))).astype(int)
    return {role: np.repeat(values, times) for role, values in columns.items()}


def read_target(columns):
    fields = {"event": columns["event"] == 1, "time": columns.get("time", columns.get("stop"))}
    if "start" in columns:
        fields["entry"] = columns["start"]
    y = np.empty(len(columns["event"]), [(name, values.dtype) for name, values in fields.items()])
    for name, values in fields.items():
        y[name] = values
    return y


def concordance_of(case):
    """Value, and the sums of pairs with the weight that each time has."""
    columns = read_columns(case)
    y, score = read_target(columns), columns["score"]
    if "ymin" in case:
        y["time"] = np.maximum(y["time"], case["ymin"])
    weight, strata = columns.get("weights"), columns.get("strata")
    limit = np.nextafter(case["ymax"], np.inf) if "ymax" in case else np.inf
    keywords = {"prediction": "risk", "strata": strata, "sample_weight": weight}
    keywords["replace_undefined_by"] = UNDEFINED
    scored = read_scored(y, score, "risk", strata, weight)
    pairs = sum_pairs(scored)
    factor = scored.target.lower[pairs.rows] < limit
    if scored.weight is not None:
        factor = factor * scored.weight[pairs.rows]
    if case["timewt"] == "n/G2":
        value = concordance_index_ipcw(y, score, tau=limit, **keywords)
        survival = censoring_survival(None, scored.target, scored.weight, scored.stratum)
        factor = factor / np.where(pairs.has_pair, survival[pairs.rows], 1) ** 2
    elif "ymax" in case:
        value = concordance_index_ipcw(y, score, tau=limit, censoring=NO_CENSORING, **keywords)
    else:
        value = concordance_index(y, score, **keywords)
    return value, {
        "concordant": (factor * pairs.concordant).sum(),
        "discordant": (factor * pairs.discordant).sum(),
        "tied_score": (factor * pairs.tied).sum(),
    }


@as_parameters("concordance", "concordance_trunc")
def test_concordance(case):
    value, sums = concordance_of(case)
    expected = dict(case["values"])
    concordance = expected.pop("concordance")
    assert value == pytest.approx(UNDEFINED if concordance is None else concordance, rel=1e-9)
    if case["id"] == "concordance/tiny_a/one_pair/n/G2":
        assert expected["concordant"] == 1  # R takes no weights where there is one event only
        assert sums["concordant"] == pytest.approx(2.25, rel=1e-9)
    elif case["timewt"] == "n" and "weights" not in case["columns"]:
        assert sums == expected
    else:
        assert sums == pytest.approx(expected, rel=1e-9)


@as_parameters("km", "km_trunc")
def test_kaplan_meier(case):
    columns, expected = read_columns(case), case["values"]
    curve = KaplanMeier().fit(read_target(columns), sample_weight=columns.get("weights"))
    assert_allclose(curve.predict(expected["time"]), expected["surv"], rtol=1e-9, atol=1e-12)
    if "n_risk" in expected:
        assert curve.times_.tolist() == expected["time"]
        assert curve.at_risk_.tolist() == expected["n_risk"]
    if (columns.get("weights", np.ones(1)) % 1 == 0).all():
        # With weights that are no whole numbers R gives the error of a robust variance.
        place = np.searchsorted(curve.times_, expected["time"], side="right") - 1
        error = np.sqrt(curve.variance_[place])
        known = np.array(expected["surv"]) > 0
        assert_allclose(error[known], np.array(expected["std_err"])[known], rtol=1e-9)


@as_parameters("km_censoring")
@pytest.mark.parametrize("as_bounds", [False, True])
def test_censoring_curve(case, as_bounds):
    expected, y = case["values"], read_target(read_columns(case))
    if as_bounds:
        y = np.column_stack([y["time"], np.where(y["event"], y["time"], np.inf)])
    curve = KaplanMeier(reverse=True).fit(y)
    found = curve.predict(expected["time"])
    assert_allclose(found, expected["G"], rtol=1e-9, atol=1e-12)
    before = curve.predict(expected["time"], left_limit=True)
    assert_allclose(before, expected["G_minus"], rtol=1e-9, atol=1e-12)


# Where our rules are not those of R


@as_parameters("concordance", other_rules=True)
def test_other_rules_than_those_of_r(case):
    if case["case"] == "infinite_score":
        with pytest.raises(ValueError, match=r"^y_pred must be finite, but holds inf, -inf"):
            concordance_of(case)
        return
    # Times that differ in the last bit are not one time, as with timefix=FALSE.
    (exact,) = (other for other in CASES if other["id"].endswith("n/timefix=FALSE"))
    assert exact["values"]["concordance"] == 0.5 != case["values"]["concordance"]
    value, sums = concordance_of(case)
    assert value == pytest.approx(0.5, rel=1e-9)
    assert sums == {"concordant": 3, "discordant": 3, "tied_score": 0}


def test_infinite_scores_as_the_largest_and_smallest_finite_ones():
    case = next(case for case in CASES if case["id"] == "concordance/tiny_a/infinite_score/n")
    columns = read_columns(case)
    score = np.clip(columns["score"], -1e300, 1e300)
    value = concordance_index(read_target(columns), score, prediction="risk")
    assert value == case["values"]["concordance"]


def test_every_reference_row_is_compared():
    kinds = {case["id"].split("/")[0] for case in CASES}
    assert kinds == {"concordance", "concordance_trunc", "km", "km_censoring", "km_trunc"}
    assert len(CASES) == len({case["id"] for case in CASES})
    assert all(case["package"] and case["call"] for case in CASES)
