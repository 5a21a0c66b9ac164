import type { LoadFacts, OperatorUse } from '../../onnx/face/graphs.ts';
import type { ModuleFinding } from './module-finding.ts';
import { loadableOpsets } from './onnx-operators.ts';

/**
 * What ONNX Runtime 1.23.2 itself refuses, tried with the real one (scripts/golden/onnx-runtime): versions of the format, of
 * operator sets, and operators. That an operator takes the dtypes it is given is for a runtime to say: the bench's own
 * does, when it opens the file, but for integer convolutions, of which it has more, and samplings, which exporters write wrong.
 */
export function runtimeFindings(facts: LoadFacts): readonly ModuleFinding[] {
  return [
    ...irFindings(facts),
    ...opsetFindings(facts),
    ...functionFindings(facts),
    ...operatorFindings(facts),
    ...convolutionFindings(facts),
    ...arithmeticFindings(facts),
    ...gridFindings(facts),
  ];
}

const newestIr = 11;

/** The newest opset of every domain whose versions the runtime checks. */
const newestOpsets: Readonly<Record<string, number>> = {
  '': 23,
  'ai.onnx.ml': 5,
  'ai.onnx.training': 1,
  'ai.onnx.preview.training': 1,
  'com.microsoft': 1,
  'com.microsoft.nchwc': 1,
  'com.microsoft.experimental': 1,
  'com.ms.internal.nhwc': 23,
  'org.pytorch.aten': 1,
};

function* irFindings({ irVersion }: LoadFacts): Generator<ModuleFinding> {
  if (irVersion <= newestIr) return;
  yield {
    code: 'ir-version',
    severity: 'refuses',
    message: `The file has IR version ${irVersion}: "Unsupported model IR version: ${irVersion}, max supported IR version: ${newestIr}".`,
    cure: `Export with an older onnx package, or set model.ir_version = ${newestIr} and save it again where the operators allow.`,
    repair: 'writes the oldest IR version that its operators allow',
  };
}

function* opsetFindings({ opsets, functionOpsets }: LoadFacts): Generator<ModuleFinding> {
  if (Object.keys(opsets).length === 0) {
    yield {
      code: 'opset',
      severity: 'refuses',
      message: 'The file does not say which operator set it uses: "Missing opset in the model".',
      cure: 'Export the model again: every exporter of today writes it.',
    };
  }
  for (const [domain, newest] of Object.entries(newestOpsets)) {
    const version = Math.max(opsets[domain] ?? 0, functionOpsets[domain] ?? 0);
    if (version <= newest) continue;
    const name = domain || 'ai.onnx';
    yield {
      code: 'opset',
      severity: 'refuses',
      message: `The model uses opset ${version} of ${name}: "Current official support for domain ${name} is till opset ${newest}".`,
      cure: `Export with opset_version=${newest} or lower.`,
      repair: 'writes the lowest opset that its operators allow',
    };
  }
}

function* functionFindings({ functionsWithoutOpset }: LoadFacts): Generator<ModuleFinding> {
  for (const { domain, name, lacking } of functionsWithoutOpset) {
    yield {
      code: 'function-opset',
      severity: 'refuses',
      message: `The model's own function ${nameOf({ domain, name })} does not say its version of ${lacking || 'ai.onnx'}: "No opset registered for domain ${lacking} in function opset imports".`,
      cure: 'Export with the functions opened up, as torch.onnx.export does by default.',
    };
  }
}

