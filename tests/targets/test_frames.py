"""The named columns of frames and structured arrays, and the order of their rows."""

import numpy as np
import pandas as pd
import pytest

from sklearn_ordinal_censored.targets._frames import check_row_order, read_frame


def test_fields_of_a_table_of_records_are_refused():
    records = np.zeros((2, 2), dtype=[("event", "?"), ("time", "f8")])
    with pytest.raises(ValueError, match=r"^y is a structured array of shape \(2, 2\); it must be"):
        read_frame("y", records)


def test_columns_are_series_of_the_library_of_the_frame():
    frame = pd.DataFrame({"event": [1, 0], "time": [5.0, 8.0]}, index=[7, 9])
    columns = read_frame("y", frame)
    assert list(columns) == ["event", "time"]
    pd.testing.assert_series_equal(columns["time"], frame["time"])


def test_rows_in_another_order_are_noticed_whichever_side_is_sorted():
    ordered = pd.Series([1, 2, 3], index=[4, 5, 6])
    turned = ordered[::-1]
    for event, time in ((ordered, turned), (turned, ordered)):
        with pytest.raises(ValueError, match=r"same index.*`time\.loc\[event\.index\]`"):
            check_row_order(event=event, time=time)
    check_row_order(event=turned, time=turned + 1)
    check_row_order(event=ordered, time=turned.set_axis([1, 2, 3]))
    check_row_order(event=ordered.to_numpy(), time=turned)
