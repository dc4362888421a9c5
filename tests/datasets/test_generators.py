"""Artificial ordinal data: the model behind it, its shares of grades, and what is refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from sklearn.linear_model import LinearRegression

from sklearn_ordinal_censored.datasets import make_censored, make_ordinal


def test_default_shapes_and_types():
    X, y = make_ordinal(random_state=0)
    assert X.shape == (100, 5)
    assert X.dtype == np.float64
    assert y.shape == (100,)
    assert y.dtype == np.int64
    assert np.unique(y).tolist() == [0, 1, 2, 3, 4]


def test_latent_comes_last_and_changes_nothing():
    X, y = make_ordinal(random_state=3)
    X_again, y_again, latent = make_ordinal(random_state=3, return_latent=True)
    assert_array_equal(X, X_again)
    assert_array_equal(y, y_again)
    assert latent.shape == y.shape
    assert latent.dtype == np.float64


def test_integer_seed_repeats_the_data():
    first, second, other = (make_ordinal(random_state=seed) for seed in (7, 7, 8))
    for one, two in zip(first, second, strict=True):
        assert_array_equal(one, two)
    assert not np.array_equal(first[0], other[0])


def test_random_state_instance_moves_on():
    rng = np.random.RandomState(7)
    first, second = make_ordinal(random_state=rng), make_ordinal(random_state=rng)
    assert_array_equal(first[0], make_ordinal(random_state=7)[0])
    assert not np.array_equal(first[0], second[0])


def test_no_seed_leaves_the_global_seed_in_charge():
    np.random.seed(5)  # noqa: NPY002 - the global state is what is tested
    X, _ = make_ordinal()
    assert_array_equal(X, make_ordinal(random_state=5)[0])


@pytest.mark.parametrize("noise", [0, 0.5, 2.0])
@pytest.mark.parametrize("weights", [None, [6, 3, 1], [0.2, 0.2, 0.6]])
def test_grades_are_cut_at_population_quantiles(weights, noise):
    _, y, latent = make_ordinal(
        500, n_classes=3, class_weights=weights, noise=noise, random_state=0, return_latent=True
    )
    shares = np.full(3, 1 / 3) if weights is None else np.array(weights) / np.sum(weights)
    cuts = norm(scale=np.sqrt(1 + noise**2)).ppf(np.cumsum(shares)[:2])
    assert_array_equal(y, (latent > cuts[0]).astype(int) + (latent > cuts[1]))


def test_shares_of_grades_approach_the_weights():
    weights = np.array([0.5, 0.05, 0.15, 0.3])
    _, y = make_ordinal(200_000, n_classes=4, class_weights=weights, random_state=0)
    # Five standard errors of a share.
    assert_allclose(np.bincount(y) / 200_000, weights, atol=5 * np.sqrt(0.25 / 200_000))


def test_weights_count_by_their_ratios():
    _, y = make_ordinal(n_classes=3, class_weights=[1, 2, 5], random_state=0)
    for factor in (1 / 8, 1e-300, 1e307):
        weights = factor * np.array([1.0, 2.0, 5.0])
        assert_array_equal(make_ordinal(n_classes=3, class_weights=weights, random_state=0)[1], y)


def test_equal_weights_are_the_default():
    assert_array_equal(
        make_ordinal(class_weights=[2] * 5, random_state=0)[1], make_ordinal(random_state=0)[1]
    )


@pytest.mark.parametrize(
    ("weights", "grades"),
    [
        ([0, 1, 1, 1], [1, 2, 3]),
        ([1, 0, 1, 1], [0, 2, 3]),
        ([1, 1, 0, 0], [0, 1]),
        ([0, 0, 1, 0], [2]),
    ],
)
def test_grade_of_weight_zero_never_occurs(weights, grades):
    _, y = make_ordinal(1000, n_classes=4, class_weights=weights, random_state=0)
    assert np.unique(y).tolist() == grades


def test_weights_that_do_not_add_up_exactly_lose_no_grade():
    # 0.1 + 0.2 + 0.7 rounds away from one.
    _, y = make_ordinal(1000, n_classes=4, class_weights=[0.1, 0.2, 0.7, 0], random_state=0)
    assert np.unique(y).tolist() == [0, 1, 2]


def test_without_noise_the_score_is_linear_in_the_informative_features():
    X, _, latent = make_ordinal(50, 6, n_informative=2, noise=0, random_state=0, return_latent=True)
    model = LinearRegression().fit(X, latent)
    assert_allclose(model.predict(X), latent, atol=1e-12)
    assert_allclose(model.coef_[2:], 0, atol=1e-12)
    assert np.linalg.norm(model.coef_) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(5))
def test_no_informative_feature_is_negligible(seed):
    X, _, latent = make_ordinal(50, noise=0, random_state=seed, return_latent=True)
    sizes = np.abs(LinearRegression().fit(X, latent).coef_)
    assert sizes.max() < 2 * sizes.min()


def test_all_features_are_informative_by_default():
    for default, stated in zip(
        make_ordinal(n_features=4, random_state=0),
        make_ordinal(n_features=4, n_informative=4, random_state=0),
        strict=True,
    ):
        assert_array_equal(default, stated)


@pytest.mark.parametrize("noise", [0.5, 1.0, 3.0])
def test_noise_sets_the_attainable_r2(noise):
    X, _, latent = make_ordinal(50_000, noise=noise, random_state=0, return_latent=True)
    r2 = LinearRegression().fit(X, latent).score(X, latent)
    assert r2 == pytest.approx(1 / (1 + noise**2), abs=0.01)


def test_noise_leaves_the_features_as_they_are():
    quiet, loud = (make_ordinal(noise=noise, random_state=0)[0] for noise in (0, 5))
    assert_array_equal(quiet, loud)


def test_features_are_standard_normal():
    X, _ = make_ordinal(100_000, 3, random_state=0)
    assert_allclose(X.mean(axis=0), 0, atol=0.02)
    assert_allclose(np.cov(X, rowvar=False), np.eye(3), atol=0.02)


def test_smallest_request():
    X, y = make_ordinal(1, 1, n_classes=2, random_state=0)
    assert X.shape == (1, 1)
    assert y.shape == (1,)


def test_numpy_scalars_are_numbers():
    X, y = make_ordinal(np.int32(7), np.int64(2), noise=np.float32(0.5), random_state=0)
    assert X.shape == (7, 2)
    assert y.shape == (7,)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_samples": 0}, r"n_samples=0 .* whole number, at least 1"),
        ({"n_samples": 10.0}, r"n_samples=10\.0 .* whole number, at least 1"),
        ({"n_samples": True}, r"n_samples=True .* whole number, at least 1"),
        ({"n_features": -2}, r"n_features=-2 .* whole number, at least 1"),
        ({"n_features": "5"}, r"n_features='5' .* whole number, at least 1"),
        ({"n_classes": 1}, r"n_classes=1 .* whole number, at least 2"),
        ({"n_informative": 0}, r"n_informative=0 .* whole number, at least 1"),
        ({"n_informative": 6}, r"n_informative=6 is more than n_features=5"),
        ({"n_informative": 1.5}, r"n_informative=1\.5 .* whole number"),
        ({"noise": -0.1}, r"noise=-0\.1 .* finite number, at least 0"),
        ({"noise": np.nan}, r"noise=nan .* finite number"),
        ({"noise": np.inf}, r"noise=inf .* finite number"),
        ({"noise": "1"}, r"noise='1' .* finite number"),
        ({"noise": None}, r"noise=None .* finite number"),
    ],
)
def test_refused_numbers(options, message):
    with pytest.raises(ValueError, match=message):
        make_ordinal(**options)


@pytest.mark.parametrize(
    "weights",
    [
        [0.5, 0.5],
        [[1, 1, 1]],
        [1, 1, -1],
        [0, 0, 0],
        [1, np.nan, 1],
        [1, np.inf, 1],
        ["low", "mid", "high"],
        {0: 0.2, 1: 0.3, 2: 0.5},
        [1, [2, 3], 4],
        1.0,
        "balanced",
    ],
)
def test_refused_class_weights(weights):
    with pytest.raises(
        ValueError, match=r"class_weights=.* pass n_classes=3 finite numbers"
    ) as info:
        make_ordinal(n_classes=3, class_weights=weights)
    assert repr(weights) in str(info.value)


def test_refused_random_state():
    with pytest.raises(ValueError, match="cannot be used to seed"):
        make_ordinal(random_state="seed")


def test_options_are_keyword_only():
    with pytest.raises(TypeError, match="positional"):
        make_ordinal(100, 5, 3)


def test_censored_rows_follow_the_stated_model():
    X, y, time = make_censored(
        50_000, 3, n_informative=2, censoring_rate=0.6, noise=0.5, random_state=1, return_time=True
    )
    assert X.shape == (50_000, 3)
    assert abs(1 - y["event"].mean() - 0.6) < 0.01
    np.testing.assert_array_equal(y["time"][y["event"]], time[y["event"]])
    assert (y["time"][~y["event"]] < time[~y["event"]]).all()
    log_time = np.log(time)
    assert abs(log_time.var() - 1.25) < 0.02
    assert abs(np.corrcoef(X[:, 2], log_time)[0, 1]) < 0.02


def test_censored_rows_without_censoring_are_all_events_and_repeatable():
    first, second = (make_censored(20, censoring_rate=0, random_state=3) for _ in range(2))
    assert first[1]["event"].all()
    np.testing.assert_array_equal(first[1], second[1])


@pytest.mark.parametrize("rate", [1, 1.5, -0.1, np.nan, "0.3"])
def test_refused_censoring_rates(rate):
    with pytest.raises(ValueError, match="censoring_rate="):
        make_censored(censoring_rate=rate)
