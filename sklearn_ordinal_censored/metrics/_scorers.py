"""Ready scorers: one registry row a metric, every scorer higher-is-better.

A row names the metric, whether higher is better, and what the metric reads of an estimator. Scorers
of grades are scikit-learn's own, so cloning, routing of ``sample_weight`` and pickling behave as
users know them. The others behave alike; those of probabilities also put the columns in the order
of the scale, those of censored targets read the direction from the estimator.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from difflib import get_close_matches
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import make_scorer

from sklearn_ordinal_censored._kernels.families import FAMILIES
from sklearn_ordinal_censored._typing import AnyArray
from sklearn_ordinal_censored.metrics._censored_errors import interval_overlap_rate, observed_mae
from sklearn_ordinal_censored.metrics._censored_likelihood import (
    censored_crps,
    censored_log_loss,
    censored_quantile_loss,
    check_quantile,
)
from sklearn_ordinal_censored.metrics._censored_mae import censored_mae, check_mae_options
from sklearn_ordinal_censored.metrics._censored_scorer import CensoredScorer
from sklearn_ordinal_censored.metrics._concordance import (
    check_tau,
    concordance_index,
    concordance_index_ipcw,
)
from sklearn_ordinal_censored.metrics._cost import ordinal_cost
from sklearn_ordinal_censored.metrics._cumulative import (
    cumulative_auc,
    cumulative_brier,
    cumulative_scores,
)
from sklearn_ordinal_censored.metrics._curve_scorer import CurveScorer
from sklearn_ordinal_censored.metrics._disagreement import read_disagreement
from sklearn_ordinal_censored.metrics._distributions import check_one_scale
from sklearn_ordinal_censored.metrics._dynamic_auc import integrated_auc
from sklearn_ordinal_censored.metrics._ipcw import read_censoring
from sklearn_ordinal_censored.metrics._kappa import (
    linear_weighted_kappa,
    quadratic_weighted_kappa,
    weighted_kappa,
)
from sklearn_ordinal_censored.metrics._ordinal import (
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
)
from sklearn_ordinal_censored.metrics._ordinal_scorer import OrdinalScorer
from sklearn_ordinal_censored.metrics._probability import (
    cost_weighted_log_loss,
    ordinal_concordance_index,
    ranked_probability_score,
    soft_weighted_kappa,
)
from sklearn_ordinal_censored.metrics._scorer import ScorerGroup
from sklearn_ordinal_censored.metrics._survival_curves import check_span, integrated_brier_score
from sklearn_ordinal_censored.metrics._time_dependent_concordance import antolini_concordance_index
from sklearn_ordinal_censored.targets._curves import read_times
from sklearn_ordinal_censored.targets._inputs import (
    check_flag,
    check_floats,
    check_number,
    check_option,
)
from sklearn_ordinal_censored.targets._matrices import check_square_matrix
from sklearn_ordinal_censored.targets._ordinal import check_scale
from sklearn_ordinal_censored.targets._probabilities import ENCODINGS
from sklearn_ordinal_censored.targets._undefined import check_replacement


class ScorerRow(NamedTuple):
    """One metric as scorers see it.

    Attributes
    ----------
    metric : callable
        The metric function.
    greater_is_better : bool
        Whether a higher value is better; a lower-is-better metric is negated and named ``neg_*``.
    response : {"grade", "probabilities", "score", "ranking", "time", "curve"}
        What the metric reads of an estimator: its prediction; class probabilities; one score a row;
        probabilities or else a score; the predicted time or risk of a censored target; its
        survival curve.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import ordinal_accuracy
    >>> ScorerRow(ordinal_accuracy, True).name
    'ordinal_accuracy'
    """

    metric: Callable[..., Any]
    greater_is_better: bool
    response: str = "grade"

    @property
    def name(self) -> str:
        """Name of the scorer.

        Returns
        -------
        str
            The metric's name, with ``neg_`` in front where lower is better.
        """
        return f"{'' if self.greater_is_better else 'neg_'}{self.metric.__name__}"


_METADATA = {"sample_weight", "strata"}  # one value a row: routed, never fixed

REGISTRY = {
    row.name: row
    for row in (
        ScorerRow(antolini_concordance_index, True, "curve"),
        ScorerRow(censored_crps, False, "time"),
        ScorerRow(censored_log_loss, False, "time"),
        ScorerRow(censored_mae, False, "time"),
        ScorerRow(censored_quantile_loss, False, "time"),
        ScorerRow(concordance_index, True, "time"),
        ScorerRow(concordance_index_ipcw, True, "time"),
        ScorerRow(cost_weighted_log_loss, False, "probabilities"),
        ScorerRow(cumulative_auc, True, "ranking"),
        ScorerRow(cumulative_brier, False, "probabilities"),
        ScorerRow(cumulative_scores, True),
        ScorerRow(integrated_auc, True, "time"),
        ScorerRow(integrated_brier_score, False, "curve"),
        ScorerRow(interval_overlap_rate, True, "time"),
        ScorerRow(linear_weighted_kappa, True),
        ScorerRow(mean_absolute_class_error, False),
        ScorerRow(mean_squared_class_error, False),
        ScorerRow(observed_mae, False, "time"),
        ScorerRow(ordinal_accuracy, True),
        ScorerRow(ordinal_concordance_index, True, "score"),
        ScorerRow(ordinal_cost, False),
        ScorerRow(quadratic_weighted_kappa, True),
        ScorerRow(ranked_probability_score, False, "probabilities"),
        ScorerRow(soft_weighted_kappa, True, "probabilities"),
        ScorerRow(weighted_kappa, True),
    )
}


def get_scorer_names() -> list[str]:
    """Return the names that :func:`get_scorer` knows.

    Returns
    -------
    list of str
        Sorted; names of lower-is-better metrics begin with ``neg_``.

    See Also
    --------
    get_scorer : Make one of them.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import get_scorer_names
    >>> "quadratic_weighted_kappa" in get_scorer_names()
    True
    """
    return sorted(REGISTRY)


def get_scorer(name: str | Sequence[str], **options: Any) -> Any:
    """Make a scorer for ``scoring=`` in cross-validation and searches.

    Parameters
    ----------
    name : str or list of str
        One of :func:`get_scorer_names`. A list gives one scorer that returns a dict, for which each
        response of the model is computed once.
    **options : dict
        Keyword arguments of the metric, fixed for every fold, above all ``labels``: with the whole
        scale bound, every fold is measured with the same ruler. With a list of names an option goes
        to each metric that has it.

    Returns
    -------
    callable
        ``scorer(estimator, X, y)``; higher is better.

    Raises
    ------
    ValueError
        If a name or an option is not known, or an option is missing.

    See Also
    --------
    get_scorer_names : The names.

    Notes
    -----
    Scorers of probabilities put the columns of ``predict_proba``, which follow ``classes_``, in the
    order of the scale, with 0 for grades that a fold has not seen. ``encoding=`` tells what else
    ``predict_proba`` returns, such as ``"cumulative_probs"``. A score is the expected rank of a
    classifier, or the prediction of a regressor.

    Scorers of concordance read from the estimator whether it predicts a time or a risk, as
    scikit-survival's estimators say of themselves; ``prediction="time"`` or ``"risk"`` overrides
    it. Any other estimator is taken to predict a time.

    Scorers of survival curves need ``times``, the same for every fold. They read step functions
    from ``predict_survival_function(X)``, as scikit-survival's estimators have it, or probabilities
    from ``predict_survival(X, times)``, or what ``response=``, a function
    ``(estimator, X, times)``, returns. Scorers of distributions read a location and a scale, two
    columns of ``predict``, or with ``scale=`` the location alone.

    ``sample_weight``, and ``strata`` of the concordances, are metadata: route them with
    ``set_score_request(sample_weight=True)``.

    A search with scikit-learn's default ``error_score=nan`` swallows what a scorer raises, such as
    the refusal to grade the raw scores of a regressor; with a list of names it ends in a
    ``TypeError`` of its own if only some candidates raise. Pass ``error_score="raise"``.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn_ordinal_censored.metrics import get_scorer
    >>> scorer = get_scorer("neg_mean_absolute_class_error", labels=["low", "mid", "high"])
    >>> X, y = [[0], [1], [2]], ["low", "low", "high"]
    >>> scorer(DummyClassifier().fit(X, y), X, y)
    -0.6666666666666666
    """
    routed = sorted(_METADATA & set(options))
    if routed:
        raise ValueError(
            f"get_scorer takes no {routed}, which have one value a row. Route {routed} with "
            "set_score_request."
        )
    options = deepcopy(options)  # a list that the caller changes later must not change the ruler
    names = [name] if isinstance(name, str) or not isinstance(name, Sequence) else list(name)
    rows = [_row(key) for key in names]
    if len(set(names)) < max(len(names), 1):
        raise ValueError(f"name={names!r} must be one name, or a list of different names.")
    known = {row.name: _options_of(row) for row in rows}
    _refuse_stray(options, set().union(*known.values()), f"get_scorer({name!r})")
    scorers = {
        row.name: _make(row, {k: v for k, v in options.items() if k in known[row.name]})
        for row in rows
    }
    return scorers[name] if isinstance(name, str) else ScorerGroup(scorers)


def _row(name: Any) -> ScorerRow:
    if not isinstance(name, str) or name not in REGISTRY:
        meant = _meant(str(name))
        hint = f" Did you mean {meant[0]!r}?" if meant else ""
        raise ValueError(f"No scorer is named {name!r}; there are {get_scorer_names()}.{hint}")
    return REGISTRY[name]


def _meant(name: str) -> list[str]:
    """Return the names without sign, of these initials, or spelt nearly so."""
    signed = [f"neg_{name}"] if f"neg_{name}" in REGISTRY else []
    initials = [
        known
        for known in REGISTRY
        if name == "".join(word[0] for word in known.removeprefix("neg_").split("_"))
    ]
    return signed or initials or get_close_matches(name, list(REGISTRY), n=1, cutoff=0.75)


def _make(row: ScorerRow, options: dict[str, Any]) -> Any:
    check_metric_options(row, options, f"get_scorer({row.name!r})")
    if row.response == "time":
        return CensoredScorer(row.metric, row.greater_is_better, options)
    if row.response == "curve":
        return CurveScorer(row.metric, row.greater_is_better, options)
    if row.response != "grade":
        return OrdinalScorer(row.metric, row.greater_is_better, options, row.response)
    return make_scorer(
        row.metric, greater_is_better=row.greater_is_better, response_method="predict", **options
    )


def _check_response(response: Any) -> None:
    if response is not None and not callable(response):
        raise ValueError(
            f"response={response!r} must be a function (estimator, X, times) that returns "
            "P(T > times)."
        )


def check_metric_options(row: ScorerRow, options: Mapping[str, Any], caller: str) -> None:
    """Refuse options that a metric does not take, lacks or cannot read, before there are rows.

    Parameters
    ----------
    row : ScorerRow
        The metric.
    options : mapping
        Keyword arguments of the metric, ``encoding`` among them where it reads more than grades.
    caller : str
        What takes the options, for messages.

    Examples
    --------
    >>> check_metric_options(REGISTRY["weighted_kappa"], {"weights": "cubic"}, "get_scorer")
    Traceback (most recent call last):
    ValueError: weights='cubic' is not known; use one of 'linear', 'quadratic', None.
    """
    known = _options_of(row)
    _refuse_stray(options, set(known), caller)
    missing = [k for k, default in known.items() if default is inspect.Parameter.empty]
    if set(missing) - set(options):
        raise ValueError(f"{caller} needs {missing}; pass {missing[0]}=...")
    scale = None if options.get("labels") is None else check_scale(options["labels"])
    for name, value in options.items():
        if name in _CHECKS:
            _CHECKS[name](value, scale)
    if row.metric.__name__ in _TOGETHER:
        _TOGETHER[row.metric.__name__](options)


def _options_of(row: ScorerRow) -> dict[str, Any]:
    parameters = inspect.signature(row.metric).parameters.values()
    own: dict[str, Any] = {}
    if row.response in ("probabilities", "score", "ranking"):
        own = {"encoding": "class_probs"}
    elif row.response == "curve":
        own = {"response": None}
    return own | {
        p.name: p.default
        for p in parameters
        if p.kind is p.KEYWORD_ONLY and p.name not in _METADATA
    }


def _refuse_stray(options: Mapping[str, Any], known: set[str], caller: str) -> None:
    stray = sorted(set(options) - known)
    if stray:
        raise ValueError(f"{caller} takes no {stray}; it takes {sorted(known)}.")


def _check_average(average: Any, scale: AnyArray | None) -> None:
    if average is None:
        raise ValueError("average=None gives several values, and one is needed; choose an average.")


def _check_weights(weights: Any, scale: AnyArray | None) -> None:
    if scale is None and not (weights is None or isinstance(weights, (str, Real))):
        check_floats("weights", weights, ndim=2)
    else:
        read_disagreement(np.arange(2) if scale is None else scale, weights)


def _check_costs(matrix: Any, scale: AnyArray | None) -> None:
    if matrix is not None:
        check_floats("cost_matrix", matrix, ndim=2)
        if scale is not None:
            check_square_matrix("cost_matrix", matrix, scale)


def _check_mae(options: Mapping[str, Any]) -> None:
    known = ("method", "normalize", "censoring")
    check_mae_options(**{key: options[key] for key in known if key in options})


# Option -> check of its value on a scale, where one is given. Others are checked with the rows.
_CHECKS: dict[str, Callable[[Any, AnyArray | None], Any]] = {
    "alpha": lambda value, _: check_number("alpha", value, minimum=0),
    "average": _check_average,
    "censoring": lambda value, _: read_censoring(value),
    "cost_matrix": _check_costs,
    "encoding": lambda value, _: check_option("encoding", value, tuple(ENCODINGS)),
    "family": lambda value, _: check_option("family", value, tuple(FAMILIES)),
    "prediction": lambda value, _: check_option("prediction", value, ("time", "risk")),
    "quantile": lambda value, _: check_quantile(value),
    "replace_undefined_by": lambda value, _: check_replacement(value),
    "response": lambda value, _: _check_response(value),
    "scale": lambda value, _: None if value is None else check_one_scale(value),
    "strict_times": lambda value, _: check_flag("strict_times", value),
    "tau": lambda value, _: None if value is None else check_tau(value),
    "times": lambda value, _: read_times(value),
    "tolerance": lambda value, _: check_number("tolerance", value, minimum=0),
    "weights": _check_weights,
}

# Metric -> check of what its options mean to it, or to each other.
_TOGETHER: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "censored_mae": _check_mae,
    "integrated_brier_score": lambda options: check_span(read_times(options["times"])),
    "ranked_probability_score": lambda options: check_flag(
        "normalize", options.get("normalize", True)
    ),
}
