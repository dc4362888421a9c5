"""What each metric of censored targets reads besides the truth, made of predicted times."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from registry import CENSORED_METRICS, CURVE_METRICS

TIMES = [1.0, 2.5, 4.0]
SCALE = 2.0


def as_intervals(pred):
    return np.column_stack([np.asarray(pred) - 1, np.asarray(pred) + 1])


def as_distributions(pred):
    return np.column_stack([np.asarray(pred), np.full(len(pred), SCALE)])


def survival(pred, times):
    """Logistic curves around the predicted times, in multiples of 1/64, so that sums are exact."""
    lead = np.asarray(pred)[:, np.newaxis] - np.asarray(times)
    return np.round(64 / (1 + np.exp(-lead / 2))) / 64


def as_curves(pred):
    return survival(pred, TIMES)


class Form(NamedTuple):
    """The second argument of a metric, made of predicted times."""

    of_times: Callable[[Any], Any]
    name: str = "y_pred"
    is_in_time: bool = True  # measured in the unit of time; probabilities are not
    types: tuple[str, ...] = ("f4", "f8", "i4", ">f8")

    @property
    def is_one_column(self):
        """Whether it is the predicted times themselves."""
        return self.of_times is np.asarray

    def in_unit(self, pred, factor):
        """The prediction where a unit of time has become `factor` units."""
        values = self.of_times(pred)
        return values * factor if self.is_in_time else values


POINTS = Form(np.asarray)
INTERVALS = Form(as_intervals)
DISTRIBUTIONS = Form(as_distributions)
CURVES = Form(as_curves, "y_proba", is_in_time=False, types=("f4", "f8", ">f8"))


class CensoredCase(NamedTuple):
    """A metric of censored targets, and what is true of it only."""

    metric: Callable[..., Any]
    form: Form = POINTS
    options: tuple[str, ...] = ()  # without which it cannot be
    takes_any_kind: bool = False  # of censoring; else exact and right-censored rows
    takes_entry: bool = True
    is_in_units: bool = False  # of time
    is_density: bool = False  # of time: one over a unit for each known time

    def required(self, factor=1.0):
        """The options that it needs, where a unit of time has become `factor` units."""
        values = {"times": np.multiply(TIMES, factor), "scale": SCALE * factor}
        return {name: values[name] for name in self.options}

    def __call__(self, y_true, pred, **keywords):
        """The value for predicted times."""
        return self.metric(y_true, self.form.of_times(pred), **self.required() | keywords)


def cases_of(name, metric):
    """One case for each form of the second argument."""
    case = CensoredCase(metric, **FACTS[name])
    yield name, case
    if case.options == ("scale",):
        yield f"{name}-of_two_columns", case._replace(form=DISTRIBUTIONS, options=())


FACTS: dict[str, dict[str, Any]] = {
    "antolini_concordance_index": {"form": CURVES, "options": ("times",)},
    "censored_crps": {
        "options": ("scale",),
        "takes_any_kind": True,
        "takes_entry": False,
        "is_in_units": True,
    },
    "censored_log_loss": {"options": ("scale",), "takes_any_kind": True, "is_density": True},
    "censored_mae": {"takes_any_kind": True, "is_in_units": True},
    "censored_quantile_loss": {"takes_any_kind": True, "is_in_units": True},
    "concordance_index": {"takes_any_kind": True},
    "concordance_index_ipcw": {},
    "integrated_auc": {"options": ("times",), "takes_entry": False},
    "integrated_brier_score": {"form": CURVES, "options": ("times",), "takes_entry": False},
    "interval_overlap_rate": {"form": INTERVALS, "takes_any_kind": True},
    "observed_mae": {"takes_any_kind": True, "is_in_units": True},
}
METRICS = {row.metric.__name__: row.metric for row in (CENSORED_METRICS | CURVE_METRICS).values()}
CASES = dict(case for name, metric in METRICS.items() for case in cases_of(name, metric))
