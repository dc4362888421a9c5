"""Errors of predicted times: by hand, against refits in exact fractions, and where undefined."""

import csv
import json
import math
from pathlib import Path

import numpy as np
import oracles_likelihood as oracle
import pytest
from hypothesis import given
from oracles_censored import censoring_before, mean
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import mean_absolute_error
from strategies import whole_weights
from strategies_censored import RIGHT_CENSORED, censored

from sklearn_ordinal_censored._kernels.product_limit import product_limit
from sklearn_ordinal_censored._kernels.restricted_mean import restricted_mean
from sklearn_ordinal_censored.metrics import censored_mae, observed_mae
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import interval_censored, right_censored

INF = math.inf
METHODS = ("hinge", "ipcw", "margin", "pseudo")
FOLDER = Path(__file__).parent.parent / "reference"
SMALL = right_censored([1, 0, 1, 0], [1, 2, 3, 4])
SMALL_PRED = [2, 3, 3, 3]
UNDEFINED = -1.0

rng = np.random.default_rng(3)
TIME = rng.integers(0, 40, 80) / 4
EVENT = rng.random(80) < 0.6
PRED = np.round(TIME + rng.normal(0, 2, 80), 2)
TARGET = right_censored(EVENT, TIME)

every_method = pytest.mark.parametrize("method", METHODS)


def or_undefined(value):
    return UNDEFINED if math.isnan(value) else value


def evaluate(rows, method, **keywords):
    return censored_mae(
        rows.event_time,
        rows.pred,
        method=method,
        sample_weight=rows.weight,
        replace_undefined_by=UNDEFINED,
        **keywords,
    )


def from_the_start(rows):
    return rows._replace(entry=None)


def events_of(rows):
    return np.equal(rows.lower, rows.upper).tolist()


# Each method against its definition


@given(rows=censored())
def test_hinge_is_the_distance_to_the_interval(rows):
    triples = zip(rows.lower, rows.upper, rows.pred, strict=True)
    expected = mean([oracle.distance_to_interval(*row) for row in triples], rows.weight)
    value = censored_mae(rows.bounds, rows.pred, sample_weight=rows.weight)
    assert value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("normalize", ["hajek", "horvitz_thompson"])
@given(rows=censored(kinds=RIGHT_CENSORED).map(from_the_start))
def test_ipcw_against_loops(normalize, rows):
    expected = oracle.ipcw_mae(rows.lower, rows.upper, rows.pred, rows.weight, normalize)
    value = evaluate(rows, "ipcw", normalize=normalize)
    assert value == pytest.approx(or_undefined(expected), rel=1e-12)


@given(rows=censored(kinds=RIGHT_CENSORED))
def test_margin_against_exact_fractions(rows):
    expected = oracle.margin_mae(rows.lower, events_of(rows), rows.pred, rows.weight, rows.entry)
    assert evaluate(rows, "margin") == pytest.approx(or_undefined(expected), rel=1e-12)


@given(rows=censored(kinds=RIGHT_CENSORED).map(from_the_start))
def test_pseudo_observations_against_refits_in_exact_fractions(rows):
    expected = oracle.pseudo_mae(rows.lower, events_of(rows), rows.pred, rows.weight)
    assert evaluate(rows, "pseudo") == pytest.approx(or_undefined(expected), rel=1e-11)


@pytest.mark.parametrize("weight", [None, rng.integers(0, 4, 80), rng.integers(1, 9, 80) / 4])
def test_margin_and_pseudo_observations_of_many_rows(weight):
    for method, mae in (("margin", oracle.margin_mae), ("pseudo", oracle.pseudo_mae)):
        value = censored_mae(TARGET, PRED, method=method, sample_weight=weight)
        plain = None if weight is None else weight.tolist()
        expected = mae(TIME.tolist(), EVENT.tolist(), PRED.tolist(), plain)
        assert value == pytest.approx(expected, rel=1e-12)


def test_by_hand():
    values = {method: censored_mae(SMALL, SMALL_PRED, method=method) for method in METHODS}
    # The curve is 3/4 from 1 and 3/8 from 3 on. Who outlived 2 lives up to 3.5 on average, who
    # outlived 4 to 4; the pseudo-observations are 4 x 23/8 - 3 x 8/3 = 3.5 and 4 x 23/8 - 7 = 4.5.
    weight = 2 + 1 / 4 + 5 / 8
    margin = (1 + 0.5 / 4 + 0 + 1 * 5 / 8) / weight
    pseudo = (1 + 0.5 / 4 + 0 + 1.5 * 5 / 8) / weight
    expected = {"hinge": 0.5, "ipcw": 0.4, "margin": margin, "pseudo": pseudo}
    assert values == pytest.approx(expected, rel=1e-14)
    assert all(type(value) is float for value in values.values())


