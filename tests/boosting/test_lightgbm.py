"""Metrics and objectives inside LightGBM, through both of its interfaces."""

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from registry import LABEL_METRICS, PROBABILITY_METRICS, SCORE_METRICS
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from sklearn_ordinal_censored.boosting import _objectives, lightgbm_metric, lightgbm_objective
from sklearn_ordinal_censored.datasets import make_ordinal
from sklearn_ordinal_censored.metrics import (
    mean_absolute_class_error,
    ordinal_accuracy,
    quadratic_weighted_kappa,
    ranked_probability_score,
)
from sklearn_ordinal_censored.targets import ordinal_decode

lgb = pytest.importorskip("lightgbm")

QWK = "quadratic_weighted_kappa"
SCALE = np.array(["none", "mild", "severe", "awful"])  # sorted: awful, mild, none, severe
X, RANKS = make_ordinal(420, n_classes=4, class_weights=[4, 3, 2, 1], noise=0.5, random_state=3)
X = pd.DataFrame(X).add_prefix("x")  # LightGBM 4.6 names the columns of arrays, and misses them
WEIGHT = np.random.default_rng(0).integers(1, 5, 420).astype(float)
TRAIN, VALID = slice(240), slice(240, None)
MODEL = {"num_leaves": 5, "n_estimators": 20, "verbose": -1, "n_jobs": 1, "random_state": 0}
NATIVE = {"num_leaves": 5, "verbose": -1, "num_threads": 1, "seed": 0, "metric": "None"}
# LightGBM 4.7.0 does not encode `eval_y`, so that text needs the deprecated argument.
text_validation = pytest.mark.filterwarnings("ignore:The argument 'eval_set' is deprecated")


def fit(model, y, *, metric=None, weight=None, is_text=False, **keywords):
    """Fit with a validation set, and keep the trees up to its best round."""
    if not is_text and "eval_X" in inspect.signature(model.fit).parameters:
        keywords |= {"eval_X": X[VALID], "eval_y": y[VALID]}
    else:
        keywords |= {"eval_set": [(X[VALID], y[VALID])]}
    if weight is not None:
        keywords |= {"sample_weight": weight[TRAIN], "eval_sample_weight": [weight[VALID]]}
    stop = lgb.early_stopping(20, verbose=False)
    return model.fit(X[TRAIN], y[TRAIN], eval_metric=metric, callbacks=[stop], **keywords)


def history(model):
    """Recorded values of the only metric on the only validation set."""
    (by_metric,) = model.evals_result_.values()
    ((name, values),) = by_metric.items()
    return name, values


def staged(model, y, weight=None):
    """Raw scores for the validation rows after every round, of a model that has all its trees."""
    whole = clone(model).fit(X[TRAIN], y[TRAIN], None if weight is None else weight[TRAIN])
    rounds = range(1, model.n_estimators + 1)
    return [whole.predict(X[VALID], raw_score=True, num_iteration=k) for k in rounds]


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
    metric = lightgbm_metric(
        n_classes=n_classes,
        rule=rule,
        encoding="class_logits" if objective else "class_probs",
    )
    model = lgb.LGBMClassifier(metric="None", **MODEL)
    if objective:
        model.set_params(objective=lightgbm_objective(objective))
    fit(model, y, metric=metric, weight=weight)
    name, values = history(model)
    kappas = [
        quadratic_weighted_kappa(
            y[VALID],
            raw_to_ranks(raw, rule),
            labels=range(n_classes),
            sample_weight=None if weight is None else weight[VALID],
        )
        for raw in staged(model, y, weight)
    ]
    assert name == QWK
    assert_allclose(values, kappas, rtol=1e-12)
    assert model.best_iteration_ == np.argmax(kappas) + 1
    assert max(kappas) > max(kappas[0], 0.2)


