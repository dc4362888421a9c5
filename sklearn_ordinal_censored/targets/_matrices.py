"""Matrices over the grades, and data frames that name them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored.targets._inputs import check_floats


def check_names(name: str, data: Any, labels: AnyArray, axes: Sequence[str]) -> None:
    """Refuse a data frame that names the grades along an axis in another order than the scale.

    Parameters
    ----------
    name : str
        The argument's name.
    data : object
        What the caller gave; only data frames have names.
    labels : ndarray of shape (n_classes,)
        The scale.
    axes : sequence of {"columns", "index"}
        Where to look.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> proba = pd.DataFrame([[0.3, 0.7]], columns=["high", "low"])
    >>> check_names("y_proba", proba, np.array(["low", "high"]), ["columns"])
    Traceback (most recent call last):
    ValueError: y_proba has its columns in the order ['high', 'low'], but the scale is...
    """
    scale = labels.tolist()
    for axis in axes:
        given = getattr(data, axis, None)
        names = [] if given is None or callable(given) else list(given)
        words, grades = list(map(str, names)), list(map(str, scale))  # polars names are text
        if words != grades and sorted(words) == sorted(grades):
            raise ValueError(
                f"{name} has its {axis} in the order {names}, but the scale is {scale}. Put them "
                f"in the order of the scale, e.g. with `.reindex({axis}=labels)`."
            )


def check_square_matrix(name: str, matrix: ArrayLike, labels: AnyArray) -> FloatArray:
    """Return a finite K x K matrix as float64.

    Parameters
    ----------
    name : str
        The argument's name.
    matrix : array-like of shape (n_classes, n_classes)
        Rows are true grades, columns predicted grades; names of a data frame must be in the order
        of the scale.
    labels : ndarray of shape (n_classes,)
        The scale.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        The matrix.

    Examples
    --------
    >>> import numpy as np
    >>> check_square_matrix("cost_matrix", [[0, 1]], np.arange(2))
    Traceback (most recent call last):
    ValueError: cost_matrix has shape (1, 2), but the scale has 2 grades: ...
    """
    array = check_floats(name, matrix, ndim=2)
    n_classes = len(labels)
    if array.shape != (n_classes, n_classes):
        raise ValueError(
            f"{name} has shape {array.shape}, but the scale has {n_classes} grades: give a "
            f"{n_classes} x {n_classes} matrix, or pass `labels` if grades are missing from the "
            "data."
        )
    check_names(name, matrix, labels, ("index", "columns"))
    return array
