"""`optimal_thresholds` against exhaustive search, the usual recipes and its own promises."""

from dataclasses import FrozenInstanceError
from functools import partial

import numpy as np
import oracles_cuts as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    hamming_loss,
    make_scorer,
    mean_absolute_error,
)

from sklearn_ordinal_censored._kernels.ranks import group_scores
from sklearn_ordinal_censored.metrics import (
    get_scorer,
    linear_weighted_kappa,
    mean_absolute_class_error,
    ordinal_accuracy,
    ordinal_cost,
    quadratic_weighted_kappa,
)
from sklearn_ordinal_censored.postprocessing import optimal_thresholds
from sklearn_ordinal_censored.postprocessing._smoothing import smooth_table

METRICS = {
    "accuracy": ordinal_accuracy,
    "linear_weighted_kappa": linear_weighted_kappa,
    "macro_mean_absolute_class_error": partial(mean_absolute_class_error, average="macro"),
    "mean_absolute_class_error": mean_absolute_class_error,
    "quadratic_weighted_kappa": quadratic_weighted_kappa,
}
STRATEGIES = ("exact", "smoothed", "frequency", "rounding")


def _problem(n=60, n_classes=4, seed=0, noise=1.0, decimals=1):
    """Grades, and a score with ties that says something about them."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_classes, n)
    return codes, (codes + noise * rng.normal(size=n)).round(decimals)


def _positions(thresholds, score):
    """Number of distinct scores below every cut point."""
    return [int((np.unique(score) < cut).sum()) for cut in thresholds]


# --- the exact strategy


def _check_against_exhaustive_search(objective, problem, hint):
    codes, score, weight, n_classes = problem
    result = optimal_thresholds(
        codes, score, objective=objective, labels=range(n_classes), sample_weight=weight
    )
    rows = oracle.one_hot(codes, n_classes)
    best = oracle.best_value(objective, rows, score, weight)
    assert result.objective_value == pytest.approx(best, rel=0, abs=1e-12), hint
    assert result.certified


@pytest.mark.parametrize("objective", sorted(METRICS))
def test_exact_equals_exhaustive_search(objective):
    for seed in range(250):
        problem = oracle.random_problem(np.random.default_rng(seed))
        _check_against_exhaustive_search(objective, problem, f"seed {seed}")


@pytest.mark.parametrize("kind", ["real", "integer"])
def test_exact_equals_exhaustive_search_for_any_costs(kind):
    for seed in range(200):
        rng = np.random.default_rng([seed, 1])
        problem = oracle.random_problem(rng)
        shape = (problem[-1], problem[-1])
        cost = rng.normal(size=shape) if kind == "real" else rng.integers(-1, 4, shape)
        _check_against_exhaustive_search(cost.tolist(), problem, f"seed {seed}")


@pytest.mark.parametrize("objective", ["accuracy", "mean_absolute_class_error"])
def test_exact_with_a_single_grade(objective):
    result = optimal_thresholds([1, 1], [0.3, 0.5], objective=objective, labels=[0, 1, 2])
    assert_array_equal(result.thresholds, [-np.inf, np.inf])
    assert result.objective_value == (1 if objective == "accuracy" else 0)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
@pytest.mark.parametrize(("seed", "scale"), [(0, 1.0), (1, 1.0), (2, 0.2)])
def test_exact_is_never_below_nelder_mead(weights, seed, scale):
    codes, score = _problem(120, n_classes=4, seed=seed, decimals=6)
    simplex = oracle.nelder_mead_kappa(codes, scale * score, 4, weights)
    result = optimal_thresholds(codes, scale * score, objective=f"{weights}_weighted_kappa")
    assert result.objective_value >= simplex - 1e-12
    assert scale == 1 or result.objective_value > simplex + 0.1


@given(seed=st.integers(0, 10_000), objective=st.sampled_from(sorted(METRICS)))
def test_optimum_is_the_same_from_the_other_end(seed, objective):
    codes, score, weight, n_classes = oracle.random_problem(np.random.default_rng(seed))
    options = {"objective": objective, "labels": range(n_classes), "sample_weight": weight}
    value = optimal_thresholds(codes, score, **options).objective_value
    mirrored = optimal_thresholds(n_classes - 1 - codes, -score, **options).objective_value
    assert mirrored == pytest.approx(value, rel=0, abs=1e-12)


# --- what the result says


def _check_value(result, y, score, metric, weight):
    predicted = result.predict(score)
    assert result.objective_value == metric(
        y, predicted, labels=result.labels, sample_weight=weight
    )
    assert type(result.objective_value) is float


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("objective", sorted(METRICS))
@pytest.mark.parametrize("weighted", [False, True])
def test_value_is_the_metric_of_the_predictions_bit_for_bit(strategy, objective, weighted):
    y, score = _problem(seed=3)
    weight = np.random.default_rng(4).random(len(y)) if weighted else None
    result = optimal_thresholds(
        y, score, objective=objective, strategy=strategy, sample_weight=weight
    )
    _check_value(result, y, score, METRICS[objective], weight)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_value_of_a_cost_matrix_is_the_mean_cost(strategy):
    y, score = _problem(seed=5)
    cost = np.random.default_rng(6).random((4, 4))
    result = optimal_thresholds(y, score, objective=cost, strategy=strategy)
    _check_value(result, y, score, partial(ordinal_cost, cost_matrix=cost), None)


def test_value_of_a_function_is_its_own():
    y, score = _problem(seed=7)
    result = optimal_thresholds(y, score, objective=accuracy_score)
    assert result.objective_value == accuracy_score(y, result.predict(score))


def test_certified_where_no_other_cuts_can_be_better():
    y, score = _problem()
    certified = {
        strategy: optimal_thresholds(y, score, strategy=strategy).certified
        for strategy in STRATEGIES
    }
    expected = {"exact": True, "smoothed": False, "frequency": False, "rounding": False}
    assert certified == expected
    assert optimal_thresholds(y, score, strategy="smoothed", smoothing=0).certified
    assert not optimal_thresholds(y, score, objective=accuracy_score).certified


def test_result_is_frozen_and_keeps_the_scale():
    result = optimal_thresholds(
        ["low", "high", "mid"], [0.1, 0.9, 0.4], labels=["low", "mid", "high"]
    )
    assert_array_equal(result.labels, ["low", "mid", "high"])
    assert_array_equal(result.predict([0.9, -5, 0.41]), ["high", "low", "mid"])
    assert result.threshold_std is None
    with pytest.raises(FrozenInstanceError):
        result.certified = False


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.float32, bool])
def test_predictions_have_the_dtype_of_the_grades(dtype):
    y = np.array([0, 0, 1, 1]).astype(dtype)
    predicted = optimal_thresholds(y, [1.0, 2.0, 3.0, 4.0]).predict([0.0, 9.0])
    assert predicted.dtype == dtype
    assert_array_equal(predicted, np.array([0, 1]).astype(dtype))


def test_score_on_a_cut_point_belongs_to_the_upper_grade():
    result = optimal_thresholds([0, 1], [1.0, 2.0])
    assert_array_equal(result.thresholds, [1.5])
    assert_array_equal(result.predict([np.nextafter(1.5, 0), 1.5]), [0, 1])


# --- where the cut points lie


@pytest.mark.parametrize(
    "score",
    [
        [1.0, np.nextafter(1.0, 2.0)],
        [0.0, 5e-324],
        [-5e-324, 0.0],
        [1.5e-323, 2e-323],
        [-1e308, 1e308],
        [1e308, 1.7e308],
        np.array([1, np.nextafter(np.float32(1), np.float32(2))], dtype=np.float32),
        np.array([0, np.finfo(np.float32).smallest_subnormal], dtype=np.float32),
        np.array([1, np.nextafter(np.float16(1), np.float16(2))], dtype=np.float16),
    ],
)
@pytest.mark.parametrize("strategy", ["exact", "smoothed", "frequency"])
def test_cut_point_parts_neighbouring_and_extreme_scores(score, strategy):
    result = optimal_thresholds([0, 1], score, strategy=strategy)
    (cut,) = result.thresholds
    assert result.thresholds.dtype == np.float64
    assert float(score[0]) < cut <= float(score[1])
    assert_array_equal(result.predict(score), [0, 1])


@pytest.mark.parametrize("strategy", ["exact", "smoothed", "frequency"])
@given(data=st.data())
def test_cut_points_lie_between_scores_and_never_cross(strategy, data):
    n = data.draw(st.integers(2, 12))
    codes = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    score = data.draw(
        st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=n, max_size=n)
    )
    result = optimal_thresholds(
        codes, score, objective="mean_absolute_class_error", strategy=strategy, labels=range(4)
    )
    distinct = np.unique(score)
    assert (result.thresholds[1:] >= result.thresholds[:-1]).all()
    for cut in result.thresholds:
        below, above = distinct[distinct < cut], distinct[distinct >= cut]
        assert cut != -np.inf or not len(below)
        assert np.isfinite(cut) == bool(len(below) and len(above))


def test_grades_never_predicted_have_infinite_or_equal_cut_points():
    y, score = [1, 1, 3, 3], [0.1, 0.2, 0.3, 0.4]
    result = optimal_thresholds(y, score, labels=range(5))
    assert_array_equal(result.thresholds, [-np.inf, 0.25, 0.25, np.inf])
    assert_array_equal(result.predict(score), y)


# --- functions as objectives


def _linear_kappa(y_true, y_pred):
    expected = np.abs(np.subtract.outer(y_true, y_pred)).mean()
    return 1 - np.abs(y_true - y_pred).mean() / expected if expected else np.nan


def _mean_by_grade(values, y_true):
    sizes = np.bincount(y_true, minlength=5)
    return (np.bincount(y_true, weights=values, minlength=5)[sizes > 0] / sizes[sizes > 0]).mean()


def _negated_macro_distance(y_true, y_pred):
    return -_mean_by_grade(np.abs(y_true - y_pred), y_true)


def _macro_recall(y_true, y_pred):
    return _mean_by_grade(y_true == y_pred, y_true)


def _unweighted_kappa(y_true, y_pred):
    observed = (y_true == y_pred).mean()
    chance = sum((y_true == k).mean() * (y_pred == k).mean() for k in range(5))
    return (observed - chance) / (1 - chance) if chance < 1 else np.nan


def _recall_costs(y):
    """Costs under which the mean cost is one minus macro recall, but for a factor."""
    return (1 - np.eye(5)) / np.maximum(np.bincount(y, minlength=5), 1)[:, np.newaxis]


@pytest.mark.parametrize(
    ("function", "exact_objective"),
    [
        (_linear_kappa, lambda y: "linear_weighted_kappa"),
        (_negated_macro_distance, lambda y: "macro_mean_absolute_class_error"),
        (_macro_recall, _recall_costs),  # no start of the search knows the answer
    ],
)
def test_local_search_almost_always_reaches_the_exact_value(function, exact_objective):
    reached = []
    for seed in range(200):
        y, score = _problem(30, n_classes=5, seed=seed, noise=0.5 + seed % 3)
        found = optimal_thresholds(y, score, objective=function, labels=range(5))
        exact = optimal_thresholds(y, score, objective=exact_objective(y), labels=range(5))
        best = function(y, exact.predict(score))
        assert found.objective_value <= best + 1e-12
        reached.append(found.objective_value >= best - 1e-12)
    assert np.mean(reached) >= 0.95


def test_local_search_almost_always_reaches_the_best_of_all_cuts():
    reached = []
    for seed in range(200):
        y, score = _problem(12, n_classes=3, seed=seed)
        found = optimal_thresholds(y, score, objective=_unweighted_kappa, labels=range(3))
        candidates = (np.array(predicted) for predicted in oracle.all_predictions(score, 3))
        best = np.nanmax([_unweighted_kappa(y, predicted) for predicted in candidates])
        assert found.objective_value <= best + 1e-12
        reached.append(found.objective_value >= best - 1e-12)
    assert np.mean(reached) >= 0.95


def test_function_gets_labels_and_the_weights_only_when_there_are_some():
    seen = set()

    def _agreement(y_true, y_pred, **options):
        seen.add(frozenset(options))
        assert set(y_true) | set(y_pred) <= {"low", "mid", "high"}
        return np.average(y_true == y_pred, weights=options.get("sample_weight"))

    y, score = ["low", "mid", "high", "mid"], [0.1, 0.2, 0.3, 0.4]
    options = {"objective": _agreement, "labels": ["low", "mid", "high"]}
    assert optimal_thresholds(y, score, **options).objective_value == 0.75
    assert seen == {frozenset()}
    weighted = optimal_thresholds(y, score, sample_weight=[1, 1, 4, 0.5], **options)
    assert weighted.objective_value == 6 / 6.5
    assert seen == {frozenset(), frozenset({"sample_weight"})}


def test_function_is_optimised_under_fractional_weights():
    reached = []
    for seed in range(50):
        y, score = _problem(20, n_classes=3, seed=seed, noise=2)
        weight = np.random.default_rng(seed).random(20) ** 3
        options = {"labels": range(3), "sample_weight": weight}
        found = optimal_thresholds(y, score, objective=accuracy_score, **options)
        best = optimal_thresholds(y, score, objective="accuracy", **options).objective_value
        assert found.objective_value <= best + 1e-12
        reached.append(found.objective_value >= best - 1e-12)
    assert np.mean(reached) >= 0.95


def test_function_of_a_single_grade_needs_no_kappa():
    result = optimal_thresholds([1, 1], [0.3, 0.5], objective=accuracy_score, labels=[0, 1, 2])
    assert result.objective_value == 1


def test_undefined_value_of_a_function_is_worse_than_any_number():
    def _nan_where_right(y_true, y_pred):
        return np.nan if (y_true == y_pred).all() else (y_true == y_pred).mean()

    y, score = [0, 0, 0, 1, 1], [1.0, 2.0, 3.0, 4.0, 5.0]
    assert optimal_thresholds(y, score, objective=_nan_where_right).objective_value == 0.8


# --- invariance, smoothing, frequency, rounding


@st.composite
def _two_scales(draw):
    """Grades, and two scores in the same order, tied in the same rows."""
    n = draw(st.integers(2, 15))
    codes = draw(
        st.lists(st.integers(0, 2), min_size=n, max_size=n).filter(lambda c: len(set(c)) > 1)
    )
    place = draw(st.lists(st.integers(0, 7), min_size=n, max_size=n))
    values = st.lists(
        st.floats(allow_nan=False, allow_infinity=False), min_size=8, max_size=8, unique=True
    )
    scales = [np.sort(np.array(draw(values)))[place] for _ in range(2)]
    weight = draw(st.none() | st.lists(st.floats(0.125, 8), min_size=n, max_size=n))
    return np.array(codes), *scales, weight


@pytest.mark.parametrize(
    ("strategy", "objective"),
    [
        ("exact", "quadratic_weighted_kappa"),
        ("exact", "macro_mean_absolute_class_error"),
        ("exact", lambda y_true, y_pred, sample_weight=None: float((y_true == y_pred).sum())),
        ("smoothed", "quadratic_weighted_kappa"),
        ("smoothed", [[0, 1, 5], [2, 0, 1], [9, 1, 0]]),
        ("frequency", "accuracy"),
    ],
)
@given(problem=_two_scales())
def test_increasing_maps_of_the_score_change_no_prediction(strategy, objective, problem):
    codes, score, mapped, weight = problem
    options = {
        "strategy": strategy,
        "objective": objective,
        "labels": range(3),
        "sample_weight": weight,
    }
    before = optimal_thresholds(codes, score, **options)
    after = optimal_thresholds(codes, mapped, **options)
    assert_array_equal(before.predict(score), after.predict(mapped))


@pytest.mark.parametrize("objective", [*sorted(METRICS), [[0, 1, 2, 3]] * 4])
def test_no_smoothing_is_exact(objective):
    y, score = _problem(seed=8)
    exact = optimal_thresholds(y, score, objective=objective)
    smoothed = optimal_thresholds(y, score, objective=objective, strategy="smoothed", smoothing=0)
    assert_array_equal(exact.thresholds, smoothed.thresholds)
    assert exact.objective_value == smoothed.objective_value


def test_smoothing_matters_and_fades_as_rows_are_added():
    y, score = _problem(80, seed=9, noise=1.5, decimals=3)
    exact = optimal_thresholds(y, score).thresholds
    smoothed = optimal_thresholds(y, score, strategy="smoothed").thresholds
    assert not np.array_equal(exact, smoothed)
    many = np.full(len(y), 1e9)
    faded = optimal_thresholds(y, score, strategy="smoothed", sample_weight=many).thresholds
    assert_array_equal(exact, faded)


@pytest.mark.parametrize("objective", [*sorted(METRICS), "costs"])
@pytest.mark.parametrize("seed", range(12))
def test_smoothed_is_optimal_on_soft_rows(objective, seed):
    rng = np.random.default_rng([seed, 2])
    codes, score, weight, n_classes = oracle.random_problem(rng)
    smoothing = float(rng.choice([1, 10, 1000]))
    if objective == "costs":
        objective = rng.random((n_classes, n_classes)).tolist()
    cuts = optimal_thresholds(
        codes,
        score,
        objective=objective,
        strategy="smoothed",
        smoothing=smoothing,
        labels=range(n_classes),
        sample_weight=weight,
    )
    counts = weight > 0
    codes, score, weight = codes[counts], score[counts], weight[counts]
    rows = oracle.soft_rows(codes, score, n_classes, weight, smoothing)
    best = oracle.best_value(objective, rows, score, weight)
    reached = oracle.value(objective, rows, cuts.predict(score), weight)
    assert reached == pytest.approx(best, rel=0, abs=1e-6)


def test_soft_rows_equal_a_slow_model_of_every_row():
    crossed = 0
    for seed in range(6):
        rng = np.random.default_rng([seed, 3])
        codes, score = _problem(25, seed=seed, noise=3)
        weight = rng.random(25) + 0.1
        scores, table = group_scores(score, codes, 4, weight)
        rows = np.array(oracle.soft_rows(codes, score, 4, weight, 50.0))
        expected = [weight[score == s] @ rows[score == s] for s in scores]
        soft = smooth_table(table, 50.0)
        assert_allclose(soft, expected, rtol=0, atol=1e-6)
        assert_allclose(soft.sum(axis=1), table.sum(axis=1))
        crossed += (oracle.smooth_probabilities(codes, score, 4, weight) == 0).any()
    assert crossed  # curves that were fitted one by one did cross, and were mended


@given(data=st.data())
def test_frequency_cuts_are_nearest_to_the_shares_of_the_grades(data):
    n = data.draw(st.integers(1, 15))
    codes = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    score = np.array(data.draw(st.lists(st.integers(0, 8), min_size=n, max_size=n)))
    weight = np.array(data.draw(st.lists(st.integers(1, 4), min_size=n, max_size=n)))
    result = optimal_thresholds(
        codes,
        score,
        strategy="frequency",
        objective="accuracy",
        labels=range(4),
        sample_weight=weight,
    )
    distinct = np.unique(score)
    edges = [-np.inf, *distinct[1:], np.inf]
    for k, position in enumerate(_positions(result.thresholds, score)):
        wanted = weight[codes <= k].sum()
        gaps = [abs(int(weight[score < edge].sum()) - int(wanted)) for edge in edges]
        assert position == int(np.argmin(gaps))  # at a tie the lower score


def test_frequency_without_ties_repeats_the_frequencies():
    y, score = _problem(100, seed=10, decimals=9)
    predicted = optimal_thresholds(y, score, strategy="frequency").predict(score)
    assert_array_equal(np.bincount(predicted), np.bincount(y))


@pytest.mark.filterwarnings("ignore:The scores have mean")
@given(score=st.lists(st.floats(-3, 9), min_size=4, max_size=4))
def test_rounding_cuts_half_way_between_ranks_whatever_the_score(score):
    result = optimal_thresholds([2, 3, 4, 5], score, strategy="rounding", objective="accuracy")
    assert_array_equal(result.thresholds, [0.5, 1.5, 2.5])
    rounded_half_up = np.clip(np.floor(np.array(score) + 0.5), 0, 3)
    assert_array_equal(result.predict(score), 2 + rounded_half_up)


# --- weights


def _negated_distance(y_true, y_pred, sample_weight=None):
    """Sum of whole numbers: exact in any order."""
    weight = np.ones(len(y_true)) if sample_weight is None else sample_weight
    return -float((weight * np.abs(y_true - y_pred) ** 3).sum())


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    "objective", [*sorted(METRICS), np.arange(16).reshape(4, 4) % 5, _negated_distance]
)
def test_integer_weights_equal_repeated_rows(strategy, objective):
    y, score = _problem(40, seed=11)
    weight = np.random.default_rng(12).integers(0, 4, len(y))
    options = {"objective": objective, "strategy": strategy, "n_bootstraps": 5, "random_state": 0}
    weighted = optimal_thresholds(y, score, sample_weight=weight, **options)
    repeated = optimal_thresholds(np.repeat(y, weight), np.repeat(score, weight), **options)
    assert_array_equal(weighted.thresholds, repeated.thresholds)
    assert_array_equal(weighted.threshold_std, repeated.threshold_std)
    assert weighted.objective_value == pytest.approx(repeated.objective_value, rel=1e-12)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_rows_of_weight_zero_leave_no_trace(strategy):
    y, score = _problem(40, seed=13)
    weight = np.where(y == 2, 0.0, 1.0)  # a whole grade
    score = np.where(y == 2, 99.0, score)
    options = {"strategy": strategy, "labels": range(4)}
    weighted = optimal_thresholds(y, score, sample_weight=weight, **options)
    without = optimal_thresholds(y[y != 2], score[y != 2], **options)
    assert_array_equal(weighted.thresholds, without.thresholds)
    assert weighted.objective_value == pytest.approx(without.objective_value, rel=1e-12)


@pytest.mark.parametrize("strategy", ["exact", "frequency", "rounding"])
def test_unit_of_the_weights_does_not_matter(strategy):
    y, score = _problem(40, seed=14)
    weight = np.random.default_rng(15).integers(1, 5, len(y))
    one, two = (
        optimal_thresholds(y, score, strategy=strategy, sample_weight=unit * weight)
        for unit in (1, 0.25)
    )
    assert_array_equal(one.thresholds, two.thresholds)


# --- bootstrap


def test_bootstrap_follows_the_seed():
    y, score = _problem(seed=16)
    spreads = [
        optimal_thresholds(y, score, n_bootstraps=20, random_state=seed).threshold_std
        for seed in (0, 0, 1)
    ]
    assert_array_equal(spreads[0], spreads[1])
    assert not np.array_equal(spreads[0], spreads[2])
    assert spreads[0].shape == (3,)
    assert (spreads[0] > 0).all()


def test_bootstrap_is_a_multinomial_draw_over_scores_and_grades():
    y, score = _problem(30, n_classes=3, seed=21, decimals=0)
    weight = np.random.default_rng(22).random(30) + 0.5
    result = optimal_thresholds(y, score, sample_weight=weight, n_bootstraps=8, random_state=3)
    rng = np.random.RandomState(3)
    cells = [(s, k) for s in np.unique(score) for k in range(3)]
    share = [weight[(score == s) & (y == k)].sum() / weight.sum() for s, k in cells]
    cuts = []
    for _ in range(8):
        drawn = rng.multinomial(round(weight.sum()), share)
        rows = np.repeat(cells, drawn, axis=0)
        cuts.append(optimal_thresholds(rows[:, 1], rows[:, 0], labels=range(3)).thresholds)
    assert np.isfinite(cuts).all()
    assert_allclose(result.threshold_std, np.std(cuts, axis=0, ddof=1))


def test_bootstrap_agrees_with_drawing_rows():
    y, score = _problem(200, seed=17, decimals=6)
    result = optimal_thresholds(y, score, strategy="frequency", n_bootstraps=300, random_state=0)
    rng = np.random.default_rng(18)
    cuts = []
    for _ in range(300):
        rows = rng.integers(0, len(y), len(y))
        cuts.append(optimal_thresholds(y[rows], score[rows], strategy="frequency").thresholds)
    assert_allclose(result.threshold_std, np.std(cuts, axis=0, ddof=1), rtol=0.25)


def test_bootstrap_spread_is_nan_where_fewer_than_two_cut_points_are_finite():
    y, score = [0, 0, 1, 1, 1], [1.0, 2.0, 3.0, 4.0, 5.0]
    several = optimal_thresholds(y, score, labels=range(3), n_bootstraps=10, random_state=0)
    assert np.isfinite(several.threshold_std[0])
    assert np.isnan(several.threshold_std[1])
    one = optimal_thresholds(y, score, n_bootstraps=1, random_state=0)
    assert np.isnan(one.threshold_std).all()


def test_bootstrap_of_fixed_cut_points_has_no_spread():
    y, score = _problem(seed=19)
    result = optimal_thresholds(y, score, strategy="rounding", n_bootstraps=5, random_state=0)
    assert_array_equal(result.threshold_std, [0, 0, 0])


def test_bootstrap_draws_again_until_two_grades_are_there():
    y, score = [0] * 11 + [1], list(range(12))  # a third of the samples lack grade 1
    result = optimal_thresholds(y, score, n_bootstraps=50, random_state=0)
    assert np.isfinite(result.threshold_std).all()


def test_bootstrap_reads_fractional_weights_as_frequencies():
    y, score = _problem(seed=20, decimals=6)
    spreads = [
        optimal_thresholds(
            y,
            score,
            strategy="frequency",
            n_bootstraps=100,
            random_state=0,
            sample_weight=np.full(len(y), unit),
        ).threshold_std
        for unit in (0.5, 4.5)
    ]
    assert (spreads[0] > 1.5 * spreads[1]).all()  # nine times the rows, a third of the spread


def test_bootstrap_of_weights_that_add_up_to_nothing():
    with pytest.raises(ValueError, match="rescale them, or set n_bootstraps=0"):
        optimal_thresholds([0, 1], [0, 1], sample_weight=[0.1, 0.1], n_bootstraps=2)


# --- refusals


def my_loss(y_true, y_pred, *, scale=1.0):
    return scale * hamming_loss(y_true, y_pred)


def my_cost(y_true, y_pred):
    return 0.0


Y, SCORE = [0, 1, 2, 1], [0.1, 0.4, 0.8, 0.5]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_score": [0.1, np.nan, 0.8, 0.5]}, "y_score must be finite, but holds nan"),
        ({"y_score": [0.1, np.inf, 0.8, 0.5]}, "y_score must be finite, but holds inf"),
        ({"y_score": SCORE[:3]}, "y_true has 4 rows, y_score has 3 rows"),
        ({"y_score": [SCORE] * 4}, r"y_score must have 1 dimension\(s\), but has shape \(4, 4\)"),
        ({"y_score": list("abcd")}, "y_score must hold plain real numbers"),
        ({"y_true": [], "y_score": []}, "y_true is empty"),
        ({"y_true": [0, 1, None, 1]}, r"y_true has 1 missing value\(s\), the first in row 2"),
        ({"y_true": list("abca")}, "y_true .* order is unknown: pass `labels`"),
        ({"labels": [0, 1]}, r"y_true holds 2, which labels=\[0, 1\] does not list"),
        ({"y_true": [1, 1, 1, 1]}, "one class only .1.*kappa is undefined"),
        ({"sample_weight": [0, 1, 0, 1]}, "one class only .*kappa"),
        ({"sample_weight": [1, 1]}, "sample_weight has 2 rows, the target has 4"),
        ({"sample_weight": [1, -1, 1, 1]}, "sample_weight must not be negative, but holds -1"),
        ({"sample_weight": [0, 0, 0, 0]}, "sample_weight is zero for every row"),
        ({"objective": "f1"}, "objective='f1' is not known; use one of .*'accuracy'"),
        ({"objective": None}, r"objective must have 2 dimension\(s\), but has shape \(\)"),
        ({"objective": [[0, 1, 2]]}, r"objective has shape \(1, 3\), but the scale has 3 grades"),
        ({"objective": [[0, 1], [1, 0]]}, r"objective has shape \(2, 2\), but .* 3 grades"),
        ({"objective": [[0, 1, np.nan]] * 3}, "objective must be finite, but holds nan"),
        ({"objective": [[0, 1, -np.inf]] * 3}, "objective must be finite, but holds -inf"),
        ({"objective": mean_absolute_error}, "objective=mean_absolute_error is lower-is-better"),
        ({"objective": my_loss}, "objective=my_loss is lower-is-better .* `lambda"),
        ({"objective": my_cost}, "objective=my_cost is lower-is-better"),
        ({"objective": partial(my_loss, scale=2)}, "objective=my_loss is lower-is-better"),
        ({"objective": make_scorer(cohen_kappa_score)}, "objective=make_scorer.* is a scorer"),
        ({"objective": get_scorer("ordinal_accuracy")}, "objective=make_scorer.* is a scorer"),
        (
            {"objective": get_scorer(["ordinal_accuracy", "quadratic_weighted_kappa"])},
            "objective=.*ordinal_accuracy.* is a scorer",
        ),
        ({"strategy": "best"}, "strategy='best' is not known; use one of 'exact', 'smoothed'"),
        ({"strategy": None}, "strategy=None is not known"),
        ({"smoothing": -1.0}, "smoothing=-1.0 must be a finite number, at least 0"),
        ({"smoothing": np.inf}, "smoothing=inf must be a finite number"),
        ({"smoothing": "10"}, "smoothing='10' must be a finite number"),
        ({"n_bootstraps": -1}, "n_bootstraps=-1 must be a whole number, at least 0"),
        ({"n_bootstraps": 2.5}, "n_bootstraps=2.5 must be a whole number"),
    ],
)
def test_refusals_name_the_argument_and_show_the_value(options, message):
    inputs = {"y_true": Y, "y_score": SCORE} | options
    with pytest.raises(ValueError, match=message):
        optimal_thresholds(inputs.pop("y_true"), inputs.pop("y_score"), **inputs)


def test_predict_refuses_what_is_no_score():
    result = optimal_thresholds(Y, SCORE)
    with pytest.raises(ValueError, match="y_score must be finite, but holds nan"):
        result.predict([np.nan])


def test_options_are_keyword_only():
    with pytest.raises(TypeError, match="positional"):
        optimal_thresholds(Y, SCORE, "accuracy")


def test_rows_of_weight_zero_do_not_stretch_the_scale():
    weighted = optimal_thresholds([0, 1, 2, 9], [1.0, 2.0, 3.0, 4.0], sample_weight=[1, 1, 1, 0])
    without = optimal_thresholds([0, 1, 2], [1.0, 2.0, 3.0])
    assert_array_equal(weighted.labels, without.labels)
    assert_array_equal(weighted.thresholds, without.thresholds)
    assert weighted.objective_value == without.objective_value


def test_rounding_warns_of_scores_on_the_values_of_the_labels():
    y, score = [1, 2, 3, 4, 5], [1.1, 1.9, 3.0, 4.2, 4.8]
    with pytest.warns(UserWarning, match="subtract 1 from the scores"):
        optimal_thresholds(y, score, strategy="rounding")
    result = optimal_thresholds(y, np.subtract(score, 1), strategy="rounding")
    assert result.predict(np.subtract(score, 1)).tolist() == y


def test_costs_too_far_apart_are_refused():
    cost = np.ones((3, 3)) - np.eye(3)
    cost[2, 0] = 1e13
    with pytest.raises(ValueError, match=r"objective has costs from 1 to 1e\+13.*a million"):
        optimal_thresholds([0, 1, 2], [0.1, 0.2, 0.3], objective=cost)


def test_weights_of_very_different_size_are_smoothed_without_a_warning():
    rng = np.random.default_rng(0)
    y, score = rng.integers(0, 3, 40), rng.normal(size=40)
    for weight in (10.0 ** rng.uniform(-12, 12, 40), np.r_[np.ones(39), 1e-18], np.full(40, 1e7)):
        result = optimal_thresholds(y, score, strategy="smoothed", sample_weight=weight)
        assert not np.isnan(result.thresholds).any()


def test_a_negated_error_may_be_called_so():
    def neg_mean_error(y_true, y_pred):
        return -np.abs(np.subtract(y_true, y_pred)).mean()

    assert optimal_thresholds([0, 1], [0.1, 0.2], objective=neg_mean_error).objective_value == 0


def test_labels_are_a_copy():
    labels = np.array(["low", "high"])
    result = optimal_thresholds(["low", "high"], [0.1, 0.2], labels=labels)
    labels[:] = labels[::-1].copy()
    assert result.predict([0.0]).tolist() == ["low"]


@pytest.mark.parametrize(
    "returned", [None, "good", np.arange(2.0), 10**400], ids=["None", "text", "array", "huge"]
)
def test_a_function_that_returns_no_number_is_named(returned):
    with pytest.raises(ValueError, match=r"^objective=.* returned .*; it must return one number"):
        optimal_thresholds([0, 1, 1], [0.1, 0.2, 0.3], objective=lambda true, pred: returned)


def test_an_objective_that_is_never_defined_warns():
    with pytest.warns(UndefinedMetricWarning, match="is nan at the cut points, and at all others"):
        result = optimal_thresholds([0, 1, 1], [0.1, 0.2, 0.3], objective=lambda true, pred: np.nan)
    assert np.isnan(result.objective_value)
