import type { Quantisation } from '../../tflite/read-graph.ts';
import type { TfliteSummary } from '../../tflite/read-model.ts';
import { statedFeeding } from '../../../machine/vision/face/inference.ts';
import { asBytes, asImageNet, asSigned, asUnits, type TensorInfo } from '../../../machine/vision/face/feeding.ts';
import { firstArithmetic, type InputNormalization } from '../structure/input-normalization.ts';
import { stepRange } from '../structure/step-range.ts';
import type { StructureNode } from '../structure/structure-node.ts';

interface PictureGraph {
  readonly nodes: readonly StructureNode[];
  readonly valuesOf: (tensor: string) => readonly number[] | null;
  readonly quantisations: ReadonlyMap<string, Quantisation>;
}

/**
 * Which numbers the picture is given as: what the exporter's description (TFLite Metadata) says, else what the graph does to pixels itself, else
 * the range of the steps that they are rounded to. A picture of bytes needs none.
 */
export function tfliteNormalization(
  { metadata }: TfliteSummary,
  graph: PictureGraph,
  { name, dtype }: TensorInfo,
): InputNormalization | null {
  if (dtype !== 'float32' && dtype !== 'int8') return null;
  const described = dtype === 'float32' ? ofMetadata(metadata) : null;
  return described ?? firstArithmetic(graph, name) ?? ofSteps(graph, name);
}

function ofMetadata(metadata: TfliteSummary['metadata']): InputNormalization | null {
  const range = statedFeeding(metadata)?.range;
  if (!range) return null;
  const [mean, stdDev] = [range.meanValue, range.stdDev].map(([r, g, b]) => [r!, g!, b!] as const) as [Three, Three];
  return { mean, stdDev, why: 'Its TFLite Metadata says with which mean and deviation it is fed.' };
}

type Three = readonly [number, number, number];

const ranges = [
  { low: 0, high: 1, feeding: asUnits },
  { low: -1, high: 1, feeding: asSigned },
  { low: 0, high: 255, feeding: asBytes },
  // Black of red, the lowest, and white of blue, the highest.
  {
    low: -asImageNet.mean[0] / asImageNet.stdDev[0],
    high: (1 - asImageNet.mean[2]) / asImageNet.stdDev[2],
    feeding: asImageNet,
    words: ', which mean and deviation of ImageNet make of pixels',
  },
];

/** A calibration on photographs meets black and white: the range of its steps is that of the pixels. */
function ofSteps({ nodes, quantisations }: PictureGraph, input: string): InputNormalization | null {
  const rounding = nodes.find((node) => node.opType === 'QUANTIZE' && node.input[0] === input);
  const found = quantisations.get(rounding?.output[0] ?? input);
  const range = found && stepRange(found);
  if (!range) return null;
  const isNear = (a: number, b: number) => Math.abs(a - b) <= 0.02 * (range.high - range.low);
  const known = ranges.find(({ low, high }) => isNear(low, range.low) && isNear(high, range.high));
  if (!known) return null;
  const figure = (value: number) => Number(value.toFixed(2));
  const why = `Its picture is quantised in steps from ${figure(known.low)} to ${figure(known.high)}${known.words ?? ''}, so it is fed such values.`;
  return { ...known.feeding, why };
}