@text_validation
@pytest.mark.parametrize("objective", [None, "soft_weighted_kappa", "cost_weighted_log_loss"])
def test_text_grades_give_what_their_ranks_give(objective):
    """The codes of text follow the alphabet, those of ranks the scale."""
    models = {}
    for name, y, labels in (("text", SCALE[RANKS], SCALE), ("ranks", RANKS, None)):
        encoding = "class_logits" if objective else "class_probs"
        metric = lightgbm_metric(labels=labels, encoding=encoding)
        model = lgb.LGBMClassifier(metric="None", **MODEL)
        if objective:
            model.set_params(objective=lightgbm_objective(objective, labels=labels))
        models[name] = fit(model, y, metric=metric, is_text=True)
    text, ranks = models["text"], models["ranks"]
    assert_array_equal(text.classes_, np.sort(SCALE))
    assert_allclose(history(text)[1], history(ranks)[1], rtol=1e-9)
    in_order = np.searchsorted(text.classes_, SCALE)
    raw = text.predict(X, raw_score=True)[:, in_order]
    assert_allclose(raw, ranks.predict(X, raw_score=True), rtol=1e-6, atol=1e-9)
    if objective:
        decoded = ordinal_decode(raw, encoding="class_logits", labels=SCALE)
        assert_array_equal(decoded, SCALE[raw_to_ranks(ranks.predict(X, raw_score=True))])
    else:
        assert_array_equal(text.predict(X), SCALE[ranks.predict(X)])


@text_validation
def test_the_first_grade_of_two_in_the_alphabet_may_be_the_upper_one():
    grades = np.array(["low", "high"])[np.minimum(RANKS, 1)]
    metric = lightgbm_metric("ranked_probability_score", labels=["low", "high"])
    model = fit(lgb.LGBMClassifier(metric="None", **MODEL), grades, metric=metric, is_text=True)
    upper = model.predict_proba(X[VALID])[:, 0]
    expected = ranked_probability_score(np.minimum(RANKS, 1)[VALID], upper)
    assert history(model)[1][model.best_iteration_ - 1] == pytest.approx(expected)
    metric = lightgbm_metric(labels=["low", "high"], encoding="class_logits")
    objective = lightgbm_objective(labels=["low", "high"])
    model = lgb.LGBMClassifier(metric="None", objective=objective, **MODEL)
    fit(model, grades, metric=metric, is_text=True)
    is_upper = model.predict(X[VALID], raw_score=True) < 0
    expected = quadratic_weighted_kappa(np.minimum(RANKS, 1)[VALID], is_upper.astype(int))
    assert expected > 0.3
    assert history(model)[1][model.best_iteration_ - 1] == pytest.approx(expected)


@text_validation
def test_grades_that_do_not_begin_at_zero():
    metric = lightgbm_metric(labels=[1, 2, 3, 4])
    model = fit(lgb.LGBMClassifier(metric="None", **MODEL), RANKS + 1, metric=metric, is_text=True)
    expected = quadratic_weighted_kappa(
        RANKS[VALID] + 1, model.predict(X[VALID]), labels=range(1, 5)
    )
    assert history(model)[1][model.best_iteration_ - 1] == pytest.approx(expected)


def train(y, params, *, metric, weight=None):
    """Train through the native interface with a validation set."""
    parts = [
        lgb.Dataset(X[rows], y[rows], weight=None if weight is None else weight[rows])
        for rows in (TRAIN, VALID)
    ]
    record = {}
    callbacks = [lgb.early_stopping(20, verbose=False), lgb.record_evaluation(record)]
    booster = lgb.train(
        NATIVE | params, parts[0], 20, valid_sets=parts[1:], feval=metric, callbacks=callbacks
    )
    ((_, values),) = record["valid_0"].items()
    return booster, values


@pytest.mark.parametrize("objective", [None, "soft_weighted_kappa", "cost_weighted_log_loss"])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weighted"])
def test_the_native_interface_gives_what_the_classifier_gives(n_classes, objective, weight):
    y = RANKS if n_classes == 4 else np.minimum(RANKS, 1)
    metric = lightgbm_metric(
        n_classes=n_classes, encoding="class_logits" if objective else "class_probs"
    )
    model = lgb.LGBMClassifier(metric="None", **MODEL)
    params = {"num_class": 4, "objective": "multiclass"} if n_classes == 4 else {}
    params.setdefault("objective", "binary")
    if objective:
        model.set_params(objective=lightgbm_objective(objective))
        params["objective"] = lightgbm_objective(objective)
    fit(model, y, metric=metric, weight=weight)
    booster, values = train(y, params, metric=metric, weight=weight)
    assert_allclose(values, history(model)[1], rtol=1e-12)
    assert booster.best_iteration == model.best_iteration_
    assert_allclose(
        booster.predict(X, raw_score=True), model.predict(X, raw_score=True), rtol=1e-12
    )


