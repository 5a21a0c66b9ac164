import { slice } from '../../onnx/face/graphs.ts';
import type { Head } from '../structure/family.ts';

/** What becomes of turned boxes, as evidence. */
export const turnedWords =
  'Its boxes are turned (OBB). The machine knows upright ones only, so each becomes the upright box around it.';

/** Centres and sizes [T,4] turned by angles [T,1] in radians → those of the upright boxes around them. */
export function aroundTurned({ build }: Head, boxes: string, angles: string): string {
  const size = slice(build, boxes, 1, 2, 4);
  const ofSide = (operator: 'Cos' | 'Sin') =>
    build.add('Mul', [size, build.add('Abs', [build.add(operator, [angles])])]);
  // The height adds to the width by the sine, and the width to the height.
  const across = build.add('Gather', [ofSide('Sin'), build.ints([2], [1, 0])], { axis: { int: 1 } });
  const upright = build.add('Add', [ofSide('Cos'), across]);
  return build.add('Concat', [slice(build, boxes, 1, 0, 2), upright], { axis: { int: 1 } });
}
