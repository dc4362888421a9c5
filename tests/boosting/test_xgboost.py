"""Metrics and objectives inside XGBoost, through both of its interfaces."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from registry import LABEL_METRICS, PROBABILITY_METRICS, SCORE_METRICS
from scipy.special import softmax
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from sklearn_ordinal_censored.boosting import _objectives, xgboost_metric, xgboost_objective
from sklearn_ordinal_censored.datasets import make_ordinal
from sklearn_ordinal_censored.metrics import get_scorer, quadratic_weighted_kappa
from sklearn_ordinal_censored.targets import ordinal_decode

xgb = pytest.importorskip("xgboost")

NAME = "minus_quadratic_weighted_kappa"
X, RANKS = make_ordinal(420, n_classes=4, class_weights=[4, 3, 2, 1], noise=0.5, random_state=3)
WEIGHT = np.random.default_rng(0).integers(1, 5, 420).astype(float)
TRAIN, VALID = slice(240), slice(240, None)
MODEL = {"max_depth": 2, "n_estimators": 20, "n_jobs": 1, "random_state": 0}
DIGITS = 6e-7  # XGBoost passes metrics on with six decimals
NATIVE = {"max_depth": 2, "nthread": 1, "seed": 0, "disable_default_eval_metric": True}


def fit(model, y, *, weight=None):
    """Fit with a validation set."""
    keywords = {}
    if weight is not None:
        keywords = {"sample_weight": weight[TRAIN], "sample_weight_eval_set": [weight[VALID]]}
    return model.fit(X[TRAIN], y[TRAIN], eval_set=[(X[VALID], y[VALID])], verbose=False, **keywords)


def history(model, name=NAME):
    """Recorded values of our metric on the validation set."""
    return model.evals_result()["validation_0"][name]


def staged(model, n_rounds):
    """Raw scores for the validation rows after every round."""
    return [
        model.predict(X[VALID], output_margin=True, iteration_range=(0, k + 1))
        for k in range(n_rounds)
    ]


def raw_to_ranks(raw, rule="argmax"):
    raw = np.column_stack([0 * raw, raw]) if raw.ndim == 1 else raw
    return ordinal_decode(raw, encoding="class_logits", rule=rule)


@pytest.mark.parametrize("rule", ["argmax", "median", "mean"])
@pytest.mark.parametrize("objective", [None, "soft_weighted_kappa", "cost_weighted_log_loss"])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weighted"])
def test_the_best_round_of_a_classifier_is_that_of_the_best_kappa(
    n_classes, objective, rule, weight
):
    y = RANKS if n_classes == 4 else np.minimum(RANKS, 1)
    metric = xgboost_metric(
        n_classes=n_classes,
        rule=rule,
        encoding="class_logits" if objective else "class_probs",
    )
    model = xgb.XGBClassifier(eval_metric=metric, early_stopping_rounds=20, **MODEL)
    if objective:
        model.set_params(objective=xgboost_objective(objective))
    fit(model, y, weight=weight)
    values = history(model)
    kappas = [
        quadratic_weighted_kappa(
            y[VALID],
            raw_to_ranks(raw, rule),
            labels=range(n_classes),
            sample_weight=None if weight is None else weight[VALID],
        )
        for raw in staged(model, len(values))
    ]
    assert_allclose(values, np.negative(kappas), atol=DIGITS)
    assert model.best_iteration == np.argmax(np.round(kappas, 6))
    assert model.best_score == pytest.approx(-max(kappas), abs=DIGITS)
    assert max(kappas) > max(kappas[0], 0.2)


def train(y, params, *, objective=None, metric, weight=None, rounds=20):
    """Train through the native interface with a validation set."""
    parts = [
        xgb.DMatrix(X[rows], y[rows], weight=None if weight is None else weight[rows])
        for rows in (TRAIN, VALID)
    ]
    record = {}
    booster = xgb.train(
        NATIVE | params,
        parts[0],
        rounds,
        evals=[(parts[1], "valid")],
        obj=objective,
        custom_metric=metric,
        early_stopping_rounds=20,
        evals_result=record,
        verbose_eval=False,
    )
    ((name, values),) = record["valid"].items()
    return booster, name, values


@pytest.mark.parametrize("objective", [None, "soft_weighted_kappa", "cost_weighted_log_loss"])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weighted"])
def test_the_native_interface_gives_what_the_classifier_gives(n_classes, objective, weight):
    y = RANKS if n_classes == 4 else np.minimum(RANKS, 1)
    metric = xgboost_metric(
        n_classes=n_classes, encoding="class_logits" if objective else "class_probs"
    )
    ours = xgboost_objective(objective) if objective else None
    model = xgb.XGBClassifier(eval_metric=metric, early_stopping_rounds=20, **MODEL)
    if objective:
        model.set_params(objective=ours)
    fit(model, y, weight=weight)
    params = {"objective": "binary:logistic"}
    if n_classes == 4:
        params = {"objective": "multi:softprob", "num_class": 4}
    booster, name, values = train(y, params, objective=ours, metric=metric, weight=weight)
    assert name == NAME
    assert_allclose(values, history(model), rtol=1e-12)
    assert booster.best_iteration == model.best_iteration
    data = xgb.DMatrix(X)
    until_best = (0, booster.best_iteration + 1)
    assert_allclose(
        booster.predict(data, output_margin=True, iteration_range=until_best),
        model.predict(X, output_margin=True),
        rtol=1e-6,
    )


@pytest.mark.parametrize("is_native", [False, True], ids=["classifier", "native"])
def test_row_weights_reach_the_objective(monkeypatch, is_native):
    seen = []

    def _spy(scores, codes, weight, matrix):
        seen.append(weight)
        return plain(scores, codes, weight, matrix)

    plain = _objectives.soft_kappa_loss
    monkeypatch.setattr(_objectives, "soft_kappa_loss", _spy)
    objective, metric = xgboost_objective(), xgboost_metric(encoding="class_logits")
    if is_native:
        train(RANKS, {"num_class": 4}, objective=objective, metric=metric, weight=WEIGHT)
    else:
        model = xgb.XGBClassifier(objective=objective, eval_metric=metric, **MODEL)
        fit(model, RANKS, weight=WEIGHT)
    assert len(seen) == 20
    assert_array_equal(seen[0], WEIGHT[TRAIN])


def test_labels_put_the_codes_in_order():
    """The codes number the grades in sorted order; here the scale runs through 2, 0, 3, 1."""
    scale = np.array([2, 0, 3, 1])
    models = []
    for y, labels in ((scale[RANKS], scale), (RANKS, None)):
        model = xgb.XGBClassifier(
            objective=xgboost_objective(labels=labels),
            eval_metric=xgboost_metric(labels=labels, encoding="class_logits"),
            **MODEL,
        )
        models.append(fit(model, y))
    assert_allclose(history(models[0]), history(models[1]), rtol=1e-9)
    assert_allclose(
        models[0].predict_proba(X)[:, scale], models[1].predict_proba(X), rtol=1e-3, atol=1e-5
    )


def test_a_grade_may_be_missing_from_the_validation_rows():
    y = RANKS.copy()
    y[VALID] = np.minimum(y[VALID], 2)
    model = fit(xgb.XGBClassifier(eval_metric=xgboost_metric(), **MODEL), y)
    pred = model.predict(X[VALID])
    assert pred.max() == 3
    expected = quadratic_weighted_kappa(y[VALID], pred, labels=range(4))
    assert history(model)[-1] == pytest.approx(-expected, abs=DIGITS)


@pytest.mark.parametrize(
    ("keywords", "shift"), [({"n_classes": 4}, 0), ({"labels": [1, 2, 3, 4]}, 1)]
)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weighted"])
def test_regressors_are_cut_half_way(keywords, shift, weight):
    y = RANKS + shift
    metric = xgboost_metric(**keywords)
    model = xgb.XGBRegressor(eval_metric=metric, early_stopping_rounds=20, **MODEL)
    fit(model, y, weight=weight)
    values = history(model)
    kappas = [
        quadratic_weighted_kappa(
            y[VALID],
            np.clip(np.floor(pred + 0.5), shift, 3 + shift),
            labels=range(shift, 4 + shift),
            sample_weight=None if weight is None else weight[VALID],
        )
        for pred in staged(model, len(values))
    ]
    assert_allclose(values, np.negative(kappas), atol=DIGITS)
    assert model.best_iteration == np.argmax(np.round(kappas, 6))
    params = {"objective": "reg:squarederror"}
    *_, native = train(y, params, metric=metric, weight=weight)
    assert_allclose(native, values, rtol=1e-12)


def test_hard_classes_are_read_as_scores():
    """Predictions of multi:softmax are the codes themselves."""
    metric = xgboost_metric(n_classes=4)
    *_, values = train(RANKS, {"objective": "multi:softmax", "num_class": 4}, metric=metric)
    params = {"objective": "multi:softprob", "num_class": 4}
    *_, expected = train(RANKS, params, metric=metric)
    assert_array_equal(values, expected)


OPTIONS = {"ordinal_cost": {"cost_matrix": np.arange(16.0).reshape(4, 4)}}
ROWS = LABEL_METRICS | PROBABILITY_METRICS | SCORE_METRICS


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_every_metric_stops_in_its_own_direction(row):
    metric = xgboost_metric(row.metric, **OPTIONS.get(row.metric.__name__, {}))
    model = xgb.XGBClassifier(
        eval_metric=metric, early_stopping_rounds=6, **(MODEL | {"n_estimators": 6})
    )
    values = history(fit(model, RANKS), metric.__name__)
    assert model.best_iteration == np.argmin(values)
    probas = [
        model.predict_proba(X[VALID], iteration_range=(0, k + 1)).astype(float) for k in range(6)
    ]
    own = [
        row.metric(RANKS[VALID], responses(row)(proba), labels=range(4), **metric.options)
        for proba in probas
    ]
    best = np.argmax if row.greater_is_better else np.argmin
    assert model.best_iteration == best(np.round(own, 6))


def responses(row):
    """From probabilities to what a metric reads."""
    return {
        "grade": lambda proba: proba.argmax(axis=1),
        "score": lambda proba: np.round(proba @ np.arange(4), 7),
    }.get(row.response, lambda proba: proba)


def test_cross_validation_of_the_native_interface():
    result = xgb.cv(
        NATIVE | {"num_class": 4},
        xgb.DMatrix(X, RANKS, weight=WEIGHT),
        5,
        nfold=3,
        obj=xgboost_objective(),
        custom_metric=xgboost_metric(encoding="class_logits", rule="mean"),
        seed=0,
    )
    assert result[f"test-{NAME}-mean"].shape == (5,)
    assert result[f"test-{NAME}-mean"].iloc[-1] < -0.3


def test_raw_scores_need_their_encoding():
    model = xgb.XGBClassifier(objective=xgboost_objective(), eval_metric=xgboost_metric(), **MODEL)
    with pytest.raises(
        ValueError, match="as under a custom objective, need encoding='class_logits'"
    ):
        fit(model, RANKS)


def test_what_predictions_are_after_training():
    objective = xgboost_objective()
    model = fit(xgb.XGBClassifier(objective=objective, **MODEL), RANKS)
    raw = model.predict(X, output_margin=True)
    assert_allclose(model.predict_proba(X), softmax(raw.astype(float), axis=1), atol=1e-6)
    assert_array_equal(model.predict(X), raw_to_ranks(raw))
    from_proba = ordinal_decode(model.predict_proba(X), encoding="class_probs", rule="mean")
    assert_array_equal(from_proba, raw_to_ranks(raw, "mean"))
    assert quadratic_weighted_kappa(RANKS[VALID], from_proba[VALID]) > 0.5
    metric, data = xgboost_metric(encoding="class_logits"), xgb.DMatrix(X)
    booster, *_ = train(RANKS, {"num_class": 4}, objective=objective, metric=metric)
    raw = booster.predict(data, output_margin=True)
    assert_array_equal(booster.predict(data), raw_to_ranks(raw))
    params = {"num_class": 4, "objective": "multi:softprob"}
    booster, *_ = train(RANKS, params, objective=objective, metric=metric)
    assert_allclose(booster.predict(data).sum(axis=1), 1, atol=1e-6)


def test_models_with_them_can_be_cloned_pickled_and_searched():
    model = xgb.XGBClassifier(
        objective=xgboost_objective(),
        eval_metric=xgboost_metric(encoding="class_logits"),
        **MODEL,
    )
    proba = fit(clone(model), RANKS).predict_proba(X)
    twin = pickle.loads(pickle.dumps(fit(model, RANKS)))
    assert_array_equal(twin.predict_proba(X), proba)
    grid = {
        "objective": [xgboost_objective(), xgboost_objective("cost_weighted_log_loss")],
        "max_depth": [1, 2],
    }
    scorer = get_scorer("quadratic_weighted_kappa", labels=range(4))
    search = GridSearchCV(clone(model), grid, scoring=scorer, cv=3, error_score="raise")
    search.fit(X, RANKS)
    assert search.best_score_ > 0.3
    assert repr(search.best_params_["objective"]) == repr(search.best_estimator_.objective)
