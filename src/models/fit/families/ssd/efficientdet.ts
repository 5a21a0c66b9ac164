import { reshape } from '../../../onnx/face/graphs.ts';
import type { TensorInfo } from '../../../../machine/vision/face/feeding.ts';
import { activated, activationOption } from '../../attach/activation.ts';
import { cornersOfOffsets, priorTable, type Prior } from '../../attach/priors.ts';
import { everyClassSuppressed } from '../../attach/suppressed.ts';
import {
  asImageNet,
  notThisFamily,
  specificity,
  type Family,
  type Head,
  type Preprocessing,
} from '../../structure/family.ts';
import { gridCells, gridRows } from '../../attach/grid.ts';
import type { InputSize } from '../../structure/input-size.ts';
import type { ModelStructure, Picture } from '../../structure/model-structure.ts';
import {
  iouThreshold,
  maxCandidates,
  maxDetections,
  scoreThreshold,
  type NumberOption,
} from '../../structure/options.ts';
import { rawOutputs } from '../parts/raw-output.ts';

const strides = [8, 16, 32, 64, 128];
/** Tan et al. 2020: three octaves of three ratios, width and height of each. */
const octaves = [0, 1 / 3, 2 / 3].map((octave) => 2 ** octave);
const ratios = [
  [1, 1],
  [1.4, 0.7],
  [0.7, 1.4],
] as const;
const anchors = octaves.length * ratios.length;
const coding = { variances: [1, 1], order: 'y first' } as const;

/** Sides of the inputs of the Lite models whose anchors are smaller, and which take −1..1. */
const liteSidesPx = [320, 384, 448];

const anchorScale = (usual: number): NumberOption => ({
  kind: 'number',
  key: 'anchorScale',
  about: 'The side of the smallest anchor of a grid, in strides: 4, or 3 in the Lite models.',
  least: 1,
  most: 16,
  whole: false,
  usual,
});

/** A head that was found: class scores and offsets, in a tensor each or in one a stride. */
interface AnchorHead {
  readonly classCount: number;
  readonly evidence: string;
  readonly outputs: readonly string[];
  readonly isActivated: boolean;
  /** [1, N, C] and [N, 4] */
  readonly tensors: (head: Head) => { readonly scores: string; readonly offsets: string };
}

/** Class scores and offsets of nine anchors a cell of the grids of strides 8 to 128, without a background. */
export const efficientDet: Family = {
  id: 'efficientdet',
  name: 'EfficientDet as offsets to anchors',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture || picture.widthPx < 1) return notThisFamily('its first input is not a picture of a known size');
    const found = inOne(model, picture) ?? inLevels(model, picture);
    if (!found) {
      return notThisFamily('its outputs are not class scores and offsets of nine anchors a cell of strides 8 to 128');
    }
    const isLite = picture.widthPx === picture.heightPx && liteSidesPx.includes(picture.widthPx);
    const count = anchors * gridCells(picture, strides);
    return {
      fits: true,
      evidence: [
        found.evidence,
        `${count} rows are nine anchors a cell of the grids of strides ${strides.join(', ')}.`,
        'Nothing in the graph makes boxes of the offsets, and nothing has suppressed them.',
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: found.classCount,
      options: [
        scoreThreshold(0.05),
        iouThreshold(0.5),
        maxDetections(),
        maxCandidates,
        anchorScale(isLite ? 3 : 4),
        activationOption(found.isActivated, 'sigmoid'),
      ],
      preprocessing: isLite ? liteFeeding : { colour: 'rgb', ...asImageNet, letterbox },
      outputs: found.outputs,
      attach: (head) => {
        const { build } = head;
        const { scores, offsets } = found.tensors(head);
        const table = priorTable(head, anchorBoxes(head.size, head.number('anchorScale')));
        return everyClassSuppressed(
          head,
          { scores: activated(head, scores), classCount: found.classCount },
          (index) => {
            const ofIndex = (tensor: string) => build.add('Gather', [tensor, index], { axis: { int: 0 } });
            return cornersOfOffsets(head, ofIndex(offsets), ofIndex(table), coding);
          },
        );
      },
    };
  },
};

const letterbox = { border: 0, at: 'top-left' } as const;
const liteFeeding: Preprocessing = {
  colour: 'rgb',
  mean: [127 / 255, 127 / 255, 127 / 255],
  stdDev: [128 / 255, 128 / 255, 128 / 255],
  letterbox,
};

