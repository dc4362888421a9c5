"""Reports: all that is usually asked about a prediction, in one data frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri
from sklearn.metrics import precision_recall_fscore_support

from sklearn_ordinal_censored._kernels.confusion import confusion_table, rank_distance
from sklearn_ordinal_censored._kernels.influence import influence_error
from sklearn_ordinal_censored._typing import FloatArray, Weights
from sklearn_ordinal_censored.metrics._cumulative import cumulative_scores
from sklearn_ordinal_censored.metrics._estimates import ConfidenceInterval
from sklearn_ordinal_censored.metrics._inference import kappa_inference
from sklearn_ordinal_censored.metrics._kappa import linear_weighted_kappa, quadratic_weighted_kappa
from sklearn_ordinal_censored.metrics._ordinal import (
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
)
from sklearn_ordinal_censored.metrics._report_frame import ReportRow, report_frame
from sklearn_ordinal_censored.targets._inputs import check_number
from sklearn_ordinal_censored.targets._ordinal import parse_ordinal_columns

if TYPE_CHECKING:
    import pandas as pd

_UNDEFINED = np.inf  # stands for 0/0 until it is NaN, because metrics would warn of NaN
_ROUNDING = 1e-12
_NO_INTERVAL = ConfidenceInterval(np.nan, np.nan)
_KAPPAS: dict[str, Callable[..., Any]] = {
    "quadratic_weighted_kappa": partial(quadratic_weighted_kappa, replace_undefined_by=_UNDEFINED),
    "linear_weighted_kappa": partial(linear_weighted_kappa, replace_undefined_by=_UNDEFINED),
}
_OVERALL: dict[str, Callable[..., Any]] = {
    **_KAPPAS,
    "accuracy": ordinal_accuracy,
    "accuracy_within_one": partial(ordinal_accuracy, tolerance=1),
    "mean_absolute_class_error": mean_absolute_class_error,
    "macro_mean_absolute_class_error": partial(mean_absolute_class_error, average="macro"),
    "mean_squared_class_error": mean_squared_class_error,
}


def ordinal_report(
    y_true: Any,
    y_pred: Any,
    *,
    second_rater: Any = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Report how well grades are predicted, where they are not, and what there was to beat.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_pred : array-like of shape (n_samples,)
        Predicted grades. Scores that are no grades are refused: see
        :class:`~sklearn_ordinal_censored.postprocessing.OrdinalThresholdOptimizer`.
    second_rater : array-like of shape (n_samples,), default=None
        Grades of the same rows by somebody else who knows the trade: how well they agree with
        ``y_true`` is what can be hoped for.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Numbers of rows: a weight of 2 counts as two equal rows, and the number of rows is the sum
        of the weights. Weights of another kind give intervals without a meaning.
    confidence_level : float, default=0.95
        Of the intervals, between 0 and 1.

    Returns
    -------
    DataFrame
        Columns ``value``, ``low`` and ``high``, all float; the latter two are NaN where there is no
        interval. The index has the levels ``section``, ``item`` and ``measure``. Its sections:

        ``"overall"``
            Item ``"prediction"``: the sum of the weights (``n``), kappas, accuracy, accuracy within
            one grade, and mean errors, all but the first with intervals.
        ``"confusion"``
            For every true grade the weight of each prediction (``"predicted 0"``, ...).
        ``"class"``
            For every grade precision, recall, F1, mean absolute error and support, and the means of
            all but the last over the grades where they are defined (``"macro mean"``).
        ``"cut"``
            For every cut point of the scale (``"above 0"``, ...) recall, precision and specificity
            of the question whether the grade is above it.
        ``"baseline"``
            The measures of ``"overall"`` for predictions that know nothing of the rows: the most
            frequent true grade everywhere (``"most frequent"``), the median true grade everywhere
            (``"median"``), and grades drawn at random as often as ``y_pred`` gives them
            (``"random"``, expected values); and for ``second_rater``, if given (``"second
            rater"``).

        Values that are 0/0, such as the precision of a grade that is never predicted, are NaN; no
        warning is given.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    render_report : The report as text.
    kappa_inference : Standard error and test of a kappa.
    compare_kappa : Whether two predictions differ.

    Notes
    -----
    Intervals of the kappas are those of :func:`kappa_inference`. Those of the accuracies are
    Wilson's [1]_. The mean errors have normal intervals: a row with the error ``d`` and a true
    grade of the share ``p`` has the influence ``d - mean`` on the mean, and
    ``(d - mean of its grade) / (p * G)`` on the macro mean over the ``G`` grades present (delta
    method); the squared standard error is the sum of its squares over ``n * (n - 1)``. With few
    rows such an interval may begin below 0, and that of the macro mean is too short if a grade has
    only one or two. There is no interval where the rows do not vary, e.g. if all are right, since
    one without width would claim certainty.

    Of two grades that are equally frequent, or both a median, the baseline takes the lower.

    References
    ----------
    .. [1] E. B. Wilson. "Probable Inference, the Law of Succession, and Statistical Inference."
       Journal of the American Statistical Association 22(158), 1927.
       :doi:`10.1080/01621459.1927.10502953`

    Examples
    --------
    Three of four rows are right; the fourth is off by one grade, as is half of grade 0:

    >>> from sklearn_ordinal_censored.metrics import ordinal_report
    >>> report = ordinal_report([0, 0, 1, 2], [0, 1, 1, 2])
    >>> report.loc["overall"].loc["prediction"].round(2)
                                     value   low  high
    measure
    n                                 4.00   NaN   NaN
    quadratic_weighted_kappa          0.80 -0.73  1.00
    linear_weighted_kappa             0.71 -0.77  0.99
    accuracy                          0.75  0.30  0.95
    accuracy_within_one               1.00  0.51  1.00
    mean_absolute_class_error         0.25 -0.24  0.74
    macro_mean_absolute_class_error   0.17 -0.10  0.43
    mean_squared_class_error          0.25 -0.24  0.74
    >>> report["value"].loc["class"].unstack()[["precision", "recall", "support"]].round(2)
    measure     precision  recall  support
    item
    0                1.00    0.50      2.0
    1                0.50    1.00      1.0
    2                1.00    1.00      1.0
    macro mean       0.83    0.83      NaN
    """
    level = check_number(
        "confidence_level", confidence_level, minimum=0, maximum=1, closed="neither"
    )
    sides = {"y_true": y_true, "y_pred": y_pred}
    if second_rater is not None:
        sides["second_rater"] = second_rater
    (true, *preds), scale, weight = parse_ordinal_columns(sides, labels, sample_weight)
    table, *second = (confusion_table(true, pred, len(scale), weight) for pred in preds)
    grades = scale.tolist()
    rows = [
        *_overall(table, level),
        *_grid("confusion", grades, {f"predicted {g}": table[:, k] for k, g in enumerate(grades)}),
        *_classes(table, grades),
        *_grid("cut", [f"above {grade}" for grade in grades[:-1]], _cuts(table)),
        *_baselines(table, *second),
    ]
    return report_frame(rows, confidence_level=level)


