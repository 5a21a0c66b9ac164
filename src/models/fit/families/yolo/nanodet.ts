import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { cornersOfDistances } from '../../attach/distances.ts';
import { gridRows, stridesOf } from '../../attach/grid.ts';
import { everyClassSuppressed } from '../../attach/suppressed.ts';
import {
  asImageNet,
  notThisFamily,
  specificity,
  type Family,
  type Head,
  type Preprocessing,
} from '../../structure/family.ts';
import type { ModelStructure } from '../../structure/model-structure.ts';
import {
  iouThreshold,
  maxCandidates,
  maxDetections,
  scoreThreshold,
  type ChoiceOption,
} from '../../structure/options.ts';
import { joinLevels, levelOutputs, levelsOf, type LevelOutput, type Levels } from './level-outputs.ts';
import { rawOutputs } from '../parts/raw-output.ts';

/** Bins that such heads spread each of four distances over, the usual first; NanoDet-g has 11. */
const usualBins = [8, 11, 17];

const cellPoint = (usual: 'middle' | 'corner'): ChoiceOption => ({
  kind: 'choice',
  key: 'cellPoint',
  about: 'Where in its cell the distances of a box are measured from.',
  choices: ['middle', 'corner'],
  usual,
});

/** A head that was found, in separate tensors or in one. */
interface DistributionHead extends Levels {
  readonly classCount: number;
  readonly bins: number;
  readonly isLogits: boolean;
  readonly evidence: string;
  readonly outputs: readonly string[];
  /** [1, N, C] and [1, N, 4·bins] */
  readonly tensors: (head: Head) => { readonly scores: string; readonly distances: string };
}

/** Class scores, and of each of a box's four distances a distribution over bins, in grids of strides 8, 16, 32 and maybe 64. */
export const nanodet: Family = {
  id: 'nanodet',
  name: 'NanoDet, PicoDet, GFL',
  kind: 'detections',
  recognise(model) {
    if (!model.picture) return notThisFamily('its first input is not a picture');
    const found = inLevels(model) ?? inOne(model);
    if (typeof found === 'string') return notThisFamily(found);
    const isPlus = found.outputs.length === 1 && found.strides.length === 4;
    const isPico = found.outputs.length > 1 && found.strides.length === 4;
    return {
      fits: true,
      evidence: [
        found.evidence,
        `Each of a box's four distances is spread over ${found.bins} bins, which a softmax is to weigh.`,
        `Rows are one a cell of the grids of strides ${found.strides.join(', ')}.`,
      ],
      specificity: specificity.signature,
      ...found.size,
      classCount: found.classCount,
      options: [
        scoreThreshold(0.05),
        iouThreshold(0.6),
        maxDetections(),
        maxCandidates,
        cellPoint(isPlus ? 'corner' : 'middle'),
      ],
      preprocessing: isPico ? { colour: 'rgb', ...asImageNet, letterbox: null } : nanodetFeeding,
      outputs: found.outputs,
      attach: (head) => {
        const { scores, distances } = found.tensors(head);
        const { build } = head;
        const rows = gridRows(head.size, found.strides);
        const offset = head.choice('cellPoint') === 'middle' ? 0.5 : 0;
        const activated = found.isLogits ? build.add('Sigmoid', [scores]) : scores;
        return everyClassSuppressed(head, { scores: activated, classCount: found.classCount }, (index) => {
          const ofIndex = build.add('Gather', [distances, index], { axis: { int: 1 } });
          return cornersOfDistances(head, expected(head, ofIndex, found.bins), index, {
            rows,
            offset,
            isClipped: true,
          });
        });
      },
    };
  },
};

/** Bytes in BGR less the mean of ImageNet, over its deviation; stretched. */
const nanodetFeeding: Preprocessing = {
  colour: 'bgr',
  mean: [103.53 / 255, 116.28 / 255, 123.675 / 255],
  stdDev: [57.375 / 255, 57.12 / 255, 58.395 / 255],
  letterbox: null,
};

