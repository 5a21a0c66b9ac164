import type { GraphProto, ModelProto } from '../../../gen/onnx_pb.ts';
import type { OnnxSummary } from '../../onnx/face/model-files.ts';
import { lastSize, statedShape } from '../../onnx/face/graphs.ts';
import { statedSizes, ultralyticsSizeKey } from '../../../machine/vision/face/inference.ts';
import { isChannelsFirst, type TensorInfo } from '../../../machine/vision/face/feeding.ts';
import { headFactors, onnxFactors, type FactorGraph } from './head-factors.ts';
import { inputNormalization, type InputNormalization } from './input-normalization.ts';
import type { InputSize } from './input-size.ts';
import { onnxRange } from './onnx-range.ts';
import { makersIn, sourceOf } from './source-of.ts';
import type { StepRange } from './step-range.ts';
import type { StructureNode } from './structure-node.ts';

/** What families go by: boundary, metadata, and the operators between the outputs and the layers that have weights. */
export interface ModelStructure {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly opset: number;
  readonly producer: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** given with the model, else its metadata's; null if neither */
  readonly labels: readonly string[] | null;
  /** the first input as a picture; null where it is none */
  readonly picture: Picture | null;
  /** what the graph itself does to the pixels of a float32 picture; null: nothing */
  readonly normalization: InputNormalization | null;
  /** How often each operator stands between an output and the nearest layers with weights (convolutions, products). */
  readonly headOf: (output: string) => ReadonlyMap<string, number>;
  /** The operators of those nearest layers: `Conv` of a grid, `MatMul` or `Gemm` of queries. */
  readonly layersOf: (output: string) => ReadonlySet<string>;
  /** The different values of each constant that multiplies between an output and those layers, nearest to the output first. */
  readonly factorsOf: (output: string) => readonly (readonly number[])[];
  /** The operators above each of the tensors that the nearest Concat joins; []: no Concat stands before the output. */
  readonly partsOf: (output: string) => readonly ReadonlyMap<string, number>[];
  /** The operator that makes the first numbers of an output's rows, above those that only move, choose or join them; null: an input or a weight. */
  readonly startOf: (output: string) => string | null;
  /** What an output's integer steps can say; null: it is not quantised. */
  readonly rangeOf: (output: string) => StepRange | null;
}

/** A size of -1 is dynamic, and nothing says which the model wants. */
export interface Picture extends InputSize {
  readonly layout: 'nchw' | 'nhwc';
  readonly dtype: TensorInfo['dtype'];
  /** The input is [3, height, width]: one picture and no list of them, as torchvision's detectors are exported. */
  readonly hasNoBatch?: boolean;
}

const weighted = new Set([
  'Conv',
  'ConvTranspose',
  'ConvInteger',
  'QLinearConv',
  'FusedConv',
  'MatMul',
  'MatMulInteger',
  'QLinearMatMul',
  'Gemm',
  'LSTM',
  'GRU',
]);

export interface StructureFacts {
  readonly labels: readonly string[] | null;
  /** size of a dynamic input, where the caller knows it */
  readonly inputSize: InputSize | null;
}

export function modelStructure(
  model: ModelProto & { graph: GraphProto },
  summary: OnnxSummary,
  { labels, inputSize }: StructureFacts,
): ModelStructure {
  const { inputs, outputs, format, producer, metadata } = summary;
  const picture = pictureOf(inputs, inputSize ?? ultralyticsSize(metadata));
  return {
    inputs,
    outputs: outputs.map((output) => sized(output, model.graph)),
    opset: format.opsets[''] ?? 1,
    producer,
    metadata,
    labels: labels ?? summary.labels,
    picture,
    normalization: picture?.dtype === 'float32' ? inputNormalization(model.graph, inputs[0]!.name) : null,
    ...headReader(onnxFactors(model.graph)),
    rangeOf: (output) => onnxRange(model.graph, output),
  };
}

