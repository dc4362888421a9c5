"""What the estimators around other estimators share."""

from __future__ import annotations

from typing import Any


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
