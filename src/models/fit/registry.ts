import { FitError } from './structure/fit-error.ts';
import { shapeText } from '../../machine/vision/face/feeding.ts';
import type { Family, NotThisFamily, Recognition } from './structure/family.ts';
import { bestClasses } from './families/parts/best-classes.ts';
import { blazeFace } from './families/faces/blazeface.ts';
import { centerFace } from './families/faces/centerface.ts';
import { classifier } from './families/classifier.ts';
import { detr } from './families/detr/detr.ts';
import { efficientDet } from './families/ssd/efficientdet.ts';
import { fastestDet } from './families/yolo/fastestdet.ts';
import { fastestDetMap } from './families/yolo/fastestdet-map.ts';
import { fitted } from './families/fitted.ts';
import { fomo } from './families/fomo.ts';
import { guided } from './families/guided/guided.ts';
import { nanodet } from './families/yolo/nanodet.ts';
import { rtDetr } from './families/detr/rt-detr.ts';
import { rtDetrRows } from './families/detr/rt-detr-rows.ts';
import { scoredBoxes } from './families/parts/scored-boxes.ts';
import { scoredGrid } from './families/parts/scored-grid.ts';
import { scrfd } from './families/faces/scrfd.ts';
import { ssdDecoded } from './families/ssd/ssd-decoded.ts';
import { ssdRaw } from './families/ssd/ssd-raw.ts';
import { tfDetection } from './families/ssd/tf-detection.ts';
import { yoloEndToEnd } from './families/yolo/yolo-end-to-end.ts';
import { yoloFastestV2 } from './families/yolo/yolo-fastest-v2.ts';
import { yoloV5 } from './families/yolo/yolo-v5.ts';
import { yoloV8 } from './families/yolo/yolo-v8.ts';
import { yolox } from './families/yolo/yolox.ts';
import { yunet } from './families/faces/yunet.ts';
import { yunetPriors } from './families/faces/yunet-priors.ts';
import type { ModelStructure } from './structure/model-structure.ts';
import { findOtherKind } from './other-kinds/find-other-kind.ts';

/** Every family, one a file. A new one is its file, its test and a line here. */
export const families: readonly Family[] = [
  yoloV8,
  yoloV5,
  yoloEndToEnd,
  yolox,
  fastestDet,
  fastestDetMap,
  fomo,
  yoloFastestV2,
  scoredGrid,
  bestClasses,
  rtDetr,
  rtDetrRows,
  detr,
  ssdDecoded,
  ssdRaw,
  nanodet,
  scoredBoxes,
  tfDetection,
  scrfd,
  yunet,
  yunetPriors,
  centerFace,
  blazeFace,
  efficientDet,
  classifier,
];

type Tried = Recognition | NotThisFamily;

/** More families that a model is none of help nobody. */
const mostReasons = 5;

export interface Candidate {
  readonly family: Family;
  readonly recognition: Recognition;
}

/**
 * The families that fit, best first; a family asked for by its id comes alone. Never empty.
 *
 * @throws FitError unknown-family, not-this-family, other-kind, lost-in-steps, unrecognised
 */
export function recogniseFamily(model: ModelStructure, asked: string | null): readonly [Candidate, ...Candidate[]] {
  if (asked !== null) return [askedFor(model, asked)];
  const tried = families.map((family) => ({ family, recognition: family.recognise(model) }));
  const candidates = tried
    .flatMap(({ family, recognition }) => (recognition.fits ? [{ family, recognition }] : []))
    .toSorted((a, b) => b.recognition.specificity - a.recognition.specificity);
  const [best, ...others] = candidates;
  const other = best && best.family !== classifier ? null : findOtherKind(model);
  if (other) throw new FitError('other-kind', `This model ${other.is}. ${other.seen} ${other.machine}`);
  if (best) return [unharmed(best), ...others];
  throw new FitError('unrecognised', `No known family of models. ${describeModel(model)} ${whyNone(tried)}`);
}

/** What keeps a model from being of the families that are near. */
function whyNone(tried: readonly { family: Family; recognition: Tried }[]): string {
  const near = tried
    .flatMap(({ family: { name }, recognition }) =>
      recognition.fits || recognition.nearness === 0 ? [] : [{ name, ...recognition }],
    )
    .toSorted((a, b) => b.nearness - a.nearness)
    .slice(0, mostReasons);
  return near.length > 0
    ? near.map(({ name, why }) => `Not ${name}: ${why}.`).join(' ')
    : `Its outputs have the shapes of none of them: ${families.map(({ name }) => name).join('; ')}.`;
}

function askedFor(model: ModelStructure, id: string): Candidate {
  const family = [...families, guided, fitted].find((candidate) => candidate.id === id);
  if (!family) {
    throw new FitError(
      'unknown-family',
      `There is no family "${id}". Families: ${[...families, guided].map((f) => f.id).join(', ')}.`,
    );
  }
  const recognition = family.recognise(model);
  if (recognition.fits) return unharmed({ family, recognition });
  throw new FitError(
    'not-this-family',
    `The model is not a ${family.name}: ${recognition.why}. ${describeModel(model)}`,
  );
}

/** @throws FitError lost-in-steps */
function unharmed(candidate: Candidate): Candidate {
  const { family, recognition } = candidate;
  if (recognition.lost)
    throw new FitError('lost-in-steps', `Its quantisation has broken this model (${family.name}). ${recognition.lost}`);
  return candidate;
}

function describeModel({ inputs, outputs }: ModelStructure): string {
  const list = (tensors: ModelStructure['inputs']) =>
    tensors.map(({ name, dtype, shape }) => `"${name}" ${dtype} ${shapeText(shape)}`).join(', ');
  return `Seen: inputs ${list(inputs)}; outputs ${list(outputs)}.`;
}
