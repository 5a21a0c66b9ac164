import { agreement } from '../../../src/models/fit/interpretations/agreement.ts';
import { readBoxRows, type BoxRows } from '../../../src/models/fit/interpretations/box-rows.ts';
import { listInputs, strengthOf } from '../../../src/models/fit/interpretations/input-interpretations.ts';
import { judgeBoxes } from '../../../src/models/fit/interpretations/judge-boxes.ts';
import { listInterpretations } from '../../../src/models/fit/interpretations/list-interpretations.ts';
import { hasMargin } from '../../../src/models/fit/interpretations/letterbox-kernel.ts';
import { presentDetections } from '../../../src/models/fit/interpretations/present-interpretation.ts';
import {
  rankInterpretations,
  interpretationsLeft,
  type Run,
} from '../../../src/models/fit/interpretations/rank-interpretations.ts';
import { editsOf } from '../../../src/models/fit/interpretations/interpretation-edits.ts';
import {
  boxOrderWords,
  type DetectionInterpretation,
  type InputInterpretation,
} from '../../../src/models/fit/interpretations/interpretation.ts';
import type { Feeding } from '../../../src/models/fit/solver/hypothesis.ts';
import { onFrame } from '../../../src/models/fit/solver/on-frame.ts';
import { distinctRows } from '../../../src/models/fit/interpretations/distinct-rows.ts';
import type { Frame } from '../../../src/machine/vision/face/frames.ts';
import { infer, type PipelinePorts } from '../../../src/machine/vision/face/runs.ts';
import type { Inference } from '../../../src/machine/vision/face/results.ts';
import type { ProbedService, VisionService } from '../../../src/machine/vision/face/filters.ts';
import type { FoundInterpretation, FoundInterpretations, ReadBox } from '../protocol.ts';
import { inputOf, ViewRuns } from '../../../src/models/fit/solver/view-runs.ts';

