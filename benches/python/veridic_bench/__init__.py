"""The laboratory of Veridic: the papers' metrics in Python.

>>> evaluator = veridic_bench.Evaluator("finesure", "rouge", model="base")
>>> evaluator.evaluate(document, summary, reference=reference)["rouge1"]

Benchmarks, calibration and comparison are commands of the program `veridic-bench`, which the package installs too.
"""

import os as _os

from ._engine import VERSION as __version__
from ._engine import add_models_folder as _add_models_folder
from .evaluator import EvaluationError, Evaluator
from .summac import SummaCZS

# A wheel may bring models; in a checkout they lie beside the program.
_add_models_folder(_os.path.join(_os.path.dirname(_os.path.abspath(__file__)), "models"))

__all__ = ["EvaluationError", "Evaluator", "SummaCZS", "__version__"]
