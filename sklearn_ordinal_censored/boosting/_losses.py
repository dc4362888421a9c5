"""Differentiable losses of class probabilities: value, gradient, and a positive Hessian diagonal.

Booster libraries take Newton steps and need a positive second derivative. The losses here are not
convex, so what they return in its place is the diagonal of an upper bound of the Hessian.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import log_softmax, softmax

from sklearn_ordinal_censored._kernels.confusion import expected_disagreement
from sklearn_ordinal_censored._typing import FloatArray, IntArray

_FLOOR = 1e-12  # of second derivatives: far above rounding, far below any row that is not certain
_SHARE = 0.2  # of the bound of the soft kappa's: libraries shrink their steps themselves


class Derivatives(NamedTuple):
    """A loss, and its derivatives by the raw scores.

    Attributes
    ----------
    value : float
        Sum over the rows.
    gradient : ndarray of shape (n_samples, n_classes)
        First derivatives.
    hessian : ndarray of shape (n_samples, n_classes)
        Positive stand-ins for the second derivatives.

    Examples
    --------
    >>> Derivatives(1.0, np.zeros((1, 2)), np.ones((1, 2))).value
    1.0
    """

    value: float
    gradient: FloatArray
    hessian: FloatArray

    def of_one_score(self) -> Derivatives:
        """Return the derivatives by the second of two raw scores, of which the first is fixed.

        Returns
        -------
        Derivatives
            With arrays of shape (n_samples,). The bound of two scores that move apart allows
            for twice the curvature of one that moves alone.
        """
        return Derivatives(self.value, self.gradient[:, 1], self.hessian[:, 1] / 2)


def soft_kappa_loss(
    scores: FloatArray, codes: IntArray, weight: FloatArray, disagreement: FloatArray
) -> Derivatives:
    """Return one minus the soft weighted kappa, times the sum of the weights.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_classes)
        Raw scores; probabilities are their softmax.
    codes : ndarray of shape (n_samples,)
        True ranks, two different ones at least.
    weight : ndarray of shape (n_samples,)
        Row weights.
    disagreement : ndarray of shape (n_classes, n_classes)
        Rows are true ranks.

    Returns
    -------
    Derivatives
        The loss.

    Notes
    -----
    With ``N = sum w p_k W[y, k]``, ``D = sum w p_k e_k`` and ``e_k`` the mean disagreement of
    grade ``k`` with the truth, the loss is ``sum(w) N / D``. Its derivative by ``p_k`` is ``w g_k``
    with ``g_k = sum(w) / D * (W[y, k] - N / D * e_k)``, by the raw score
    ``w p_k (g_k - sum_l p_l g_l)``.

    The second derivative is bounded as follows. Where ``N - r D`` falls below 0, for ``r`` the
    present ratio, ``N / D`` falls below ``r`` (Dinkelbach), and ``N - r D`` is a sum over rows of
    ``w sum_k p_k g_k``. The Hessian of a row along ``v`` is
    ``w sum_k p_k (g_k - mean g) (v_k - mean v)^2`` (means under ``p``), which is at most the range
    of ``g`` times the variance of ``v``. That variance is the Hessian of the log loss, of which
    ``2 p_k (1 - p_k)`` is the customary bound. So ``2 w p_k (1 - p_k) (max g - min g)`` bounds that
    of a row here.

    A step by this bound moves no score by more than 1/2, and a library takes a tenth of it or so.
    The stand-in is therefore a fifth of the bound; its steps, multiplied by a learning rate of 0.17
    or less, still lower the loss of the training rows: within a step of ``c`` times the bound's the
    bound itself grows by ``exp(c)`` at most, and ``c exp(c) < 2`` for ``c = 0.17 / 0.2``.

    Examples
    --------
    Nothing is known yet, so that the agreement is that of chance:

    >>> loss = soft_kappa_loss(np.zeros((2, 2)), np.array([0, 1]), np.ones(2), 1 - np.eye(2))
    >>> loss.value
    2.0
    >>> loss.gradient
    array([[-0.5,  0.5],
           [ 0.5, -0.5]])
    """
    proba = softmax(scores, axis=1)
    margin = margin_of(codes, weight, len(disagreement))
    observed, expected = disagreement[codes], expected_disagreement(margin, disagreement)
    total, denominator = weight.sum(), float(weight @ (proba @ expected))
    ratio = float(weight @ (observed * proba).sum(axis=1)) / denominator
    slope = (observed - ratio * expected) * (total / denominator)
    mean = (proba * slope).sum(axis=1, keepdims=True)
    scale = _SHARE * weight * np.ptp(slope, axis=1)
    gradient = weight[:, np.newaxis] * proba * (slope - mean)
    return Derivatives(float(total * ratio), gradient, _curvature(proba, scale))


def cost_log_loss(
    scores: FloatArray, codes: IntArray, weight: FloatArray, cost: FloatArray, alpha: float
) -> Derivatives:
    """Return the log loss of rows that weigh more when the most probable grade costs more.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_classes)
        Raw scores; probabilities are their softmax.
    codes : ndarray of shape (n_samples,)
        True ranks.
    weight : ndarray of shape (n_samples,)
        Row weights.
    cost : ndarray of shape (n_classes, n_classes)
        Rows are true ranks.
    alpha : float
        How much the costs count.

    Returns
    -------
    Derivatives
        The loss.

    Notes
    -----
    ``w (1 + alpha W[y, argmax p]) (-log p_y)``. The factor is constant wherever there is a
    derivative; the stand-in for the second one is ``2 p_k (1 - p_k)`` times the factor.

    Examples
    --------
    Two nats of two, and half as much again for an error of the whole price:

    >>> scores = np.array([[0.0, np.log(3)]])
    >>> loss = cost_log_loss(scores, np.array([0]), np.ones(1), 1 - np.eye(2), alpha=0.5)
    >>> bool(np.isclose(loss.value, 1.5 * np.log(4)))
    True
    >>> loss.gradient
    array([[-1.125,  1.125]])
    """
    proba, rows = softmax(scores, axis=1), np.arange(len(codes))
    scale = weight * (1 + alpha * cost[codes, proba.argmax(axis=1)])
    error = proba.copy()
    error[rows, codes] -= 1
    value = float(scale @ -log_softmax(scores, axis=1)[rows, codes])
    return Derivatives(value, scale[:, np.newaxis] * error, _curvature(proba, scale))


def margin_of(codes: IntArray, weight: FloatArray, n_classes: int) -> FloatArray:
    """Return the total weight of every grade.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Ranks.
    weight : ndarray of shape (n_samples,)
        Row weights.
    n_classes : int
        Number of grades.

    Returns
    -------
    ndarray of shape (n_classes,)
        Total weights.

    Examples
    --------
    >>> margin_of(np.array([0, 2, 2]), np.array([1.0, 2.0, 3.0]), 3)
    array([1., 0., 5.])
    """
    return np.bincount(codes, weights=weight, minlength=n_classes).astype(np.float64)


def _curvature(proba: FloatArray, scale: FloatArray) -> FloatArray:
    return np.maximum(2 * scale[:, np.newaxis] * proba * (1 - proba), _FLOOR)
