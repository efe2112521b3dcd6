import dataclasses
import json
import os
import pickle
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy
import pytest
import veridic
from conftest import REPOSITORY

BINARY = os.environ.get("VERIDIC_BINARY", str(REPOSITORY / "target" / "release" / "veridic"))


def test_result_has_scores_verdicts_and_evidence(result, article, summary):
    assert 0.0 <= result.score <= 1.0 and result.limits.scale == "probability"
    assert result.verdict in ("supported", "unsupported", "contradicted")
    assert len(result.claims) == 5 and result.ledger.claims_from == "sentence"
    scores = [claim.score for claim in result.claims]
    assert min(scores) <= result.score <= max(scores)
    for claim in result.claims:
        start, end = claim.evidence.span
        assert article[start:end] == claim.evidence.text
        parts = [article[slice(*span)] for span in claim.evidence.spans]
        assert parts and "".join("".join(parts).split()) == "".join(claim.evidence.text.split())
        assert all(summary[start:end] for start, end in claim.summary_spans)
        assert sum(dataclasses.astuple(claim.probabilities)) == pytest.approx(1.0, abs=1e-6)
    changed = result.claims[2]
    assert "2.4" in changed.text and "2.4" in " ".join(changed.support.not_found)
    assert all((claim.counter_evidence is not None) == (claim.verdict == "contradicted") for claim in result.claims)


def test_a_path_is_read_as_what_its_file_is(small, tmp_path):
    letter = REPOSITORY / "tests" / "fixtures" / "texts" / "forms" / "letter-1.docx"
    claim = "No mobile phones; the teachers have one for emergencies."
    result = small.score(letter, claim)
    assert result.verdict == "supported"
    assert [row.verdict for row in small.run([{"document": ["A text.", letter], "summary": claim}])] == ["supported"]
    scanned = tmp_path / "scanned.pdf"
    scanned.write_bytes((letter.parent / "scanned.pdf").read_bytes())
    with pytest.raises(veridic.TextError, match="`scanned.pdf`, which has no text layer"):
        small.score(scanned, claim)


def test_substitution_names_mention_and_replacement():
    document = "Mayor Lena Okafor spoke on Friday. She resigned on Monday after a long quarrel."
    scorer = veridic.Scorer(rules={"levels": ["sentence", "coref"]}, quiet=True)
    claim = scorer.score(document, "Lena Okafor resigned on Monday after a long quarrel.").claims[0]
    substitution = claim.substitution
    assert claim.level == "coref" and (substitution.mention, substitution.by) == ("She", "Mayor Lena Okafor")
    assert document[slice(*substitution.mention_span)] == substitution.mention and document[slice(*substitution.by_span)] == substitution.by
    assert substitution.rewritten == "Mayor Lena Okafor resigned on Monday after a long quarrel."


def test_contradicted_claim_has_counter_evidence(scorer):
    document = "The council did not approve the plan to close the swimming pool in March. It will stay open."
    claims = scorer.score(document, "The council approved the plan to close the swimming pool in March.").claims
    claim = next(claim for claim in claims if claim.verdict == "contradicted")
    assert document[slice(*claim.counter_evidence.span)] == claim.counter_evidence.text


def test_parts_that_state_nothing_have_no_verdict_and_do_not_count(small):
    answer = "# Summary\n\nThe pool closes in March. The mayor sang.\n\nI hope this helps!"
    result = small.score("The pool closes in March.", answer)
    heading, supported, other, greeting = result.claims
    assert (heading.text, heading.score, heading.verdict, heading.reason) == ("# Summary", None, None, "not a claim")
    assert greeting.to_dict() == {
        "text": "I hope this helps!", "summary_spans": [[54, 72]], "score": None, "verdict": None, "reason": "not a claim"
    }  # fmt: skip
    assert result.judged_claims == (supported, other) and result.score == other.score
    assert veridic.PairResult.from_dict(result.to_dict()) == result and result.corrected(answer) == answer
    assert veridic.JudgedSentence("# Summary", (0, 9), (heading, supported)).is_supported
    assert supported.explanation == "Supported by \u201cThe pool closes in March\u201d."


def test_evidence_of_a_transcript_has_its_speaker(small):
    talk = "[00:12] Amira: The pool closes in March.\n[00:20] Ben: Repairs would cost 4.2 million euros.\n[00:31] Amira: I see.\n"
    claim = small.score(talk, "The pool closes in March.").claims[0]
    assert (claim.evidence.turn, claim.evidence.speaker, claim.evidence.time) == (1, "Amira", "00:12")
    assert claim.evidence.last_turn is None and claim.explanation == "Supported by turn 1 (Amira, 00:12)."
    assert small.score("The pool closes.", "The pool closes.").claims[0].evidence.turn is None


