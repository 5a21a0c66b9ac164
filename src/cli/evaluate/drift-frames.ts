import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { canonicalSha256 } from '../../evidence/certificate/canonical-json.ts';
import { certifiedEntry } from '../../evidence/certificate/certified-entry.ts';
import { imagesSha256 } from '../../evidence/certificate/images-sha256.ts';
import { isImagePath, type SizePx } from '../../evidence/datasets/face/items.ts';
import { dependentPictures, groupNames, type PictureOfSet } from '../../evidence/datasets/face/independence.ts';
import { greyCopy, measuredSize, pictureHash, pictureStatistics } from '../../evidence/datasets/face/health.ts';
import type { AnsweredBy } from '../../evidence/drift/compare-frames.ts';
import { readDriftReference, type DriftReference } from '../../evidence/drift/drift-reference.ts';
import type { BoxFeatures, FrameFeatures } from '../../evidence/drift/frame-features.ts';
import { readCocoResults, readCocoTruth } from '../../evidence/evaluation/face/matches.ts';
import { serviceThresholds } from '../../machine/vision/face/filters.ts';
import { errorCode } from '../../machine/vision/face/errors.ts';
import { type Frame, toRgba8 } from '../../machine/vision/face/frames.ts';
import { loadedModels } from './certify.ts';
import { CliError, reportOf } from '../record/cli-error.ts';
import type { OpenedService } from './evaluate.ts';
import { listFolder } from '../shared/list-folder.ts';
import type { SideOptions } from './evaluate-records.ts';
import { readJsonFile } from '../shared/read-json-file.ts';
import { frameOf, readTruth, recordedOf, type TrueFrame } from './read-truth.ts';
import { addDetections, lookAtEach, runEach, tracedStages, type FailedFrame } from './see-frames.ts';

/** A box of a frame, in pixels of the picture as it is stored; `score` is null where a person drew it. */
interface FoundBox extends Pick<BoxFeatures, 'label' | 'score'> {
  readonly widthPx: number;
  readonly heightPx: number;
}

interface FoundFrame extends Omit<TrueFrame, 'boxes'> {
  readonly boxes: readonly FoundBox[];
  /** the size that the boxes are of, where a file states it; default: the picture's */
  readonly boxesOfPx?: SizePx | null;
}

/** One side of the comparison. */
export interface MeasuredFrames extends Pick<DriftReference, 'frames'> {
  readonly images: NonNullable<DriftReference['images']>;
  /** time of the newest frame, in ms since 1970; null: no frame has a recorded time */
  readonly untilMs: number | null;
  readonly failed: readonly FailedFrame[];
}

type Say = (text: string) => void;

/** A reference that was kept; null: the path names frames. @throws DriftReferenceError */
export async function readKept(path: string): Promise<DriftReference | null> {
  if (extname(path).toLowerCase() !== '.json') return null;
  const text = await readFile(path, 'utf8');
  return isReference(text) ? readDriftReference(text) : null;
}

const isReference = (text: string): boolean => /^\s*\{\s*"format"\s*:\s*"sightglass-drift-reference"/.test(text);

/** Refuses to overwrite what is no reference: a mistyped path of `--keep` could name a dataset. @throws CliError */
export async function requireNoOtherFile(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error, '') === 'ENOENT') return null;
    throw error;
  });
  if (text !== null && !isReference(text))
    throw new CliError('not-a-reference', `"${path}" is there, and is not a drift reference: --keep does not overwrite it. Name another file.`); // prettier-ignore
}

/** A result file does not name its model: whoever gives one for each side says that both are of the same model. */
const byResults = 'result files';

/** Identifies what gives the boxes of a side: a service with its configuration and models, or result files; null: labels. */
export function answererOf(side: SideOptions, opened: OpenedService | null): AnsweredBy {
  if (!opened) return side.resultsPath === null ? null : byResults;
  const { config, loaded, visionName, cameraName, probed } = opened;
  const entry = certifiedEntry(config, visionName, cameraName)!;
  const models = loadedModels(entry, loaded).map(({ service, sha256 }) => [service, sha256]);
  return canonicalSha256({ entry, models, labels: probed.service.labels });
}

/**
 * Measures every frame of a side, with the boxes that the service keeps of it, or, without a service, those of its
 * results or labels.
 *
 * @throws CliError, CocoFileError, DatasetError
 */
