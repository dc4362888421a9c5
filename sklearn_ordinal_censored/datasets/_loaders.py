"""Small real data sets that ship with the package.

Each is one CSV file, read as columns of text with the standard library, so that only
``as_frame=True`` needs pandas. A loader turns those columns into numbers and packs them the way
scikit-learn's own loaders do.
"""

from __future__ import annotations

import csv
import importlib.resources
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import Bunch

from sklearn_ordinal_censored.targets._inputs import check_flag

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd
    from numpy.typing import NDArray

_PACKAGE = "sklearn_ordinal_censored.datasets"

_ANES96_FEATURES = ["popul", "TVnews", "selfLR", "ClinLR", "DoleLR", "age", "educ", "income"]
_ANES96_GRADES = [
    "strong Democrat",
    "weak Democrat",
    "independent Democrat",
    "independent",
    "independent Republican",
    "weak Republican",
    "strong Republican",
]

_GBSG2_FEATURES = ["horTh", "age", "menostat", "tsize", "tgrade", "pnodes", "progrec", "estrec"]
# The order of the keys is the order of the categories.
_GBSG2_CODES = {
    "horTh": {"no": 0, "yes": 1},
    "menostat": {"Pre": 0, "Post": 1},
    "tgrade": {"I": 1, "II": 2, "III": 3},
}
_GBSG2_FIELDS = ["cens", "time"]
_GBSG2_TARGET = np.dtype([("cens", np.bool_), ("time", np.float64)])

_ANES96_DESCR = """\
American National Election Study 1996
=====================================

944 respondents who intended to vote for Clinton or for Dole in the presidential election of
1996 and answered every question used here.

Target
------
PID, party identification, seven ordered grades:

== ======================= =====
 0 strong Democrat          200
 1 weak Democrat            180
 2 independent Democrat     108
 3 independent               37
 4 independent Republican    94
 5 weak Republican          150
 6 strong Republican        175
== ======================= =====

Predictors
----------
======  ====================================================================================
popul   population of the place of residence, in thousands
TVnews  days of the past week on which news were watched on television, 0 to 7
selfLR  where the respondent places himself or herself, 1 extremely liberal to 7 extremely
        conservative
ClinLR  where the respondent places Bill Clinton, same scale
DoleLR  where the respondent places Bob Dole, same scale
age     age in years
educ    education, 1 (eight grades or fewer) to 7 (advanced degree)
income  income of the household, 1 (under 3 000 dollars) to 24 (105 000 dollars and more)
======  ====================================================================================

The file also holds `vote`, the intended vote (0 Clinton, 1 Dole). It is an outcome like the
target and nearly tells the party, so it is in neither the data nor the frame.

Source
------
American National Election Studies, 1996 pre- and post-election survey, public domain.
https://doi.org/10.3886/ICPSR06896.v6
"""

_GBSG2_DESCR = """\
German Breast Cancer Study Group 2
==================================

Follow-up of 686 women with node-positive breast cancer. 299 had a recurrence or died; the
other 387 were still free of recurrence when last seen.

Target
------
====  ====================================================================================
cens  whether recurrence or death was seen. True is an *event*, False a censored time
time  recurrence-free survival time in days, up to the event or to the last visit
====  ====================================================================================

Predictors
----------
========  ================================================================================
horTh     hormonal therapy; no = 0, yes = 1
age       age in years
menostat  menopausal status; Pre = 0, Post = 1
tsize     size of the tumour in millimetres
tgrade    grade of the tumour, ordinal; I = 1, II = 2, III = 3
pnodes    number of positive lymph nodes
progrec   progesterone receptor in fmol
estrec    oestrogen receptor in fmol
========  ================================================================================

The numbers are those of the matrix that `as_frame=False` gives; with `as_frame=True` the three
columns are categorical.

Source
------
Schumacher et al., Journal of Clinical Oncology 12 (1994), 2086-2093, in the table layout that
the lifelines package distributes under the MIT licence.
https://doi.org/10.1200/JCO.1994.12.10.2086
"""


def _read_columns(filename: str) -> dict[str, list[str]]:
    """Read one CSV file of the package as a mapping of column name to text values."""
    source = importlib.resources.files(_PACKAGE).joinpath("data", filename)
    with source.open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    columns = zip(*rows, strict=True)
    return {name: list(values) for name, values in zip(header, columns, strict=True)}


def _integers(values: Iterable[str | int]) -> NDArray[np.int64]:
    return np.array([int(value) for value in values], dtype=np.int64)


