#!/usr/bin/env python3
"""Cuts the weights of a model into parts of at most 48 MB, as the repository keeps them.

    shards.py FOLDER OUT      FOLDER/model.int8.safetensors -> OUT/model.int8-0000I-of-0000N.safetensors and their index

Tensors are written in the order of the file; a matrix in 8-bit rows and its scales may be in different parts. config.json and tokenizer.json
are copied. Prints the SHA-256 of each part, and the digest over them that identifies the model in results.
"""
import hashlib
import json
import pathlib
import shutil
import struct
import sys

MOST_BYTES = 48_000_000


def tensors(path):
    """(name, dtype, shape, bytes) of each tensor of a safetensors file, in the file's order."""
    content = path.read_bytes()
    length = struct.unpack("<Q", content[:8])[0]
    header = {name: entry for name, entry in json.loads(content[8 : 8 + length]).items() if name != "__metadata__"}
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        start, end = entry["data_offsets"]
        yield name, entry["dtype"], entry["shape"], content[8 + length + start : 8 + length + end]


def parts_of(all_tensors):
    """Lists of tensors, each of at most MOST_BYTES."""
    parts, size = [[]], 0
    for tensor in all_tensors:
        if parts[-1] and size + len(tensor[3]) > MOST_BYTES:
            parts.append([])
            size = 0
        parts[-1].append(tensor)
        size += len(tensor[3])
    return parts


def write(path, part):
    header, offset = {}, 0
    for name, dtype, shape, data in part:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data for *_, data in part))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, out = map(pathlib.Path, sys.argv[1:])
    parts = parts_of(tensors(folder / "model.int8.safetensors"))
    out.mkdir(parents=True, exist_ok=True)
    names = [f"model.int8-{index + 1:05}-of-{len(parts):05}.safetensors" for index in range(len(parts))]
    for name, part in zip(names, parts):
        write(out / name, part)
    places = {tensor: name for name, part in zip(names, parts) for tensor, *_ in part}
    size = sum(len(data) for part in parts for *_, data in part)
    index = {"metadata": {"total_size": size}, "weight_map": places}
    (out / "model.safetensors.index.int8.json").write_text(json.dumps(index, indent=1) + "\n")
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(folder / name, out / name)
    digests = [hashlib.sha256((out / name).read_bytes()).hexdigest() for name in names]
    for name, digest in zip(names, digests):
        print(digest, name)
    print(hashlib.sha256("\n".join(digests).encode()).hexdigest(), "all parts")


if __name__ == "__main__":
    main()
