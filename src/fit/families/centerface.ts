import { reshape } from '../../onnx/versioned-operators.ts';
import { cornersOfCentres } from '../attach/boxes.ts';
import { bestCandidates } from '../attach/candidates.ts';
import { gridRows } from '../attach/grid.ts';
import { largestExponent } from '../attach/on-grid.ts';
import { suppressed } from '../attach/suppressed.ts';
import { asBytes, notThisFamily, specificity, type Detections, type Family, type Head } from '../family.ts';
import type { ModelStructure } from '../model-structure.ts';
import type { TensorInfo } from '../../vision/tensor.ts';
import { yoloOptions } from './yolo-options.ts';

const stride = 4;

interface Maps {
  readonly heat: TensorInfo;
  readonly scale: TensorInfo;
  readonly offset: TensorInfo;
}

/** Faces as maps of stride 4: how likely a centre is, the logarithms of height and width, the offset of the centre, and five key points. */
export const centerFace: Family = {
  id: 'centerface',
  name: 'CenterFace',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is no picture');
    const maps = mapsOf(model);
    if (!maps)
      return notThisFamily('its outputs are not maps [1, 1], [1, 2], [1, 2] and [1, 10] of a quarter of the picture');
    if (!model.headOf(maps.heat.name).has('Sigmoid')) return notThisFamily('no sigmoid makes its map of centres', 2);
    return {
      fits: true,
      evidence: [
        `"${maps.heat.name}" is a map of centres of stride 4, "${maps.scale.name}" and "${maps.offset.name}" say sizes and offsets there.`,
        'Five key points a face are left out, as the machine gives boxes only.',
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: 1,
      options: yoloOptions({ iou: 0.3 }),
      preprocessing: { colour: 'rgb', ...asBytes, letterbox: null },
      outputs: [maps.heat.name, maps.scale.name, maps.offset.name],
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
  return heat && scale && offset && points ? { heat, scale, offset } : null;
}

function attach(head: Head, { heat, scale, offset }: Maps): Detections {
  const { build, size } = head;
  const rows = gridRows(size, [stride]);
  const scores = reshape(build, head.output(heat.name), [1, 1, rows.length]);
  const candidates = bestCandidates(head, { scores, classAxis: 1, objectness: null });
  // Both are said as y and x, height and width.
  const ofCandidates = ({ name }: TensorInfo) => {
    const columns = reshape(build, head.output(name), [2, rows.length]);
    const taken = build.add('Gather', [columns, candidates.index], { axis: { int: 1 } });
    const swapped = build.add('Gather', [taken, build.ints([2], [1, 0])], { axis: { int: 0 } });
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
  return suppressed(head, candidates, cornersOfCentres(head, boxes, 'pixels'), 1);
}
