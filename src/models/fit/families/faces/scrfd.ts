import { reshape } from '../../../onnx/face/graphs.ts';
import { cornersOfDistances } from '../../attach/distances.ts';
import { gridRows } from '../../attach/grid.ts';
import { everyClassSuppressed, withKeyPoints } from '../../attach/suppressed.ts';
import { notThisFamily, specificity, type Family } from '../../structure/family.ts';
import {
  iouThreshold,
  keyPointsOption,
  maxCandidates,
  maxDetections,
  scoreThreshold,
} from '../../structure/options.ts';
import { joinLevels, levelOutputs, levelsOf, pointsOnGrid } from '../yolo/level-outputs.ts';

/** Faces: a score [N, 1], distances [N, 4] and maybe key points [N, 10] a stride, two boxes a cell. */
export const scrfd: Family = {
  id: 'scrfd',
  name: 'SCRFD',
  kind: 'detections',
  recognise(model) {
    if (!model.picture) return notThisFamily('its first input is not a picture');
    const groups = levelOutputs(model);
    const ofColumns = (columns: number) => groups.filter(([level]) => level!.columns === columns);
    const [[scores, ...otherScores], [boxes, ...otherBoxes]] = [ofColumns(1), ofColumns(4)];
    if (!scores || !boxes || otherScores.length > 0 || otherBoxes.length > 0 || scores.length !== boxes.length) {
      return notThisFamily('its outputs are not one score [N, 1] and one box [N, 4] a stride');
    }
    const rows = scores.map((level) => level.rows);
    const anchors = [2, 1].find((count) => levelsOf(model.picture!, rows, count) !== null);
    const levels = anchors === undefined ? null : levelsOf(model.picture, rows, anchors);
    if (scores.length < 3 || !levels || boxes.some((level, k) => level.rows !== rows[k])) {
      return notThisFamily(`rows ${rows.join(', ')} are not two or one a cell of grids of strides 8, 16, 32`);
    }
    const [points = null] = ofColumns(10).filter((group) => group.every((level, k) => level.rows === rows[k]));
    const isSigmoid = scores.every(({ operators }) => operators.has('Sigmoid'));
    return {
      fits: true,
      evidence: [
        `Outputs ${scores.map(({ name }) => `"${name}"`).join(', ')} have one score a row, and ${boxes.map(({ name }) => `"${name}"`).join(', ')} the distances of its box, a tensor a stride.`,
        `Rows are ${anchors} a cell of the grids of strides ${levels.strides.join(', ')}.`,
        ...(points ? ['Five key points a row stand beside them.'] : []),
      ],
      specificity: specificity.signature,
      ...levels.size,
      classCount: 1,
      options: [
        scoreThreshold(0.02),
        iouThreshold(0.4),
        maxDetections(),
        maxCandidates,
        ...(points ? [keyPointsOption] : []),
      ],
      preprocessing: {
        colour: 'rgb',
        mean: [0.5, 0.5, 0.5],
        stdDev: [128 / 255, 128 / 255, 128 / 255],
        letterbox: { border: 0, at: 'top-left' },
      },
      outputs: [...scores, ...boxes].map(({ name }) => name),
      outputsOf: ({ keyPoints }) =>
        [...scores, ...boxes, ...(keyPoints === 'keep' ? points! : [])].map(({ name }) => name),
      attach: (head) => {
        const { build } = head;
        const rowsOfGrid = gridRows(head.size, levels.strides, anchors);
        const grid = { rows: rowsOfGrid, offset: 0, isClipped: false } as const;
        const joined = joinLevels(head, scores);
        const distances = reshape(build, joinLevels(head, boxes), [-1, 4]);
        const activated = isSigmoid ? joined : build.add('Sigmoid', [joined]);
        const found = { scores: activated, classCount: 1 };
        const ofIndex = (tensor: string, index: string) => build.add('Gather', [tensor, index], { axis: { int: 0 } });
        const boxesOf = (index: string) => cornersOfDistances(head, ofIndex(distances, index), index, grid);
        if (!points) return everyClassSuppressed(head, found, boxesOf);
        return withKeyPoints(head, pointsOnGrid(head, points, rowsOfGrid), (furtherOf) =>
          everyClassSuppressed(head, found, boxesOf, furtherOf),
        );
      },
    };
  },
};