export async function measureSide(
  side: SideOptions,
  opened: OpenedService | null,
  { say, areIndependent }: { readonly say: Say; readonly areIndependent: boolean },
): Promise<MeasuredFrames> {
  const frames = side.resultsPath === null ? await labelledFrames(side, say) : await answeredFrames(side, say);
  const features: Omit<FrameFeatures, 'group'>[] = [];
  const pictures: PictureOfSet[] = [];
  const files: { readonly name: string; readonly sizeBytes: number }[] = [];
  const add = (frame: FoundFrame, picture: Frame, sizeBytes: number, boxes: readonly FoundBox[]): void => {
    const { name } = frame;
    const pixels = toRgba8(picture);
    const { widthPx, heightPx } = frame.boxesOfPx ?? picture;
    const pictureArea = widthPx * heightPx;
    features.push({
      id: createHash('sha256').update(pixels.samples).digest('hex'),
      name,
      statistics: pictureStatistics(greyCopy(pixels, measuredSize(pixels))),
      boxes: boxes.map(({ label, score, widthPx, heightPx }) => {
        return { label, score, area: Math.max(0, widthPx * heightPx) / pictureArea };
      }),
    });
    files.push({ name, sizeBytes });
    pictures.push({ recorded: recordedOf(frame), name, hash: pictureHash(pixels) });
  };
  const failed = opened
    ? await runEach(frames, opened, say, (frame, picture, run, sizeBytes) => {
        const { machine, cameraName, probed } = opened;
        const stages = tracedStages(run, cameraName === null ? null : machine.camera(cameraName), picture);
        const boxes: FoundBox[] = [];
        addDetections(run, stages, (label, [, , widthPx, heightPx], score) => {
          const [threshold] = serviceThresholds([label], probed.service.config);
          if (score >= threshold!) boxes.push({ label, widthPx, heightPx, score });
        });
        add(frame, picture, sizeBytes, boxes);
      })
    : await lookAtEach(frames, async (frame, picture, sizeBytes) => add(frame, picture, sizeBytes, frame.boxes));
  const cameras = [...new Set(frames.map(({ camera }) => camera))];
  const untilMs = frames.reduce((latest: number | null, { timeMs }) => (timeMs === null ? latest : Math.max(timeMs, latest ?? timeMs)), null); // prettier-ignore
  const groups = groupNames(dependentPictures(pictures, areIndependent), pictures);
  const grouped = features.map((one, at) => ({ ...one, group: groups[at]! }));
  return { frames: grouped, images: { sha256: imagesSha256(files), cameras }, untilMs, failed };
}

/** Frames with their labels, or pictures of a folder that has none. */
async function labelledFrames({ path, split }: SideOptions, say: Say): Promise<readonly FoundFrame[]> {
  const found = ({ boxes, ...frame }: TrueFrame): FoundFrame => ({
    ...frame,
    // A crowd stands for many objects, so its size says nothing of one.
    boxes: boxes
      .filter(({ isCrowd }) => !isCrowd)
      .map(({ label, box: [, , widthPx, heightPx] }) => ({ label, widthPx, heightPx, score: null })),
  });
  try {
    return (await readTruth(path, split, say)).frames.map(found);
  } catch (error) {
    if (reportOf(error).code !== 'unknown-format' || !(await stat(path)).isDirectory()) throw error;
    const pictures = (await listFolder(path)).filter((file) => isImagePath(file.path));
    if (pictures.length === 0) throw error;
    say(`${path}: no labels were found beside the pictures.`);
    return pictures.map((file) => found(frameOf(file.path, file, [])));
  }
}

/** Frames of COCO's truth with what a model said of them. */
async function answeredFrames({ path, resultsPath, threshold }: SideOptions, say: Say): Promise<readonly FoundFrame[]> {
  if (extname(path).toLowerCase() !== '.json')
    throw new CliError('no-coco', `Results in COCO's format number the images of a COCO file, got "${path}".`);
  const { frames } = await readTruth(path, null, say);
  const truth = readCocoTruth(await readJsonFile(path, 'truth'));
  const { detections } = readCocoResults(await readJsonFile(resultsPath!, 'result file'), truth);
  const boxes = frames.map((): FoundBox[] => []);
  for (const [row, score] of detections.score.entries()) {
    if (score < threshold) continue;
    const [, , widthPx, heightPx] = detections.box.subarray(4 * row, 4 * row + 4);
    const label = truth.space.labels[detections.label[row]!]!;
    boxes[detections.image[row]!]!.push({ label, widthPx: widthPx!, heightPx: heightPx!, score });
  }
  return frames.map((frame, image) => ({ ...frame, boxes: boxes[image]!, boxesOfPx: truth.images[image]!.sizePx }));
}
