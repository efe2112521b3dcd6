import pytest

pytest.importorskip("guardrails", reason="guardrails-ai is not installed")

from adapter_inputs import BAD_ANSWERS, BAD_CONTEXTS, CONTEXTS, CONTRADICTED, HUGE, SUPPORTED, TOO_LONG, assert_is_reason, run_example
from guardrails import Guard
from guardrails.validator_base import FailResult, PassResult
from guardrails.errors import ValidationError
from veridic.adapters.guardrails import VeridicSupported


def test_result_has_message_spans_and_fix(small):
    found = VeridicSupported(scorer=small).validate(CONTRADICTED, {"context": CONTEXTS})
    assert isinstance(found, FailResult) and found.metadata["verdict"] == "contradicted"
    assert_is_reason(found.error_message)
    [span] = found.error_spans
    assert CONTRADICTED[span.start : span.end] == "Repairs would cost 2.4 million euros."
    found = VeridicSupported(context=CONTEXTS, scorer=small).validate(SUPPORTED, {})
    assert isinstance(found, PassResult)


def test_guard_refuses_corrects_or_reports(small):
    with pytest.raises(ValidationError, match="1 of 2 claims supported"):
        Guard().use(VeridicSupported(scorer=small, on_fail="exception")).validate(CONTRADICTED, metadata={"context": CONTEXTS})
    found = Guard().use(VeridicSupported(context=CONTEXTS, scorer=small, on_fail="noop")).validate(CONTRADICTED)
    assert not found.validation_passed
    assert Guard().use(VeridicSupported(context=CONTEXTS, scorer=small)).validate(SUPPORTED).validation_passed


@pytest.mark.parametrize(("answer", "part"), BAD_ANSWERS)
def test_answers_that_are_no_text_are_the_frameworks_error(small, answer, part):
    with pytest.raises(ValidationError, match=part):
        VeridicSupported(scorer=small).validate(answer, {"context": CONTEXTS})


@pytest.mark.parametrize(("contexts", "part"), BAD_CONTEXTS)
def test_contexts_that_are_no_texts_are_the_frameworks_error(small, contexts, part):
    with pytest.raises(ValidationError, match=part):
        VeridicSupported(scorer=small).validate(SUPPORTED, {"context": contexts})


def test_missing_context_is_the_frameworks_error(small):
    with pytest.raises(ValidationError, match="`context` is missing"):
        VeridicSupported(scorer=small).validate(SUPPORTED, {})


def test_huge_contexts(small):
    assert isinstance(VeridicSupported(scorer=small).validate(SUPPORTED, {"context": HUGE}), PassResult)
    with pytest.raises(ValidationError, match="document"):
        VeridicSupported(scorer=small).validate(SUPPORTED, {"context": TOO_LONG})


def test_example():
    corrected, *refused = run_example("guardrails_validator.py").splitlines()
    assert corrected == "The pool closes in March. Repairs would cost 4.2 million euros."
    assert any("the document says 4.2 million euros" in line for line in refused)
