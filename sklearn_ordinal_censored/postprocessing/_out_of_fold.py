"""The one number a row that cut points act on, and its out-of-fold values."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.utils.parallel import Parallel, delayed

from sklearn_ordinal_censored._compat import check_method_params, safe_split
from sklearn_ordinal_censored._meta import one_column
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray
from sklearn_ordinal_censored.targets._inputs import check_floats
from sklearn_ordinal_censored.targets._ordinal import parse_ordinal

RESPONSES = ("predict_proba", "decision_function", "predict")


def latent_score(estimator: Any, X: Any, response_method: str, labels: AnyArray) -> FloatArray:
    """Return one score a row, larger for higher grades.

    Parameters
    ----------
    estimator : fitted estimator
        A regressor gives its prediction; a classifier its expected rank (from probabilities), its
        decision function (two classes) or the rank of its prediction.
    X : array-like of shape (n_samples, n_features)
        Rows.
    response_method : str
        "auto" or one of ``RESPONSES``.
    labels : ndarray of shape (n_classes,)
        The scale.

    Returns
    -------
    ndarray of shape (n_samples,)
        Finite scores.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier(strategy="prior").fit([[0]] * 4, ["low", "mid", "mid", "high"])
    >>> latent_score(model, [[0]], "auto", np.array(["low", "mid", "high"]))
    array([1.])
    """
    method = _response(estimator, response_method)
    output = getattr(estimator, method)(X)
    if not is_classifier(estimator):
        return one_column(f"{type(estimator).__name__}.{method}", output)
    if method == "predict":
        return parse_ordinal("estimator.predict(X)", output, labels).codes.astype(np.float64)
    ranks = parse_ordinal("estimator.classes_", estimator.classes_, labels).codes
    if method == "predict_proba":
        return np.asarray(check_floats("estimator.predict_proba(X)", output, ndim=2) @ ranks)
    return _decision_score(output, ranks)


def _response(estimator: Any, response_method: str) -> str:
    usable = [method for method in RESPONSES if hasattr(estimator, method)]
    if response_method == "auto":
        return usable[0] if is_classifier(estimator) else "predict"
    if response_method not in usable:
        raise ValueError(
            f"response_method={response_method!r}, but {type(estimator).__name__} has {usable}."
        )
    return response_method


def _decision_score(output: Any, ranks: IntArray) -> FloatArray:
    if np.ndim(output) != 1:
        raise ValueError(
            f"decision_function gives {np.shape(output)[1]} columns, no single score; use "
            "response_method='predict_proba' (CalibratedClassifierCV adds it) or 'predict'."
        )
    # scikit-learn sorts the two classes by name, so the positive one may be the lower grade.
    score = one_column("estimator.decision_function(X)", output)
    return score if ranks[1] > ranks[0] else -score


class FoldScores(NamedTuple):
    """Scores of rows by models that were not fitted on them.

    Attributes
    ----------
    rows : ndarray of shape (n_scores,)
        Row of the training data that each score belongs to.
    score : ndarray of shape (n_scores,)
        The scores.
    fold : ndarray of shape (n_scores,)
        Number of the fold that held the row out.

    Examples
    --------
    >>> import numpy as np
    >>> FoldScores(np.array([0]), np.array([1.5]), np.array([0])).score
    array([1.5])
    """

    rows: IntArray
    score: FloatArray
    fold: IntArray


def out_of_fold_scores(
    estimator: Any,
    X: Any,
    y: AnyArray,
    splits: Sequence[tuple[IntArray, IntArray]],
    fit_params: Mapping[str, Any],
    response_method: str,
    labels: AnyArray,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> FoldScores:
    """Fit a clone on every training part and score its test part.

    Parameters
    ----------
    estimator : estimator
        Left as it is.
    X : array-like of shape (n_samples, n_features)
        Rows.
    y : ndarray of shape (n_samples,)
        What the estimator is fitted to.
    splits : sequence of (train, test)
        Row numbers of every fold.
    fit_params : mapping
        Arguments of ``fit``; those with one value a row are sliced.
    response_method : str
        "auto" or one of ``RESPONSES``.
    labels : ndarray of shape (n_classes,)
        The scale.
    n_jobs : int or None
        Number of folds fitted at a time.
    verbose : int
        Above 0, every fold prints a line.

    Returns
    -------
    FoldScores
        In the order of the folds.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> X, y = np.arange(4.0)[:, np.newaxis], np.arange(4.0)
    >>> splits = [(np.array([0, 1]), np.array([2, 3]))]
    >>> out_of_fold_scores(LinearRegression(), X, y, splits, {}, "auto", y).score.round(6)
    array([2., 3.])
    """
    parts = Parallel(n_jobs=n_jobs)(
        delayed(_score_fold)(
            clone(estimator), X, y, split, fit_params, response_method, labels, number, verbose
        )
        for number, split in enumerate(splits)
    )
    tests = [test for _, test in splits]
    folds = np.repeat(np.arange(len(tests)), [len(test) for test in tests])
    return FoldScores(np.concatenate(tests), np.concatenate(parts), folds)


def _score_fold(
    estimator: Any,
    X: Any,
    y: AnyArray,
    split: tuple[IntArray, IntArray],
    fit_params: Mapping[str, Any],
    response_method: str,
    labels: AnyArray,
    number: int,
    verbose: int,
) -> FloatArray:
    train, test = split
    start = time.perf_counter()
    params = check_method_params(X, params=fit_params, indices=train)
    X_train, y_train = safe_split(estimator, X, y, train)
    X_test, _ = safe_split(estimator, X, y, test, train)
    estimator.fit(X_train, y_train, **params)
    score = latent_score(estimator, X_test, response_method, labels)
    if verbose:
        seconds = time.perf_counter() - start
        print(
            f"[OrdinalThresholdOptimizer] fold {number + 1}: fitted and scored in {seconds:.1f} s"
        )
    return score
