"""Nonparametric curves of censored times."""

from sklearn_ordinal_censored.nonparametric._kaplan_meier import KaplanMeier

__all__ = ["KaplanMeier"]
