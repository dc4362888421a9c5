"""How sure a weighted kappa is, and whether two of them differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from sklearn_ordinal_censored._kernels.confusion import confusion_table, kappa_of_table
from sklearn_ordinal_censored._kernels.influence import (
    bootstrap_kappas,
    draw_counts,
    influence_error,
    kappa_influence,
)
from sklearn_ordinal_censored._progress import Progress
from sklearn_ordinal_censored._typing import FloatArray, IntArray, Weights
from sklearn_ordinal_censored.metrics._confusion import read_table
from sklearn_ordinal_censored.metrics._disagreement import NO_DISAGREEMENT, read_disagreement
from sklearn_ordinal_censored.metrics._estimates import (
    IDENTITY,
    Comparison,
    ConfidenceInterval,
    Estimate,
    Link,
    normal_test,
)
from sklearn_ordinal_censored.targets._ordinal import parse_ordinal_columns
from sklearn_ordinal_censored.targets._undefined import replace_undefined, warn_undefined

FISHER = Link(-1.0, 1.0, np.arctanh, np.tanh, lambda value: 1 / (1 - value**2))


@dataclass(frozen=True)
class KappaEstimate(Estimate):
    """A weighted kappa with its standard errors, and a test of agreement by chance alone.

    Attributes
    ----------
    estimate : float
        Weighted kappa.
    standard_error : float
        Its standard error; what intervals are made of.
    null_standard_error : float
        Its standard error if the two sides were independent; what the test is made of.
    statistic : float
        ``estimate / null_standard_error``.
    pvalue : float
        Two-sided p-value of "no more and no less agreement than by chance".

    See Also
    --------
    kappa_inference : The function that returns it.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import kappa_inference
    >>> result = kappa_inference([0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 1])
    >>> [round(end, 2) for end in result.confidence_interval(method="wald")]
    [0.41, 1.09]
    >>> [round(end, 2) for end in result.confidence_interval()]
    [-0.13, 0.97]
    """

    _links: ClassVar[Mapping[str, Link]] = {"wald": IDENTITY, "fisher": FISHER}
    _n_rows: float = field(default=np.inf, repr=False, compare=False, kw_only=True)

    def _quantile(self, level: float, method: str) -> float:
        if method != "fisher" or np.isinf(self._n_rows):
            return super()._quantile(level, method)
        if self._n_rows < 2:
            raise ValueError(
                f"sample_weight sums to {self._n_rows:g}, but weights are numbers of rows, and "
                "method='fisher' needs two at least. Scale the weights, or use method='wald'."
            )
        free = self._n_rows - 1  # the variance of few rows is too small, and itself uncertain
        return float(stdtrit(free, (1 + level) / 2) * np.sqrt(self._n_rows / free))

    def confidence_interval(
        self,
        confidence_level: float = 0.95,
        method: str = "fisher",
        *,
        n_resamples: int = 2000,
        random_state: Any = None,
        verbose: int = 0,
    ) -> ConfidenceInterval:
        """Return an interval that holds the true kappa with about the given probability.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.
        method : {"fisher", "wald", "bootstrap"}, default="fisher"
            ``"fisher"``: on the scale of ``arctanh(kappa)``, so that the ends stay between -1 and
            1, with the variance of n - 1 rows and t quantiles for n rows; with few rows it holds
            the true value more often than ``"wald"``: normal on the scale of kappa, as most
            programs print it, with ends that may lie beyond 1.
            ``"bootstrap"``: quantiles of samples drawn from the rows.
        n_resamples : int, default=2000
            Number of bootstrap samples.
        random_state : int, RandomState instance or None, default=None
            Seed of the bootstrap.
        verbose : int, default=0
            Above 0, the bootstrap prints how far it is.

        Returns
        -------
        ConfidenceInterval
            With ``low`` and ``high``. NaN, with an ``UndefinedMetricWarning``, where the standard
            error is 0 or undefined: if all rows agree, or one side is constant.

        Raises
        ------
        ValueError
            If an option is refused; for ``"fisher"`` also a kappa of -1 or below, which other than
            the usual weights can have; for ``"bootstrap"`` weights that sum to less than one row.
        """
        return super().confidence_interval(
            confidence_level,
            method,
            n_resamples=n_resamples,
            random_state=random_state,
            verbose=verbose,
        )


def kappa_inference(
    y_true: Any,
    y_pred: Any,
    *,
    weights: Weights = "quadratic",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> KappaEstimate:
    """Estimate a weighted kappa with standard error, confidence interval and test.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades, or those of one rater.
    y_pred : array-like of shape (n_samples,)
        Predicted grades, or those of another rater.
    weights : {"linear", "quadratic"}, None, float or array-like, default="quadratic"
        How much a pair of grades disagrees, as for :func:`weighted_kappa`; a matrix need not be
        symmetric.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Numbers of rows: a weight of 2 counts as two equal rows, and the number of rows is the sum
        of the weights. Weights of another kind give standard errors without a meaning.
    replace_undefined_by : float, default=np.nan
        Value of ``estimate`` where kappa is 0/0; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    KappaEstimate
        With ``estimate``, ``standard_error``, ``null_standard_error``, ``statistic``, ``pvalue``
        and the method ``confidence_interval(confidence_level=0.95, method="fisher")``. All but
        ``estimate`` are NaN where kappa is undefined.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    weighted_kappa : The estimate alone.
    compare_kappa : The difference of two kappas on the same rows.
    krippendorff_alpha : More than two raters, and missing ratings.

    Notes
    -----
    The rows are taken for a random sample, each independent of the others. With the shares ``p`` of
    the confusion table, their margins ``r`` and ``c``, the disagreements ``W`` and kappa
    ``1 - O / E``, a row in cell (i, j) has the influence
    ``g[i, j] = -W[i, j] / E + O / E**2 * ((W @ c)[i] + (r @ W)[j])``, and the squared standard
    error is the variance of ``g`` under ``p``, divided by the number of rows. For symmetric weights
    this is the formula of Fleiss, Cohen and Everitt [1]_; it holds for others as well. The null
    standard error is the same with ``outer(r, c)`` for ``p``.

    Where all rows agree the standard error is 0, which says nothing about the true kappa. A
    constant side has a kappa of 0, a statistic of 0 and a p-value of 1: all orders of its rows give
    the same kappa.

    References
    ----------
    .. [1] J. L. Fleiss, J. Cohen, B. S. Everitt. "Large Sample Standard Errors of Kappa and
       Weighted Kappa." Psychological Bulletin 72(5), 1969. :doi:`10.1037/h0028106`

    Examples
    --------
    Both raters say yes in half of 100 cases and agree in 80. Here the squared null standard error
    is 1/100, and the other one (1 - 0.6**2) / 100:

    >>> from sklearn_ordinal_censored.metrics import kappa_inference
    >>> result = kappa_inference(
    ...     [0, 0, 1, 1], [0, 1, 0, 1], sample_weight=[40, 10, 10, 40], weights=None
    ... )
    >>> round(result.estimate, 3), round(result.standard_error, 3)
    (0.6, 0.08)
    >>> round(result.null_standard_error, 3), round(result.statistic, 3)
    (0.1, 6.0)
    >>> low, high = result.confidence_interval()
    >>> round(low, 3), round(high, 3)
    (0.417, 0.736)
    """
    table, scale = read_table(y_true, y_pred, labels, sample_weight)
    disagreement = read_disagreement(scale, weights)
    kappa = kappa_of_table(table, disagreement)
    estimate = float(
        replace_undefined(kappa, "kappa_inference", NO_DISAGREEMENT, replace_undefined_by)
    )
    true, pred = np.nonzero(table)
    resample = partial(_bootstrap, table[true, pred], true, (pred,), disagreement)
    if np.isnan(kappa):
        return KappaEstimate(estimate, np.nan, np.nan, np.nan, np.nan, _resample=resample)
    error = _kappa_error(table, disagreement)
    by_chance = np.outer(table.sum(axis=1), table.sum(axis=0) / table.sum())
    null_error = _kappa_error(by_chance, disagreement)
    return KappaEstimate(
        estimate,
        error,
        null_error,
        *normal_test(kappa, null_error),
        _n_rows=float(table.sum()),
        _resample=resample,
    )


def compare_kappa(
    y_true: Any,
    y_pred_a: Any,
    y_pred_b: Any,
    *,
    weights: Weights = "quadratic",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> Comparison:
    """Estimate the difference of two weighted kappas against the same truth.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades.
    y_pred_a : array-like of shape (n_samples,)
        Grades of one model or rater.
    y_pred_b : array-like of shape (n_samples,)
        Grades of another one, for the same rows.
    weights : {"linear", "quadratic"}, None, float or array-like, default="quadratic"
        How much a pair of grades disagrees, as for :func:`weighted_kappa`.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Numbers of rows: a weight of 2 counts as two equal rows, and the number of rows is the sum
        of the weights.

    Returns
    -------
    Comparison
        With ``difference`` (a minus b), ``standard_error``, ``statistic``, ``pvalue`` and the
        method ``confidence_interval(confidence_level=0.95, method="wald")``; ``"bootstrap"`` is the
        other method. NaN, with an ``UndefinedMetricWarning``, if a kappa is 0/0.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    kappa_inference : One kappa.

    Notes
    -----
    Two models that see the same rows succeed and fail on the same rows to a degree, so that their
    difference is surer than two separate intervals suggest. The influence of every row on the
    difference is that on the first kappa minus that on the second one, as given in
    :func:`kappa_inference`, and the squared standard error is the mean of its square over the
    number of rows: the infinitesimal jackknife [1]_. The bootstrap draws rows, that is the truth
    with both predictions.

    It is the predictions that are compared, for rows like these. How much they would change with
    other training data is another question.

    References
    ----------
    .. [1] B. Efron. "Nonparametric Estimates of Standard Error: The Jackknife, the Bootstrap and
       Other Methods." Biometrika 68(3), 1981. :doi:`10.1093/biomet/68.3.589`

    Examples
    --------
    A perfect model, and one with a kappa of 0.6 and a standard error of 0.08, as in the example of
    :func:`kappa_inference`:

    >>> from sklearn_ordinal_censored.metrics import compare_kappa
    >>> y_true, perfect, other = [0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]
    >>> result = compare_kappa(
    ...     y_true, perfect, other, sample_weight=[40, 10, 10, 40], weights=None
    ... )
    >>> round(result.difference, 3), round(result.standard_error, 3), round(result.statistic, 3)
    (0.4, 0.08, 5.0)
    """
    rows = {"y_true": y_true, "y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    (true, *preds), scale, weight = parse_ordinal_columns(rows, labels, sample_weight)
    disagreement = read_disagreement(scale, weights)
    (true, *preds), count = _kinds([true, *preds], len(scale), weight)
    tables = [confusion_table(true, pred, len(scale), count) for pred in preds]
    kappa_a, kappa_b = (kappa_of_table(table, disagreement) for table in tables)
    difference = kappa_a - kappa_b
    resample = partial(_bootstrap, count, true, preds, disagreement)
    if np.isnan(difference):
        warn_undefined("compare_kappa", f"of a kappa {NO_DISAGREEMENT}")
        return Comparison(np.nan, np.nan, np.nan, np.nan, _resample=resample)
    influence_a, influence_b = (
        kappa_influence(table, disagreement)[true, pred]
        for table, pred in zip(tables, preds, strict=True)
    )
    error = influence_error(influence_a - influence_b, count)
    return Comparison(
        difference,
        error,
        *normal_test(difference, error),
        _resample=resample,
    )


def _kappa_error(table: FloatArray, disagreement: FloatArray) -> float:
    return influence_error(kappa_influence(table, disagreement), table)


def _kinds(
    columns: Sequence[IntArray], n_classes: int, weight: FloatArray | None
) -> tuple[list[IntArray], FloatArray]:
    """Return the distinct rows of several columns of ranks, and the weight of each."""
    shape = (n_classes,) * len(columns)
    kinds, place = np.unique(np.ravel_multi_index(tuple(columns), shape), return_inverse=True)
    count = np.bincount(place, weights=weight).astype(np.float64, copy=False)
    return list(np.unravel_index(kinds, shape)), count


def _bootstrap(
    count: FloatArray,
    true: IntArray,
    preds: Sequence[IntArray],
    disagreement: FloatArray,
    n_resamples: int,
    rng: Any,
    progress: Progress,
) -> FloatArray:
    """Return a kappa of every sample, or for two predictions the difference of theirs."""
    if round(count.sum()) < 1:
        raise ValueError(
            f"sample_weight has a sum of {count.sum()}, less than one row: the bootstrap draws as "
            "many rows as the weights say. Give numbers of rows."
        )
    samples = draw_counts(count, n_resamples, rng)
    watched = progress.over(samples, "bootstrap samples", n_resamples, size=len)
    kappas = bootstrap_kappas(watched, true, preds, disagreement)
    return np.asarray(np.subtract.reduce(kappas))
