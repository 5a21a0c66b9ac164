"""Asks the real ONNX Runtime to load the models that write-models.ts wrote, and prints what it said, as JSON.

Each model is asked in a process of its own, since some take the process with them. Where it loads, its first input is
given one picture of zeros, as the machine gives it: 3 channels, every free size 4. Run by hand: see scripts/golden/README.md.
"""

import hashlib
import json
import os
import re
import sys
from pathlib import Path

import numpy as np
import onnxruntime

DTYPES = {"tensor(float)": np.float32, "tensor(uint8)": np.uint8}


def reason(error, path):
    """The last sentence of an error, without the place of the model and that in the runtime's sources."""
    text = re.sub(r"\s+", " ", str(error)).strip().replace(f"{path.parent}/", "")
    text = re.sub(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ", "", text)
    return re.sub(r"^/onnxruntime_src\S+ .*?\) (?=[A-Z])", "", text)[:160]


def picture(session):
    first = session.get_inputs()[0]
    shape = first.shape
    if len(shape) != 4:
        return None
    channels_first = 3 in shape and shape.index(3) == 1
    sizes = [shape[2], shape[3]] if channels_first else [shape[1], shape[2]]
    height, width = (size if isinstance(size, int) else 4 for size in sizes)
    made = [1, 3, height, width] if channels_first else [1, height, width, 3]
    return {first.name: np.zeros(made, DTYPES[first.type])}


def ask(path):
    onnxruntime.set_default_logger_severity(4)
    answer = {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()[:8]}
    try:
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    except Exception as error:
        return answer | {"refused": reason(error, path)}
    answer["inputs"] = [value.type for value in session.get_inputs()]
    answer["outputs"] = [value.type for value in session.get_outputs()]
    if len(answer["inputs"]) != 1 or answer["inputs"][0] not in DTYPES:
        return answer
    feeds = picture(session)
    if feeds is None:
        return answer | {"failed": "not a picture"}
    try:
        session.run(None, feeds)
    except Exception as error:
        return answer | {"failed": reason(error, path)}
    return answer


def ask_apart(path):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, json.dumps(ask(path)).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as said:
        answer = said.read()
    os.waitpid(child, 0)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    return json.loads(answer) if answer else {"sha256": sha256, "refused": "the process ended"}


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    names = json.loads((folder / "names.json").read_text())
    answers = [ask_apart(folder / str(index) / "model.onnx") for index in range(len(names))]
    lines = [f"    {json.dumps(name)}: {json.dumps(answer)}" for name, answer in zip(names, answers)]
    print(f'{{\n  "runtime": "onnxruntime {onnxruntime.__version__}",\n  "models": {{')
    print(",\n".join(lines))
    print("  }\n}")
