import type { Outputs } from '../../../machine/vision/face/results.ts';
import { tensorToFloat64 } from '../../../machine/vision/face/feeding.ts';
import { confirmedBy, mirroredBack } from '../interpretations/agreement.ts';
import { readBoxRows, type BoxRows } from '../interpretations/box-rows.ts';
import { strengthOf } from '../interpretations/input-interpretations.ts';
import { judgeBoxes } from '../interpretations/judge-boxes.ts';
import { judgeClasses } from '../interpretations/judge-classes.ts';
import { movedBack } from '../interpretations/move.ts';
import type { Run } from '../interpretations/rank-interpretations.ts';
import type {
  ClassInterpretation,
  DetectionInterpretation,
  OutputInterpretation,
} from '../interpretations/interpretation.ts';
import type { Verdict } from '../interpretations/verdict.ts';

/** What a model gave for a frame and for other views of it; a view is null where it was not run, or changed nothing. */
export interface Views {
  readonly run: Run;
  readonly mirrored: Run | null;
  readonly moved: Run | null;
  /** run on a frame of nothing but the frame's mean colour; for classifiers */
  readonly flat: Run | null;
}

/** What one frame says for an interpretation. */
export interface Evidence {
  /** how sure the model is of what it sees, 0..1 */
  readonly strength: number;
  /** how far it says the same of the other views, 0..1; null = nothing was compared */
  readonly steadiness: number | null;
  /** how much that is: things, by score and steadiness; null = nothing was compared, or a classifier */
  readonly things: number | null;
  readonly verdict: Verdict;
  /** boxes in parts of the model's input; null = a classifier */
  readonly rows: BoxRows | null;
  /** one probability a class; null = a detector */
  readonly classes: Float64Array | null;
  /** the run that it was read from */
  readonly run: Run;
}

/** null where a run's tensors do not fit an interpretation. */
export function evidenceOf(output: OutputInterpretation, views: Views): Evidence | null {
  return output.kind === 'detections' ? evidenceOfBoxes(output, views) : evidenceOfClasses(output, views);
}

function evidenceOfBoxes(output: DetectionInterpretation, { run, mirrored, moved }: Views): Evidence | null {
  const rows = readBoxRows(run.outputs, output, run);
  if (!rows) return null;
  const inMirror = mirrored && readBoxRows(mirrored.outputs, output, mirrored);
  const inMoved = moved && readBoxRows(moved.outputs, output, moved);
  const confirmed = [
    inMirror && confirmedBy(rows, mirroredBack(inMirror)),
    inMoved && confirmedBy(rows, movedBack(inMoved, run)),
  ].filter((one) => one !== null);
  return {
    strength: strengthOf(rows),
    steadiness: meanOf(confirmed.map(({ share }) => share)),
    things: meanOf(confirmed.map(({ things }) => things)),
    verdict: judgeBoxes(rows),
    rows,
    classes: null,
    run,
  };
}

function evidenceOfClasses(
  { probability }: ClassInterpretation,
  { run, mirrored, moved, flat }: Views,
): Evidence | null {
  const classes = probabilities(run.outputs, probability);
  if (!classes) return null;
  const same = (other: Run | null) => {
    const values = other && probabilities(other.outputs, probability);
    return values && shared(classes, values);
  };
  const ofNothing = same(flat);
  const largest = classes.reduce((most, value) => Math.max(most, value), 0);
  return {
    // What it says of an even colour as well, it does not see.
    strength: ofNothing === null ? largest : Math.max(0, largest - ofNothing),
    steadiness: meanOf([same(mirrored), same(moved)].filter((share) => share !== null)),
    things: null,
    verdict: judgeClasses(probability, run.outputs.get(probability)!),
    rows: null,
    classes,
    run,
  };
}

/** Probabilities as the machine has them, but bytes by their sum: what they mean, not what softmax makes of 255. */
function probabilities(outputs: Outputs, name: string): Float64Array | null {
  const tensor = outputs.get(name);
  const values = tensor && tensorToFloat64(tensor);
  if (!tensor || !values || values.length === 0) return null;
  const isDone = values.every((value) => value >= -0.001 && value <= 1.001);
  const isBytes = tensor.dtype === 'uint8';
  const largest = values.reduce((most, value) => Math.max(most, value), -Infinity);
  const weights = isDone || isBytes ? values : values.map((value) => Math.exp(value - largest));
  const sum = weights.reduce((total, value) => total + value, 0);
  // A sigmoid's do not add up to 1, and need not.
  return isDone && values.length < 3 ? values : weights.map((value) => value / (sum || 1));
}

/** How much two lists of probabilities have in common, 0..1. */
function shared(a: Float64Array, b: Float64Array): number | null {
  if (a.length !== b.length) return null;
  return a.reduce((sum, value, at) => sum + Math.min(value, b[at]!), 0);
}

/** Geometric: one view that says otherwise outweighs one that agrees. */
function meanOf(shares: readonly number[]): number | null {
  return shares.length === 0 ? null : shares.reduce((product, share) => product * share, 1) ** (1 / shares.length);
}
