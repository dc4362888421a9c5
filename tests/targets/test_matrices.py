"""Names of a data frame over the grades."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored.targets._matrices import check_names, check_square_matrix

SCALE = np.array(["low", "mid", "high"])


@pytest.mark.parametrize("names", [["mid", "low", "high"], ["high", "low", "mid"]])
def test_the_grades_in_any_other_order_are_refused(names):
    told = rf"^y_proba has its columns in the order {re.escape(str(names))}, but .*columns=labels"
    with pytest.raises(ValueError, match=told):
        check_names("y_proba", pd.DataFrame(np.eye(3), columns=names), SCALE, ["columns"])


def test_names_along_one_axis_leave_the_other_alone():
    frame = pd.DataFrame(np.eye(3), index=["mid", "low", "high"], columns=SCALE)
    check_names("y_proba", frame, SCALE, ["columns"])
    with pytest.raises(ValueError, match=r"^y_proba has its index in the order"):
        check_names("y_proba", frame, SCALE, ["columns", "index"])


def test_other_names_say_nothing_about_the_order():
    for names in (["a", "b", "c"], [0, 1, 2], ["low", "low", "mid"]):
        frame = pd.DataFrame(np.arange(9.0).reshape(3, 3), index=names, columns=names)
        assert_array_equal(check_square_matrix("cost_matrix", frame, SCALE), frame)


def test_numbers_are_compared_with_their_names_as_text():
    text = pd.DataFrame(np.eye(3), columns=["2", "0", "1"])
    with pytest.raises(ValueError, match=r"but the scale is \[0, 1, 2\]"):
        check_names("y_proba", text, np.arange(3), ["columns"])
    check_names("y_proba", text[["0", "1", "2"]], np.arange(3), ["columns"])


def test_lists_have_an_index_that_names_nothing():
    check_square_matrix("cost_matrix", [[0, 1], [1, 0]], np.arange(2))
