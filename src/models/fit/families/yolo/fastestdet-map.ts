import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { cornersOfCentres } from '../../attach/boxes.ts';
import { bestCandidates } from '../../attach/candidates.ts';
import { gridRows } from '../../attach/grid.ts';
import { suppressed } from '../../attach/suppressed.ts';
import {
  asUnits,
  notThisFamily,
  specificity,
  type Detections,
  type Family,
  type Head,
} from '../../structure/family.ts';
import { shapeText } from '../../../../machine/vision/face/feeding.ts';
import { yoloOptions } from '../parts/yolo-options.ts';

const strides = [16];
/** What the family's own code raises objectness and class score to. */
const [objectnessPower, classPower] = [0.6, 0.4];

/** One output [1, 5+C, H, W] of a single grid: objectness, a box that nothing has decoded, and a softmax over the classes. */
export const fastestDetMap: Family = {
  id: 'fastestdet-map',
  name: 'FastestDet as trained, a map',
  kind: 'detections',
  recognise({ picture, outputs, headOf }) {
    if (!picture) return notThisFamily('its first input is not a picture');
    const [output, ...others] = outputs;
    const [, columns = 0, height, width] = output?.shape ?? [];
    const isGrid = 16 * height! === picture.heightPx && 16 * width! === picture.widthPx;
    if (!output || others.length > 0 || output.shape.length !== 4 || columns <= 5 || !isGrid)
      return notThisFamily('its output is not one grid [1, 5 + classes, height, width] of stride 16');
    const operators = headOf(output.name);
    const missing = ['Sigmoid', 'Softmax'].filter((operator) => !operators.has(operator));
    if (missing.length > 0) return notThisFamily(`no ${missing.join(' and no ')} stands before its output`, 2);
    const classCount = columns - 5;
    return {
      fits: true,
      evidence: [
        `Output "${output.name}" ${shapeText(output.shape)} is one grid of stride 16: an objectness, a box and ${classCount} class scores a cell.`,
        'A sigmoid makes the objectness, a softmax the class scores; nothing has decoded the boxes.',
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount,
      options: yoloOptions({ iou: 0.45 }),
      preprocessing: { colour: 'bgr', ...asUnits, letterbox: null },
      outputs: [output.name],
      attach: (head) => attach(head, output.name, columns),
    };
  },
};

function attach(head: Head, name: string, columns: number): Detections {
  const { build, size } = head;
  const rows = gridRows(size, strides);
  const cells = reshape(build, head.output(name), [1, columns, rows.length]);
  const raised = (tensor: string, power: number) => build.add('Pow', [tensor, build.floats([], [power])]);
  const candidates = bestCandidates(head, {
    scores: raised(slice(build, cells, 1, 5, columns), classPower),
    classAxis: 1,
    objectness: raised(reshape(build, slice(build, cells, 1, 0, 1), [1, rows.length]), objectnessPower),
  });
  const taken = build.add('Gather', [slice(build, cells, 1, 1, 5), candidates.index], { axis: { int: 2 } });
  const four = reshape(build, build.add('Transpose', [taken], { perm: { ints: [0, 2, 1] } }), [-1, 4]);
  const places = build.floats(
    [rows.length, 2],
    rows.flatMap(({ x, y }) => [x, y]),
  );
  const cell = build.add('Gather', [places, candidates.index], { axis: { int: 0 } });
  const moved = build.add('Add', [build.add('Tanh', [slice(build, four, 1, 0, 2)]), cell]);
  const centre = build.add('Mul', [moved, build.floats([2], [16 / size.widthPx, 16 / size.heightPx])]);
  const sizes = build.add('Sigmoid', [slice(build, four, 1, 2, 4)]);
  const boxes = build.add('Concat', [centre, sizes], { axis: { int: 1 } });
  return suppressed(head, candidates, cornersOfCentres(head, boxes, 'proportional'), columns - 5);
}
