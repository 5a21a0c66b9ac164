import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { cornersOfCentres } from '../../attach/boxes.ts';
import { bestCandidates } from '../../attach/candidates.ts';
import { gridRows } from '../../attach/grid.ts';
import { largestExponent } from '../../attach/on-grid.ts';
import { suppressed, withKeyPoints } from '../../attach/suppressed.ts';
import { keyPointsOption } from '../../structure/options.ts';
import {
  asBytes,
  notThisFamily,
  specificity,
  type Detections,
  type Family,
  type Head,
} from '../../structure/family.ts';
import type { ModelStructure } from '../../structure/model-structure.ts';
import type { TensorInfo } from '../../../../machine/vision/face/feeding.ts';
import { yoloOptions } from '../parts/yolo-options.ts';

const stride = 4;

interface Maps {
  readonly heat: TensorInfo;
  readonly scale: TensorInfo;
  readonly offset: TensorInfo;
  readonly points: TensorInfo;
}

/** Faces as maps of stride 4: how likely a centre is, the logarithms of height and width, the offset of the centre, and five key points. */
export const centerFace: Family = {
  id: 'centerface',
  name: 'CenterFace',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const maps = mapsOf(model);
    if (!maps)
      return notThisFamily('its outputs are not maps [1, 1], [1, 2], [1, 2] and [1, 10] of a quarter of the picture');
    if (!model.headOf(maps.heat.name).has('Sigmoid')) return notThisFamily('no sigmoid makes its map of centres', 2);
    return {
      fits: true,
      evidence: [
        `"${maps.heat.name}" is a map of centres of stride 4, "${maps.scale.name}" and "${maps.offset.name}" say sizes and offsets there.`,
        `"${maps.points.name}" has five key points a face.`,
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: 1,
      options: [...yoloOptions({ iou: 0.3 }), keyPointsOption],
      preprocessing: { colour: 'rgb', ...asBytes, letterbox: null },
      outputs: [maps.heat.name, maps.scale.name, maps.offset.name],
      outputsOf: ({ keyPoints }) =>
        [maps.heat, maps.scale, maps.offset, ...(keyPoints === 'keep' ? [maps.points] : [])].map(({ name }) => name),
      attach: (head) => attach(head, maps),
    };
  },
};

/** Sizes come before offsets, as the family's own export has them; nothing else tells the two apart. */
function mapsOf({ outputs, picture }: ModelStructure): Maps | null {
  const isQuarter = ({ shape }: TensorInfo) =>
    shape.length === 4 &&
    shape[0]! <= 1 &&
    (shape[2] === -1 || (stride * shape[2]! === picture!.heightPx && stride * shape[3]! === picture!.widthPx));
  if (outputs.length !== 4 || !outputs.every(isQuarter)) return null;
  const ofChannels = (count: number) => outputs.filter(({ shape }) => shape[1] === count);
  const [[heat], [scale, offset], [points]] = [ofChannels(1), ofChannels(2), ofChannels(10)];
  return heat && scale && offset && points ? { heat, scale, offset, points } : null;
}

function attach(head: Head, { heat, scale, offset, points }: Maps): Detections {
  const { build, size } = head;
  const rows = gridRows(size, [stride]);
  const scores = reshape(build, head.output(heat.name), [1, 1, rows.length]);
  const candidates = bestCandidates(head, { scores, classAxis: 1, objectness: null });
  // All are said as y and x, height and width.
  const ofCandidates = ({ name }: TensorInfo, pairs = 1) => {
    const columns = reshape(build, head.output(name), [2 * pairs, rows.length]);
    const taken = build.add('Gather', [columns, candidates.index], { axis: { int: 1 } });
    const swaps = Array.from({ length: pairs }, (_, pair) => [2 * pair + 1, 2 * pair]).flat();
    const swapped = build.add('Gather', [taken, build.ints([2 * pairs], swaps)], { axis: { int: 0 } });
    return build.add('Transpose', [swapped], { perm: { ints: [1, 0] } });
  };
  const middles = build.floats(
    [rows.length, 2],
    rows.flatMap(({ x, y }) => [x + 0.5, y + 0.5]),
  );
  const cell = build.add('Gather', [middles, candidates.index], { axis: { int: 0 } });
  const centre = build.add('Add', [cell, ofCandidates(offset)]);
  const sizes = build.add('Exp', [build.add('Min', [ofCandidates(scale), build.floats([], [largestExponent])])]);
  const inCells = build.add('Concat', [centre, sizes], { axis: { int: 1 } });
  const boxes = build.add('Mul', [inCells, build.floats([], [stride])]);
  const corners = cornersOfCentres(head, boxes, 'pixels');
  // Key points are shares of their box.
  const pointsOf = () => {
    const five = (pair: string) => build.add('Concat', [pair, pair, pair, pair, pair], { axis: { int: 1 } });
    const [middle, size] = [slice(build, boxes, 1, 0, 2), slice(build, boxes, 1, 2, 4)];
    const fromMiddle = build.add('Sub', [ofCandidates(points, 5), build.floats([], [0.5])]);
    return build.add('Add', [five(middle), build.add('Mul', [fromMiddle, five(size)])]);
  };
  return withKeyPoints(head, { count: 5, unit: 'pixels', pointsOf }, (furtherOf) =>
    suppressed(head, candidates, corners, 1, furtherOf?.(candidates.index)),
  );
}
