import type { BoundaryValue, LoadFacts } from '../../onnx/face/graphs.ts';
import type { ModuleFinding } from './module-finding.ts';
import { runtimeFindings } from './onnx-runtime.ts';
import { pictureFindings } from './picture-findings.ts';

/**
 * What `viam:mlmodel:onnx-cpu` makes of a file: the runtime's rules, then those that the module adds. `filesBeside` are
 * the paths of the files beside it, null where they are not known.
 */
export function onnxCpuFindings(
  facts: LoadFacts,
  filesBeside: readonly string[] | null = null,
): readonly ModuleFinding[] {
  return [
    ...runtimeFindings(facts),
    ...inputFindings(facts),
    ...outputFindings(facts),
    ...externalDataFindings(facts, filesBeside),
  ];
}

const toFloat32 = 'casts inputs and outputs to float32';

function* inputFindings({ inputs }: LoadFacts): Generator<ModuleFinding> {
  const [first, ...others] = inputs;
  if (first === undefined) {
    yield {
      code: 'no-input',
      severity: 'fails-at-first-frame',
      message: 'The model has no input that takes a picture.',
      cure: 'Export it with its picture as an input.',
    };
    return;
  }
  if (!isFilled(first)) {
    yield {
      code: 'input-dtype',
      severity: 'refuses',
      message: `The input "${first.name}" is ${typeText(first)}: "currently only supporting input tensors of type uint8 or float32, got …".`,
      cure: 'Export it with a float32 or uint8 input, keeping narrower numbers inside (onnxconverter-common: keep_io_types=True).',
      ...(first.kind === 'tensor' && { repair: toFloat32 }),
    };
  }
  if (others.some((input) => typeText(input) !== typeText(first))) {
    yield {
      code: 'inputs-mixed',
      severity: 'refuses',
      message: `The inputs are of different types (${listed(inputs)}): "all input tensors must be of the same data type, mixing data types not currently supported."`,
      cure: 'Export it with one input, or with all of one type.',
      repair: 'writes the inputs after the first into the model, as constants',
    };
  }
  if (others.length > 0) {
    yield {
      code: 'second-input',
      severity: 'fails-at-first-frame',
      message: `The vision service fills one input, not ${others.map(({ name }) => `"${name}"`).join(', ')}: "input tensor with name "${others[0]!.name}" is required".`,
      cure: `Export it with ${others.length === 1 ? 'that' : 'those'} built in.`,
      repair: 'writes the inputs after the first into the model, as constants',
    };
  }
  yield* pictureFindings(first);
}

function* outputFindings({ inputs, outputs }: LoadFacts): Generator<ModuleFinding> {
  for (const output of outputs) {
    if (output.kind === 'undeclared') {
      yield {
        code: 'output-undeclared',
        severity: 'cannot-tell',
        message: `The file does not say of what type the output "${output.name}" is; the machine takes what its runtime infers.`,
        cure: 'Save it again after onnx.shape_inference.infer_shapes(model).',
      };
    } else if (output.kind !== 'tensor') {
      yield {
        code: 'output-not-tensor',
        severity: 'refuses',
        message: `The output "${output.name}" is a ${output.kind}, not a tensor; the machine takes tensors only.`,
        cure: 'Export it with tensors (sklearn-onnx: options={"zipmap": False}).',
      };
    }
  }
  const tensors = outputs.filter(({ kind }) => kind === 'tensor');
  const [first] = tensors;
  if (first === undefined) return;
  // A slip in the module's check, which lets any output pass where the input is uint8.
  const anyPasses = inputs[0]?.dtype === 'uint8';
  const isRefused = first.dtype !== 'float32' && !anyPasses;
  const typeWords = '"currently only supporting output tensors of type uint8 or float32, got …"';
  if (tensors.some(({ dtype }) => dtype !== first.dtype)) {
    const mixedWords = '"all output tensors must be of the same data type, mixing data types not currently supported."';
    yield {
      code: 'outputs-mixed',
      severity: 'refuses',
      message: `The outputs are of different types (${listed(tensors)}): ${isRefused ? typeWords : mixedWords}`,
      cure: 'Export it with all outputs float32: cast the whole numbers.',
      repair: toFloat32,
    };
  } else if (isRefused) {
    yield {
      code: 'output-dtype',
      severity: 'refuses',
      message: `The outputs are ${first.dtype}: ${typeWords} With a float32 input it takes float32 alone.`,
      cure: 'Export it with float32 outputs.',
      repair: toFloat32,
    };
  } else if (!isFilled(first)) {
    yield {
      code: 'output-not-implemented',
      severity: 'fails-at-first-frame',
      message: `The outputs are ${first.dtype}, which passes only because the input is uint8: "output tensor type … not implemented".`,
      cure: 'Export it with float32 outputs.',
      repair: toFloat32,
    };
  }
}

function* externalDataFindings(
  { externalFiles }: LoadFacts,
  filesBeside: readonly string[] | null,
): Generator<ModuleFinding> {
  const missing = filesBeside && externalFiles.filter((path) => !filesBeside.includes(path));
  const files = missing ?? externalFiles;
  if (files.length === 0) return;
  const names = files.map((name) => `"${name}"`).join(', ');
  yield {
    code: 'external-data',
    severity: missing ? 'refuses' : 'warns',
    message: missing
      ? `Weights are in ${names}, which is not there: the machine reads them from the folder of model_path.`
      : `Weights are in ${names}: the machine reads them from the folder of model_path, and does not start without them.`,
    cure: 'Copy them there together with the model, under the same names.',
    repair: 'writes one file with the weights inside',
  };
}

function isFilled({ kind, dtype }: BoundaryValue): boolean {
  return kind === 'tensor' && (dtype === 'float32' || dtype === 'uint8');
}

function typeText({ kind, dtype }: BoundaryValue): string {
  return kind === 'tensor' ? dtype : `a ${kind}`;
}

function listed(values: readonly BoundaryValue[]): string {
  return values.map((value) => `"${value.name}" ${typeText(value)}`).join(', ');
}
