"""Results as frozen objects: the JSON of `veridic score --format json` (`schema` 1) with types.

`to_dict()` returns that JSON as a value. Spans are (start, end) in characters, so that
`document[start:end]` is the text.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Dict, Mapping, Optional, Tuple, Type, TypeVar

__all__ = [
    "Citation",
    "Claim",
    "CounterEvidence",
    "Evidence",
    "FailedRow",
    "Instead",
    "Ledger",
    "Model",
    "Models",
    "PairLanguages",
    "PairResult",
    "Probabilities",
    "Profile",
    "Screen",
    "Source",
    "SourceSpans",
    "Span",
    "Substitution",
    "Support",
    "Unjudged",
    "UnsupportedWords",
]

Span = Tuple[int, int]
"""Start and end in Unicode characters."""

Json = Any
_R = TypeVar("_R", bound="_Record")


def _one(kind: Type["_Record"]) -> Dict[str, Any]:
    return {"one": kind}


def _maybe(kind: Optional[Type["_Record"]] = None) -> Dict[str, Any]:
    """A field that is left out of the JSON, instead of being null."""
    return {"one": kind, "omit": True}


_SPANS = {"spans": True}


@dataclass(frozen=True)
class _Record:
    @classmethod
    def from_dict(cls: Type[_R], value: Mapping[str, Json]) -> _R:
        """Reads the value of its JSON; unknown fields are ignored."""
        return cls(**{f.name: _read(f.metadata, value.get(f.name)) for f in fields(cls)})

    def to_dict(self) -> Dict[str, Json]:
        """Its JSON as a value, which shares nothing with this object."""
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
    """The NLI probabilities of a premise and a claim; they add up to 1."""

    entailment: float
    neutral: float
    contradiction: float


@dataclass(frozen=True)
class Source(_Record):
    """A source of a document that was given as a list, and its place in the joined document."""

    id: str
    span: Span


@dataclass(frozen=True)
class SourceSpans(_Record):
    """Spans in one source, counted from its start."""

    id: str
    spans: Tuple[Span, ...] = field(metadata=_SPANS)


_SOURCES: Dict[str, Any] = {"many": SourceSpans, "omit": True}


@dataclass(frozen=True)
class Place(_Record):
    """Where evidence stands in a document that is not prose: a table, a log, a mail."""

    form: str
    number: int
    """The number of its first row, line, message, from 1."""
    last: Optional[int] = field(default=None, metadata=_maybe())
    """That of its last one, if it is in several."""
    name: Optional[str] = field(default=None, metadata=_maybe())
    """The first cell of the row, the sender, the command, the file."""
    time: Optional[str] = field(default=None, metadata=_maybe())
    """The time, as the document writes it."""


_PLACE: Dict[str, Any] = _maybe(Place)


@dataclass(frozen=True)
class Evidence(_Record):
    """The sentences that the model read as one premise."""

    text: str
    """The document's text; of a transcript what was said, with the labels of later speakers between it."""
    span: Span
    """From the start of the first sentence to the end of the last one."""
    spans: Tuple[Span, ...] = field(default=(), metadata=_SPANS)
    """The span of each sentence."""
    sources: Optional[Tuple[SourceSpans, ...]] = field(default=None, metadata=_SOURCES)
    """The sources that it is in, if the document is a list."""
    turn: Optional[int] = field(default=None, metadata=_maybe())
    """The number of its turn, from 1, if the document is a transcript."""
    last_turn: Optional[int] = field(default=None, metadata=_maybe())
    """That of its last turn, if it is in several."""
    speaker: Optional[str] = field(default=None, metadata=_maybe())
    """Who speaks in its first turn, if that is known."""
    time: Optional[str] = field(default=None, metadata=_maybe())
    """When it is said, as the document writes it."""
    place: Optional[Place] = field(default=None, metadata=_PLACE)
    """Where it stands, if the document is another form than prose and speech."""


