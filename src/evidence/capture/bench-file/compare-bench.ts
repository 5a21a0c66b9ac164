import type { RawClassifications, RawDetections, RawResults } from '../../../machine/vision/face/results.ts';
import type { BenchEnvironment, SavedBench, SavedFrame } from './saved-bench.ts';

/** One difference between the saved bench and the bench now. */
export interface Difference {
  readonly what: 'version' | 'host' | 'backend' | 'model' | 'configuration';
  readonly saved: string;
  readonly now: string;
}

export type FrameVerdict =
  /** every number is equal */
  | 'same'
  /** the same rows, with numbers within the tolerance */
  | 'close'
  | 'different'
  /** the frame could not be run here */
  | 'failed';

export interface FrameComparison {
  readonly frame: string;
  readonly verdict: FrameVerdict;
  readonly rawOf: SavedFrame['rawOf'];
  readonly savedRows: number | null;
  readonly rows: number | null;
  /** number of rows with another label */
  readonly otherLabels: number;
  readonly largestScoreDifference: number;
  readonly largestBoxDifferencePx: number;
  /** describes the difference; '': none */
  readonly message: string;
}

export interface BenchComparison {
  readonly differences: readonly Difference[];
  readonly frames: readonly FrameComparison[];
  /** the worst of the frames' verdicts */
  readonly verdict: FrameVerdict;
}

/** The results of running the saved bench here. */
export interface BenchNow {
  readonly environment: BenchEnvironment;
  readonly configText: string;
  /** hashes of the models in use, by vision service */
  readonly models: Readonly<Record<string, string>>;
  /** in the order of the saved frames */
  readonly outcomes: readonly (RawResults | { readonly failure: string })[];
}

/** Two backends sum in another order: scores differ in the sixth digit, and a box may round to the next pixel. */
const scoreTolerance = 1e-3;
const boxTolerancePx = 1;

const severity: readonly FrameVerdict[] = ['same', 'close', 'different', 'failed'];

/** Compares a saved bench with the results of the same bench here. */
export function compareBench(saved: SavedBench, now: BenchNow): BenchComparison {
  const frames = saved.frames.map((frame, at) =>
    compareFrame(frame, now.outcomes[at] ?? { failure: 'It was not run.' }),
  );
  const worst = Math.max(0, ...frames.map(({ verdict }) => severity.indexOf(verdict)));
  return { differences: differencesOf(saved, now), frames, verdict: severity[worst]! };
}

function differencesOf(saved: SavedBench, now: BenchNow): Difference[] {
  const pairs: Difference[] = [
    { what: 'version', saved: saved.environment.version, now: now.environment.version },
    { what: 'host', saved: saved.environment.host, now: now.environment.host },
    { what: 'backend', saved: saved.environment.backend ?? 'none', now: now.environment.backend ?? 'none' },
    { what: 'configuration', saved: saved.configText, now: now.configText },
    ...saved.models.map(({ serviceName, sha256 }) => ({
      what: 'model' as const,
      saved: sha256,
      now: now.models[serviceName] ?? 'none',
    })),
  ];
  return pairs.filter((pair) => pair.saved !== pair.now);
}

function compareFrame({ capture, raw, rawOf }: SavedFrame, now: BenchNow['outcomes'][number]): FrameComparison {
  const frame = `${capture.source.name} #${capture.source.index}`;
  const savedRows = rowsOf(raw);
  const nothing = { otherLabels: 0, largestScoreDifference: 0, largestBoxDifferencePx: 0 };
  if ('failure' in now) {
    return { frame, verdict: 'failed', rawOf, savedRows, rows: null, ...nothing, message: now.failure };
  }
  const rows = rowsOf(now);
  const measured = measure(raw, now);
  const verdict = savedRows !== rows ? 'different' : verdictOf(measured);
  const message = describe(verdict, savedRows, rows, measured, rawOf);
  return { frame, verdict, rawOf, savedRows, rows, ...measured, message };
}

