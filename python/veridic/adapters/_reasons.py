"""The reasons of a result as a short text: which claims are not supported, why, and what the document says instead."""

from __future__ import annotations

from typing import List, Union

from ..errors import SettingError
from ..results import Claim, CounterEvidence, Evidence, PairResult


def reasons(result: PairResult, *, most: int = 5, width: int = 200) -> str:
    """The reasons in lines of text.

    The first line has verdict, score and the number of supported claims; each claim that is not supported follows with the
    reasons against it. Places are `[start, end]` in characters of the document, or, if that is a list, of the source that is named.

    Args:
        result: the result of a Scorer.
        most: the number of claims to show; of the others their number is told.
        width: the longest quotation, in characters; longer ones are shortened in the middle.

    Raises:
        SettingError: a number is not positive.
    """
    if most < 1 or width < 20:
        raise SettingError(f"most={most}, width={width}: at least one claim and 20 characters can be shown")
    failed = [claim for claim in result.judged_claims if claim.verdict != "supported"]
    lines = [_head(result, len(failed))]
    for claim in failed[:most]:
        lines.append(f"- {claim.verdict} ({claim.score:.2f}): {_short(claim.text, width)}")
        lines += [f"    {line}" for line in _against(claim, width)]
    if len(failed) > most:
        lines.append(f"- and {len(failed) - most} more")
    return "\n".join(lines)


def _head(result: PairResult, failed: int) -> str:
    total = len(result.judged_claims)
    claims = "claim" if total == 1 else "claims"
    return f"{result.verdict}, score {result.score:.2f}: {total - failed} of {total} {claims} supported"


def _against(claim: Claim, width: int) -> List[str]:
    """Why a claim is not supported, in a sentence, what of it is nowhere in the document, and the text of the document."""
    why = claim.explanation or ""
    lines = [_short(why, width)] if why else []
    if claim.reason is not None:
        return lines
    counter = claim.counter_evidence
    told = [] if claim.instead is None else [claim.instead.text]
    told += [] if counter is None or counter.quantity is None else [counter.quantity["claim"]]
    for statement in () if claim.support is None else claim.support.not_found:
        if statement not in why and not any(part in statement for part in told):
            lines.append(_short(statement, width))
    shown, head = (claim.evidence, "nearest") if counter is None else (counter, "against it")
    lines.append(f"{head} {_place(shown)}: {_short(shown.text, width)}")
    return lines


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
