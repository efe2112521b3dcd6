import pytest
import veridic
from veridic.compat import FENICE, AlignScore, MiniCheck

DOCUMENT = "The pool of Harwell closed in March.\n\nMayor Lena Okafor spoke to reporters. She was not amused."
SUMMARY = "The pool closed in March. Nobody spoke."


def test_fenice_returns_scores_and_alignments(scorer):
    batch = [{"document": DOCUMENT, "summary": SUMMARY}, {"document": DOCUMENT, "summary": "The pool closed."}]
    results = FENICE(quiet=True).score_batch(batch)
    expected = scorer.score(DOCUMENT, SUMMARY)
    assert [set(result) for result in results] == [{"score", "alignments"}] * 2
    assert results[0]["score"] == expected.score
    assert results[0]["alignments"] == [
        {"score": claim.score, "summary_claim": claim.text, "source_passage": claim.evidence.text}
        for claim in expected.claims
    ]


def test_fenice_aligns_claims_alone():
    results = FENICE(model="mini", quiet=True).score_batch([{"document": DOCUMENT, "summary": "# Summary\n\nThe pool closed in March."}])
    assert [each["summary_claim"] for each in results[0]["alignments"]] == ["The pool closed in March."]


def test_alignscore_returns_a_float_for_each_claim():
    shape = AlignScore(quiet=True)
    scores = shape.score(contexts=[DOCUMENT, DOCUMENT], claims=["The pool closed.", "The pool opened."])
    assert [type(score) for score in scores] == [float, float] and all(0 <= score <= 1 for score in scores)
    assert scores[0] > scores[1]
    plain = AlignScore(rules={"score": "e-t"}, quiet=True)
    signed = plain.scorer.score(DOCUMENT, "The pool opened.").score
    assert plain.score([DOCUMENT], ["The pool opened."]) == [(1 + signed) / 2]
    with pytest.raises(veridic.SettingError, match="2 documents"):
        shape.score(contexts=[DOCUMENT, DOCUMENT], claims=["The pool closed."])


def test_unused_arguments_are_reported():
    with pytest.warns(veridic.VeridicWarning, match="ckpt_path, device|device, ckpt_path"):
        AlignScore(device="cuda:0", ckpt_path="x.ckpt", quiet=True)
    with pytest.raises(veridic.SettingError, match="nli_sp"):
        AlignScore(evaluation_mode="bin")


def test_minicheck_returns_four_lists(scorer):
    long = DOCUMENT + " " + " ".join(f"The council met again in {year}." for year in range(1900, 1990))
    labels, probabilities, chunks, per_chunk = MiniCheck(quiet=True).score(
        docs=[DOCUMENT, long], claims=["The pool closed.", "The pool closed."]
    )
    assert [len(of_doc) for of_doc in chunks] == [len(of_doc) for of_doc in per_chunk]
    assert len(chunks[0]) == 1 and len(chunks[1]) > 1
    assert probabilities == [max(of_doc) for of_doc in per_chunk]
    assert labels == [int(probability > 0.5) for probability in probabilities]
    assert per_chunk[0][0] == scorer.nli([chunks[0][0]], ["The pool closed."])[0, 0]
    assert MiniCheck(quiet=True).score(docs=[], claims=[]) == ([], [], [], [])
