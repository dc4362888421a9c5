"""Targets: grades in, ranks and encodings out."""

from sklearn_ordinal_censored.targets._encoding import ordinal_decode, ordinal_encode

__all__ = ["ordinal_decode", "ordinal_encode"]
