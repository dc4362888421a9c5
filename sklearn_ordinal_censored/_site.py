"""Where the documentation is published, and links to it from the HTML of estimators."""

from __future__ import annotations

SITE = ""  # where the documentation is published; as long as it is nowhere, nothing links to it


class Documented:
    """Mixin whose HTML representation links to the page of the class.

    The attributes are those in which scikit-learn looks for the link. Name it before
    ``BaseEstimator``, which has them, too.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> class Model(Documented, BaseEstimator):
    ...     pass
    >>> Model()._get_doc_link()
    ''
    """

    _doc_link_module = __name__.partition(".")[0]

    @property
    def _doc_link_template(self) -> str:
        return SITE and f"{SITE}/generated/{{estimator_module}}.{{estimator_name}}.html"
