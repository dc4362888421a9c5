"""Times and predicted curves out of every container."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored.targets._curves import (
    ROUNDING,
    check_probabilities,
    read_by_time,
    read_curves,
    read_times,
)

TIMES = np.array([5.0, 35.0, 70.0])
CURVES = np.array([[0.95, 0.4, 0.1], [0.97, 0.55, 0.2], [0.98, 0.7, 0.4], [0.99, 0.8, 0.6]])
NAN, INF = np.nan, np.inf


class Step:
    """A step function that is only known inside a domain, like those of scikit-survival."""

    def __init__(self, x, y, domain):
        self.x, self.y, self.domain = np.asarray(x), np.asarray(y), domain

    def __call__(self, times):
        if np.min(times) < self.domain[0] or np.max(times) > self.domain[1]:
            raise ValueError("outside")
        return self.y[np.maximum(np.searchsorted(self.x, times, side="right") - 1, 0)]


class Tensor:
    """Stands for the arrays of other libraries."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)


def read(values, times=TIMES, n_samples=4):
    return read_curves(values, np.asarray(times, dtype=float), n_samples)


def constant(share):
    return lambda times: np.full(len(times), share)


@pytest.mark.parametrize(
    "times",
    [[3, 1, 3], (3.0, 1.0, 3.0), pd.Index([3, 1, 3]), np.array([3, 1, 3], dtype="timedelta64[D]")],
    ids=["list", "tuple", "index", "durations"],
)
def test_times_keep_their_order_and_repetitions(times):
    found = read_times(times)
    assert found.dtype == np.float64
    assert_array_equal(found, [3, 1, 3])


@pytest.mark.parametrize(
    ("times", "told"),
    [
        ([], "is empty; give at least one time"),
        ([1, NAN], r"has 1 missing value\(s\), the first in row 1"),
        ([1, -INF], "must be finite, but holds -inf"),
        (5.0, r"=5.0 is a single value; give times=\[5.0\]"),
        ([[1.0]], r"must be one-dimensional, but has shape \(1, 1\)"),
        (["1 year"], "must hold numbers"),
        (np.array(["2026-01-01"], dtype="datetime64[D]"), "holds dates"),
    ],
    ids=["none", "nan", "infinite", "scalar", "matrix", "text", "dates"],
)
def test_times_that_are_none(times, told):
    with pytest.raises(ValueError, match=f"^times ?{told}"):
        read_times(times)


@pytest.mark.parametrize(
    "values",
    [
        CURVES.tolist(),
        tuple(map(tuple, CURVES)),
        list(CURVES),
        np.asfortranarray(CURVES),
        np.repeat(CURVES, 2, axis=0)[::2],
        CURVES.astype(object),
        np.ma.array(CURVES, mask=False),
        Tensor(CURVES),
    ],
    ids=["lists", "tuples", "rows", "by columns", "spread", "objects", "no mask", "tensor"],
)
def test_arrays(values):
    found = read(values)
    assert found.dtype == np.float64
    assert type(found) is np.ndarray
    assert_array_equal(found, CURVES)


def test_an_array_of_float64_is_not_copied():
    assert read(CURVES) is CURVES


def test_whole_numbers_and_single_precision():
    assert_array_equal(read([[1, 1, 0]] * 4), [[1.0, 1.0, 0.0]] * 4)
    assert_array_equal(read(CURVES.astype("f4")), CURVES.astype("f4"))


def test_one_time_takes_one_value_a_row():
    assert_array_equal(read([0.1, 0.2], [3], 2), [[0.1], [0.2]])
    assert_array_equal(read([[0.1], [0.2]], [3], 2), [[0.1], [0.2]])
    assert_array_equal(read(pd.Series([0.1, 0.2]), [3], 2), [[0.1], [0.2]])


FRAMES = {
    "columns": pd.DataFrame(CURVES, columns=TIMES, index=list("abcd")),
    "columns of whole numbers": pd.DataFrame(CURVES, columns=[5, 35, 70]),
    "columns as text": pd.DataFrame(CURVES, columns=["5", "35.0", "70"]),
    "index": pd.DataFrame(CURVES.T, index=TIMES),
    "index, rows of one name": pd.DataFrame(CURVES.T, index=TIMES, columns=[0, 0, 1, 1]),
    "durations": pd.DataFrame(CURVES.T, index=pd.to_timedelta(TIMES, unit="D")),
    "nullable": pd.DataFrame(CURVES, columns=TIMES).convert_dtypes(),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=list(FRAMES))
def test_the_labels_of_a_frame_tell_its_orientation(frame):
    before = frame.copy()
    assert_array_equal(read(frame), CURVES)
    pd.testing.assert_frame_equal(frame, before)