def test_results_are_frozen_and_round_trip_through_json(result):
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.score = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.claims[0].text = ""
    written = result.to_dict()
    again = veridic.PairResult.from_dict(json.loads(json.dumps(written)))
    assert again == result and again.to_dict() == written
    written["claims"][0]["text"] = "another"
    assert result.claims[0].text != "another"


def _corrected(result, *corrections):
    """The result with claims that have these corrections: place in the summary, and the document's text."""
    written = result.to_dict()
    claim = written["claims"][0]
    beside = {"kind": "quantity", "span": [0, 1], "text": "", "document_span": [0, 1], "gain": 0.5}
    written["claims"] = [{**claim, "instead": {**beside, "summary_span": span, "document": text}} for span, text in corrections]
    again = veridic.PairResult.from_dict(written)
    assert again.to_dict() == written
    return again


def test_corrected_replaces_parts_of_the_summary_by_characters(result):
    summary = "H\u00f6he: 2.4 m \U0001f309, 3 T\u00fcrme.\n"
    corrections = [([15, 16], "two"), (None, "no place"), ([6, 11], "4.2 m"), ([10, 13], "overlaps"), ([6, 9], "second")]
    corrected = _corrected(result, *corrections)
    assert corrected.corrected(summary) == "H\u00f6he: 4.2 m \U0001f309, two T\u00fcrme.\n"
    assert corrected.claims[1].instead.summary_span is None and corrected.claims[0].instead.document == "two"
    with pytest.raises(ValueError, match="3 characters"):
        corrected.corrected("H\u00f6.")
    assert _corrected(result).corrected(summary) == summary


def test_to_dict_matches_the_program(result):
    if not os.path.exists(BINARY):
        pytest.skip("the program is not built (cargo build --release), nor named by VERIDIC_BINARY")
    texts = [str(REPOSITORY / "examples" / name) for name in ("article.txt", "summary.txt")]
    command = [BINARY, "score", *texts, "--format", "json", "--quiet", "--threads", "2"]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    assert result.to_dict() == json.loads(printed)
    assert list(result.to_dict()) == list(json.loads(printed))


def test_settings_change_results(article, summary, result):
    rules = {"over_claims": "mean", "levels": ["sentence"], "quantity_nowhere": False, "date_nowhere": "off", "window": None}
    mean = veridic.Scorer(coref="off", rules=rules, quiet=True).score(article, summary)
    assert mean.score == pytest.approx(sum(claim.score for claim in mean.claims) / len(mean.claims), abs=1e-6)
    assert {claim.level for claim in mean.claims} == {"sentence"} and mean.profile.levels == ("sentence",)
    assert mean.profile.caps == {"quantity_nowhere": None, "date_nowhere": None, "instead": result.profile.caps["instead"]}
    assert mean.claims[0].support is None and mean.profile.window == result.profile.window
    assert mean.score != result.score and mean.profile.digest != result.profile.digest


def test_every_rule_at_its_resolved_value_changes_no_byte(scorer):
    pair = ("The pool closes in March. Repairs would cost 4.2 million euros, the report said.\n", "The pool closes in March. Repairs would cost 2.4 million euros.\n")
    printed = subprocess.run([sys.executable, "-m", "veridic", "rules", "--format", "json"], check=True, stdout=subprocess.PIPE).stdout
    rules = {key: each["value"] for key, each in json.loads(printed)["rules"].items()}
    given = veridic.Scorer(threads=2, rules=rules, quiet=True)
    assert len(rules) > 20 and given.rules == scorer.rules and scorer.rules.digest == json.loads(printed)["digest"]
    assert json.dumps(given.score(*pair).to_dict()) == json.dumps(scorer.score(*pair).to_dict())


