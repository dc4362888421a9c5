"""Krippendorff's alpha and Gwet's AC2 of any number of raters, with gaps."""

import math

import numpy as np
import optional
import oracles
import oracles_inference
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal_censored.metrics import (
    disagreement_matrix,
    gwet_ac2,
    krippendorff_alpha,
    weighted_kappa,
)

LEVELS = ("nominal", "ordinal", "interval")
POWERS = {"linear": 1, "quadratic": 2, None: 0, 0.5: 0.5, 3: 3}
COEFFICIENTS = {
    **{f"alpha, {level}": (krippendorff_alpha, {"level": level}) for level in LEVELS},
    **{f"AC2, {weights}": (gwet_ac2, {"weights": weights}) for weights in POWERS},
}
SILENT = pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
every_coefficient = pytest.mark.parametrize(
    ("coefficient", "options"), COEFFICIENTS.values(), ids=list(COEFFICIENTS)
)

rng = np.random.default_rng(0)
RATINGS = np.clip(rng.integers(1, 6, (60, 1)) + rng.integers(-1, 2, (60, 4)), 1, 5).astype(float)
RATINGS[rng.random(RATINGS.shape) < 0.35] = np.nan
assert {1, 2, 3, 4} <= set(np.isfinite(RATINGS).sum(axis=1).tolist())


@st.composite
def tables(draw, values, max_raters=4):
    """Ratings with gaps, at least one rating among them."""
    n_raters = draw(st.integers(1, max_raters))
    rating = st.one_of(st.none(), values)
    rows = st.lists(rating, min_size=n_raters, max_size=n_raters)
    full = st.lists(rows, min_size=1, max_size=8)
    return draw(full.filter(lambda table: any(v is not None for row in table for v in row)))


whole = tables(st.integers(-2, 4))


@given(tables(st.one_of(st.integers(-2, 4), st.sampled_from([0.5, 1.25, -7.75]))))
@SILENT
def test_alpha_against_all_pairs(table):
    for level in LEVELS:
        expected = oracles_inference.alpha(table, level)
        value = krippendorff_alpha(table, level=level)
        assert value == pytest.approx(expected, rel=1e-10, abs=1e-12, nan_ok=True)
        assert type(value) is float


@given(whole)
@SILENT
@pytest.mark.filterwarnings("ignore:The grades .* multiple")
def test_ac2_against_all_pairs(table):
    seen = [value for row in table for value in row if value is not None]
    grades = list(range(min(seen), max(seen) + 1))
    for weights, power in POWERS.items():
        matrix = np.array(oracles.distance_matrix(len(grades), power))
        expected = oracles_inference.gwet(table, grades, matrix / max(matrix.max(), 1))
        value = gwet_ac2(table, weights=weights)
        assert value == pytest.approx(expected, rel=1e-10, abs=1e-12, nan_ok=True)
        assert type(value) is float


def test_a_matrix_of_disagreements():
    matrix = np.array([[0.0, 3, 5], [3, 0, 1], [5, 1, 0]])
    table = [[0, 1, None], [2, 2, 1], [0, 0, 0], [2, 1, None]]
    expected = oracles_inference.gwet(table, [0, 1, 2], matrix / 5)
    assert gwet_ac2(table, weights=matrix) == pytest.approx(expected, rel=1e-13)
    assert gwet_ac2(table, weights=matrix * 7) == pytest.approx(expected, rel=1e-13)
    named = gwet_ac2(table, weights=disagreement_matrix(3, "linear"))
    assert named == gwet_ac2(table, weights="linear")


@every_coefficient
def test_perfect_agreement_is_exactly_one(coefficient, options):
    units = rng.integers(1, 6, (20, 1))
    table = np.where(rng.random((20, 5)) < 0.7, units, np.nan)
    assert coefficient(table, **options) == 1.0


@every_coefficient
def test_the_order_of_units_and_raters_is_of_no_account(coefficient, options):
    expected = coefficient(RATINGS, **options)
    shuffled = RATINGS[rng.permutation(60)][:, [2, 0, 3, 1]]
    assert coefficient(shuffled, **options) == pytest.approx(expected, rel=1e-12)
    within = np.array([row[rng.permutation(4)] for row in RATINGS])
    assert coefficient(within, **options) == pytest.approx(expected, rel=1e-12)


@every_coefficient
def test_turning_and_shifting_the_scale(coefficient, options):
    expected = coefficient(RATINGS, **options)
    for table in (RATINGS + 7, 6 - RATINGS, -RATINGS):
        assert coefficient(table, **options) == pytest.approx(expected, rel=1e-12)


