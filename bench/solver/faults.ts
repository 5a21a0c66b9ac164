import type { VisionServiceConfig } from '../../src/machine/config/parse/machine-config.ts';
import type { Change } from '../../src/models/fit/solver/hypothesis.ts';
import type { RankedHypothesis } from '../../src/models/fit/solver/rank-hypotheses.ts';
import { boxOrderWords } from '../../src/models/fit/interpretations/interpretation.ts';
import type { Outputs } from '../../src/machine/vision/decode/outputs.ts';
import { nameDetectionTensors } from '../../src/machine/vision/decode/tensor-names.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import type { InferenceSession } from '../../src/machine/vision/inference/inference-session.ts';
import { tensorToFloat64 } from '../../src/machine/vision/tensor/tensor-values.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';
import { rotate } from '../../src/machine/vision/transforms/rotate.ts';
import type { SolverModel } from './solver-model.ts';

/** A service with a fault, run instead of the correct one. */
export interface FaultyService {
  readonly config: VisionServiceConfig;
  readonly labels: readonly string[];
  readonly session: InferenceSession;
  readonly turn: (frame: Frame) => Frame;
}

/** One kind of fault. It is null for a model to which it does not apply. */
export interface Fault {
  readonly name: string;
  /** the change that the solver must propose */
  readonly change: Change | null;
  readonly inject: (model: SolverModel) => Partial<FaultyService> | null;
}

const detectors =
  (inject: Fault['inject']): Fault['inject'] =>
  (model) =>
    model.kind === 'detector' ? inject(model) : null;
const isFloat = ({ session }: SolverModel): boolean => session.inputs[0]!.dtype === 'float32';
const byte = 1 / 255;

export const faults: readonly Fault[] = [
  { name: 'none', change: null, inject: () => ({}) },
  {
    name: 'boxes: x and y exchanged',
    change: 'box-order',
    inject: ordered((words) => (words === 'x, y, x, y' ? [1, 0, 3, 2] : [0, 1, 2, 3])),
  },
  { name: 'boxes: x, x, y, y', change: 'box-order', inject: ordered(() => [0, 2, 1, 3]) },
  { name: 'boxes: x, y, y, x', change: 'box-order', inject: ordered(() => [0, 1, 3, 2]) },
  {
    name: 'colours exchanged',
    change: 'colours',
    inject: ({ config }) => ({ config: { ...config, bgr: !config.bgr } }),
  },
  { name: 'range: −1 to 1', change: 'range', inject: ranged([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]) },
  { name: 'range: 0 to 1', change: 'range', inject: ranged([0, 0, 0], [1, 1, 1]) },
  { name: 'range: 0 to 255', change: 'range', inject: ranged([0, 0, 0], [byte, byte, byte]) },
  { name: 'range: ImageNet', change: 'range', inject: ranged([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]) },
  {
    name: 'labels: a line too many',
    change: 'labels',
    inject: ({ labels }) => ({ labels: ['background', ...labels] }),
  },
  {
    name: 'labels: first line missing',
    change: 'labels',
    inject: ({ labels }) => (labels.length > 1 ? { labels: labels.slice(1) } : null),
  },
  { name: 'tensors: category for score', change: 'tensors', inject: detectors(exchangedTensors) },
  {
    name: 'pixels taken for parts',
    change: 'box-space',
    inject: detectors((model) => ({ session: misledSession(model, 'pixels') })),
  },
  {
    name: 'parts taken for pixels',
    change: 'box-space',
    inject: detectors((model) => ({ session: misledSession(model, 'parts') })),
  },
  {
    name: 'boxes are centre and size',
    change: 'box-form',
    inject: detectors((model) => ({ session: withBoxes(model, centred) })),
  },
  {
    name: 'scores without sigmoid',
    change: 'activation',
    inject: detectors((model) => ({ session: withScores(model, logit) })),
  },
  {
    name: 'camera upside down',
    change: 'turn',
    inject: () => ({ turn: (frame) => rotate(frame, { angleDegs: 180 }) }),
  },
  { name: 'camera on its side', change: 'turn', inject: () => ({ turn: (frame) => rotate(frame, { angleDegs: 90 }) }) },
  {
    name: 'threshold 0.99',
    change: 'threshold',
    inject: detectors(({ config }) => ({
      config: { ...config, labelConfidences: {}, defaultMinimumConfidence: 0.99 },
    })),
  },
  {
    name: 'labels of another list let through',
    change: 'threshold',
    inject: detectors(({ config }) => ({ config: { ...config, labelConfidences: { widget: 0.5 } } })),
  },
];

function ordered(order: (words: string) => NonNullable<VisionServiceConfig['boxOrder']>): Fault['inject'] {
  return detectors(({ config }) => {
    const boxOrder = order(boxOrderWords(config.boxOrder ?? [1, 0, 3, 2]));
    return { config: { ...config, boxOrder } };
  });
}

/** Null if this range is already the correct one, or the model takes uint8. */
function ranged(mean: readonly number[], std: readonly number[]): Fault['inject'] {
  return (model) => {
    const { config } = model;
    const [meanValue, stdDev] = config.bgr ? [mean.toReversed(), std.toReversed()] : [mean, std];
    const isRight = near(meanValue, config.meanValue) && near(stdDev, config.stdDev);
    return isFloat(model) && !isRight ? { config: { ...config, meanValue, stdDev } } : null;
  };
}

