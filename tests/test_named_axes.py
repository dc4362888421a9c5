"""A data frame that names the grades in another order than the scale is refused."""

import numpy as np
import pandas as pd
import pytest

from sklearn_ordinal_censored.metrics import ordinal_cost, ordinal_cost_matrix, weighted_kappa
from sklearn_ordinal_censored.postprocessing import optimal_thresholds
from sklearn_ordinal_censored.targets import ordinal_decode

SCALE = ["low", "mid", "high"]
MATRIX = pd.DataFrame(ordinal_cost_matrix(3, under=3), index=SCALE, columns=SCALE)
TRUE, PRED = ["low", "mid", "high", "high"], ["low", "high", "high", "mid"]

CALLS = {
    "cost_matrix": lambda matrix: ordinal_cost(TRUE, PRED, cost_matrix=matrix, labels=SCALE),
    "weights": lambda matrix: weighted_kappa(TRUE, PRED, weights=matrix, labels=SCALE),
    "objective": lambda matrix: (
        optimal_thresholds(TRUE, np.arange(4.0), objective=matrix, labels=SCALE).objective_value
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_matrix_is_read_by_place_only_where_its_names_agree(name):
    call = CALLS[name]
    assert call(MATRIX) == call(MATRIX.to_numpy())
    assert call(MATRIX.set_axis(range(3)).set_axis(range(3), axis=1)) == call(MATRIX.to_numpy())
    for axis in ("index", "columns"):
        with pytest.raises(ValueError, match=rf"{name} has its {axis} in the order .*reindex"):
            call(MATRIX.reindex(**{axis: sorted(SCALE)}))


def test_probabilities_in_alphabetical_columns_are_refused():
    proba = pd.DataFrame([[0.7, 0.2, 0.1]], columns=sorted(SCALE))
    with pytest.raises(ValueError, match=r"y has its columns in the order .*reindex"):
        ordinal_decode(proba, encoding="class_probs", labels=SCALE)
    assert ordinal_decode(proba[SCALE], encoding="class_probs", labels=SCALE).tolist() == ["high"]


def test_rows_that_do_not_sum_to_one_are_shown_whole():
    with pytest.raises(ValueError, match=r"\[0.5, 0.5, 0.5\] sums to 1.5. Divide every row"):
        ordinal_decode([[0.5, 0.5, 0.5]], encoding="class_probs")
    with pytest.raises(ValueError, match="percentages by 100"):
        ordinal_decode([[50, 30, 20]], encoding="class_probs")
