"""Matplotlib, where it is installed, and the axes that a picture is drawn on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from sklearn_ordinal_censored._typing import AnyArray

# Of a figure's width, what matplotlib gives to a single axes before a layout is made.
_SHARE_OF_AXES = 0.775


def import_pyplot(caller: str) -> Any:
    """Return ``matplotlib.pyplot``, or say how to get it.

    Parameters
    ----------
    caller : str
        Who asks, for the message.

    Returns
    -------
    module
        ``matplotlib.pyplot``.

    Raises
    ------
    ImportError
        If matplotlib cannot be imported.

    Examples
    --------
    >>> import_pyplot("ThresholdDisplay.plot").__name__
    'matplotlib.pyplot'
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            f"{caller} draws with matplotlib, which cannot be imported ({error}). Install the "
            "extra `plot`: pip install 'sklearn_ordinal_censored[plot]'."
        ) from error
    return plt


def open_axes(plt: Any, ax: Any, height: float = 1.0) -> Any:
    """Return the axes to draw on: the caller's, or those of a new figure.

    Parameters
    ----------
    plt : module
        ``matplotlib.pyplot``.
    ax : matplotlib Axes or None
        The caller's.
    height : float, default=1.0
        Height of a new figure in terms of the height that is set in ``rcParams``.

    Returns
    -------
    matplotlib Axes
        Where to draw.

    Examples
    --------
    >>> plt = import_pyplot("here")
    >>> figure = plt.figure()
    >>> ax = figure.add_subplot()
    >>> open_axes(plt, ax) is ax
    True
    >>> plt.close(figure)
    """
    if ax is not None:
        return ax
    width, usual = plt.rcParams["figure.figsize"]
    # Compressed, so that square cells and a scale of colours find their places at once.
    _, ax = plt.subplots(figsize=(width, usual * height), layout="compressed")
    return ax


@contextmanager
def same_current_axes(ax: Any) -> Iterator[None]:
    """Leave the current axes of a figure as they were, whatever is added to it inside.

    Parameters
    ----------
    ax : matplotlib Axes
        Any axes of the figure.

    Yields
    ------
    None
        Nothing.

    Examples
    --------
    >>> plt = import_pyplot("here")
    >>> figure, ax = plt.subplots()
    >>> with same_current_axes(ax):
    ...     inner = figure.add_subplot()
    >>> plt.gca() is ax
    True
    >>> plt.close(figure)
    """
    current = ax.figure.gca()
    try:
        yield
    finally:
        ax.figure.sca(current)


def split_axes(ax: Any, n_rows: int, n_columns: int, **options: Any) -> AnyArray:
    """Put a grid of panels in the place of axes, whose own frame is hidden.

    Parameters
    ----------
    ax : matplotlib Axes
        Their title and legend stay and serve the whole grid.
    n_rows, n_columns : int
        Size of the grid.
    **options : dict
        Of the grid, such as ``height_ratios``.

    Returns
    -------
    ndarray of shape (n_rows, n_columns)
        The panels.

    Raises
    ------
    ValueError
        If there are panels in their place already.

    Examples
    --------
    >>> plt = import_pyplot("here")
    >>> figure, ax = plt.subplots()
    >>> split_axes(ax, 2, 3).shape
    (2, 3)
    >>> plt.close(figure)
    """
    earlier = [panel for panel in getattr(ax, "_panels", ()) if panel in ax.figure.axes]
    if any(panel.has_data() for panel in earlier):
        raise ValueError(
            "ax holds panels already; give the `axes_` of the display that drew them, or new axes."
        )
    for panel in earlier:  # of a picture that was refused before anything was drawn
        panel.remove()
    place = ax.get_subplotspec()
    if place is None:
        box = ax.get_position()
        sides = {"left": box.x0, "right": box.x1, "bottom": box.y0, "top": box.y1}
        grid = ax.figure.add_gridspec(n_rows, n_columns, **sides, **options)
    else:
        grid = place.subgridspec(n_rows, n_columns, **options)
    ax.set_axis_off()
    panels = np.empty((n_rows, n_columns), dtype=object)
    with same_current_axes(ax):
        for row, column in np.ndindex(panels.shape):
            panels[row, column] = ax.figure.add_subplot(grid[row, column])
    ax._panels = list(panels.flat)
    return panels


