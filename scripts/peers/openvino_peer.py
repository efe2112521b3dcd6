"""OpenVINO as a peer (protocol.py): the graph that ONNX Runtime gets, in the precision that OpenVINO chooses for this
processor unless --precision names another; sorted by length, at the batch size of --batches that is fastest on these pairs.

    openvino_peer.py MODEL_FOLDER PAIRS.jsonl --batches N,N,... --threads N [--precision f32]
"""

import argparse
import importlib.metadata
import subprocess
import sys
import tempfile
from pathlib import Path

from onnx_peer import INPUTS, fastest_batch
from protocol import Bench, serve


def load(folder, threads, precision):
    import openvino

    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "model.onnx"
        export = Path(__file__).with_name("onnx_peer.py")
        subprocess.run([sys.executable, export, folder, str(path), "--export"], check=True)
        core = openvino.Core()
        settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
        if precision:
            settings["INFERENCE_PRECISION_HINT"] = precision
        model = core.compile_model(core.read_model(path), "CPU", settings)
    request = model.create_infer_request()
    names = {name for given in model.inputs for name in given.get_names()}

    def forward(ids, mask, types):
        arrays = {name: array for name, array in zip(INPUTS, (ids, mask, types)) if name in names}
        return request.infer(arrays)[model.output(0)]

    return forward, str(model.get_property("INFERENCE_PRECISION_HINT"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("pairs")
    parser.add_argument("--batches", default="8")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--precision")
    arguments = parser.parse_args()
    forward, precision = load(arguments.model, arguments.threads, arguments.precision)
    bench = Bench(arguments.model, arguments.pairs, forward)
    batch, seconds = fastest_batch(bench, [int(size) for size in arguments.batches.split(",")])
    versions = {name: importlib.metadata.version(name) for name in ("openvino", "onnx", "torch")}
    about = {"versions": versions, "batch": batch, "seconds_by_batch": seconds, "precision": precision}
    serve(about, lambda: bench.run(batch, sort=True))


if __name__ == "__main__":
    main()
