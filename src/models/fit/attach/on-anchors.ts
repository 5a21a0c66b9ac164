import { slice } from '../../onnx/face/graphs.ts';
import type { Head } from '../structure/family.ts';
import type { GridRow } from './grid.ts';
import { largestExponent } from './on-grid.ts';

/** A cell with the size of the box that its prediction stretches. */
export interface AnchorRow extends GridRow {
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface AnchorDecoding {
  /** boxes as YOLOv3 says them, or as YOLOv5 and YOLOv7 do */
  readonly form: 'yolo-v3' | 'yolo-v5';
  /** whether the numbers that go through a sigmoid have done so in the graph */
  readonly isActivated: boolean;
}

/**
 * Centres and sizes in pixels [T,4] of predictions [T,4] at `index` of the rows, σ being a sigmoid. YOLOv3: (σ(t) + cell) · stride and
 * e^t · anchor; YOLOv5: (2σ(t) − 0.5 + cell) · stride and (2σ(t))² · anchor.
 */
export function onAnchors(
  { build }: Head,
  boxes: string,
  index: string,
  rows: readonly AnchorRow[],
  { form, isActivated }: AnchorDecoding,
): string {
  const ofRows = (columns: number, valuesOf: (row: AnchorRow) => readonly number[]) =>
    build.add('Gather', [build.floats([rows.length, columns], rows.flatMap(valuesOf)), index], { axis: { int: 0 } });
  const activated = (tensor: string) => (isActivated ? tensor : build.add('Sigmoid', [tensor]));
  const number = (value: number) => build.floats([], [value]);
  const part = (from: number) => slice(build, boxes, 1, from, from + 2);
  const cells = ofRows(2, ({ x, y }) => (form === 'yolo-v5' ? [x - 0.5, y - 0.5] : [x, y]));
  const anchors = ofRows(2, ({ widthPx, heightPx }) => [widthPx, heightPx]);
  const strides = ofRows(1, ({ stride }) => [stride]);
  const doubled = (tensor: string) => build.add('Mul', [activated(tensor), number(2)]);
  const offset = form === 'yolo-v5' ? doubled(part(0)) : activated(part(0));
  const centre = build.add('Mul', [build.add('Add', [offset, cells]), strides]);
  const growth =
    form === 'yolo-v5'
      ? build.add('Pow', [doubled(part(2)), number(2)])
      : build.add('Exp', [build.add('Min', [part(2), number(largestExponent)])]);
  return build.add('Concat', [centre, build.add('Mul', [growth, anchors])], { axis: { int: 1 } });
}
