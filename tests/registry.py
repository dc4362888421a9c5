"""The rows of the scorer registry by kind, so that tests can be driven by them."""

import inspect

from sklearn_ordinal_censored.metrics._scorers import REGISTRY


def is_label_metric(row):
    """Whether a metric compares predicted with true grades."""
    return {"y_pred", "labels"} <= set(inspect.signature(row.metric).parameters)


LABEL_METRICS = {name: row for name, row in REGISTRY.items() if is_label_metric(row)}
CENSORED_METRICS = {name: row for name, row in REGISTRY.items() if row.is_censored}