def _overall(table: FloatArray, level: float) -> Iterator[ReportRow]:
    values, count = _measures(table), float(table.sum())
    quantile = float(ndtri((1 + level) / 2))
    intervals = {
        "quadratic_weighted_kappa": _kappa_interval(table, "quadratic", level),
        "linear_weighted_kappa": _kappa_interval(table, "linear", level),
        "accuracy": _wilson(values["accuracy"], count, quantile),
        "accuracy_within_one": _wilson(values["accuracy_within_one"], count, quantile),
    }
    for name, influence in _error_influences(table, values).items():
        intervals[name] = _normal(values[name], influence, table, quantile)
    yield ReportRow("overall", "prediction", "n", count)
    for name, value in values.items():
        yield ReportRow("overall", "prediction", name, value, *intervals[name])


def _classes(table: FloatArray, grades: Sequence[Any]) -> Iterator[ReportRow]:
    precision, recall, f1, support = precision_recall_fscore_support(
        **_as_rows(table), zero_division=np.nan
    )
    error = mean_absolute_class_error(
        **_as_rows(table), average=None, replace_undefined_by=_UNDEFINED
    )
    measures = {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "mean_absolute_class_error": _mark_undefined(error),
    }
    yield from _grid("class", grades, {**measures, "support": support})
    means = {name: [np.nanmean(values)] for name, values in measures.items()}
    yield from _grid("class", ["macro mean"], means)


