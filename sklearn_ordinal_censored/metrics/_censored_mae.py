"""Absolute errors of predicted times when some of the true times are censored."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.product_limit import StepCurve, product_limit
from sklearn_ordinal_censored._kernels.restricted_mean import conditional_means, pseudo_means
from sklearn_ordinal_censored._typing import CensoredTarget, FloatArray
from sklearn_ordinal_censored.metrics._ipcw import censoring_survival, first_unusable
from sklearn_ordinal_censored.metrics._predicted_times import PredictedTimes, read_predicted_times
from sklearn_ordinal_censored.targets._censored import (
    parse_censored,
    parse_right_censored,
    refuse_entry,
)
from sklearn_ordinal_censored.targets._inputs import check_option
from sklearn_ordinal_censored.targets._undefined import replace_undefined
from sklearn_ordinal_censored.targets._weights import average


def censored_mae(
    y_true: Any,
    y_pred: ArrayLike,
    *,
    method: str = "hinge",
    normalize: str = "hajek",
    censoring: Any = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Mean absolute error of predicted times that makes use of censored rows.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring for ``method="hinge"``, exact and right-censored rows for the others.
    y_pred : array-like of shape (n_samples,)
        Predicted times, finite.
    method : {"hinge", "ipcw", "margin", "pseudo"}, default="hinge"
        What a censored row stands for: the interval that its time lies in; the later events, which
        count more in its place; the mean time of those who outlived it; a pseudo-observation. See
        the notes.
    normalize : {"hajek", "horvitz_thompson"}, default="hajek"
        For ``method="ipcw"``: divide by the sum of the weights used, or by the sum of
        ``sample_weight`` over all rows.
    censoring : None, censored target or fitted reverse KaplanMeier, default=None
        For ``method="ipcw"``: where the censoring distribution comes from, which is the scored data
        themselves with their weights, another data set, or a curve.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the metric is 0/0; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    float
        In the unit of time; lower is better.

    Raises
    ------
    ValueError
        If an input is refused, left- and interval-censored rows among them where the method cannot
        read them; the message holds their numbers.

    See Also
    --------
    observed_mae : Leaves censored rows out.
    censored_quantile_loss : The same as ``"hinge"`` for other quantiles than the median.
    concordance_index : Reads the order of the times only.

    Notes
    -----
    With T the time of a row, p its prediction and S the Kaplan-Meier curve of the scored rows, cut
    off at their last time, where the curve ends:

    * ``"hinge"``: the distance of p from the interval that holds T. Late times are the ones that
      are censored, and then being early costs less than it should: predictions that are too early
      look best. Of exponential times with a mean of 1 and a hazard c of censoring the best constant
      is ``log(2 + c) / (1 + c)``, the median log 2 only for c = 0.
    * ``"ipcw"``: ``|T - p| / G(T-)`` of the events, where G is the curve of the censorings; at a
      tied time the events come first. The censoring must be independent of T and p.
    * ``"margin"``: a row censored at c has the target ``c + (area of S after c) / S(c)``, the mean
      time of those who outlived c [1]_.
    * ``"pseudo"``: it has the target ``n m - (n - 1) m_out``, with the restricted mean m of all n
      rows and that without the row [2]_. The weight left out is one, or the row's own if that is
      less. The cost is O(n log n), and O(n) more for every distinct weight below one.

    In the last two an event counts ``|T - p|`` with weight 1 and a censored row has the weight
    ``1 - S(c)`` of the same paper: the earlier the censoring, the less is known. These multiply the
    ``sample_weight``, and the sum is divided by the sum of the products. The papers take S from the
    training data and go on with it past the last time, so that their values differ somewhat. Their
    targets are alike for all rows censored at one time, whatever is known of the rows otherwise,
    so that neither tends to the error that one would see without censoring; ``"ipcw"`` does.

    Delayed entries are taken into account by ``"margin"``, refused by ``"ipcw"`` and ``"pseudo"``,
    and of no account to ``"hinge"``.

    References
    ----------
    .. [1] H. Haider, B. Hoehn, S. Davis, R. Greiner. "Effective Ways to Build and Evaluate
       Individual Survival Distributions." Journal of Machine Learning Research 21(85), 2020.
       :doi:`10.48550/arXiv.1811.11347`
    .. [2] S. Qi, N. Kumar, M. Farrokh, W. Sun, L. Kuan, R. Ranganath, R. Henao, R. Greiner. "An
       Effective Meaningful Way to Evaluate Survival Models." Proceedings of Machine Learning
       Research 202 (ICML), 2023. :doi:`10.48550/arXiv.2306.01196`

    Examples
    --------
    The event at 1 is missed by 1, the censoring at 2 is in order, the one at 4 is missed by 1:

    >>> from sklearn_ordinal_censored.metrics import censored_mae
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 0, 1, 0], time=[1, 2, 3, 4])
    >>> y_pred = [2, 3, 3, 3]
    >>> censored_mae(y_true, y_pred)
    0.5

    Of the three rows at risk after 1 one was censored before 3, so the events count 1 and 3/2:

    >>> censored_mae(y_true, y_pred, method="ipcw")
    0.4
    >>> censored_mae(y_true, y_pred, method="ipcw", normalize="horvitz_thompson")
    0.25
    """
    check_mae_options(method, normalize, censoring)
    parse = parse_censored if method == "hinge" else parse_right_censored
    rows = read_predicted_times(y_true, y_pred, sample_weight, parse)
    _refuse_entry(method, rows.target)
    time, factor = _METHODS[method](rows, censoring)
    weight = rows.weight * factor
    value = np.nan
    if weight.any():
        value = average(np.abs(time - rows.time), weight)
        if normalize == "horvitz_thompson":
            value *= weight.sum() / rows.weight.sum()
    reason = _why_undefined(rows.target, factor)
    return float(replace_undefined(value, "censored_mae", reason, replace_undefined_by))