def open_panels(
    plt: Any,
    ax: Any,
    shape: tuple[int, int],
    wanted: str,
    *,
    height: float = 1.0,
    n_panels: int | None = None,
    spaces: Mapping[str, float] | None = None,
    **options: Any,
) -> tuple[Any, AnyArray]:
    """Return the axes in whose place panels stand, and the panels: the caller's, or new ones.

    Parameters
    ----------
    plt : module
        ``matplotlib.pyplot``.
    ax : matplotlib Axes, array of n_panels of them, or None
        The caller's.
    shape : tuple of int
        Number of rows and columns of new panels.
    wanted : str
        What there is one panel each of, for a message.
    height : float, default=1.0
        Height of a new figure in terms of the height that is set in ``rcParams``.
    n_panels : int, default=None
        Number of panels, if not as many as the grid has places.
    spaces : dict, default=None
        Space between panels where no layout engine makes room for titles and labels.
    **options : dict
        Of the grid, such as ``height_ratios``.

    Returns
    -------
    ax : matplotlib Axes
        The caller's axes, the first of the caller's panels, or the axes of a new figure.
    panels : ndarray of shape (n_panels,)
        The panels.

    Raises
    ------
    ValueError
        If the caller gave another number of panels.

    Examples
    --------
    >>> plt = import_pyplot("here")
    >>> figure, axes = plt.subplots(1, 2)
    >>> open_panels(plt, axes, (1, 3), "cuts")
    Traceback (most recent call last):
    ValueError: ax holds 2 axes, but there are 3 cuts; give one axes each, or a single one for all.
    >>> plt.close(figure)
    """
    n_panels = n_panels or shape[0] * shape[1]
    if ax is not None and np.ndim(ax) > 0:
        panels = np.asarray(ax).ravel()
        if len(panels) != n_panels:
            raise ValueError(
                f"ax holds {len(panels)} axes, but there are {n_panels} {wanted}; give one axes "
                "each, or a single one for all."
            )
        return panels[0], panels
    ax = open_axes(plt, ax, height)
    if spaces and not ax.figure.get_layout_engine():
        options.update(spaces)
    panels = split_axes(ax, *shape, **options).ravel()
    for unused in panels[n_panels:]:
        unused.remove()
    return ax, panels[:n_panels]


def draw_model(artist: Any) -> Any:
    """Remember that an artist is what a model looks like.

    Parameters
    ----------
    artist : matplotlib Artist
        Drawn already.

    Returns
    -------
    matplotlib Artist
        The same.

    Examples
    --------
    >>> plt = import_pyplot("here")
    >>> figure, ax = plt.subplots()
    >>> line = ax.axhline(0.5)
    >>> holds_model(ax)
    False
    >>> line is draw_model(line), holds_model(ax)
    (True, True)
    >>> plt.close(figure)
    """
    artist._draws_model = True  # on the artist itself, so that a pickled figure keeps it
    return artist


def holds_model(ax: Any) -> bool:
    """Return whether a model is drawn on axes already, so that only the next one is to be added.

    Parameters
    ----------
    ax : matplotlib Axes
        A panel.

    Returns
    -------
    bool
        Whether :func:`draw_model` knows something on it.

    Examples
    --------
    >>> plt = import_pyplot("here")
    >>> figure, ax = plt.subplots()
    >>> holds_model(ax)
    False
    >>> plt.close(figure)
    """
    return any(getattr(artist, "_draws_model", False) for artist in ax.get_children())


def outer_width(*axes: Any) -> float:
    """Return the width that axes and all that belongs to them may take.

    Parameters
    ----------
    *axes : matplotlib Axes
        One, not drawn yet, or the panels in its place.

    Returns
    -------
    float
        In points; for a single axes the width of the figure.

    Examples
    --------
    >>> plt = import_pyplot("here")
    >>> figure, ax = plt.subplots(figsize=(10, 5))
    >>> round(outer_width(ax))
    720
    >>> plt.close(figure)
    """
    boxes = [ax.get_window_extent() for ax in axes]
    pixels = max(box.x1 for box in boxes) - min(box.x0 for box in boxes)
    return float(pixels * 72 / axes[0].figure.dpi / _SHARE_OF_AXES)


def text_size(plt: Any, width: float) -> float:
    """Return the size of text in points: smaller in a narrow column than on a screen.

    Parameters
    ----------
    plt : module
        ``matplotlib.pyplot``.
    width : float
        Width of the picture in points.

    Returns
    -------
    float
        At most the size set in ``rcParams``.

    Examples
    --------
    >>> round(text_size(import_pyplot("here"), 3.15 * 72), 1)
    6.5
    """
    return float(min(plt.rcParams["font.size"], max(6.0, 3.0 + 1.1 * width / 72)))


def size_in_points(ax: Any) -> tuple[float, float]:
    """Return width and height of axes once their figure is laid out.

    Parameters
    ----------
    ax : matplotlib Axes
        With all that takes up room around them.

    Returns
    -------
    tuple of float
        Width and height in points.

    Examples
    --------
    >>> plt = import_pyplot("here")
    >>> figure, ax = plt.subplots(figsize=(10, 10))
    >>> [round(side) for side in size_in_points(ax)]
    [558, 554]
    >>> plt.close(figure)
    """
    ax.figure.canvas.figure.draw_without_rendering()
    box = ax.get_window_extent()
    return box.width * 72 / ax.figure.dpi, box.height * 72 / ax.figure.dpi
