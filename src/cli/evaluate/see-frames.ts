import { imagesSha256 } from '../../evidence/certificate/images-sha256.ts';
import { type Dependence, dependentPictures, type PictureOfSet } from '../../evidence/datasets/face/independence.ts';
import type { LabelPair } from '../../evidence/datasets/face/labels.ts';
import { pictureHash } from '../../evidence/datasets/face/health.ts';
import { decodeStill } from '../../platform/decode/still.ts';
import {
  type Box,
  type DetectionSet,
  DetectionSetBuilder,
  type EvaluationSpace,
  LabelNames,
  traitsSeen,
  truthSeen,
  type TruthSet,
  TruthSetBuilder,
} from '../../evidence/evaluation/face/sets.ts';
import { type Units, unitsOf } from '../../evidence/evaluation/face/thresholds.ts';
import { labelsOfModelAloneText } from '../../evidence/evaluation/face/report.ts';
import { type Frame, toRgba8 } from '../../machine/vision/face/frames.ts';
import type { FrameRun, Machine } from '../../machine/vision/face/runs.ts';
import { detectionsOnSource, regionOnSource, type TracedStage } from '../../machine/vision/face/traces.ts';
import { serviceThresholds } from '../../machine/vision/face/filters.ts';
import type { CameraChain } from '../../machine/vision/face/cameras.ts';
import { reportOf } from '../record/cli-error.ts';
import { recordedOf, type TrueFrame, type TrueFrames } from './read-truth.ts';
import type { Terminal } from '../shared/run-frames.ts';

/** A machine with what of it is asked. */
export interface SeeingMachine {
  readonly machine: Machine;
  readonly visionName: string;
  /** null: the frame as it is */
  readonly cameraName: string | null;
}

export interface FailedFrame {
  readonly frame: string;
  readonly error: object;
}

/** Frames whose labels have the model's names already. */
export interface NamedFrames extends TrueFrames {
  readonly labelPairs: readonly LabelPair[];
}

/** What a model says of frames whose truth is known, on their source pictures. */
export interface SeenFrames {
  readonly space: EvaluationSpace;
  readonly truth: TruthSet;
  readonly detections: DetectionSet;
  /** by label number, as the configuration has them */
  readonly thresholds: Float64Array;
  /** by image number */
  readonly names: readonly string[];
  /** which pictures belong together */
  readonly units: Units;
  /** how that is known */
  readonly dependence: Dependence;
  /** labels of the data that count by the model's names */
  readonly labelPairs: readonly LabelPair[];
  /** frames that could not be run: they are in no figure, and their truth neither */
  readonly failed: readonly FailedFrame[];
  /** see `imagesSha256`; null: only results of the pictures are at hand */
  readonly imagesSha256: string | null;
  /** truth of which too little, or nothing, was left by the camera's transforms */
  readonly cutAway: number;
}

/**
 * Runs every frame through a camera and a vision service, up to the raw results, and puts both results and truth onto
 * the source picture. A frame that fails is left out with its truth and told.
 */
export async function seeFrames(
  { labels, frames, labelPairs }: NamedFrames,
  { machine, visionName, cameraName }: SeeingMachine,
  { say, areIndependent }: Pick<Terminal, 'say'> & { readonly areIndependent: boolean },
): Promise<SeenFrames> {
  const labelNames = new LabelNames();
  for (const label of labels) labelNames.add(label, false);
  const known = labelNames.names.length;
  const [truth, detections] = [new TruthSetBuilder(), new DetectionSetBuilder()];
  const seen: (TrueFrame & PictureOfSet & { readonly sizeBytes: number })[] = [];
  let cutAway = 0;
  const chain = cameraName === null ? null : machine.camera(cameraName);
  const failed = await runEach(frames, { machine, visionName, cameraName }, say, (frame, picture, run, sizeBytes) => {
    const stages = tracedStages(run, chain, picture);
    const image = seen.length;
    addDetections(run, stages, (label, box, score) => {
      detections.add(image, labelNames.add(label, true), box, score);
    });
    cutAway += addTruth(frame, stages, (label, ...given) => truth.add(image, labelNames.add(label, false), ...given));
    seen.push({ ...frame, ...pictureOfSet(frame, picture, areIndependent), sizeBytes });
  });
  const all = labelNames.names;
  if (known > 0 && all.length > known) say(labelsOfModelAloneText(all.slice(known)));
  const { config } = (await machine.service(visionName)).service;
  return {
    space: { imageCount: seen.length, labels: all },
    truth: truth.build(),
    detections: detections.build(),
    thresholds: serviceThresholds(all, config),
    names: seen.map(({ name }) => name),
    ...unitsOfSet(seen, areIndependent),
    labelPairs,
    failed,
    imagesSha256: imagesSha256(seen),
    cutAway,
  };
}

