import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { activated, activationOption, areProbabilities } from '../../attach/activation.ts';
import { cornersOfOffsets, pointsOfOffsets, priorTable } from '../../attach/priors.ts';
import { everyClassSuppressed, withKeyPoints } from '../../attach/suppressed.ts';
import { notThisFamily, specificity, type Detections, type Family, type Head } from '../../structure/family.ts';
import type { ModelStructure } from '../../structure/model-structure.ts';
import {
  iouThreshold,
  keyPointsOption,
  maxCandidates,
  maxDetections,
  scoreThreshold,
  type ChoiceOption,
} from '../../structure/options.ts';
import { boxPair, type BoxPair } from '../parts/box-pair.ts';
import { priorCount, priorSets, priorsOf, type PriorSet } from '../parts/prior-sets.ts';
import { pictureText, rowsWithoutBatch, type RawOutput } from '../parts/raw-output.ts';

const priorsOption = ([usual, ...others]: readonly PriorSet[]): ChoiceOption => ({
  kind: 'choice',
  key: 'priors',
  about: 'The prior boxes that the model was trained with; it says only offsets to them.',
  choices: [usual!, ...others].map(({ id }) => id),
  usual: usual!.id,
});

/** Scores [1, N, 1+C], a background first, and offsets [1, N, 4] to priors that the file does not have: they follow from N and the input. */
export const ssdRaw: Family = {
  id: 'ssd-raw',
  name: 'SSD, UltraFace, RetinaFace as offsets to priors',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const pair = boxPair(model) ?? boxPair(model, rowsWithoutBatch(model));
    if (!pair || pair.scores.columns < 2) {
      return notThisFamily('its outputs are not scores [1, candidates, 1 + classes] and offsets [1, candidates, 4]');
    }
    const { boxes, scores, beside } = pair;
    if (boxes.operators.has('Exp'))
      return notThisFamily('an exponential makes sizes of its boxes, so they are not offsets');
    const sets = setsFor(model, pair);
    if (sets.length === 0) {
      return notThisFamily(
        `${boxes.rows} candidates are of no published set of priors for a ${pictureText(picture)} picture`,
        1,
      );
    }
    const points = beside.find(arePoints) ?? null;
    const names = sets.map(({ name }) => name);
    const setOf = (id: unknown) => sets.find((set) => set.id === id) ?? sets[0]!;
    return {
      fits: true,
      evidence: [
        `Outputs "${scores.name}" ${scores.shapeText} and "${boxes.name}" ${boxes.shapeText} have a row a prior box.`,
        'Nothing in the graph makes boxes of the offsets, and nothing has suppressed them.',
        boxes.rows === -1
          ? `Two scores and five key points a row are those of ${names[0]!}.`
          : `${boxes.rows} priors for a ${pictureText(picture)} picture are those of ${names.join(', or of ')}.`,
        `The first of ${scores.columns} classes is the background.`,
        ...beside.filter((output) => output !== points).map(({ name }) => `"${name}" is left out.`),
        ...(points ? [`"${points.name}" has ${points.columns === 10 ? 'five' : 'four'} key points a row.`] : []),
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: scores.columns - 1,
      leavesOutBackground: true,
      options: [
        scoreThreshold(0.05),
        iouThreshold(sets[0]!.iou),
        maxDetections(),
        maxCandidates,
        priorsOption(sets),
        activationOption(areProbabilities(scores.operators), 'softmax'),
        ...(points ? [keyPointsOption] : []),
      ],
      preprocessing: sets[0]!.preprocessing,
      preprocessingOf: ({ priors }) => setOf(priors).preprocessing,
      outputs: [scores.name, boxes.name],
      outputsOf: ({ keyPoints }) => [scores.name, boxes.name, ...(keyPoints === 'keep' ? [points!.name] : [])],
      attach: (head) => attach(head, pair, points, setOf(head.choice('priors'))),
    };
  },
};

/** Those with as many priors, best first: channels stand last in TensorFlow, which writes y first, and key points are of RetinaFace. */
function setsFor({ picture }: ModelStructure, { boxes, scores, beside }: BoxPair): readonly PriorSet[] {
  const hasPoints = beside.some(arePoints);
  const isYFirst = picture!.layout === 'nhwc';
  const isLikely = (set: PriorSet) =>
    Number(set.hasPoints === hasPoints) + Number((set.coding.order === 'y first') === isYFirst);
  if (boxes.rows === -1) return hasPoints && scores.columns === 2 ? priorSets.filter((set) => set.hasPoints) : [];
  return priorSets
    .filter((set) => priorCount(set, picture!) === boxes.rows)
    .toSorted((a, b) => isLikely(b) - isLikely(a));
}

/** x and y of the five points of a face, or of the four corners of a plate. */
function arePoints({ columns }: RawOutput): boolean {
  return columns === 10 || columns === 8;
}

function attach(head: Head, { boxes, scores }: BoxPair, points: RawOutput | null, set: PriorSet): Detections {
  const { build } = head;
  const priors = priorsOf(set, head.size);
  const count = priors.length;
  const table = priorTable(head, priors);
  const offsets = reshape(build, head.output(boxes.name), [count, 4]);
  const all = activated(head, reshape(build, head.output(scores.name), [1, count, scores.columns]));
  const classes = slice(build, all, 2, 1, scores.columns);
  const found = { scores: classes, classCount: scores.columns - 1 };
  const ofIndex = (tensor: string, index: string) => build.add('Gather', [tensor, index], { axis: { int: 0 } });
  const boxesOf = (index: string) => cornersOfOffsets(head, ofIndex(offsets, index), ofIndex(table, index), set.coding);
  if (!points) return everyClassSuppressed(head, found, boxesOf);
  const pointCount = points.columns / 2;
  const pointsOf = (index: string) => {
    const rows = reshape(build, head.output(points.name), [count, points.columns]);
    return pointsOfOffsets(head, ofIndex(rows, index), ofIndex(table, index), pointCount, set.coding.variances[0]);
  };
  return withKeyPoints(head, { count: pointCount, unit: 'proportional', pointsOf }, (furtherOf) =>
    everyClassSuppressed(head, found, boxesOf, furtherOf),
  );
}
