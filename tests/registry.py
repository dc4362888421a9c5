"""The rows of the scorer registry by kind, so that tests can be driven by them."""

from sklearn_ordinal_censored.metrics._scorers import REGISTRY


def rows_that_read(*responses):
    """Return the rows whose metric reads one of these of an estimator."""
    return {name: row for name, row in REGISTRY.items() if row.response in responses}


LABEL_METRICS = rows_that_read("grade")
PROBABILITY_METRICS = rows_that_read("probabilities")
SCORE_METRICS = rows_that_read("score", "ranking")
CENSORED_METRICS = rows_that_read("time")