def test_rules_file(tmp_path, scorer):
    file = tmp_path / "rules.toml"
    file.write_bytes(subprocess.run([sys.executable, "-m", "veridic", "rules"], check=True, stdout=subprocess.PIPE).stdout)
    assert veridic.Scorer(rules=file, quiet=True).rules == scorer.rules
    file.write_text('version = 1\nwindow = 3\nabstain = 0.1\nlanguages = "any"\n')
    given = veridic.Scorer(rules=str(file), abstain=0.2, quiet=True)
    assert (given.rules.window, given.rules.languages) == (3, None) and given.rules.abstain == pytest.approx(0.2)
    assert pickle.loads(pickle.dumps(given)).rules == given.rules
    for text, part in [("", "version is missing"), ("version = 1\nwindw = 3\n", "did you mean `window`"), ("version = 1\nwindow = 0\n", "rules.toml: window = 0"), ("[", "line 1")]:
        file.write_text(text)
        with pytest.raises(veridic.SettingError, match=part):
            veridic.Scorer(rules=file, quiet=True)
    file.write_text(f'version = 1\n[model]\nid = "other"\nsha256 = "{"ab" * 32}"\n')
    with pytest.raises(veridic.SettingError, match="rules.toml: it was made for the model other"):
        veridic.Scorer(rules=file, quiet=True)
    with pytest.raises(veridic.SettingError, match="rules=no-such-file: cannot read it"):
        veridic.Scorer(rules="no-such-file", quiet=True)


def test_results_of_older_versions_are_read(result):
    written = result.to_dict()
    for name in ["digest", "temperature", "caps"]:
        del written["profile"][name]
    older = json.loads(json.dumps(written))
    older["ledger"]["claims_escalated"] = 0
    older["limits"].update(unsure_above_risk=0.1, precision_of_rest=0.9)
    older["profile"].update(calibration="0123", escalate=0.2, windows="slices", overflow="split")
    for claim in older["claims"]:
        claim.update(risk=0.1, facts={"words": 0.5})
        del claim["explanation"]
        claim["support"]["contributions"] = [{"fact": "words", "value": 0.5, "adds": 1.0}]
    older["ledger"]["extract"] = {"method": "lead", "budget": 512, "rule": "fill", "sentences": 9}
    read = veridic.PairResult.from_dict(older)
    for claim in written["claims"]:
        del claim["explanation"]
    assert read.to_dict() == written and read.claims[0].explanation is None


def test_scores_near_the_limit_are_unsure(article, summary):
    result = veridic.Scorer(model="mini", abstain=0.5, rules={"contrast": "off"}, quiet=True).score(article, summary)
    assert result.verdict == "unsure" and result.limits.unsure_within == 0.5
    assert all(claim.verdict == ("unsure" if 0 < claim.score < 1 else "supported") for claim in result.claims)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"window": 3}, 'window=3: give rules={"window": 3}'),
        ({"levels": ("sentence",)}, 'levels=["sentence"]: give rules={"levels": ["sentence"]}'),
        ({"contrast": True}, 'contrast=True: give rules={"contrast": True}'),
        ({"supported": 0.4}, 'supported=0.4: give rules={"supported": 0.4}'),
        ({"modell": "base"}, "Scorer has no argument `modell` (did you mean `model`?)"),
        ({"languges": "any"}, "Scorer has no argument `languges` (did you mean `languages`?)"),
        ({"metric": "rouge"}, "Scorer has no argument `metric`: help(veridic.Scorer) lists them"),
    ],
)
def test_other_arguments_are_errors_with_the_new_spelling(given, message):
    with pytest.raises(veridic.ArgumentError) as refused:
        veridic.Scorer(**given)
    assert str(refused.value).startswith(message) and isinstance(refused.value, (TypeError, veridic.SettingError))


def test_list_of_texts_is_one_document(scorer):
    parts = ["The pool opened in 1974.", "It closed in 2020."]
    whole, listed = scorer.score("\n\n".join(parts), "It closed."), scorer.score(parts, "It closed.")
    assert whole.ledger.sources is None and whole.claims[0].evidence.sources is None
    assert [source.id for source in listed.ledger.sources] == ["1", "2"]
    assert listed.claims[0].explanation == "Supported by source 2."
    written, joined = listed.to_dict(), whole.to_dict()
    del written["ledger"]["sources"]
    # No premise spans both sources, so that there are more to screen.
    for result in (written, joined):
        del result["ledger"]["premises_screened"], result["ledger"]["screen_pairs"], result["claims"][0]["explanation"]
    for claim in written["claims"]:
        for place in (claim["evidence"], claim["counter_evidence"], claim["substitution"], claim.get("instead")):
            for name in ("sources", "mention_sources", "by_sources"):
                (place or {}).pop(name, None)
    assert written == joined


