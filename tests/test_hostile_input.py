"""Hostile input: a good result, or a refusal in our words; never a stray error or warning."""

import inspect
import re
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hostile import (
    ABSENT,
    FORMS,
    LABELLED,
    ONE_SHOT,
    SHAPES,
    SINGLE,
    TYPES,
    VALUES,
    WHOLE,
    items,
    with_value,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from registry_public import CALLS, assert_equal_results, close_figures, public_calls
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_ordinal_censored

OURS = str(Path(sklearn_ordinal_censored.__file__).parent)
# What a message may name in place of the argument, because it is about two arguments at once.
OTHER_NAMES = ("y_true", "y_proba", "lower", "upper", "test_size", "arrays", "[Tt]he target")
# The parts of results that are infinite or NaN by their definition.
UNBOUNDED = {
    "KaplanMeier.fit": "unknown after the end of observation",
    "KaplanMeier.predict": "unknown after the end of observation",
    "OrdinalThresholdOptimizer.fit": "cut points beyond all scores",
    "OrdinalThresholdOptimizer.fit-scores": "cut points beyond all scores",
    "censored_log_loss": "the density of what is impossible is 0",
    "censored_log_loss-number": "the density of what is impossible is 0",
    "censored_train_test_split": "rows are handed out as they came",
    "usable_tau": "infinity is no limit",
    "concordance_inference": "sums over pairs of products of weights",
}
# Work that grows with the number that the caller asks for.
LABOUR = {"n_bootstraps", "n_repeats", "n_samples", "n_features", "verbose"}
ENDLESS = {"2**31", "integer beyond floats"}


def numbers_of(call):
    """The arrays that can hold any number."""
    return {name: rows for name, rows in call.arrays.items() if rows.dtype.kind not in "US"}


def every_call(has):
    """All calls that have what is put to the test."""
    return pytest.mark.parametrize("name", [name for name in public_calls() if has(CALLS[name])])


def outcome(name, argument, value):
    """The result, or None where the value is refused in our words; anything else fails."""
    call = CALLS[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call(**{argument: value})
        except (ValueError, TypeError) as error:
            assert_ours(call, argument, error)
            return None
        except Exception:
            if argument in call.inner:
                return None
            raise
        finally:
            close_figures()
    seen = {warning.category for warning in caught}
    if argument not in call.inner:
        strange = [w for w in caught if not is_ours(w)]
        assert not strange, f"{strange[0].category.__name__}: {strange[0].message}"
        if UndefinedMetricWarning not in seen and name not in UNBOUNDED:
            assert is_finite(result), f"{result} without a warning"
    return result


def assert_ours(call, argument, error):
    if argument in call.inner:
        return
    frame = inspect.getinnerframes(error.__traceback__)[-1]
    if "linear_model" in Path(frame.filename).parts:  # the estimator inside finds its target bad
        return
    if "_param_validation" in frame.filename:  # scikit-learn's check of an estimator's parameter
        return
    assert frame.filename.startswith(OURS), (
        f"{type(error).__name__} from {frame.filename}:{frame.lineno}: {error}"
    )
    names = {argument, *call.rows, *call.options, *OTHER_NAMES, "scorer"}
    named = [name for name in names if re.search(rf"\b{name}\b", str(error))]
    assert named, f"no argument is named: {error}"


def is_ours(warning):
    return warning.category in (UserWarning, UndefinedMetricWarning) or issubclass(
        warning.category, sklearn_categories()
    )


def sklearn_categories():
    from sklearn.exceptions import ConvergenceWarning, DataConversionWarning

    return ConvergenceWarning, DataConversionWarning


def is_finite(result):
    """Whether every number of the result is; estimators and displays are looked through."""
    if isinstance(result, (float, np.floating)):
        return bool(np.isfinite(result))
    if isinstance(result, np.ndarray):
        return result.dtype.kind != "f" or bool(np.isfinite(result).all())
    if isinstance(result, (list, tuple)):
        return all(map(is_finite, result))
    return True


def test_every_public_name_has_a_row():
    named = {name.partition("-")[0].partition(".")[0] for name in CALLS}
    assert named == set(sklearn_ordinal_censored.__all__)


# What comes from scikit-learn's own base classes.
INHERITED = {"get_params", "set_params", "get_metadata_routing"}
CLASSES = dict(inspect.getmembers(sklearn_ordinal_censored, inspect.isclass))


@pytest.mark.parametrize("name", CLASSES)
def test_every_method_has_a_row(name):
    methods = {
        method
        for method, _ in inspect.getmembers(CLASSES[name], callable)
        if not method.startswith("_") and not re.fullmatch(r"set_\w+_request", method)
    } - INHERITED
    called = {call.partition("-")[0] for call in CALLS}
    assert {f"{name}.{method}" for method in methods} <= called


@pytest.mark.parametrize("name", sklearn_ordinal_censored.__all__)
def test_every_argument_is_in_a_row(name):
    """Of the function or, of a class, of its constructor and its methods."""
    public = getattr(sklearn_ordinal_censored, name)
    calls = {call: row for call, row in CALLS.items() if re.match(rf"{name}(\.|-|$)", call)}
    given = {argument for row in calls.values() for argument in row.arguments}
    targets = [public]
    if inspect.isclass(public):
        methods = {call.partition("-")[0].partition(".")[2] for call in calls}
        targets += [getattr(public, method) for method in methods]
    plain = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    wanted = {
        parameter.name
        for target in targets
        for parameter in inspect.signature(target).parameters.values()
        if parameter.kind not in plain
    } - {"self", "estimator"}
    assert wanted <= given, f"no row of {name} mentions {sorted(wanted - given)}"


@every_call(lambda call: call.arrays)
def test_the_same_values_in_any_form_give_the_same_result(name):
    call = CALLS[name]
    expected = call()
    close_figures()
    refused = set()
    for argument, good in call.arrays.items():
        for form, make in FORMS.items():
            if call.pictures and form not in IN_PICTURES:
                continue
            value = make(good)
            if value is ABSENT or (name, argument, form) in call_exceptions():
                continue
            result = outcome(name, argument, value)
            if result is None:
                refused.add((argument, form))
            elif (name, argument) not in HANDED_OUT:
                assert_equal_results(result, expected, exact=argument not in call.inner)
    # Labels of curves, costs and a prior may contradict times or grades; nothing else is refused.
    read = [name for name, good in call.arrays.items() if good.ndim == 2 or name == "prior"]
    assert refused <= set(product(read, LABELLED))


IN_PICTURES = {"f4", "backwards", "polars", "unsorted index"}  # figures take time
# What the split hands out has the form that came in.
HANDED_OUT = {("censored_train_test_split", argument) for argument in ("X", "y", "more")}


def call_exceptions():
    """Forms in which what is not ours computes with fewer digits, or does not work."""
    single = {"f2", "f4"}
    exceptions = {(n, "X", f) for n, c in CALLS.items() if "X" in c.inner for f in single}
    cut = {("pooled_cross_val_score", "y")}  # by scikit-learn, whose 1.6 cuts no tables
    for estimator in ("OrdinalDecisionClassifier", "OrdinalThresholdOptimizer"):
        cut.add((f"{estimator}.fit", "sample_weight"))
    exceptions |= {(*place, "arrow") for place in HANDED_OUT | cut}
    graded = ("OrdinalDecisionClassifier.score", "OrdinalThresholdOptimizer.score")
    exceptions |= {(name, "y", "object") for name in graded}  # scikit-learn's accuracy takes none
    exceptions.add(("tree_cost_matrix", "classes", "arrow"))  # pyarrow's scalars equal no node
    return exceptions


@every_call(lambda call: call.rows)
@settings(max_examples=12)
@given(data=st.data())
def test_hostile_rows(name, data):
    call = CALLS[name]
    argument = data.draw(st.sampled_from(sorted(call.rows)))
    good = call.arrays.get(argument, np.arange(4.0))
    family = data.draw(st.sampled_from([WHOLE, SHAPES, TYPES]))
    kind = data.draw(st.sampled_from(sorted(family)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = family[kind](good)
    assume(value is not ABSENT)
    outcome(name, argument, value)


@every_call(numbers_of)
@settings(max_examples=12)
@given(data=st.data())
def test_hostile_values(name, data):
    call = CALLS[name]
    numbers = numbers_of(call)
    argument = data.draw(st.sampled_from(sorted(numbers)))
    value = data.draw(st.sampled_from(sorted(VALUES.values(), key=repr)) | st.floats())
    everywhere = data.draw(st.booleans())
    # Axes of that length are matplotlib's to refuse.
    assume(not (call.pictures and abs(value) > 1e100))
    outcome(name, argument, with_value(numbers[argument], value, everywhere))


@every_call(lambda call: call.options)
@settings(max_examples=15)
@given(data=st.data())
def test_hostile_options(name, data):
    argument = data.draw(st.sampled_from(sorted(CALLS[name].options)))
    kind = data.draw(st.sampled_from(sorted(SINGLE)))
    is_work = argument in LABOUR and kind in ENDLESS
    is_own_error = kind in ("class", "function") and argument in ("objective", "measure", "metric")
    assume(not is_work and not is_own_error)
    outcome(name, argument, SINGLE[kind]([1, 2, 3]))


@every_call(lambda call: call.arrays and "tree" not in call.options)  # of any iterable of nodes
@pytest.mark.parametrize("kind", sorted(ONE_SHOT))
def test_generators_are_refused_and_not_consumed(name, kind):
    call = CALLS[name]
    for argument, good in call.arrays.items():
        value = ONE_SHOT[kind](good)
        assert outcome(name, argument, value) is None
        if kind in ("generator", "iterator") and argument not in call.inner:
            assert len(list(value)) == len(items(good)), argument


# What once left as an error or a warning of NumPy, pandas or Python itself.
BROKEN = [
    ("weighted_kappa", "y_true", TYPES["sets"]),
    ("weighted_kappa", "y_true", TYPES["integers beyond floats"]),
    ("weighted_kappa", "y_true", TYPES["decimals that are none"]),
    ("weighted_kappa", "labels", TYPES["dicts"]),
    ("weighted_kappa", "sample_weight", TYPES["integers beyond floats"]),
    ("ranked_probability_score", "y_proba", SHAPES["ragged"]),
    ("cumulative_auc", "y_score", SHAPES["ragged"]),
    ("ordinal_decode", "y", SHAPES["ragged"]),
    ("concordance_index", "y_true", SHAPES["no fields"]),
    ("concordance_index", "y_true", SHAPES["empty frame"]),
    ("concordance_index", "y_true", SHAPES["same names"]),
    ("concordance_index", "strata", TYPES["dates among numbers"]),
    ("concordance_inference", "cluster", TYPES["arrays"]),
    ("CensoredCVSplitter.split", "groups", TYPES["complex among numbers"]),
    ("integrated_brier_score", "times", SHAPES["ragged"]),
    ("interval_censored", "upper", TYPES["only long doubles"]),
    ("right_censored", "event", TYPES["odd objects"]),
    ("d_calibration", "y_proba", WHOLE["number"]),
    ("lightgbm_objective", "labels", WHOLE["generator"]),
    ("lightgbm_metric", "sample_weight", SHAPES["ragged"]),
    ("lightgbm_objective", "alpha", WHOLE["NA"]),
    ("krippendorff_alpha", "ratings", TYPES["integers beyond floats"]),
    ("tree_cost_matrix", "tree", WHOLE["number"]),
    ("tree_cost_matrix", "classes", WHOLE["number"]),
    ("make_ordinal", "class_weights", TYPES["complex"]),
    ("make_ordinal", "noise", lambda v: 1e308),
    ("make_censored", "noise", lambda v: 2.0**31),
    ("make_ordinal", "return_latent", WHOLE["NA"]),
    ("load_gbsg2", "as_frame", SINGLE["series"]),
    ("KaplanMeier.predict", "left_limit", WHOLE["NA"]),
    ("KaplanMeier.confidence_interval", "confidence_level", WHOLE["integer beyond floats"]),
    ("concordance_index_ipcw", "prediction", WHOLE["NA"]),
    ("censored_train_test_split", "X", WHOLE["NA"]),
    ("ordinal_cost_matrix", "n_classes", lambda v: 2**31),
    ("disagreement_matrix", "n_classes", lambda v: 2**31),
    ("d_calibration", "n_bins", lambda v: 2**31),
    ("optimal_thresholds", "n_bootstraps", WHOLE["integer beyond floats"]),
    ("optimal_thresholds", "sample_weight", lambda v: with_value(v, 1e200, True)),
    ("cost_weighted_log_loss", "alpha", lambda v: 1e308),
    ("tree_cost_matrix", "classes", TYPES["durations without a unit"]),
]


@pytest.mark.parametrize(
    ("name", "argument", "make"), [pytest.param(*row, id="-".join(row[:2])) for row in BROKEN]
)
def test_what_once_broke_is_refused(name, argument, make):
    assert outcome(name, argument, make(CALLS[name].arrays.get(argument, np.arange(4.0)))) is None


LARGE = [
    ("observed_mae", "y_pred", 1e308),
    ("censored_mae", "y_pred", -1e308),
    ("censored_quantile_loss", "y_pred", 1e308),
    ("censored_crps", "y_pred", 1e308),
    ("censored_report", "y_true", 1e308),
    ("ordinal_report", "sample_weight", 1e200),
    ("ordinal_cost", "cost_matrix", 1e308),
    ("optimal_decisions-costs", "cost_matrix", 1e308),
    ("optimal_thresholds-smoothed", "sample_weight", 1e200),
]


@pytest.mark.parametrize(("name", "argument", "value"), LARGE)
def test_sums_of_large_values_do_not_overflow(name, argument, value):
    everywhere = "weight" not in argument
    rows = with_value(CALLS[name].arrays[argument], value, everywhere)
    assert outcome(name, argument, rows) is not None


def test_the_smoothing_may_outweigh_all_rows():
    assert outcome("optimal_thresholds-smoothed", "smoothing", 1e308) is not None
