"""Veridic judges, claim by claim, whether a summary is supported by its document, and shows the evidence.

>>> scorer = veridic.Scorer(model="base", claims="sentence", profile="veridic", threads=2)
>>> result = scorer.score(document, summary)
>>> result.score, result.verdict, result.claims[0].evidence.text

Everything is computed on this machine, without the interpreter's lock. `veridic.compat` has the call and return shapes
of other packages, `veridic.frames` pandas, polars and Arrow, `veridic.ray` Ray Data.
"""

import os as _os

from ._engine import VERSION as __version__
from ._engine import add_models_folder as _add_models_folder
from .errors import (
    ArgumentError,
    MissingPackage,
    ModelError,
    RowError,
    SettingError,
    TextError,
    VeridicError,
    VeridicWarning,
)
from .results import (
    Citation,
    Claim,
    CounterEvidence,
    Evidence,
    FailedRow,
    Ledger,
    Limits,
    Model,
    Models,
    PairLanguages,
    PairResult,
    Probabilities,
    Profile,
    Source,
    SourceSpans,
    Span,
    Substitution,
    Support,
    UnsupportedWords,
)
from .scorer import Scorer, sentences
from .stream import JudgedSentence, Stream

_add_models_folder(_os.path.join(_os.path.dirname(_os.path.abspath(__file__)), "models"))

__all__ = [
    "ArgumentError",
    "Citation",
    "Claim",
    "CounterEvidence",
    "Evidence",
    "FailedRow",
    "JudgedSentence",
    "Ledger",
    "Limits",
    "MissingPackage",
    "Model",
    "ModelError",
    "Models",
    "PairLanguages",
    "PairResult",
    "Probabilities",
    "Profile",
    "RowError",
    "Scorer",
    "SettingError",
    "Source",
    "SourceSpans",
    "Span",
    "Stream",
    "Substitution",
    "Support",
    "TextError",
    "UnsupportedWords",
    "VeridicError",
    "VeridicWarning",
    "__version__",
    "sentences",
]