function* operatorFindings(facts: LoadFacts): Generator<ModuleFinding> {
  const own = new Set(facts.functions.map(nameOf));
  const missing: OperatorUse[] = [];
  for (const use of facts.operators) {
    const opsets = loadableOpsets(use);
    const opset = facts.opsets[use.domain] ?? newestOpsets[use.domain];
    if (opsets?.some(([from, to]) => opset !== undefined && from <= opset && opset <= to)) continue;
    if (opsets !== undefined || !own.has(nameOf(use))) missing.push(use);
    else if (opset === undefined) yield withoutImport(use);
  }
  const known = missing.filter(({ domain }) => domain in newestOpsets);
  if (known.length > 0) {
    yield {
      code: 'operator',
      severity: 'refuses',
      message: `ONNX Runtime 1.23.2 lacks ${known.map((use) => withOpset(use, facts)).join(', ')}.`,
      cure: 'Export with an opset that has them, or without them.',
    };
  }
  const foreign = missing.filter(({ domain }) => !(domain in newestOpsets));
  if (foreign.length > 0) {
    const [first] = foreign as [OperatorUse, ...OperatorUse[]];
    yield {
      code: 'custom-operator',
      severity: 'refuses',
      message: `The machine's build has no custom operators (${foreign.map(nameOf).join(', ')}): "${first.domain}:${first.name}(-1) is not a registered function/op".`,
      cure: 'Export the model without them, in operators of ONNX itself.',
    };
  }
}

function* convolutionFindings({ signedConvolutions: count }: LoadFacts): Generator<ModuleFinding> {
  if (count === 0) return;
  yield {
    code: 'int8-convolution',
    severity: 'refuses',
    message: `The model has ${count} ConvInteger with int8 weights: "Could not find an implementation for ConvInteger(10)".`,
    cure: 'Quantise with quantize_dynamic(…, weight_type=QuantType.QUInt8).',
    repair: 'writes the same weights as uint8',
  };
}

function* arithmeticFindings({ roundedConvolutions: count }: LoadFacts): Generator<ModuleFinding> {
  if (count === 0) return;
  yield {
    code: 'arithmetic',
    severity: 'warns',
    message: `The model is quantised, and the machine rounds ${count === 1 ? 'one of its convolutions' : `${count} of its convolutions`} differently from the bench. Scores differ by 0.03 to 0.08 in models that were tried.`,
    cure: 'Leave that much between thresholds and the scores that matter, or quantise with quantize_static(…, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8): these models give the same scores on both.',
  };
}

function* gridFindings({ refusedGrids: { modes, mixed }, opsets }: LoadFacts): Generator<ModuleFinding> {
  const opset = opsets[''] ?? 1;
  if (modes.length > 0 && opset >= 16) {
    const isNew = opset >= 20;
    yield {
      code: 'grid-mode',
      severity: 'refuses',
      message: `The model is of opset ${opset}, and GridSample has a mode of ${isNew ? 'an older' : 'a newer'} one: "mode "${modes[0]}" not supported, expect ${isNew ? 'linear, nearest or cubic' : 'bilinear, nearest or bicubic'}".`,
      cure: isNew ? 'Export with opset_version 16 to 19.' : 'Export with opset_version 20 to 23.',
      repair: 'writes the mode as that opset calls it',
    };
  }
  if (mixed > 0) {
    yield {
      code: 'grid-types',
      severity: 'refuses',
      message: `${mixed} GridSample have float64 places beside float32 numbers, or the reverse: "Could not find an implementation for GridSample".`,
      cure: 'No opset helps: cast the sampling places to the type of the features before the export, or take a machine-ready export.',
      repair: 'casts the places',
    };
  }
}

function withoutImport(use: OperatorUse): ModuleFinding {
  return {
    code: 'function-opset',
    severity: 'refuses',
    message: `The model calls its own function ${nameOf(use)} and does not import its domain: "No opset import for domain '${use.domain}'".`,
    cure: 'Export with the functions opened up, as torch.onnx.export does by default.',
  };
}

/** "GridSample of opset 12 (from 16 on)": what is missing, and where it is there. */
function withOpset(use: OperatorUse, { opsets }: LoadFacts): string {
  const version = opsets[use.domain] ?? newestOpsets[use.domain];
  const loads = loadableOpsets(use)?.map(([from, to]) => `${from} to ${to}`) ?? [];
  return `${nameOf(use)} of opset ${version}${loads.length > 0 ? ` (it has that of opset ${loads.join(' and ')})` : ''}`;
}

function nameOf({ domain, name }: OperatorUse): string {
  return domain === '' ? name : `${domain}.${name}`;
}
