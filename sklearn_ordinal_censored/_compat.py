"""The one file that imports what scikit-learn does not promise to keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.base import _fit_context
from sklearn.utils import _safe_indexing
from sklearn.utils._metadata_requests import _MetadataRequester
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metadata_routing import _routing_enabled
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.validation import _check_method_params, _num_samples

__all__ = [
    "HasMethods",
    "Interval",
    "MetadataRequester",
    "StrOptions",
    "check_method_params",
    "fit_context",
    "num_samples",
    "routing_enabled",
    "safe_indexing",
    "safe_split",
    "scored_metric",
]

MetadataRequester = _MetadataRequester
check_method_params = _check_method_params
fit_context = _fit_context
num_samples = _num_samples
routing_enabled = _routing_enabled
safe_indexing = _safe_indexing
safe_split = _safe_split


def scored_metric(scorer: Any) -> Callable[..., Any]:
    """Return the metric behind what ``make_scorer`` returned.

    Parameters
    ----------
    scorer : callable
        A scorer of scikit-learn.

    Returns
    -------
    callable
        The metric.

    Examples
    --------
    >>> from sklearn.metrics import accuracy_score, make_scorer
    >>> scored_metric(make_scorer(accuracy_score)) is accuracy_score
    True
    """
    metric: Callable[..., Any] = scorer._score_func
    return metric
