"""Concordance: how often the prediction puts a pair of rows in the order of their times."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import CensoredTarget
from sklearn_ordinal_censored.metrics._comparable import (
    PairSums,
    read_scored,
    sum_pairs,
)
from sklearn_ordinal_censored.metrics._ipcw import censoring_survival, first_unusable
from sklearn_ordinal_censored.targets._censored import parse_right_censored
from sklearn_ordinal_censored.targets._inputs import as_float, check_flag
from sklearn_ordinal_censored.targets._undefined import replace_undefined


def concordance_index(
    y_true: Any,
    y_pred: ArrayLike,
    *,
    prediction: str = "time",
    strict_times: bool = False,
    strata: Any = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Share of comparable pairs that the prediction puts in the right order (Harrell's C).

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        A structured array or data frame with an event and a time, or with bounds; or an array of
        bounds of shape (n_samples, 2).
    y_pred : array-like of shape (n_samples,)
        Finite predictions.
    prediction : {"time", "risk"}, default="time"
        Whether a larger prediction means a later or an earlier event. Nothing is flipped by itself:
        read the wrong way round the value is 1 minus the right one, so that one far below 0.5
        suggests the other direction.
    strict_times : bool, default=False
        Whether to leave out pairs with equal bounds, such as an event and a censoring at one time.
    strata : array-like of shape (n_samples,), default=None
        Only rows of the same stratum make pairs.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the metric is 0/0; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    float
        1 for the right order throughout, 0.5 for no relation, 0 for the reverse; higher is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    concordance_index_ipcw : Does not depend on the censoring distribution.

    Notes
    -----
    Row i surely came before row j when ``upper_i < lower_j``, or when the two are equal and j is
    not exact. For right-censored data these are Harrell's pairs [1]_: the earlier row has an event,
    and an event at the time of a censoring came first; two events at one time are no pair. Left-
    and interval-censored rows follow the same rule. A pair counts the product of its two weights,
    and one half if the predictions are equal. Times and predictions are compared without tolerance.

    In a target with an ``entry`` field a row takes part from then on: it makes no pair with events
    that happened before.

    Which pairs can be compared depends on the censoring, so that values of data sets with different
    censoring cannot be compared. The cost is O(n log n) in time and O(n) in memory.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati. "Evaluating the Yield
       of Medical Tests." JAMA 247(18), 1982. :doi:`10.1001/jama.1982.03320430047030`

    Examples
    --------
    The event at 2 came before the two others; 6 is right, 1 is wrong. The row censored at 5 came
    before none:

    >>> from sklearn_ordinal_censored.metrics import concordance_index
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 0, 1], time=[2, 5, 7])
    >>> concordance_index(y_true, [3, 6, 1])
    0.5
    >>> concordance_index(y_true, [-3, -6, -1], prediction="risk")
    0.5
    """
    strict_times = check_flag("strict_times", strict_times)
    scored = read_scored(y_true, y_pred, prediction, strata, sample_weight)
    pairs = sum_pairs(scored, strict_times)
    own = scored.own_weight(pairs.rows)
    return _ratio(pairs, own, "concordance_index", no_pair(scored.target), replace_undefined_by)


