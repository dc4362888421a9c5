"""Long loops are silent unless somebody asks, and say the same whoever runs them."""

import re
from itertools import repeat

import pytest

from sklearn_ordinal_censored import _progress
from sklearn_ordinal_censored._progress import SILENT, Progress

LINE = re.compile(r"\[demo\] things: (\d+)(?: of (\d+))? after \d+\.\d s")


def said(capsys):
    """The numbers of the printed lines: done, and of how many."""
    lines = capsys.readouterr().out.splitlines()
    return [tuple(map(int, filter(None, LINE.fullmatch(line).groups()))) for line in lines]


def test_silence_hands_back_the_loop_itself(capsys):
    items = iter([1, 2])
    assert SILENT.over(items, "things") is items
    assert said(capsys) == []


@pytest.mark.parametrize("verbose", [1, 2])
def test_items_pass_unchanged(verbose, capsys):
    assert list(Progress("demo", verbose).over("abc", "things", 3)) == ["a", "b", "c"]
    assert said(capsys) == [(1, 3), (2, 3), (3, 3)]


def test_a_long_loop_prints_ten_lines(capsys):
    for _ in Progress("demo", 1).over(range(1234), "things", 1234):
        pass
    done, totals = zip(*said(capsys), strict=True)
    assert done == (124, 247, 371, 494, 617, 741, 864, 988, 1111, 1234)
    assert set(totals) == {1234}


def test_more_verbose_prints_every_item(capsys):
    for _ in Progress("demo", 2).over(range(25), "things", 25):
        pass
    assert said(capsys) == [(done, 25) for done in range(1, 26)]


def test_items_may_count_for_several(capsys):
    for _ in Progress("demo", 1).over([[1, 2, 3], [4]], "things", 4, size=len):
        pass
    assert said(capsys) == [(3, 4), (4, 4)]


def test_without_a_total_lines_become_rarer_and_the_last_one_tells_it(capsys):
    for _ in Progress("demo", 1).over(range(35), "things"):
        pass
    assert said(capsys) == [*((n,) for n in range(1, 10)), (10,), (20,), (30,), (35, 35)]


def test_a_loop_without_items_says_so(capsys):
    for _ in Progress("demo", 1).over([], "things"):
        pass
    assert said(capsys) == [(0, 0)]


def test_slow_items_print_a_line_a_minute(capsys, monkeypatch):
    clock = iter(range(0, 10**6, 30))  # half a minute an item
    monkeypatch.setattr(_progress.time, "perf_counter", lambda: float(next(clock)))
    loop = Progress("demo", 1).over(repeat("item"), "things", 1000)
    for _ in range(6):
        next(loop)
    assert said(capsys) == [(2, 1000), (4, 1000)]


def test_a_loop_that_fails_prints_no_last_line(capsys):
    loop = Progress("demo", 1).over(map(int, ["1", "one"]), "things", 2)
    with pytest.raises(ValueError, match="one"):
        list(loop)
    assert said(capsys) == [(1, 2)]
