import type { VisionServiceConfig } from '../../../machine/config/face/machine-config.ts';
import type { Units } from '../../../evidence/evaluation/face/thresholds.ts';
import { DetectionSetBuilder, type EvaluationSpace, TruthSetBuilder } from '../../../evidence/evaluation/face/sets.ts';
import {
  compareRuns,
  type FigureDifference,
  judgeDifferences,
  measureRuns,
  type RunBoxes,
  type RunComparison,
} from '../../../evidence/evaluation/face/comparison.ts';
import type { Frame } from '../../../machine/vision/face/frames.ts';
import type { InferenceSession } from '../../../machine/vision/face/inference.ts';
import { infer, type InferencePorts } from '../../../machine/vision/face/runs.ts';
import { applyPixelStep, isPixelStep } from '../../../machine/vision/face/cameras.ts';
import { buildVisionService, type VisionService } from '../../../machine/vision/face/filters.ts';
import type { BoxRows } from '../interpretations/box-rows.ts';
import { decodedRows } from '../interpretations/decoded-rows.ts';
import type { KnownAnswer } from '../solver/known-answer.ts';
import { plainService } from '../solver/try-feedings.ts';
import { countedFrom, movedMoreThanPx } from './counted-boxes.ts';
import type { MachineFeeding } from './machine-feedings.ts';
import type { FeedingRecipe } from './recipe.ts';
import { seenByRecipe, type FedModel } from './recipe-runs.ts';

/** A picture of which it is known what is on it; things without a box are left out. */
export interface TruePicture {
  /** may be decoded anew each time that it is asked for: thousands of pictures do not fit in memory */
  readonly frame: Frame;
  readonly things: readonly KnownAnswer[];
  /** what a model finds on these is not false, and what it does not find is not missed */
  readonly ignored?: readonly KnownAnswer[];
}

