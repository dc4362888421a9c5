"""Losses of raw scores: values, derivatives, and that steps with the stand-in lead downhill."""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import oracles_boosting as oracles
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import softmax

from sklearn_ordinal_censored.boosting._losses import cost_log_loss, soft_kappa_loss
from sklearn_ordinal_censored.metrics import (
    cost_weighted_log_loss,
    disagreement_matrix,
    soft_weighted_kappa,
)


class Problem(NamedTuple):
    """Raw scores, true ranks, weights, and what errors cost."""

    scores: list[list[float]]
    codes: list[int]
    weight: list[float]
    matrix: list[list[float]]

    @property
    def arrays(self):
        """What a loss takes."""
        dtypes = (float, np.intp, float, float)
        return tuple(np.array(part, dtype) for part, dtype in zip(self, dtypes, strict=True))


@st.composite
def problems(draw, largest=4.0):
    """Two grades of positive weight at least; every error has a price, not symmetric as a rule."""
    n_classes, n_rows = draw(st.integers(2, 5)), draw(st.integers(2, 7))
    row = st.lists(st.floats(-largest, largest), min_size=n_classes, max_size=n_classes)
    prices = draw(st.lists(st.integers(1, 20), min_size=n_classes**2, max_size=n_classes**2))
    matrix = np.reshape(prices, (n_classes, n_classes)) / 20
    np.fill_diagonal(matrix, 0)
    first = draw(st.permutations(range(n_classes)))[:2]
    n_more = n_rows - len(first)
    grades = st.lists(st.integers(0, n_classes - 1), min_size=n_more, max_size=n_more)
    counting = st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=2, max_size=2)
    weights = st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=n_more, max_size=n_more)
    return Problem(
        draw(st.lists(row, min_size=n_rows, max_size=n_rows)),
        first + draw(grades),
        draw(counting) + draw(weights),
        matrix.tolist(),
    )


def is_smooth(problem):
    """Whether the most probable grade of no row changes within the step of a difference."""
    highest = np.sort(problem.scores, axis=1)[:, -2:]
    return bool((np.diff(highest, axis=1) > 1e-3).all())


@given(problems())
def test_soft_kappa_against_loops(problem):
    loss = soft_kappa_loss(*problem.arrays)
    assert loss.value == pytest.approx(oracles.soft_kappa_loss(*problem), rel=1e-11)
    slopes = oracles.slopes(lambda z: oracles.soft_kappa_loss(z, *problem[1:]), problem.scores)
    assert_allclose(loss.gradient, slopes, rtol=1e-6, atol=1e-6)


@given(problems(), st.sampled_from([0.0, 0.5, 3.0]))
def test_log_loss_against_loops(problem, alpha):
    assume(is_smooth(problem))
    loss = cost_log_loss(*problem.arrays, alpha)
    assert loss.value == pytest.approx(oracles.cost_log_loss(*problem, alpha), rel=1e-11)
    slopes = oracles.slopes(lambda z: oracles.cost_log_loss(z, *problem[1:], alpha), problem.scores)
    assert_allclose(loss.gradient, slopes, rtol=1e-6, atol=1e-6)


@given(problems(), st.sampled_from([0.0, 0.5, 3.0]))
def test_values_are_those_of_the_metrics(problem, alpha):
    scores, codes, weight, matrix = problem.arrays
    proba, labels = softmax(scores, axis=1), range(len(matrix))
    keywords = {"labels": labels, "sample_weight": weight}
    kappa = soft_weighted_kappa(codes, proba, weights=matrix, **keywords)
    loss = soft_kappa_loss(scores, codes, weight, matrix)
    assert loss.value / weight.sum() == pytest.approx(1 - kappa, rel=1e-9)
    expected = cost_weighted_log_loss(codes, proba, cost_matrix=matrix, alpha=alpha, **keywords)
    loss = cost_log_loss(scores, codes, weight, matrix, alpha)
    assert loss.value / weight.sum() == pytest.approx(expected, rel=1e-9)