function anchorBoxes(size: InputSize, scale: number): Prior[] {
  const shapes = octaves.flatMap((octave) =>
    ratios.map(([width, height]) => [octave * width, octave * height] as const),
  );
  return gridRows(size, strides).flatMap(({ x, y, stride }) =>
    shapes.map(([width, height]) => ({
      x: ((x + 0.5) * stride) / size.widthPx,
      y: ((y + 0.5) * stride) / size.heightPx,
      width: (scale * stride * width) / size.widthPx,
      height: (scale * stride * height) / size.heightPx,
    })),
  );
}

/** Scores [1, N, C] and offsets [1, N, 4]; what else comes out, as the anchors themselves and features, is left out. */
function inOne(model: ModelStructure, picture: Picture): AnchorHead | null {
  const count = anchors * gridCells(picture, strides);
  const rows = rawOutputs(model).filter((output) => output.rows === count && output.columns > 0);
  // The anchors come out, too, of the same shape as the offsets, but of no layer with weights.
  const [offsets] = rows.filter(({ name, columns }) => columns === 4 && model.layersOf(name).size > 0);
  const [scores, ...rivals] = rows.filter((output) => output !== offsets && model.layersOf(output.name).size > 0);
  if (!offsets || !scores || rivals.length > 0 || offsets.operators.has('Exp')) return null;
  return {
    classCount: scores.columns,
    evidence: `Outputs "${scores.name}" ${scores.shapeText} and "${offsets.name}" ${offsets.shapeText} have a row an anchor.`,
    outputs: [scores.name, offsets.name],
    isActivated: scores.operators.has('Sigmoid'),
    tensors: ({ build, output }) => ({
      scores: output(scores.name),
      offsets: reshape(build, output(offsets.name), [count, 4]),
    }),
  };
}

/** An output as a grid: [1, channels, rows, columns], or with its channels last. */
interface GridOutput {
  readonly name: string;
  readonly channels: number;
  readonly isLast: boolean;
}

/** Scores of 9·C channels and offsets of 36, a pair a grid, in the shape of the grid. */
function inLevels({ outputs, headOf }: ModelStructure, picture: Picture): AnchorHead | null {
  if (outputs.length !== 2 * strides.length) return null;
  const levels = strides.map((stride) => outputs.flatMap((output) => gridOutput(output, picture, stride)));
  if (levels.some(({ length }) => length !== 2)) return null;
  const isOffsets = ({ channels }: GridOutput) => channels === 4 * anchors;
  const offsets = levels.flatMap((level) => level.filter(isOffsets));
  const scores = levels.flatMap((level) => level.filter((output) => !isOffsets(output)));
  const { channels } = scores[0] ?? { channels: 0 };
  const isEven = scores.every((output) => output.channels === channels) && channels > 0 && channels % anchors === 0;
  if (!isEven || scores.length !== strides.length || offsets.length !== strides.length) return null;
  const classCount = channels / anchors;
  return {
    classCount,
    evidence: `Outputs ${scores.map(({ name }) => `"${name}"`).join(', ')} have ${channels} channels of scores, and ${offsets.map(({ name }) => `"${name}"`).join(', ')} 36 of offsets, a pair a grid.`,
    outputs: [...scores, ...offsets].map(({ name }) => name),
    isActivated: scores.every(({ name }) => headOf(name).has('Sigmoid')),
    tensors: (head) => ({
      scores: joinGrids(head, scores, classCount),
      offsets: reshape(head.build, joinGrids(head, offsets, 4), [-1, 4]),
    }),
  };
}

function gridOutput({ name, shape }: TensorInfo, { widthPx, heightPx }: Picture, stride: number): GridOutput[] {
  const [rows, columns] = [Math.ceil(heightPx / stride), Math.ceil(widthPx / stride)];
  if (shape.length !== 4) return [];
  if (shape[2] === rows && shape[3] === columns) return [{ name, channels: shape[1]!, isLast: false }];
  return shape[1] === rows && shape[2] === columns ? [{ name, channels: shape[3]!, isLast: true }] : [];
}

/** [1, N, each], nine a cell, row by row. */
function joinGrids({ build, output }: Head, grids: readonly GridOutput[], each: number): string {
  const parts = grids.map(({ name, isLast }) => {
    const last = isLast ? output(name) : build.add('Transpose', [output(name)], { perm: { ints: [0, 2, 3, 1] } });
    return reshape(build, last, [1, -1, each]);
  });
  return build.add('Concat', parts, { axis: { int: 1 } });
}
