"""The censoring curve behind inverse-probability-of-censoring weights, and where it comes from."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_ordinal_censored._typing import CensoredTarget, FloatArray, IntArray
from sklearn_ordinal_censored.nonparametric._kaplan_meier import KaplanMeier
from sklearn_ordinal_censored.targets._censored import parse_right_censored


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