@given(problems(largest=800.0))
def test_stand_ins_are_positive_and_steps_bounded(problem):
    scores, codes, weight, matrix = problem.arrays
    for loss in (
        soft_kappa_loss(scores, codes, weight, matrix),
        cost_log_loss(scores, codes, weight, matrix, 0.5),
        soft_kappa_loss(scores, codes, weight, matrix).of_one_score(),
    ):
        assert np.isfinite(loss.gradient).all()
        assert (loss.hessian > 0).all()
    steps = soft_kappa_loss(scores, codes, weight, matrix)
    assert (np.abs(steps.gradient) <= 2.5 * steps.hessian + 1e-14).all()


@given(problems())
def test_five_times_the_stand_in_bounds_the_curvature_of_a_row(problem):
    """The Hessian of w sum p_k g_k at fixed g, for g read off the gradient of the whole."""
    scores, codes, weight, matrix = problem.arrays
    bound = 5 * soft_kappa_loss(scores, codes, weight, matrix).hessian
    proba = softmax(scores, axis=1)
    expected = np.bincount(codes, weights=weight, minlength=len(matrix)) / weight.sum() @ matrix
    observed = matrix[codes]
    denominator = weight @ (proba @ expected)
    ratio = weight @ (proba * observed).sum(axis=1) / denominator
    g = weight.sum() / denominator * (observed - ratio * expected)
    for i, w in enumerate(weight):
        p, c = proba[i], g[i] - proba[i] @ g[i]
        hessian = w * (np.diag(p * c) - np.outer(p, p) * (c[:, np.newaxis] + c))
        assert np.linalg.eigvalsh(np.diag(bound[i]) - hessian).min() >= -1e-10


@given(problems())
def test_one_score_of_two_grades_is_the_difference_of_two(problem):
    scores, codes, weight, _ = problem.arrays
    codes = codes % 2
    assume(len(set(codes[weight > 0])) == 2)
    columns = np.column_stack([np.zeros(len(scores)), scores[:, 0]])
    matrix = disagreement_matrix(2)
    loss = soft_kappa_loss(columns, codes, weight, matrix).of_one_score()
    slopes = oracles.slopes(
        lambda z: oracles.soft_kappa_loss([[0, *row] for row in z], codes, weight, matrix),
        scores[:, :1].tolist(),
    )
    assert_allclose(loss.gradient, np.ravel(slopes), rtol=1e-6, atol=1e-6)
    loss = cost_log_loss(columns, codes, weight, matrix, 0.0).of_one_score()
    proba = softmax(columns, axis=1)[:, 1]
    assert_allclose(loss.gradient, weight * (proba - codes), atol=1e-12)
    assert_allclose(loss.hessian, np.maximum(weight * proba * (1 - proba), 5e-13), atol=1e-15)


def descend(loss, leaves, n_classes, rate, n_steps):
    """Newton steps of a constant a leaf and grade, as a library takes them; the value of each."""
    leaf_scores = np.zeros((leaves.max() + 1, n_classes))
    for _ in range(n_steps):
        now = loss(leaf_scores[leaves])
        yield now.value, leaf_scores[leaves]
        sums = np.zeros((2, *leaf_scores.shape))
        np.add.at(sums[0], leaves, now.gradient)
        np.add.at(sums[1], leaves, now.hessian)
        leaf_scores = leaf_scores - rate * sums[0] / sums[1]


@pytest.fixture(scope="module")
def sample():
    """Grades that depend on the leaf of a row."""
    rng = np.random.default_rng(0)
    leaves = rng.integers(0, 6, 300)
    codes = np.clip(np.rint(leaves * 0.7 + rng.normal(0, 1, 300)), 0, 4).astype(int)
    return leaves, codes, rng.integers(0, 4, 300).astype(float)


