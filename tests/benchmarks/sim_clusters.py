"""Do tests and intervals of the concordance keep what they promise with few clusters?

python tests/benchmarks/sim_clusters.py [n_samples] prints a table. Times are exponential, about a
third of them censored. With effects, the rows of a cluster share a part of the feature, and another
one of the log of time, both with a variance of 0.49 where the feature's own is 1. The true value is
the mean of the estimates. Nominal: 5 % rejected, 95 % of the intervals hold it.
"""

import sys
import warnings

import numpy as np

from sklearn_ordinal_censored.metrics import concordance_inference
from sklearn_ordinal_censored.targets import right_censored


def draw(n_clusters, size, effect, slope, rng):
    """Return a target, a prediction and the cluster of each row."""
    cluster = np.repeat(np.arange(n_clusters), size)
    of_time, of_feature = effect * rng.normal(size=(2, n_clusters))
    feature = rng.normal(size=len(cluster)) + of_feature[cluster]
    noise = np.log(rng.exponential(size=len(cluster)))
    time = np.exp(slope * feature + of_time[cluster] + noise)
    limit = rng.exponential(2.0, len(cluster))
    return right_censored(time <= limit, np.minimum(time, limit)), feature, cluster


def simulate(n_samples, *design):
    """Return the mean concordance and the shares that reject and that hold the true value."""
    rng = np.random.default_rng(0)
    results = []
    for _ in range(n_samples):
        y, pred, cluster = draw(*design, rng)
        results.append(concordance_inference(y, pred, cluster=cluster))
    true = np.mean([result.estimate for result in results])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ends = np.array([result.confidence_interval() for result in results])
    held = ((ends[:, 0] <= true) & (true <= ends[:, 1])).mean()
    return true, np.mean([result.pvalue < 0.05 for result in results]), held


if __name__ == "__main__":
    n_samples = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("| clusters | effects | true C | no relation rejected | logit holds it |")
    print("| --- | --- | ---: | ---: | ---: |")
    for n_clusters, size in ((15, 20), (50, 6), (150, 2)):
        for effect in (0.0, 0.7):
            for slope in (0.0, 0.5):
                true, rejected, held = simulate(n_samples, n_clusters, size, effect, slope)
                shown = "" if slope else f"{100 * rejected:.1f} %"
                name = f"{n_clusters} of {size} | {'yes' if effect else 'no'}"
                print(f"| {name} | {true:.3f} | {shown} | {100 * held:.1f} % |", flush=True)
