import { presentOutput } from '../../src/models/fit/solver/list-hypotheses.ts';
import { evidenceOf, type Evidence } from '../../src/models/fit/solver/evidence.ts';
import { keptRows } from '../../src/models/fit/solver/filter-evidence.ts';
import { overlap } from '../../src/models/fit/interpretations/distinct-rows.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import { infer } from '../../src/machine/vision/pipeline.ts';
import { buildVisionService } from '../../src/machine/vision/vision-service.ts';
import type { FaultyService } from './faults.ts';
import type { SolverModel } from './solver-model.ts';
import { trialPorts } from './solver-trial.ts';

/** The results of a service for a frame. */
interface Shown {
  readonly evidence: Evidence;
  readonly boxes: readonly { readonly box: readonly number[]; readonly label: string }[];
  readonly firstClass: string;
}

/** Whether a fault is invisible: nine in ten boxes, and every top class, equal those of the correct service. */
export async function looksRight(
  model: SolverModel,
  faulty: FaultyService,
  frames: readonly Frame[],
): Promise<boolean> {
  let [same, all] = [0, 0];
  for (const frame of frames) {
    const right = await shown({ ...model, turn: (one) => one }, model, frame);
    const wrong = await shown(faulty, model, faulty.turn(frame));
    if (!right || !wrong || right.firstClass !== wrong.firstClass) return false;
    same += matched(right, wrong) + matched(wrong, right);
    all += right.boxes.length + wrong.boxes.length;
  }
  return all === 0 || same >= 0.9 * all;
}

async function shown(
  { config, labels, session }: FaultyService,
  model: SolverModel,
  frame: Frame,
): Promise<Shown | null> {
  const service = buildVisionService(config, { session, labels });
  const run = await infer(frame, service, trialPorts());
  const dropsFirstLabel = Object.keys(model.config.labelConfidences).length > 0;
  const { remapOutputNames } = config;
  const output = presentOutput(run.outputs, { remapOutputNames, boxOrder: service.boxOrder, dropsFirstLabel });
  const evidence = output && evidenceOf(output, { run, mirrored: null, moved: null, flat: null });
  if (!evidence) return null;
  const { rows, classes } = evidence;
  if (!rows) {
    const first = classes!.indexOf(Math.max(...classes!));
    return { evidence, boxes: [], firstClass: labels.length === classes!.length ? labels[first]! : 'refused' };
  }
  // A class number beyond the label list makes the whole frame fail.
  if (rows.category.some((number) => number >= labels.length)) return null;
  const boxes = keptRows(rows, labels, config).map((row) => ({
    box: [0, 1, 2, 3].map((at) => rows.box[4 * row + at]!),
    label: labels[rows.category[row]!]!,
  }));
  return { evidence, boxes, firstClass: '' };
}

function matched(a: Shown, b: Shown): number {
  return a.boxes.filter(({ box, label }) =>
    b.boxes.some((other) => other.label === label && overlap(box, other.box) > 0.5),
  ).length;
}