/** A frame as the rule of independent units looks at it; a picture is only looked at where that could tell something. */
function pictureOfSet(frame: TrueFrame, picture: Frame, areIndependent: boolean): PictureOfSet {
  const recorded = recordedOf(frame);
  const isTold = recorded !== '' || areIndependent;
  return { recorded, name: frame.name, hash: isTold ? null : hashOf(picture) };
}

/** By which it is seen which pictures look alike. */
export const hashOf = (picture: Frame): bigint => pictureHash(toRgba8(picture));

/** The independent units of a set, and how they are known. */
export function unitsOfSet(
  pictures: readonly PictureOfSet[],
  areIndependent: boolean,
): Pick<SeenFrames, 'units' | 'dependence'> {
  const dependence = dependentPictures(pictures, areIndependent);
  const units = unitsOf(dependence.groups.map((sequence, at) => ({ id: String(at), sequence })));
  return { units, dependence };
}

/** Says how many frames failed. @param butThey what follows of it, as "are in no figure" */
export function sayFailed({ length }: readonly FailedFrame[], butThey: string, say: (text: string) => void): void {
  if (length > 0) say(`${length} frames failed; they ${butThey}.`);
}

/** Runs every frame through the camera and the service. Resolves to those that failed; the others are `seen`. */
export function runEach<Seen extends NamedFrame>(
  frames: readonly Seen[],
  { machine, visionName, cameraName }: SeeingMachine,
  say: (text: string) => void,
  seen: (frame: Seen, picture: Frame, run: FrameRun, sizeBytes: number) => void,
): Promise<readonly FailedFrame[]> {
  let count = 0;
  const look = async (frame: Seen, picture: Frame, sizeBytes: number): Promise<void> => {
    const run = await machine.run({ frame: picture, cameraName, serviceName: visionName });
    if (!run.result) throw run.failure?.cause ?? new Error('It gave nothing.');
    seen(frame, picture, run, sizeBytes);
  };
  return lookAtEach(frames, look, ({ name }) => say(`${++count}/${frames.length} ${name}`));
}

type NamedFrame = Pick<TrueFrame, 'name' | 'bytes'>;

/** Decodes every frame and looks at it. Resolves to those that failed. */
export async function lookAtEach<Seen extends NamedFrame>(
  frames: readonly Seen[],
  look: (frame: Seen, picture: Frame, sizeBytes: number) => Promise<void>,
  looked: (frame: Seen) => void = () => undefined,
): Promise<readonly FailedFrame[]> {
  const failed: FailedFrame[] = [];
  for (const frame of frames) {
    try {
      const bytes = await frame.bytes();
      await look(frame, decodePicture(frame.name, bytes), bytes.length);
    } catch (error) {
      failed.push({ frame: frame.name, error: reportOf(error) });
    }
    looked(frame);
  }
  return failed;
}

function decodePicture(name: string, bytes: Uint8Array): Frame {
  const frame = decodeStill(bytes);
  if (frame) return frame;
  throw new Error(`"${name}" is neither PNG nor JPEG, which only a browser reads.`);
}

/** What the steps of the camera made of the picture. */
export function tracedStages({ stages }: FrameRun, chain: CameraChain | null, source: Frame): readonly TracedStage[] {
  return stages.map(({ step, frame: { widthPx, heightPx } }, at) => ({
    step: step < 0 ? null : (chain?.steps[step]?.step ?? null),
    widthPx,
    heightPx,
    ...(at === 0 && { uncut: { widthPx: source.widthPx, heightPx: source.heightPx } }),
  }));
}

/** Gives each raw result of the run, with its box on the source picture in pixels. */
export function addDetections(
  { result }: FrameRun,
  stages: readonly TracedStage[],
  add: (label: string, box: Box, score: number) => void,
): void {
  const raw = result!.detections;
  if (!raw) return;
  const { row: rows, box } = detectionsOnSource(raw, stages);
  for (const [at, row] of rows.entries())
    add(raw.labels[raw.labelIndex[row]!]!, box.subarray(4 * at, 4 * at + 4) as unknown as Box, raw.score[row]!);
}

/** @returns how much truth was left out or is ignored, as the camera does not show enough of it */
function addTruth(
  { boxes }: TrueFrame,
  stages: readonly TracedStage[],
  add: (
    label: string,
    ...given: Parameters<TruthSetBuilder['add']> extends [number, number, ...infer Rest] ? Rest : never
  ) => void,
): number {
  const region = regionOnSource(stages);
  let cutAway = 0;
  for (const { label, box, ...traits } of boxes) {
    if (stages.length === 1) {
      add(label, box, traits);
      continue;
    }
    const seen = truthSeen(box, region);
    if (!seen || seen.isIgnored) cutAway++;
    if (!seen) continue;
    add(label, seen.box, traitsSeen(box, traits, seen));
  }
  return cutAway;
}