def _matrix(columns: Iterable[NDArray[np.int64]]) -> NDArray[np.float64]:
    return np.column_stack(list(columns)).astype(np.float64)


def _pack(parts: tuple[Any, Any, Any], *, return_X_y: bool, filename: str, **details: Any) -> Any:
    """Return data and target as a pair, or everything as a Bunch."""
    data, target, frame = parts
    if return_X_y:
        return data, target
    place = {"filename": filename, "data_module": f"{_PACKAGE}.data"}
    return Bunch(data=data, target=target, frame=frame, **details, **place)


def _anes96_parts(as_frame: bool) -> tuple[Any, Any, pd.DataFrame | None]:
    """Return predictors, party identification and the frame of both."""
    columns = {name: _integers(text) for name, text in _read_columns("anes96.csv").items()}
    grade = columns["PID"]
    if not as_frame:
        return _matrix(columns[name] for name in _ANES96_FEATURES), grade, None
    import pandas as pd

    # The frame is made from the data, not the data cut out of the frame: pandas before 3.0 warns
    # when a user assigns to a part.
    data = pd.DataFrame({name: columns[name] for name in _ANES96_FEATURES})
    return data, pd.Series(grade, name="PID"), data.assign(PID=grade)


def _gbsg2_parts(as_frame: bool) -> tuple[Any, NDArray[np.void], pd.DataFrame | None]:
    """Return predictors, structured target and the frame of both."""
    columns = _read_columns("gbsg2.csv")
    target = np.empty(len(columns["time"]), dtype=_GBSG2_TARGET)
    for field in _GBSG2_FIELDS:
        target[field] = _integers(columns[field])
    if not as_frame:
        return _matrix(_gbsg2_codes(name, columns[name]) for name in _GBSG2_FEATURES), target, None
    import pandas as pd

    data = pd.DataFrame({name: _gbsg2_series(name, columns[name]) for name in _GBSG2_FEATURES})
    return data, target, data.assign(**{field: target[field] for field in _GBSG2_FIELDS})


def _gbsg2_codes(name: str, values: list[str]) -> NDArray[np.int64]:
    codes = _GBSG2_CODES.get(name, {})
    return _integers(codes.get(value, value) for value in values)


def _gbsg2_series(name: str, values: list[str]) -> pd.Series[Any]:
    import pandas as pd

    if name not in _GBSG2_CODES:
        return pd.Series(_integers(values))
    categories = list(_GBSG2_CODES[name])
    return pd.Series(pd.Categorical(values, categories=categories, ordered=name == "tgrade"))


