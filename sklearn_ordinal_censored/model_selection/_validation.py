"""Cross-validation helpers: pooled scores, and how far weights for censoring reach."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv, cross_val_predict

from sklearn_ordinal_censored._compat import routing_enabled
from sklearn_ordinal_censored._typing import CensoredTarget
from sklearn_ordinal_censored.model_selection._split import CensoredCVSplitter
from sklearn_ordinal_censored.nonparametric._kaplan_meier import KaplanMeier
from sklearn_ordinal_censored.targets._censored import parse_right_censored
from sklearn_ordinal_censored.targets._frames import read_frame
from sklearn_ordinal_censored.targets._inputs import count_dimensions


def usable_tau(cv: Any, y: Any, *, X: Any = None, groups: Any = None) -> float:
    """Return the largest ``tau`` that training-fold weights for censoring allow in every split.

    Parameters
    ----------
    cv : splitter or iterable of (train, test)
        The splits; a splitter that shuffles needs an int ``random_state``, or it splits anew later.
    y : censored target of shape (n_samples,)
        Exact and right-censored rows.
    X : array-like of shape (n_samples, n_features), default=None
        Rows, if the splitter reads them.
    groups : array-like of shape (n_samples,), default=None
        Groups, if the splitter reads them.

    Returns
    -------
    float
        Every test event before it lies inside the follow-up of its training rows, where their
        censoring curve is above 0 just before the event. Infinity if no test event is beyond that.

    Raises
    ------
    ValueError
        If rows are left- or interval-censored.

    See Also
    --------
    CensoredCVSplitter : Balances folds.
    sklearn_ordinal_censored.metrics.concordance_index_ipcw : Takes ``tau``.

    Examples
    --------
    The event at 4 lies after the last training time of the second split:

    >>> import numpy as np
    >>> from sklearn_ordinal_censored.model_selection import usable_tau
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y = right_censored(event=[1, 1, 0, 1], time=[1, 2, 3, 4])
    >>> usable_tau([([1, 3], [0, 2]), ([0, 2], [1, 3])], y)
    4.0
    """
    target = parse_right_censored("y", y)
    rows = np.zeros((len(target.lower), 1)) if X is None else X
    limits = [
        _first_unusable(target.take(np.asarray(train)), target.take(np.asarray(test)))
        for train, test in check_cv(cv).split(rows, y, groups)
    ]
    if not limits:
        raise ValueError("cv yields no splits; give at least one.")
    return float(min(limits))


def _first_unusable(train: CensoredTarget, test: CensoredTarget) -> float:
    times = test.lower[test.is_exact]
    survival = KaplanMeier(reverse=True)._fit(train, None).predict(times, left_limit=True)
    beyond = ~(survival > 0) | (times > train.lower.max())
    return float(times[beyond].min(initial=np.inf))


def pooled_cross_val_score(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    metric: Callable[[Any, Any], float],
    cv: Any = None,
    method: str = "predict",
    groups: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> float:
    """Score all out-of-fold predictions at once.

    Parameters
    ----------
    estimator : estimator
        Fitted anew on every training part.
    X : array-like of shape (n_samples, n_features)
        Rows.
    y : target of shape (n_samples,)
        A censored target, or any other that the metric reads.
    metric : callable
        ``metric(y_true, y_pred)``; fix options with :func:`functools.partial`, such as
        ``partial(concordance_index, prediction="risk")``.
    cv : int, splitter, iterable or None, default=None
        The splits, a partition of the rows. For a censored target an int stands for that many
        splits of ``CensoredCVSplitter(random_state=0)``, None for 5; for any other target both
        mean what they mean in ``cross_val_predict``.
    method : str, default="predict"
        What of the estimator to score.
    groups : array-like of shape (n_samples,), default=None
        Groups for the splitter.
    n_jobs : int or None, default=None
        Number of splits fitted at a time.
    verbose : int, default=0
        As for ``cross_val_predict``: what joblib prints, on the standard error, about splits that
        are done; 1 for few lines, 11 for one a split.

    Returns
    -------
    float
        The metric of all predictions, in the metric's own direction.

    Raises
    ------
    ValueError
        If the splits are no partition, or the metric refuses the predictions.

    See Also
    --------
    CensoredCVSplitter : The default splits.

    Notes
    -----
    A metric over pairs has no value in a fold of one row, and a noisy one in a small fold; the
    pooled score exists for leave-one-out, too. Its pairs compare predictions of different models,
    so a model whose level shifts from fold to fold loses, which the mean over folds does not show.
    With leave-one-out even a constant model does: its level moves against the row left out.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.model_selection import LeaveOneOut
    >>> from sklearn_ordinal_censored.compose import IPCWRegressor
    >>> from sklearn_ordinal_censored.metrics import concordance_index
    >>> from sklearn_ordinal_censored.model_selection import pooled_cross_val_score
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> X, y = [[1], [2], [3], [4], [5]], right_censored([1, 1, 0, 1, 1], [1, 2, 3, 4, 5])
    >>> model = IPCWRegressor(LinearRegression())
    >>> pooled_cross_val_score(model, X, y, metric=concordance_index, cv=LeaveOneOut())
    1.0
    """
    if not callable(metric) or hasattr(metric, "get_metadata_routing"):
        raise ValueError(
            f"metric={metric!r} must be a metric function f(y_true, y_pred), such as "
            "concordance_index, not a name or a scorer."
        )
    if (cv is None or isinstance(cv, Integral)) and _is_censored(y):
        cv = CensoredCVSplitter(5 if cv is None else int(cv), random_state=0)
    routed: dict[str, Any] = {"groups": groups}
    if groups is not None and routing_enabled():
        routed = {"params": routed}
    predicted = cross_val_predict(
        estimator, X, y, cv=cv, method=method, n_jobs=n_jobs, verbose=verbose, **routed
    )
    return metric(y, predicted)


def _is_censored(y: Any) -> bool:
    """Return whether a target is one of rows with several fields, as no other target is."""
    return read_frame("y", y) is not None or count_dimensions(y) == 2