@dataclass(frozen=True)
class CounterEvidence(_Record):
    """Sentences that contradict a claim, with the probability of contradiction."""

    text: str
    span: Span
    contradiction: float
    spans: Tuple[Span, ...] = field(default=(), metadata=_SPANS)
    """The span of each sentence."""
    sources: Optional[Tuple[SourceSpans, ...]] = field(default=None, metadata=_SOURCES)
    """The sources that it is in, if the document is a list."""
    quantity: Optional[Mapping[str, str]] = field(default=None, metadata=_maybe())
    """The quantity in `claim` and the one in `document`, if they differ."""
    turn: Optional[int] = field(default=None, metadata=_maybe())
    """As in Evidence."""
    last_turn: Optional[int] = field(default=None, metadata=_maybe())
    speaker: Optional[str] = field(default=None, metadata=_maybe())
    time: Optional[str] = field(default=None, metadata=_maybe())
    place: Optional[Place] = field(default=None, metadata=_PLACE)


@dataclass(frozen=True)
class Substitution(_Record):
    """A mention that was replaced by another mention of its cluster."""

    mention: str
    mention_span: Span
    by: str
    by_span: Span
    rewritten: str
    mention_sources: Optional[Tuple[SourceSpans, ...]] = field(default=None, metadata=_SOURCES)
    """The source of the mention, if the document is a list."""
    by_sources: Optional[Tuple[SourceSpans, ...]] = field(default=None, metadata=_SOURCES)
    """The source of the other mention."""


@dataclass(frozen=True)
class Support(_Record):
    """What was looked up in the document for a claim, if the rules look claims up."""

    not_found: Tuple[str, ...]
    """The names and quantities of the claim that are nowhere in the document, each as a sentence."""
    vetoes: Tuple[str, ...]
    """Those of them that decide the verdict: without them the claim would be supported."""


@dataclass(frozen=True)
class UnsupportedWords(_Record):
    """Words of a claim that its evidence does not support; `span` is their place in the claim's text."""

    text: str
    span: Span
    probability: float


@dataclass(frozen=True)
class Instead(_Record):
    """What the document says in the place of a part of a claim."""

    kind: str
    """What was replaced: `quantity`, `date`, `name`, `speaker`, `roles` (two names by each other), or `denial` (all of it)."""
    span: Span
    """The replaced part in the claim's text."""
    text: str
    """The replaced part as the claim has it."""
    document: str
    """The same part as the document has it."""
    document_span: Span
    """Where the document has it; of `roles`, the evidence."""
    summary_span: Optional[Span]
    """The replaced part in the summary; None if its place there is not certain."""
    gain: float
    """The entailment of the claim so changed, less that of the claim itself."""
    sources: Optional[Tuple[SourceSpans, ...]] = field(default=None, metadata=_SOURCES)
    """The source that the document has it in, if the document is a list."""


@dataclass(frozen=True)
class Citation(_Record):
    """A source that a claim's sentence cites."""

    marker: str
    """The marker, as the summary has it."""
    span: Span
    """Its place in the summary."""
    source: str
    """The id of the source that it names."""
    verdict: str
    """`supports`, `supports_together` (the cited sources do, none alone), `other_supports`, `none`, or `unknown_source`."""
    score: Optional[float] = field(default=None, metadata=_maybe())
    """The score of the claim against that source alone."""
    other: Optional[str] = field(default=None, metadata=_maybe())
    """The id of the source that supports the claim instead."""


# All that a part of a summary has that is no claim.
_OF_NO_CLAIM = ("text", "summary_spans", "score", "verdict", "reason")


