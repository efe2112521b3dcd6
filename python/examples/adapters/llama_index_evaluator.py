"""LlamaIndex: a response and the nodes that it was made from."""

from __future__ import annotations

from llama_index.core.base.response.schema import Response
from llama_index.core.schema import NodeWithScore, TextNode
from veridic.adapters.llama_index import VeridicEvaluator


def main() -> None:
    texts = ["The pool closes in March.", "Repairs would cost 4.2 million euros, the report said."]
    response = Response(
        "The pool closes in March. Repairs would cost 2.4 million euros.",
        source_nodes=[NodeWithScore(node=TextNode(text=text)) for text in texts],
    )
    found = VeridicEvaluator().evaluate_response(query="What is planned?", response=response)
    print(f"{found.score:.2f}", found.passing)
    print(found.feedback)


if __name__ == "__main__":
    main()