type Measured = Pick<FrameComparison, 'otherLabels' | 'largestScoreDifference' | 'largestBoxDifferencePx'>;

function measure(saved: RawResults, now: RawResults): Measured {
  const boxes = measureDetections(saved.detections, now.detections);
  const classes = measureClasses(saved.classifications, now.classifications);
  return {
    otherLabels: boxes.otherLabels + classes.otherLabels,
    largestScoreDifference: Math.max(boxes.largestScoreDifference, classes.largestScoreDifference),
    largestBoxDifferencePx: boxes.largestBoxDifferencePx,
  };
}

/** Compares row by row, in the model's order. */
function measureDetections(a: RawDetections | null, b: RawDetections | null): Measured {
  const measured = { otherLabels: 0, largestScoreDifference: 0, largestBoxDifferencePx: 0 };
  for (let row = 0; row < Math.min(a?.count ?? 0, b?.count ?? 0); row++) {
    if (a!.labels[a!.labelIndex[row]!] !== b!.labels[b!.labelIndex[row]!]) measured.otherLabels++;
    measured.largestScoreDifference = Math.max(
      measured.largestScoreDifference,
      differenceOf(a!.score[row]!, b!.score[row]!),
    );
    for (let edge = 4 * row; edge < 4 * row + 4; edge++) {
      const apartPx = Math.abs(a!.box[edge]! - b!.box[edge]!);
      measured.largestBoxDifferencePx = Math.max(measured.largestBoxDifferencePx, apartPx);
    }
  }
  return measured;
}

function measureClasses(a: RawClassifications | null, b: RawClassifications | null): Measured {
  const measured = { otherLabels: 0, largestScoreDifference: 0, largestBoxDifferencePx: 0 };
  for (let row = 0; row < Math.min(a?.score.length ?? 0, b?.score.length ?? 0); row++) {
    if (a!.labels[row] !== b!.labels[row]) measured.otherLabels++;
    measured.largestScoreDifference = Math.max(
      measured.largestScoreDifference,
      differenceOf(a!.score[row]!, b!.score[row]!),
    );
  }
  return measured;
}

/** Two NaN are equal; NaN beside a number is a different result. */
function differenceOf(a: number, b: number): number {
  if (Object.is(a, b)) return 0;
  const difference = Math.abs(a - b);
  return Number.isNaN(difference) ? Infinity : difference;
}

function verdictOf({ otherLabels, largestScoreDifference, largestBoxDifferencePx }: Measured): FrameVerdict {
  if (otherLabels > 0 || largestScoreDifference > scoreTolerance || largestBoxDifferencePx > boxTolerancePx) {
    return 'different';
  }
  return largestScoreDifference > 0 || largestBoxDifferencePx > 0 ? 'close' : 'same';
}

function describe(
  verdict: FrameVerdict,
  savedRows: number | null,
  rows: number | null,
  { otherLabels, largestScoreDifference, largestBoxDifferencePx }: Measured,
  rawOf: SavedFrame['rawOf'],
): string {
  if (verdict === 'same') return '';
  const parts = [
    ...(savedRows === rows ? [] : [`${savedRows ?? 'no'} rows became ${rows ?? 'none'}`]),
    ...(otherLabels === 0 ? [] : [`${otherLabels} other labels`]),
    ...(largestScoreDifference === 0 ? [] : [`scores differ by up to ${largestScoreDifference.toPrecision(2)}`]),
    ...(largestBoxDifferencePx === 0 ? [] : [`boxes by up to ${largestBoxDifferencePx} px`]),
    ...(rawOf === 'image' ? [] : ['it was saved from the live frame, before it was encoded']),
  ];
  return `${parts.join('; ')}.`;
}

/** Number of detections and classes together; null: the service gave neither. */
function rowsOf({ detections, classifications }: RawResults): number | null {
  if (!detections && !classifications) return null;
  return (detections?.count ?? 0) + (classifications?.score.length ?? 0);
}