@dataclass(frozen=True)
class Claim(_Record):
    """A judged claim, or a part of the summary that states nothing: then `is_claim` is false.

    Such a part has no score, probabilities, level or evidence: they are None. Its verdict is `no_answer` if it refuses to
    answer, else None.
    """

    text: str
    summary_spans: Tuple[Span, ...] = field(metadata=_SPANS)
    score: Optional[float]
    """The probability that the evidence entails it, or the cap of a rule; under the papers' profiles a difference."""
    verdict: Optional[str]
    explanation: Optional[str] = field(metadata=_maybe())
    """The verdict in a plain sentence: by which passage it is supported, or why it is not. None in results of earlier versions."""
    reason: Optional[str] = field(metadata=_maybe())
    """Why the verdict does not follow from the score: `language` if a text is in one that the model's card does not list,
    `no_document` if the list of sources is empty.

    `not a claim` for a heading, a greeting, a question, a refusal to answer and other parts that state nothing.
    """
    tested: Optional[str] = field(metadata=_maybe())
    """The statement that was judged in its place, of a claim that the document does not say something."""
    cap: Optional[str] = field(metadata=_maybe())
    """The rule that capped the score, which would be higher without it: `quantity_nowhere`, `date_nowhere`, `instead`."""
    probabilities: Probabilities = field(metadata=_one(Probabilities))
    level: str
    evidence: Evidence = field(metadata=_one(Evidence))
    substitution: Optional[Substitution] = field(metadata=_one(Substitution))
    counter_evidence: Optional[CounterEvidence] = field(metadata=_one(CounterEvidence))
    instead: Optional[Instead] = field(metadata=_maybe(Instead))
    """What the document says in the place of a part of it, if the model entails that clearly more."""
    certainty: Optional[str] = field(metadata=_maybe())
    """`insensitive` if the model entails its denial, or every changed version of it, as much."""
    unsupported_words: Optional[Tuple[UnsupportedWords, ...]] = field(metadata={"many": UnsupportedWords, "omit": True})
    """For a claim that is not supported: its unsupported words, if the model can find them."""
    support: Optional[Support] = field(metadata=_maybe(Support))
    citations: Optional[Tuple[Citation, ...]] = field(default=None, metadata={"many": Citation, "omit": True})
    """The sources that its sentence cites, if citations are checked."""

    @property
    def is_claim(self) -> bool:
        return self.score is not None

    def to_dict(self) -> Dict[str, Json]:
        written = super().to_dict()
        return written if self.is_claim else {name: written[name] for name in _OF_NO_CLAIM}


@dataclass(frozen=True)
class Unjudged(_Record):
    """The words of a summary that no verdict covers."""

    spans: Tuple[Span, ...] = field(metadata=_SPANS)
    """Runs of these words, in the summary."""
    share: float
    """Their share of the summary's words."""


@dataclass(frozen=True)
class Limits(_Record):
    """The thresholds of the claims' verdicts."""

    scale: str
    """`probability`, or `score` for differences of probabilities."""
    supported: float
    """A claim whose score is at least this is supported."""
    contradicted: float
    """Any other claim is contradicted if a sentence about it contradicts it with a probability above this, or has a different quantity."""
    shared_words: int
    """A sentence is about a claim if it has at least this many of the claim's content words, or all of them."""
    quantity_nowhere: Optional[float] = field(default=None, metadata=_maybe())
    """The maximum score of a claim with a number that is nowhere in the document."""
    date_nowhere: Optional[float] = field(default=None, metadata=_maybe())
    """The same with a date."""
    instead: Optional[float] = field(default=None, metadata=_maybe())
    """The maximum score of a claim for which the document says something else instead."""
    unsure_within: Optional[float] = field(default=None, metadata=_maybe())
    """A claim is unsure if its score is nearer than this to the limit of support, if `abstain` is set."""


@dataclass(frozen=True)
class PairLanguages(_Record):
    """The languages of a pair's texts, if they are known: ISO 639-1 codes, `und` if uncertain."""

    document: Optional[str]
    summary: Optional[str]


