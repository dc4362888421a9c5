"""The censoring curve behind inverse-probability-of-censoring weights, and where it comes from."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from sklearn_ordinal_censored._typing import CensoredTarget, FloatArray, IntArray
from sklearn_ordinal_censored.nonparametric._kaplan_meier import KaplanMeier
from sklearn_ordinal_censored.targets._censored import parse_right_censored, refuse_entry


def read_censoring(censoring: Any) -> KaplanMeier | None:
    """Return the reverse Kaplan-Meier curve that the caller gave, fitted where data were given.

    Parameters
    ----------
    censoring : None, censored target or fitted reverse KaplanMeier
        Reference for the censoring distribution; None stands for the scored data.

    Returns
    -------
    KaplanMeier or None
        The curve; None for None.

    Examples
    --------
    >>> read_censoring(KaplanMeier())
    Traceback (most recent call last):
    ValueError: censoring is a KaplanMeier curve of events; it must be KaplanMeier(reverse=True)...
    """
    if censoring is None:
        return None
    if isinstance(censoring, (str, type, Real)):
        raise ValueError(
            f"censoring={censoring!r} is of shape () and carries no censoring information; build a "
            "target with right_censored(event, time) or interval_censored(lower, upper), or give a "
            "fitted KaplanMeier(reverse=True)."
        )
    if not isinstance(censoring, KaplanMeier):
        target = parse_right_censored("censoring", censoring)
        return KaplanMeier(reverse=True)._fit(target, None)
    # The parameter may have been set anew after the fit.
    if not getattr(censoring, "_fitted_reverse", censoring.reverse):
        raise ValueError(
            "censoring is a KaplanMeier curve of events; it must be KaplanMeier(reverse=True)."
        )
    return censoring


def censoring_survival(
    censoring: Any,
    target: CensoredTarget,
    weight: FloatArray | None = None,
    stratum: IntArray | None = None,
) -> FloatArray:
    """Return the probability of not being censored before each row's own time, ``G(T-)``.

    Parameters
    ----------
    censoring : None, censored target or fitted reverse KaplanMeier
        Reference; None stands for the rows themselves, with their weights, stratum by stratum.
    target : CensoredTarget
        Exact and right-censored rows.
    weight : ndarray of shape (n_samples,) or None
        Row weights.
    stratum : ndarray of shape (n_samples,) or None
        Number of each row's stratum.

    Returns
    -------
    ndarray of shape (n_samples,)
        Probabilities; NaN past the end of a reference whose curve is unknown there.

    Examples
    --------
    >>> import numpy as np
    >>> target = parse_right_censored("y", np.array([[1, 1], [2, np.inf], [3, 3]]))
    >>> censoring_survival(None, target)
    array([1. , 1. , 0.5])
    """
    curve = read_censoring(censoring)
    if curve is not None:
        return curve.predict(target.lower, left_limit=True)
    stratum = np.zeros(len(target.lower), dtype=np.intp) if stratum is None else stratum
    survival = np.empty(len(target.lower))
    order = np.argsort(stratum, kind="stable")
    bounds = np.flatnonzero(np.diff(stratum[order])) + 1
    for rows in np.split(order, bounds):
        part = None if weight is None else weight[rows]
        curve = KaplanMeier(reverse=True)._fit(target.take(rows), part)
        survival[rows] = curve.predict(target.lower[rows], left_limit=True)
    return survival


def first_unusable(survival: FloatArray, times: FloatArray) -> float | None:
    """Return the earliest time whose weight is undefined, or None.

    Parameters
    ----------
    survival : ndarray of shape (n_times,)
        ``G(T-)``.
    times : ndarray of shape (n_times,)
        The times that need a weight.

    Returns
    -------
    float or None
        Events before it have weights.

    Examples
    --------
    >>> first_unusable(np.array([0.5, 0.0]), np.array([3.0, 7.0]))
    7.0
    """
    unusable = ~(survival > 0)
    return float(times[unusable].min()) if unusable.any() else None


def censoring_curve(
    censoring: Any, target: CensoredTarget, weight: FloatArray | None = None
) -> KaplanMeier:
    """Return the censoring curve of the reference, or else of the rows themselves.

    Parameters
    ----------
    censoring : None, censored target or fitted reverse KaplanMeier
        Reference; None stands for the rows themselves, with their weights.
    target : CensoredTarget
        Exact and right-censored rows.
    weight : ndarray of shape (n_samples,) or None
        Row weights.

    Returns
    -------
    KaplanMeier
        The fitted reverse curve.

    Examples
    --------
    >>> import numpy as np
    >>> target = parse_right_censored("y", np.array([[1, 1], [2, np.inf], [3, 3]]))
    >>> censoring_curve(None, target).predict([1, 2])
    array([1. , 0.5])
    """
    curve = read_censoring(censoring)
    return KaplanMeier(reverse=True)._fit(target, weight) if curve is None else curve


def inverse_survival(
    curve: KaplanMeier, times: FloatArray, *, left_limit: bool = False
) -> FloatArray:
    """Return one over a censoring curve.

    Parameters
    ----------
    curve : KaplanMeier
        Fitted reverse curve.
    times : ndarray of shape (n_times,)
        Times, in any order.
    left_limit : bool, default=False
        Whether to take the curve just before each time.

    Returns
    -------
    ndarray of shape (n_times,)
        Factors, at least 1; NaN where the curve is 0 or unknown.

    Examples
    --------
    >>> import numpy as np
    >>> curve = KaplanMeier(reverse=True).fit(np.array([[1, np.inf], [2, np.inf]]))
    >>> inverse_survival(curve, np.array([1.0, 2.0, 3.0]))
    array([ 2., nan, nan])
    """
    survival = curve.predict(times, left_limit=left_limit)
    factor = np.full(len(times), np.nan)
    np.divide(1.0, survival, out=factor, where=survival > 0)
    return factor


def case_factors(curve: KaplanMeier, target: CensoredTarget) -> FloatArray:
    """Return what each row counts once its event has happened.

    Parameters
    ----------
    curve : KaplanMeier
        Fitted reverse curve.
    target : CensoredTarget
        Exact and right-censored rows.

    Returns
    -------
    ndarray of shape (n_samples,)
        ``1 / G(T-)`` for an event, NaN where that is undefined; 0 for a censored row.

    Examples
    --------
    >>> import numpy as np
    >>> target = parse_right_censored("y", np.array([[1, np.inf], [2, 2]]))
    >>> case_factors(censoring_curve(None, target), target)
    array([0., 2.])
    """
    factor = np.zeros(len(target.lower))
    event = target.is_exact
    factor[event] = inverse_survival(curve, target.lower[event], left_limit=True)
    return factor


def usable_span(curve: KaplanMeier) -> str:
    """Tell up to when a censoring curve gives weights.

    Parameters
    ----------
    curve : KaplanMeier
        Fitted reverse curve, 0 or unknown somewhere.

    Returns
    -------
    str
        Part of a message.

    Examples
    --------
    >>> import numpy as np
    >>> usable_span(KaplanMeier(reverse=True).fit(np.array([[4, np.inf], [2, 2]])))
    'before time 4.0'
    >>> usable_span(KaplanMeier(reverse=True).fit(np.array([[2, np.inf], [4, 4]])))
    'up to time 4.0'
    """
    zero = curve.times_[curve.survival_ == 0]
    return f"before time {zero[0]}" if zero.size else f"up to time {curve.times_[-1]}"


def parse_without_entry(name: str, y: Any) -> CensoredTarget:
    """Read exact and right-censored rows that are all under observation from the start.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    y : censored target of shape (n_samples,)
        A field ``entry`` is refused.

    Returns
    -------
    CensoredTarget
        Bounds.

    Examples
    --------
    >>> import pandas as pd
    >>> parse_without_entry("y", pd.DataFrame({"event": [1], "time": [5.0], "entry": [2.0]}))
    Traceback (most recent call last):
    ValueError: y has a field 'entry', but weights by the censoring curve need rows that are under
    observation from the start...
    """
    target = parse_right_censored(name, y)
    why = (
        "weights by the censoring curve need rows that are under observation from the start; "
        "concordance_index and antolini_concordance_index take late entries"
    )
    refuse_entry(name, target, why)
    return target
