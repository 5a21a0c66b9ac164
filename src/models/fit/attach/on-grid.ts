import { slice } from '../../onnx/face/graphs.ts';
import type { Head } from '../structure/family.ts';
import type { GridRow } from './grid.ts';

/** A size above e³⁰ cells is no box; its exponential would be infinite and spoil the others. */
export const largestExponent = 30;

/** (offset + cell) · stride for the centre, e^size · stride for the size, of the candidates at `index` of the grid's rows. */
export function onGrid({ build }: Head, boxes: string, index: string, rows: readonly GridRow[]): string {
  const ofCandidates = (values: readonly (readonly number[])[], columns: number) =>
    build.add('Gather', [build.floats([rows.length, columns], values.flat()), index], { axis: { int: 0 } });
  const cells = ofCandidates(
    rows.map(({ x, y }) => [x, y]),
    2,
  );
  const stride = ofCandidates(
    rows.map(({ stride: size }) => [size]),
    1,
  );
  const centre = build.add('Add', [slice(build, boxes, 1, 0, 2), cells]);
  const exponent = build.add('Min', [slice(build, boxes, 1, 2, 4), build.floats([], [largestExponent])]);
  const inCells = build.add('Concat', [centre, build.add('Exp', [exponent])], { axis: { int: 1 } });
  return build.add('Mul', [inCells, stride]);
}
