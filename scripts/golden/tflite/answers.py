"""What the native interpreter answers to the tensors that write-inputs.ts wrote: one JSON object on stdout."""
import json
import os
import sys
from importlib.metadata import version

import numpy as np
from ai_edge_litert.interpreter import Interpreter


def said(details, tensor):
    """Whole numbers as [index, value] of those that are not zero: of a thousand classes few have any score."""
    flat = tensor.reshape(-1)
    if tensor.dtype == np.float32:
        values = [float(np.format_float_positional(value, unique=True)) for value in flat]
    else:
        values = [[int(i), int(flat[i])] for i in np.flatnonzero(flat)]
    return {"name": details["name"], "dtype": tensor.dtype.name, "shape": list(tensor.shape), "values": values}


folder = sys.argv[1]
with open(os.path.join(folder, "cases.json")) as file:
    cases = json.load(file)
interpreters = {}
answers = []
for case in cases:
    model = case["model"]
    if model not in interpreters:
        interpreters[model] = Interpreter(os.path.join(folder, model + ".tflite"), num_threads=1)
        interpreters[model].allocate_tensors()
    interpreter = interpreters[model]
    [details] = interpreter.get_input_details()
    values = np.fromfile(os.path.join(folder, case.pop("file")), details["dtype"])
    interpreter.set_tensor(details["index"], values.reshape(details["shape"]))
    interpreter.invoke()
    outputs = [said(one, interpreter.get_tensor(one["index"])) for one in interpreter.get_output_details()]
    answers.append({**case, "outputs": outputs})
print("{")
print(f'"runtime": "ai-edge-litert {version("ai-edge-litert")}",')
print('"answers": [')
print(",\n".join(json.dumps(answer, separators=(",", ":")) for answer in answers))
print("]\n}")
