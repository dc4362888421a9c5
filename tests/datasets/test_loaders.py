"""The shipped data sets: their figures, their layout, and what they need to be loaded."""

import importlib.resources
import pickle
import sys

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.datasets import load_anes96, load_gbsg2

ANES96_FEATURES = ["popul", "TVnews", "selfLR", "ClinLR", "DoleLR", "age", "educ", "income"]
GBSG2_FEATURES = ["horTh", "age", "menostat", "tsize", "tgrade", "pnodes", "progrec", "estrec"]

both_loaders = pytest.mark.parametrize("load", [load_anes96, load_gbsg2])


@both_loaders
def test_bunch_without_frame(load):
    bunch = load()
    assert bunch.frame is None
    assert bunch.data.dtype == np.float64
    assert bunch.data.shape == (len(bunch.target), len(bunch.feature_names))
    assert np.isfinite(bunch.data).all()
    for name in bunch.feature_names:
        assert name in bunch.DESCR


@both_loaders
def test_bunch_with_frame(load):
    bunch = load(as_frame=True)
    assert bunch.data.columns.tolist() == bunch.feature_names
    assert not bunch.frame.isna().any(axis=None)
    pd.testing.assert_frame_equal(bunch.frame[bunch.feature_names], bunch.data)


@both_loaders
@pytest.mark.parametrize("as_frame", [False, True])
def test_pair_equals_bunch(load, as_frame):
    X, y = load(return_X_y=True, as_frame=as_frame)
    bunch = load(as_frame=as_frame)
    assert type(X) is type(bunch.data)
    assert type(y) is type(bunch.target)
    assert_array_equal(np.asarray(X), np.asarray(bunch.data))
    assert_array_equal(np.asarray(y), np.asarray(bunch.target))


@both_loaders
def test_filename_is_a_file_of_the_package(load):
    bunch = load()
    source = importlib.resources.files(bunch.data_module).joinpath(bunch.filename)
    header, *rows = source.read_text(encoding="utf-8").splitlines()
    assert set(bunch.feature_names) < set(header.split(","))
    assert len(rows) == len(bunch.target)


@both_loaders
def test_every_call_returns_data_of_its_own(load):
    first = load(as_frame=True)
    first.data.loc[:, "age"] = -1
    first.target[:] = first.target[0]
    first.feature_names.clear()
    second = load(as_frame=True)
    assert (second.data["age"] > 0).all()
    assert len(np.unique(second.target)) > 1
    assert "age" in second.feature_names
    # The frame of a bunch does not follow its data and target either.
    pd.testing.assert_frame_equal(first.frame, second.frame)


@both_loaders
def test_columns_can_be_assigned_without_a_warning(load):
    bunch = load(as_frame=True)
    bunch.data["age"] = bunch.data["age"] / 10
    assert bunch.data["age"].max() < 10


