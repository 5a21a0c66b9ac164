import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { cornersOfCentres } from '../../attach/boxes.ts';
import { bestCandidates } from '../../attach/candidates.ts';
import { gridCells, gridRows } from '../../attach/grid.ts';
import { onAnchors } from '../../attach/on-anchors.ts';
import { suppressed } from '../../attach/suppressed.ts';
import {
  asUnits,
  notThisFamily,
  specificity,
  type Detections,
  type Family,
  type Head,
} from '../../structure/family.ts';
import { FitError } from '../../structure/fit-error.ts';
import type { ModelStructure, Picture } from '../../structure/model-structure.ts';
import { numbersOf, type NumbersOption } from '../../structure/options.ts';
import { shapeText } from '../../../../machine/vision/face/feeding.ts';
import { yoloOptions } from '../parts/yolo-options.ts';

const strides = [16, 32];
const anchorsPerCell = 3;
/** Four numbers of a box, and one objectness, an anchor. */
const boxColumns = 4 * anchorsPerCell;
const beforeClasses = 5 * anchorsPerCell;

const anchors: NumbersOption = {
  kind: 'numbers',
  key: 'anchors',
  about:
    'Width and height of the three anchors of each grid in pixels, the finer grid first; they are those of the training set.',
  least: 1,
  most: 8192,
  // Those of the models that were trained on COCO.
  usual: '12.64,19.39 37.88,51.48 55.71,138.31 / 126.91,78.23 131.57,214.55 279.92,258.87',
};

interface CellRows {
  readonly names: readonly string[];
  readonly text: string;
  readonly columns: number;
}

/** Cells [1, H, W, 15+C] of two grids, or the rows of both in one tensor: three boxes, their objectness, and classes that the three share. */
export const yoloFastestV2: Family = {
  id: 'yolo-fastest-v2',
  name: 'Yolo-FastestV2',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const found = cellRows(model, picture);
    if (!found) return notThisFamily('its outputs are not the cells of two grids of strides 16 and 32');
    const operators = found.names.map((name) => model.headOf(name));
    if (!operators.every((one) => one.has('Sigmoid') && one.has('Softmax')))
      return notThisFamily('no sigmoid and no softmax stand before its cells', 2);
    const classCount = found.columns - beforeClasses;
    return {
      fits: true,
      evidence: [
        `${found.text}: the cells of two grids of strides 16 and 32.`,
        `A cell has three boxes of ${boxColumns} numbers, their three objectnesses, and ${classCount} class scores that the three share.`,
        'A sigmoid makes boxes and objectness, a softmax the class scores; the boxes are still parts of anchors.',
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount,
      options: [...yoloOptions({ iou: 0.45 }), anchors],
      preprocessing: { colour: 'bgr', ...asUnits, letterbox: null },
      outputs: found.names,
      attach: (head) => attach(head, found),
    };
  },
};

function cellRows({ outputs }: ModelStructure, picture: Picture): CellRows | null {
  if (picture.widthPx < 1 || picture.heightPx < 1) return null;
  const columns = outputs[0]?.shape.at(-1) ?? 0;
  const sizes = outputs.map(({ shape }) => shape.slice(shape[0] === 1 ? 1 : 0, -1).join('×'));
  const wanted = strides.map(
    (stride) => `${Math.ceil(picture.heightPx / stride)}×${Math.ceil(picture.widthPx / stride)}`,
  );
  const isRows = sizes.join() === String(gridCells(picture, strides));
  const order = wanted.map((size) => sizes.indexOf(size));
  const isGrids = outputs.length === 2 && !order.includes(-1) && outputs[1]!.shape.at(-1) === columns;
  if (columns <= beforeClasses || (!isRows && !isGrids)) return null;
  const cells = isRows ? outputs : order.map((at) => outputs[at]!);
  return {
    names: cells.map(({ name }) => name),
    text: `Outputs ${cells.map(({ name, shape }) => `"${name}" ${shapeText(shape)}`).join(', ')}`,
    columns,
  };
}

function attach(head: Head, { names, columns }: CellRows): Detections {
  const { build, size } = head;
  const count = gridCells(size, strides);
  const classCount = columns - beforeClasses;
  const tables = names.map((name) => reshape(build, head.output(name), [1, -1, columns]));
  const cells = tables.length === 1 ? tables[0]! : build.add('Concat', tables, { axis: { int: 1 } });
  const rows = gridRows(size, strides, anchorsPerCell);
  const cellOfRow = build.ints(
    [rows.length],
    rows.map((_, row) => Math.floor(row / anchorsPerCell)),
  );
  const candidates = bestCandidates(head, {
    scores: build.add('Gather', [slice(build, cells, 2, beforeClasses, columns), cellOfRow], { axis: { int: 1 } }),
    classAxis: 2,
    objectness: reshape(build, slice(build, cells, 2, boxColumns, beforeClasses), [1, anchorsPerCell * count]),
  });
  const boxes = reshape(build, slice(build, cells, 2, 0, boxColumns), [anchorsPerCell * count, 4]);
  const four = build.add('Gather', [boxes, candidates.index], { axis: { int: 0 } });
  const sizes = numbersOf(head.choice('anchors'));
  if (sizes.length !== 2 * anchorsPerCell * strides.length)
    throw new FitError('bad-option', `anchors has ${sizes.length} numbers: two grids of three anchors need 12.`);
  const onRows = rows.map((row, at) => {
    const anchor = anchorsPerCell * strides.indexOf(row.stride) + (at % anchorsPerCell);
    return { ...row, widthPx: sizes[2 * anchor]!, heightPx: sizes[2 * anchor + 1]! };
  });
  const centres = onAnchors(head, four, candidates.index, onRows, { form: 'yolo-v5', isActivated: true });
  return suppressed(head, candidates, cornersOfCentres(head, centres, 'pixels'), classCount);
}