/** Looks from an output upwards. */
export function headReader(
  graph: FactorGraph,
): Pick<ModelStructure, 'headOf' | 'layersOf' | 'factorsOf' | 'partsOf' | 'startOf'> {
  const makerOf = makersIn(graph.nodes);
  return {
    headOf: (output) => headAbove(output, makerOf).operators,
    layersOf: (output) => headAbove(output, makerOf).layers,
    factorsOf: (output) => headFactors(graph, output, (operator) => weighted.has(operator)),
    partsOf: (output) => joinedBefore(output, makerOf).map((part) => headAbove(part, makerOf).operators),
    startOf: (output) => {
      const start = sourceOf(output, makerOf, ({ opType }) => moving.has(opType) || choosing.has(opType));
      return makerOf(start)?.opType ?? null;
    },
  };
}

/** Operators that hand numbers on in another order, shape or type. */
const moving = new Set([
  'Transpose',
  'Reshape',
  'Identity',
  'Cast',
  'Squeeze',
  'Unsqueeze',
  'QuantizeLinear',
  'DequantizeLinear',
  'QUANTIZE',
  'DEQUANTIZE',
]);

/** Operators that say sizes, or scales of quantised numbers: what is above them has no part in the numbers. */
const measuring = new Set(['Shape', 'SHAPE', 'DynamicQuantizeLinear']);

/** Operators that take some of their first input's numbers, or put others behind them. */
const choosing = new Set([
  'Concat',
  'Expand',
  'Flatten',
  'Gather',
  'GatherElements',
  'GatherND',
  'Slice',
  'Split',
  'GATHER',
  'GATHER_ND',
  'SLICE',
  'SPLIT',
  'SPLIT_V',
  'STRIDED_SLICE',
]);

type MakerOf = ReturnType<typeof makersIn>;

function joinedBefore(output: string, makerOf: MakerOf): readonly string[] {
  const maker = makerOf(sourceOf(output, makerOf, ({ opType }) => moving.has(opType)));
  return maker?.opType === 'Concat' ? maker.input : [];
}

/** With the sizes that the graph says, where the file leaves all but the batch open, or the last. */
function sized(output: TensorInfo, graph: GraphProto): TensorInfo {
  const { name, shape } = output;
  const isOpen = shape.slice(1).every((size) => size === -1);
  const stated = isOpen ? statedShape(graph, name) : null;
  const sizes = stated?.length === shape.length ? stated : shape;
  if (sizes.length < 2 || sizes.at(-1) !== -1) return { ...output, shape: sizes };
  return { ...output, shape: sizes.with(-1, lastSize(graph, name, sizes.length)) };
}

function headAbove(output: string, makerOf: MakerOf) {
  const operators = new Map<string, number>();
  const layers = new Set<string>();
  const seen = new Set<StructureNode>();
  const pending = [output];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const maker = makerOf(name);
    if (!maker || seen.has(maker)) continue;
    seen.add(maker);
    if (weighted.has(maker.opType)) {
      layers.add(maker.opType);
      continue;
    }
    if (maker.opType !== 'Constant') operators.set(maker.opType, (operators.get(maker.opType) ?? 0) + 1);
    if (!measuring.has(maker.opType)) pending.push(...maker.input);
  }
  return { operators, layers };
}

/** The first input as a picture; `known` is its size where that is open. */
export function pictureOf(inputs: readonly TensorInfo[], known: InputSize | null): Picture | null {
  const [input] = inputs;
  if (!input) return null;
  const { dtype } = input;
  const hasNoBatch = input.shape.length === 3 && input.shape[0] === 3;
  const shape = hasNoBatch ? [1, ...input.shape] : input.shape;
  if (shape.length !== 4) return null;
  const channelsFirst = isChannelsFirst(shape);
  if (!channelsFirst && shape[3] !== 3) return null;
  const [heightPx, widthPx] = (channelsFirst ? shape.slice(2) : shape.slice(1, 3)) as [number, number];
  return {
    layout: channelsFirst ? 'nchw' : 'nhwc',
    dtype,
    heightPx: heightPx > 0 ? heightPx : (known?.heightPx ?? -1),
    widthPx: widthPx > 0 ? widthPx : (known?.widthPx ?? -1),
    ...(hasNoBatch && { hasNoBatch }),
  };
}

/** The size in Ultralytics' key: of the keys that state one, only this is known to be that of the network's input. */
function ultralyticsSize(metadata: Readonly<Record<string, string>>): InputSize | null {
  return statedSizes(metadata).find(({ key }) => key === ultralyticsSizeKey) ?? null;
}