@dataclass(frozen=True)
class Ledger(_Record):
    """What was computed for a pair and what was left out."""

    document_digest: str
    sentences: int
    premises: int
    premises_skipped: int
    premises_split: int
    premises_screened: int
    screen_pairs: int
    contrast_pairs: int
    premises_cut: int
    rewritings_left_out: int
    characters_replaced: int
    sources: Optional[Tuple[Source, ...]] = field(metadata={"many": Source, "omit": True})
    """The sources of the document, if it is a list."""
    language: PairLanguages = field(metadata=_one(PairLanguages))
    claims_from: str
    forms: Optional[Tuple[str, ...]] = field(default=None, metadata=_maybe())
    """The forms of the document's parts that are not prose."""


@dataclass(frozen=True)
class Screen(_Record):
    """What ranks the premises of a claim, and the most of each level that the judge reads."""

    method: str
    sentences: int
    windows: int
    runs: int


@dataclass(frozen=True)
class Profile(_Record):
    """The rules that decided a result. Results of older versions lack some, which are then None."""

    name: str
    claims: str
    layout: Optional[bool] = field(metadata=_maybe())
    """Whether layout is interpreted: headings are not claims, and transcripts are read turn by turn."""
    coref: str
    levels: Tuple[str, ...]
    window: int
    stride: int
    screen: Optional[Screen] = field(metadata=_one(Screen))
    epsilon: float
    score: str
    temperature: Optional[float] = field(metadata=_maybe())
    threshold: Optional[float]
    over_claims: str
    verdicts: Mapping[str, float]
    """The limits of verdicts."""
    caps: Optional[Mapping[str, Optional[float]]] = field(metadata=_maybe())
    """The highest score of a claim that a rule caps, by the rule's name; None for a rule that is not applied."""
    contrast: Optional[bool] = field(metadata=_maybe())
    """Whether the judge reads changed versions of a claim, to find what the document says instead."""
    abstain: Optional[float] = field(metadata=_maybe())
    """A claim is unsure if its score is nearer than this to the limit of support."""
    languages: Optional[Tuple[str, ...]]
    """The languages of texts that get a verdict, if they are certain; None for all."""
    max_tokens: int
    pair_tokens: Optional[int]
    rewritten_tokens: Optional[int]
    document_tokens: Optional[int]
    run_tokens: Optional[int]
    digest: Optional[str] = field(metadata=_maybe())
    """A short digest of all rules: equal rules have equal digests."""
    answers: Optional[str] = field(metadata=_maybe())
    """What a language model's answers depend on, if one was asked for claims."""


@dataclass(frozen=True)
class Model(_Record):
    """A model, its digests and its dtype.

    `unit` is the processor's unit on which the last digits of results depend; None if all processors compute the same.
    """

    id: str
    sha256: str
    settings_sha256: str
    dtype: str
    unit: Optional[str] = field(default=None, metadata=_maybe())


@dataclass(frozen=True)
class Models(_Record):
    """The models that decided a result."""

    nli: Model = field(metadata=_one(Model))
    screen: Optional[Model] = field(metadata=_maybe(Model))
    """The small model of the screen, if there is one."""
    claims: Optional[Model] = field(metadata=_one(Model))
    coref: Optional[Model] = field(metadata=_one(Model))
    token_classifier: Optional[Model] = field(default=None, metadata=_maybe(Model))
    """The model that found unsupported words; None where the judge's own head did, or none."""


