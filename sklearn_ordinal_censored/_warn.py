"""Warnings that point at the user's own line, however deep inside the library they arise."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import joblib
import sklearn

_INSIDE = tuple(
    str(Path(file).parent) for file in (__file__, sklearn.__file__, joblib.__file__) if file
)


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn of something at the line of the caller's code that led to it.

    Parameters
    ----------
    message : str
        What happened and what to do.
    category : type, default=UserWarning
        Class of the warning.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn("look here")
    >>> str(caught[0].message)
    'look here'
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INSIDE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
