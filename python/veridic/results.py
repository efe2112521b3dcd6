"""What is said of a pair, as frozen objects: the JSON of `veridic score --format json` (`schema` 1) with types.

`to_dict()` of any of them gives that JSON as a value. Spans are (start, end) in characters, so that
`document[start:end]` is the text.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Dict, Mapping, Optional, Tuple, Type, TypeVar

__all__ = [
    "Claim",
    "Contribution",
    "CounterEvidence",
    "Evidence",
    "Extract",
    "FailedRow",
    "Ledger",
    "Model",
    "Models",
    "PairLanguages",
    "PairResult",
    "Probabilities",
    "Profile",
    "Span",
    "Substitution",
    "Support",
    "UnsupportedWords",
]

Span = Tuple[int, int]
"""Start and end in Unicode characters."""

Json = Any
_R = TypeVar("_R", bound="_Record")


def _one(kind: Type["_Record"]) -> Dict[str, Any]:
    return {"one": kind}


def _many(kind: Type["_Record"]) -> Dict[str, Any]:
    return {"many": kind}


def _maybe(kind: Optional[Type["_Record"]] = None) -> Dict[str, Any]:
    """What is not there is left out of JSON, instead of being null."""
    return {"one": kind, "omit": True}


_SPANS = {"spans": True}


@dataclass(frozen=True)
class _Record:
    @classmethod
    def from_dict(cls: Type[_R], value: Mapping[str, Json]) -> _R:
        """From the value of its JSON; fields of later versions are left out."""
        return cls(**{f.name: _read(f.metadata, value.get(f.name)) for f in fields(cls)})

    def to_dict(self) -> Dict[str, Json]:
        """Its JSON as a value; nothing in it is shared with this object."""
        values = {f.name: (getattr(self, f.name), f.metadata.get("omit")) for f in fields(self)}
        return {name: _write(value) for name, (value, omit) in values.items() if not (omit and value is None)}


def _read(metadata: Mapping[str, Any], value: Json) -> Any:
    if value is None:
        return None
    if metadata.get("one") is not None:
        return metadata["one"].from_dict(value)
    if "many" in metadata:
        return tuple(metadata["many"].from_dict(item) for item in value)
    if "spans" in metadata:
        return tuple((start, end) for start, end in value)
    return tuple(value) if isinstance(value, list) else value


def _write(value: Any) -> Json:
    if isinstance(value, _Record):
        return value.to_dict()
    if isinstance(value, (tuple, list)):
        return [_write(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _write(item) for key, item in value.items()}
    return value


@dataclass(frozen=True)
class Probabilities(_Record):
    """What the model said of a premise and a claim; they add up to 1."""

    entailment: float
    neutral: float
    contradiction: float


@dataclass(frozen=True)
class Evidence(_Record):
    """Sentences of the document that the model read together; ` [...] ` stands for what an extract left out between two."""

    text: str
    span: Span
    """From the first sentence's start to the last one's end."""
    spans: Tuple[Span, ...] = field(default=(), metadata=_SPANS)
    """Where each sentence stands."""


@dataclass(frozen=True)
class CounterEvidence(_Record):
    """Sentences of the document that contradict a claim, and how probably by the model."""

    text: str
    span: Span
    contradiction: float
    spans: Tuple[Span, ...] = field(default=(), metadata=_SPANS)
    """Where each sentence stands."""
    quantity: Optional[Mapping[str, str]] = field(default=None, metadata=_maybe())
    """What `claim` and `document` say, where the document gives a quantity of the claim otherwise."""


@dataclass(frozen=True)
class Substitution(_Record):
    """A mention that was read under another name of the same thing."""

    mention: str
    mention_span: Span
    by: str
    by_span: Span
    rewritten: str


@dataclass(frozen=True)
class Contribution(_Record):
    """What a fact adds to the log odds of a claim."""

    fact: str
    value: float
    adds: float


@dataclass(frozen=True)
class Support(_Record):
    """What the facts of a claim come to, where the model has a calibration."""

    contributions: Tuple[Contribution, ...] = field(metadata=_many(Contribution))
    not_found: Tuple[str, ...]
    vetoes: Tuple[str, ...]


@dataclass(frozen=True)
class UnsupportedWords(_Record):
    """Words of a claim that its evidence does not support; `span` is theirs in the claim's text."""

    text: str
    span: Span
    probability: float