def check_mae_options(
    method: Any = "hinge", normalize: Any = "hajek", censoring: Any = None
) -> None:
    """Refuse options that are unknown, or that the method does not read.

    Parameters
    ----------
    method, normalize, censoring : object
        What the caller gave.

    Examples
    --------
    >>> check_mae_options("margin", "horvitz_thompson")
    Traceback (most recent call last):
    ValueError: normalize is for method='ipcw'; method='margin' does not read it.
    """
    check_option("method", method, tuple(_METHODS))
    check_option("normalize", normalize, ("hajek", "horvitz_thompson"))
    unread = {"normalize": normalize != "hajek", "censoring": censoring is not None}
    for name, is_given in unread.items():
        if is_given and method != "ipcw":
            raise ValueError(f"{name} is for method='ipcw'; method={method!r} does not read it.")


def _refuse_entry(method: str, target: CensoredTarget) -> None:
    if method in ("ipcw", "pseudo"):
        why = f"method={method!r} needs rows that are under observation from the start"
        refuse_entry("y_true", target, f"{why}; use method='margin'")


# A method gives every row a time to be compared with its prediction, and a factor of its weight.


def _nearest(rows: PredictedTimes, _censoring: Any) -> tuple[FloatArray, FloatArray]:
    nearest = np.clip(rows.time, rows.target.lower, rows.target.upper)
    return nearest, np.ones(len(nearest))


def _observed(rows: PredictedTimes, censoring: Any) -> tuple[FloatArray, FloatArray]:
    survival = censoring_survival(censoring, rows.target, rows.weight)
    survival = np.where(survival > 0, survival, np.nan)
    return rows.target.lower, np.where(rows.target.is_exact, 1 / survival, 0.0)


def _margin(rows: PredictedTimes, _censoring: Any) -> tuple[FloatArray, FloatArray]:
    time, exact = rows.target.lower, rows.target.is_exact
    curve = product_limit(time, exact, rows.weight, rows.target.entry)
    means = conditional_means(curve)[np.searchsorted(curve.times, time)]
    return _in_place_of_censored(rows.target, curve, means)


def _pseudo(rows: PredictedTimes, _censoring: Any) -> tuple[FloatArray, FloatArray]:
    time, exact = rows.target.lower, rows.target.is_exact
    curve = product_limit(time, exact, rows.weight)
    place = np.searchsorted(curve.times, time)
    # Of a row that hardly counts no whole unit can be left out; the others keep theirs.
    units, number = np.unique(np.minimum(1.0, rows.weight), return_inverse=True)
    means = np.empty(len(time))
    for k in np.unique(number[~exact]):
        chosen = number == k
        means[chosen] = pseudo_means(curve, time, exact, rows.weight, units[k])[place[chosen]]
    return _in_place_of_censored(rows.target, curve, means)


def _in_place_of_censored(
    target: CensoredTarget, curve: StepCurve, means: FloatArray
) -> tuple[FloatArray, FloatArray]:
    place = np.searchsorted(curve.times, target.lower)
    factor = np.where(target.is_exact, 1.0, 1 - curve.survival[place])
    return np.where(target.is_exact, target.lower, means), factor


_METHODS = {"hinge": _nearest, "ipcw": _observed, "margin": _margin, "pseudo": _pseudo}


def _why_undefined(target: CensoredTarget, factor: FloatArray) -> str:
    if not target.is_exact.any():
        return f"none of the {len(factor)} rows has a known time"
    first = first_unusable(np.nan_to_num(factor) + ~target.is_exact, target.lower)
    if first is not None:
        usable = target.lower[target.is_exact & np.isfinite(factor)]
        last = f", and gives weights to events up to {usable.max()}" if usable.size else ""
        return (
            f"the censoring curve is 0 or unknown before time {first}{last}; give a `censoring` "
            "that reaches further"
        )
    if target.entry is not None:
        return "with these entries the survival curve is 0 before a censoring"
    return "the weight of a late censoring is lost beside that of the other rows"
