"""Concordance of predicted survival curves, each pair compared at the time of its event."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.curve_pairs import split_later_rows
from sklearn_ordinal_censored._typing import FloatArray, IntArray
from sklearn_ordinal_censored.metrics._comparable import PairSums
from sklearn_ordinal_censored.metrics._concordance import no_pair
from sklearn_ordinal_censored.metrics._scored_curves import ScoredCurves, read_scored_curves
from sklearn_ordinal_censored.targets._undefined import replace_undefined


def antolini_concordance_index(
    y_true: Any,
    y_proba: Any,
    *,
    times: ArrayLike,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Share of comparable pairs whose predicted survival is in the right order at the event.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Exact and right-censored rows, perhaps with late entries; others are refused.
    y_proba : array-like of shape (n_samples, n_times)
        ``y_proba[:, k]`` is the predicted ``P(T > times[k])``. Also a data frame whose columns or
        index are ``times``, or one step function a row.
    times : array-like of shape (n_times,)
        The times, in any order; best those of the events.
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

    Warns
    -----
    UserWarning
        If rows of ``y_proba`` increase with time.

    See Also
    --------
    concordance_index : For one prediction a row.

    Notes
    -----
    Pairs are those of :func:`concordance_index`. A pair whose earlier row i has its event at T is
    in the right order if ``S(T | x_i) < S(T | x_j)``, and counts one half if the two are equal
    [1]_. For curves that do not cross it is the concordance of any one of their columns.

    The curves are read as step functions: at T the column of the last of the ``times`` up to T, and
    before the first time its column, as in ``pycox`` and in the step functions of scikit-survival.
    With few ``times`` rows are compared at the wrong moment.

    The cost is O(n_events n_samples) in time and O(n_samples) in memory besides the curves.

    References
    ----------
    .. [1] L. Antolini, P. Boracchi, E. Biganzoli. "A Time-Dependent Discrimination Index for
       Survival Data." Statistics in Medicine 24(24), 2005. :doi:`10.1002/sim.2427`

    Examples
    --------
    At 1 the first row has the lowest curve, as it should be against both others. At 2 the curve of
    the second row is above that of the third: two of three pairs are right.

    >>> from sklearn_ordinal_censored.metrics import antolini_concordance_index
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 1, 0], time=[1, 2, 3])
    >>> y_proba = [[0.6, 0.5], [0.7, 0.6], [0.9, 0.3]]
    >>> antolini_concordance_index(y_true, y_proba, times=[1, 2])
    0.6666666666666666
    """
    scored = read_scored_curves(y_true, y_proba, times, sample_weight)
    value, reason = curve_concordance(scored), no_pair(scored.target)
    metric = "antolini_concordance_index"
    return float(replace_undefined(value, metric, reason, replace_undefined_by))


def curve_concordance(scored: ScoredCurves) -> float:
    """Return the share of comparable pairs whose curves are in the right order.

    Parameters
    ----------
    scored : ScoredCurves
        Rows and curves.

    Returns
    -------
    float
        NaN without a comparable pair.

    Examples
    --------
    >>> curve_concordance(read_scored_curves([[2, 2], [3, 3]], [[0.9], [0.8]], [1]))
    0.0
    """
    target = scored.target
    weight = None if scored.weight is None else scored.own_weight
    column = _column_at(scored.times, target.lower)
    rows = np.flatnonzero(target.is_exact)
    later = split_later_rows(
        scored.curves, column, target.lower, target.is_exact, weight, target.entry
    )
    higher, lower, equal = later
    pairs = PairSums(rows, higher + lower + equal > 0, higher, lower, equal)
    return pairs.concordance(1 if weight is None else weight[rows])


def _column_at(times: FloatArray, at: FloatArray) -> IntArray:
    """Return the column of the last time up to each moment, and before all times the first."""
    order = np.argsort(times, kind="stable")
    place = np.searchsorted(times[order], at, side="right") - 1
    return order[np.maximum(place, 0)]
