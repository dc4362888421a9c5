"""What a boosting library hands over, without the library."""

from typing import Any, NamedTuple

import numpy as np


class DataSet(NamedTuple):
    """Stands for LightGBM's Dataset and XGBoost's DMatrix."""

    label: Any
    weight: Any = None

    def get_label(self):
        return self.label

    def get_weight(self):
        return self.weight


def by_code(labels, values, columns):
    """Codes and columns as a classifier has them: grades in sorted order."""
    classes = sorted(labels)
    codes = np.array([classes.index(value) for value in values], dtype=np.float32)
    order = [list(labels).index(label) for label in classes]
    return codes, np.asarray(columns)[:, order]
