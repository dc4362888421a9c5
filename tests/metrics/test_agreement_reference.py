"""Agreement and its standard errors as R packages and other Python packages compute them."""

import csv
import json
import math
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal_censored.metrics import gwet_ac2, kappa_inference, krippendorff_alpha

FOLDER = Path(__file__).parent.parent / "reference"
CASES = json.loads((FOLDER / "agreement.json").read_text())
UNDEFINED = -9.0  # stands for R's NaN on both sides
SILENT = ("ignore", "", UndefinedMetricWarning)
LEVELS = {"unweighted": "nominal", "quadratic": "interval"}
POWERS = {"unweighted": None, "radical": 0.5, "linear": "linear", "quadratic": "quadratic"}


def as_parameters(*names):
    cases = [case for case in CASES if case["id"].split("/")[0] in names]
    return pytest.mark.parametrize("case", cases, ids=[case["id"] for case in cases])


def read_rows(case):
    with (FOLDER / f"{case['dataset']}.csv").open() as file:
        return [row for row in csv.DictReader(file) if row.get("case") == case.get("case")]


def read_ratings(case):
    rows = read_rows(case)
    if "raters" in case:
        return [[int(row[r]) if row[r] else None for r in case["raters"]] for row in rows]
    pairs = [[int(row["r1"]), int(row["r2"])] for row in rows]
    return np.repeat(pairs, [int(row.get("count", 1)) for row in rows], axis=0)


def infer(case, weights):
    rows = read_rows(case)
    true, pred = ([int(row[side]) for row in rows] for side in ("r1", "r2"))
    count = [int(row.get("count", 1)) for row in rows]
    keywords = {"labels": case["levels"], "sample_weight": count}
    result = kappa_inference(
        true, pred, weights=weights, replace_undefined_by=UNDEFINED, **keywords
    )
    return result, sum(count)


def weights_of(case):
    if "disagreement" in case:
        return case["disagreement"]
    if "agreement_weights" in case:
        return 1 - np.array(case["agreement_weights"])
    return POWERS[case["weights"]]


def is_degenerate(case):
    return case.get("case") in ("perfect", "constant_r2", "both_constant")


@as_parameters("kappa", "kappa_vcd")
def test_standard_errors_and_wald_intervals(case):
    result, _ = infer(case, weights_of(case))
    values = case["values"]
    if case.get("case") == "both_constant":
        assert result.estimate == UNDEFINED
        assert math.isnan(result.standard_error)
        return
    assert result.estimate == pytest.approx(values["kappa"], abs=1e-9)
    assert result.standard_error == pytest.approx(values["se"], abs=1e-9)
    if is_degenerate(case):  # R has an interval without width here
        assert values["se"] == 0
        with pytest.warns(UndefinedMetricWarning, match="certainty"):
            assert all(map(math.isnan, result.confidence_interval(method="wald")))
        return
    interval = result.confidence_interval(method="wald")
    if "ci" in values:  # vcd cuts it off
        assert_allclose(np.clip(interval, -1, 1), values["ci"], atol=1e-9)
    else:
        assert_allclose(interval, [values["lower"], values["upper"]], atol=1e-9)


@as_parameters("kappa_irr")
def test_tests_of_no_agreement(case):
    result, _ = infer(case, weights_of(case))
    values = case["values"]
    assert result.estimate == pytest.approx(values["kappa"], abs=1e-9)
    if case.get("case") == "constant_r2":  # R has 0/0 here
        assert values["z_h0"] is None
        assert (result.statistic, result.pvalue) == (0.0, 1.0)
        return
    assert result.null_standard_error == pytest.approx(values["se_h0"], abs=1e-9)
    assert result.statistic == pytest.approx(values["z_h0"], rel=1e-9)
    assert result.pvalue == pytest.approx(values["p_h0"], abs=1e-9)


