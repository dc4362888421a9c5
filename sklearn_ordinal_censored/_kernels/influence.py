"""How far one row moves a weighted kappa: standard errors, and the bootstrap to compare with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from sklearn_ordinal_censored._kernels.blocks import row_blocks
from sklearn_ordinal_censored._kernels.confusion import kappa_of_margins
from sklearn_ordinal_censored._typing import FloatArray, IntArray

_ROUNDING = 64 * float(np.finfo(np.float64).eps)
_BATCH = 2**20  # cells of the samples that are held at once


def kappa_influence(table: FloatArray, disagreement: FloatArray) -> FloatArray:
    """Return how a row more in each cell moves the weighted kappa of a table.

    It is the derivative of kappa in the direction of the cell: n rows and one more in cell (i, j)
    have a kappa that is higher by about ``influence[i, j] / n``.

    Parameters
    ----------
    table : ndarray of shape (n_classes, n_classes)
        Rows are true ranks, columns predicted ones; the expected disagreement is not 0.
    disagreement : ndarray of shape (n_classes, n_classes)
        Zero on the diagonal; symmetric or not.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Influence of every cell, empty ones included; its mean over the table is 0.

    Examples
    --------
    Kappa is 0.5 here. A row more in the first cell raises it by about a quarter of 0.75:

    >>> import numpy as np
    >>> kappa_influence(np.array([[1.0, 1.0], [0.0, 2.0]]), 1 - np.eye(2))
    array([[ 0.75, -1.25],
           [-1.75,  0.25]])
    """
    share = table / table.sum()
    true_margin, pred_margin = share.sum(axis=1), share.sum(axis=0)
    by_true, by_pred = disagreement @ pred_margin, true_margin @ disagreement
    expected = true_margin @ by_true
    ratio = (share * disagreement).sum() / expected
    influence: FloatArray = (ratio * (by_true[:, np.newaxis] + by_pred) - disagreement) / expected
    influence -= (share * influence).sum()
    # Where all cells move kappa alike, e.g. in a single column, they do so exactly.
    scale = (disagreement.max() + ratio * (by_true.max() + by_pred.max())) / expected
    influence[np.abs(influence) <= _ROUNDING * scale] = 0.0
    return influence


def influence_error(influence: FloatArray, count: FloatArray) -> float:
    """Return the standard error of an estimate from the influence of its rows.

    Parameters
    ----------
    influence : ndarray
        Influence of every kind of row, with a mean of 0.
    count : ndarray of the same shape
        Number of rows of every kind.

    Returns
    -------
    float
        Root of the mean squared influence over the number of rows.

    Examples
    --------
    A mean of four rows, whose influence is their distance from it:

    >>> import numpy as np
    >>> influence_error(np.array([-1.0, 1.0]), np.array([2.0, 2.0]))
    0.5
    """
    largest = np.abs(influence).max(initial=0.0)
    if not largest > 0:
        return float(largest)
    share = count / count.sum()  # of the largest, as squares of the influence may overflow
    return float(largest * np.sqrt((share * (influence / largest) ** 2).sum() / count.sum()))


def bootstrap_kappas(
    samples: Iterable[FloatArray],
    true: IntArray,
    preds: Sequence[IntArray],
    disagreement: FloatArray,
) -> FloatArray:
    """Return weighted kappas of bootstrap samples, for one prediction or several.

    Parameters
    ----------
    samples : iterable of ndarray of shape (n_drawn, n_kinds)
        Batches of samples: the number of rows of every kind.
    true : ndarray of shape (n_kinds,)
        Rank of the true grade.
    preds : sequence of ndarray of shape (n_kinds,)
        Ranks of predicted grades, which share the samples.
    disagreement : ndarray of shape (n_classes, n_classes)
        Zero on the diagonal.

    Returns
    -------
    ndarray of shape (len(preds), n_resamples)
        Kappas, NaN where they are 0/0.

    Examples
    --------
    >>> import numpy as np
    >>> ranks = np.arange(2)
    >>> samples = draw_counts(np.full(2, 50.0), 3, np.random.RandomState(0))
    >>> kappas = bootstrap_kappas(samples, ranks, [ranks, 1 - ranks], 1 - np.eye(2))
    >>> kappas[0]
    array([1., 1., 1.])
    >>> bool((kappas[1] < -0.9).all())
    True
    """
    return np.concatenate(
        [[_kappas(sample, true, pred, disagreement) for pred in preds] for sample in samples],
        axis=1,
    )


def draw_counts(count: FloatArray, n_resamples: int, rng: Any) -> Iterator[FloatArray]:
    """Draw bootstrap samples of rows as numbers of rows of every kind.

    Parameters
    ----------
    count : ndarray of shape (n_kinds,)
        Number of rows of every kind; their sum, rounded, is drawn.
    n_resamples : int
        Number of samples.
    rng : RandomState
        Source of the draws.

    Yields
    ------
    ndarray of shape (n_drawn, n_kinds)
        Some of the samples: as many as are held at once.

    Examples
    --------
    >>> import numpy as np
    >>> [sample.sum(axis=1) for sample in draw_counts(np.ones(3), 2, np.random.RandomState(0))]
    [array([3., 3.])]
    """
    total = count.sum()
    for batch in row_blocks(n_resamples, len(count), _BATCH):
        size = batch.stop - batch.start
        yield rng.multinomial(round(total), count / total, size=size).astype(np.float64)


def _kappas(
    counts: FloatArray, true: IntArray, pred: IntArray, disagreement: FloatArray
) -> FloatArray:
    """Return the kappa of every line of counts."""
    grades = np.arange(len(disagreement))
    true_margin, pred_margin = (counts @ (side[:, np.newaxis] == grades) for side in (true, pred))
    observed = counts @ disagreement[true, pred]
    return kappa_of_margins(observed, true_margin, pred_margin, disagreement)
