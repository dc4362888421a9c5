"""The door of the report of censored times."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.lib.recfunctions import append_fields
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import AnyArray, CensoredTarget, FloatArray
from sklearn_ordinal_censored.metrics._ipcw import read_censoring
from sklearn_ordinal_censored.metrics._scored_curves import ScoredCurves
from sklearn_ordinal_censored.nonparametric._kaplan_meier import KaplanMeier
from sklearn_ordinal_censored.targets._censored import interval_censored, parse_censored
from sklearn_ordinal_censored.targets._curves import read_curves, read_times
from sklearn_ordinal_censored.targets._inputs import check_floats, check_option, check_same_length
from sklearn_ordinal_censored.targets._weights import check_weights


class ReportedRows(NamedTuple):
    """Censored rows with all that may be predicted of them; rows of weight zero are left out.

    Attributes
    ----------
    target : CensoredTarget
        Bounds.
    weight : ndarray of shape (n_samples,) or None
        Row weights.
    pred : ndarray of shape (n_samples,) or None
        Predicted times or risks.
    prediction : {"time", "risk"}
        Which of the two.
    curves : ndarray of shape (n_samples, n_times) or None
        Predicted survival.
    times : ndarray of shape (n_times,)
        Times at which to look, perhaps none.
    censoring : KaplanMeier or None
        Where the censoring distribution comes from.

    Examples
    --------
    >>> read_reported_rows([[1, 1], [2, 3]], [5, 4]).target.is_right_censored
    False
    """

    target: CensoredTarget
    weight: FloatArray | None
    pred: FloatArray | None
    prediction: str
    curves: FloatArray | None
    times: FloatArray
    censoring: KaplanMeier | None

    @property
    def y(self) -> AnyArray:
        """The target as metrics take it.

        Returns
        -------
        structured ndarray of shape (n_samples,)
            Bounds, and entries where there are.
        """
        y = interval_censored(self.target.lower, self.target.upper)
        if self.target.entry is None:
            return y
        return np.asarray(append_fields(y, "entry", self.target.entry, usemask=False))

    @property
    def own_weight(self) -> FloatArray:
        """The weights, one each where none were given.

        Returns
        -------
        ndarray of shape (n_samples,)
            Weights.
        """
        return np.ones(len(self.target.lower)) if self.weight is None else self.weight

    @property
    def can_be_weighted(self) -> bool:
        """Whether rows at a time can be weighted for censoring.

        Returns
        -------
        bool
            True for exact and right-censored rows without late entry.
        """
        return self.target.is_right_censored and self.target.entry is None

    def scored(self, predicted: FloatArray) -> ScoredCurves:
        """Return the rows with predictions at the times.

        Parameters
        ----------
        predicted : ndarray of shape (n_samples,) or (n_samples, n_times)
            Predictions.

        Returns
        -------
        ScoredCurves
            The same rows.
        """
        return ScoredCurves(self.target, predicted, self.times, self.weight)


def read_reported_rows(
    y_true: Any,
    y_pred: ArrayLike | None,
    prediction: str = "time",
    y_proba: Any = None,
    times: Any = None,
    censoring: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ReportedRows:
    """Read a censored target with predicted times or risks, with curves, or with both.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring.
    y_pred : array-like of shape (n_samples,) or None
        Predicted times or risks.
    prediction : {"time", "risk"}
        Which of the two.
    y_proba : array-like of shape (n_samples, n_times) or None
        Predicted survival.
    times : array-like of shape (n_times,) or None
        The times of the columns.
    censoring : None, censored target or fitted reverse KaplanMeier
        Where the censoring distribution comes from.
    sample_weight : array-like of shape (n_samples,) or None
        Row weights.

    Returns
    -------
    ReportedRows
        The rows of positive weight.

    Examples
    --------
    >>> read_reported_rows([[1, 1], [2, 3]], [5, 4], sample_weight=[0, 1]).pred
    array([4.])
    """
    check_option("prediction", prediction, ("time", "risk"))
    target = parse_censored("y_true", y_true)
    n_samples = len(target.lower)
    pred = None if y_pred is None else check_floats("y_pred", y_pred)
    check_same_length(y_true=n_samples, y_pred=n_samples if pred is None else len(pred))
    if y_proba is not None and times is None:
        raise ValueError("y_proba is given without `times`, the times of its columns.")
    instants = np.empty(0) if times is None else read_times(times)
    weight = check_weights(sample_weight, n_samples)
    curves = None if y_proba is None else read_curves(y_proba, instants, n_samples, weight)
    reference = read_censoring(censoring)
    rows = ReportedRows(target, weight, pred, prediction, curves, instants, reference)
    return rows if weight is None or weight.all() else _take(rows, weight > 0)


def _take(rows: ReportedRows, kept: AnyArray) -> ReportedRows:
    names = ("weight", "pred", "curves")
    parts = {name: getattr(rows, name) for name in names}
    taken = {name: part[kept] for name, part in parts.items() if part is not None}
    return rows._replace(target=rows.target.take(kept), **taken)
