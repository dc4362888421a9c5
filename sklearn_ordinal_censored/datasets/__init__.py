"""Data sets with an ordinal or a censored target: real ones that need no network, and made ones."""

from sklearn_ordinal_censored.datasets._generators import make_censored, make_ordinal
from sklearn_ordinal_censored.datasets._loaders import load_anes96, load_gbsg2

__all__ = [
    "load_anes96",
    "load_gbsg2",
    "make_censored",
    "make_ordinal",
]
