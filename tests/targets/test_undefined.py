"""What stands for an undefined value."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal_censored.targets._undefined import check_replacement, replace_undefined

NAN = float("nan")


def test_only_the_undefined_values_are_replaced():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_array_equal(replace_undefined([0.5, NAN], "kappa", "no row", 2.0), [0.5, 2.0])
        assert_array_equal(replace_undefined([0.5, 0.0], "kappa", "no row", NAN), [0.5, 0.0])


def test_nan_warns_and_names_the_metric_and_the_cure():
    with pytest.warns(UndefinedMetricWarning, match="kappa is undefined .* `replace_undefined_by`"):
        assert_array_equal(replace_undefined([NAN, 0.5], "kappa", "no row", NAN), [NAN, 0.5])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("zero", "replace_undefined_by='zero' must be a number"),
        (None, "replace_undefined_by=None must be a number"),
        (10**400, "is a number beyond float64"),
        (np.timedelta64(3, "D"), "replace_undefined_by"),
    ],
)
def test_other_replacements_are_refused(value, message):
    with pytest.raises(ValueError, match=message):
        check_replacement(value)
    with pytest.raises(ValueError, match=message):
        replace_undefined(0.5, "kappa", "no row", value)
