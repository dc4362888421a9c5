"""What the estimators around other estimators share."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.targets._inputs import check_floats

SITE = ""  # where the documentation is published; as long as it is nowhere, nothing links to it


class Documented:
    """Mixin whose HTML representation links to the page of the class.

    The attributes are those in which scikit-learn looks for the link. Name it before
    ``BaseEstimator``, which has them, too.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> class Model(Documented, BaseEstimator):
    ...     pass
    >>> Model()._get_doc_link()
    ''
    """

    _doc_link_module = __name__.partition(".")[0]

    @property
    def _doc_link_template(self) -> str:
        return SITE and f"{SITE}/generated/{{estimator_module}}.{{estimator_name}}.html"


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