@pytest.mark.parametrize(
    ("bounds", "pred", "expected"),
    [
        ((5, 5), 3, 2.0),
        ((5, 5), 6, 1.0),
        ((5, INF), 3, 2.0),
        ((5, INF), 99, 0.0),
        ((-INF, 4), -9, 0.0),
        ((-INF, 4), 4.5, 0.5),
        ((0, 4), -1, 1.0),
        ((6, 9), 6, 0.0),
        ((6, 9), 9, 0.0),
        ((6, 9), 5.5, 0.5),
        ((6, 9), 11, 2.0),
    ],
    ids=str,
)
def test_distances_by_hand(bounds, pred, expected):
    assert censored_mae(interval_censored(*([bound] for bound in bounds)), [pred]) == expected


# What holds for all of them


@every_method
def test_without_censoring_all_are_the_mean_absolute_error(method):
    weight = rng.random(80)
    value = censored_mae(
        right_censored(np.ones(80), TIME), PRED, method=method, sample_weight=weight
    )
    assert value == pytest.approx(mean_absolute_error(TIME, PRED, sample_weight=weight), rel=1e-13)


@every_method
@given(rows=censored(kinds=RIGHT_CENSORED, weighting=whole_weights).map(from_the_start))
def test_whole_weights_repeat_rows(method, rows):
    assert evaluate(rows, method) == pytest.approx(evaluate(rows.repeated, method), rel=1e-11)


@given(rows=censored(kinds=RIGHT_CENSORED, weighting=whole_weights))
def test_whole_weights_repeat_late_rows(rows):
    assert evaluate(rows, "margin") == pytest.approx(evaluate(rows.repeated, "margin"), rel=1e-11)


@every_method
def test_the_order_of_the_rows_is_of_no_account(method):
    order = rng.permutation(80)
    weight = rng.integers(1, 9, 80) / 8
    value = censored_mae(TARGET, PRED, method=method, sample_weight=weight)
    again = censored_mae(TARGET[order], PRED[order], method=method, sample_weight=weight[order])
    assert value == pytest.approx(again, rel=1e-13)


@every_method
def test_rows_of_weight_zero_might_as_well_be_absent(method):
    weight = rng.integers(0, 3, 80) * 0.7
    weight[TIME.argmax()] = 0  # the last time ends the curve
    kept = weight > 0
    value = censored_mae(TARGET, PRED, method=method, sample_weight=weight)
    without = censored_mae(TARGET[kept], PRED[kept], method=method, sample_weight=weight[kept])
    assert value == without


@every_method
@pytest.mark.parametrize("shift", [1000.0, -30.0])
def test_a_shift_of_time_changes_nothing(method, shift):
    bounds = interval_censored(TIME, np.where(EVENT, TIME, INF))
    value = censored_mae(bounds, PRED, method=method)
    bounds["lower"] += shift
    bounds["upper"] += shift
    assert censored_mae(bounds, PRED + shift, method=method) == pytest.approx(value, rel=1e-10)


@every_method
@pytest.mark.parametrize("factor", [1e-200, 365.25, 1e200])
def test_the_unit_of_time(method, factor):
    value = censored_mae(right_censored(EVENT, factor * TIME), factor * PRED, method=method)
    assert value == pytest.approx(factor * censored_mae(TARGET, PRED, method=method), rel=1e-12)


def test_equal_weights_below_one_are_no_weights():
    weight = np.full(80, 0.3)
    for method in METHODS:
        value = censored_mae(TARGET, PRED, method=method, sample_weight=weight)
        assert value == pytest.approx(censored_mae(TARGET, PRED, method=method), rel=1e-12)


def test_a_tiny_weight_leaves_pseudo_observations_their_digits():
    weight = np.ones(80)
    values = []
    for tiny in (1e-3, 1e-6, 1e-12, 1e-300):
        weight[0] = tiny
        values.append(censored_mae(TARGET, PRED, method="pseudo", sample_weight=weight))
    assert values[1] == pytest.approx(values[3], rel=1e-5)
    assert values[2] == pytest.approx(values[3], rel=1e-11)


# Where the censoring curve comes from


def test_a_reference_for_the_censoring_curve():
    reference = right_censored([0, 1, 0, 1, 1], [2, 2, 3, 5, 10])
    expected = oracle.ipcw_mae(
        [1, 2, 3, 4],
        [1, INF, 3, INF],
        SMALL_PRED,
        survival=[1, 1, 3 / 4, 1 / 2],  # one of four left at 2, after the event; one of three at 3
    )
    curve = KaplanMeier(reverse=True).fit(reference)
    for censoring in (reference, curve):
        value = censored_mae(SMALL, SMALL_PRED, method="ipcw", censoring=censoring)
        assert value == pytest.approx(expected, rel=1e-14)
        assert value != censored_mae(SMALL, SMALL_PRED, method="ipcw")


