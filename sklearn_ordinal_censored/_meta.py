"""What the estimators around other estimators share."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.targets._inputs import check_floats


def adopt_features(outer: Any, inner: Any) -> None:
    """Take over the number and the names of the features that an inner estimator has seen.

    Parameters
    ----------
    outer : estimator
        Gets the attributes; those of an earlier fit are removed.
    inner : fitted estimator
        May lack them.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> from sklearn.linear_model import LinearRegression
    >>> outer = BaseEstimator()
    >>> adopt_features(outer, LinearRegression().fit([[0], [1]], [0, 1]))
    >>> outer.n_features_in_
    1
    """
    for attribute in ("n_features_in_", "feature_names_in_"):
        if hasattr(inner, attribute):
            setattr(outer, attribute, getattr(inner, attribute))
        elif hasattr(outer, attribute):
            delattr(outer, attribute)


def one_column(name: str, output: Any) -> FloatArray:
    """Return the output of an estimator as one finite number a row.

    Parameters
    ----------
    name : str
        What the output is, for messages.
    output : array-like of shape (n_samples,) or (n_samples, 1)
        Numbers.

    Returns
    -------
    ndarray of shape (n_samples,)
        The numbers.

    Examples
    --------
    >>> one_column("estimator.predict(X)", [[1.0], [2.0]])
    array([1., 2.])
    """
    output = np.asarray(output)
    return check_floats(name, output[:, 0] if output.shape[1:] == (1,) else output)