def load_anes96(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Load the party identification data of the American election study of 1996.

    The target has seven ordered grades, from strong Democrat (0) to strong Republican (6). The
    middle grade is rare (37 of 944) and hardly ever the most probable one.

    =============  ===================================
    Samples        944
    Features       8, all numeric
    Grades         7, coded 0 to 6
    Grade counts   [200, 180, 108, 37, 94, 150, 175]
    =============  ===================================

    Parameters
    ----------
    return_X_y : bool, default=False
        If True, return the pair ``(data, target)`` instead of a Bunch.
    as_frame : bool, default=False
        If True, `data` is a pandas DataFrame and `target` a pandas Series, both of integers.

    Returns
    -------
    bunch : :class:`~sklearn.utils.Bunch`
        With ``return_X_y=False``, a dictionary with attribute access:

        data : ndarray of float of shape (944, 8), or DataFrame
            The predictors.
        target : ndarray of int of shape (944,), or Series
            Party identification, 0 to 6.
        frame : DataFrame of shape (944, 9), or None
            Predictors and the column ``"PID"``; None unless ``as_frame=True``.
        feature_names : list of str
            Names of the predictors, in the order of the columns.
        target_names : ndarray of str of shape (7,)
            The grades from the lowest to the highest; ``target_names[target]`` spells them out.
        DESCR : str
            Description of the data, with the meaning of every column.
        filename, data_module : str
            Name of the CSV file and of the package folder that holds it.
    (data, target) : tuple
        With ``return_X_y=True``, these two entries only.

    See Also
    --------
    load_gbsg2 : Real data with a censored target.
    make_ordinal : Artificial data with an ordinal target.

    Notes
    -----
    The file has one more column, the intended vote. It is left out because it is an outcome, not
    a predictor: it is given in the same interview and nearly tells the party.

    References
    ----------
    .. [1] S. J. Rosenstone, D. R. Kinder, W. E. Miller and the National Election Studies,
       "ANES 1996 Time Series Study", Inter-university Consortium for Political and Social
       Research, 2016. :doi:`10.3886/ICPSR06896.v6`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal_censored.datasets import load_anes96
    >>> anes96 = load_anes96()
    >>> anes96.data.shape
    (944, 8)
    >>> np.bincount(anes96.target)
    array([200, 180, 108,  37,  94, 150, 175])
    >>> anes96.target_names[anes96.target[:3]].tolist()
    ['strong Republican', 'weak Democrat', 'weak Democrat']
    """
    check_flag("return_X_y", return_X_y)
    check_flag("as_frame", as_frame)
    return _pack(
        _anes96_parts(as_frame),
        return_X_y=return_X_y,
        feature_names=list(_ANES96_FEATURES),
        target_names=np.array(_ANES96_GRADES),
        DESCR=_ANES96_DESCR,
        filename="anes96.csv",
    )


def load_gbsg2(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Load the breast cancer survival data of the German Breast Cancer Study Group 2.

    The target is the right-censored recurrence-free survival time. Its event field is called
    ``cens``, as in the published table, although True means that the event *was* seen.

    =============  ===================================
    Samples        686
    Features       8: five numeric, three categorical
    Events         299 (387 censored)
    Times          8 to 2659 days
    =============  ===================================

    Parameters
    ----------
    return_X_y : bool, default=False
        If True, return the pair ``(data, target)`` instead of a Bunch.
    as_frame : bool, default=False
        If True, `data` is a pandas DataFrame. The target is the same structured array either way.

    Returns
    -------
    bunch : :class:`~sklearn.utils.Bunch`
        With ``return_X_y=False``, a dictionary with attribute access:

        data : ndarray of float of shape (686, 8), or DataFrame
            The predictors. The array codes ``horTh`` as no = 0, yes = 1; ``menostat`` as Pre = 0,
            Post = 1; ``tgrade`` as I = 1, II = 2, III = 3. The DataFrame holds these three as
            Categoricals, ``tgrade`` an ordered one (I < II < III), and the others as integers.
        target : structured ndarray of shape (686,)
            Field ``cens`` (bool): True for recurrence or death, False for a censored time; field
            ``time`` (float): days.
        frame : DataFrame of shape (686, 10), or None
            Predictors and the columns ``"cens"`` and ``"time"``; None unless ``as_frame=True``.
        feature_names : list of str
            Names of the predictors, in the order of the columns.
        target_names : list of str
            Names of the two fields of the target.
        DESCR : str
            Description of the data, with the meaning of every column.
        filename, data_module : str
            Name of the CSV file and of the package folder that holds it.
    (data, target) : tuple
        With ``return_X_y=True``, these two entries only.

    See Also
    --------
    load_anes96 : Real data with an ordinal target.

    Notes
    -----
    The target has the layout that scikit-survival uses, so that its estimators take it as it is.

    References
    ----------
    .. [1] M. Schumacher et al., "Randomized 2 x 2 trial evaluating hormonal treatment and the
       duration of chemotherapy in node-positive breast cancer patients", Journal of Clinical
       Oncology 12 (10), 1994, pp. 2086-2093. :doi:`10.1200/JCO.1994.12.10.2086`

    Examples
    --------
    >>> from sklearn_ordinal_censored.datasets import load_gbsg2
    >>> X, y = load_gbsg2(return_X_y=True)
    >>> X[0].tolist()
    [0.0, 70.0, 1.0, 21.0, 2.0, 3.0, 48.0, 66.0]
    >>> y[0].tolist()
    (True, 1814.0)
    >>> int(y["cens"].sum()), y.shape
    (299, (686,))

    With a frame the categories keep their names and the tumour grade its order.

    >>> X, y = load_gbsg2(return_X_y=True, as_frame=True)
    >>> X.loc[0, ["horTh", "menostat", "tgrade"]].tolist()
    ['no', 'Post', 'II']
    >>> (X["tgrade"] > "II").sum().item()
    161
    """
    check_flag("return_X_y", return_X_y)
    check_flag("as_frame", as_frame)
    return _pack(
        _gbsg2_parts(as_frame),
        return_X_y=return_X_y,
        feature_names=list(_GBSG2_FEATURES),
        target_names=list(_GBSG2_FIELDS),
        DESCR=_GBSG2_DESCR,
        filename="gbsg2.csv",
    )
