"""The ordinal scale: which grades there are, in which order, and the rank of every row.

The scale comes from ``labels``, else from the categories of an ordered categorical, else from the
integers themselves: all consecutive integers between the smallest and the largest seen, so that a
grade that a fold happens to lack keeps its place. Text has no order of its own and is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import AnyArray, FloatArray, OrdinalPair, OrdinalTarget
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.targets._columns import Column, read_column
from sklearn_ordinal_censored.targets._inputs import (
    EXACT,
    check_same_length,
    preview,
)
from sklearn_ordinal_censored.targets._weights import check_weights

MAX_CLASSES = 1000  # more look like a count or an identifier, and cost K x K tables


class Cures(NamedTuple):
    """What to do about numbers that are no consecutive grades, for messages.

    Attributes
    ----------
    fractions : str
        They are not whole.
    many : str
        They span too many grades.
    gaps : str
        They share a divisor; ``{grades}`` stands for them.

    Examples
    --------
    >>> Cures("Round them.", "Group them.", "Give labels=[{grades}].").gaps.format(grades="5, 10")
    'Give labels=[5, 10].'
    """

    fractions: str
    many: str
    gaps: str


_CURES = Cures(
    "Turn scores into grades with OrdinalThresholdOptimizer (its strategy='rounding' rounds scores "
    "fitted to ranks), or round them yourself.",
    "Group it into grades, or pass `labels`.",
    "Pass `labels` with the grades you mean, e.g. labels=[{grades}].",
)


def parse_ordinal(
    name: str, y: Any, labels: ArrayLike | None = None, counts: AnyArray | None = None
) -> OrdinalTarget:
    """Read grades as ranks on their scale.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    y : array-like of shape (n_samples,)
        Grades.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest.
    counts : ndarray of shape (n_samples,), default=None
        Which rows to return; the others are checked, then left out before a scale is read off.

    Returns
    -------
    OrdinalTarget
        Ranks, and the scale in the dtype of ``y``.

    Examples
    --------
    >>> parse_ordinal("y", ["mid", "low"], ["low", "mid", "high"]).codes
    array([1, 0])
    """
    column = read_column(name, y)
    check_same_length(**{name: len(column.values)})
    (codes,), scale = _ranks([column], labels, counts)
    return OrdinalTarget(codes, cast_scale(scale, column.values.dtype))


def parse_ordinal_pair(
    y_true: Any,
    y_pred: Any,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> OrdinalPair:
    """Read truth and prediction as ranks on one scale.

    Rows of weight zero are checked, then left out: they count as if they had never been there, also
    when the scale is read off the data.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Grades.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights.

    Returns
    -------
    OrdinalPair
        Ranks, scale and weights.

    Examples
    --------
    >>> pair = parse_ordinal_pair([1, 3], [1, 4])
    >>> pair.true, pair.pred, pair.labels
    (array([0, 2]), array([0, 3]), array([1, 2, 3, 4]))
    """
    sides = {"y_true": y_true, "y_pred": y_pred}
    (true, pred), scale, weight = parse_ordinal_columns(sides, labels, sample_weight)
    return OrdinalPair(true, pred, scale, weight)


def parse_ordinal_columns(
    values: Mapping[str, Any],
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[list[AnyArray], AnyArray, FloatArray | None]:
    """Read several arrays of grades as ranks on one scale, without the rows of weight zero.

    Parameters
    ----------
    values : mapping
        Arrays of grades of one length, under the name for messages.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights.

    Returns
    -------
    ranks : list of ndarray of shape (n_samples,)
        One array of ranks a column.
    labels : ndarray of shape (n_classes,)
        The scale.
    weight : ndarray of shape (n_samples,) or None
        Row weights.

    Examples
    --------
    >>> parse_ordinal_columns({"a": [1, 2], "b": [2, 4]}, sample_weight=[1, 0])[:2]
    ([array([0]), array([1])], array([1, 2]))
    """
    columns = [read_column(name, grades) for name, grades in values.items()]
    n_samples = check_same_length(**{column.name: len(column.values) for column in columns})
    weight = check_weights(sample_weight, n_samples)
    counts = None if weight is None or weight.all() else weight > 0
    ranks, scale = _ranks(columns, labels, counts)
    if counts is not None and weight is not None:
        weight = weight[counts]
    return ranks, scale, weight


def common_scale(labels: ArrayLike | None = None, **values: Any) -> AnyArray:
    """Return the scale that several arrays of grades share.

    Parameters
    ----------
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest.
    **values : array-like
        Grades under the name for messages.

    Returns
    -------
    ndarray of shape (n_classes,)
        The scale.

    Examples
    --------
    >>> common_scale(y_true=[1, 2], classes=[2, 4])
    array([1, 2, 3, 4])
    """
    columns = [read_column(name, grades) for name, grades in values.items()]
    for column in columns:
        check_same_length(**{column.name: len(column.values)})
    return _ranks(columns, labels)[1]


def check_scale(labels: Any) -> AnyArray:
    """Return the labels of a scale as an array of distinct values.

    Parameters
    ----------
    labels : array-like of shape (n_classes,)
        The grades from lowest to highest.

    Returns
    -------
    ndarray of shape (n_classes,)
        The scale.

    Examples
    --------
    >>> check_scale(["low", "high", "low"])
    Traceback (most recent call last):
    ValueError: labels holds 'low' more than once; list every grade once, lowest first.
    """
    if isinstance(labels, (set, frozenset, dict, str)):
        raise ValueError(f"labels={labels!r} has no order; give a list of grades, lowest first.")
    column = read_column("labels", labels)
    scale = column.values.copy()  # the caller's array may change later
    if column.categories is not None:
        places = [column.categories.index(item) for item in scale]
        if places != sorted(places):
            raise ValueError(
                f"labels={scale.tolist()} contradicts the order of its own categories, "
                f"{list(column.categories)}; pass `list(labels)` if that is what you mean, else "
                "the categories."
            )
    if len(scale) == 0:
        raise ValueError("labels is empty; list the grades, lowest first.")
    if len(scale) > MAX_CLASSES:
        raise ValueError(_too_many("labels", len(scale), _CURES))
    items = scale.tolist()
    if len(set(items)) < len(items):
        twice = [item for item in dict.fromkeys(items) if items.count(item) > 1]
        raise ValueError(
            f"labels holds {preview(twice)} more than once; list every grade once, lowest first."
        )
    return scale


def cast_scale(labels: AnyArray, dtype: np.dtype[Any]) -> AnyArray:
    """Return a scale in the dtype of the user's target where that keeps every label.

    Parameters
    ----------
    labels : ndarray of shape (n_classes,)
        The scale.
    dtype : dtype
        The dtype of the target.

    Returns
    -------
    ndarray of shape (n_classes,)
        The same labels.

    Examples
    --------
    >>> import numpy as np
    >>> cast_scale(np.array([0, 1]), np.dtype("int8")).dtype
    dtype('int8')
    >>> cast_scale(np.array([0, 1000]), np.dtype("int8")).dtype
    dtype('int64')
    """
    if dtype == labels.dtype or (
        dtype.kind != "O" and {dtype.kind, labels.dtype.kind} & set("OUS")
    ):
        return labels
    with np.errstate(invalid="ignore", over="ignore"):
        cast = labels.astype(dtype)
    return cast if (cast == labels).all() else labels


def _ranks(
    columns: Sequence[Column], labels: ArrayLike | None, counts: AnyArray | None = None
) -> tuple[list[AnyArray], AnyArray]:
    """Return the ranks of every column, for the rows that count, and the common scale."""
    scale = _carried_scale(columns) if labels is None else check_scale(labels)
    if scale is not None:
        ranks = [_locate(column, scale) for column in columns]
        return [codes if counts is None else codes[counts] for codes in ranks], scale
    return consecutive_ranks(columns, counts)


def _carried_scale(columns: Sequence[Column]) -> AnyArray | None:
    orders = {
        column.name: list(column.categories) for column in columns if column.categories is not None
    }
    if not orders:
        return None
    first, *others = orders.values()
    if any(other != first for other in others):
        raise ValueError(
            f"{' and '.join(orders)} are categoricals with different categories or orders: "
            f"{' and '.join(map(str, orders.values()))}. Pass `labels`."
        )
    return check_scale(first)


def _locate(column: Column, scale: AnyArray) -> AnyArray:
    """Return the position of every value on the scale; refuse values that are not on it."""
    values = column.values
    if values.dtype.kind in "biuf" and scale.dtype.kind in "biuf":
        codes, stray = _locate_numbers(values, scale)
    else:
        import pandas as pd

        index = pd.Index(scale, dtype=object)
        codes = index.get_indexer(pd.Index(values, dtype=object))
        stray = codes < 0
    if stray.any():
        _refuse_stray(column, values[stray], scale)
    return codes


def _locate_numbers(values: AnyArray, scale: AnyArray) -> tuple[AnyArray, AnyArray]:
    order = np.argsort(scale)
    low, high = scale[order[0]], scale[order[-1]]
    are_integers = "f" not in values.dtype.kind + scale.dtype.kind
    if (
        are_integers
        and int(high) - int(low) < len(scale)
        and low <= values.min()
        and values.max() <= high
    ):
        # Consecutive labels in any order: a subtraction is several times faster than a search.
        return order[_subtract(values, int(low))], np.zeros(1, dtype=bool)
    place = np.minimum(np.searchsorted(scale, values, sorter=order), len(scale) - 1)
    return order[place], scale[order[place]] != values


def _refuse_stray(column: Column, stray: AnyArray, scale: AnyArray) -> None:
    found = f"{column.name} holds {preview(stray)}"
    if stray.dtype.kind == "f" and (stray % 1 != 0).any():
        raise ValueError(_not_a_grade(found, _CURES))
    hint = ""
    if (stray.dtype.kind in "biuf") != (scale.dtype.kind in "biuf"):
        hint = " One side is text, the other numbers: convert one of them."
    raise ValueError(
        f"{found}, which labels={scale.tolist()} does not list; add it in its place.{hint}"
    )


def _check_integers(column: Column, cures: Cures) -> None:
    values = column.values
    if column.is_nominal or values.dtype.kind not in "biuf":
        kind = "text" if isinstance(values[0], (str, bytes)) else type(values[0]).__name__
        what = "is a categorical without an order" if column.is_nominal else f"holds {kind}"
        raise ValueError(
            f"{column.name} {what} ({preview(values[:50])}), so its order is unknown: pass "
            "`labels` with the grades from lowest to highest, or an ordered pandas Categorical."
        )
    if values.dtype.kind == "f":
        values = values.astype(np.result_type(values, np.float64), copy=False)
        stray = values[(values != np.rint(values)) | (np.abs(values) > EXACT)]
        if stray.size:
            raise ValueError(_not_a_grade(f"{column.name} holds {preview(stray)}", cures))


def consecutive_ranks(
    columns: Sequence[Column], counts: AnyArray | None = None, cures: Cures = _CURES
) -> tuple[list[AnyArray], AnyArray]:
    """Return ranks on the scale of all integers from the smallest to the largest.

    Parameters
    ----------
    columns : sequence of Column
        Grades.
    counts : ndarray of shape (n_samples,), default=None
        Which rows to return; the others are checked, then left out.
    cures : Cures
        What messages advise.

    Returns
    -------
    ranks : list of ndarray of shape (n_samples,)
        Ranks of every column.
    labels : ndarray of shape (n_classes,)
        The scale in the dtype of the first column.

    Examples
    --------
    >>> consecutive_ranks([Column("y", np.array([3, 1]))])
    ([array([2, 0])], array([1, 2, 3]))
    """
    for column in columns:
        _check_integers(column, cures)
    if counts is not None:
        columns = [column._replace(values=column.values[counts]) for column in columns]
    low = min(int(column.values.min()) for column in columns)
    high = max(int(column.values.max()) for column in columns)
    n_classes = high - low + 1
    if n_classes > MAX_CLASSES:
        names = " and ".join(column.name for column in columns)
        raise ValueError(_too_many(names, n_classes, cures))
    ranks = [_subtract(column.values, low) for column in columns]
    _warn_of_divisor(ranks, low, cures)
    dtype = np.uint64 if high > np.iinfo(np.int64).max else np.int64
    scale = np.arange(n_classes, dtype=dtype) + low
    return ranks, cast_scale(scale, columns[0].values.dtype)


def _subtract(values: AnyArray, low: int) -> AnyArray:
    if values.dtype == np.uint64 and low > np.iinfo(np.int64).max:
        return (values - low).astype(np.intp)
    return np.subtract(values.astype(np.int64, copy=False), low, dtype=np.intp)


def _warn_of_divisor(ranks: Sequence[AnyArray], low: int, cures: Cures) -> None:
    # The lowest rank is 0, so that a divisor of all differences divides all ranks, and those of
    # the first rows, too, which mostly settle it.
    for part in (slice(1000), slice(None)):
        seen = np.flatnonzero(np.bincount(np.concatenate([codes[part] for codes in ranks])))
        step = np.gcd.reduce(seen)
        if step == 1:
            return
    if len(seen) < 3:
        return
    grades = preview([low + rank for rank in seen.tolist()])
    warn(
        f"The grades {grades} lie a multiple of {step} apart; the integers between them count as "
        f"grades, too. {cures.gaps.format(grades=grades)}"
    )


def _not_a_grade(found: str, cures: Cures) -> str:
    return f"{found}, which are no grades (Unknown label type: continuous). {cures.fractions}"


def _too_many(names: str, n_classes: int, cures: Cures) -> str:
    return (
        f"The scale of {names} would have {n_classes} grades, more than {MAX_CLASSES}: this looks "
        f"like a count or an identifier. {cures.many}"
    )
