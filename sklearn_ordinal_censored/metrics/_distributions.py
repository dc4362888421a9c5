"""Predicted distributions of censored times: the door of likelihoods and scores."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.families import FAMILIES
from sklearn_ordinal_censored._typing import CensoredTarget, FloatArray
from sklearn_ordinal_censored.targets._censored import parse_censored
from sklearn_ordinal_censored.targets._columns import read_array
from sklearn_ordinal_censored.targets._inputs import (
    check_floats,
    check_number,
    check_option,
    check_same_length,
    count_dimensions,
    preview,
)
from sklearn_ordinal_censored.targets._weights import check_weights


class PredictedDistributions(NamedTuple):
    """Censored rows with a predicted distribution; rows of weight zero are left out.

    Attributes
    ----------
    target : CensoredTarget
        Bounds.
    location, scale : ndarray of shape (n_samples,)
        Parameters.
    weight : ndarray of shape (n_samples,) or None
        Row weights.

    Examples
    --------
    >>> read_distributions([[1, 1], [2, 2]], [[5, 0.5], [6, 0.1]], None, "normal").scale
    array([0.5, 0.1])
    """

    target: CensoredTarget
    location: FloatArray
    scale: FloatArray
    weight: FloatArray | None


def read_distributions(
    y_true: Any,
    y_pred: ArrayLike,
    scale: Any,
    family: str,
    sample_weight: ArrayLike | None = None,
    *,
    of_density: bool = False,
) -> PredictedDistributions:
    """Read a censored target with predicted distributions.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring.
    y_pred : array-like of shape (n_samples,) or (n_samples, 2)
        Locations, or locations and scales.
    scale : float, array-like of shape (n_samples,) or None
        Scales if ``y_pred`` holds locations.
    family : str
        A family.
    sample_weight : array-like of shape (n_samples,) or None
        Row weights.
    of_density : bool, default=False
        Whether known times must have a density, so that a positive time is not 0.

    Returns
    -------
    PredictedDistributions
        The rows of positive weight.

    Examples
    --------
    >>> read_distributions([[1, 1], [2, 2]], [5, 6], 0.5, "normal").scale
    array([0.5, 0.5])
    >>> read_distributions([[1, 1], [2, 2]], [5, 6], None, "normal")
    Traceback (most recent call last):
    ValueError: y_pred holds one number a row, the locations; pass the scales as `scale`, or ...
    """
    check_option("family", family, tuple(FAMILIES))
    target = parse_censored("y_true", y_true)
    if of_density and FAMILIES[family].is_positive:
        _refuse_impossible(family, target)
    location, scales = _read_parameters(y_pred, scale)
    n_samples = check_same_length(y_true=len(target.lower), y_pred=len(location), scale=len(scales))
    weight = check_weights(sample_weight, n_samples)
    if weight is None:
        return PredictedDistributions(target, location, scales, None)
    rows = weight > 0
    return PredictedDistributions(target.take(rows), location[rows], scales[rows], weight[rows])


def _read_parameters(y_pred: ArrayLike, scale: Any) -> tuple[FloatArray, FloatArray]:
    """Return one location and one scale a row."""
    values = read_array("y_pred", y_pred)
    if values.ndim == 2 and values.shape[1] == 2:
        if scale is not None:
            raise ValueError("y_pred has two columns, locations and scales; leave `scale` out.")
        location, scales = (check_floats("y_pred", values[:, column]) for column in (0, 1))
        return location, _check_scale("y_pred[:, 1]", scales)
    if values.ndim != 1:
        raise ValueError(
            "y_pred must hold one number a row, the location, or two columns, location and scale, "
            f"but has shape {values.shape}."
        )
    if scale is None:
        raise ValueError(
            "y_pred holds one number a row, the locations; pass the scales as `scale`, or "
            "predict two columns, location and scale."
        )
    location = check_floats("y_pred", y_pred)
    if count_dimensions(scale) == 0:
        scale = np.full(len(location), check_one_scale(scale))
    return location, _check_scale("scale", check_floats("scale", scale))


def check_one_scale(scale: Any) -> float:
    """Return one scale for all rows.

    Parameters
    ----------
    scale : object
        What the caller gave.

    Returns
    -------
    float
        A number above 0.

    Examples
    --------
    >>> check_one_scale(2)
    2.0
    """
    hint = "; it is a standard deviation or the like, not its log"
    return check_number("scale", scale, minimum=0, closed="neither", hint=hint)


def _check_scale(name: str, scales: FloatArray) -> FloatArray:
    bad = scales[scales <= 0]
    if bad.size:
        raise ValueError(
            f"{name} must be above 0, but holds {preview(bad)} ({bad.size} of {scales.size} "
            "values). It is a standard deviation or the like, not its log."
        )
    return scales


def _refuse_impossible(family: str, target: CensoredTarget) -> None:
    bad = np.flatnonzero(target.is_exact & (target.lower <= 0))
    if bad.size:
        raise ValueError(
            f"y_true has {bad.size} known time(s) that are not positive, e.g. "
            f"{preview(target.lower[bad])}, first in row {bad[0]}. They have no density under "
            f"family={family!r}; take a family of any times, or give bounds, such as (0, 0.5] for "
            "what happened on the first day."
        )
