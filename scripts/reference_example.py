"""Reads the compared (document, summary) from a JSON object, or from the string literals of the FENICE
package's main.py: found in its syntax tree, with every space and line break. Never runs that file, and
refuses texts that are not literals."""

import ast

from reference_comparison import Problem, get, text

NAMES = ("document", "summary")


def read_example(value):
    """The document, the summary and, if given, the document's sentences."""
    example = {name: text(value, name, "the example") for name in NAMES}
    if "document_sentences" in value:
        sentences = get(value, "document_sentences", list, "a list", "the example")
        example["document_sentences"] = sentences
    return example


def check_sentences(document, sentences):
    """Each must be a string that occurs in the document after the previous one."""
    end = 0
    for index, sentence in enumerate(sentences, start=1):
        if not isinstance(sentence, str) or not sentence.strip():
            raise Problem(f"document sentence {index} is not a string with words")
        start = document.find(sentence, end)
        if start < 0:
            raise Problem(f"document sentence {index} is not in the document after the previous one: {sentence!r}")
        end = start + len(sentence)
    if not sentences:
        raise Problem("the document has no sentences")


def find_examples(source, path):
    """Every {"document": .., "summary": ..} of a Python program in the order of its text: as keys of one
    dict, as keywords of one call, or else as two variables."""
    try:
        examples = examples_in(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Problem(f"{path} is not a Python program: {error}") from None
    if not examples:
        raise Problem(f"{path} has no document and summary as string literals; give them by --example FILE")
    return examples


def examples_in(tree):
    nodes = [node for node in ast.walk(tree) if hasattr(node, "lineno")]
    nodes.sort(key=lambda node: (node.lineno, node.col_offset))
    variables = literal_variables(nodes)
    examples = [fields for fields in (fields_of(node, variables) for node in nodes) if fields]
    if not examples and all(name in variables for name in NAMES):
        return [{name: variables[name] for name in NAMES}]
    return examples


def literal_variables(nodes):
    """Names that are assigned exactly one literal, with that literal."""
    values = {}
    for node in nodes:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            value = None if isinstance(node, ast.AugAssign) else literal(node.value, {})
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    values.setdefault(target.id, []).append(value)
    return {name: found[0] for name, found in values.items() if len(found) == 1 and found[0] is not None}


def fields_of(node, variables):
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        entries = [(key.value, value) for key, value in pairs if isinstance(key, ast.Constant)]
    elif isinstance(node, ast.Call):
        entries = [(keyword.arg, keyword.value) for keyword in node.keywords]
    else:
        return None
    fields = {name: literal(value, variables) for name, value in entries if name in NAMES}
    return fields if all(fields.get(name) is not None for name in NAMES) else None


def literal(node, variables):
    """The string value of an expression, or None: a literal, a sum of literals, or a variable with one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        return variables.get(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [literal(side, variables) for side in (node.left, node.right)]
        return None if None in parts else "".join(parts)
    return stripped(node, variables)


def stripped(node, variables):
    """A literal followed by .strip(), .lstrip() or .rstrip()."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)) or node.args or node.keywords:
        return None
    if node.func.attr not in ("strip", "lstrip", "rstrip"):
        return None
    base = literal(node.func.value, variables)
    return None if base is None else getattr(base, node.func.attr)()
