"""Reports as text: readable, narrow, plain, and nothing but what the frame holds."""

import re
import textwrap

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose
from pandas.testing import assert_frame_equal
from strategies import graded

from sklearn_ordinal_censored.metrics import ordinal_report, render_report
from sklearn_ordinal_censored.metrics._report_frame import ReportRow, report_frame

LONG = [f"{place} of the {what}" for place in ("end", "midst") for what in ("beginning", "stages")]


def random_report(n_classes, n_samples=500, labels=None, weight=None, **options):
    rng = np.random.default_rng(n_classes)
    sides = rng.integers(0, n_classes, (2, n_samples))
    labels = list(range(n_classes)) if labels is None else labels
    y_true, y_pred = np.array(labels)[sides]
    return ordinal_report(y_true, y_pred, labels=labels, sample_weight=weight, **options)


def test_a_small_report_reads_like_this():
    report = ordinal_report(
        ["low", "low", "mid", "high"],
        ["low", "mid", "mid", "mid"],
        second_rater=["low", "low", "mid", "mid"],
        labels=["low", "mid", "high"],
    )
    expected = """\
        overall [95 % interval]
                                                      prediction
          n                                    4
          quadratic_weighted_kappa         0.429 [-0.616, 0.927]
          linear_weighted_kappa            0.333 [-0.592, 0.880]
          accuracy                         0.500 [0.150, 0.850]
          accuracy_within_one              1.000 [0.510, 1.000]
          mean_absolute_class_error        0.500 [-0.066, 1.066]
          macro_mean_absolute_class_error  0.500 [0.233, 0.767]
          mean_squared_class_error         0.500 [-0.066, 1.066]

        confusion
          predicted  low  mid  high
          low          1    1     0
          mid          0    1     0
          high         0    1     0

        class
                                                      mean_
                                                  absolute_
                      precision  recall     f1  class_error  support
          low             1.000   0.500  0.667        0.500        2
          mid             0.333   1.000  0.500        0.000        1
          high              nan   0.000  0.000        1.000        1
          macro mean      0.667   0.500  0.389        0.500

        cut
                     recall  precision  specificity
          above low       1      0.667        0.500
          above mid       0        nan        1.000

        baseline
                                           most frequent  median  random  second rater
          quadratic_weighted_kappa                 0.000   0.000   0.000         0.750
          linear_weighted_kappa                    0.000   0.000   0.000         0.667
          accuracy                                 0.500   0.500   0.312         0.750
          accuracy_within_one                      0.750   0.750   0.938         1.000
          mean_absolute_class_error                0.750   0.750   0.750         0.250
          macro_mean_absolute_class_error          1.000   1.000   0.750         0.333
          mean_squared_class_error                 1.250   1.250   0.875         0.250"""
    assert render_report(report) == textwrap.dedent(expected)


def printed(text):
    """All numbers of a text but those in names, such as f1."""
    return re.findall(r"(?<![\w.])-?(?:\d[\d.]*(?:e[+-]\d+)?|nan|inf)(?![\w.])", text)


@settings(max_examples=20)
@given(graded(min_classes=2))
def test_every_number_comes_from_the_frame_and_none_is_lost(rows):
    words = [f"grade {chr(ord('a') + k)}" for k in range(rows.n_classes)]
    y_true, y_pred = ([words[rank] for rank in side] for side in (rows.true_ranks, rows.pred_ranks))
    report = ordinal_report(
        y_true, y_pred, second_rater=y_true, labels=words, sample_weight=rows.weight
    )
    ends = report.loc[report["low"].notna(), ["low", "high"]]
    expected = np.concatenate([report["value"], ends.to_numpy().ravel()])
    text = render_report(report).replace("[95 % interval]", "")
    found = np.array(printed(text), dtype=float)
    assert len(found) == len(expected)
    assert_allclose(np.sort(found), np.sort(expected), rtol=0.005, atol=0.0005)


