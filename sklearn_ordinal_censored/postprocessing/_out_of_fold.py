"""What models say about the rows that they were not fitted on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.utils.parallel import Parallel, delayed

from sklearn_ordinal_censored._compat import check_method_params, safe_split
from sklearn_ordinal_censored._progress import SILENT, Progress
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray


class OutOfFold(NamedTuple):
    """Outputs for rows of models that were not fitted on them.

    Attributes
    ----------
    rows : ndarray of shape (n_outputs,)
        Row of the training data that each output belongs to.
    output : ndarray of shape (n_outputs, ...)
        Scores or probabilities.
    fold : ndarray of shape (n_outputs,)
        Number of the fold that held the row out.

    Examples
    --------
    >>> import numpy as np
    >>> OutOfFold(np.array([0]), np.array([1.5]), np.array([0])).output
    array([1.5])
    """

    rows: IntArray
    output: FloatArray
    fold: IntArray

    @classmethod
    def of_splits(
        cls, splits: Sequence[tuple[IntArray, IntArray]], outputs: Sequence[FloatArray]
    ) -> OutOfFold:
        """Join the outputs of several folds.

        Parameters
        ----------
        splits : sequence of (train, test)
            Row numbers of every fold.
        outputs : sequence of ndarray
            Outputs for the test rows of every fold.

        Returns
        -------
        OutOfFold
            In the order of the folds.
        """
        tests = [test for _, test in splits]
        fold = np.repeat(np.arange(len(tests)), [len(test) for test in tests])
        return cls(np.concatenate(tests), np.concatenate(outputs), fold)

    @classmethod
    def of_all(cls, output: FloatArray) -> OutOfFold:
        """Take all rows for one fold, held out from a model that was fitted before.

        Parameters
        ----------
        output : ndarray of shape (n_samples, ...)
            Outputs for all rows.

        Returns
        -------
        OutOfFold
            In the order of the rows.
        """
        rows = np.arange(len(output))
        return cls(rows, output, np.zeros_like(rows))

    def take(self, keep: AnyArray) -> OutOfFold:
        """Return some of the outputs.

        Parameters
        ----------
        keep : ndarray of shape (n_outputs,)
            Which ones.

        Returns
        -------
        OutOfFold
            Those.
        """
        return OutOfFold(self.rows[keep], self.output[keep], self.fold[keep])

    def weights(self, weight: FloatArray | None) -> FloatArray | None:
        """Return the weight of every output.

        Parameters
        ----------
        weight : ndarray of shape (n_samples,) or None
            Row weights.

        Returns
        -------
        ndarray of shape (n_outputs,) or None
            Not all zero.
        """
        if weight is not None and not weight[self.rows].any():
            raise ValueError("sample_weight is zero for every row that cv holds out.")
        return None if weight is None else weight[self.rows]


def out_of_fold(
    estimator: Any,
    X: Any,
    y: AnyArray,
    splits: Sequence[tuple[IntArray, IntArray]],
    fit_params: Mapping[str, Any],
    respond: Callable[[Any, Any], FloatArray],
    n_jobs: int | None = None,
    progress: Progress = SILENT,
) -> OutOfFold:
    """Fit a clone on every training part and ask it about its test part.

    Parameters
    ----------
    estimator : estimator
        Left as it is.
    X : array-like of shape (n_samples, n_features)
        Rows.
    y : ndarray of shape (n_samples,)
        What the estimator is fitted to.
    splits : sequence of (train, test)
        Row numbers of every fold.
    fit_params : mapping
        Arguments of ``fit``; those with one value a row are sliced.
    respond : callable
        ``respond(fitted_estimator, X)`` returns one output a row; it must be picklable.
    n_jobs : int or None
        Number of folds fitted at a time.
    progress : Progress
        Is told how many folds are done.

    Returns
    -------
    OutOfFold
        In the order of the folds.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> X, y = np.arange(4.0)[:, np.newaxis], np.arange(4.0)
    >>> splits = [(np.array([0, 1]), np.array([2, 3]))]
    >>> out_of_fold(LinearRegression(), X, y, splits, {}, LinearRegression.predict).output.round(6)
    array([2., 3.])
    """
    parts = _parallel(n_jobs, one_by_one=bool(progress.verbose))(
        delayed(_respond_to_fold)(clone(estimator), X, y, split, fit_params, respond)
        for split in splits
    )
    return OutOfFold.of_splits(splits, list(progress.over(parts, "folds fitted", len(splits))))


def _parallel(n_jobs: int | None, one_by_one: bool) -> Parallel:
    """Return what runs the folds, one that hands over each when it is done where there is one."""
    how = {"return_as": "generator"} if one_by_one else {}
    try:
        return Parallel(n_jobs=n_jobs, **how)
    except (TypeError, ValueError):  # an old joblib, or a backend that cannot
        return Parallel(n_jobs=n_jobs)


def _respond_to_fold(
    estimator: Any,
    X: Any,
    y: AnyArray,
    split: tuple[IntArray, IntArray],
    fit_params: Mapping[str, Any],
    respond: Callable[[Any, Any], FloatArray],
) -> FloatArray:
    train, test = split
    params = check_method_params(X, params=fit_params, indices=train)
    X_train, y_train = safe_split(estimator, X, y, train)
    X_test, _ = safe_split(estimator, X, y, test, train)
    return respond(estimator.fit(X_train, y_train, **params), X_test)