@both_loaders
def test_pandas_is_needed_for_frames_only(load, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert len(load().target) == len(load(return_X_y=True)[1])
    with pytest.raises(ImportError, match="pandas"):
        load(as_frame=True)


@both_loaders
def test_options_are_keyword_only(load):
    with pytest.raises(TypeError, match="positional"):
        load(True)


@both_loaders
def test_bunch_survives_pickling(load):
    bunch = load(as_frame=True)
    copy = pickle.loads(pickle.dumps(bunch))
    pd.testing.assert_frame_equal(copy.frame, bunch.frame)
    assert_array_equal(copy.target, bunch.target)


def test_anes96_figures():
    anes96 = load_anes96()
    assert anes96.data.shape == (944, 8)
    assert anes96.feature_names == ANES96_FEATURES
    assert anes96.target.dtype == np.int64
    assert_array_equal(np.bincount(anes96.target), [200, 180, 108, 37, 94, 150, 175])
    assert_array_equal(anes96.data[0], [0, 7, 7, 1, 6, 36, 3, 1])
    assert anes96.target[0] == 6
    assert_array_equal(anes96.data.min(axis=0), [0, 0, 1, 1, 1, 19, 1, 1])
    assert_array_equal(anes96.data.max(axis=0), [7300, 7, 7, 7, 7, 91, 7, 24])


def test_anes96_grades_run_from_democrat_to_republican():
    assert load_anes96().target_names.tolist() == [
        "strong Democrat",
        "weak Democrat",
        "independent Democrat",
        "independent",
        "independent Republican",
        "weak Republican",
        "strong Republican",
    ]


def test_anes96_frame_holds_integers_and_the_grade():
    anes96 = load_anes96(as_frame=True)
    assert anes96.frame.columns.tolist() == [*ANES96_FEATURES, "PID"]
    assert (anes96.frame.dtypes == np.int64).all()
    assert anes96.target.name == "PID"
    pd.testing.assert_series_equal(anes96.frame["PID"], anes96.target)
    assert_array_equal(anes96.data, load_anes96().data)


def test_anes96_leaves_the_vote_out_and_says_so():
    anes96 = load_anes96(as_frame=True)
    assert "vote" not in anes96.frame
    assert "vote" not in anes96.feature_names
    assert "`vote`" in anes96.DESCR


def test_anes96_description_counts_every_grade():
    anes96 = load_anes96()
    for grade, count in enumerate(np.bincount(anes96.target)):
        line = rf"{grade} {anes96.target_names[grade]}"
        assert [str(count)] == [
            row.split()[-1] for row in anes96.DESCR.splitlines() if row.strip().startswith(line)
        ]


def test_anes96_fits():
    X, y = load_anes96(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    assert model.fit(X, y).score(X, y) > 0.35  # the most frequent grade alone gives 0.21


def test_anes96_middle_grade_is_hardly_predicted():
    X, y = load_anes96(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    assert np.sum(model.fit(X, y).predict(X) == 3) < 5


def test_gbsg2_figures():
    gbsg2 = load_gbsg2()
    assert gbsg2.data.shape == (686, 8)
    assert gbsg2.feature_names == GBSG2_FEATURES
    assert gbsg2.target_names == ["cens", "time"]
    assert gbsg2.target["cens"].sum() == 299
    assert (gbsg2.target["time"].min(), gbsg2.target["time"].max()) == (8, 2659)
    assert_array_equal(gbsg2.data[0], [0, 70, 1, 21, 2, 3, 48, 66])
    assert gbsg2.target[0].item() == (True, 1814.0)


@pytest.mark.parametrize("as_frame", [False, True])
def test_gbsg2_target_is_a_structured_array(as_frame):
    target = load_gbsg2(as_frame=as_frame).target
    assert type(target) is np.ndarray
    assert target.dtype == [("cens", bool), ("time", np.float64)]
    assert target.shape == (686,)


def test_gbsg2_frame_has_categories_and_the_target():
    frame = load_gbsg2(as_frame=True).frame
    assert frame.columns.tolist() == [*GBSG2_FEATURES, "cens", "time"]
    categorical = {
        name: (frame[name].cat.categories.tolist(), frame[name].cat.ordered)
        for name in frame.select_dtypes("category")
    }
    assert categorical == {
        "horTh": (["no", "yes"], False),
        "menostat": (["Pre", "Post"], False),
        "tgrade": (["I", "II", "III"], True),
    }
    assert frame["cens"].dtype == bool
    assert frame["time"].dtype == np.float64
    assert (frame[["age", "tsize", "pnodes", "progrec", "estrec"]].dtypes == np.int64).all()


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("horTh", {"no": 440, "yes": 246}),
        ("menostat", {"Pre": 290, "Post": 396}),
        ("tgrade", {"I": 81, "II": 444, "III": 161}),
    ],
)
def test_gbsg2_category_counts(name, counts):
    assert load_gbsg2(as_frame=True).data[name].value_counts().to_dict() == counts


def test_gbsg2_matrix_codes_the_categories():
    codes = {"horTh": {"no": 0, "yes": 1}, "menostat": {"Pre": 0, "Post": 1}}
    codes["tgrade"] = {"I": 1, "II": 2, "III": 3}
    frame = load_gbsg2(as_frame=True).data
    coded = frame.assign(**{name: frame[name].astype(object).map(codes[name]) for name in codes})
    assert_array_equal(coded.astype(np.float64), load_gbsg2().data)


def test_gbsg2_frame_and_target_agree():
    gbsg2 = load_gbsg2(as_frame=True)
    for field in ("cens", "time"):
        assert_array_equal(gbsg2.frame[field], gbsg2.target[field])


def test_gbsg2_target_passes_through_cross_validation():
    X, y = load_gbsg2(return_X_y=True)

    def event_share(estimator, X, y):
        return np.mean(y["cens"])

    class Nothing(LogisticRegression):
        def fit(self, X, y):
            return self

    scores = cross_val_score(Nothing(), X, y, cv=KFold(7), scoring=event_share)
    assert np.mean(scores) == pytest.approx(299 / 686)  # seven folds of 98 rows


def test_gbsg2_equals_the_copy_in_scikit_survival():
    sksurv = pytest.importorskip("sksurv.datasets")
    X, y = load_gbsg2(return_X_y=True, as_frame=True)
    other_X, other_y = sksurv.load_gbsg2()
    assert y.dtype == other_y.dtype
    assert_array_equal(y, other_y)
    for name in GBSG2_FEATURES:
        assert X[name].tolist() == other_X[name].tolist()
