"""LangChain: a chain that judges its own answer."""

from __future__ import annotations

from typing import Any, Dict

from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from veridic.adapters.langchain import VeridicRunnable


def answer(inputs: Dict[str, Any]) -> str:
    """In the place of a prompt and a model."""
    return "The pool closes in March. Repairs would cost 2.4 million euros."


def main() -> None:
    chain = RunnablePassthrough.assign(answer=RunnableLambda(answer)) | VeridicRunnable()
    documents = ["The pool closes in March.", "Repairs would cost 4.2 million euros, the report said."]
    found = chain.invoke({"question": "What is planned?", "context": [Document(page_content=text) for text in documents]})
    print(found["veridic"]["verdict"], found["veridic"]["passed"])
    print(found["veridic"]["reason"])


if __name__ == "__main__":
    main()
