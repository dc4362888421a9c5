"""What a fitted estimator says: probabilities of grades, one score a row, or survival curves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier

from sklearn_ordinal_censored._meta import one_column
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray
from sklearn_ordinal_censored.targets._curves import as_functions, read_times
from sklearn_ordinal_censored.targets._inputs import check_option, preview
from sklearn_ordinal_censored.targets._ordinal import common_scale, parse_ordinal
from sklearn_ordinal_censored.targets._probabilities import (
    ENCODINGS,
    check_class_probs,
    class_probs_of,
    expected_rank,
    read_columns,
    read_exceedance,
)

RESPONSES = ("predict_proba", "decision_function", "predict")


def latent_score(
    estimator: Any,
    X: Any,
    response_method: str,
    labels: AnyArray,
    encoding: str = "class_probs",
) -> FloatArray:
    """Return one score a row, larger for higher grades.

    Parameters
    ----------
    estimator : fitted estimator
        A regressor gives its prediction; a classifier its expected rank (from probabilities), its
        decision function (two classes), its own ``latent_score`` or the rank of its prediction.
    X : array-like of shape (n_samples, n_features)
        Rows.
    response_method : str
        "auto" or one of ``RESPONSES``.
    labels : ndarray of shape (n_classes,)
        The scale.
    encoding : str, default="class_probs"
        What ``predict_proba`` returns, as in ``ordinal_decode``.

    Returns
    -------
    ndarray of shape (n_samples,)
        Finite scores; expected ranks are rounded to about ten significant digits.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier(strategy="prior").fit([[0]] * 4, ["low", "mid", "mid", "high"])
    >>> latent_score(model, [[0]], "auto", np.array(["low", "mid", "high"]))
    array([1.])
    """
    method = _response(estimator, response_method)
    if method == "predict_proba" and is_classifier(estimator):
        proba = class_probabilities(estimator, X, labels, encoding)
        return expected_rank(proba)
    if method == "predict" and response_method == "auto" and hasattr(estimator, "latent_score"):
        method = "latent_score"
    output = getattr(estimator, method)(X)
    if not is_classifier(estimator) or method == "latent_score":
        return one_column(f"{_name_of(estimator)}.{method}", output)
    if method == "predict":
        return parse_ordinal("estimator.predict(X)", output, labels).codes.astype(np.float64)
    ranks = parse_ordinal("estimator.classes_", estimator.classes_, labels).codes
    return _decision_score(output, ranks)


def _name_of(estimator: Any) -> str:
    # Scorers of several metrics wrap the estimator; messages are about the user's own.
    return type(getattr(estimator, "_estimator", estimator)).__name__


def _response(estimator: Any, response_method: str) -> str:
    usable = [method for method in RESPONSES if hasattr(estimator, method)]
    if response_method == "auto":
        return usable[0] if is_classifier(estimator) else "predict"
    if response_method not in usable:
        raise ValueError(
            f"response_method={response_method!r}, but {_name_of(estimator)} has {usable}."
        )
    return response_method


def _decision_score(output: Any, ranks: IntArray) -> FloatArray:
    if np.ndim(output) != 1:
        raise ValueError(
            f"decision_function gives {np.shape(output)[1]} columns, no single score. "
            "CalibratedClassifierCV adds predict_proba; OrdinalThresholdOptimizer takes "
            "response_method='predict', too."
        )
    # scikit-learn sorts the two classes by name, so the positive one may be the lower grade.
    score = one_column("estimator.decision_function(X)", output)
    return score if ranks[1] > ranks[0] else -score


def class_probabilities(
    estimator: Any, X: Any, labels: AnyArray, encoding: str = "class_probs"
) -> FloatArray:
    """Return the probability of every grade, columns in the order of the scale.

    Parameters
    ----------
    estimator : fitted classifier
        With ``predict_proba``, whose columns follow ``classes_``, or the scale if they are
        cumulative.
    X : array-like of shape (n_samples, n_features)
        Rows.
    labels : ndarray of shape (n_classes,)
        The scale; grades that the classifier has not seen get probability 0.
    encoding : str, default="class_probs"
        What ``predict_proba`` returns, as in ``ordinal_decode``.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Rows sum to one.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier(strategy="prior").fit([[0]] * 4, ["low", "low", "low", "high"])
    >>> class_probabilities(model, [[0]], np.array(["low", "mid", "high"]))
    array([[0.75, 0.  , 0.25]])
    """
    name = f"{_name_of(estimator)}.predict_proba"
    if not hasattr(estimator, "predict_proba"):
        raise ValueError(
            f"{_name_of(estimator)} has no predict_proba, and probabilities are needed: take a "
            "classifier that has it (CalibratedClassifierCV adds it to others). A regressor has "
            "none; ordinal_concordance_index judges its score."
        )
    check_option("encoding", encoding, ENCODINGS)
    output = estimator.predict_proba(X)
    if encoding == "class_probs":
        proba = check_class_probs(name, read_columns(name, output, encoding))
        return _in_order(proba, estimator, labels)
    proba = class_probs_of(read_exceedance(name, output, encoding))
    if encoding == "class_logits":
        return _in_order(proba, estimator, labels)
    if proba.shape[1] != len(labels):
        raise ValueError(
            f"{name} has {proba.shape[1] - 1} columns, but encoding={encoding!r} needs one for "
            f"each of the {len(labels) - 1} cut points of the scale {labels.tolist()}."
        )
    return proba


def _in_order(proba: FloatArray, estimator: Any, labels: AnyArray) -> FloatArray:
    if not hasattr(estimator, "classes_"):
        raise ValueError(
            f"{_name_of(estimator)} has no classes_, which say what its columns are: set it in fit."
        )
    ranks = parse_ordinal("estimator.classes_", estimator.classes_, labels).codes
    if proba.shape[1] != len(ranks):
        raise ValueError(
            f"{_name_of(estimator)}.predict_proba has {proba.shape[1]} columns, but classes_ "
            f"are {preview(estimator.classes_)}."
        )
    ordered = np.zeros((len(proba), len(labels)))
    ordered[:, ranks] = proba
    return ordered


def scale_of(estimator: Any, y_true: Any, labels: ArrayLike | None) -> AnyArray:
    """Return the scale that the truth and the classes of an estimator share.

    Parameters
    ----------
    estimator : fitted estimator
        Its ``classes_``, if it has any.
    y_true : array-like of shape (n_samples,)
        Grades.
    labels : array-like of shape (n_classes,) or None
        The grades from lowest to highest.

    Returns
    -------
    ndarray of shape (n_classes,)
        The scale.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> scale_of(DummyClassifier().fit([[0], [0]], [0, 3]), [1, 1], None)
    array([0, 1, 2, 3])
    """
    values = {"y_true": y_true}
    if is_classifier(estimator) and hasattr(estimator, "classes_"):
        values["estimator.classes_"] = estimator.classes_
    return common_scale(labels, **values)


def survival_curves(
    estimator: Any, X: Any, times: Any, response: Callable[..., Any] | None = None
) -> Any:
    """Return predicted survival at given times, in a form that metrics of curves read.

    Parameters
    ----------
    estimator : fitted estimator
        With ``predict_survival_function(X)``, which returns step functions, as in scikit-survival;
        or with ``predict_survival(X, times)``, which returns an array. Looked for at the end of
        pipelines and inside searches.
    X : array-like of shape (n_samples, n_features)
        Rows.
    times : array-like of shape (n_times,)
        The times, handed on as an array of floats.
    response : callable or None, default=None
        ``response(estimator, X, times)`` instead of the two methods.

    Returns
    -------
    object
        Step functions, an array or a data frame.

    Examples
    --------
    >>> class Exponential:
    ...     def predict_survival(self, X, times):
    ...         return np.exp(-np.outer(X, times))
    >>> survival_curves(Exponential(), [0.0, 1.0], [0.0]).round(2)
    array([[1.],
           [1.]])
    """
    instants = read_times(times)  # a copy, so that the times of a scorer stay as they are
    if callable(response):
        return response(estimator, X, instants)
    if response is not None:
        raise ValueError(
            f"response={response!r} must be a function (estimator, X, times) that returns "
            "P(T > times), or None."
        )
    if hasattr(estimator, "predict_survival_function"):
        return _with_times(estimator, estimator.predict_survival_function(X))
    if hasattr(estimator, "predict_survival"):
        return estimator.predict_survival(X, instants)
    steps, inner = _unwrap(estimator)
    if inner is None:
        raise ValueError(
            f"{type(estimator).__name__} predicts no survival curves: it has neither "
            "predict_survival_function(X) nor predict_survival(X, times). Give "
            "`response=`, a function (estimator, X, times) that returns P(T > times)."
        )
    for step in steps:
        X = X if step in (None, "passthrough") else step.transform(X)
    return survival_curves(inner, X, times)


def predicts_curves(estimator: Any) -> bool:
    """Return whether :func:`survival_curves` can ask an estimator itself.

    Parameters
    ----------
    estimator : fitted estimator
        Perhaps a pipeline or a search.

    Returns
    -------
    bool
        True if one of the two methods is there.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> predicts_curves(LinearRegression())
    False
    """
    if any(hasattr(estimator, name) for name in ("predict_survival_function", "predict_survival")):
        return True
    _, inner = _unwrap(estimator)
    return inner is not None and predicts_curves(inner)


def _unwrap(estimator: Any) -> tuple[list[Any], Any]:
    """Return the transformers before the estimator inside a search or pipeline, and it or None."""
    if hasattr(estimator, "best_estimator_"):
        return [], estimator.best_estimator_
    if hasattr(estimator, "steps"):
        *before, last = (step for _, step in estimator.steps)
        return before, last
    return [], None


def _with_times(estimator: Any, curves: Any) -> Any:
    """Refuse an array, whose times nobody knows."""
    if as_functions(curves) is None and not hasattr(curves, "columns"):
        raise ValueError(
            f"{type(estimator).__name__}.predict_survival_function(X) returns neither step "
            "functions nor a data frame named by times, so that the times of its columns are "
            "unknown. Give `response=`, a function (estimator, X, times) that returns "
            "P(T > times), or the model a method predict_survival(X, times)."
        )
    return curves
