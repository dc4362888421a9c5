"""How far one row moves a score that is weighted by an estimated censoring curve.

A row moves such a score in two ways: by what it contributes itself, and through the censoring
curve, by which the contributions of all rows are divided. Both are derivatives with respect to the
weight of the row; the sum of their squares, each times the squared weight, is the variance of the
score by the infinitesimal jackknife.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sklearn_ordinal_censored._kernels.product_limit import product_limit
from sklearn_ordinal_censored._kernels.ranks import dense_rank
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray

_ROUNDING = 1e-12  # of the largest term


class CensoringRisk(NamedTuple):
    """What the censoring curve of some rows is made of.

    Attributes
    ----------
    times : ndarray of shape (n_distinct,)
        Distinct times of the rows, ascending.
    place : ndarray of shape (n_samples,)
        Place of each row's time among them.
    is_censored : ndarray of shape (n_samples,)
        Whether a row is censored.
    per_head : ndarray of shape (n_distinct,)
        One over the weight at risk of a censoring at each time.
    step : ndarray of shape (n_distinct,)
        Change of minus the logarithm of the curve at each time, per weight that is at risk of a
        censoring then and escapes it; 0 where nobody escapes.

    Examples
    --------
    >>> risk = censoring_risk(np.array([1.0, 2.0]), np.array([False, True]), np.ones(2))
    >>> risk.step
    array([0.5, 0. ])
    """

    times: FloatArray
    place: IntArray
    is_censored: AnyArray
    per_head: FloatArray
    step: FloatArray


def censoring_risk(time: FloatArray, event: AnyArray, weight: FloatArray) -> CensoringRisk:
    """Return what the censoring curve of some rows is made of.

    Parameters
    ----------
    time : ndarray of shape (n_samples,)
        Times.
    event : ndarray of shape (n_samples,)
        Whether each time is an event; else it is a censoring, which comes after an event at a tied
        time.
    weight : ndarray of shape (n_samples,)
        Row weights.

    Returns
    -------
    CensoringRisk
        Risk sets.

    Examples
    --------
    >>> risk = censoring_risk(np.array([1.0, 2.0]), np.array([False, True]), np.ones(2))
    >>> risk.per_head
    array([0.5, 0. ])
    """
    curve = product_limit(time, event, weight, reverse=True)
    place = dense_rank(time)
    jumps = np.bincount(place, weights=weight * ~event)
    stay = curve.at_risk - jumps
    step, per_head = np.zeros((2, len(curve.times)))
    np.divide(1.0, curve.at_risk, out=per_head, where=curve.at_risk > 0)
    np.divide(jumps * per_head, stay, out=step, where=(jumps > 0) & (stay > 0))
    return CensoringRisk(curve.times, place, ~event, per_head, step)


def through_the_curve(
    risk: CensoringRisk, case: FloatArray, control: float, instant: float
) -> FloatArray:
    """Return the derivative of a sum over 1/G with respect to each row's weight, by way of G.

    Parameters
    ----------
    risk : CensoringRisk
        The rows behind the curve G.
    case : ndarray of shape (n_samples,)
        Term of each row in the sum that is divided by G before its time.
    control : float
        Sum of the terms that are divided by G at the instant.
    instant : float
        A time; terms of rows with later times are 0.

    Returns
    -------
    ndarray of shape (n_samples,)
        Derivatives.

    Notes
    -----
    A row's weight is in the risk set of every censoring before its own time, which makes G larger
    there, and in the number of censorings at it, which makes G smaller.

    Examples
    --------
    Weights w of a censoring at 1 and an event at 2: G is ``w_2 / (w_1 + w_2)`` before 2, and one
    over it has the derivatives 1 and -1 where both are 1.

    >>> risk = censoring_risk(np.array([1.0, 2.0]), np.array([False, True]), np.ones(2))
    >>> through_the_curve(risk, np.array([0.0, 2.0]), 0.0, 3.0)
    array([ 1., -1.])
    """
    by_place = np.bincount(risk.place, weights=case)
    later = np.append(np.cumsum(by_place[:0:-1])[::-1], 0.0)
    depends = later + control * (risk.times <= instant)
    lost = np.append(0.0, np.cumsum(depends * risk.step)[:-1])
    own = np.where(risk.is_censored, (depends * risk.per_head)[risk.place], 0.0)
    return np.asarray(own - lost[risk.place])


def brier_errors(
    curves: FloatArray,
    times: FloatArray,
    time: FloatArray,
    weight: FloatArray,
    case_factor: FloatArray,
    risk: CensoringRisk | None,
    control_factor: FloatArray,
) -> FloatArray:
    """Return the standard error of a Brier score at each time.

    Parameters
    ----------
    curves, times, time, weight, case_factor : ndarray
        As in :func:`~sklearn_ordinal_censored._kernels.brier.weighted_squared_errors`.
    risk : CensoringRisk or None
        Where the rows' own censorings have made the factors; None for factors from elsewhere.
    control_factor : ndarray of shape (n_times,)
        As ``case_factor``.

    Returns
    -------
    ndarray of shape (n_times,)
        Standard errors.

    Examples
    --------
    Squared errors 0.04 and 0.16, without censoring:

    >>> one, time = np.ones(2), np.array([1.0, 3.0])
    >>> curves = np.array([[0.2], [0.6]])
    >>> brier_errors(curves, np.array([2.0]), time, one, one, None, np.ones(1)).round(6)
    array([0.042426])
    """
    errors = np.empty(len(times))
    for column, instant in enumerate(times):
        is_later = time > instant
        factor = np.where(is_later, control_factor[column], case_factor)
        terms = factor * (curves[:, column] - is_later) ** 2
        moves = terms - np.average(terms, weights=weight)
        if risk is not None:
            summands = weight * terms
            cases = np.where(is_later, 0.0, summands)
            moves += through_the_curve(risk, cases, summands[is_later].sum(), instant)
        errors[column] = _root_of_squares(weight * moves, (weight * terms).max()) / weight.sum()
    return errors


def auc_errors(
    pred: FloatArray,
    times: FloatArray,
    time: FloatArray,
    weight: FloatArray,
    case_factor: FloatArray,
    risk: CensoringRisk | None,
    sign: float = 1.0,
) -> FloatArray:
    """Return the standard error of the area under a time-dependent ROC curve at each time.

    Parameters
    ----------
    pred, times, time, weight, case_factor : ndarray
        As in :func:`~sklearn_ordinal_censored._kernels.dynamic_auc.dynamic_auc`.
    risk : CensoringRisk or None
        Where the rows' own censorings have made the factors; None for factors from elsewhere.
    sign : {1.0, -1.0}
        1 where a larger prediction means later, else -1.

    Returns
    -------
    ndarray of shape (n_times,)
        Standard errors, NaN where there is no case or no control.

    Examples
    --------
    Two cases, one on the right side of both controls and one on that of neither:

    >>> one, time = np.ones(4), np.array([1.0, 1.0, 3.0, 3.0])
    >>> pred = np.array([0.2, 0.9, 0.5, 0.6])
    >>> auc_errors(pred, np.array([2.0]), time, one, one, None).round(6)
    array([0.353553])
    """
    errors = np.empty(len(times))
    rank = dense_rank(sign * pred) if pred.ndim == 1 else None
    for column, instant in enumerate(times):
        level = dense_rank(sign * pred[:, column]) if rank is None else rank
        is_later = time > instant
        case = np.where(is_later, 0.0, weight * case_factor)
        control = np.where(is_later, weight, 0.0)
        moves, cases, largest = _auc_moves(level, case, control)
        if risk is not None:
            moves += weight * through_the_curve(risk, cases, 0.0, instant)
        errors[column] = _root_of_squares(moves, largest)
    return errors


def _auc_moves(
    level: IntArray, case: FloatArray, control: FloatArray
) -> tuple[AnyArray, AnyArray, float]:
    """Return each row's move of the area by what it is itself, that of the cases, and a bound."""
    cases, controls = np.bincount(level, case), np.bincount(level, control)
    n_cases, n_controls = cases.sum(), controls.sum()
    if n_cases == 0 or n_controls == 0:
        return np.full(len(level), np.nan), np.zeros(len(level)), np.nan
    # Shares of controls with a later, and of cases with an earlier prediction, ties as halves.
    behind = (np.cumsum(controls[::-1])[::-1] - controls / 2) / n_controls
    ahead = (np.cumsum(cases) - cases / 2) / n_cases
    area = (cases * behind).sum() / n_cases
    of_case = case * (behind[level] - area) / n_cases
    moves = of_case + control * (ahead[level] - area) / n_controls
    return moves, of_case, max(case.max() / n_cases, control.max() / n_controls)


def _root_of_squares(moves: AnyArray, largest: float) -> Any:
    """Return the root of the sum of squares, exactly 0 where nothing but rounding moves."""
    moves = np.where(np.abs(moves) <= _ROUNDING * largest, 0.0, moves)
    return np.sqrt((moves**2).sum())
