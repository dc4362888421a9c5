"""Short texts of values, for the ``repr`` of objects that hold long ones."""

from __future__ import annotations

from dataclasses import fields
from reprlib import Repr
from typing import Any

import numpy as np

_MOST = 12  # values that are shown in full
_EDGE = 3  # first and last ones of a longer array
_LIMITS = Repr()
_LIMITS.maxlist = _LIMITS.maxtuple = _LIMITS.maxdict = _LIMITS.maxset = _MOST
_LIMITS.maxstring = _LIMITS.maxother = 100


def short_text(value: Any) -> str:
    """Return a value as one line of text, the middle of what is long left out.

    Parameters
    ----------
    value : object
        Arrays and lists are shortened; a function is its name.

    Returns
    -------
    str
        Like ``repr``.

    Examples
    --------
    >>> short_text(np.arange(100.0))
    'array([ 0.,  1.,  2., ..., 97., 98., 99.])'
    >>> short_text(list(range(100)))
    '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ...]'
    >>> short_text(max)
    'max'
    """
    if isinstance(value, np.ndarray):
        rows = np.array2string(
            value, threshold=_MOST, edgeitems=_EDGE, separator=", ", max_line_width=10**6
        )
        return f"array({' '.join(rows.split())})" if value.ndim > 1 else f"array({rows})"
    if hasattr(value, "to_numpy") and "\n" in repr(value):  # a series or data frame
        return f"{type(value).__name__}({short_text(value.to_numpy())})"
    if callable(value) and hasattr(value, "__name__"):
        return str(value.__name__)
    return " ".join(_LIMITS.repr(value).split())


def short_repr(result: Any) -> str:
    """Return the class and the fields of a dataclass or named tuple, long arrays shortened.

    Parameters
    ----------
    result : dataclass or named tuple
        An object.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> class Curve(NamedTuple):
    ...     times: np.ndarray
    >>> short_repr(Curve(np.arange(100.0)))
    'Curve(times=array([ 0.,  1.,  2., ..., 97., 98., 99.]))'
    """
    if isinstance(result, tuple):
        shown = result._fields  # type: ignore[attr-defined]
    else:
        shown = tuple(field.name for field in fields(result) if field.repr)
    values = ", ".join(f"{name}={short_text(getattr(result, name))}" for name in shown)
    return f"{type(result).__name__}({values})"


class ShortRepr:
    """Mixin of results whose ``repr`` names the fields and shortens long arrays.

    Name it before other bases of a dataclass with ``repr=False``.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(repr=False)
    ... class Curve(ShortRepr):
    ...     times: np.ndarray
    >>> Curve(np.arange(100.0))
    Curve(times=array([ 0.,  1.,  2., ..., 97., 98., 99.]))
    """

    def __repr__(self) -> str:
        return short_repr(self)
