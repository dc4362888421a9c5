"""Tables of numbers in coloured cells, with names that fit beside them and below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored.plotting._matplotlib import size_in_points
from sklearn_ordinal_censored.plotting._style import (
    CHARACTER,
    GREY,
    LINE,
    contrasting,
)

_SMALL = 0.75  # size of the second number of a cell in terms of the first
_LEGIBLE = 4.5  # points; the second number is left out where it would be smaller
_VISIBLE = 2.5  # points; so is the first


def colour_scale(values: FloatArray, dark: str) -> dict[str, Any]:
    """Return the options of ``imshow`` that give every number its colour.

    Parameters
    ----------
    values : ndarray
        Numbers, NaN for cells without one.
    dark : str
        Name of the colours that get steadily darker from 0 on.

    Returns
    -------
    dict
        With ``cmap``, ``vmin`` and ``vmax``; with a bright middle at 0 if some are negative.

    Examples
    --------
    >>> colour_scale(np.array([0.0, 3.0]), "Blues")
    {'cmap': 'Blues', 'vmin': 0.0, 'vmax': 3.0}
    """
    finite = values[np.isfinite(values)]
    largest = float(np.abs(finite).max(initial=0.0)) or 1.0
    if (finite < 0).any():
        return {"cmap": "PuOr_r", "vmin": -largest, "vmax": largest}
    return {"cmap": dark, "vmin": 0.0, "vmax": largest}


def draw_lattice(plt: Any, ax: Any, n_classes: int) -> None:
    """Draw thin lines between the cells, and a frame around those of right predictions.

    Parameters
    ----------
    plt : module
        ``matplotlib.pyplot``.
    ax : matplotlib Axes
        Of the table.
    n_classes : int
        Number of rows and columns.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, ax = plt.subplots()
    >>> draw_lattice(plt, ax, 3)
    >>> len(ax.patches)
    3
    >>> plt.close(figure)
    """
    edges = np.arange(n_classes + 1) - 0.5
    lines = {"color": "0.85", "linewidth": 0.5, "zorder": 1.5}
    ax.hlines(edges[1:-1], edges[0], edges[-1], **lines)
    ax.vlines(edges[1:-1], edges[0], edges[-1], **lines)
    for corner in edges[:-1]:
        ax.add_patch(plt.Rectangle((corner, corner), 1, 1, fill=False, edgecolor=GREY, zorder=2))
    ax.set(xlim=(edges[0], edges[-1]), ylim=(edges[-1], edges[0]))


def draw_numbers(
    image: Any,
    values: FloatArray,
    shares: FloatArray | None,
    size: float,
    values_format: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> tuple[AnyArray | None, AnyArray | None]:
    """Write a number into every cell, and its share of the whole below it.

    Parameters
    ----------
    image : matplotlib AxesImage
        The cells.
    values : ndarray of shape (n_classes, n_classes)
        Numbers, NaN for none.
    shares : ndarray of shape (n_classes, n_classes) or None
        Shares in percent.
    size : float
        Largest size of the text in points; it is smaller where cells are small.
    values_format : str, default=None
        Format of the numbers.
    options : dict, default=None
        More options of the text.

    Returns
    -------
    numbers : ndarray of shape (n_classes, n_classes) or None
        Artists of text; None where nobody could read them.
    shares : ndarray of shape (n_classes, n_classes) or None
        The same, empty for shares below one half; None where there is no room.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, ax = plt.subplots()
    >>> image = ax.imshow([[1, 2], [3, 4]])
    >>> numbers, _ = draw_numbers(image, np.array([[1.0, 2.0], [3.0, np.nan]]), None, 10)
    >>> [text.get_text() for text in numbers.flat]
    ['1', '2', '3', '-']
    >>> plt.close(figure)
    """
    texts = _number_texts(values, values_format)
    width, height = (0.9 * side / len(values) for side in size_in_points(image.axes))
    single = min(size, width / (CHARACTER * _longest(texts)), height / LINE)
    if single < _VISIBLE:
        return None, None
    if shares is None:
        return _write(image, texts, single, 0.0, options), None
    small = np.array([f"{share:.0f} %" if share >= 0.5 else "" for share in shares.flat])
    room = height / (LINE * (1 + _SMALL)), width / (CHARACTER * _SMALL * _longest(small))
    double = min(single, *room)
    if double * _SMALL < _LEGIBLE:
        return _write(image, texts, single, 0.0, options), None
    numbers = _write(image, texts, double, np.where(shares >= 0.5, -0.16, 0.0), options)
    below = _write(image, small.reshape(shares.shape), _SMALL * double, 0.22, options)
    return numbers, below


def _longest(texts: AnyArray) -> int:
    return max(1, *(len(text) for text in texts.flat))


def _number_texts(values: FloatArray, values_format: str | None) -> AnyArray:
    finite = values[np.isfinite(values)]
    if values_format is None:
        values_format = ".0f" if (finite % 1 == 0).all() else ".2f" if finite.max() <= 1 else ".3g"
    texts = [format(v, values_format) if np.isfinite(v) else "-" for v in values.flat]
    return np.array(texts).reshape(values.shape)


def _write(
    image: Any, texts: AnyArray, size: float, offset: Any, options: Mapping[str, Any] | None
) -> AnyArray:
    offsets = np.broadcast_to(offset, texts.shape)
    colours = image.to_rgba(image.get_array())
    shown = colours[..., 3:]  # a cell without a colour shows what is behind it
    colours = shown * colours[..., :3] + (1 - shown) * np.array(image.axes.get_facecolor()[:3])
    written = np.empty(texts.shape, dtype=object)
    for row, column in np.ndindex(texts.shape):
        style = {
            "ha": "center",
            "va": "center",
            "fontsize": size,
            "color": contrasting(colours[row, column]),
            **(options or {}),
        }
        place = column, row + offsets[row, column]
        written[row, column] = image.axes.text(*place, texts[row, column], **style)
    return written
