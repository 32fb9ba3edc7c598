"""Writes and reads the container that src/encoder/tensor-file.ts reads: magic, header length, JSON header, tensors aligned to 16 bytes."""
import json
import struct
import numpy as np


def write_tensor_file(path, meta, tensors):
    """tensors: name -> int8/float32 array or str. Byte-identical for identical input."""
    blobs = {}
    for name, value in tensors.items():
        if isinstance(value, str):
            blobs[name] = ("utf8", value.encode())
        else:
            array = np.ascontiguousarray(value)
            blobs[name] = ({"int8": "int8", "float32": "float32"}[str(array.dtype)], array.tobytes())

    def layout(base):
        entries, offset = {}, base
        for name, (dtype, data) in blobs.items():
            offset = (offset + 15) // 16 * 16
            entries[name] = {"dtype": dtype, "offset": offset, "bytes": len(data)}
            offset += len(data)
        return entries

    base = 4096  # the header is padded with blanks to a fixed place, so that offsets do not depend on its own length
    entries = layout(8 + base)
    header = json.dumps({"meta": meta, "tensors": entries}, sort_keys=True).encode()
    assert len(header) <= base, len(header)
    with open(path, "wb") as out:
        out.write(b"SBT1" + struct.pack("<I", base) + header.ljust(base))
        for name, (_, data) in blobs.items():
            out.write(b"\0" * (entries[name]["offset"] - out.tell()))
            out.write(data)


def read_tensor_file(path):
    """→ meta, tensors by name"""
    data = open(path, "rb").read()
    start = 8 + struct.unpack("<I", data[4:8])[0]
    header = json.loads(data[8:start])

    def tensor(entry):
        part = data[entry["offset"] : entry["offset"] + entry["bytes"]]
        return part.decode() if entry["dtype"] == "utf8" else np.frombuffer(part, entry["dtype"])

    return header["meta"], {name: tensor(entry) for name, entry in header["tensors"].items()}