@dataclass(frozen=True)
class Claim(_Record):
    """The judgement of one claim."""

    text: str
    summary_spans: Tuple[Span, ...] = field(metadata=_SPANS)
    score: float
    verdict: str
    reason: Optional[str] = field(metadata=_maybe())
    """Why the verdict is not what the score says: `language`, where a text is in one that the model's card does not list."""
    probabilities: Probabilities = field(metadata=_one(Probabilities))
    level: str
    evidence: Evidence = field(metadata=_one(Evidence))
    substitution: Optional[Substitution] = field(metadata=_one(Substitution))
    counter_evidence: Optional[CounterEvidence] = field(metadata=_one(CounterEvidence))
    unsupported_words: Optional[Tuple[UnsupportedWords, ...]] = field(metadata={"many": UnsupportedWords, "omit": True})
    """The words that the evidence does not support, of a claim that is not supported, where the model says so."""
    facts: Optional[Mapping[str, float]] = field(metadata=_maybe())
    support: Optional[Support] = field(metadata=_maybe(Support))


@dataclass(frozen=True)
class Limits(_Record):
    """What decided the verdicts of claims."""

    scale: str
    """`probability` with a calibration, else `score`."""
    supported: float
    """A claim whose score is at least this is supported."""
    contradicted: float
    """Another claim is contradicted if a sentence that is about it contradicts it with a probability above this, or gives a quantity of it otherwise."""
    shared_words: int
    """A sentence is about a claim if it has at least so many of the claim's words, function words aside, or all."""
    quantity_nowhere: Optional[float] = field(default=None, metadata=_maybe())
    """The highest score of a claim one of whose quantities is nowhere in the document."""


@dataclass(frozen=True)
class Extract(_Record):
    """How an extract was taken out of a long document before it was judged."""

    method: str
    budget: int
    rule: str
    sentences: int


@dataclass(frozen=True)
class PairLanguages(_Record):
    """The languages of a pair's texts, where they can be told: codes of ISO 639-1, `und` for one that is not sure."""

    document: Optional[str]
    summary: Optional[str]


@dataclass(frozen=True)
class Ledger(_Record):
    """What was computed for a pair, and what was not."""

    document_digest: str
    sentences: int
    premises: int
    premises_skipped: int
    premises_split: int
    premises_cut: int
    rewritings_left_out: int
    characters_replaced: int
    language: PairLanguages = field(metadata=_one(PairLanguages))
    claims_from: str
    extract: Optional[Extract] = field(metadata=_maybe(Extract))


@dataclass(frozen=True)
class Profile(_Record):
    """The settings that decided a result."""

    name: str
    levels: Tuple[str, ...]
    score: str
    threshold: Optional[float]
    over_claims: str
    window: int
    stride: int
    windows: Any
    screen: Optional[Mapping[str, int]]
    epsilon: float
    pair_tokens: Optional[int]
    rewritten_tokens: Optional[int]
    document_tokens: Optional[int]
    run_tokens: Optional[int]
    overflow: str
    verdicts: Mapping[str, float]
    max_tokens: int
    calibration: Optional[str] = field(metadata=_maybe())
    claims: str
    coref: str
    languages: Optional[Tuple[str, ...]]
    """Those that the model's card lists: texts that are surely in others get no verdict. None where any language gets one."""


@dataclass(frozen=True)
class Model(_Record):
    """A model, the digests of what it is made of, and the numbers and (unless it is the CPU) the device that it computes in.

    `unit` is the processor's unit that results depend on in their last digits; None where every processor computes the same.
    """

    id: str
    sha256: str
    settings_sha256: str
    dtype: str
    unit: Optional[str] = field(default=None, metadata=_maybe())
    device: Optional[str] = field(default=None, metadata=_maybe())


