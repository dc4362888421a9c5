"""How Sphinx builds the site: guide pages in Markdown, API pages from ``__all__``, a gallery."""

import importlib
import inspect
import re
import sys
from dataclasses import is_dataclass
from pathlib import Path

import sklearn_ordinal_censored

NAME = sklearn_ordinal_censored.__name__
HERE = Path(__file__).parent
SUBPACKAGES = {
    path.parent.name: importlib.import_module(f"{NAME}.{path.parent.name}")
    for path in sorted(Path(sklearn_ordinal_censored.__file__).parent.glob("[!_]*/__init__.py"))
}
# Every public name, and where its page says that it is from.
PAGES = {
    public: f"{NAME}.{name}.{public}"
    for name, package in SUBPACKAGES.items()
    for public in package.__all__
}


def result_classes():
    """Return the classes of results that public functions and results' methods return, by name."""
    found = {}
    for public in PAGES:
        function = getattr(sklearn_ordinal_censored, public)
        queue = [(function, public)] if inspect.isfunction(function) else []
        while queue:
            asked, origin = queue.pop()
            annotation = str(inspect.signature(asked).return_annotation)
            result = getattr(sys.modules[asked.__module__], annotation, None)
            if not is_dataclass(result) and not hasattr(result, "_fields"):
                continue
            found.setdefault(annotation, (result, []))[1].append(origin)
            found.update({kind.__name__: (kind, [annotation]) for kind in result.__subclasses__()})
            if hasattr(result, "confidence_interval"):
                queue.append((result.confidence_interval, f"{annotation}.confidence_interval"))
    return found


RESULTS = result_classes()
RESULT_PAGES = {name: f"{kind.__module__}.{name}" for name, (kind, _) in RESULTS.items()}