def test_an_event_comes_before_a_censoring_at_its_time():
    y = right_censored([1, 0, 1, 0], [2, 2, 3, 3])
    survival = censoring_before([2, 2, 3, 3], [2, INF, 3, INF])
    assert survival == pytest.approx([1, 1, 2 / 3, 2 / 3])
    value = censored_mae(y, [4, 0, 4, 0], method="ipcw")
    assert value == pytest.approx((2 + 3 / 2) / (1 + 3 / 2))


# Undefined values


@pytest.mark.parametrize("method", METHODS[1:])
@pytest.mark.parametrize(
    ("y", "weight"),
    [(right_censored([0, 0], [1, 2]), None), (right_censored([1, 0], [1, 2]), [0, 1])],
    ids=["none", "none that counts"],
)
def test_without_a_known_time(method, y, weight):
    told = r"^censored_mae is undefined and set to nan: none of the \d rows has a known"
    with pytest.warns(UndefinedMetricWarning, match=told):
        assert math.isnan(censored_mae(y, [1, 2], method=method, sample_weight=weight))
    keywords = {"method": method, "sample_weight": weight, "replace_undefined_by": 7}
    assert censored_mae(y, [1, 2], **keywords) == 7.0


def test_no_known_time_is_no_error_of_zero():
    value = censored_mae(
        right_censored([0], [1]),
        [1],
        method="ipcw",
        normalize="horvitz_thompson",
        replace_undefined_by=7,
    )
    assert value == 7.0


@pytest.mark.parametrize("normalize", ["hajek", "horvitz_thompson"])
@pytest.mark.parametrize(
    "reference",
    [right_censored([0, 0], [1, 2]), right_censored([1, 0, 1], [1, 1, 2.5])],
    ids=["0 from 2 on", "unknown after 2.5"],
)
def test_where_the_reference_ends(normalize, reference):
    told = "unknown before time 3.0, and gives weights to events up to 1.0; give a `censoring` that"
    keywords = {"method": "ipcw", "normalize": normalize, "censoring": reference}
    with pytest.warns(UndefinedMetricWarning, match=told):
        assert math.isnan(censored_mae(SMALL, SMALL_PRED, **keywords))
    early = right_censored([1, 0, 0, 0], [1, 2, 3, 4])
    assert censored_mae(early, SMALL_PRED, **keywords) > 0  # only events need the curve


def test_late_entries_can_leave_nothing_to_outlive():
    y = np.array(
        [(True, 1.0, 0.0), (False, 4.0, 2.0)], [("event", "?"), ("time", "f8"), ("entry", "f8")]
    )
    with pytest.warns(UndefinedMetricWarning, match="the survival curve is 0 before a censoring"):
        assert math.isnan(censored_mae(y, [1, 4], method="margin"))


# What is refused


@pytest.mark.parametrize("method", METHODS[1:])
def test_other_kinds_of_censoring_are_counted(method):
    y = interval_censored([1, 2, 0, 3, 4], [1, INF, 4, 6, 5])
    told = r"^y_true has 1 left-censored and 2 interval-censored rows, the first in row 2"
    with pytest.raises(ValueError, match=told):
        censored_mae(y, [1, 2, 3, 4, 5], method=method)


@pytest.mark.parametrize("method", ["ipcw", "pseudo"])
def test_late_entries_are_refused_where_they_cannot_be_read(method):
    y = np.array([(True, 3.0, 1.0)], [("event", "?"), ("time", "f8"), ("entry", "f8")])
    with pytest.raises(ValueError, match=rf"^y_true has a field 'entry', but method='{method}'"):
        censored_mae(y, [2], method=method)
    assert censored_mae(y, [2]) == censored_mae(y, [2], method="margin") == 1.0


@pytest.mark.parametrize(
    ("keywords", "told"),
    [
        ({"method": "km"}, "method='km' is not known; use one of 'hinge', 'ipcw', 'margin', 'pse"),
        ({"method": None}, "method=None is not known"),
        ({"normalize": "none"}, "normalize='none' is not known; use one of 'hajek', 'horvitz_th"),
        ({"censoring": SMALL}, "censoring is for method='ipcw'; method='hinge' does not read it"),
        (
            {"method": "margin", "normalize": "horvitz_thompson"},
            "normalize is for method='ipcw'; method='margin' does not read it",
        ),
        ({"sample_weight": [1, 2]}, "sample_weight has 2 rows, the target has 4"),
        ({"method": "ipcw", "censoring": KaplanMeier()}, "censoring is a KaplanMeier curve of ev"),
    ],
    ids=str,
)
def test_options_that_are_refused(keywords, told):
    with pytest.raises(ValueError, match=f"^{told}"):
        censored_mae(SMALL, SMALL_PRED, **keywords)