def _cuts(table: FloatArray) -> dict[str, FloatArray]:
    scores = partial(
        cumulative_scores, **_as_rows(table), average=None, replace_undefined_by=_UNDEFINED
    )
    names = ("recall", "precision", "specificity")
    return {name: _mark_undefined(scores(measure=name)) for name in names}


def _baselines(table: FloatArray, second: FloatArray | None = None) -> Iterator[ReportRow]:
    """Yield the measures of predictions that are independent of the truth, and of the rater."""
    true_margin, pred_margin = table.sum(axis=1), table.sum(axis=0)
    median = np.searchsorted(true_margin.cumsum(), true_margin.sum() / 2)
    always = np.eye(len(table))
    shares = {
        "most frequent": always[true_margin.argmax()],
        "median": always[median],
        "random": pred_margin / pred_margin.sum(),
    }
    baselines = {name: _measures(np.outer(true_margin, share)) for name, share in shares.items()}
    # Exactly, where it is defined: the expected agreement is that of chance.
    baselines["random"].update({name: abs(0 * baselines["random"][name]) for name in _KAPPAS})
    if second is not None:
        baselines["second rater"] = _measures(second)
    for item, values in baselines.items():
        for name, value in values.items():
            yield ReportRow("baseline", item, name, value)


def _grid(
    section: str, items: Sequence[Any], measures: Mapping[str, Sequence[float] | FloatArray]
) -> Iterator[ReportRow]:
    for k, item in enumerate(items):
        for name, values in measures.items():
            yield ReportRow(section, item, name, float(values[k]))


def _measures(table: FloatArray) -> dict[str, float]:
    rows = _as_rows(table)
    return {name: float(_mark_undefined(metric(**rows))) for name, metric in _OVERALL.items()}


def _as_rows(table: FloatArray) -> dict[str, Any]:
    """Return a table as what metrics take: a cell is a row that weighs as much as it."""
    true, pred = np.nonzero(table)
    weight, labels = table[true, pred], range(len(table))
    return {"y_true": true, "y_pred": pred, "labels": labels, "sample_weight": weight}


def _mark_undefined(values: Any) -> FloatArray:
    return np.where(np.equal(values, _UNDEFINED), np.nan, values)


def _kappa_interval(table: FloatArray, weights: Weights, level: float) -> ConfidenceInterval:
    result = kappa_inference(**_as_rows(table), weights=weights, replace_undefined_by=_UNDEFINED)
    has_interval = result.standard_error > 0 and abs(result.estimate) < 1 and table.sum() >= 2
    return result.confidence_interval(level) if has_interval else _NO_INTERVAL


def _wilson(share: float, count: float, quantile: float) -> ConfidenceInterval:
    pull = quantile**2 / count
    centre = (share + pull / 2) / (1 + pull)
    margin = np.sqrt(pull * (share * (1 - share) + pull / 4)) / (1 + pull)
    # The formula stays between 0 and 1, up to rounding.
    return ConfidenceInterval(max(float(centre - margin), 0.0), min(float(centre + margin), 1.0))


def _error_influences(table: FloatArray, values: Mapping[str, float]) -> dict[str, FloatArray]:
    """Return how a row more in each cell moves the mean errors, as `kappa_influence` does."""
    absolute, squared = rank_distance(len(table)), rank_distance(len(table), 2)
    by_class = mean_absolute_class_error(**_as_rows(table), average=None, replace_undefined_by=0.0)
    share = table.sum(axis=1, keepdims=True) / table.sum()
    present = share > 0
    factor = np.divide(1 / present.sum(), share, out=np.zeros_like(share), where=present)
    return {
        "mean_absolute_class_error": absolute - values["mean_absolute_class_error"],
        "macro_mean_absolute_class_error": factor * (absolute - np.reshape(by_class, (-1, 1))),
        "mean_squared_class_error": squared - values["mean_squared_class_error"],
    }


def _normal(
    mean: float, influence: FloatArray, table: FloatArray, quantile: float
) -> ConfidenceInterval:
    count = table.sum()
    if count <= 1:  # a single row does not vary
        return _NO_INTERVAL
    error = influence_error(influence, table) * np.sqrt(count / (count - 1))
    if error < _ROUNDING:
        return _NO_INTERVAL
    return ConfidenceInterval(mean - quantile * error, mean + quantile * error)
