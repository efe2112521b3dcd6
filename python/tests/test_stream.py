"""Texts that are judged while they are written."""

from __future__ import annotations

import threading

import pytest

import veridic

DOCUMENT = "The pool closes in March. Its roof leaks. Repairs would cost 4.2 million euros, Dr. Lee said."
TEXT = "The pool closes in March, e.g. on the 3rd. Dr. Lee said: \"It costs 2.4 million euros.\" The roof leaks"


@pytest.fixture(scope="module")
def scorer() -> veridic.Scorer:
    return veridic.Scorer(model="mini")


@pytest.mark.parametrize("size", [1, 6, 500])
def test_the_result_equals_that_of_the_whole_text(scorer: veridic.Scorer, size: int) -> None:
    stream = scorer.stream(DOCUMENT)
    pieces = [TEXT[start : start + size] for start in range(0, len(TEXT), size)]
    sentences = list(stream.read(pieces))
    whole = scorer.score(DOCUMENT, TEXT)
    assert stream.result == whole
    assert [claim for sentence in sentences for claim in sentence.claims] == list(whole.claims)
    assert [TEXT[slice(*sentence.span)] for sentence in sentences] == [sentence.text for sentence in sentences]


def test_a_sentence_is_judged_once_the_next_one_begins(scorer: veridic.Scorer) -> None:
    stream = scorer.stream(["The pool closes in March.", "Its roof leaks."])
    assert stream.push("The pool closes in March. ") == []
    [sentence] = stream.push("Its")
    assert (sentence.text, sentence.span, len(sentence.claims)) == ("The pool closes in March.", (0, 25), 1)
    assert stream.result is None
    [last] = stream.finish()
    assert last.text == "Its"
    assert stream.result is not None
    with pytest.raises(veridic.SettingError, match="finished"):
        stream.push("More.")


def test_a_list_of_sources_is_the_same_as_in_score(scorer: veridic.Scorer) -> None:
    sources = [{"id": "news", "text": DOCUMENT}, "The library stays open."]
    stream = scorer.stream(sources)
    list(stream.read([TEXT]))
    assert stream.result == scorer.score(sources, TEXT)
    with pytest.raises(veridic.TextError, match="no text in source 2"):
        scorer.stream([DOCUMENT, " "])


def test_texts_that_cannot_be_judged_are_errors(scorer: veridic.Scorer) -> None:
    with pytest.raises(veridic.TextError, match="the document is empty"):
        scorer.stream(" ")
    stream = scorer.stream(DOCUMENT)
    assert stream.push("*** ...") == []
    with pytest.raises(veridic.TextError, match="no word"):
        stream.finish()
    with pytest.raises(TypeError):
        stream.push(3)  # type: ignore[arg-type]
    with pytest.raises(veridic.SettingError, match="cannot be given"):
        veridic.Scorer(model="mini", claims="given").stream(DOCUMENT)


def test_streams_of_several_threads_do_not_mix(scorer: veridic.Scorer) -> None:
    texts = [f"The pool closes in March. It cost {number} euros. " * 2 for number in range(4)]
    expected = [scorer.score(DOCUMENT, text) for text in texts]
    found: dict = {}  # type: ignore[type-arg]

    def read(number: int) -> None:
        stream = scorer.stream(DOCUMENT)
        for _ in stream.read(texts[number]):
            pass
        found[number] = stream.result

    threads = [threading.Thread(target=read, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(4)] == expected