/** The subject of a measurement, and the means for it. */
export interface CostSearch {
  /** for trials of its feeding */
  readonly model: FedModel;
  readonly recipe: FeedingRecipe;
  readonly feedings: readonly MachineFeeding[];
  readonly pictures: readonly TruePicture[];
  /** names of the classes; null: numbers */
  readonly labels: readonly string[] | null;
  readonly open: (model: Uint8Array<ArrayBuffer>) => Promise<InferenceSession>;
  readonly ports: InferencePorts;
  /** what the vision service says of its model's tensors, where the file stays as it is; default: nothing */
  readonly service?: VisionServiceConfig;
  /** which pictures belong together; default: each is one by itself */
  readonly units?: Units;
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/** What one way of feeding loses and wins back. */
export interface FeedingWorth {
  readonly feeding: MachineFeeding;
  /** against the recipe: what this feeding loses */
  readonly loss: FeedingDifference;
  /** against the machine's own feeding: what it wins back; null: it is that */
  readonly gain: FeedingDifference | null;
}

export interface FeedingDifference {
  /** average precision at IoU 0.5, with its paired interval */
  readonly averagePrecision: FigureDifference;
  readonly counts: RunComparison['counts'];
}

/**
 * Measures what the machine's own feeding of a detector loses against the recipe, and what each other way wins back, on the same pictures.
 * @param search the model, the recipe, ways of feeding, pictures
 * @returns in the order of the ways of feeding
 * @throws InferenceError, TransformError; the signal's reason when it aborts
 * @example
 * await feedingCost({ model: { reader: { kind: 'classifications' } } }); // throws: detectors
 */
export async function feedingCost(search: CostSearch): Promise<readonly FeedingWorth[]> {
  const { model, recipe, feedings, pictures, labels, open, ports, onProgress, signal } = search;
  const { service = plainService, units = { count: pictures.length, ofImage: Uint32Array.from(pictures.keys()) } } = search; // prettier-ignore
  const { reader } = model;
  if (reader.kind !== 'detections') throw new RangeError('Boxes are compared, so only detectors are measured.');
  const sides = 1 + feedings.length;
  const sizes: PictureSize[] = [];
  const seenOf = async (side: number, see: (frame: Frame) => Promise<BoxRows | null>): Promise<readonly BoxRows[]> => {
    const seen: BoxRows[] = [];
    for (const [at, { frame }] of pictures.entries()) {
      signal.throwIfAborted();
      onProgress((side + at / pictures.length) / sides);
      sizes[at] = { widthPx: frame.widthPx, heightPx: frame.heightPx };
      const rows = await see(frame);
      if (rows) seen.push(rows);
      else throw new RangeError('The model gave no boxes.');
    }
    return seen;
  };
  const byRecipe = await seenOf(0, async (frame) => (await seenByRecipe(model, recipe, frame, ports)).rows);
  const byFeeding: (readonly BoxRows[])[] = [];
  for (const [at, feeding] of feedings.entries()) {
    const session = await open(feeding.model);
    const fed = { ...(feeding.fit ? plainService : service), ...serviceOf(feeding) };
    const built = buildVisionService(fed, { session, labels: null });
    const read = feeding.fit ? decodedRows : reader.read;
    try {
      byFeeding.push(await seenOf(at + 1, (frame) => seenByMachine(feeding, built, read, frame, ports)));
    } finally {
      await session.release();
    }
  }
  const space = spaceOf(labels, pictures, [byRecipe, ...byFeeding]);
  const compare = (a: readonly BoxRows[], b: readonly BoxRows[]) => differenceOf(space, pictures, sizes, units, a, b);
  return feedings.map((feeding, at) => ({
    feeding,
    loss: compare(byRecipe, byFeeding[at]!),
    gain: at === 0 ? null : compare(byFeeding[0]!, byFeeding[at]!),
  }));
}

/** What the vision service says where the machine feeds a model so. */
const serviceOf = ({ fed: { bgr, meanValue, stdDev } }: MachineFeeding) => ({ bgr, meanValue: [...meanValue], stdDev: [...stdDev] }); // prettier-ignore

async function seenByMachine(
  { step }: MachineFeeding,
  service: VisionService,
  read: typeof decodedRows,
  source: Frame,
  ports: InferencePorts,
): Promise<BoxRows | null> {
  const frame = step && isPixelStep(step) ? applyPixelStep(source, step) : source;
  const run = await infer(frame, service, ports);
  const rows = read(run.outputs, run);
  if (!rows || step?.type !== 'crop') return rows;
  const { xMin, yMin, xMax, yMax } = step.attributes;
  const box = rows.box.map((side, at) => (at % 2 === 0 ? xMin + side * (xMax - xMin) : yMin + side * (yMax - yMin)));
  return { ...rows, box };
}

function spaceOf(
  labels: readonly string[] | null,
  pictures: readonly TruePicture[],
  sides: readonly (readonly BoxRows[])[],
): EvaluationSpace {
  const categories = [
    ...pictures.flatMap(({ things, ignored = [] }) => [...things, ...ignored].map(({ category }) => category)),
    ...sides.flatMap((side) => side.flatMap(({ category }) => [...category])),
  ];
  const count = Math.max(labels?.length ?? 0, ...categories.map((category) => category + 1));
  return {
    imageCount: pictures.length,
    labels: Array.from({ length: count }, (_, number) => labels?.[number] ?? String(number)),
  };
}

function differenceOf(
  space: EvaluationSpace,
  pictures: readonly TruePicture[],
  sizes: readonly PictureSize[],
  units: Units,
  first: readonly BoxRows[],
  second: readonly BoxRows[],
): FeedingDifference {
  const truth = truthOf(pictures, sizes);
  const run = (side: readonly BoxRows[]): RunBoxes => ({ truth, detections: detectionsOf(sizes, side) });
  const measured = measureRuns({ space, first: run(first), second: run(second), units, ignoreRule: 'field' });
  const thresholds = new Float64Array(space.labels.length).fill(countedFrom);
  const at = { firstThresholds: thresholds, secondThresholds: thresholds, movedMoreThanPx };
  const [averagePrecision] = judgeDifferences(measured.averagePrecision.slice(0, 1), units.count);
  return { averagePrecision: averagePrecision!, counts: compareRuns(measured, at).counts };
}

type PictureSize = Pick<Frame, 'widthPx' | 'heightPx'>;

function truthOf(pictures: readonly TruePicture[], sizes: readonly PictureSize[]) {
  const truth = new TruthSetBuilder();
  for (const [image, { things, ignored = [] }] of pictures.entries()) {
    const add = (isIgnored: boolean, { category, box }: KnownAnswer): void => {
      if (box) truth.add(image, category, inPixels(box, 0, sizes[image]!), { isIgnored });
    };
    for (const thing of things) add(false, thing);
    for (const thing of ignored) add(true, thing);
  }
  return truth.build();
}

function detectionsOf(sizes: readonly PictureSize[], side: readonly BoxRows[]) {
  const detections = new DetectionSetBuilder();
  for (const [image, { count, box, category, score }] of side.entries()) {
    for (let row = 0; row < count; row++) {
      const place = inPixels(box, 4 * row, sizes[image]!);
      if (place.every(Number.isFinite) && Number.isFinite(score[row]!))
        detections.add(image, category[row]!, place, score[row]!);
    }
  }
  return detections.build();
}

/** x, y, width, height, cut off at the picture's edges, as the machine does. */
function inPixels(box: ArrayLike<number>, at: number, { widthPx, heightPx }: PictureSize) {
  const place = (side: number, length: number) => Math.min(1, Math.max(0, box[at + side]!)) * length;
  const [x, y] = [place(0, widthPx), place(1, heightPx)];
  return [x, y, place(2, widthPx) - x, place(3, heightPx) - y] as const;
}
