"""Targets: grades in, ranks and encodings out."""

from sklearn_ordinal_censored.targets._censored import (
    as_right_censored,
    from_censoring_codes,
    interval_censored,
    right_censored,
)
from sklearn_ordinal_censored.targets._encoding import ordinal_decode, ordinal_encode

__all__ = [
    "as_right_censored",
    "from_censoring_codes",
    "interval_censored",
    "ordinal_decode",
    "ordinal_encode",
    "right_censored",
]
