"""What the site lists and where links lead, read from the sources: Sphinx is not needed."""

import ast
import importlib.util
import re
from pathlib import Path

import pytest
from registry_results import RESULTS
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.utils import estimator_html_repr

import sklearn_ordinal_censored
from sklearn_ordinal_censored import (
    IPCWRegressor,
    KaplanMeier,
    OrdinalDecisionClassifier,
    OrdinalThresholdOptimizer,
    Turnbull,
    _site,
)

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MADE_BY_SPHINX = {"_build", "api", "gallery", "generated"}
PAGES = [p for p in DOCS.rglob("*.md") if p.relative_to(DOCS).parts[0] not in MADE_BY_SPHINX]
GUIDE = sorted(p for p in (DOCS / "user_guide").glob("*.md") if p.stem != "index")
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
FENCE = re.compile(r"^(`{3,}|:{3,}).*?^\1$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def conf():
    spec = importlib.util.spec_from_file_location("conf", DOCS / "conf.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_path(paths):
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in paths]


def toctree(path):
    """Return the pages that the toctrees of a page list."""
    text = "\n".join(re.findall(r"^```\{toctree\}\n(.*?)^```$", path.read_text(), re.M | re.S))
    entries = re.findall(r"^(?!:)(?:.*<)?([\w/]+)>?$", text, re.MULTILINE)
    return [path.parent / f"{entry}.md" for entry in entries]


def anchors(path):
    """Return the names that GitHub and MyST give to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", path.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# The reference


def test_every_public_name_has_a_page(conf):
    assert sorted(conf.PAGES) == sklearn_ordinal_censored.__all__
    listed = {
        f"{re.search(r'^.. module:: (.*)$', text, re.MULTILINE)[1]}.{name}"
        for page, text in conf.api_pages().items()
        if page not in ("index", "results")
        for table in re.findall(r"autosummary::\n((?:   .*\n|\n)*)", text)
        for name in re.findall(r"^   (\w+)$", table, re.MULTILINE)
    }
    assert listed == set(conf.PAGES.values())


def test_every_page_of_the_reference_is_in_its_index(conf):
    pages = conf.api_pages()
    assert set(pages) - {"index"} == {*conf.SUBPACKAGES, "results"}
    assert set(pages) - {"index"} == set(pages["index"].partition(":hidden:")[2].split())


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_results_have_a_page(conf):
    page = conf.api_pages()["results"]
    for kind in {type(make()) for make in RESULTS.values()}:
        assert f"   ~{kind.__module__}.{kind.__name__}\n" in page
        assert f"* - :obj:`{kind.__name__}`\n" in page


# Guide pages and links


def test_every_page_is_in_a_toctree():
    reached, queue = set(), [DOCS / "index.md"]
    while queue:
        page = queue.pop()
        reached.add(page)
        queue += [entry for entry in toctree(page) if entry.exists()]
    assert len(GUIDE) >= 6
    assert set(PAGES) == reached


def test_every_guide_page_answers_a_question_of_the_index():
    targets = re.findall(r"\| \[[^]]*\]\((\w+\.md)", (DOCS / "user_guide/index.md").read_text())
    assert {page.name for page in GUIDE} == set(targets)


@pytest.mark.parametrize("page", by_path([*sorted(PAGES), ROOT / "README.md"]))
def test_relative_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", page.read_text())):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


# Examples


@pytest.mark.parametrize("example", by_path(EXAMPLES))
def test_examples_have_a_title_and_a_claim(example):
    title, underline, blank, *claim = ast.get_docstring(ast.parse(example.read_text())).split("\n")
    assert underline == "=" * len(title)
    assert not blank
    assert "".join(claim)


# Links from estimators to their pages

ESTIMATORS = [
    IPCWRegressor(Ridge()),
    KaplanMeier(),
    OrdinalDecisionClassifier(LogisticRegression()),
    OrdinalThresholdOptimizer(Ridge()),
    Turnbull(),
]
estimators = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)


def links(estimator):
    return re.findall(r'href="([^"#]*)', estimator_html_repr(estimator))


@estimators
def test_estimators_link_to_their_page_of_the_site(estimator, conf, monkeypatch):
    monkeypatch.setattr(_site, "SITE", "https://example.org/docs")
    page = conf.PAGES[type(estimator).__name__]
    assert f"https://example.org/docs/generated/{page}.html" in links(estimator)


@estimators
def test_nothing_links_to_a_site_that_is_not_there(estimator):
    assert not [link for link in links(estimator) if "sklearn_ordinal_censored" in link]
