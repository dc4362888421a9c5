"""What is asked of an estimator: which method, in which order of the grades."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.pipeline import Pipeline

from sklearn_ordinal_censored._response import (
    class_probabilities,
    latent_score,
    predicts_curves,
    scale_of,
    survival_curves,
)

SCALE = np.array(["low", "mid", "high"])  # in the alphabet: high, low, mid
PROBA = np.array([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])
X = np.zeros((2, 1))


class Regressor(RegressorMixin, BaseEstimator):
    def predict(self, X):
        return np.array([0.25, 2.5])


class Grades(ClassifierMixin, BaseEstimator):
    def __init__(self, classes=("high", "low", "mid")):
        self.classes_ = np.array(classes)

    def predict(self, X):
        return np.array(["mid", "low"])


class Scored(Grades):
    def latent_score(self, X):
        return np.array([0.7, -0.3])


class Decision(Grades):
    def __init__(self, classes=("high", "low"), output=(1.5, -2.0)):
        super().__init__(classes)
        self.output = output

    def decision_function(self, X):
        return np.array(self.output)


class Probable(Decision):
    def __init__(self, classes=("high", "low", "mid"), output=PROBA):
        super().__init__(classes, output)

    def predict_proba(self, X):
        return self.output


# One score a row


def test_auto_takes_the_first_method_that_a_classifier_has():
    assert_allclose(latent_score(Probable(), X, "auto", SCALE), [0.2 + 2 * 0.5, 0.7 + 2 * 0.1])
    assert latent_score(Decision(), X, "auto", SCALE).tolist() == [-1.5, 2.0]
    assert latent_score(Grades(), X, "auto", SCALE).tolist() == [1, 0]
    assert latent_score(Regressor(), X, "auto", SCALE).tolist() == [0.25, 2.5]


def test_the_other_methods_of_a_regressor_are_single_scores_for_those_who_ask():
    class Probability(Regressor):
        def predict_proba(self, X):
            return np.array([[0.1], [0.6]])

    assert latent_score(Probability(), X, "auto", SCALE).tolist() == [0.25, 2.5]
    assert latent_score(Probability(), X, "predict_proba", SCALE).tolist() == [0.1, 0.6]


def test_a_latent_score_stands_for_the_grade_unless_the_grade_is_asked_for():
    assert latent_score(Scored(), X, "auto", SCALE).tolist() == [0.7, -0.3]
    ranks = latent_score(Scored(), X, "predict", SCALE)
    assert ranks.tolist() == [1, 0]
    assert ranks.dtype == np.float64


def test_a_method_that_the_estimator_lacks_is_refused():
    for method in ("predict_proba", "latent_score", "transform"):
        told = rf"^response_method='{method}', but Decision has \['decision_function', 'predict'\]"
        with pytest.raises(ValueError, match=told):
            latent_score(Decision(), X, method, SCALE)


@pytest.mark.parametrize(("classes", "sign"), [(["high", "low"], -1), (["low", "mid"], 1)])
def test_a_decision_function_is_turned_towards_the_upper_grade(classes, sign):
    model = Decision(classes)
    assert latent_score(model, X, "decision_function", SCALE).tolist() == [sign * 1.5, sign * -2.0]


def test_several_columns_are_no_score():
    with pytest.raises(ValueError, match=r"^decision_function gives 3 columns, no single score"):
        latent_score(Decision(output=PROBA), X, "decision_function", SCALE)


def test_messages_name_the_model_inside_a_scorer():
    class Wrapper(Regressor):
        _estimator = Grades()

    with pytest.raises(ValueError, match=r"but Grades has \['predict'\]"):
        latent_score(Wrapper(), X, "predict_proba", SCALE)


# Probabilities


def test_columns_are_put_in_the_order_of_the_scale():
    assert_array_equal(class_probabilities(Probable(), X, SCALE), PROBA[:, [1, 2, 0]])
    logits = class_probabilities(Probable(output=np.log(PROBA)), X, SCALE, "class_logits")
    assert_allclose(logits, PROBA[:, [1, 2, 0]])


def test_a_grade_that_was_not_seen_has_probability_zero():
    longer = np.array(["low", "worse", "mid", "high"])
    assert_array_equal(class_probabilities(Probable(), X, longer)[:, 1], [0, 0])


def test_cumulative_columns_are_in_the_order_of_the_scale_already():
    model = Probable(output=np.array([[0.75, 0.25]]))
    found = class_probabilities(model, X, SCALE, "cumulative_probs")
    assert found.tolist() == [[0.25, 0.5, 0.25]]
    told = r"has 2 columns, but encoding='cumulative_probs' needs one for each of the 1 cut points"
    with pytest.raises(ValueError, match=told):
        class_probabilities(model, X, SCALE[:2], "cumulative_probs")


@pytest.mark.parametrize("encoding", ["labels", "probs", None])
def test_an_unknown_encoding_is_refused(encoding):
    told = f"^encoding={encoding!r} is not known; use one of 'class_probs', 'class_logits', 'cumul"
    with pytest.raises(ValueError, match=told):
        class_probabilities(Probable(), X, SCALE, encoding)


def test_probabilities_need_a_method_and_classes():
    with pytest.raises(ValueError, match=r"^Decision has no predict_proba, and probabilities are"):
        class_probabilities(Decision(), X, SCALE)
    model = Probable(["high", "low"])
    with pytest.raises(ValueError, match=r"^Probable.predict_proba has 3 columns, but classes_"):
        class_probabilities(model, X, SCALE)
    del model.classes_
    with pytest.raises(ValueError, match=r"^Probable has no classes_, which say what its columns"):
        class_probabilities(model, X, SCALE)


# The scale


def test_the_classes_of_a_classifier_are_part_of_the_scale():
    model = Grades([1, 4])
    assert scale_of(model, [2, 3], None).tolist() == [1, 2, 3, 4]
    assert scale_of(model, [2, 3], [5, 4, 3, 2, 1]).tolist() == [5, 4, 3, 2, 1]
    regressor = Regressor()
    regressor.classes_ = [1, 4]
    assert scale_of(regressor, [2, 3], None).tolist() == [2, 3]
    del model.classes_
    assert scale_of(model, [2, 3], None).tolist() == [2, 3]


# Survival curves


class ByTimes(BaseEstimator):
    def predict_survival(self, X, times):
        return np.exp(-np.outer(np.ravel(X), times))


class ByFunctions(ByTimes):
    def predict_survival_function(self, X):
        return [lambda times: np.full(len(times), 0.5)] * len(X)


class Twice(BaseEstimator):
    def transform(self, X):
        return 2 * X


ROWS, TIMES = np.array([[0.5], [1.0]]), [1.0, 2.0]
CURVES = np.exp(-np.outer([0.5, 1.0], TIMES))


def test_a_response_comes_before_any_method():
    found = survival_curves(ByFunctions(), ROWS, TIMES, lambda model, X, times: (model, X, times))
    assert isinstance(found[0], ByFunctions)
    assert found[1] is ROWS
    assert_array_equal(found[2], TIMES)


def test_functions_come_before_times():
    assert [curve(TIMES).tolist() for curve in survival_curves(ByFunctions(), ROWS, TIMES)] == [
        [0.5, 0.5]
    ] * 2
    assert_array_equal(survival_curves(ByTimes(), ROWS, TIMES), CURVES)


@pytest.mark.parametrize("idle", [None, "passthrough"])
def test_rows_pass_through_the_steps_of_a_pipeline(idle):
    steps = [("a", Twice()), ("b", idle), ("c", Twice()), ("model", ByTimes())]
    assert_array_equal(survival_curves(Pipeline(steps), ROWS / 4, TIMES), CURVES)
    assert_array_equal(survival_curves(Pipeline(steps[-1:]), ROWS, TIMES), CURVES)


def test_the_best_of_a_search_is_asked():
    class Search(BaseEstimator):
        best_estimator_ = Pipeline([("a", Twice()), ("model", ByTimes())])

    assert_array_equal(survival_curves(Search(), ROWS / 2, TIMES), CURVES)


def test_a_model_without_curves_is_refused():
    with pytest.raises(ValueError, match=r"^Regressor predicts no survival curves: it has neither"):
        survival_curves(Regressor(), ROWS, TIMES)
    with pytest.raises(ValueError, match=r"^Twice predicts no survival curves"):
        survival_curves(Pipeline([("a", Twice()), ("model", Twice())]), ROWS, TIMES)


def test_an_array_whose_times_nobody_knows_is_refused():
    class Table(BaseEstimator):
        def __init__(self, output):
            self.output = output

        def predict_survival_function(self, X):
            return self.output

    with pytest.raises(ValueError, match=r"^Table\.predict_survival_function\(X\) returns neither"):
        survival_curves(Table(CURVES), ROWS, TIMES)
    frame = pd.DataFrame(CURVES, columns=TIMES)
    assert survival_curves(Table(frame), ROWS, TIMES) is frame


def test_the_times_stay_as_they_are():
    times = np.array(TIMES)

    def _spoil(model, X, found):
        found += 1
        return found

    assert survival_curves(ByTimes(), ROWS, times, _spoil).tolist() == [2, 3]
    assert times.tolist() == TIMES
    with pytest.raises(ValueError, match=r"^times is empty"):
        survival_curves(ByTimes(), ROWS, [])


@pytest.mark.parametrize("response", ["predict", 1])
def test_a_response_that_is_no_function_is_refused(response):
    with pytest.raises(ValueError, match=r"^response=.* must be a function \(estimator, X, times"):
        survival_curves(ByTimes(), ROWS, TIMES, response)


def test_curves_are_looked_for_inside_of_pipelines_and_searches():
    class Search(BaseEstimator):
        def __init__(self, best):
            self.best_estimator_ = best

    class OnlyFunctions(BaseEstimator):
        def predict_survival_function(self, X):
            return [np.exp] * len(X)

    for model in (ByTimes(), ByFunctions(), OnlyFunctions()):
        assert predicts_curves(model) is True
        assert predicts_curves(Pipeline([("a", Twice()), ("model", model)])) is True
        assert predicts_curves(Search(Pipeline([("model", model)]))) is True
    assert predicts_curves(Regressor()) is False
    assert predicts_curves(Pipeline([("a", ByTimes()), ("model", Regressor())])) is False
    assert predicts_curves(Search(Regressor())) is False
