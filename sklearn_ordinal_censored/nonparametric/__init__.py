"""Nonparametric curves of censored times."""

from sklearn_ordinal_censored.nonparametric._kaplan_meier import KaplanMeier
from sklearn_ordinal_censored.nonparametric._turnbull import Turnbull

__all__ = [
    "KaplanMeier",
    "Turnbull",
]
