import { reshape, slice } from '../../onnx/face/graphs.ts';
import { shapeText, type TensorInfo } from '../../../machine/vision/face/feeding.ts';
import { cornersOfCentres } from '../attach/boxes.ts';
import { bestCandidates } from '../attach/candidates.ts';
import { gridRows } from '../attach/grid.ts';
import { suppressed } from '../attach/suppressed.ts';
import { asUnits, notThisFamily, specificity, type Detections, type Family, type Head } from '../structure/family.ts';
import type { Picture } from '../structure/model-structure.ts';
import { iouThreshold, maxCandidates, maxDetections, scoreThreshold } from '../structure/options.ts';

const strides = [8, 16, 4];

/** A softmax a cell of one grid. */
interface CellGrid {
  readonly name: string;
  readonly shapeText: string;
  readonly stride: number;
  readonly classCount: number;
  readonly isChannelsLast: boolean;
}

/**
 * One output [1, H, W, 1+C] or [1, 1+C, H, W] of a single grid: for each cell a softmax, the background first. An object is where the
 * cell of its centre is; nothing says its size. Edge Impulse's own code joins cells that touch to one box; here the best of cells that touch
 * stays, with a box of its cell, since how many cells touch is not known when a graph is written.
 */
export const fomo: Family = {
  id: 'fomo',
  name: 'FOMO (Edge Impulse)',
  kind: 'detections',
  recognise({ picture, outputs, headOf }) {
    if (!picture) return notThisFamily('its first input is not a picture');
    const [output, ...others] = outputs;
    const grid = output && others.length === 0 ? cellGrid(output, picture) : null;
    if (!grid) return notThisFamily('its output is not one grid of cells with scores of classes');
    const operators = headOf(grid.name);
    if (!operators.has('Softmax')) return notThisFamily('no softmax makes the scores of its cells', 2);
    if (operators.has('Resize')) return notThisFamily('its map is enlarged, as segmentations are', 2);
    const { classCount, stride } = grid;
    return {
      fits: true,
      evidence: [
        `Output "${grid.name}" ${grid.shapeText} is one grid of cells of ${stride}×${stride} pixels, with a softmax over the background and ${classCount === 1 ? 'one class' : `${classCount} classes`} in each.`,
        'It says where the centre of an object is, and no size: boxes are as large as a cell.',
      ],
      specificity: specificity.operators,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount,
      leavesOutBackground: true,
      // Two boxes of three cells a side overlap by 0.29 where their middle cells touch at a corner, and by 0.2 where a cell is between.
      options: [scoreThreshold(0.1), iouThreshold(0.25), maxDetections(), maxCandidates],
      preprocessing: { colour: 'rgb', ...asUnits, letterbox: null },
      outputs: [grid.name],
      attach: (head) => attach(head, grid),
    };
  },
};

function cellGrid({ name, shape }: TensorInfo, { widthPx, heightPx }: Picture): CellGrid | null {
  if (shape.length !== 4) return null;
  for (const isChannelsLast of [true, false]) {
    const [height, width, channels] = isChannelsLast ? shape.slice(1) : [shape[2], shape[3], shape[1]];
    const stride = strides.find((size) => size * height! === heightPx && size * width! === widthPx);
    if (stride && channels! > 1)
      return { name, shapeText: shapeText(shape), stride, classCount: channels! - 1, isChannelsLast };
  }
  return null;
}

function attach(head: Head, { name, stride, classCount, isChannelsLast }: CellGrid): Detections {
  const { build, size } = head;
  const rows = gridRows(size, [stride]);
  const classAxis = isChannelsLast ? 2 : 1;
  const shape = isChannelsLast ? [1, rows.length, 1 + classCount] : [1, 1 + classCount, rows.length];
  const scores = slice(build, reshape(build, head.output(name), shape), classAxis, 1, 1 + classCount);
  const candidates = bestCandidates(head, { scores, classAxis, objectness: null });
  // For suppression boxes are three cells a side, so that those overlap whose middle cells touch.
  const around = build.floats(
    [rows.length, 4],
    rows.flatMap(({ x, y }) => [(x + 0.5) * stride, (y + 0.5) * stride, 3 * stride, 3 * stride]),
  );
  const taken = build.add('Gather', [around, candidates.index], { axis: { int: 0 } });
  const found = suppressed(head, candidates, cornersOfCentres(head, taken, 'pixels'), classCount);
  return { ...found, location: middleThirds(head, found.location) };
}

/** Boxes [1,rows,4] of three cells a side → those of their middle cells. Rows of zeros stay. */
function middleThirds({ build, number }: Head, location: string): string {
  const rows = number('maxDetections');
  const [near, far] = [2 / 3, 1 / 3];
  // prettier-ignore
  const thirds = [
    near, 0, far, 0,
    0, near, 0, far,
    far, 0, near, 0,
    0, far, 0, near,
  ];
  const flat = reshape(build, location, [rows, 4]);
  return reshape(build, build.add('MatMul', [flat, build.floats([4, 4], thirds)]), [1, rows, 4]);
}
