"""Names, legends and labels that are fitted to the room there is once a picture is laid out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from sklearn_ordinal_censored.plotting._matplotlib import size_in_points
from sklearn_ordinal_censored.plotting._style import (
    LINE,
    n_characters,
    n_lines,
    wrap_labels,
    wrap_text,
)

_LEAST = 5.0  # points of a name


def draw_names(
    ax: Any, names: Sequence[Any], size: float, width: float, rotation: float | str | None = None
) -> None:
    """Write the names of the grades beside the rows and below the columns.

    Parameters
    ----------
    ax : matplotlib Axes
        Of the table.
    names : sequence of shape (n_classes,)
        Names.
    size : float
        Size of the labels of the axes in points; names are a little smaller.
    width : float
        Width of the table with all that belongs to it, in points.
    rotation : float, str or None, default=None
        Rotation of the names below; None turns them where they are too long.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, ax = plt.subplots()
    >>> draw_names(ax, ["low", "high"], 10, 400)
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['low', 'high']
    >>> plt.close(figure)
    """
    size = 0.9 * size
    ticks, most = np.arange(len(names)), n_characters(0.4 * width, size)
    cell = 0.5 * width / len(names)
    for _ in range(2):  # names take room from the cells, whose size is known once they are there
        beside = wrap_labels(names, most, n_lines(cell, size))
        below, turn = _names_below(names, cell, size, most)
        if rotation is not None:
            turn = {"rotation": rotation}
        small = min(size, max(_LEAST, 0.6 * cell))  # turned lines are closer than cells are wide
        step = math.ceil(small / (0.6 * cell))  # of very many names only some are shown
        ax.set_yticks(ticks[::step], beside[::step], fontsize=small, parse_math=False)
        ax.set_xticks(ticks[::step], below[::step], fontsize=small, parse_math=False, **turn)
        cell = min(size_in_points(ax)) / len(names)


def _names_below(
    names: Sequence[Any], cell: float, size: float, most: int
) -> tuple[list[str], dict[str, Any]]:
    """Return the names below the columns: level, or turned where a word is too long for that."""
    words = [word for name in names for word in str(name).split()]
    level = n_characters(0.95 * cell, size)
    if max(map(len, words), default=1) <= level:
        return wrap_labels(names, level, 4), {"rotation": 0, "ha": "center"}
    turned = {"rotation": 45, "ha": "right", "va": "top", "rotation_mode": "anchor"}
    return wrap_labels(names, most, min(2, n_lines(np.sqrt(0.5) * cell, size))), turned


def draw_row_names(ax: Any, names: Sequence[Any], size: float, width: float) -> None:
    """Write names beside rows at 0, 1, ..., in as many lines as a row has room for.

    Parameters
    ----------
    ax : matplotlib Axes
        With its limits and all that takes room around it.
    names : sequence of shape (n_rows,)
        Names.
    size : float
        Size of the labels of the axes in points; names are a little smaller.
    width : float
        Width of the picture in points.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, ax = plt.subplots()
    >>> draw_row_names(ax, ["low", "high"], 10, 400)
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['low', 'high']
    >>> plt.close(figure)
    """
    size = 0.9 * size
    pitch = size_in_points(ax)[1] / len(names)
    texts = wrap_labels(names, n_characters(0.4 * width, size), min(n_lines(pitch, size), 3))
    shown = slice(None, None, math.ceil(LINE * size / pitch))
    ax.set_yticks(np.arange(len(names))[shown], texts[shown], fontsize=size, parse_math=False)


def draw_label(ax: Any, axis: str, label: str, size: float) -> None:
    """Write the label of an axis in as many lines as its length asks for.

    Parameters
    ----------
    ax : matplotlib Axes
        With all that takes room around it.
    axis : {"x", "y"}
        Which axis.
    label : str
        Label.
    size : float
        Size of the text in points.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, ax = plt.subplots(figsize=(2, 2))
    >>> draw_label(ax, "y", "quadratic weighted kappa", 10)
    >>> ax.get_ylabel().splitlines()
    ['quadratic weighted', 'kappa']
    >>> plt.close(figure)
    """
    most = n_characters(size_in_points(ax)["xy".index(axis)], size)
    text = wrap_text(label, most, 3)
    ax.set(**{f"{axis}label": text})
    getattr(ax, f"{axis}axis").label.set(fontsize=size, parse_math=False)


def draw_titles(panels: Iterable[Any], titles: Sequence[str], size: float) -> None:
    """Write a title above each of some panels of one width, in two lines at most.

    Parameters
    ----------
    panels : iterable of matplotlib Axes
        With all that takes room beside them.
    titles : sequence of str
        One a panel.
    size : float
        Size of the text in points.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, axes = plt.subplots(1, 2)
    >>> draw_titles(axes, ["> low", "> mid"], 10)
    >>> axes[1].get_title()
    '> mid'
    >>> plt.close(figure)
    """
    panels = list(panels)
    most = n_characters(size_in_points(panels[0])[0], 0.9 * size)
    for panel, title in zip(panels, titles, strict=True):
        text = wrap_text(title, most, 2)
        panel.set_title(text, fontsize=0.9 * size, pad=0.3 * size, parse_math=False)


def draw_legend(ax: Any, handles: Sequence[Any], size: float, width: float) -> Any:
    """Put a legend above axes, in as many columns as there is room for.

    Parameters
    ----------
    ax : matplotlib Axes
        The topmost panel.
    handles : sequence of matplotlib artists
        With their labels.
    size : float
        Size of the text in points.
    width : float
        Width of the picture in points.

    Returns
    -------
    matplotlib Legend
        The legend.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, ax = plt.subplots()
    >>> line = plt.Line2D([], [], label="line")
    >>> len(draw_legend(ax, [line], 10, 400).get_texts())
    1
    >>> plt.close(figure)
    """
    longest = max(len(handle.get_label()) for handle in handles)
    handle_width = 5  # in characters, with the space around it
    return ax.legend(
        handles=handles,
        loc="lower right",  # so that it may reach over the names on the left
        bbox_to_anchor=(1.0, 1.0),
        ncols=min(
            len(handles), max(1, n_characters(width, 0.9 * size) // (longest + handle_width))
        ),
        fontsize=0.9 * size,
        frameon=False,
    )
