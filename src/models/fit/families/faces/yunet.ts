import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { cornersOfCentres } from '../../attach/boxes.ts';
import { gridRows } from '../../attach/grid.ts';
import { everyClassSuppressed, withKeyPoints } from '../../attach/suppressed.ts';
import { asBytes, notThisFamily, specificity, type Family } from '../../structure/family.ts';
import {
  iouThreshold,
  keyPointsOption,
  maxCandidates,
  maxDetections,
  scoreThreshold,
} from '../../structure/options.ts';
import { joinLevels, levelOutputs, levelsOf, pointsOnGrid, type LevelOutput } from '../yolo/level-outputs.ts';

/**
 * The class scores and the face scores, level by level. Sorted by their rows, the model's order stands among equals, so the first of each
 * two is the class. Where the file does not say rows, all are equal: the classes of every level come first, as exports write them.
 */
function halves(scores: readonly LevelOutput[]): readonly [readonly LevelOutput[], readonly LevelOutput[]] {
  const isClass = (k: number) => (scores[0]!.rows === -1 ? 2 * k < scores.length : k % 2 === 0);
  return [scores.filter((_, k) => isClass(k)), scores.filter((_, k) => !isClass(k))];
}

/** Faces: two scores [N, 1], a box [N, 4] and five key points [N, 10] a stride, one box a cell. */
export const yunet: Family = {
  id: 'yunet',
  name: 'YuNet',
  kind: 'detections',
  recognise(model) {
    if (!model.picture) return notThisFamily('its first input is not a picture');
    const groups = levelOutputs(model);
    const ofColumns = (columns: number) => groups.find(([level]) => level!.columns === columns) ?? [];
    const [scores, boxes, points] = [ofColumns(1), ofColumns(4), ofColumns(10)];
    if (boxes.length < 3 || points.length !== boxes.length || scores.length !== 2 * boxes.length) {
      return notThisFamily('its outputs are not two scores [N, 1], a box [N, 4] and key points [N, 10] a stride');
    }
    if (!scores.every(({ operators }) => operators.has('Sigmoid'))) return notThisFamily('no sigmoid makes its scores');
    const [classes, faces] = halves(scores);
    const rows = boxes.map((level) => level.rows);
    const levels = levelsOf(model.picture, rows, 1);
    if (!levels || [classes, faces].some((half) => half.some((level, k) => level.rows !== rows[k]))) {
      return notThisFamily(`rows ${rows.join(', ')} are not one a cell of grids of strides 8, 16, 32`);
    }
    return {
      fits: true,
      evidence: [
        `Outputs ${scores.map(({ name }) => `"${name}"`).join(', ')} are two scores a row, of which a face needs both, beside boxes and five key points, a tensor a stride.`,
        `Rows are one a cell of the grids of strides ${levels.strides.join(', ')}.`,
      ],
      specificity: specificity.signature,
      ...levels.size,
      classCount: 1,
      options: [scoreThreshold(0.02), iouThreshold(0.3), maxDetections(), maxCandidates, keyPointsOption],
      preprocessing: { colour: 'bgr', ...asBytes, letterbox: null },
      outputs: [...scores, ...boxes].map(({ name }) => name),
      outputsOf: ({ keyPoints }) =>
        [...scores, ...boxes, ...(keyPoints === 'keep' ? points : [])].map(({ name }) => name),
      attach: (head) => {
        const { build } = head;
        const cells = gridRows(head.size, levels.strides);
        const both = build.add('Mul', [joinLevels(head, classes), joinLevels(head, faces)]);
        const raw = reshape(build, joinLevels(head, boxes), [-1, 4]);
        const found = { scores: build.add('Sqrt', [both]), classCount: 1 };
        const boxesOf = (index: string) => {
          const ofIndex = (tensor: string) => build.add('Gather', [tensor, index], { axis: { int: 0 } });
          const boxesOfIndex = ofIndex(raw);
          const corners = ofIndex(
            build.floats(
              [cells.length, 2],
              cells.flatMap(({ x, y }) => [x, y]),
            ),
          );
          const strides = ofIndex(
            build.floats(
              [cells.length, 1],
              cells.map(({ stride }) => stride),
            ),
          );
          const centre = build.add('Add', [slice(build, boxesOfIndex, 1, 0, 2), corners]);
          const inCells = build.add('Concat', [centre, build.add('Exp', [slice(build, boxesOfIndex, 1, 2, 4)])], {
            axis: { int: 1 },
          });
          return cornersOfCentres(head, build.add('Mul', [inCells, strides]), 'pixels');
        };
        return withKeyPoints(head, pointsOnGrid(head, points, cells), (furtherOf) =>
          everyClassSuppressed(head, found, boxesOf, furtherOf),
        );
      },
    };
  },
};
