import asyncio

import pytest

pytest.importorskip("langchain_core", reason="langchain-core is not installed")

from adapter_inputs import BAD_ANSWERS, BAD_CONTEXTS, CONTEXTS, CONTRADICTED, DOCUMENT, HUGE, QUESTION, SUPPORTED, TOO_LONG, assert_is_reason, run_example
from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda
from veridic.adapters.langchain import VeridicRunnable


def inputs(answer, contexts=CONTEXTS):
    return {"question": QUESTION, "answer": answer, "context": contexts}


def test_invoke_adds_the_judgement(small):
    found = VeridicRunnable(scorer=small).invoke(inputs(CONTRADICTED))
    assert {name: found[name] for name in inputs("")} == inputs(CONTRADICTED)
    assert found["veridic"]["score"] == small.score(DOCUMENT, CONTRADICTED).score
    assert found["veridic"]["verdict"] == "contradicted" and found["veridic"]["passed"] is False
    assert_is_reason(found["veridic"]["reason"])


def test_chain_batch_and_async(small):
    chain = RunnableLambda(lambda question: inputs(AIMessage(CONTRADICTED), [Document(page_content=text) for text in CONTEXTS]))
    chain = chain | VeridicRunnable(scorer=small, output="check") | RunnableLambda(lambda found: found["check"]["reason"])
    for found in [chain.invoke(QUESTION), chain.batch([QUESTION])[0], asyncio.run(chain.ainvoke(QUESTION))]:
        assert_is_reason(found)


def test_blocks_of_a_message_are_one_text(small):
    blocks = [{"type": "text", "text": part} for part in (SUPPORTED + " ", CONTRADICTED[len(SUPPORTED) + 1 :])]
    found = VeridicRunnable(scorer=small).invoke(inputs(AIMessage(blocks)))
    assert_is_reason(found["veridic"]["reason"])
    with pytest.raises(ValueError, match="empty"):
        VeridicRunnable(scorer=small).invoke(inputs(AIMessage([])))


@pytest.mark.parametrize(("answer", "part"), BAD_ANSWERS)
def test_answers_that_are_no_text_are_value_errors(small, answer, part):
    with pytest.raises(ValueError, match=part):
        VeridicRunnable(scorer=small).invoke(inputs(answer))


@pytest.mark.parametrize(("contexts", "part"), BAD_CONTEXTS)
def test_contexts_that_are_no_texts_are_value_errors(small, contexts, part):
    with pytest.raises(ValueError, match=part):
        VeridicRunnable(scorer=small).invoke(inputs(SUPPORTED, contexts))


@pytest.mark.parametrize("given", [None, "a text", ["a", "b"], {}])
def test_inputs_without_the_keys_are_value_errors(small, given):
    with pytest.raises(ValueError, match="answer"):
        VeridicRunnable(scorer=small).invoke(given)


def test_huge_contexts(small):
    runnable = VeridicRunnable(scorer=small)
    assert runnable.invoke(inputs(SUPPORTED, HUGE))["veridic"]["passed"]
    with pytest.raises(ValueError, match="document"):
        runnable.invoke(inputs(SUPPORTED, TOO_LONG))


def test_example():
    assert "the document says 4.2 million euros" in run_example("langchain_runnable.py")