@every_coefficient
def test_units_without_a_rating_do_not_count(coefficient, options):
    expected = coefficient(RATINGS, **options)
    table = np.vstack([RATINGS, np.full((3, 4), np.nan)])
    assert coefficient(table, **options) == expected
    table = np.column_stack([RATINGS, np.full(60, np.nan)])
    assert coefficient(table, **options) == expected


@pytest.mark.parametrize("level", LEVELS)
def test_units_with_one_rating_do_not_count_for_alpha(level):
    kept = np.isfinite(RATINGS).sum(axis=1) >= 2
    assert not kept.all()
    assert krippendorff_alpha(RATINGS, level=level) == krippendorff_alpha(
        RATINGS[kept], level=level
    )
    # Not even as a value that nobody else gave.
    table = np.vstack([RATINGS, [99, np.nan, np.nan, np.nan]])
    assert krippendorff_alpha(table, level=level) == krippendorff_alpha(RATINGS, level=level)


def test_units_with_one_rating_count_for_the_shares_of_ac2():
    """Observed agreement 1/2 from two units, shares 5/6 and 1/6 from three."""
    table = [[1, 1], [1, 2], [1, None]]
    by_chance = 2 * 5 / 6 * 1 / 6
    expected = (1 / 2 - by_chance) / (1 - by_chance)
    assert gwet_ac2(table, weights=None) == pytest.approx(expected, rel=1e-13)


def test_alpha_of_two_complete_raters_is_nearly_kappa():
    true = rng.integers(0, 5, 5000)
    pred = np.clip(true + rng.integers(-1, 2, 5000), 0, 4)
    table = np.column_stack([true, pred])
    pairs = {"nominal": None, "interval": "quadratic"}
    for level, weights in pairs.items():
        alpha = krippendorff_alpha(table, level=level)
        assert alpha == pytest.approx(weighted_kappa(true, pred, weights=weights), abs=1e-3)


def test_skewed_margins_part_the_coefficients():
    """Raters agree on 96 of 100 cases, nearly all of grade 0: alpha near 0, AC2 near 1."""
    table = np.repeat([[0, 0], [0, 2], [2, 0]], [96, 2, 2], axis=0)
    assert krippendorff_alpha(table) == pytest.approx(1 - 199 * 8 / 1568, rel=1e-12)
    assert gwet_ac2(table) == pytest.approx((0.96 - 0.0392) / (1 - 0.0392), rel=1e-12)


def test_levels_read_the_numbers_differently():
    table = [[1, 1], [1, 2], [2, 100], [100, 100]]
    stretched = [[1, 1], [1, 2], [2, 3], [3, 3]]
    for level in ("nominal", "ordinal"):
        values = [krippendorff_alpha(t, level=level) for t in (table, stretched)]
        assert values[0] == values[1]
    assert krippendorff_alpha(table, level="interval") != krippendorff_alpha(
        stretched, level="interval"
    )
    renamed = [[7, 7], [7, -1], [-1, 0], [0, 0]]
    assert krippendorff_alpha(renamed, level="nominal") == krippendorff_alpha(
        stretched, level="nominal"
    )


def test_many_distinct_measurements_are_no_burden():
    values = rng.normal(size=(20_000, 1)) + 0.5 * rng.normal(size=(20_000, 3))
    assert krippendorff_alpha(values, level="interval") == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize("table", [[[1, 1], [1, 1]], [[1, None], [None, 2]], [[3]], [[1], [2]]])
@every_coefficient
def test_undefined(coefficient, options, table):
    name = coefficient.__name__
    with pytest.warns(UndefinedMetricWarning, match=rf"{name} is undefined") as caught:
        assert math.isnan(coefficient(table, **options))
    assert len(caught) == 1
    assert "replace_undefined_by" not in str(caught[0].message)


def test_weights_without_a_price_are_undefined():
    with pytest.warns(UndefinedMetricWarning, match="all weights are 0"):
        assert math.isnan(gwet_ac2([[0, 1], [1, 1]], weights=np.zeros((2, 2))))


# Containers


def with_gaps(missing):
    return [[missing if np.isnan(v) else int(v) for v in row] for row in RATINGS]