def test_a_square_frame_is_turned_by_its_labels():
    curves = np.array([[0.9, 0.2], [0.8, 0.5]])
    assert_array_equal(read(pd.DataFrame(curves, columns=[1, 2]), [1, 2], 2), curves)
    assert_array_equal(read(pd.DataFrame(curves.T, index=[1, 2]), [1, 2], 2), curves)


def test_frames_with_repeated_times():
    frame = pd.DataFrame([[0.9, 0.5, 0.9]], columns=[1, 2, 1])
    assert_array_equal(read(frame, [1, 2, 1], 1), [[0.9, 0.5, 0.9]])
    assert_array_equal(read(frame.T, [1, 2, 1], 1), [[0.9, 0.5, 0.9]])


def test_polars():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(CURVES, schema=["5", "35", "70.0"])
    assert_array_equal(read(frame), CURVES)
    with pytest.raises(ValueError, match=r"has `times`, 5.0, 35.0, 70.0, nowhere \(its columns"):
        read(pl.DataFrame(CURVES, schema=list("abc")))


def test_arrow():
    pa = pytest.importorskip("pyarrow")
    columns = dict(zip(["5", "35", "70.0"], CURVES.T, strict=True))
    assert_array_equal(read(pa.table(columns)), CURVES)
    with pytest.raises(ValueError, match=r"has `times`, 5.0, 35.0, 70.0, nowhere \(its columns"):
        read(pa.table(dict(zip("abc", CURVES.T, strict=True))))


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (pd.DataFrame(CURVES), r"nowhere \(its columns: 0, 1, 2; its index: 0, 1, 2, 3\)"),
        (pd.DataFrame(CURVES, columns=[5, 35, 71]), "nowhere"),
        (pd.DataFrame(CURVES, columns=[35, 5, 70]), "nowhere"),
        (pd.DataFrame(CURVES, columns=["t=5", "t=35", "t=70"]), "nowhere"),
        (pd.DataFrame(CURVES, columns=[5, 35, None]), "nowhere"),
        (pd.DataFrame(CURVES[:3], columns=TIMES, index=TIMES), "on both sides"),
    ],
    ids=["numbers of rows", "another time", "another order", "text", "missing", "both"],
)
def test_frames_whose_labels_do_not_tell(frame, told):
    with pytest.raises(ValueError, match=f"^The data frame y_proba has `times`.*{told}") as error:
        read(frame, n_samples=len(frame))
    assert "Its columns or its index must be exactly these times" in str(error.value)


@pytest.mark.parametrize("container", [list, tuple, lambda f: np.array(f, dtype=object), pd.Series])
def test_one_function_a_row(container):
    functions = [Step(TIMES, row, (0, 70)) for row in CURVES]
    assert_array_equal(read(container(functions)), CURVES)
    plain = [lambda times, row=row: np.interp(times, TIMES, row) for row in CURVES]
    assert_array_equal(read(container(plain)), CURVES)


def test_step_functions_are_read_inside_their_domain():
    function = Step([10, 20], [0.8, 0.3], (0, 20))
    times = [-5, 5, 15, 20, 90]
    assert_array_equal(read([function], times, 1), [[0.8, 0.8, 0.8, 0.3, 0.3]])


def test_functions_in_the_order_of_the_times():
    function = Step([10, 20], [0.8, 0.3], (0, 20))
    assert_array_equal(read([function], [20, 10, 20], 1), [[0.3, 0.8, 0.3]])


def test_a_function_may_return_a_number_for_one_time():
    assert_array_equal(read([lambda times: 0.3], [7], 1), [[0.3]])
    with pytest.raises(ValueError, match=r"^y_proba holds a function that returns 1 values for 2"):
        read([lambda times: 0.3], [7, 8], 1)


