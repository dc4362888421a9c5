"""Tests and intervals of estimates of any kind."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
from scipy import stats
from scipy.special import expit, logit
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal_censored.metrics._estimates import Comparison, Estimate, Link, normal_test


def test_normal_test():
    assert normal_test(0.0, 0.0) == (0.0, 1.0)
    assert normal_test(-1.0, 0.5) == (-2.0, pytest.approx(2 * stats.norm.cdf(-2), rel=1e-13))
    assert all(map(math.isnan, normal_test(math.nan, math.nan)))
    with pytest.warns(UndefinedMetricWarning, match=r"error of 1.0 is 0, so that there is no test"):
        assert all(map(math.isnan, normal_test(1.0, 0.0)))


@dataclass(frozen=True)
class Share(Estimate):
    """A share between 0 and 1, with a logit interval, and what it was counted from."""

    n_rows: int

    _links: ClassVar = {
        **Estimate._links,
        "logit": Link(0.0, 1.0, logit, expit, lambda share: 1 / (share * (1 - share))),
    }


def test_other_estimates_bring_their_own_scale_and_counts():
    share = Share(0.9, 0.05, 0.05, *normal_test(0.9 - 0.5, 0.05), n_rows=36)
    assert "n_rows=36" in repr(share)
    ends = share.confidence_interval(method="logit")
    margin = stats.norm.ppf(0.975) * 0.05 / 0.09
    assert ends == pytest.approx(expit([logit(0.9) - margin, logit(0.9) + margin]), rel=1e-12)
    assert share.confidence_interval().high == pytest.approx(0.9 + stats.norm.ppf(0.975) * 0.05)
    with pytest.raises(ValueError, match="use one of 'wald', 'logit'"):
        share.confidence_interval(method="bootstrap")
    with pytest.raises(ValueError, match=r"between 0\.0 and 1\.0, but it is 1\.0; use 'wald'\."):
        replace(share, estimate=1.0).confidence_interval(method="logit")


def test_no_estimate_without_a_bootstrap_offers_one():
    for result in (Estimate(0.5, 0.1, 0.1, 5.0, 0.0), Comparison(0.5, 0.1, 5.0, 0.0)):
        with pytest.raises(ValueError, match=r"method='bootstrap' is not known; use one of 'wald'"):
            result.confidence_interval(method="bootstrap")
