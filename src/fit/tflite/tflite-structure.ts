import { readConstants, readTfliteGraph, type TfliteConstant } from '../../tflite/read-graph.ts';
import type { TfliteSummary } from '../../tflite/read-model.ts';
import { statedFeeding } from '../../vision/inference/stated-feeding.ts';
import { differentValues } from '../head-factors.ts';
import type { InputNormalization } from '../input-normalization.ts';
import { headReader, pictureOf, type ModelStructure } from '../model-structure.ts';

/** Names of ONNX for operators that families look for; others keep the name that TensorFlow Lite gives them. */
const onnxNames: Readonly<Record<string, string>> = {
  ADD: 'Add',
  ARG_MAX: 'ArgMax',
  BATCH_MATMUL: 'MatMul',
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
  const constants = readConstants(bytes);
  const inputs = named(summary.inputs, graph.inputs);
  return {
    inputs,
    outputs: named(summary.outputs, graph.outputs),
    opset: 0,
    producer: `TensorFlow Lite (${summary.producer})`,
    metadata: summary.metadata,
    labels: labels ?? summary.labels,
    picture: pictureOf(inputs, null),
    normalization: inputs[0]?.dtype === 'float32' ? described(summary) : null,
    ...headReader({
      nodes: graph.operators.map((operator) => ({
        opType: onnxNames[operator.operator] ?? operator.operator,
        input: operator.inputs,
        output: operator.outputs,
      })),
      valuesOf: (name) => floatsOf(constants, name),
    }),
  };
}

/** Of float32 constants alone: quantised ones are only near the numbers that tell. */
function floatsOf(constants: ReadonlyMap<string, TfliteConstant>, name: string): readonly number[] | null {
  const constant = constants.get(name);
  return constant?.type === 'float32' ? differentValues(new Float32Array(constant.bytes.slice().buffer)) : null;
}

/** What the exporter's description (TFLite Metadata) says of the numbers that the picture is given as. */
function described({ metadata }: TfliteSummary): InputNormalization | null {
  const range = statedFeeding(metadata)?.range;
  if (!range) return null;
  const [mean, stdDev] = [range.meanValue, range.stdDev].map(([r, g, b]) => [r!, g!, b!] as const) as [Three, Three];
  return { mean, stdDev, why: 'Its TFLite Metadata says with which mean and deviation it is fed.' };
}

type Three = readonly [number, number, number];
