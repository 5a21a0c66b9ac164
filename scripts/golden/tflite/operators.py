"""Prints src/models/fit/modules/tflite-operator-table.ts: the built-in operators of TensorFlow Lite 2.15.0, by their versions.

Each is asked of the real interpreter, which looks up all operators that a model names before it reads those that the model uses:
here none, as an operator without options takes the process with it. Takes less than a minute. Run by hand, with
tensorflow-cpu==2.15.0: see scripts/golden/README.md.
"""

import collections

import flatbuffers
import tensorflow
from tensorflow.lite.python import schema_py_generated as schema

NEWEST_VERSION = 20
OTHERS = ("CUSTOM", "DELEGATE", "PLACEHOLDER_FOR_GREATER_OP_CODES")


def model_of(code, version):
    operator_code = schema.OperatorCodeT()
    operator_code.deprecatedBuiltinCode = min(code, 127)
    operator_code.builtinCode = code
    operator_code.version = version
    graph = schema.SubGraphT()
    graph.tensors = [tensor(b"in"), tensor(b"out")]
    graph.inputs, graph.outputs, graph.operators = [0], [1], []
    model = schema.ModelT()
    model.version, model.operatorCodes, model.subgraphs, model.buffers = 3, [operator_code], [graph], [schema.BufferT()]
    builder = flatbuffers.Builder(256)
    builder.Finish(model.Pack(builder), file_identifier=b"TFL3")
    return bytes(builder.Output())


def tensor(name):
    made = schema.TensorT()
    made.shape, made.name = [1], name
    return made


def is_there(code, version):
    try:
        tensorflow.lite.Interpreter(model_content=model_of(code, version))
    except ValueError as error:
        if not str(error).startswith("Didn't find op"):
            raise
        return False
    return True


spans = collections.defaultdict(list)
for name, code in vars(schema.BuiltinOperator).items():
    if name.startswith("_") or name in OTHERS:
        continue
    versions = [version for version in range(1, NEWEST_VERSION + 1) if is_there(code, version)]
    if versions:
        assert versions == list(range(versions[0], versions[-1] + 1)), (name, versions)
        spans[versions[0], versions[-1]].append(name)

print(f"// Written by scripts/golden/tflite/operators.py with tensorflow-cpu {tensorflow.__version__}.")
print("""
/** Built-in operators of TensorFlow Lite 2.15.0, by the versions of them that it has. */
export const operatorTable: Readonly<Record<string, string>> = {""")
for (first, last), names in sorted(spans.items()):
    print(f"  '{first}-{last}':\n    '{' '.join(sorted(names))}',")
print("};")