SCALES = {
    "two": [0, 1],
    "twenty": list(range(20)),
    "wide numbers": list(range(10**15, 10**15 + 8)),
    "long": LONG,
    "very long": [f"{'very ' * k}{'longwinded' * 20}" for k in range(6)],
    "empty": ["", " ", "  "],
    "not English": ["m\u00e4\u00dfig", "gro\u00df", "\u6700\u5927", "\U0001f600"],
    "control characters": ["a\nb", "a\tb", "\x1b[31mred\x1b[0m", "a\\b"],
    "bytes": [b"low", b"high"],
}


@pytest.mark.parametrize("scale", SCALES.values(), ids=list(SCALES))
@pytest.mark.parametrize("unit", [1, 1e6, 1e13, 0.123, 1e-9])
def test_lines_are_plain_and_short(scale, unit):
    report = random_report(len(scale), labels=scale, weight=np.full(500, unit))
    text = render_report(report)
    assert max(map(len, text.splitlines())) <= 100
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert not any(line.endswith(" ") for line in text.splitlines())


def table(report, section):
    """Lines of one section, below its title."""
    lines = render_report(report.loc[[section]]).splitlines()
    assert lines[0].split()[0] == section
    return lines[1:]


def test_a_wide_table_goes_on_below_itself():
    lines = table(random_report(20, 10**6), "confusion")
    assert lines.count("") == 1
    blocks = "\n".join(lines).split("\n\n")
    assert [block.split()[0] for block in blocks] == ["predicted", "predicted"]
    headings = [int(heading) for block in blocks for heading in block.splitlines()[0].split()[1:]]
    assert headings == list(range(20))
    for block in blocks:
        assert [int(line.split()[0]) for line in block.splitlines()[1:]] == list(range(20))


def test_long_headings_are_broken_at_words():
    lines = table(random_report(4, labels=LONG), "confusion")
    heading = lines[: lines.index(next(line for line in lines if line.startswith("  end")))]
    words = sorted(word for line in heading for word in line.split())
    assert words == sorted(["predicted", *" ".join(LONG).split()])
    assert lines[len(heading)].strip().startswith(LONG[0])


def test_names_that_are_cut_keep_both_ends():
    scale = ["low", "begin" + "x" * 80 + "end"]
    lines = table(random_report(2, labels=scale), "class")
    assert lines[-2].split()[0] == "begin" + "x" * 13 + "..." + "x" * 15 + "end"


def test_names_that_are_cut_to_the_same_keep_their_columns():
    scale = [f"{'x' * 30}{middle}{'x' * 30}" for middle in "abc"]
    lines = table(random_report(3, labels=scale), "confusion")
    assert [len(line.split()) for line in lines[-3:]] == [4, 4, 4]


def test_measures_go_down_the_side_where_they_are_long_and_the_items_few():
    lines = table(random_report(3), "baseline")
    assert lines[0].split() == ["most", "frequent", "median", "random"]
    assert lines[1].split()[0] == "quadratic_weighted_kappa"
    assert table(random_report(2), "cut")[0].split() == ["recall", "precision", "specificity"]


def test_most_measures_must_be_long_to_go_down_the_side():
    names = [
        "auc",
        "brier",
        "calibration_slope",
        "calibration_intercept",
        "calibration_in_the_large",
    ]
    for chosen, is_down in ((names[:4], False), (names, True)):
        both = [ReportRow("s", model, name, 0.5) for model in ("model", "other") for name in chosen]
        assert (table(report_frame(both), "s")[0].split() == ["model", "other"]) == is_down


def test_one_item_is_a_column_where_a_heading_would_break():
    for last, is_down in (("calibration_slope", True), ("slope", False)):
        names = ["auc", "brier", last]
        report = report_frame(ReportRow("s", "model", name, 0.5) for name in names)
        assert (table(report, "s")[0].split() == ["model"]) == is_down


