"""What all adapters share: a scorer that is loaded once, inputs as texts, and the judgement with its reasons."""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from ..errors import MissingPackage, SettingError, TextError
from ..results import PairResult
from ..scorer import Scorer, check_arguments
from ._reasons import reasons

# Scorers by their settings, so that copies of a metric share one model.
_LOADED: "weakref.WeakValueDictionary[str, Scorer]" = weakref.WeakValueDictionary()
_LOADING = threading.Lock()

# The fields and attributes in which frameworks keep the text of a context.
_TEXT_NAMES = ("text", "content", "page_content")


@dataclass(frozen=True)
class Judgement:
    """A judged answer."""

    result: PairResult
    score: float
    """The score of the answer: by default the probability of its weakest claim."""
    verdict: str
    """`supported`, `unsupported`, `contradicted`, `no_answer` or `unsure`."""
    passed: bool
    """Whether it is supported or, with a minimum score, reaches that score."""
    reason: str
    """Its claims that are not supported, why, and what the document says instead."""

    def to_dict(self) -> Dict[str, Any]:
        """Score, verdict, whether it passed, the reason and the claims as plain values."""
        return {
            "score": self.score,
            "verdict": self.verdict,
            "passed": self.passed,
            "reason": self.reason,
            "claims": [claim.to_dict() for claim in self.result.claims],
        }


class Judge:
    """Judges answers against their contexts, for the adapters.

    Args:
        scorer: the scorer; by default `Scorer(**settings)`, loaded when it is needed and shared by judges with equal settings.
        min_score: the score from which an answer passes; by default it passes if its verdict is `supported` or `no_answer`.
        settings: the settings of `Scorer`.

    Raises:
        SettingError: a setting is unknown, or the minimum score is no number.
    """

    def __init__(self, scorer: Optional[Scorer] = None, min_score: Optional[float] = None, **settings: Any) -> None:
        if scorer is not None and not isinstance(scorer, Scorer):
            raise SettingError(f"scorer must be a veridic.Scorer, not {type(scorer).__name__}")
        if scorer is not None and settings:
            raise SettingError(f"give a scorer or settings, not both: {', '.join(settings)}")
        check_arguments(settings)
        if min_score is not None and not _is_number(min_score):
            raise SettingError(f"min_score={min_score!r}: give a number or None")
        self.min_score = min_score
        self.settings = settings
        self._scorer = scorer

    @property
    def scorer(self) -> Scorer:
        """The scorer; loads it if it is not loaded yet.

        Raises:
            SettingError, ModelError: as Scorer.
        """
        if self._scorer is None:
            self._scorer = _shared(self.settings)
        return self._scorer

    @property
    def limit(self) -> float:
        """The score from which an answer passes."""
        return float(self.scorer.profile.verdicts["supported"]) if self.min_score is None else self.min_score

    def __call__(self, answer: object, contexts: object, *, answer_name: str = "answer", contexts_name: str = "contexts") -> Judgement:
        """Judges an answer.

        Args:
            answer: the text to judge.
            contexts: its sources: a text, a list of texts, or of objects with a text (`text`, `content` or `page_content`, as field
                or attribute). Reasons name a source of a list by its number, or by the `id` that a mapping may have; ids that are
                given twice are told apart by the number. Sources without text are left out.
            answer_name: the name of the answer in errors.
            contexts_name: the name of the contexts in errors.

        Raises:
            TextError: an input is missing, has another type, or cannot be judged.
        """
        text = text_of(answer, answer_name)
        result = self.scorer.score(document_of(contexts, contexts_name), text)
        reason = reasons(result)
        assert result.verdict is not None, "reasons refuses results without claims"
        is_supported = result.verdict in ("supported", "no_answer")
        passed = is_supported if self.min_score is None else result.score >= self.min_score
        return Judgement(result, result.score, result.verdict, passed, reason)


def document_of(contexts: object, name: str) -> Union[str, List[Dict[str, str]]]:
    """The contexts as `Scorer.score` takes a document: a text, or a list of sources with ids.

    Raises:
        TextError: they are missing, have another type, or no text.
    """
    if isinstance(contexts, str) and contexts.strip():
        return contexts
    found = [_context(context, f"{name}[{index}]") for index, context in enumerate(_items(contexts, name))]
    ids = [str(number) if own is None else own for number, (_, own) in enumerate(found, 1)]
    given = Counter(ids)
    sources = [
        {"id": own if given[own] == 1 else f"{own} ({number})", "text": text}
        for number, (own, (text, _)) in enumerate(zip(ids, found), 1)
        if text.strip()
    ]
    if not sources:
        raise TextError(f"`{name}` has no text: give the text that the answer should be supported by")
    return sources


def text_of(value: object, name: str) -> str:
    """The value as a text.

    Raises:
        TextError: it is missing, no text, or blank.
    """
    if value is None:
        raise TextError(f"`{name}` is missing")
    if not isinstance(value, str):
        raise TextError(f"`{name}` must be a text, not {_described(value)}")
    if not value.strip():
        raise TextError(f"`{name}` is empty")
    return value


def missing(module: str, package: str, extra: str) -> MissingPackage:
    """The error for a framework that is not installed."""
    return MissingPackage(f"veridic.adapters.{module} needs {package}: pip install 'veridic[{extra}]'")


def _items(contexts: object, name: str) -> Iterable[object]:
    if contexts is None:
        raise TextError(f"`{name}` is missing")
    if isinstance(contexts, str) or _is_context(contexts):
        return [contexts]
    if isinstance(contexts, (list, tuple)):
        if not contexts:
            raise TextError(f"`{name}` is an empty list: give the texts that the answer should be supported by")
        return contexts
    raise TextError(f"`{name}` must be a text or a list of texts, not {_described(contexts)}")


def _context(context: object, name: str) -> Tuple[str, Optional[str]]:
    """The text of a context and its own id."""
    if isinstance(context, str):
        return context, None
    text = _first(context, _TEXT_NAMES) if _is_context(context) else None
    if isinstance(text, str):
        own = context.get("id") if isinstance(context, Mapping) else None
        is_id = isinstance(own, str) and own.strip() or isinstance(own, int) and not isinstance(own, bool)
        return text, str(own) if is_id else None
    raise TextError(f"`{name}` must be a text, or have one as `{'`, `'.join(_TEXT_NAMES)}`, not {_described(context)}")


def _is_context(value: object) -> bool:
    return not isinstance(value, (list, tuple, bytes)) and _first(value, _TEXT_NAMES) is not None


def _first(value: object, names: Iterable[str]) -> object:
    """The value of the first of these fields or attributes that there is."""
    found = (value.get(name) if isinstance(value, Mapping) else getattr(value, name, None) for name in names)
    return next((each for each in found if each is not None), None)


def _described(value: object) -> str:
    return "None" if value is None else type(value).__name__


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value


def _shared(settings: Mapping[str, Any]) -> Scorer:
    key = repr(sorted(settings.items()))
    with _LOADING:
        scorer = _LOADED.get(key)
        if scorer is None:
            scorer = _LOADED[key] = Scorer(**settings)
        return scorer