@every_coefficient
def test_containers(coefficient, options):
    expected = coefficient(RATINGS, **options)
    frame = pd.DataFrame(RATINGS, columns=list("abcd"))
    tables = {
        "list": with_gaps(None),
        "tuples": tuple(map(tuple, with_gaps(None))),
        "objects": np.array(with_gaps(None), dtype=object),
        "NA": with_gaps(pd.NA),
        "nan in objects": np.array(with_gaps(float("nan")), dtype=object),
        "masked": np.ma.masked_invalid(RATINGS),
        "masked integers": np.ma.MaskedArray(np.nan_to_num(RATINGS, nan=9).astype(int)),
        "frame": frame,
        "nullable": frame.astype("Int64"),
        "objects in a frame": frame.astype(object),
        "structured": frame.to_records(index=False),
        "one type a column": frame.astype({"a": "Int8", "b": "float32"}),
    }
    tables["masked integers"].mask = np.isnan(RATINGS)
    values = {name: coefficient(table, **options) for name, table in tables.items()}
    assert values == dict.fromkeys(tables, expected)


@every_coefficient
def test_columnar_containers(coefficient, options):
    expected = coefficient(RATINGS, **options)
    columns = dict(zip("abcd", zip(*with_gaps(None), strict=True), strict=True))
    assert coefficient(optional.polars.DataFrame(columns), **options) == expected
    assert coefficient(optional.pyarrow.table(columns), **options) == expected
    frame = pd.DataFrame(RATINGS).astype("Int64").astype("int64[pyarrow]")
    assert coefficient(frame, **options) == expected


def test_booleans_are_two_grades():
    table = np.array([[True, True], [False, True], [False, False]])
    assert gwet_ac2(table) == gwet_ac2(table.astype(int))
    assert krippendorff_alpha(table) == krippendorff_alpha(table.astype(int))


def test_inputs_are_only_read():
    table = RATINGS.copy()
    table.flags.writeable = False
    for coefficient in (krippendorff_alpha, gwet_ac2):
        assert coefficient(table) == coefficient(RATINGS)
    np.testing.assert_array_equal(table, RATINGS)


# What is refused


@pytest.mark.parametrize("coefficient", [krippendorff_alpha, gwet_ac2])
@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([["low", "high"], ["low", None]], "ratings holds 'low', 'high', which are no numbers"),
        (np.array([["1", "2"]]), "'1', '2', which are no numbers"),
        ([[1, "x"]], "which are no numbers"),
        (pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), "'x', 'y', which are no numbers"),
        (
            pd.DataFrame({"a": [1, 2], "b": pd.Categorical([2, 1])}),
            "a categorical in column 'b'; give numbers: its codes",
        ),
        ([1, 2, 3], r"shape \(3,\).*side by side.*column_stack"),
        (np.ones((2, 2, 2)), r"shape \(2, 2, 2\)"),
        (5, r"shape \(\)"),
        ([[1, 2], [1]], "rows of equal length"),
        (np.empty((0, 3)), r"shape \(0, 3\), holds no rating; give at least one"),
        ([[]], "holds no rating"),
        (pd.DataFrame(), "holds no rating"),
        ([[None, np.nan]], "holds no rating"),
        ([[1, math.inf]], "ratings holds inf; ratings must be finite"),
        ([[1, 2**60]], r"beyond 2\*\*53"),
        ([[1 + 2j, 1]], "which are no numbers"),
        (np.array([["2026-01-01"]], dtype="M8[D]"), "which are no numbers"),
    ],
)
def test_bad_ratings(coefficient, table, message):
    with pytest.raises(ValueError, match=message):
        coefficient(table)


@pytest.mark.parametrize("level", ["ratio", None, 2])
def test_bad_levels(level):
    with pytest.raises(ValueError, match=rf"level={level!r} is not known; use one of 'nominal'"):
        krippendorff_alpha(RATINGS, level=level)


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        ([[1.5, 2]], {}, r"ratings holds 1\.5, which are no grades .*Round.*level='interval'"),
        ([[1, 2000]], {}, "of ratings would have 2000 grades, more than 1000.*level='interval'"),
        ([[1, 3]], {"weights": np.zeros((2, 2))}, r"shape \(2, 2\).*the 3 grades from 1 to 3"),
        ([[0, 1]], {"weights": [[0, 1], [2, 0]]}, r"symmetric.*\(W \+ W\.T\) / 2"),
        ([[0, 1]], {"weights": np.eye(2)}, "0 on the diagonal"),
        ([[0, 1]], {"weights": "cubic"}, "weights='cubic' is not known"),
        ([[0, 1]], {"weights": 0}, "weights=0 must be a finite number, above 0; use None"),
    ],
)
def test_bad_grades_and_weights(table, options, message):
    with pytest.raises(ValueError, match=message):
        gwet_ac2(table, **options)


def test_spaced_grades_earn_a_warning():
    with pytest.warns(UserWarning, match=r"10, 20, 30 lie a multiple of 10 apart.*number the"):
        gwet_ac2([[10, 20], [30, 30]])
