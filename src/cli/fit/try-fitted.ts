import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseMachineConfig } from '../../machine/config/face/machine-config.ts';
import { fitModel, type FitRequest, type FittedModel, otherChoices } from '../../models/fit/face/fitting.ts';
import { decodedRows } from '../../models/fit/interpretations/decoded-rows.ts';
import { framesVerdict } from '../../models/fit/interpretations/frames-verdict.ts';
import { judgeBoxes } from '../../models/fit/interpretations/judge-boxes.ts';
import { judgeClasses } from '../../models/fit/interpretations/judge-classes.ts';
import type { Verdict } from '../../models/fit/interpretations/verdict.ts';
import { readFrameFile } from '../../platform/node/frame-file.ts';
import type { SessionOpener } from '../../platform/ports/inference-runtime.ts';
import { errorMessage } from '../../machine/vision/face/errors.ts';
import type { Frame } from '../../machine/vision/face/frames.ts';
import { tensorToFloat64 } from '../../machine/vision/face/feeding.ts';
import { infer } from '../../machine/vision/face/runs.ts';
import type { Inference } from '../../machine/vision/face/results.ts';
import { ports } from './try-answers.ts';
import { buildVisionService } from '../../machine/vision/face/filters.ts';

/** What a fitted model did on frames. */
export interface FittedTrial {
  readonly frames: readonly string[];
  /** refused: it cannot be right; unsure: these frames do not tell; plausible: it may well be right */
  readonly verdict: Verdict['kind'];
  /** the frames are samples, and none of the model's things is seen on them */
  readonly showsNothing: boolean;
  /** results in sentences */
  readonly seen: readonly string[];
  /** boxes above the score of 0, over all frames; null: a classifier */
  readonly boxes: number | null;
  readonly bestScore: number;
  /** what to fit it with instead, best first; [] where nothing else does better */
  readonly tryInstead: readonly {
    readonly key: string;
    readonly value: string;
    readonly boxes: number;
    readonly bestScore: number;
  }[];
}

/** Photographs that come with the program, of people, streets and things. */
const sampleFolders = [
  join(fileURLToPath(new URL('../../../dist/', import.meta.url)), 'builtin/frames'),
  fileURLToPath(new URL('../../../assets/photographs/', import.meta.url)),
];
const mostSamples = 3;
/** The things on the samples, by the words that lists of labels have for it. */
const onSamples =
  /\b(person|people|humans?|m[ae]n|wom[ae]n|girls?|lad(y|ies)|pedestrians?|faces?|heads?|hands?|bod(y|ies))\b/i;
/** A thing that is seen. Below it are the best of what a model takes for its things where there are none. */
const seenScore = 0.25;

/** The paths of the photographs that a model is tried on where none are given. */
export async function samplePaths(): Promise<readonly string[]> {
  const folder = sampleFolders.find((path) => existsSync(path));
  if (folder === undefined) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).toSorted();
  return names.slice(0, mostSamples).map((name) => join(folder, name));
}

/** Frames to try a model on. */
export interface TrialFrames {
  readonly paths: readonly string[];
  /** samples come with the program, and nobody said that the model's things are on them */
  readonly areSamples: boolean;
}

/**
 * Runs a fitted model on frames, as the machine would, and judges what it says. Where that cannot be right, the other values of
 * its options are tried on the same frames; samples on which none of its things is seen decide nothing.
 * @throws CliError where a frame cannot be read
 */
export async function tryFitted(
  source: Uint8Array<ArrayBuffer>,
  request: FitRequest,
  fitted: FittedModel,
  { paths, areSamples }: TrialFrames,
  sessions: SessionOpener,
): Promise<FittedTrial> {
  const frames = [];
  for (const path of paths) frames.push(await readFrameFile(path));
  const tried = await runOn(fitted, frames, sessions);
  const showsNothing =
    areSamples &&
    tried.boxes !== null &&
    tried.bestScore < seenScore &&
    !(fitted.labels ?? []).some((label) => onSamples.test(label.replaceAll('_', ' ')));
  const tryInstead = [];
  const isDoubtful = !showsNothing && (tried.verdict.kind === 'refused' || tried.boxes === 0);
  for (const { key, value } of isDoubtful ? otherChoices(fitted) : []) {
    const options = { ...request.options, [key]: value };
    const other = await runOn(fitModel(source, { ...request, family: fitted.family.id, options }), frames, sessions);
    if (other.verdict.kind === 'plausible')
      tryInstead.push({ key, value, boxes: other.boxes ?? 0, bestScore: other.bestScore });
  }
  return {
    frames: paths,
    verdict: showsNothing ? 'unsure' : tried.verdict.kind,
    seen: showsNothing ? [nothingShown] : tried.verdict.seen,
    showsNothing,
    boxes: tried.boxes,
    bestScore: tried.bestScore,
    tryInstead: tryInstead.toSorted((a, b) => b.bestScore - a.bestScore),
  };
}

const nothingShown = "The samples show none of this model's things, so they do not tell whether it is right.";

interface Tried {
  readonly verdict: Verdict;
  readonly boxes: number | null;
  readonly bestScore: number;
}

async function runOn(
  { model, configuration, labels, kind }: FittedModel,
  frames: readonly Frame[],
  sessions: SessionOpener,
): Promise<Tried> {
  try {
    const session = await sessions.open(model);
    try {
      const [config] = parseMachineConfig(JSON.stringify(configuration)).config.visionServices;
      const service = buildVisionService(config!, { session, labels });
      const judged = [];
      for (const frame of frames) judged.push(judge(await infer(frame, service, ports), kind, labels));
      return {
        verdict: framesVerdict(judged.map(({ verdict }) => verdict)),
        boxes: kind === 'detections' ? judged.reduce((sum, { boxes }) => sum + (boxes ?? 0), 0) : null,
        bestScore: judged.reduce((most, { bestScore }) => Math.max(most, bestScore), 0),
      };
    } finally {
      await session.release();
    }
  } catch (error) {
    const seen = [`It does not run: ${errorMessage(error)}`];
    return { verdict: { kind: 'refused', seen, notes: [] }, boxes: null, bestScore: 0 };
  }
}

function judge(run: Inference, kind: FittedModel['kind'], labels: readonly string[] | null): Tried {
  if (kind === 'classifications') {
    const probability = run.outputs.get('probability')!;
    const bestScore = highest(tensorToFloat64(probability)!);
    return { verdict: judgeClasses('probability', probability), boxes: null, bestScore };
  }
  const rows = decodedRows(run.outputs, run)!;
  const labelOf = (category: number) => labels?.[category] ?? String(category);
  return { verdict: judgeBoxes(rows, labelOf), boxes: rows.count, bestScore: highest(rows.score) };
}

function highest(scores: Float64Array): number {
  return scores.reduce((most, score) => Math.max(most, score), 0);
}