export interface InterpretationSearch {
  readonly vision: ProbedService;
  /** the service hides its first label, so a background class there is harmless */
  readonly dropsFirstLabel: boolean;
  /** the model's input picture */
  readonly seen: Frame;
  /** the model's outputs for it, if it was run; otherwise it is run now */
  readonly inference: Inference | null;
  readonly ports: PipelinePorts;
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

type Found = Omit<FoundInterpretations, 'picture'>;

const mostShown = 6;
const mostBoxes = 30;

/**
 * Every way to read the raw outputs of one run, best first. The run is not repeated; the mirror image is run once.
 * @throws InferenceError; the signal's reason when it aborts
 */
export async function findOutputInterpretations(search: InterpretationSearch): Promise<Found> {
  const { vision, onProgress, signal } = search;
  const { service } = vision;
  onProgress(0);
  const run = search.inference ?? (await infer(search.seen, service, search.ports));
  signal.throwIfAborted();
  const listed = listInterpretations(run.outputs);
  if (listed.length === 0) return { interpretations: [], left: 0 };
  onProgress(0.5);
  const runs = new ViewRuns(search.seen, service, search.ports);
  const mirrored = await runs.view('mirrored', { input: inputOf(service), turnDegs: 0 }, run);
  signal.throwIfAborted();

  const ranked = rankInterpretations(listed, run, mirrored);
  const left = interpretationsLeft(ranked);
  const present = presentInterpretation(vision, search.dropsFirstLabel);
  const worthSeeing = ranked.filter(({ verdict }) => verdict.kind !== 'refused').slice(0, mostShown);
  return {
    left: left.length,
    interpretations: worthSeeing.map(({ output, why, plausibility, verdict, rows }) => ({
      why,
      plausibility,
      verdict,
      isPresent: present !== null && isSameOutput(output, present),
      boxes: boxesOf(rows, service),
      edits: editsOf({ input: inputOf(service), output, why }, service.config, run.outputs, service.labels),
    })),
  };
}

/**
 * Tries the colour ranges and orders that models are trained with: each runs on the frame, and the best of them on
 * its mirror image; outputs are read as the service reads them now.
 * @throws as findOutputInterpretations
 */
export async function findInputInterpretations(search: InterpretationSearch): Promise<Found> {
  const { vision, seen, ports, onProgress, signal } = search;
  const { service } = vision;
  const output = presentInterpretation(vision, search.dropsFirstLabel);
  if (!output) return { interpretations: [], left: 0 };
  const present = inputOf(service);
  const inputs = listInputs(present, service.input.dtype).filter(
    ({ input }) => input.fit === 'stretch' || hasMargin(seen, service.input),
  );
  const runs = new ViewRuns(seen, service, ports);
  const tried = [];
  for (const [at, { input, why }] of inputs.entries()) {
    signal.throwIfAborted();
    onProgress(at / inputs.length);
    const feeding = { input, turnDegs: 0 } as const;
    const run = at === 0 && search.inference ? search.inference : await runs.run(feeding);
    const rows = rowsOnFrame(run, output, feeding, seen);
    if (rows) tried.push({ feeding, why, run, rows, verdict: judgeBoxes(rows), strength: strengthOf(rows) });
  }
  tried.sort((a, b) => b.strength - a.strength);
  const interpretations: FoundInterpretation[] = [];
  for (const { feeding, why, run, rows, verdict, strength } of tried.slice(0, mostShown)) {
    signal.throwIfAborted();
    const mirrored = await runs.view('mirrored', feeding, run);
    const there = mirrored && rowsOnFrame(mirrored, output, feeding, seen);
    const { input } = feeding;
    const agrees = (there && agreement(rows, there)) ?? 0.5;
    interpretations.push({
      why,
      plausibility: strength * (0.1 + 0.9 * agrees),
      verdict,
      isPresent: input === present,
      boxes: boxesOf(rows, service),
      edits: editsOf({ input, output, why }, service.config, run.outputs, service.labels),
    });
  }
  interpretations.sort((a, b) => b.plausibility - a.plausibility);
  const best = interpretations[0]?.plausibility ?? 0;
  return { interpretations, left: interpretations.filter(({ plausibility }) => plausibility > 0.8 * best).length };
}

/** Runs a service's model on a picture that is fed in another way. @throws InferenceError */
export function inferFed(
  seen: Frame,
  service: VisionService,
  input: InputInterpretation,
  ports: PipelinePorts,
): Promise<Inference> {
  return new ViewRuns(seen, service, ports).run({ input, turnDegs: 0 });
}

function rowsOnFrame(run: Run, output: DetectionInterpretation, feeding: Feeding, seen: Frame): BoxRows | null {
  const rows = readBoxRows(run.outputs, output, run);
  return rows && onFrame(rows, feeding, seen, run);
}

/** How the machine reads the model now; null: it finds no boxes. */
export function presentInterpretation(
  { service, abilities }: ProbedService,
  dropsFirstLabel: boolean,
): DetectionInterpretation | null {
  const { names } = abilities.detector;
  return names && presentDetections(names, { boxOrder: service.boxOrder, dropsFirstLabel });
}

function isSameOutput(a: DetectionInterpretation, b: DetectionInterpretation): boolean {
  const key = ({ location, category, score, space, activation, classBase, boxOrder }: DetectionInterpretation) =>
    JSON.stringify([location, category, score, space, activation, classBase, boxOrderWords(boxOrder)]);
  return key(a) === key(b);
}

/** The boxes with the highest scores, without those that overlap a better one. */
export function boxesOf(rows: BoxRows, { labels }: Pick<VisionService, 'labels'>): ReadBox[] {
  const largest = rows.score.reduce((most, score) => Math.max(most, score), 0);
  return distinctRows(rows, Math.max(0.05, largest / 3), mostBoxes).map((row) => ({
    box: [0, 1, 2, 3].map((at) => rows.box[4 * row + at]!) as unknown as ReadBox['box'],
    score: rows.score[row]!,
    label: labels?.[rows.category[row]!] ?? String(rows.category[row]),
  }));
}
