"""scikit-learn's own checks, on a subclass that takes their plain targets for event times."""

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import Ridge
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_ordinal_censored.compose import IPCWRegressor
from sklearn_ordinal_censored.targets import right_censored


class PlainTarget(IPCWRegressor):
    """Reads a plain target as event times of which none is censored."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, None if y is None else self._times(y), sample_weight)

    def score(self, X, y, sample_weight=None):
        return super().score(X, self._times(y), sample_weight)

    @staticmethod
    def _times(y):
        y = column_or_1d(check_array(y, ensure_2d=False, input_name="y"), warn=True)
        return right_censored(np.ones(len(y)), y - y.min() + 1)


def _expected_failures(estimator):
    if not isinstance(estimator.estimator, GradientBoostingRegressor):
        return {}
    reason = "GradientBoostingRegressor fails it on its own, without any censoring"
    kinds = ("dense", "sparse")
    return {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in kinds}


BASES = [Ridge(), GradientBoostingRegressor(n_estimators=5, random_state=0)]
CHECKS = parametrize_with_checks(
    [PlainTarget(base) for base in BASES], expected_failed_checks=_expected_failures
)


# A list: scikit-learn before 1.8 hands over a generator, about which pytest 9 warns.
@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), **CHECKS.kwargs)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
