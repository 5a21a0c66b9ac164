import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { cornersOfOffsets, pointsOfOffsets, priorTable } from '../../attach/priors.ts';
import { everyClassSuppressed, withKeyPoints } from '../../attach/suppressed.ts';
import { asBytes, notThisFamily, specificity, type Family } from '../../structure/family.ts';
import {
  iouThreshold,
  keyPointsOption,
  maxCandidates,
  maxDetections,
  scoreThreshold,
} from '../../structure/options.ts';
import { levelOutputs } from '../yolo/level-outputs.ts';
import { faceSidesPx, faceStrides, priorsOf, squareGrids } from '../parts/prior-sets.ts';
import { pictureText } from '../parts/raw-output.ts';

/** Cells that do not fit whole are left out, each grid halving the one before. */
const priors = {
  grids: squareGrids(faceStrides, faceSidesPx, (sizePx, stride) => Math.floor(sizePx / stride)),
  isClipped: false,
};
const coding = { variances: [0.1, 0.2], order: 'x first' } as const;

/** Faces: of every prior offsets with five key points [N, 14], two class scores [N, 2] and how well the box fits [N, 1]. */
export const yunetPriors: Family = {
  id: 'yunet-priors',
  name: 'YuNet of 2021 and 2022',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const groups = levelOutputs(model);
    const ofColumns = (columns: number) => groups.find(([level]) => level!.columns === columns)?.[0];
    const [boxes, scores, fits] = [ofColumns(14), ofColumns(2), ofColumns(1)];
    if (!boxes || !scores || !fits || model.outputs.length !== 3) {
      return notThisFamily('its outputs are not offsets with key points [N, 14], scores [N, 2] and overlaps [N, 1]');
    }
    const isSized = picture.widthPx > 0 && picture.heightPx > 0;
    const priorsOfPicture = isSized ? priorsOf(priors, picture).length : -1;
    if ([boxes, scores, fits].some(({ rows }) => rows !== -1 && rows !== priorsOfPicture)) {
      return notThisFamily(
        `${boxes.rows} candidates are not the ${priorsOfPicture} priors of a ${pictureText(picture)} picture`,
        2,
      );
    }
    const isSoftmax = scores.operators.has('Softmax');
    return {
      fits: true,
      evidence: [
        `Outputs "${boxes.name}" ${boxes.shapeText}, "${scores.name}" ${scores.shapeText} and "${fits.name}" ${fits.shapeText} are offsets with five key points, two class scores and an overlap a prior.`,
        `Priors are squares of 10 to 256 pixels in grids of strides ${faceStrides.join(', ')}.`,
        'The score is the square root of the face score times the overlap.',
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: 1,
      options: [scoreThreshold(0.05), iouThreshold(0.3), maxDetections(), maxCandidates, keyPointsOption],
      preprocessing: { colour: 'bgr', ...asBytes, letterbox: null },
      outputs: [boxes.name, scores.name, fits.name],
      attach: (head) => {
        const { build } = head;
        const boxesOfPriors = priorsOf(priors, head.size);
        const count = boxesOfPriors.length;
        const raw = reshape(build, head.output(scores.name), [1, count, 2]);
        const classes = isSoftmax ? raw : build.add('Softmax', [raw], { axis: { int: 2 } });
        const overlaps = reshape(build, head.output(fits.name), [1, count, 1]);
        const within = build.add('Max', [build.add('Min', [overlaps, build.floats([], [1])]), build.floats([], [0])]);
        const found = build.add('Sqrt', [build.add('Mul', [slice(build, classes, 2, 1, 2), within])]);
        const rows = reshape(build, head.output(boxes.name), [count, 14]);
        const table = priorTable(head, boxesOfPriors);
        const ofIndex = (tensor: string, index: string) => build.add('Gather', [tensor, index], { axis: { int: 0 } });
        const boxesOf = (index: string) =>
          cornersOfOffsets(head, slice(build, ofIndex(rows, index), 1, 0, 4), ofIndex(table, index), coding);
        const pointsOf = (index: string) =>
          pointsOfOffsets(
            head,
            slice(build, ofIndex(rows, index), 1, 4, 14),
            ofIndex(table, index),
            5,
            coding.variances[0],
          );
        return withKeyPoints(head, { count: 5, unit: 'proportional', pointsOf }, (furtherOf) =>
          everyClassSuppressed(head, { scores: found, classCount: 1 }, boxesOf, furtherOf),
        );
      },
    };
  },
};