def test_evidence_names_its_source(scorer):
    sources = [{"id": "town", "text": "Harwell is a small town \U0001f309."}, {"id": 7, "text": "The pool closed in 2020."}]
    result = scorer.score(sources, "The pool closed in 2020. The pool closed in 2019.")
    assert [(source.id, source.span) for source in result.ledger.sources] == [("town", (0, 26)), ("7", (28, 52))]
    texts = {"town": sources[0]["text"], "7": sources[1]["text"]}
    joined = "\n\n".join(texts.values())
    for claim in result.claims:
        for evidence in filter(None, (claim.evidence, claim.counter_evidence)):
            inside = [texts[source.id][slice(*span)] for source in evidence.sources for span in source.spans]
            assert "".join("".join(inside).split()) == "".join(joined[slice(*evidence.span)].split())
    assert "7" in [source.id for source in result.claims[0].evidence.sources]
    assert veridic.PairResult.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_citations_are_checked_against_the_source_that_they_name(scorer):
    sources = ["The town pool opened in 1974.", {"id": "report", "text": "Repairs would cost 4.2 million euros."}]
    answer = "The town pool opened in 1974 [1]. Repairs would cost 4.2 million euros. [1] [9] The mayor resigned."
    plain = scorer.score(sources, answer.replace(" [1]", "").replace(" [9]", ""))
    result = scorer.score(sources, answer, citations=True)
    assert [claim.score for claim in result.claims] == [claim.score for claim in plain.claims]
    first, second, third = (claim.citations for claim in result.claims)
    assert [(one.marker, one.source, one.verdict) for one in first] == [("[1]", "1", "supports")]
    assert [(one.source, one.verdict, one.other) for one in second] == [("1", "other_supports", "report"), ("9", "unknown_source", None)]
    assert third == () and plain.claims[0].citations is None
    for claim in result.claims:
        covered = "".join(answer[slice(*span)] for span in claim.summary_spans)
        assert re.sub(r" \[\d\]", "", covered) == claim.text
        assert all(answer[slice(*one.span)] == one.marker for one in claim.citations)
    [row] = scorer.run([{"contexts": sources, "answer": answer}], citations=True)
    assert row.claims == result.claims
    assert veridic.PairResult.from_dict(json.loads(json.dumps(result.to_dict()))) == result
    with pytest.raises(veridic.TextError, match="need a list of sources"):
        scorer.score("The town pool opened in 1974.", answer, citations=True)


def test_nothing_supports_a_claim_without_sources(scorer):
    result = scorer.score([], "The pool opened in 1974. I don't know who built it.")
    assert (result.verdict, result.reason, result.score) == ("unsupported", "no_document", 0.0)
    assert [(claim.is_claim, claim.verdict) for claim in result.claims] == [(True, "unsupported"), (False, "no_answer")]
    assert len(result.judged_claims) == 1 and result.unjudged.share == 0.0
    assert veridic.PairResult.from_dict(json.loads(json.dumps(result.to_dict()))) == result


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (["a", ""], "no text in source 2"),
        (["a", 1], "source 2 that is a number"),
        ([{"txt": "a"}], "no `text` in source 1"),
        ([{"id": "x", "text": "a"}, {"id": "x", "text": "b"}], "id x twice, in sources 1 and 2"),
        ({"text": "a"}, "an object, not a string, nor a list of sources"),
    ],
)
def test_lists_that_are_no_document_are_errors(scorer, document, message):
    with pytest.raises(veridic.TextError, match=message):
        scorer.score(document, "It closed.")


def test_given_claims_and_sentences_are_used():
    scorer = veridic.Scorer(claims="given", quiet=True)
    document = "One was first. Two was second."
    result = scorer.score(document, "Any.", claims=["One was first.", "Two was third."], document_sentences=[document])
    assert [claim.text for claim in result.claims] == ["One was first.", "Two was third."]
    assert result.ledger.sentences == 1
    with pytest.raises(veridic.TextError, match="claims"):
        scorer.score(document, "Any.")


def test_given_sentences_of_the_summary_are_used():
    scorer = veridic.Scorer(claims="sentence", quiet=True)
    sentences = ["One was first;", "two was third."]
    result = scorer.score("One was first. Two was second.", " ".join(sentences), summary_sentences=sentences)
    assert [claim.text for claim in result.claims] == sentences
    with pytest.raises(veridic.TextError, match="list of summary sentences has a sentence 2"):
        scorer.score("One was first.", " ".join(sentences), summary_sentences=sentences[::-1])


