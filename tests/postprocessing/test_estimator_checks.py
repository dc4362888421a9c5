"""scikit-learn's own checks, and the content of the one that fits text without labels."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import shuffle
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_ordinal_censored.postprocessing import (
    OrdinalDecisionClassifier,
    OrdinalThresholdOptimizer,
)

BASES = [
    Ridge(),
    LogisticRegression(),
    GradientBoostingRegressor(n_estimators=5, random_state=0),
    make_pipeline(StandardScaler(with_mean=False), Ridge()),
]
DECISIONS = ["argmax", "median", "mean", "kappa"]
# Not "cost": costs have as many grades as the data, which differ from check to check.
DECIDERS = [
    *(OrdinalDecisionClassifier(LogisticRegression(), decision=d) for d in DECISIONS),
    OrdinalDecisionClassifier(DecisionTreeClassifier(max_depth=4, random_state=0)),
    OrdinalDecisionClassifier(GaussianNB()),
    OrdinalDecisionClassifier(make_pipeline(StandardScaler(with_mean=False), LogisticRegression())),
]
MODELS = [OrdinalThresholdOptimizer(base) for base in BASES] + DECIDERS
WEIGHTS = "the pipeline takes no sample_weight, and the probabilities are its own"


def _expected_failures(estimator):
    expected = {"check_classifiers_classes": "text without labels has no order and is refused"}
    if hasattr(estimator, "predict_proba"):
        if getattr(estimator, "decision", "") != "argmax":
            expected["check_classifiers_train"] = "predict is not the argmax of predict_proba"
        if isinstance(estimator.estimator, Pipeline):
            expected["check_sample_weight_equivalence_on_dense_data"] = WEIGHTS
            expected["check_sample_weight_equivalence_on_sparse_data"] = WEIGHTS
    return expected


CHECKS = parametrize_with_checks(MODELS, expected_failed_checks=_expected_failures)


@pytest.mark.filterwarnings("ignore:Pipeline.fit takes no sample_weight:UserWarning")
# Naive Bayes divides by the weight of a class that has none.
@pytest.mark.filterwarnings("ignore::RuntimeWarning:sklearn.naive_bayes")
# A list: scikit-learn before 1.8 hands over a generator, about which pytest 9 warns.
@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), **CHECKS.kwargs)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def _blobs(n_classes):
    X, y = make_blobs(n_samples=30, random_state=0, cluster_std=0.1)
    X, y = shuffle(X, y, random_state=7)
    X = StandardScaler().fit_transform(X)
    return X[y < n_classes], y[y < n_classes]


def _check_classes(model, X, y):
    fitted = clone(model).fit(X, y)
    predicted = fitted.predict(X)
    assert_array_equal(fitted.classes_, np.unique(y))
    assert fitted.classes_.dtype == predicted.dtype == y.dtype
    assert set(predicted) <= set(y)


every_model = pytest.mark.parametrize("model", MODELS, ids=repr)


@every_model
@pytest.mark.parametrize("names", [["one", "two"], ["one", "two", "three"]])
@pytest.mark.parametrize("dtype", [np.str_, object])
def test_text_classes_with_labels(model, names, dtype):
    X, codes = _blobs(len(names))
    y = np.array(names)[codes].astype(dtype)
    _check_classes(clone(model).set_params(labels=names), X, y)


@every_model
def test_classes_minus_one_and_one(model):
    X, codes = _blobs(2)
    _check_classes(model, X, np.array([-1, 1])[codes])