project = NAME
author = copyright = "The sklearn_ordinal_censored developers"
version = release = sklearn_ordinal_censored.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.extlinks",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "_templates", "gallery/*.md5", "gallery/*.py", "gallery/*.ipynb"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
templates_path = ["_templates"]
default_role = "literal"
highlight_language = "none"  # Python says that it is Python
nitpicky = True
# Names of other packages are not looked up, so that no network is needed. Ours must exist.
OTHERS = "functools|lightgbm|matplotlib|numpy|pandas|polars|scipy|sklearn|sksurv|xgboost"
nitpick_ignore_regex = [("py:.*", rf"({OTHERS})\..*")]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
extlinks = {"doi": ("https://doi.org/%s", "doi:%s")}
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

autodoc_typehints = "none"  # numpydoc says it in words
autosummary_generate = [f"api/{name}.rst" for name in (*SUBPACKAGES, "results")]
numpydoc_show_class_members = False  # the template of classes does it
add_module_names = False
toc_object_entries_show_parents = "hide"
html_math_renderer = "mathml"

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/(plot_|quickstart)",
    "doc_module": (NAME,),
    "backreferences_dir": "generated/backreferences",
    "abort_on_example_error": True,
    "capture_repr": (),
    "download_all_examples": False,
    "min_reported_time": 1e9,
    "remove_config_comments": True,
    "show_signature": False,
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = NAME
html_logo = html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
# No sidebar on pages without a section.
html_sidebars = {path.stem: [] for path in HERE.glob("*.md")}
html_theme_options = {
    "logo": {"text": NAME},
    "navbar_align": "left",
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def first_sentence(module):
    """Return what a module says that it is about, up to the first colon or full stop."""
    return re.split("[:.]", inspect.getdoc(module))[0]


def package_page(name, package):
    """Return the page of a subpackage: a table of what ``__all__`` names, or one a family."""
    families = {}
    for public in package.__all__:
        module = sys.modules[getattr(package, public).__module__]
        family = first_sentence(module) if len(package.__all__) > 10 else ""
        families.setdefault(family, []).append(public)
    lines = [name, "=" * len(name), "", f".. module:: {NAME}.{name}", "", inspect.getdoc(package)]
    for family, names in sorted(families.items()):
        lines += ["", family, "-" * len(family)] if family else []
        lines += ["", ".. autosummary::", "   :toctree: ../generated", "   :nosignatures:", ""]
        lines += [f"   {public}" for public in names]
    return "\n".join([*lines, ""])


def results_page():
    """Return the page of the classes that are not exported, of which results are."""
    lines = ["Results", "=======", ""]
    lines += [
        "What functions return besides numbers, arrays and frames. There is no need to import"
    ]
    lines += ["or make one; their attributes and methods are as stable as the functions.", ""]
    lines += [".. autosummary::", "   :toctree: ../generated", "   :nosignatures:", ""]
    lines += [f"   ~{page}" for _, page in sorted(RESULT_PAGES.items())]
    lines += ["", ".. list-table:: Where they come from", ""]
    for name, (_, origins) in sorted(RESULTS.items()):
        roles = [f":obj:`{origin}`" for origin in sorted(set(origins))]
        lines += [
            f"   * - :obj:`{name}`",
            f"     - {'a kind of ' * (origins[0] in RESULTS)}{', '.join(roles)}",
        ]
    return "\n".join([*lines, ""])


def api_pages():
    """Return the text of each page of the reference by its name."""
    lines = ["Reference", "=========", "", f"``{NAME}`` itself has all of these names, too."]
    for name, package in SUBPACKAGES.items():
        lines += ["", f":doc:`{name}`", f"   {inspect.getdoc(package)}"]
    lines += ["", ":doc:`results`", "   What functions return besides numbers, arrays and frames."]
    pages = {name: package_page(name, package) for name, package in SUBPACKAGES.items()}
    pages["results"] = results_page()
    lines += ["", ".. toctree::", "   :hidden:", "", *(f"   {name}" for name in pages), ""]
    return pages | {"index": "\n".join(lines)}


def write_api_pages(app, config):
    """Write the reference, before Sphinx looks for pages."""
    folder = HERE / "api"
    folder.mkdir(exist_ok=True)
    for name, text in api_pages().items():
        (folder / f"{name}.rst").write_text(text)


def adapt_source(app, docname, source):
    """Lead links to scripts into the gallery; leave the mark of quick examples out of it."""
    text = re.sub(r"\]\((?:\.\./)+examples/(\w+)\.py\)", r"](/gallery/\1.rst)", source[0])
    text = re.sub(r"\]\((?:\.\./)+examples\)", "](/gallery/index.rst)", text)
    source[0] = re.sub(r"^ +# quick\n\n", "", text, flags=re.MULTILINE)


def finish_guide(app, doctree):
    """Link public names that stand as code in a guide page, called or not; trim its examples."""
    from docutils import nodes
    from sphinx.addnodes import pending_xref

    docname = app.env.current_document.docname
    if app.env.doc2path(docname).suffix != ".md":
        return
    for block in doctree.findall(nodes.literal_block):
        # The empty line before a closing fence ends an output for doctest.
        block.rawsource = block.astext().rstrip()
        block[:] = [nodes.Text(block.rawsource)]
    known = PAGES | RESULT_PAGES
    for node in list(doctree.findall(nodes.literal)):
        name = re.match(r"\w*", node.astext())[0]
        inside = isinstance(node.parent, (nodes.title, nodes.reference, pending_xref))
        if name in known and not inside and re.fullmatch(r"\w+(\(.*\))?", node.astext()):
            link = pending_xref("", refdomain="py", reftype="obj", reftarget=known[name])
            link["refdoc"] = docname
            node.replace_self(link)
            link += node


def find_own_name(app, env, node, contnode):
    """Find the page of a public name that is written without its subpackage."""
    name, dot, member = node["reftarget"].partition(".")
    known = PAGES | RESULT_PAGES
    if name not in known:
        return None
    target = known[name] + dot + member
    domain = env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", target, node, contnode)


def link_results(app, what, name, obj, options, lines):
    """Lead the name of a result that stands alone, as under "Returns", to its page."""
    lines[:] = [f":obj:`{line}`" if line in RESULTS else line for line in lines]


def hide_signature(app, what, name, obj, options, signature, returns):
    """Leave out how a result is made, since functions do that."""
    return ("", None) if obj in [kind for kind, _ in RESULTS.values()] else None


def skip_foreign(app, what, name, obj, skip, options):
    """Leave out what classes inherit from scikit-learn; it is described there."""
    module = getattr(getattr(obj, "fget", obj), "__module__", None) or ""
    return None if module.startswith(NAME) else True


def write_formula(translator, node):
    """Write a formula as MathML, which browsers show without a script."""
    from docutils.nodes import SkipNode, math_block
    from docutils.utils.math.latex2mathml import tex2mathml

    is_block = isinstance(node, math_block)
    formula = tex2mathml(node.astext().replace(r"\dots", r"\ldots"), as_block=is_block)
    translator.body.append(f'<div class="formula">{formula}</div>' if is_block else formula)
    raise SkipNode


def setup(app):
    """Connect all this with Sphinx."""
    app.connect("config-inited", write_api_pages)
    app.connect("source-read", adapt_source)
    app.connect("doctree-read", finish_guide)
    app.connect("missing-reference", find_own_name)
    app.connect("autodoc-process-docstring", link_results, priority=400)  # before numpydoc
    app.connect("autodoc-process-signature", hide_signature)
    app.connect("autodoc-skip-member", skip_foreign)
    app.add_html_math_renderer("mathml", (write_formula, None), (write_formula, None))