def test_whole_measures_have_no_decimals():
    whole, fractions = (
        random_report(3, weight=np.full(500, unit)).loc[["confusion", "class"]] for unit in (2, 0.3)
    )
    cells = [line.split()[1:] for line in table(whole, "confusion")[1:]]
    assert all(re.fullmatch(r"\d+", cell) for row in cells for cell in row)
    cells = [line.split()[1:] for line in table(fractions, "confusion")[1:]]
    assert all(re.fullmatch(r"\d+\.\d{3}", cell) for row in cells for cell in row)
    support = [line.split()[-1] for line in table(whole, "class")[-4:-1]]
    assert sum(map(int, support)) == 1000


def test_numbers_out_of_the_ordinary():
    values = [0.0, -0.0, 1e-5, -2.5e-4, 0.5, 1234567.8, np.inf, -np.inf, np.nan]
    report = report_frame(ReportRow("s", k, "value", value) for k, value in enumerate(values))
    found = " ".join(line.split()[-1] for line in table(report, "s")[1:])
    assert found == "0.000 0.000 1.00e-05 -2.50e-04 0.500 1.23e+06 inf -inf nan"
    report = report_frame([ReportRow("s", 0, "value", -0.0), ReportRow("s", 1, "value", 2e14)])
    assert [line.split()[-1] for line in table(report, "s")[1:]] == ["0", "200000000000000"]


def test_other_reports_are_rendered_as_well():
    """Points in time down the side, intervals beside every value, a value left out."""
    rows = [
        ReportRow("times", 0.5, "brier", 0.1, 0.05, 0.15),
        ReportRow("times", 0.5, "auc", 0.75, 0.5, 1.0),
        ReportRow("times", 12.0, "brier", 0.25),
        ReportRow("calibration", "all", "pvalue", 0.04),
    ]
    expected = """\
        times [interval]
                               brier                   auc
          0.5   0.100 [0.050, 0.150]  0.750 [0.500, 1.000]
          12.0  0.250

        calibration
               pvalue
          all   0.040"""
    assert render_report(report_frame(rows)) == textwrap.dedent(expected)


def test_sections_can_be_chosen():
    report = random_report(3)
    whole = render_report(report)
    for section in ("overall", "baseline"):
        assert render_report(report.loc[[section]]) in whole
    chosen = render_report(report.loc[["overall", "class"]])
    assert [line for line in chosen.splitlines() if line[:1].strip()] == [
        "overall [95 % interval]",
        "class",
    ]


def test_the_level_is_the_one_of_the_report():
    assert "[99.9 % interval]" in render_report(random_report(3, confidence_level=0.999))


def test_a_report_read_from_a_file_reads_the_same(tmp_path):
    report = random_report(4, labels=LONG)
    report.to_csv(tmp_path / "report.csv")
    again = pd.read_csv(tmp_path / "report.csv", index_col=[0, 1, 2])
    expected = render_report(report).replace("[95 % interval]", "[interval]")
    assert render_report(again) == expected


def test_the_report_is_only_read():
    report = random_report(3)
    copy = report.copy()
    render_report(report)
    assert_frame_equal(report, copy)
    assert report.attrs == {"confidence_level": 0.95}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda report: report.loc["overall"],
        lambda report: report["value"],
        lambda report: report.reset_index(),
        lambda report: report.drop(columns="high"),
        lambda report: report.to_numpy(),
        lambda report: None,
    ],
    ids=["one section", "one column", "no index", "no high", "array", "None"],
)
def test_what_is_no_report_is_refused(spoil):
    with pytest.raises(ValueError, match=r"report must be a data frame .*report.loc\[\["):
        render_report(spoil(random_report(3)))


def test_two_reports_in_one_are_refused():
    report = ordinal_report([0, 0, 1, 2], [0, 1, 1, 2])
    with pytest.raises(ValueError, match=r"^report has several rows for \('overall', 'predict"):
        render_report(pd.concat([report, report]))
