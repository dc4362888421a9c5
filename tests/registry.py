"""The rows of the scorer registry by kind, and what each kind of metric reads besides the truth."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sklearn_ordinal_censored.metrics._scorers import REGISTRY


def rows_that_read(*responses):
    """Return the rows whose metric reads one of these of an estimator."""
    return {name: row for name, row in REGISTRY.items() if row.response in responses}


LABEL_METRICS = rows_that_read("grade")
PROBABILITY_METRICS = rows_that_read("probabilities")
SCORE_METRICS = rows_that_read("score", "ranking")
CENSORED_METRICS = rows_that_read("time")

# Probabilities of four grades for each predicted one: multiples of 1/64, so that sums are exact.
BLUR = np.array([[44, 14, 4, 2], [9, 40, 13, 2], [3, 11, 37, 13], [1, 4, 19, 40]]) / 64


class Second(NamedTuple):
    """The second argument of a metric of four grades, made of predicted ranks."""

    name: str
    of_ranks: Callable[[Any], Any]
    turned: Callable[[Any], Any]  # for the scale from the other end
    are_grades: bool = False

    def renamed(self, code, values):
        """The values where grades have other names; probabilities and scores have none."""
        return code(values) if self.are_grades else values


SECONDS = {
    "grade": [Second("y_pred", lambda ranks: ranks, lambda grades: grades, are_grades=True)],
    "probabilities": [Second("y_proba", BLUR.__getitem__, lambda proba: proba[:, ::-1])],
    "score": [Second("y_score", lambda ranks: ranks / 2 - 1, np.negative)],
    "ranking": [
        Second("y_score", lambda ranks: ranks / 2 - 1, np.negative),
        Second("y_score", BLUR.__getitem__, lambda proba: proba[:, ::-1]),
    ],
}


class Case(NamedTuple):
    """A metric of grades with one kind of second argument."""

    row: Any
    second: Second

    @property
    def rtol(self):
        """Tables of predicted grades are counted without rounding, sums over rows are not."""
        return 0 if self.second.are_grades else 1e-12


CASES = {
    f"{name}{'-of_probabilities' * place}": Case(row, second)
    for name, row in (LABEL_METRICS | PROBABILITY_METRICS | SCORE_METRICS).items()
    for place, second in enumerate(SECONDS[row.response])
}
