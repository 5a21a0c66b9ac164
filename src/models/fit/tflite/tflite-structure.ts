import { readQuantisations, readTfliteGraph, type Quantisation } from '../../tflite/read-graph.ts';
import type { TfliteSummary } from '../../tflite/read-model.ts';
import { differentValues } from '../structure/head-factors.ts';
import { headReader, pictureOf, type ModelStructure } from '../structure/model-structure.ts';
import { makersIn, sourceOf } from '../structure/source-of.ts';
import { stepRange, type StepRange } from '../structure/step-range.ts';
import type { StructureNode } from '../structure/structure-node.ts';
import { constantValues } from './tflite-constants.ts';
import { tfliteNormalization } from './tflite-normalization.ts';

/** Names of ONNX for operators that families look for; others keep the name that TensorFlow Lite gives them. */
const onnxNames: Readonly<Record<string, string>> = {
  ADD: 'Add',
  ARG_MAX: 'ArgMax',
  BATCH_MATMUL: 'MatMul',
  CAST: 'Cast',
  CONCATENATION: 'Concat',
  CONV_2D: 'Conv',
  CONV_3D: 'Conv',
  DEPTHWISE_CONV_2D: 'Conv',
  DIV: 'Div',
  EXP: 'Exp',
  FULLY_CONNECTED: 'Gemm',
  L2_NORMALIZATION: 'LpNormalization',
  LOGISTIC: 'Sigmoid',
  LSTM: 'LSTM',
  MAXIMUM: 'Max',
  MINIMUM: 'Min',
  MUL: 'Mul',
  NON_MAX_SUPPRESSION_V4: 'NonMaxSuppression',
  NON_MAX_SUPPRESSION_V5: 'NonMaxSuppression',
  PAD: 'Pad',
  PADV2: 'Pad',
  POW: 'Pow',
  RESHAPE: 'Reshape',
  SOFTMAX: 'Softmax',
  SQUARE: 'Pow',
  SUB: 'Sub',
  TANH: 'Tanh',
  TOPK_V2: 'TopK',
  TRANSPOSE: 'Transpose',
  TRANSPOSE_CONV: 'ConvTranspose',
  UNIDIRECTIONAL_SEQUENCE_LSTM: 'LSTM',
};

/** What families go by, of a .tflite file: its sizes are those that the machine's interpreter allocates. */
export function tfliteStructure(
  bytes: Uint8Array,
  summary: TfliteSummary,
  labels: readonly string[] | null,
): ModelStructure {
  const graph = readTfliteGraph(bytes);
  const named = (infos: ModelStructure['outputs'], names: readonly string[]) =>
    infos.map((info, i) => ({ ...info, name: names[i]! }));
  const quantisations = readQuantisations(bytes);
  const nodes = graph.operators.map((operator) => ({
    opType: onnxNames[operator.operator] ?? operator.operator,
    input: operator.inputs,
    output: operator.outputs,
  }));
  const valuesOf = constantValues(bytes, nodes, quantisations);
  const inputs = named(summary.inputs, graph.inputs);
  return {
    inputs,
    outputs: named(summary.outputs, graph.outputs),
    opset: 0,
    producer: `TensorFlow Lite (${summary.producer})`,
    metadata: summary.metadata,
    labels: labels ?? summary.labels,
    picture: pictureOf(inputs, null),
    normalization: inputs[0] ? tfliteNormalization(summary, { nodes, valuesOf, quantisations }, inputs[0]) : null,
    ...headReader({ nodes, valuesOf: (name) => differentValues(valuesOf(name)) }),
    rangeOf: (output) => rangeOf(output, nodes, quantisations),
  };
}

/** Operators that hand a quantised output on. */
const handing = new Set(['DEQUANTIZE', 'Reshape', 'Transpose']);

function rangeOf(
  tensor: string,
  nodes: readonly StructureNode[],
  quantisations: ReadonlyMap<string, Quantisation>,
): StepRange | null {
  const source = sourceOf(
    tensor,
    makersIn(nodes),
    ({ opType }, name) => handing.has(opType) && !quantisations.has(name),
  );
  const found = quantisations.get(source);
  return found ? stepRange(found) : null;
}