@pytest.mark.parametrize(
    ("settings", "kind", "parts"),
    [
        ({"model": "no-such-model"}, veridic.ModelError, ["no-such-model", "mini"]),
        ({"profile": "other"}, veridic.SettingError, ["profile=other", "released"]),
        ({"claims": "words"}, veridic.SettingError, ["claims=words", "sentence"]),
        ({"claims": "t5=no-such-model"}, veridic.ModelError, ["claims=t5=no-such-model"]),
        ({"threads": 0}, veridic.SettingError, ["threads=0"]),
        ({"threads": 100_000}, veridic.SettingError, ["threads 100000"]),
        ({"rules": {"window": 0}}, veridic.SettingError, ["window=0"]),
        ({"rules": {"window": [3]}}, veridic.SettingError, ["window=[3]", "list of texts"]),
        ({"rules": {"windw": 3}}, veridic.SettingError, ["no setting `windw`", "did you mean `window`"]),
        ({"rules": {"window": object()}}, veridic.SettingError, ["of type object"]),
        ({"rules": {"epsilon": float("nan")}}, veridic.SettingError, ["finite"]),
        ({"rules": {"model": "mini"}}, veridic.SettingError, ["no setting `model`"]),
        ({"rules": {"threshold": 2.0}}, veridic.SettingError, ["threshold=2", "from -1 to 1, or off"]),
        ({"rules": {"epsilon": "x"}}, veridic.SettingError, ["epsilon"]),
        ({"abstain": 1.0}, veridic.SettingError, ["abstain=1", "from 0 to 0.5"]),
        ({"abstain": 0.2, "rules": {"score": "e-t"}}, veridic.SettingError, ["abstain=0.2", "`score=e`"]),
        ({"claims": "given", "rules": {"claims": "sentence"}}, veridic.SettingError, ["claims=sentence: the argument gives it as given, too: give it once"]),
        ({"rules": {"score": "t"}}, veridic.SettingError, ["score=t", "e-t"]),
        ({"rules": {"levels": ["coref"]}}, veridic.SettingError, ["levels=coref: coref needs sentence"]),
        ({"rules": {"max_tokens": 3}}, veridic.SettingError, ["max_tokens=3"]),
        ({"rules": {"extract": "rouge-9"}}, veridic.SettingError, ["no setting `extract`"]),
        ({"rules": {"budget": 9}}, veridic.SettingError, ["budget"]),
        ({"dtype": "f64"}, veridic.SettingError, ["dtype", "int8"]),
        ({"dtype": "f16"}, veridic.SettingError, ["dtype=f16", "bf16"]),
        ({"device": "cuda"}, veridic.SettingError, ["device=cuda", "the feature `cuda`", "use cpu"]),
        ({"model": b"\xff".decode("latin1")}, veridic.ModelError, ["no model"]),
    ],
)
def test_invalid_settings_are_errors_that_name_them(settings, kind, parts):
    with pytest.raises(kind) as refused:
        veridic.Scorer(quiet=True, **settings)
    assert isinstance(refused.value, veridic.VeridicError)
    assert all(part in str(refused.value) for part in parts), str(refused.value)
    assert "--" not in str(refused.value)


def test_texts_that_cannot_be_judged_are_errors(scorer):
    for document, summary, part in [
        ("", "A word.", "document"),
        ("A word.", " \n", "summary"),
        ("\0\x07", "A word.", "document is empty"),
        ("A word.", "...", "no word"),
        (None, "A word.", "document"),
        ("A word.", 5, "summary"),
        ("A word.", "\ud800", "summary is empty"),
    ]:
        with pytest.raises(veridic.TextError, match=part):
            scorer.score(document, summary)


def test_stray_characters_are_replaced_and_counted(scorer):
    document = "The caf\x92 s\0 roof \ud800 fell when it rained."
    result = scorer.score(document, "It rained.")
    evidence = result.claims[0].evidence
    assert evidence.text == document.replace("\ud800", "\ufffd")
    assert evidence.span == (0, len(document))
    assert result.ledger.characters_replaced == 3


def test_notes_are_warnings():
    with pytest.warns(veridic.VeridicWarning, match="small and often wrong"):
        veridic.Scorer(model="mini")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        veridic.Scorer(quiet=True)


