"""ONNX Runtime as a peer (protocol.py): float32, or with --int8 its dynamic quantization of all products with weights
(signed, a scale a column), all graph optimizations, sorted by length, at the batch size of --batches that is fastest on
these pairs when the peer starts.

PyTorch's TorchScript exporter (`torch.onnx.export`) writes the graph to a temporary folder, in a
separate process, so that PyTorch is not in the memory of the measured one. The graph of the newer
exporter, and either one after onnxruntime.transformers' fusions for BERT, were equally fast.

    onnx_peer.py MODEL_FOLDER PAIRS.jsonl --batches N,N,... --threads N [--int8]
"""

import argparse
import importlib.metadata
import subprocess
import sys
import tempfile
from pathlib import Path

from protocol import CUBE, Bench, product_rate, serve

INPUTS = ["input_ids", "attention_mask", "token_type_ids"]
TUNING_ROUNDS = 2


def export(folder, path):
    """Writes the model's graph, any number of sequences of any length."""
    import warnings

    import torch
    import transformers

    class Logits(torch.nn.Module):
        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, ids, mask, types):
            return self.model(input_ids=ids, attention_mask=mask, token_type_ids=types).logits

    warnings.simplefilter("ignore")
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    loader = transformers.AutoModelForSequenceClassification
    model = loader.from_pretrained(folder, dtype=torch.float32, local_files_only=True).eval()
    # Two sequences of 17 tokens, the first one padded: only shapes and types matter.
    ids = torch.arange(5, 39).reshape(2, 17)
    mask = torch.ones_like(ids)
    mask[0, 10:] = 0
    torch.onnx.export(
        Logits(model),
        (ids, mask, torch.zeros_like(ids)),
        str(path),
        input_names=INPUTS,
        output_names=["logits"],
        dynamic_axes={name: {0: "batch", 1: "length"} for name in INPUTS},
        opset_version=17,
        dynamo=False,
    )


def start(graph, threads):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def product(threads):
    """The rate of one MatMul node whose right side is a constant, so that it is packed beforehand."""
    from onnx import TensorProto, helper, numpy_helper

    session = None

    def multiply(x, y):
        nonlocal session
        if session is None:
            sides = [CUBE, CUBE]
            values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, sides) for name in ("x", "z")]
            node = helper.make_node("MatMul", ["x", "y"], ["z"])
            graph = helper.make_graph([node], "g", values[:1], values[1:], [numpy_helper.from_array(y, "y")])
            opset = [helper.make_opsetid("", 17)]
            model = helper.make_model(graph, opset_imports=opset, ir_version=8)
            session = start(model.SerializeToString(), threads)
        session.run(["z"], {"x": x})

    return product_rate(multiply)


def quantized(path):
    """Writes the graph with 8-bit weights beside the other."""
    import logging

    from onnxruntime.quantization import QuantType, quantize_dynamic

    logging.disable(logging.WARNING)
    smaller = path.with_name("model8.onnx")
    quantize_dynamic(path, smaller, per_channel=True, weight_type=QuantType.QInt8)
    return smaller


def load(folder, threads, int8):
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "model.onnx"
        subprocess.run([sys.executable, __file__, folder, str(path), "--export"], check=True)
        session = start(str(quantized(path) if int8 else path), threads)

    def forward(ids, mask, types):
        return session.run(["logits"], dict(zip(INPUTS, (ids, mask, types))))[0]

    return forward


def fastest_batch(bench, batches):
    """The best of the batch sizes, and the seconds of each: the minimum over some alternating runs."""
    bench.run(batches[0], sort=True)
    seconds = {batch: [] for batch in batches}
    for _ in range(TUNING_ROUNDS):
        for batch in batches:
            seconds[batch].append(bench.run(batch, sort=True)["seconds"])
    least = {batch: min(times) for batch, times in seconds.items()}
    return min(least, key=least.get), least


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("pairs", help="the pairs, or the graph to write")
    parser.add_argument("--batches", default="8")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--int8", action="store_true")
    parser.add_argument("--export", action="store_true")
    arguments = parser.parse_args()
    if arguments.export:
        return export(arguments.model, arguments.pairs)
    bench = Bench(arguments.model, arguments.pairs, load(arguments.model, arguments.threads, arguments.int8))
    batch, seconds = fastest_batch(bench, [int(size) for size in arguments.batches.split(",")])
    versions = {name: importlib.metadata.version(name) for name in ("onnxruntime", "onnx", "torch")}
    about = {"versions": versions, "batch": batch, "seconds_by_batch": seconds}
    run = lambda: bench.run(batch, sort=True)
    serve(about, run, ("onnxruntime", lambda: product(arguments.threads)))


if __name__ == "__main__":
    main()
