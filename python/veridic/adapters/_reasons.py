"""The reasons of a result as a short text: which claims are not supported, why, and what the document says instead."""

from __future__ import annotations

from typing import List, Optional, Union

from ..errors import SettingError
from ..results import Claim, CounterEvidence, Evidence, PairResult

_CAPS = {
    "quantity_nowhere": "a number that is nowhere in the document",
    "date_nowhere": "a date that is nowhere in the document",
    "instead": "the document says something else",
}
_LANGUAGE = "its language, or the document's, is not one that the model's card lists"


def reasons(result: PairResult, *, most: int = 5, width: int = 200) -> str:
    """The reasons in lines of text.

    The first line has verdict, score and the number of supported claims; each claim that is not supported follows with the
    reasons against it. Places are `[start, end]` in characters of the document, or, if that is a list, of the source that is named.

    Args:
        result: the result of a Scorer.
        most: the number of claims to show; of the others their number is told.
        width: the longest quotation, in characters; longer ones are shortened in the middle.

    Raises:
        SettingError: a number is not positive, or the result has no claims.
    """
    if most < 1 or width < 20:
        raise SettingError(f"most={most}, width={width}: at least one claim and 20 characters can be shown")
    if result.verdict is None:
        raise SettingError("the scorer's setting `metric` leaves out the claims: include fenice")
    failed = [claim for claim in result.claims if claim.verdict != "supported"]
    lines = [_head(result, len(failed))]
    for claim in failed[:most]:
        lines.append(f"- {claim.verdict} ({claim.score:.2f}): {_short(claim.text, width)}")
        lines += [f"    {line}" for line in _against(claim, width)]
    if len(failed) > most:
        lines.append(f"- and {len(failed) - most} more")
    return "\n".join(lines)


def _head(result: PairResult, failed: int) -> str:
    total = len(result.claims)
    claims = "claim" if total == 1 else "claims"
    return f"{result.verdict}, score {result.score:.2f}: {total - failed} of {total} {claims} supported"


def _against(claim: Claim, width: int) -> List[str]:
    """Why a claim is not supported, the most telling reason first, and the text of the document."""
    if claim.reason == "language":
        return [_LANGUAGE]
    lines = []
    counter, instead = claim.counter_evidence, claim.instead
    part: Optional[str] = None
    if instead is not None:
        part, said = instead.text, instead.document
        lines.append(f"the document says: {_short(said, width)}" if instead.kind == "roles" else _not(said, part, width))
    elif counter is not None and counter.quantity is not None:
        part, said = counter.quantity["claim"], counter.quantity["document"]
        lines.append(_not(said, part, width))
    if claim.support is not None:
        told = [statement for statement in claim.support.not_found if part is None or part not in statement]
        lines += [_short(statement, width) for statement in told]
    if not lines and claim.unsupported_words:
        words = ", ".join(f'"{_short(words.text, width)}"' for words in claim.unsupported_words)
        lines.append(f"not supported: {_short(words, width)}")
    if claim.cap is not None:
        lines.append(f"capped: {_CAPS.get(claim.cap, claim.cap)}")
    shown, head = (claim.evidence, "nearest") if counter is None else (counter, "against it")
    lines.append(f"{head} {_place(shown)}: {_short(shown.text, width)}")
    return lines


def _not(said: str, part: str, width: int) -> str:
    return f"the document says {_short(said, width)}, not {_short(part, width)}"


def _place(evidence: Union[Evidence, CounterEvidence]) -> str:
    if not evidence.sources:
        return f"[{evidence.span[0]}, {evidence.span[1]}]"
    places = [f"source {source.id} [{source.spans[0][0]}, {source.spans[-1][1]}]" for source in evidence.sources]
    return f"in {' and '.join(places)}"


def _short(text: str, width: int) -> str:
    """The text on one line, shortened in the middle."""
    text = " ".join(text.split())
    if len(text) <= width:
        return text
    kept = width - 5
    return f"{text[: kept - kept // 3]} ... {text[len(text) - kept // 3:]}"
