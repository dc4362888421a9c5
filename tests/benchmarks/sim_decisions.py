"""Each way to decide from probabilities, judged by every metric.

Claim: where the probabilities are right, each decision wins the metric that it is made for, and
none wins them all. On a real data set with fitted probabilities the order is the same.

Command: python tests/benchmarks/sim_decisions.py
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from timing import environment, markdown_table

from sklearn_ordinal_censored import (
    OrdinalDecisionClassifier,
    get_scorer,
    load_anes96,
    mean_absolute_class_error,
    mean_squared_class_error,
    optimal_decisions,
    ordinal_accuracy,
    ordinal_cost,
    ordinal_cost_matrix,
    quadratic_weighted_kappa,
)

N_ROWS, N_REPEATS = 2000, 300
COST = ordinal_cost_matrix(5, under=4)
METRICS = {
    "accuracy": ordinal_accuracy,
    "absolute error": mean_absolute_class_error,
    "squared error": mean_squared_class_error,
    "cost (too low x 4)": lambda *grades: ordinal_cost(*grades, cost_matrix=COST, labels=range(5)),
    "QWK": quadratic_weighted_kappa,
}
DECISIONS = {
    "argmax": {},
    "median": {},
    "mean": {},
    "cost": {"cost_matrix": COST},
    "kappa": {},
}
CUTS = {"even grades": (-2.2, -0.7, 0.7, 2.2), "rare high grades": (0.0, 1.5, 2.6, 3.6)}


def simulate(cuts, rng):
    """Return the metrics of every decision on rows of an ordered logit model."""
    latent = rng.normal(scale=1.5, size=N_ROWS)
    above = expit(latent[:, np.newaxis] - np.array(cuts))
    true = (rng.random(N_ROWS)[:, np.newaxis] < above).sum(axis=1)
    ones, zeros = np.ones((N_ROWS, 1)), np.zeros((N_ROWS, 1))
    proba = -np.diff(np.hstack([ones, above, zeros]), axis=1)
    predicted = [
        optimal_decisions(proba, decision=name, **options).decisions
        for name, options in DECISIONS.items()
    ]
    return [[metric(true, grades) for metric in METRICS.values()] for grades in predicted]


def table(values, spread):
    """Return one line a decision; the best value of every column is bold."""
    better = [max if name in ("accuracy", "QWK") else min for name in METRICS]
    best = [choose(column) for choose, column in zip(better, values.T, strict=True)]
    return [
        [name, *map(_cell, row, spreads, best)]
        for name, row, spreads in zip(DECISIONS, values, spread, strict=True)
    ]


def _cell(value, spread, best):
    text = f"**{value:.4f}**" if value == best else f"{value:.4f}"
    return f"{text} ± {spread:.4f}"


def main():
    """Print the tables of the guide page."""
    print(environment())
    for title, cuts in CUTS.items():
        rng = np.random.default_rng(0)
        draws = np.array([simulate(cuts, rng) for _ in range(N_REPEATS)])
        spread = draws.std(axis=0) / np.sqrt(N_REPEATS)
        print(f"\n{title}: mean over {N_REPEATS} sets of {N_ROWS} rows ± standard error\n")
        print(markdown_table(["decision", *METRICS], table(draws.mean(axis=0), spread)))
    scores = np.abs(cross_validated())
    spread = scores.std(axis=2) / np.sqrt(scores.shape[2])
    print("\nanes96, logistic regression: mean over 20 x 5 folds ± standard error\n")
    print(markdown_table(["decision", *METRICS], table(scores.mean(axis=2), spread)))


def cross_validated():
    """Return the scores of every decision (axis 0), metric (1) and fold (2)."""
    X, y = load_anes96(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    cost = ordinal_cost_matrix(7, under=4)
    names = [
        "ordinal_accuracy",
        "neg_mean_absolute_class_error",
        "neg_mean_squared_class_error",
        "neg_ordinal_cost",
        "quadratic_weighted_kappa",
    ]
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=20, random_state=0)
    found = []
    for name in DECISIONS:
        decided = OrdinalDecisionClassifier(
            model, decision=name, cost_matrix=cost if name == "cost" else None
        )
        scorer = get_scorer(names, labels=range(7), cost_matrix=cost)
        values = cross_validate(decided, X, y, cv=folds, scoring=scorer, error_score="raise")
        found.append([values[f"test_{metric}"] for metric in names])
    return np.array(found)


if __name__ == "__main__":
    main()
