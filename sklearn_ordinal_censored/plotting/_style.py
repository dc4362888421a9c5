"""Colours that everybody can tell apart, in print too, and labels that fit."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from sklearn_ordinal_censored._typing import AnyArray, FloatArray

# Okabe and Ito's colours, of which these differ in grey, too.
BLUE, VERMILLION, SKY, GREY = "#0072B2", "#D55E00", "#56B4E9", "#777777"
PALE = "#D9E6F2"

CHARACTER = 0.6  # width of an average character in terms of the size of the text
LINE = 1.25  # distance of two lines in the same terms
_GAP = 0.2  # more between two texts
_SHORT = 12  # so many characters are not broken into lines to save room


def read_names(labels: AnyArray, display_labels: Any, kind: str = "grade") -> list[Any]:
    """Return one name a grade: those given, else the grades themselves.

    Parameters
    ----------
    labels : ndarray of shape (n_classes,)
        The scale, or whatever else has names.
    display_labels : sequence of shape (n_classes,) or None
        What the caller gave.
    kind : str, default="grade"
        What the labels are, for the message.

    Returns
    -------
    list
        Names.

    Examples
    --------
    >>> read_names(np.array([0, 1]), ["low"])
    Traceback (most recent call last):
    ValueError: display_labels has 1 names, but there are 2 grades, [0, 1]: give one for each grade.
    """
    names = labels.tolist() if display_labels is None else list(display_labels)
    if len(names) != len(labels):
        raise ValueError(
            f"display_labels has {len(names)} names, but there are {len(labels)} {kind}s, "
            f"{labels.tolist()}: give one for each {kind}."
        )
    return names


def name_times(times: FloatArray) -> AnyArray:
    """Return times as text of at most seven digits, or of as many more as tell them apart.

    Parameters
    ----------
    times : ndarray of shape (n_times,)
        Times.

    Returns
    -------
    ndarray of shape (n_times,)
        Text.

    Examples
    --------
    >>> name_times(np.array([0.5, 2.0, 1 / 3])).tolist()
    ['0.5', '2', '0.3333333']
    >>> name_times(np.array([1e8, 1e8 + 1])).tolist()
    ['100000000', '100000001']
    """
    for digits in range(7, 18):
        names = np.array([f"{time:.{digits}g}" for time in times])
        if len(np.unique(names)) >= len(np.unique(times)):  # more where 0 has two signs
            break
    return names


def count_range(counts: AnyArray) -> str:
    """Return the smallest and the largest of some counts as text.

    Parameters
    ----------
    counts : ndarray
        Counts of rows, or sums of their weights.

    Returns
    -------
    str
        One number where all are equal.

    Examples
    --------
    >>> count_range(np.array([94.0, 95.0, 94.0])), count_range(np.array([0.25, 0.25]))
    ('94 to 95', '0.25')
    """
    pattern = ".0f" if (counts % 1 == 0).all() else ".3g"
    low, high = format(counts.min(), pattern), format(counts.max(), pattern)
    return low if low == high else f"{low} to {high}"


def contrasting(colour: Any) -> str:
    """Return black or white, whichever is easier to read on a colour.

    Parameters
    ----------
    colour : sequence of float
        Red, green and blue between 0 and 1, and perhaps opacity.

    Returns
    -------
    {"black", "white"}
        By the contrast ratio of the web content accessibility guidelines.

    Examples
    --------
    >>> contrasting((1.0, 0.9, 0.8)), contrasting((0.0, 0.2, 0.4))
    ('black', 'white')
    """
    channels = np.asarray(colour, dtype=np.float64)[:3]
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = linear @ [0.2126, 0.7152, 0.0722]
    return "white" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "black"


def n_characters(points: float, size: float) -> int:
    """Return how many characters of a size find room, one at least.

    Parameters
    ----------
    points : float
        Room.
    size : float
        Size of the text in points.

    Returns
    -------
    int
        Number of characters.

    Examples
    --------
    >>> n_characters(60, 10)
    10
    """
    return max(1, int(points / (CHARACTER * size)))


def n_lines(points: float, size: float) -> int:
    """Return how many lines of a size find room, one at least.

    Parameters
    ----------
    points : float
        Room.
    size : float
        Size of the text in points.

    Returns
    -------
    int
        Number of lines.

    Examples
    --------
    >>> n_lines(30, 10)
    2
    """
    return max(1, int((points / size - _GAP) / LINE))


def wrap_text(text: str, width: int, lines: int) -> str:
    r"""Return a text in as few lines as its length asks for.

    Parameters
    ----------
    text : str
        The text.
    width : int
        Most characters a line.
    lines : int
        Most lines; what does not find room in them ends in an ellipsis.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> wrap_text("quadratic weighted kappa", 20, 2)
    'quadratic weighted\nkappa'
    """
    return "\n".join(wrap(text, width, max_lines=lines, placeholder="…"))


def wrap_labels(labels: Sequence[Any], width: int, lines: int) -> list[str]:
    r"""Return labels broken into lines, as narrow as the number of lines allows.

    Parameters
    ----------
    labels : sequence
        Labels; what is broken into lines already stays as it is.
    width : int
        Most characters a line.
    lines : int
        Most lines; what does not find room in them ends in an ellipsis.

    Returns
    -------
    list of str
        The labels.

    Examples
    --------
    >>> wrap_labels(["weak Democrat", "independent"], 20, 2)
    ['weak\nDemocrat', 'independent']
    >>> wrap_labels(["weak Democrat"], 20, 1), wrap_labels(["weak Democrat"], 7, 1)
    (['weak Democrat'], ['weak…'])
    """
    texts = [str(label) for label in labels]
    if any("\n" in text for text in texts):
        return texts
    longest_word = max((len(word) for text in texts for word in text.split()), default=1)
    fits = (
        width
        for width in range(max(longest_word, _SHORT), width + 1)
        if all(len(wrap(text, width)) <= lines for text in texts)
    )
    narrowest = next(fits, width)
    return [wrap_text(text, narrowest, lines) for text in texts]