def test_step_functions_of_scikit_survival():
    functions = pytest.importorskip("sksurv.functions")
    x, y = np.array([10.0, 20.0]), np.array([0.8, 0.3])
    step = functions.StepFunction(x, y)
    with pytest.raises(ValueError, match="x must be within"):
        step([25])
    half = functions.StepFunction(x, y, a=0.5, b=0.1)
    found = read(np.array([step, half]), [5, 10, 19, 20, 25], 2)
    assert_array_equal(found, [[0.8, 0.8, 0.8, 0.3, 0.3], [0.5, 0.5, 0.5, 0.25, 0.25]])


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (CURVES.T, r"= \(4, 3\), but has \(3, 4\). It has one column a row: give `y_proba.T`"),
        (CURVES[:3], r"= \(4, 3\), but has \(3, 3\)\.$"),
        (CURVES[:, 0], r"= \(4, 3\), but has \(4,\)"),
        (CURVES[np.newaxis], r"but has \(1, 4, 3\)"),
        (0.5, r"but has \(\)"),
        (None, r"but has \(\)"),
        ([constant(0.5)] * 3, r"but has \(3, 3\)"),
        (pd.DataFrame(CURVES[:3], columns=TIMES), r"but has \(3, 3\)"),
    ],
    ids=["turned", "rows", "one column", "cube", "number", "nothing", "functions", "frame"],
)
def test_other_shapes(values, told):
    told = rf"^y_proba must have the shape \(n_samples, n_times\) {told.replace('but', '.*but')}"
    with pytest.raises(ValueError, match=told):
        read(values)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (1.5, "must hold probabilities from 0 to 1, but holds 1.5 in row 2 at time 35.0 (1 of 12"),
        (-0.01, "must hold probabilities from 0 to 1, but holds -0.01 in row 2 at time 35.0"),
        (NAN, "must be finite, but holds nan (1 of 12 values)"),
        (INF, "must be finite, but holds inf"),
    ],
)
def test_values_that_are_no_probabilities(value, told):
    curves = CURVES.copy()
    curves[2, 1] = value
    for values in (curves, curves.tolist(), pd.DataFrame(curves, columns=TIMES)):
        with pytest.raises(ValueError, match=f"^y_proba {re.escape(told)}"):
            read(values)
    functions = [lambda times, row=row: row for row in curves]
    with pytest.raises(ValueError, match=f"^y_proba {re.escape(told)}"):
        read(functions)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (CURVES.astype(str), "must hold plain real numbers"),
        ([[0.9, 0.5, None]] * 4, "must hold plain real numbers|must be finite"),
        ([[0.9, 0.5]] * 3 + [[0.9]], "must have rows of equal length"),
        (np.ma.array(CURVES, mask=CURVES > 0.98), "has masked values"),
        (pd.DataFrame(CURVES, columns=TIMES).convert_dtypes().replace(0.4, pd.NA), "must "),
    ],
    ids=["text", "none", "ragged", "masked", "missing"],
)
def test_values_that_are_no_numbers(values, told):
    with pytest.raises(ValueError, match=f"^y_proba ({told})"):
        read(values)


def test_rounding_is_let_pass_and_left_alone():
    curves = np.array([[1 + 2e-7, 0.3, 0.3 + 5e-7], [1.0, -1e-7, 0.0]])
    assert read(curves, n_samples=2) is curves
    with pytest.raises(ValueError, match=r"holds 1\.00001 in row 0"):
        read([[1.00001, 0.3, 0.1]], n_samples=1)


def test_a_millionth_is_rounding_and_more_is_not():
    ends = np.array([[1 + ROUNDING, -ROUNDING], [0.0, ROUNDING]])
    assert read(ends, [1, 2], 2) is ends
    check_probabilities(ends)
    check_probabilities(np.array([0.0, 1.0]))
    for value in (1 + 1.001 * ROUNDING, -1.001 * ROUNDING):
        told = rf"^y_proba must hold probabilities from 0 to 1, but holds {value} in row 1"
        with pytest.raises(ValueError, match=told + r" at time 7\.0 \(1 of 2 values\)"):
            read([[0.5], [value]], [7], 2)
        with pytest.raises(ValueError, match=told + r" \(1 of 2 values\)"):
            check_probabilities(np.array([0.5, value]))
    with pytest.warns(UserWarning, match=r"^y_proba increases with time in 1 of 3 rows"):
        read([[0.0, ROUNDING], [0.0, 1.001 * ROUNDING], [1.0, 0.0]], [1, 2], 3)


def test_a_row_that_rises_twice_is_one_row():
    with pytest.warns(UserWarning, match=r"in 1 of 2 rows, first in row 1 from 0\.1 at 5\.0 to 0"):
        read([[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]], n_samples=2)


def test_more_times_than_a_block_of_rows_has_cells():
    times = np.arange(2.0**17 + 1)
    curves = np.full((2, len(times)), 0.5)
    assert read(curves, times, 2) is curves


def test_functions_beside_numbers_are_refused():
    with pytest.raises(ValueError, match=r"^y_proba must"):
        read([constant(0.5), [0.5, 0.4, 0.3]], n_samples=2)
    with pytest.raises(ValueError, match=r"^y_proba must"):
        read([constant(0.5), 0.5], [1], 2)


def test_rows_that_increase_look_like_distribution_functions():
    told = r"^y_proba increases with time in 2 of 3 rows, first in row 1 from 0.2 at 5.0 to 0.9 at "
    told += r"35.0: it looks like a distribution function, not a survival curve"
    curves = [[0.9, 0.8, 0.8], [0.2, 0.9, 0.9], [0.5, 0.1, 0.2]]
    with pytest.warns(UserWarning, match=told):
        assert_array_equal(read([*curves], n_samples=3), curves)