@pytest.mark.parametrize("rate", [0.02, 0.17])
@pytest.mark.parametrize("weights", ["linear", "quadratic", None, "asymmetric"])
def test_soft_kappa_falls_with_every_step(sample, weights, rate):
    leaves, codes, weight = sample
    matrix = disagreement_matrix(5, None if weights == "asymmetric" else weights)
    if weights == "asymmetric":
        matrix = np.triu(matrix) + 0.2 * np.tril(matrix)

    def _loss(scores):
        return soft_kappa_loss(scores, codes, weight, matrix)

    values = [value for value, _ in descend(_loss, leaves, 5, rate, 400)]
    assert values[0] == pytest.approx(weight.sum())  # chance
    assert (np.diff(values) < 0).all()
    assert values[-1] < 0.8 * values[0]


@given(problems())
def test_soft_kappa_never_rises_from_any_start(problem):
    scores, codes, weight, matrix = problem.arrays
    now = soft_kappa_loss(scores, codes, weight, matrix)
    after = soft_kappa_loss(scores - 0.17 * now.gradient / now.hessian, codes, weight, matrix)
    assert after.value <= now.value * (1 + 1e-12)


def test_log_loss_falls_with_every_step_while_the_most_probable_grades_stay(sample):
    leaves, codes, weight = sample
    matrix = disagreement_matrix(5)
    path = list(
        descend(lambda z: cost_log_loss(z, codes, weight, matrix, 0.5), leaves, 5, 0.2, 200)
    )
    values, best = zip(*((value, scores.argmax(axis=1)) for value, scores in path), strict=True)
    kept = np.array([np.array_equal(a, b) for a, b in pairwise(best)])
    assert 50 < kept.sum() < len(kept)  # the factors change now and then
    assert (np.diff(values)[kept] < 0).all()
    assert values[-1] < values[0]


def test_plain_log_loss_reaches_the_shares_of_the_leaves(sample):
    leaves, codes, weight = sample
    *_, (_, scores) = descend(
        lambda z: cost_log_loss(z, codes, weight, np.zeros((5, 5)), 0.0), leaves, 5, 0.5, 500
    )
    for leaf in range(6):
        rows = leaves == leaf
        shares = np.bincount(codes[rows], weights=weight[rows], minlength=5) / weight[rows].sum()
        assert_allclose(softmax(scores[rows][0]), shares, atol=1e-3)


@given(problems())
def test_weights_repeat_rows(problem):
    scores, codes, _, matrix = problem.arrays
    weight = np.arange(len(codes)) % 3
    assume(len(set(codes[weight > 0])) > 1)
    weighted = soft_kappa_loss(scores, codes, weight.astype(float), matrix)
    repeated = soft_kappa_loss(
        np.repeat(scores, weight, axis=0), np.repeat(codes, weight), np.ones(weight.sum()), matrix
    )
    assert weighted.value == pytest.approx(repeated.value, rel=1e-12)
    rows = np.repeat(np.arange(len(codes)), weight)
    for ours, theirs in zip(weighted[1:], repeated[1:], strict=True):
        total = np.zeros_like(ours)
        np.add.at(total, rows, theirs)
        assert_allclose(ours[weight > 0], total[weight > 0], rtol=1e-9, atol=1e-11)


def test_the_value_at_the_start_is_that_of_chance():
    """Nothing is known: N equals D, and every row counts 1; a log loss of log 3 each."""
    scores, codes, weight = np.zeros((4, 3)), np.array([0, 1, 2, 2]), np.array([1.0, 2, 1, 1])
    matrix = disagreement_matrix(3)
    assert soft_kappa_loss(scores, codes, weight, matrix).value == pytest.approx(5)
    loss = cost_log_loss(scores, codes, weight, matrix, 1.0)
    assert loss.value == pytest.approx(math.log(3) * (1 + 2 * 1.25 + 2 * 2))


def test_the_stand_in_of_two_rows_by_hand():
    """The derivatives by the probabilities are -1 and 1: 0.4 times 1/4 times their range."""
    loss = soft_kappa_loss(np.zeros((2, 2)), np.array([0, 1]), np.ones(2), disagreement_matrix(2))
    assert_allclose(loss.hessian, np.full((2, 2), 0.2))
    assert_allclose(loss.gradient, [[-0.5, 0.5], [0.5, -0.5]])
