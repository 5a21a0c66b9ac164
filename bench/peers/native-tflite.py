"""Milliseconds of runs of a TensorFlow Lite model in the native interpreter, as JSON: MODEL THREADS WARM-UP RUNS."""
import json
import sys
import time

import numpy as np

try:
    from ai_edge_litert.interpreter import Interpreter
except ImportError:
    from tflite_runtime.interpreter import Interpreter

model, threads, warm_up, runs = sys.argv[1], *map(int, sys.argv[2:])
interpreter = Interpreter(model, num_threads=threads)
interpreter.allocate_tensors()
[details] = interpreter.get_input_details()
values = np.arange(np.prod(details["shape"])).astype(details["dtype"]).reshape(details["shape"])
times = []
for _ in range(warm_up + runs):
    start = time.perf_counter()
    interpreter.set_tensor(details["index"], values)
    interpreter.invoke()
    for output in interpreter.get_output_details():
        interpreter.get_tensor(output["index"])
    times.append(1000 * (time.perf_counter() - start))
print(json.dumps(times[warm_up:]))