@pytest.mark.parametrize("is_native", [False, True], ids=["classifier", "native"])
def test_row_weights_reach_the_objective(monkeypatch, is_native):
    seen = []

    def _spy(scores, codes, weight, matrix):
        seen.append(weight)
        return plain(scores, codes, weight, matrix)

    plain = _objectives.soft_kappa_loss
    monkeypatch.setattr(_objectives, "soft_kappa_loss", _spy)
    objective, metric = lightgbm_objective(), lightgbm_metric(encoding="class_logits")
    if is_native:
        train(RANKS, {"num_class": 4, "objective": objective}, metric=metric, weight=WEIGHT)
    else:
        fit(lgb.LGBMClassifier(objective=objective, **MODEL), RANKS, metric=metric, weight=WEIGHT)
    assert len(seen) == 20
    assert_array_equal(seen[0], WEIGHT[TRAIN])


@text_validation  # in `eval_y` LightGBM 4.7.0 does not recognise the training rows either
def test_class_weights_of_the_classifier_count():
    """LightGBM multiplies the weights of training rows by them, also where these are evaluated."""
    factors = {0: 1, 1: 2, 2: 5, 3: 20}
    model = lgb.LGBMClassifier(metric="None", class_weight=factors, **MODEL)
    rows = {"eval_set": [(X, RANKS)], "eval_metric": lightgbm_metric()}
    model.fit(X, RANKS, sample_weight=WEIGHT, **rows)
    weight = WEIGHT * np.array([1, 2, 5, 20])[RANKS]
    expected = quadratic_weighted_kappa(RANKS, model.predict(X), sample_weight=weight)
    assert history(model)[1][-1] == pytest.approx(expected)
    assert expected != pytest.approx(quadratic_weighted_kappa(RANKS, model.predict(X)), abs=1e-3)
    theirs = lgb.LGBMClassifier(class_weight=factors, objective=lightgbm_objective(), **MODEL)
    ours = lgb.LGBMClassifier(objective=lightgbm_objective(class_weight=factors), **MODEL)
    raw = [model.fit(X, RANKS).predict(X, raw_score=True) for model in (theirs, ours)]
    assert_allclose(*raw, rtol=1e-4, atol=1e-6)


def test_a_grade_may_be_missing_from_the_validation_rows():
    y = RANKS.copy()
    y[VALID] = np.minimum(y[VALID], 2)
    model = fit(lgb.LGBMClassifier(metric="None", **MODEL), y, metric=lightgbm_metric())
    pred = model.predict(X[VALID])
    assert y[VALID].max() == 2
    assert pred.max() == 3
    expected = quadratic_weighted_kappa(y[VALID], pred, labels=range(4))
    assert history(model)[1][model.best_iteration_ - 1] == pytest.approx(expected)


def test_a_grade_without_training_rows_is_named():
    metric = lightgbm_metric(labels=[0, 1, 2, 3, 4])
    with pytest.raises(ValueError, match=r"y_pred has 4 column\(s\), but the grades are \[0, 1, 2"):
        fit(lgb.LGBMClassifier(**MODEL), RANKS, metric=metric)


@pytest.mark.parametrize(
    ("keywords", "shift"), [({"n_classes": 4}, 0), ({"labels": [1, 2, 3, 4]}, 1)]
)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weighted"])
def test_regressors_are_cut_half_way(keywords, shift, weight):
    y = RANKS + shift
    model = lgb.LGBMRegressor(metric="None", **MODEL)
    fit(model, y, metric=lightgbm_metric(**keywords), weight=weight)
    values = history(model)[1]
    kappas = [
        quadratic_weighted_kappa(
            y[VALID],
            np.clip(np.floor(pred + 0.5), shift, 3 + shift),
            labels=range(shift, 4 + shift),
            sample_weight=None if weight is None else weight[VALID],
        )
        for pred in staged(model, y, weight)
    ]
    assert_allclose(values, kappas, rtol=1e-12)
    assert model.best_iteration_ == np.argmax(kappas) + 1
    _, native = train(
        y, {"objective": "regression"}, metric=lightgbm_metric(**keywords), weight=weight
    )
    assert_allclose(native, values, rtol=1e-12)