@every_method
@pytest.mark.parametrize("pred", [[1, 2, 3, np.nan], [1, 2, 3, INF], [[1], [2], [3], [4]], [1, 2]])
def test_predictions_that_are_refused(method, pred):
    with pytest.raises(ValueError, match="y_pred"):
        censored_mae(SMALL, pred, method=method)


# Against other numbers


def read_reference(kind):
    cases = json.loads((FOLDER / "likelihood.json").read_text())
    return [case for case in cases if case["id"].split("/")[0] == kind]


@pytest.mark.parametrize("case", read_reference("rmst"), ids=lambda case: case["id"])
def test_restricted_means_of_r(case):
    with (FOLDER / f"{case['dataset']}.csv").open() as file:
        table = list(csv.DictReader(file))
    columns = {
        role: np.array([float(row[name]) for row in table])
        for role, name in case["columns"].items()
    }
    seen = columns["time"] <= case["tau"]  # what is later is cut off there
    time, event = np.minimum(columns["time"], case["tau"]), seen & (columns["event"] == 1)
    curve = product_limit(time, event, columns.get("weights"))
    assert restricted_mean(curve) == pytest.approx(case["values"]["rmst"], rel=1e-12)


def test_weights_make_up_for_independent_censoring():
    generator = np.random.default_rng(11)
    size = 20_000
    risk = generator.random(size)
    time = generator.weibull(2, size) * (2 + 4 * risk)
    limit = generator.exponential(6, size)
    pred = 1.5 + 3.6 * risk
    truth = np.abs(time - pred).mean()
    y = right_censored(time <= limit, np.minimum(time, limit))
    assert truth == pytest.approx(1.475, abs=1e-3)
    for normalize in ("hajek", "horvitz_thompson"):
        value = censored_mae(y, pred, method="ipcw", normalize=normalize)
        assert value == pytest.approx(truth, abs=0.03)
    # The distance to an interval is at most the error, and known times are the shorter ones.
    assert censored_mae(y, pred) < 0.9
    assert observed_mae(y, pred) < 1.35


@pytest.mark.parametrize("hazard", [0.25, 1.0, 3.0])
def test_the_hinge_error_prefers_times_that_are_too_early(hazard):
    """Of exponential times the best constant is the formula of the notes, not the median."""
    draw = np.random.default_rng(0)
    time, limit = draw.exponential(size=100_000), draw.exponential(size=100_000) / hazard
    y = right_censored(time <= limit, np.minimum(time, limit))
    best = math.log(2 + hazard) / (1 + hazard)
    assert best < math.log(2)
    values = [censored_mae(y, np.full(len(y), best + step)) for step in (-0.03, 0, 0.03)]
    assert values[1] == min(values)
    of_median = censored_mae(y, np.full(len(y), math.log(2)))
    assert of_median > values[1]


def test_pseudo_observations_do_not_jump_where_a_row_gets_no_weight():
    weight = np.full(80, 1.5)
    values = []
    for first in (0, 1e-12, 1e-6):
        weight[0] = first
        values.append(censored_mae(TARGET, PRED, method="pseudo", sample_weight=weight))
    assert values[1] == pytest.approx(values[0], rel=1e-10)
    assert values[2] == pytest.approx(values[0], rel=1e-4)


def test_pseudo_observations_of_weights_in_a_tiny_unit():
    weight = np.full(80, 1e-160)
    value = censored_mae(TARGET, PRED, method="pseudo", sample_weight=weight)
    assert value == pytest.approx(censored_mae(TARGET, PRED, method="pseudo"), rel=1e-12)


def test_a_censoring_whose_weight_is_lost():
    y = right_censored([1, 0], [1, 2])
    with pytest.warns(UndefinedMetricWarning, match="the weight of a late censoring is lost"):
        assert math.isnan(censored_mae(y, [1, 2], method="margin", sample_weight=[1, 1e-20]))


@pytest.mark.parametrize("light", [1e-320, 1e-310, 5e-324])
def test_a_censored_row_too_light_beside_the_others_has_no_pseudo_value(light):
    y_true = right_censored([1, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 6])
    weight, predicted = [1, 1, light, 1, 1, 1], [2, 2, 3, 4, 5, 5]
    with pytest.warns(UndefinedMetricWarning, match="lost beside that of the other rows"):
        value = censored_mae(y_true, predicted, method="pseudo", sample_weight=weight)
    assert np.isnan(value)
    given = {"method": "pseudo", "sample_weight": weight, "replace_undefined_by": 7.0}
    assert censored_mae(y_true, predicted, **given) == 7.0