def concordance_index_ipcw(
    y_true: Any,
    y_pred: ArrayLike,
    *,
    prediction: str = "time",
    censoring: Any = None,
    tau: float | None = None,
    strata: Any = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Concordance weighted by the inverse probability of censoring (Uno's C).

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        A structured array or data frame with an event and a time, or with bounds; or an array of
        bounds of shape (n_samples, 2).
    y_pred : array-like of shape (n_samples,)
        Finite predictions.
    prediction : {"time", "risk"}, default="time"
        Whether a larger prediction means a later or an earlier event. Nothing is flipped by itself:
        read the wrong way round the value is 1 minus the right one, so that one far below 0.5
        suggests the other direction.
    censoring : None, censored target or fitted reverse KaplanMeier, default=None
        Where the censoring distribution comes from: the scored data themselves, with their weights
        and strata, another data set, or a curve.
    tau : float or None, default=None
        Only events before ``tau`` count. Beyond the time that data can support the weights grow
        without bound; see :func:`~sklearn_ordinal_censored.model_selection.usable_tau`.
    strata : array-like of shape (n_samples,), default=None
        Only rows of the same stratum make pairs.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the metric is 0/0; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    float
        1 for the right order throughout, 0.5 for no relation, 0 for the reverse; higher is better.

    Raises
    ------
    ValueError
        If an input is refused, left- and interval-censored rows among them.

    See Also
    --------
    concordance_index : Without weights for censoring.

    Notes
    -----
    Pairs are those of :func:`concordance_index`; a pair whose earlier row has its event at T counts
    ``1 / G(T-) ** 2``, with the Kaplan-Meier curve G of the censorings just before T, where events
    come before censorings at a tied time [1]_. R's ``concordance(timewt="n/G2")`` does the same;
    its ``ymax`` is ``tau=numpy.nextafter(ymax, inf)``. scikit-survival uses G(T), which differs
    where an event and a censoring share a time.

    G is evaluated only at events that have a pair. Where it is 0 or unknown there, the value is
    undefined, and the message names the largest ``tau`` that can be used.

    References
    ----------
    .. [1] H. Uno, T. Cai, M. J. Pencina, R. B. D'Agostino, L. J. Wei. "On the C-statistics for
       Evaluating Overall Adequacy of Risk Prediction Procedures with Censored Survival Data."
       Statistics in Medicine 30(10), 2011. :doi:`10.1002/sim.4154`

    Examples
    --------
    The event at 1 came before three rows, and the prediction is right for two of them. Before the
    event at 3 one of three rows at risk was censored, so G is 2/3 and its pair, which is right,
    counts 9/4: (2 + 9/4) / (3 + 9/4) = 17/21.

    >>> from sklearn_ordinal_censored.metrics import concordance_index_ipcw
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 0, 1, 1], time=[1, 2, 3, 4])
    >>> concordance_index_ipcw(y_true, [2, 1, 3, 4])
    0.8095238095238095
    """
    scored = read_scored(y_true, y_pred, prediction, strata, sample_weight, parse_right_censored)
    limit = np.inf if tau is None else check_tau(tau)
    pairs = sum_pairs(scored)
    time = scored.target.lower
    used = pairs.has_pair & (time[pairs.rows] < limit)
    pairs = PairSums(*(part[used] for part in pairs))
    survival = censoring_survival(censoring, scored.target, scored.weight, scored.stratum)
    survival = survival[pairs.rows]
    own = scored.own_weight(pairs.rows)
    first = first_unusable(survival, time[pairs.rows])
    if first is None:
        reason, factor = no_pair(scored.target, tau), own / survival**2
    else:
        reason = f"the censoring curve is 0 or unknown before time {first}; use tau={first}"
        factor = np.full(len(survival), np.nan)
    return _ratio(pairs, factor, "concordance_index_ipcw", reason, replace_undefined_by)


def _ratio(pairs: PairSums, factor: Any, metric: str, reason: str, replacement: float) -> float:
    return float(replace_undefined(pairs.concordance(factor), metric, reason, replacement))


def no_pair(target: CensoredTarget, tau: float | None = None) -> str:
    """Tell which rows make no pair.

    Parameters
    ----------
    target : CensoredTarget
        Rows.
    tau : float or None
        Limit of the events.

    Returns
    -------
    str
        Part of a message.

    Examples
    --------
    >>> no_pair(CensoredTarget(np.array([2.0]), np.array([2.0])))
    'there is no comparable pair among 1 rows, 1 of them with an event, with times from 2.0 to 2.0'
    """
    times = target.lower[np.isfinite(target.lower)]
    span = f", with times from {times.min()} to {times.max()}" if times.size else ""
    before = "" if tau is None else f" before tau={tau}"
    return (
        f"there is no comparable pair{before} among {len(target.lower)} rows, "
        f"{int(target.has_event.sum())} of them with an event{span}"
    )


def check_tau(tau: Any) -> float:
    """Return the time before which events count.

    Parameters
    ----------
    tau : float
        A number; infinity is no limit.

    Returns
    -------
    float
        The same.

    Examples
    --------
    >>> check_tau(5)
    5.0
    """
    limit = as_float(tau)
    if not limit > -np.inf:
        raise ValueError(f"tau={tau!r} must be a number, a time, or None for no limit.")
    return limit