def test_rows_are_compared_in_the_order_of_time():
    assert_array_equal(read([[0.1, 0.9, 0.5]], [3, 1, 2], 1), [[0.1, 0.9, 0.5]])
    with pytest.warns(UserWarning, match=r"from 0\.1 at 1\.0 to 0\.5 at 2\.0: it looks like"):
        read([[0.9, 0.1, 0.5]], [3, 1, 2], 1)


def test_a_square_array_may_be_turned():
    with pytest.warns(UserWarning, match=r"Or its rows are times: give `y_proba.T`"):
        read([[0.5, 0.9], [0.2, 0.6]], [1, 2], 2)


def test_many_rows_are_checked_to_the_last():
    curves = np.full((3000, 200), 0.5)
    times = np.arange(200.0)
    assert read(curves, times, 3000) is curves
    curves[2900, 150:] = 0.6
    told = r"in 1 of 3000 rows, first in row 2900 from 0.5 at 149.0 to 0.6 at 150.0"
    with pytest.warns(UserWarning, match=told):
        read(curves, times, 3000)


def test_one_time_has_one_value():
    assert_array_equal(read([[0.9, 0.5, 0.9]], [1, 2, 1], 1), [[0.9, 0.5, 0.9]])
    told = r"^y_proba has different values in columns 0 and 2, but `times` is 1.0 for both"
    with pytest.raises(ValueError, match=told):
        read([[0.9, 0.5, 0.8]], [1, 2, 1], 1)
    with pytest.raises(ValueError, match=r"^y_proba has different values in columns 1 and 2"):
        read([[0.9, 0.5, 0.5], [0.9, 0.5, 0.4]], [1, 2, 2], 2)
    with pytest.raises(ValueError, match=r"^y_pred has different values in columns 0 and 1"):
        read_by_time("y_pred", [[3.0, 4.0]], np.array([2.0, 2.0]), 1)
    with pytest.raises(ValueError, match=r"^y_proba must be finite, but holds nan"):
        read([[0.9, 0.5, NAN]], [1, 2, 1], 1)


def test_other_predictions_than_probabilities():
    values = np.array([[-3.0, 8.0], [2.5, 1e9]])
    assert_array_equal(read_by_time("y_pred", values, np.array([1.0, 2.0]), 2), values)
    for value in (-INF, INF, NAN):
        with pytest.raises(ValueError, match=rf"^y_pred must be finite, but holds {value}"):
            read_by_time("y_pred", [[0.0, value]], np.array([1.0, 2.0]), 1)


def test_a_few_rows_that_increase_are_no_distribution_functions():
    curves = [[0.9, 0.8, 0.8], [0.2, 0.9, 0.9], [0.5, 0.1, 0.1]]
    with pytest.warns(
        UserWarning, match=r"at 35\.0: a survival curve cannot rise\. y_proba\[:, k\]"
    ):
        read(curves, n_samples=3)


@pytest.mark.parametrize(("n_falling", "looks"), [(1, True), (2, False), (3, False)])
def test_more_than_half_of_the_rows_make_a_distribution_function(n_falling, looks):
    rising, falling = [0.2, 0.9, 0.9], [0.9, 0.8, 0.7]
    curves = [rising] * 2 + [falling] * n_falling
    with pytest.warns(UserWarning, match="increases with time in 2 of") as caught:
        read(curves, n_samples=len(curves))
    assert ("distribution function" in str(caught[0].message)) is looks


def test_rows_without_weight_are_not_warned_of():
    times, curves = np.array([1.0, 2.0]), np.array([[0.5, 0.9], [0.8, 0.7]])
    assert read_curves(curves, times, 2, np.array([0.0, 1.0])) is curves
    with pytest.warns(UserWarning, match="in 1 of 2 rows, first in row 0"):
        read_curves(curves, times, 2, np.array([1.0, 0.0]))


def test_a_square_frame_whose_row_numbers_are_the_times():
    frame = pd.DataFrame([[0.9, 0.8], [0.7, 0.6]], columns=["a", "b"])
    with pytest.raises(ValueError, match=r"^The data frame y_proba is square and its row numbers"):
        read_curves(frame, np.array([0.0, 1.0]), 2)
    named = frame.set_axis([0.0, 1.0], axis="index")
    assert_array_equal(read_curves(named, np.array([0.0, 1.0]), 2), frame.to_numpy().T)
    tall = pd.DataFrame([[0.9, 0.8, 0.7], [0.7, 0.6, 0.5]])
    assert read_curves(tall, np.array([0.0, 1.0]), 3).shape == (3, 2)
