"""Which rows belong together, and which values there are, also where they cannot be sorted."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored.targets._groups import distinct_values, read_groups


class Unordered:
    """Has neither an order nor a hash of its own value."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


def test_rows_are_numbered_by_the_order_of_their_groups():
    for groups in (["b", "a", "b", "c"], [2.5, -1, 2.5, 7], [Fraction(1, 2), 0, Fraction(1, 2), 9]):
        found = read_groups("strata", groups)
        assert_array_equal(found, [1, 0, 1, 2])
        assert found.dtype == np.intp


def test_groups_that_cannot_be_sorted_are_refused():
    told = (
        r"^strata holds one, two, which cannot be sorted \(.*not supported.*\); number the groups"
    )
    with pytest.raises(ValueError, match=told):
        read_groups("strata", [Unordered("one"), Unordered("two")])


def test_distinct_values_are_sorted_values_of_python():
    found = distinct_values(np.array([2.5, 1, 2.5]))
    assert found == [1, 2.5]
    assert [type(value) for value in found] == [float, float]


def test_distinct_values_without_an_order_come_as_they_appear():
    one, two = Unordered("one"), Unordered("two")
    shown = [repr(value) for value in distinct_values(np.array([two, one, two, Unordered("one")]))]
    assert shown == ["two", "one"]
    assert distinct_values(np.array([{"a"}, [1], {"a"}], dtype=object)) == [{"a"}, [1]]