def test_nli_is_an_array_of_three_columns(scorer):
    premises = ["The pool closed in 2020.", "A cat sleeps.", "The pool closed in 2020."]
    hypotheses = ["The pool closed.", "The pool closed.", "The pool never closed."]
    answers = scorer.nli(premises, hypotheses)
    assert answers.shape == (3, 3) and answers.dtype == numpy.float32 and answers.flags.writeable
    assert numpy.allclose(answers.sum(axis=1), 1.0, atol=1e-5)
    alone = numpy.concatenate([scorer.nli([p], [h]) for p, h in zip(premises, hypotheses)])
    assert (answers.view(numpy.uint32) == alone.view(numpy.uint32)).all()
    assert answers[0, 0] > answers[1, 0]
    assert scorer.nli([], []).shape == (0, 3)
    assert scorer.nli(numpy.array(premises).tolist(), tuple(hypotheses)).shape == (3, 3)


def test_pairs_that_cannot_be_computed_are_errors(scorer):
    long = "word " * 6000
    with pytest.raises(veridic.TextError, match="pair 1: .* limit"):
        scorer.nli(["A word.", long], ["A word.", "A word."])
    assert scorer.nli([long], ["A word."], truncate="premise").shape == (1, 3)
    with pytest.raises(veridic.SettingError, match="truncate"):
        scorer.nli([long], ["A word."], truncate="both")
    with pytest.raises(veridic.SettingError, match="2 premises"):
        scorer.nli(["a", "b"], ["a"])
    with pytest.raises(veridic.SettingError, match="lists"):
        scorer.nli("a", "b")
    with pytest.raises(veridic.TextError, match="pair 1: the hypothesis is empty"):
        scorer.nli(["a", "a"], ["a", ""])
    with pytest.warns(veridic.VeridicWarning, match="1 of 3 pairs"):
        answers = scorer.nli(["a", "a", "a"], ["a", "", "a"], on_error="record")
    assert numpy.isnan(answers[1]).all() and (answers[0] == answers[2]).all()


def test_unclean_text_is_read(scorer):
    document, summary = "The pool\x92s roof\ud83d was closed.\x0cIt is old.", "\ufeffThe pool\u200b was closed."
    result = scorer.score(document, summary)
    given = document.replace("\ud83d", "\ufffd")
    for claim in result.claims:
        start, end = claim.evidence.span
        assert claim.evidence.text == given[start:end]
        assert "".join(summary[a:b] for a, b in claim.summary_spans).strip("\ufeff").startswith("The pool")
    assert result.ledger.characters_replaced == 5
    assert scorer.nli([document], [summary]).shape == (1, 3)
    assert veridic.sentences("A \ud800 b.") and scorer.chunks(document)


def test_unlisted_language_warns_once(article):
    chinese = "工程于十月开始。游泳池将在三月关闭。"
    scorer = veridic.Scorer(quiet=True)
    result = scorer.score(article, chinese)
    assert (result.verdict, result.reason) == ("unsupported", "language")
    assert {claim.reason for claim in result.claims} == {"language"}
    assert (result.ledger.language.document, result.ledger.language.summary) == ("en", "zh")
    assert result.profile.languages == ("en",)
    assert veridic.PairResult.from_dict(result.to_dict()) == result
    judged = veridic.Scorer(rules={"languages": "any"}, quiet=True).score(article, chinese)
    assert judged.reason is None and judged.profile.languages is None
    with pytest.warns(veridic.VeridicWarning):
        scorer = veridic.Scorer(model="mini")
    with pytest.warns(veridic.VeridicWarning, match="does not list"):
        scorer.score(article, chinese)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scorer.score(article, chinese)


def test_sentences_and_chunks_are_slices(scorer, article):
    spans = veridic.sentences(article)
    assert len(spans) == 10 and spans[0][0] == 0
    assert "".join(article.split()) == "".join("".join(article[a:b] for a, b in spans).split())
    chunks = scorer.chunks(article * 5)
    assert len(chunks) > 1 and all(chunks)
    with pytest.raises(veridic.TextError, match="empty"):
        scorer.chunks(" ")


def test_scorer_is_pickled_by_its_settings(result, article, summary):
    scorer = veridic.Scorer(threads=1, claims="sentence", quiet=True)
    again = pickle.loads(pickle.dumps(scorer))
    assert again.settings == scorer.settings and again.threads == 1
    # The number of threads does not change a bit.
    assert again.score(article, summary) == result


def test_scorer_describes_itself(scorer, result):
    assert scorer.rules == scorer.profile == result.profile and scorer.models == result.models
    assert scorer.profile.name == "veridic" and scorer.models.nli.id == "base"
    assert scorer.threads == 2 and repr(scorer) == "Scorer(model='base', threads=2)"
    assert veridic.__version__.count(".") == 2
    assert (Path(veridic.__file__).parent / "py.typed").is_file()