/** Class scores and distributions in a tensor each a stride; null where there are no such pairs. */
function inLevels(model: ModelStructure): DistributionHead | null {
  const groups = levelOutputs(model).filter(({ length }) => length === 3 || length === 4);
  if (groups.length !== 2 || groups[0]!.length !== groups[1]!.length) return null;
  const isSigmoid = (group: readonly LevelOutput[]) => group.every(({ operators }) => operators.has('Sigmoid'));
  const [distances, ...rivals] = groups.filter((group) => !isSigmoid(group) && binsOf(group[0]!.columns) !== null);
  const scores = groups.find((group) => group !== distances);
  if (!distances || !scores || rivals.length > 0) return null;
  const levels = levelsOf(
    model.picture!,
    scores.map(({ rows }) => rows),
    1,
  );
  if (!levels || distances.some(({ rows }, k) => rows !== scores[k]!.rows)) return null;
  const names = (group: readonly LevelOutput[]) => group.map(({ name }) => `"${name}"`).join(', ');
  return {
    ...levels,
    classCount: scores[0]!.columns,
    bins: binsOf(distances[0]!.columns)!,
    isLogits: !isSigmoid(scores),
    evidence: `Outputs ${names(scores)} have the scores of ${scores[0]!.columns} classes, and ${names(distances)} the distances of the boxes, a tensor a stride.`,
    outputs: [...scores, ...distances].map(({ name }) => name),
    tensors: (head) => ({ scores: joinLevels(head, scores), distances: joinLevels(head, distances) }),
  };
}

/** Both in one tensor [1, N, C + 4·bins]; else why not. */
function inOne(model: ModelStructure): DistributionHead | string {
  const { picture, labels } = model;
  const bins = usualBins[0]!;
  const output = rawOutputs(model).find(({ rows, columns }) => columns > 4 * bins && rows > 0);
  if (!output || model.outputs.length > 1) {
    return 'its outputs are neither class scores and distributions, a pair a stride, nor one of both';
  }
  const strides = stridesOf(picture!, output.rows, 1);
  if (!strides) {
    return `${output.rows} rows are not one a cell of the grids of a ${picture!.widthPx}×${picture!.heightPx} picture`;
  }
  if (output.operators.has('Exp') || output.operators.has('Mul')) return 'its boxes are decoded in the graph';
  // One for the class scores of each grid; heads with an objectness have twice as many, or one for both.
  const sigmoids = output.operators.get('Sigmoid') ?? 0;
  if (sigmoids !== strides.length) {
    return `${sigmoids} sigmoids are not one for the class scores of each grid`;
  }
  const columns = output.columns - (labels?.length ?? 0);
  const usual = usualBins.find((count) => labels !== null && columns === 4 * count) ?? bins;
  const classCount = output.columns - 4 * usual;
  return {
    strides,
    size: { widthPx: picture!.widthPx, heightPx: picture!.heightPx },
    classCount,
    bins: usual,
    isLogits: false,
    evidence: `Output "${output.name}" ${output.shapeText} has the scores of ${classCount} classes, one sigmoid a grid and no objectness, before the distances of the boxes.`,
    outputs: [output.name],
    tensors: (head) => {
      const all = head.output(output.name);
      return {
        scores: slice(head.build, all, 2, 0, classCount),
        distances: slice(head.build, all, 2, classCount, output.columns),
      };
    },
  };
}

function binsOf(columns: number): number | null {
  return usualBins.find((bins) => columns === 4 * bins) ?? null;
}

/** [1, T, 4·bins] → [T,4], the means of the distributions. */
function expected({ build }: Head, distributions: string, bins: number): string {
  const rows = reshape(build, distributions, [-1, bins]);
  const weights = build.add('Softmax', [rows], { axis: { int: 1 } });
  const places = build.floats(
    [bins, 1],
    Array.from({ length: bins }, (_, k) => k),
  );
  return reshape(build, build.add('MatMul', [weights, places]), [-1, 4]);
}