@dataclass(frozen=True)
class Models(_Record):
    """The models that decided a result."""

    nli: Model = field(metadata=_one(Model))
    claims: Optional[Model] = field(metadata=_one(Model))
    coref: Optional[Model] = field(metadata=_one(Model))


_OWN = ("schema", "score", "verdict", "reason", "limits", "claims", "ledger", "profile", "models")
_CLAIMS = ("verdict", "claims", "ledger")


@dataclass(frozen=True)
class PairResult:
    """The judgement of one (document, summary) pair."""

    schema: int
    score: float
    """With a calibration the probability that people call the summary consistent; without one the claims' scores as one;
    without claims the first number of the first metric."""
    verdict: Optional[str]
    """`supported`, `unsupported` or `contradicted`; none where no claims were judged."""
    limits: Optional[Limits]
    """What decided the verdicts of its claims; none where no claims were judged."""
    claims: Tuple[Claim, ...]
    ledger: Optional[Ledger]
    profile: Profile
    models: Models
    measures: Mapping[str, Any] = field(default_factory=dict)
    """The numbers of other metrics by name, and the facts that made them."""
    index: Optional[int] = None
    """Of its row in a run, from 0."""
    id: Any = None
    """The field `id` of its row in a run."""
    input: Optional[Mapping[str, Any]] = None
    """The fields of its row in a run that passed through."""
    reason: Optional[str] = None
    """Why the verdict is not what the score says: `language`, where a text is in one that the model's card does not list."""

    def __float__(self) -> float:
        return self.score

    @property
    def is_supported(self) -> bool:
        return self.verdict == "supported"

    @classmethod
    def from_dict(cls, value: Mapping[str, Json]) -> "PairResult":
        """From the value of the JSON that `veridic score` and `veridic run` write."""
        ledger, limits = value.get("ledger"), value.get("limits")
        about_row = {"id", "input"} if "input" in value else set()
        return cls(
            schema=value["schema"],
            score=value["score"],
            verdict=value.get("verdict"),
            reason=value.get("reason"),
            limits=None if limits is None else Limits.from_dict(limits),
            claims=tuple(Claim.from_dict(claim) for claim in value.get("claims", ())),
            ledger=None if ledger is None else Ledger.from_dict(ledger),
            profile=Profile.from_dict(value["profile"]),
            models=Models.from_dict(value["models"]),
            measures={name: value[name] for name in value if name not in _OWN and name not in about_row},
            id=value.get("id"),
            input=value.get("input"),
        )

    def to_dict(self) -> Dict[str, Json]:
        """The JSON that `veridic score`, of a row that `veridic run` writes, as a value."""
        written: Dict[str, Json] = {"schema": self.schema}
        if self.input is not None:
            written["id"] = self.id
        written["score"] = self.score
        if self.ledger is not None:
            written["verdict"] = self.verdict
            if self.reason is not None:
                written["reason"] = self.reason
            if self.limits is not None:
                written["limits"] = self.limits.to_dict()
            written["claims"] = [claim.to_dict() for claim in self.claims]
            written["ledger"] = self.ledger.to_dict()
        written.update(_write(self.measures))
        written["profile"] = self.profile.to_dict()
        written["models"] = self.models.to_dict()
        if self.input is not None:
            written["input"] = dict(self.input)
        return written


@dataclass(frozen=True)
class FailedRow:
    """A row that could not be judged, where a run records such rows."""

    index: int
    """Of the row, from 0."""
    id: Any
    reason: str
    input: Mapping[str, Any]
    """The fields that passed through."""

    score: None = None
    verdict: None = None
    claims: Tuple[Claim, ...] = ()

    def to_dict(self) -> Dict[str, Json]:
        """As `veridic run` writes such a row; its number counts from 1 there."""
        error = {"row": self.index + 1, "reason": self.reason}
        return {"schema": 1, "id": self.id, "error": error, "input": dict(self.input)}


