"""No function or method modifies what it is given, whatever it comes in."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from hostile import ABSENT, FORMS
from registry_public import CALLS, close_figures, public_calls

# The forms whose memory could be written to by way of a view.
KEPT = ["f4", "object", "list", "by column", "backwards", "masked nowhere", "dates as an index"]
FORMED = {form: FORMS[form] for form in KEPT}


def fingerprint(value):
    """Everything that a caller could see of a value: its data, layout, flags, names and type."""
    if isinstance(value, np.ndarray):
        flags = value.flags.writeable, value.flags.c_contiguous, value.flags.f_contiguous
        mask = np.ma.getmaskarray(value).tolist() if isinstance(value, np.ma.MaskedArray) else None
        return type(value), value.dtype, value.shape, value.tolist(), flags, mask
    if isinstance(value, (pd.DataFrame, pd.Series)):
        names = getattr(value, "columns", [])
        data = pickle.dumps(value.to_numpy().tolist())
        return type(value), list(names), value.index.tolist(), data, value.attrs
    if isinstance(value, (list, tuple)):
        return type(value), [fingerprint(item) for item in value]
    if isinstance(value, dict):
        return [(name, fingerprint(item)) for name, item in value.items()]
    if hasattr(value, "get_params"):
        return type(value), fingerprint(dict(vars(value)))
    return value if isinstance(value, (str, int, float, bool, type(None))) else type(value)


def assert_untouched(call, arguments):
    before = fingerprint(dict(arguments))
    try:
        call.function(**arguments)
    finally:
        close_figures()
    assert fingerprint(dict(arguments)) == before


@pytest.mark.parametrize("name", public_calls())
def test_arrays(name):
    call = CALLS[name]
    assert_untouched(call, copy.deepcopy(call.arguments))


@pytest.mark.parametrize("form", KEPT)
@pytest.mark.parametrize("name", [name for name in public_calls() if not CALLS[name].pictures])
def test_other_forms(name, form):
    call = CALLS[name]
    for argument, good in copy.deepcopy(call.arrays).items():
        value = FORMED[form](good)
        # Data frames have labels, which may contradict the other arguments.
        is_labelled = isinstance(value, pd.DataFrame) and value.shape[1] == 3
        if value is not ABSENT and not is_labelled and not is_square_frame(value):
            arguments = copy.deepcopy(call.arguments)
            try:
                assert_untouched(call, arguments | {argument: value})
            except (TypeError, ValueError):
                assert argument in call.inner or argument == "y", argument


def is_square_frame(value):
    return isinstance(value, pd.DataFrame) and value.shape[0] == value.shape[1]


@pytest.mark.parametrize("name", [name for name in public_calls() if CALLS[name].arrays])
def test_inputs_that_are_refused(name):
    call = CALLS[name]
    for argument, good in call.arrays.items():
        arguments = copy.deepcopy(call.arguments)
        short = copy.deepcopy(good[:-1])
        before = fingerprint(dict(arguments)), fingerprint(short)
        try:
            call.function(**arguments | {argument: short})
        except (TypeError, ValueError):
            pass
        finally:
            close_figures()
        assert (fingerprint(dict(arguments)), fingerprint(short)) == before