@as_parameters("irrcac_kappa2")
def test_intervals_with_quantiles_of_t(case):
    result, n_rows = infer(case, weights_of(case))
    values = case["values"]
    if case.get("case") == "both_constant":
        assert values["estimate"] is None
        assert result.estimate == UNDEFINED
        return
    assert result.estimate == pytest.approx(values["estimate"], abs=1e-9)
    if case.get("case") == "constant_r2":  # R takes the root of a rounding error here
        assert result.standard_error == 0.0
        return
    assert result.standard_error == pytest.approx(values["se"], abs=1e-9)
    margin = stats.t.ppf(0.975, n_rows - 1) * result.standard_error
    ends = result.estimate - margin, min(result.estimate + margin, 1)
    assert_allclose(ends, [values["lower"], values["upper"]], atol=1e-9)


@as_parameters("ccc")
def test_quadratic_kappa_is_the_concordance_correlation(case):
    result, _ = infer(case, "quadratic")
    if case.get("case") == "constant_r2":
        assert case["values"]["ccc_desctools"] is None
        return
    for name in ("ccc_desctools", "ccc_epiR"):
        assert result.estimate == pytest.approx(case["values"][name], abs=1e-9)


@as_parameters("kripp_alpha", "kripp_alpha_irr")
def test_alpha(case):
    alpha = krippendorff_alpha(read_ratings(case), level=case["level"])
    assert alpha == pytest.approx(case["values"]["alpha"], abs=1e-9)


@as_parameters("irrcac_raw_krippen.alpha")
def test_alpha_of_raw_ratings(case):
    alpha = krippendorff_alpha(read_ratings(case), level=LEVELS[case["weights"]])
    assert alpha == pytest.approx(case["values"]["estimate"], abs=1e-9)


@as_parameters("irrcac_gwet.ac1", "irrcac_raw_gwet.ac1")
def test_ac2(case):
    ratings = read_ratings(case)
    if case.get("case") == "both_constant":  # R is told that there are three grades
        with pytest.warns(UndefinedMetricWarning, match="one grade only"):
            assert math.isnan(gwet_ac2(ratings))
        return
    value = gwet_ac2(ratings, weights=weights_of(case))
    assert value == pytest.approx(case["values"]["estimate"], abs=1e-9)


def test_every_reference_row_is_compared():
    compared = {
        *("kappa", "kappa_vcd", "kappa_irr", "irrcac_kappa2", "ccc", "kripp_alpha"),
        *("kripp_alpha_irr", "irrcac_raw_krippen.alpha", "irrcac_gwet.ac1", "irrcac_raw_gwet.ac1"),
    }
    assert {case["id"].split("/")[0] for case in CASES} == compared
    assert len(CASES) == len({case["id"] for case in CASES})
    assert all(case["package"] and case["call"] for case in CASES)


def random_ratings(seed, n_raters=4):
    rng = np.random.default_rng(seed)
    level = rng.integers(1, 6, (40, 1))
    ratings = np.clip(level + rng.integers(-1, 2, (40, n_raters)), 1, 5).astype(float)
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    return ratings


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", range(4))
def test_the_python_package_krippendorff_gives_the_same(level, seed):
    krippendorff = pytest.importorskip("krippendorff")
    ratings = random_ratings(seed)
    expected = krippendorff.alpha(ratings.T, level_of_measurement=level)
    assert krippendorff_alpha(ratings, level=level) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["quadratic", "linear", None, "matrix"])
def test_statsmodels_gives_the_same(name, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own imports
        inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    rng = np.random.default_rng(seed)
    table = rng.integers(1, 20, (4, 4)) + 30 * np.eye(4, dtype=int)
    distance = np.abs(np.subtract.outer(range(4), range(4))).astype(float)
    disagreement = {
        "quadratic": distance**2,
        "linear": distance,
        None: distance > 0,
        "matrix": np.tril(distance) + 3 * np.triu(distance) ** 2,
    }[name]
    weights = disagreement if name == "matrix" else name
    expected = inter_rater.cohens_kappa(table, weights=disagreement / disagreement.max())
    true, pred = np.nonzero(table)
    result = kappa_inference(true, pred, weights=weights, sample_weight=table[true, pred])
    assert result.estimate == pytest.approx(expected.kappa, rel=1e-12)
    assert result.standard_error == pytest.approx(expected.std_kappa, rel=1e-9)
    assert result.null_standard_error == pytest.approx(expected.std_kappa0, rel=1e-9)
