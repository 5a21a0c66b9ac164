"""Prints src/models/fit/modules/onnx-operator-table.ts: which operators the CPU build of ONNX Runtime loads, of which operator sets.

An operator loads where the runtime knows its form and has a kernel for it, or can open it up into operators that it has
(functions, which the onnx package lists). Run by hand: see scripts/golden/README.md.
"""

import collections

import onnx.defs
import onnxruntime
import onnxruntime.capi.onnxruntime_pybind11_state as state

NEWEST = {"": 23, "ai.onnx.ml": 5, "com.microsoft": 1, "com.microsoft.nchwc": 1}
# Tried: constants become initializers and need no kernel; the body of the newer Bernoulli calls an operator without one.
TRIED = {("", "Constant"): [(1, 23)], ("", "Bernoulli"): [(15, 21)]}

kernels = collections.defaultdict(set)
for kernel in state.get_all_opkernel_def():
    if kernel.provider == "CPUExecutionProvider":
        kernels[kernel.domain, kernel.op_name].add(kernel.version_range)
open_end = max(last for ranges in kernels.values() for _, last in ranges)

forms = collections.defaultdict(dict)
for schema in state.get_all_operator_schema():
    if schema.domain in NEWEST:
        forms[schema.domain, schema.name][schema.since_version] = schema.deprecated


def is_function(domain, name, since):
    try:
        schema = onnx.defs.get_schema(name, since, domain)
    except onnx.defs.SchemaError:
        return False
    return schema.since_version == since and (schema.has_function or schema.has_context_dependent_function)


def loads(operator, opset):
    known = [since for since in forms[operator] if since <= opset]
    if not known or forms[operator][max(known)]:
        return False
    since = max(known)
    # A kernel without an end serves the form that it was made for, and no later one.
    has_kernel = any(
        first == since or (first < since <= last and last != open_end) for first, last in kernels[operator]
    )
    return has_kernel or is_function(*operator, since)


def ranges(operator):
    found = []
    for opset in range(1, NEWEST[operator[0]] + 1):
        if not loads(operator, opset):
            continue
        if found and found[-1][1] == opset - 1:
            found[-1] = (found[-1][0], opset)
        else:
            found.append((opset, opset))
    return found


table = {domain: collections.defaultdict(list) for domain in NEWEST}
for operator in sorted(forms):
    for span in TRIED.get(operator) or ranges(operator):
        table[operator[0]][span].append(operator[1])

print(f"// Written by scripts/golden/onnx-runtime/operators.py with onnxruntime {onnxruntime.__version__}.")
print("""
/** Operators that the CPU build of ONNX Runtime 1.23.2 loads: by domain, by the operator sets that they load of. */
export const operatorTable: Readonly<Record<string, Readonly<Record<string, string>>>> = {""")
for domain, spans in table.items():
    print(f"  '{domain}': {{")
    for (first, last), names in sorted(spans.items()):
        print(f"    '{first}-{last}':\n      '{' '.join(names)}',")
    print("  },")
print("};")
