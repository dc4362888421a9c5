"""Do intervals keep what they promise for predictions of cross-validation?

python tests/benchmarks/sim_folds.py [n_samples] prints two tables.

The difference of two concordances: a regression of log times, fitted
anew for each of five folds, against a fixed risk; the folds are the strata, so that no pair
compares two of the fitted models. The true difference is the mean over the five models, of 20,000
new rows.

The quadratic weighted kappa of pooled grades: a regression of the grade, rounded, fitted anew for
each of five folds. The true value is that of the five models' grades of new rows, pooled.

Nominal: 95 % of the intervals hold it.
"""

import sys

import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold

from sklearn_ordinal_censored.metrics import (
    compare_concordance,
    concordance_index,
    kappa_inference,
    quadratic_weighted_kappa,
)
from sklearn_ordinal_censored.targets import right_censored

SLOPES, RISK = np.array([0.8, 0.5, 0.3, 0.0]), np.array([0.8, 0.0, 0.0, 0.6])


def draw(n_rows, rng):
    """Return features, exponential times, and a target with about 40 % censored rows."""
    X = rng.normal(size=(n_rows, 4))
    time, end = rng.exponential(np.exp(-X @ SLOPES)), rng.exponential(1.5, n_rows)
    followed = np.minimum(time, end)
    return X, followed, right_censored(time <= end, followed)


def one_sample(n_rows, new, rng):
    """Return the difference, its interval, its standard error and the true difference."""
    (X, time, y), (X_new, y_new) = draw(n_rows, rng), new
    fold, held_out, true = np.empty(n_rows, dtype=int), np.empty(n_rows), []
    for number, (train, test) in enumerate(KFold(5).split(X)):
        model = LinearRegression().fit(X[train], np.log(time[train]))
        fold[test], held_out[test] = number, model.predict(X[test])
        true.append(concordance_index(y_new, model.predict(X_new)))
    found = compare_concordance(y, held_out, -X @ RISK, strata=fold)
    low, high = found.confidence_interval()
    fixed = concordance_index(y_new, -X_new @ RISK)
    return found.difference, low, high, found.standard_error, np.mean(true) - fixed


def draw_grades(n_rows, rng):
    """Return features and five grades, the middle ones more frequent."""
    X = rng.normal(size=(n_rows, 4))
    latent = X @ SLOPES + rng.normal(size=n_rows)
    return X, np.digitize(latent, [-1.5, -0.5, 0.5, 1.5])


def one_sample_of_grades(n_rows, new, rng):
    """Return the pooled kappa, its interval, its standard error and the true kappa."""
    (X, y), (X_new, y_new) = draw_grades(n_rows, rng), new
    held_out, grades = np.empty(n_rows, dtype=int), []
    for train, test in KFold(5).split(X):
        model = LinearRegression().fit(X[train], y[train])
        held_out[test], of_new = (
            np.clip(np.rint(model.predict(rows)), 0, 4).astype(int) for rows in (X[test], X_new)
        )
        grades.append(of_new)
    found = kappa_inference(y, held_out, labels=range(5))
    true = quadratic_weighted_kappa(np.tile(y_new, 5), np.concatenate(grades), labels=range(5))
    return found.estimate, *found.confidence_interval(), found.standard_error, true


def print_table(title, one, new, rng, n_samples):
    """Print how far the estimates are off, and how many intervals hold the true value."""
    print(
        f"\n{title}\n\n| rows | standard deviation | mean standard error | held by 95 % intervals |"
    )
    print("| ---: | ---: | ---: | ---: |")
    for n_rows in (200, 600):
        samples = [one(n_rows, new, rng) for _ in range(n_samples)]
        estimate, low, high, error, true = np.array(samples).T
        held = 100 * ((low <= true) & (true <= high)).mean()
        spread = (estimate - true).std()
        print(f"| {n_rows} | {spread:.4f} | {error.mean():.4f} | {held:.1f} % |", flush=True)


if __name__ == "__main__":
    n_samples = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = np.random.default_rng(0)
    X_new, _, y_new = draw(20_000, rng)
    print_table("Differences of concordances", one_sample, (X_new, y_new), rng, n_samples)
    new = draw_grades(20_000, rng)
    print_table("Kappas of pooled grades", one_sample_of_grades, new, rng, n_samples)