OPTIONS = {"ordinal_cost": {"cost_matrix": np.arange(16.0).reshape(4, 4)}}
ROWS = LABEL_METRICS | PROBABILITY_METRICS | SCORE_METRICS


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_every_metric_stops_in_its_own_direction(row):
    metric = lightgbm_metric(row.metric, **OPTIONS.get(row.metric.__name__, {}))
    model = lgb.LGBMClassifier(metric="None", **(MODEL | {"n_estimators": 6}))
    fit(model, RANKS, metric=metric)
    name, values = history(model)
    assert name == row.metric.__name__
    best = np.argmax if row.greater_is_better else np.argmin
    assert model.best_iteration_ == best(values) + 1


def test_several_metrics_at_once():
    metrics = [lightgbm_metric(), lightgbm_metric(mean_absolute_class_error)]
    model = fit(lgb.LGBMClassifier(metric="None", **MODEL), RANKS, metric=metrics)
    (by_metric,) = model.evals_result_.values()
    assert set(by_metric) == {QWK, "mean_absolute_class_error"}


def test_cross_validation_of_the_native_interface():
    result = lgb.cv(
        NATIVE | {"num_class": 4, "objective": lightgbm_objective()},
        lgb.Dataset(X, RANKS, weight=WEIGHT),
        5,
        nfold=3,
        feval=lightgbm_metric(encoding="class_logits", rule="mean"),
    )
    assert len(result[f"valid {QWK}-mean"]) == 5
    assert result[f"valid {QWK}-mean"][-1] > 0.3


def test_one_against_the_rest_has_probabilities_that_do_not_sum_to_one():
    model = lgb.LGBMClassifier(objective="multiclassova", metric="None", **MODEL)
    with pytest.raises(ValueError, match="must sum to 1 in every row"):
        fit(model, RANKS, metric=lightgbm_metric())
    fit(model, RANKS, metric=lightgbm_metric(encoding="class_logits"))
    expected = quadratic_weighted_kappa(RANKS[VALID], model.predict(X[VALID]), labels=range(4))
    assert history(model)[1][model.best_iteration_ - 1] == pytest.approx(expected)


def test_raw_scores_need_their_encoding():
    model = lgb.LGBMClassifier(objective=lightgbm_objective(), **MODEL)
    with pytest.raises(
        ValueError, match="as under a custom objective, need encoding='class_logits'"
    ):
        fit(model, RANKS, metric=lightgbm_metric())


def test_predict_returns_raw_scores():
    model = lgb.LGBMClassifier(objective=lightgbm_objective(), **MODEL).fit(X[TRAIN], RANKS[TRAIN])
    with pytest.warns(UserWarning, match="Returning raw scores instead"):
        raw = model.predict(X)
    assert raw.shape == (420, 4)
    assert_array_equal(raw, model.predict(X, raw_score=True))
    grades = ordinal_decode(raw, encoding="class_logits", rule="mean")
    assert quadratic_weighted_kappa(RANKS[VALID], grades[VALID]) > 0.5


def test_a_regressor_has_one_score_for_all_grades():
    model = lgb.LGBMRegressor(objective=lightgbm_objective(), **MODEL)
    with pytest.raises(ValueError, match="the codes of 2 grades are 0 to 1"):
        fit(model, RANKS)


def score(model, X, y):
    """Accuracy of the most probable grade."""
    return ordinal_accuracy(y, raw_to_ranks(model.predict(X, raw_score=True)), labels=range(4))


def test_models_with_them_can_be_cloned_pickled_and_searched():
    model = lgb.LGBMClassifier(objective=lightgbm_objective(), **MODEL)
    raw = fit(clone(model), RANKS).predict(X, raw_score=True)
    twin = pickle.loads(pickle.dumps(fit(model, RANKS)))
    assert_array_equal(twin.predict(X, raw_score=True), raw)
    assert "lightgbm_objective(objective='soft_weighted_kappa'" in repr(model)
    grid = {
        "objective": [lightgbm_objective(), lightgbm_objective("cost_weighted_log_loss")],
        "num_leaves": [3, 5],
    }
    search = GridSearchCV(clone(model), grid, scoring=score, cv=3, error_score="raise")
    search.fit(X, RANKS, eval_metric=lightgbm_metric(encoding="class_logits"))
    assert search.best_score_ > 0.4
    found = search.best_params_["objective"]
    assert found is not search.best_estimator_.objective  # a copy
    assert repr(found) == repr(search.best_estimator_.objective)
