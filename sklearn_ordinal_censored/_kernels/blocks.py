"""Blocks of rows, so that the memory of a sum over rows does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterator


def row_blocks(n_rows: int, n_columns: int, n_cells: int) -> Iterator[slice]:
    """Yield as few stretches of rows as a number of cells allows.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    n_columns : int
        Cells of a row, at least one.
    n_cells : int
        Most cells of a block; a row that has more is a block by itself.

    Yields
    ------
    slice
        The blocks, one after the other.

    Examples
    --------
    >>> list(row_blocks(5, 3, 7))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    size = max(1, n_cells // n_columns)
    for start in range(0, n_rows, size):
        yield slice(start, min(start + size, n_rows))