@dataclass(frozen=True)
class PairResult:
    """The judgement of one (document, summary) pair."""

    schema: int
    score: float
    """The score of the weakest claim under the profile `veridic`, of others the claims' scores combined."""
    verdict: str
    """`supported`, `unsupported`, `contradicted`, `no_answer` (it only refuses to answer, or says what the document does not
    say), or, if `abstain` is set, `unsure`."""
    limits: Limits
    """The thresholds of its claims' verdicts."""
    claims: Tuple[Claim, ...]
    ledger: Ledger
    profile: Profile
    models: Models
    index: Optional[int] = None
    """The index of its row in a run, from 0."""
    id: Any = None
    """The field `id` of its row in a run."""
    input: Optional[Mapping[str, Any]] = None
    """The fields of its row in a run that passed through."""
    reason: Optional[str] = None
    """Why the verdict does not follow from the score: `language` if a text is in one that the model's card does not list,
    `no_document` if the list of sources is empty."""
    unjudged: Optional[Unjudged] = None
    """The words of the summary that have no verdict, if its layout is interpreted."""

    def __float__(self) -> float:
        return self.score

    @property
    def is_supported(self) -> bool:
        return self.verdict == "supported"

    @property
    def judged_claims(self) -> Tuple[Claim, ...]:
        """The claims without the parts of the summary that state nothing, and without those that give no answer."""
        return tuple(claim for claim in self.claims if claim.is_claim and claim.verdict != "no_answer")

    def corrected(self, summary: str) -> str:
        """The summary with every `instead.summary_span` of the claims replaced by `instead.document`.

        `summary` is the text that was judged, as given. Of corrections whose places overlap, the one that begins first
        is made. The corrected text is not judged.
        """
        found = (claim.instead for claim in self.claims)
        placed = [(each.summary_span, each.document) for each in found if each is not None and each.summary_span is not None]
        made, end = [], 0
        for (start, stop), text in sorted(placed, key=lambda correction: correction[0][0]):
            if stop > len(summary):
                raise ValueError(f"the summary has {len(summary)} characters and a correction at [{start}, {stop}]: give the text that was judged")
            if start >= end:
                made += [summary[end:start], text]
                end = stop
        return "".join(made) + summary[end:]

    @classmethod
    def from_dict(cls, value: Mapping[str, Json]) -> "PairResult":
        """Reads the value of the JSON that `veridic score` and `veridic run` write."""
        return cls(
            schema=value["schema"],
            score=value["score"],
            verdict=value["verdict"],
            reason=value.get("reason"),
            limits=Limits.from_dict(value["limits"]),
            claims=tuple(Claim.from_dict(claim) for claim in value["claims"]),
            unjudged=_read(_maybe(Unjudged), value.get("unjudged")),
            ledger=Ledger.from_dict(value["ledger"]),
            profile=Profile.from_dict(value["profile"]),
            models=Models.from_dict(value["models"]),
            id=value.get("id"),
            input=value.get("input"),
        )

    def to_dict(self) -> Dict[str, Json]:
        """The JSON that `veridic score` or, for a row, `veridic run` writes, as a value."""
        written: Dict[str, Json] = {"schema": self.schema}
        if self.input is not None:
            written["id"] = self.id
        written["score"] = self.score
        written["verdict"] = self.verdict
        if self.reason is not None:
            written["reason"] = self.reason
        written["limits"] = self.limits.to_dict()
        written["claims"] = [claim.to_dict() for claim in self.claims]
        if self.unjudged is not None:
            written["unjudged"] = self.unjudged.to_dict()
        written["ledger"] = self.ledger.to_dict()
        written["profile"] = self.profile.to_dict()
        written["models"] = self.models.to_dict()
        if self.input is not None:
            written["input"] = dict(self.input)
        return written


@dataclass(frozen=True)
class FailedRow:
    """A row that could not be judged, of a run with `on_error="record"`."""

    index: int
    """The index of the row, from 0."""
    id: Any
    reason: str
    input: Mapping[str, Any]
    """The fields that passed through."""

    score: None = None
    verdict: None = None
    claims: Tuple[Claim, ...] = ()

    def to_dict(self) -> Dict[str, Json]:
        """The JSON that `veridic run` writes for such a row, where its number counts from 1."""
        error = {"row": self.index + 1, "reason": self.reason}
        return {"schema": 1, "id": self.id, "error": error, "input": dict(self.input)}