function exchangedTensors({ config, session }: SolverModel): Partial<FaultyService> | null {
  const names = session.outputs.map(({ name }) => name);
  const at = (role: string) => Object.entries(config.remapOutputNames).find(([, to]) => to === role)?.[0] ?? role;
  const [location, category, score] = [at('location'), at('category'), at('score')];
  if (![location, category, score].every((name) => names.includes(name))) return null;
  const remapOutputNames = { [location]: 'location', [category]: 'score', [score]: 'category' };
  return { config: { ...config, remapOutputNames } };
}

/** Prepends rows of score 0 from which the machine wrongly guesses the units of boxes; "pixels" also converts fractions to pixels. */
function misledSession(model: SolverModel, kind: 'pixels' | 'parts'): InferenceSession {
  return withOutputs(model, (outputs, { location, category, score }, sizes) => {
    const boxes = outputs.get(location)!;
    const values = [...tensorToFloat64(boxes)!].map((value, at) =>
      kind === 'pixels' ? value * (xAt(model, at) ? sizes.widthPx - 1 : sizes.heightPx - 1) : value,
    );
    const first = kind === 'pixels' ? [0, 0, 0, 0] : [1, 1, 2, 2];
    const rows = boxes.shape[1]! + 1;
    const prefixed = (name: string): [string, Tensor] => {
      const { shape } = outputs.get(name)!;
      const columns = shape[2] ?? 1;
      const data = [...Array<number>(columns).fill(0), ...tensorToFloat64(outputs.get(name)!)!];
      return [name, { dtype: 'float32', shape: [1, rows, ...shape.slice(2)], data: Float32Array.from(data) }];
    };
    return new Map<string, Tensor>([
      [location, { dtype: 'float32', shape: [1, rows, 4], data: Float32Array.from([...first, ...values]) }],
      ...(category === null ? [] : [prefixed(category)]),
      prefixed(score),
    ]);
  });
}

function xAt({ config }: SolverModel, at: number): boolean {
  return (config.boxOrder ?? [1, 0, 3, 2])[at % 4]! % 2 === 0;
}

function withBoxes(model: SolverModel, change: (box: readonly number[]) => readonly number[]): InferenceSession {
  return withOutputs(model, (outputs, { location }) => {
    const { shape } = outputs.get(location)!;
    const values = [...tensorToFloat64(outputs.get(location)!)!];
    const boxes = Array.from({ length: values.length / 4 }, (_, row) => change(values.slice(4 * row, 4 * row + 4)));
    return new Map([...outputs, [location, { dtype: 'float32', shape, data: Float32Array.from(boxes.flat()) }]]);
  });
}

function centred([a, b, c, d]: readonly number[]): readonly number[] {
  return [(a! + c!) / 2, (b! + d!) / 2, c! - a!, d! - b!];
}

function withScores(model: SolverModel, change: (score: number) => number): InferenceSession {
  return withOutputs(model, (outputs, { score }) => {
    const { shape } = outputs.get(score)!;
    const data = Float32Array.from(tensorToFloat64(outputs.get(score)!)!, change);
    return new Map([...outputs, [score, { dtype: 'float32', shape, data }]]);
  });
}

function logit(score: number): number {
  const inside = Math.min(1 - 1e-6, Math.max(1e-6, score));
  return Math.log(inside / (1 - inside));
}

type Names = ReturnType<typeof nameDetectionTensors>;

function withOutputs(
  { session, config }: SolverModel,
  change: (outputs: Outputs, names: Names, sizes: { widthPx: number; heightPx: number }) => Outputs,
): InferenceSession {
  return {
    inputs: session.inputs,
    outputs: session.outputs,
    release: () => session.release(),
    run: async (feeds) => {
      const [{ shape }] = Object.values(feeds) as [Tensor];
      const isFirst = shape[1] === 3;
      const sizes = { heightPx: shape[isFirst ? 2 : 1]!, widthPx: shape[isFirst ? 3 : 2]! };
      const outputs = new Map(Object.entries(await session.run(feeds)));
      const names = nameDetectionTensors(outputs, config.remapOutputNames);
      return Object.fromEntries(change(outputs, names, sizes));
    },
  };
}

/** Whether a hypothesis is correct: it names the fault's cause, and proposes the correct values. */
export function isRight(
  { hypothesis }: RankedHypothesis,
  { change }: Fault,
  { config, labels, statedFeeding }: SolverModel,
): boolean {
  const { changes, feeding, output } = hypothesis;
  // Stretched frames are a fault of their own where pictures had a border in training.
  if (change === null)
    return changes.length === 0 || (changes.join() === 'letterbox' && Boolean(statedFeeding?.letterbox));
  if (changes.length !== 1 || changes[0] !== change) return false;
  const { input } = feeding;
  if (change === 'colours') return input.bgr === config.bgr;
  if (change === 'range') return near(input.meanValue, config.meanValue) && near(input.stdDev, config.stdDev);
  if (change === 'labels') return hypothesis.labels!.slice(1).join() === labels.slice(1).join();
  if (change === 'box-order' && output.kind === 'detections')
    return boxOrderWords(output.boxOrder) === boxOrderWords(config.boxOrder ?? [1, 0, 3, 2]);
  return true;
}

function near(a: readonly number[], b: readonly number[]): boolean {
  return [0, 1, 2].every(
    (at) => Math.abs(a[at]! - b[at]!) < 0.01 * Math.max(1e-3, Math.abs(b[at]!)) + 0.01 * Math.abs(a[at]!),
  );
}
