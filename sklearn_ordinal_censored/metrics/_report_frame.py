"""The shape that all reports share, and its text for a terminal or a log."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sklearn_ordinal_censored.targets._inputs import preview

if TYPE_CHECKING:
    import pandas as pd

_LEVELS = ["section", "item", "measure"]
_COLUMNS = ["value", "low", "high"]
_WIDTH = 100  # of a line
_NAME = 40  # longer names of rows and columns are cut in the middle
_HEADING = 13  # wider headings of columns are broken
_INDENT = _GAP = "  "


class ReportRow(NamedTuple):
    """One value of a report, and where it belongs.

    Attributes
    ----------
    section : str
        The table it belongs to.
    item : object
        What is measured: a prediction, a grade, a point in time.
    measure : str
        What it is measured by.
    value : float
        The value; NaN where it is undefined.
    low, high : float, default=nan
        Ends of its interval; NaN where there is none.

    Examples
    --------
    >>> ReportRow("overall", "prediction", "accuracy", 0.5).low
    nan
    """

    section: str
    item: Any
    measure: str
    value: float
    low: float = np.nan
    high: float = np.nan


def report_frame(rows: Iterable[ReportRow], **attrs: Any) -> pd.DataFrame:
    """Return the rows of a report as a data frame.

    Parameters
    ----------
    rows : iterable of ReportRow
        Its rows; no section has the same item and measure twice.
    **attrs : object
        What holds for the whole report, kept in ``frame.attrs``.

    Returns
    -------
    DataFrame
        Indexed by section, item and measure, with the columns value, low and high.

    Examples
    --------
    >>> report_frame([ReportRow("overall", "prediction", "accuracy", 0.5)])
                                 value  low  high
    section item       measure
    overall prediction accuracy    0.5  NaN   NaN
    """
    import pandas as pd

    rows = list(rows)
    # Levels in the order of appearance: `loc` then need not search, and `unstack` keeps the scale.
    levels = [
        pd.factorize(pd.Index(level, dtype=object))
        for level in zip(*(row[:3] for row in rows), strict=True)
    ]
    codes, names = zip(*levels, strict=True)
    index = pd.MultiIndex(levels=names, codes=codes, names=_LEVELS)
    if index.has_duplicates:
        section, item, _ = index[index.duplicated()][0]
        raise ValueError(
            f"labels holds {item!r}, which is the name of another row in the section {section!r} "
            "of the report: rename this grade."
        )
    frame = pd.DataFrame([row[3:] for row in rows], index, _COLUMNS, dtype=np.float64)
    frame.attrs.update(attrs)
    return frame


def render_report(report: pd.DataFrame) -> str:
    """Write a report as text, one small table a section.

    Parameters
    ----------
    report : DataFrame
        What :func:`ordinal_report` or :func:`censored_report` returns, or some of its rows:
        ``report.loc[["overall"]]``.

    Returns
    -------
    str
        ASCII, no line longer than 100 characters. Intervals are in brackets. A measure that is
        whole throughout a section has no decimals, the others have three. Wide tables are
        continued below themselves, long names are cut in the middle, and characters other than
        ASCII are escaped.

    Raises
    ------
    ValueError
        If ``report`` has not the index and the columns of a report, or a row twice.

    See Also
    --------
    ordinal_report : A report of predicted grades.
    censored_report : A report of predicted times, risks or survival curves.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import ordinal_report, render_report
    >>> report = ordinal_report([0, 0, 1, 2], [0, 1, 1, 2])
    >>> print(render_report(report.loc[["confusion", "cut"]]))
    confusion
      predicted  0  1  2
      0          1  1  0
      1          0  1  0
      2          0  0  1
    <BLANKLINE>
    cut
               recall  precision  specificity
      above 0       1      0.667        0.500
      above 1       1      1.000        1.000
    """
    levels = list(getattr(getattr(report, "index", None), "names", []))
    columns = list(getattr(report, "columns", []))
    if levels != _LEVELS or not set(_COLUMNS) <= set(columns):
        raise ValueError(
            f"report must be a data frame with the index levels {_LEVELS} and the columns "
            f"{_COLUMNS}, but is a {type(report).__name__} with the levels {levels} and the "
            f"columns {columns}. Choose sections with a list: report.loc[['overall']]."
        )
    repeated = report.index[report.index.duplicated()]
    if len(repeated):
        raise ValueError(
            f"report has several rows for {preview(list(repeated))}, as of two reports in one; "
            "render each by itself."
        )
    level = report.attrs.get("confidence_level")
    interval = "[interval]" if level is None else f"[{100 * level:g} % interval]"
    sections = report.groupby(level="section", sort=False)
    return "\n\n".join(_section(_plain(name), part, interval) for name, part in sections)


def _section(title: str, part: pd.DataFrame, interval: str) -> str:
    cells = _cells(part)
    if any(ends for _, ends in cells.values()):
        title += f" {interval}"
    down, across = (list(dict.fromkeys(part.index.get_level_values(k))) for k in (1, 2))
    if len(down) < len(across) and _are_long(across, 1 if len(down) == 1 else len(across) // 2 + 1):
        down, across = across, down
        cells = {(measure, item): text for (item, measure), text in cells.items()}
    columns = [[cells.get((row, name), ("", "")) for row in down] for name in across]
    return f"{title}\n{_table([*map(_plain, down)], [*map(_plain, across)], columns)}"


def _are_long(names: Sequence[Any], least: int) -> bool:
    """Whether so many names must be broken to head a column; one is enough for a single row."""
    return sum(len(_plain(name)) > _HEADING for name in names) >= least


def _table(names: list[str], headings: list[str], cells: list[list[tuple[str, str]]]) -> str:
    corner, headings = _shared_word(headings)
    wrapped = [_wrap(heading) for heading in headings]
    height = max(map(len, wrapped))
    columns = [
        _column([""] * (height - len(lines)) + lines, column)
        for lines, column in zip(wrapped, cells, strict=True)
    ]
    stub = _stub([""] * (height - 1) + [corner], names)
    return "\n\n".join(_blocks(stub, columns))


def _cells(part: pd.DataFrame) -> dict[tuple[Any, Any], tuple[str, str]]:
    """Return value and interval as text, under item and measure."""
    cells = {}
    for _, rows in part.groupby(level="measure", sort=False):
        numbers = rows[_COLUMNS].to_numpy(dtype=np.float64)
        finite = numbers[np.isfinite(numbers)]
        whole = bool((np.abs(finite) < 1e15).all() and (finite == np.rint(finite)).all())
        for (_, item, measure), row in zip(rows.index, numbers, strict=True):
            value, low, high = (_number(number, whole) for number in row)
            ends = "" if np.isnan(row[1:]).all() else f"[{low}, {high}]"
            cells[item, measure] = (value, ends)
    return cells


def _number(value: float, whole: bool) -> str:
    value = value + 0.0  # no minus before zero
    if whole or not np.isfinite(value):
        return f"{value:.0f}"
    return f"{value:.3f}" if value == 0 or 5e-4 <= abs(value) < 1e6 else f"{value:.2e}"


def _plain(name: Any) -> str:
    text = str(name).encode("unicode_escape").decode("ascii")
    half = (_NAME - 3) // 2
    return text if len(text) <= _NAME else f"{text[:half]}...{text[-half:]}"


def _shared_word(headings: list[str]) -> tuple[str, list[str]]:
    """Take away the first word where all headings share it."""
    first, *others = {heading.partition(" ")[0] for heading in headings}
    if others or len(headings) == 1 or not all(" " in heading for heading in headings):
        return "", headings
    return first, [heading.partition(" ")[2] for heading in headings]


def _wrap(heading: str) -> list[str]:
    lines = textwrap.wrap(heading.replace("_", "_ "), _HEADING)
    return [line.replace("_ ", "_") for line in lines] or [""]


def _column(heading: list[str], cells: list[tuple[str, str]]) -> list[str]:
    """Return lines of one length: numbers below numbers, brackets below brackets."""
    value, ends = (max(map(len, texts)) for texts in zip(*cells, strict=True))
    gap = " " if ends else ""
    lines = [f"{number:>{value}}{gap}{interval:<{ends}}" for number, interval in cells]
    width = max(map(len, [*heading, *lines]))
    return [line.rjust(width) for line in [*heading, *lines]]


def _stub(corner: list[str], names: list[str]) -> list[str]:
    width = max(map(len, [*corner, *names]))
    return [line.rjust(width) for line in corner] + [name.ljust(width) for name in names]


def _blocks(stub: Sequence[str], columns: Sequence[Sequence[str]]) -> Iterator[str]:
    """Put columns side by side as far as a line goes, and go on below."""
    room = _WIDTH - len(_INDENT) - len(stub[0])
    start, used = 0, 0
    for stop, width in enumerate([*(len(column[0]) for column in columns), room]):
        if stop > start and used + len(_GAP) + width > room:
            lines = zip(stub, *columns[start:stop], strict=True)
            yield "\n".join((_INDENT + _GAP.join(line)).rstrip() for line in lines)
            start, used = stop, 0
        used += len(_GAP) + width
