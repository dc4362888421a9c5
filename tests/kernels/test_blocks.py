"""Blocks of rows: all rows, once, in as few blocks as the cells allow."""

import math

from hypothesis import given
from hypothesis import strategies as st

from sklearn_ordinal_censored._kernels.blocks import row_blocks


@given(st.integers(0, 50), st.integers(1, 9), st.integers(1, 100))
def test_every_row_is_in_one_block_of_a_minimal_number(n_rows, n_columns, n_cells):
    blocks = list(row_blocks(n_rows, n_columns, n_cells))
    assert [row for block in blocks for row in range(block.start, block.stop)] == [*range(n_rows)]
    sizes = [block.stop - block.start for block in blocks]
    assert all(size == 1 or size * n_columns <= n_cells for size in sizes)
    assert len(blocks) == math.ceil(n_rows / max(1, n_cells // n_columns))


def test_a_row_with_too_many_cells_is_a_block_by_itself():
    assert list(row_blocks(2, 9, 4)) == [slice(0, 1), slice(1, 2)]
