"""Log probabilities and integrals of squares far out in the tails, as 60 digits give them."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_ordinal_censored._kernels.crps import censored_crps_scores
from sklearn_ordinal_censored._kernels.families import FAMILIES, log_likelihood

INF = math.inf
ONE = np.ones(1)

# Family, bounds, log probability: differences of the cdf or the survival, by mpmath 1.4.1.
INTERVALS = [
    ("normal", 40, INF, -804.608442013753788),
    ("normal", -INF, -40, -804.608442013753788),
    ("normal", 40, 41, -804.608442013753788),
    ("normal", -41, -40, -804.608442013753788),
    ("normal", 40, 40.875, -804.608442013753789),
    ("normal", 40, 40.000001, -814.734469093627154),
    ("normal", -0.000001, 0.000001, -14.0413019106091682),
    ("normal", 0, 0.000000001, -21.6422043701510838),
    ("normal", -3, 2, -0.0243951875548873461),
    ("normal", -8, 8, -1.2441921148543576e-15),
    ("normal", 5, 5.5, -15.1335408112712876),
    ("logistic", 800, INF, -800.0),
    ("logistic", -INF, -800, -800.0),
    ("logistic", 800, 801, -800.458675145387082),
    ("logistic", -801, -800, -800.458675145387082),
    ("logistic", -0.000001, 0.000001, -14.5086577385243028),
    ("logistic", 40, 40.000000001, -60.7232693074257376),
    ("logistic", -2, 3, -0.182276112066203113),
    ("weibull", 6, INF, -403.428793492735123),
    ("weibull", -INF, -800, -800.0),
    ("weibull", -801, -800, -800.458675145387082),
    ("weibull", -0.000001, 0.000001, -14.1223633774044955),
    ("weibull", 5, 5.001, -150.393739516128936),
    ("weibull", -INF, 5, -3.5073891964646231e-65),
    ("weibull", -2, 1, -0.21389274397180524),
]

# Family, time, scale, integral of F^2 up to the time, integral of S^2 from it on, for location 0.
AREAS = [
    ("normal", -20.0, 1, 1.88857006418956e-179, 19.43581041645224),
    ("normal", -3.0, 1, 2.667986571223012e-7, 2.436574458287682),
    ("normal", 0.5, 1, 0.2970149859990439, 0.03438854525581187),
    ("normal", 8.0, 1, 7.435810416452244, 2.365203309101689e-32),
    ("logistic", -30.0, 1, 4.378255381347714e-27, 29.00000000000019),
    ("logistic", -1.0, 1, 0.04432026614822771, 0.582203108888218),
    ("logistic", 0.5, 1, 0.3516176529782521, 0.09653631538196125),
    ("logistic", 30.0, 1, 29.00000000000019, 4.378255381347714e-27),
    ("lognormal", 0.049787068367863944, 0.5, 1.868764603199377e-21, 0.7702425631455085),
    ("lognormal", 1.3887943864964021e-11, 1, 2.538412391793683e-288, 0.7905620507390527),
    ("lognormal", 72004899337.38588, 1, 72004899334.878999, 1.369636010092737e-266),
    ("lognormal", 1.010050167084168, 0.01, 0.005975463316538627, 7.326824392219719e-5),
    ("lognormal", 403.4287934927351, 3, 359.2968814200423, 0.2635313361966243),
    ("loglogistic", 4.5399929762484854e-05, 0.5, 3.857499684569409e-23, 0.7853527634677482),
    ("loglogistic", 0.14956861922263506, 1.9, 0.005942981042414942, 17.28585251395655),
    ("loglogistic", 1.010050167084168, 0.01, 0.005831104664500299, 0.0004502351988063592),
    ("loglogistic", 162754.79141900392, 1, 162731.7914005714, 6.144174602214718e-6),
    ("weibull", 2.061153622438558e-09, 1, 2.918836916386712e-27, 0.4999999979388464),
    ("weibull", 0.9900498337491681, 0.01, 0.0005262222431007047, 0.003478160819703677),
    ("weibull", 20.085536923187668, 3, 14.6361348699108, 0.06928322054438814),
    ("weibull", 2.718281828459045, 0.5, 1.572699356860265, 3.403872040719851e-8),
]

every_family = pytest.mark.parametrize("name", FAMILIES)


def in_time(name, z):
    return math.exp(z) if FAMILIES[name].is_positive and z > -INF else z


@pytest.mark.parametrize(("name", "low", "high", "expected"), INTERVALS)
def test_log_probabilities_of_intervals(name, low, high, expected):
    family = FAMILIES[name]._replace(is_positive=False)
    value = log_likelihood(family, low * ONE, high * ONE, 0 * ONE, ONE)
    assert_allclose(value, expected, rtol=1e-14)


@pytest.mark.parametrize(("name", "time", "scale", "below", "above"), AREAS)
def test_integrals_of_squares(name, time, scale, below, above):
    parameters = (0 * ONE, scale * ONE)
    tolerance = {"rtol": 1e-12}
    value = censored_crps_scores(name, time * ONE, INF * ONE, *parameters)
    assert_allclose(value, below, **tolerance)
    value = censored_crps_scores(name, -INF * ONE, time * ONE, *parameters)
    assert_allclose(value, above, **tolerance)


@every_family
def test_functions_of_a_family_belong_together(name):
    family, z = FAMILIES[name], np.linspace(-9, 3, 49)
    assert_allclose(np.exp(family.log_cdf(z)), family.cdf(z), rtol=1e-12)
    assert_allclose(np.exp(family.log_survival(z)), 1 - family.cdf(z), rtol=1e-9, atol=1e-15)
    step = 1e-5
    slope = (family.cdf(z + step) - family.cdf(z - step)) / (2 * step)
    assert_allclose(np.exp(family.log_density(z)), slope, rtol=1e-4, atol=1e-9)


@every_family
def test_the_bulk_holds_all_that_floats_can_see(name):
    family = FAMILIES[name]
    low, high = (np.array([end]) for end in family.bulk)
    assert family.log_cdf(low) < -36.8  # half the distance from 1 to its neighbour
    assert family.log_survival(high) < -36.8


@every_family
def test_parts_of_an_interval_add_up(name):
    family = FAMILIES[name]._replace(is_positive=False)
    for ends in (np.linspace(-30, -20, 101), np.linspace(-1, 1, 2001), np.linspace(2, 3.5, 16)):
        parameters = (np.zeros(len(ends) - 1), np.ones(len(ends) - 1))
        parts = log_likelihood(family, ends[:-1], ends[1:], *parameters)
        whole = log_likelihood(family, ends[:1], ends[-1:], 0 * ONE, ONE)
        assert_allclose(np.logaddexp.reduce(parts), whole, rtol=1e-12)


@pytest.mark.parametrize("name", [name for name in FAMILIES if FAMILIES[name].is_positive])
def test_a_narrow_interval_is_its_width_times_the_density(name):
    time = np.array([0.001, 1.0, 1000.0])
    width = np.ldexp([1.0, 1.0, 1.0], [-50, -40, -30])
    parameters = (np.full(3, 0.3), np.full(3, 2.0))
    density = log_likelihood(FAMILIES[name], time, time, *parameters)
    value = log_likelihood(FAMILIES[name], time, time + width, *parameters)
    assert_allclose(value, density + np.log(width), rtol=1e-11)


@every_family
def test_integrals_of_stretches_add_up(name):
    times = np.array([in_time(name, z) for z in np.linspace(-3, 3, 13)])
    parameters = (np.zeros(13), np.full(13, 0.7))
    below = censored_crps_scores(name, times, np.full(13, INF), *parameters)
    above = censored_crps_scores(name, np.full(13, -INF), times, *parameters)
    assert (np.diff(below) > 0).all()
    assert (np.diff(above) < 0).all()
    both = censored_crps_scores(name, times, times, *parameters)
    assert_allclose(both, below + above, rtol=1e-14)


def test_a_chunk_of_rows_is_as_good_as_a_row():
    location = np.linspace(-1, 1, 5000)
    for name in FAMILIES:
        time = np.full(5000, 1.5)
        values = censored_crps_scores(name, time, time, location, np.full(5000, 0.5))
        alone = [
            censored_crps_scores(name, ONE * 1.5, ONE * 1.5, location[row : row + 1], ONE / 2)
            for row in (0, 4095, 4096, 4999)
        ]
        assert_allclose(values[[0, 4095, 4096, 4999]], np.ravel(alone), rtol=1e-13)


def test_names_mean_what_they_mean_in_scipy():
    time = np.linspace(0.1, 6, 30)
    location, scale = np.full(30, 0.4), np.full(30, 0.6)
    peers = {
        "lognormal": stats.lognorm(0.6, scale=math.exp(0.4)),
        "loglogistic": stats.fisk(1 / 0.6, scale=math.exp(0.4)),
        "weibull": stats.weibull_min(1 / 0.6, scale=math.exp(0.4)),
        "normal": stats.norm(0.4, 0.6),
        "logistic": stats.logistic(0.4, 0.6),
    }
    assert set(peers) == set(FAMILIES)
    for name, peer in peers.items():
        value = log_likelihood(FAMILIES[name], time, time, location, scale)
        assert_allclose(value, peer.logpdf(time), rtol=1e-12)
