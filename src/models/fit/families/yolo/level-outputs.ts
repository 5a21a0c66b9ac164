import { reshape } from '../../../onnx/face/graphs.ts';
import type { GridRow } from '../../attach/grid.ts';
import type { HeadPoints } from '../../attach/suppressed.ts';
import type { Head } from '../../structure/family.ts';
import type { InputSize } from '../../structure/input-size.ts';
import type { ModelStructure, Picture } from '../../structure/model-structure.ts';
import { shapeText } from '../../../../machine/vision/face/feeding.ts';

/** One of several outputs that say the same of grids of different strides. */
export interface LevelOutput {
  readonly name: string;
  /** boxes of this grid; -1 where the file does not say */
  readonly rows: number;
  readonly columns: number;
  readonly shapeText: string;
  readonly operators: ReadonlyMap<string, number>;
}

/** Outputs [1, N, k] and [N, k], those of one k and one activation together, each list from the finest grid to the coarsest. */
export function levelOutputs({ outputs, headOf }: ModelStructure): readonly (readonly LevelOutput[])[] {
  const groups = new Map<string, LevelOutput[]>();
  for (const { name, shape } of outputs) {
    if (shape.length !== 2 && !(shape.length === 3 && shape[0]! <= 1)) continue;
    const operators = headOf(name);
    const [rows, columns] = shape.slice(-2) as [number, number];
    const key = `${columns} ${operators.has('Sigmoid')}`;
    groups.set(key, [...(groups.get(key) ?? []), { name, rows, columns, shapeText: shapeText(shape), operators }]);
  }
  return [...groups.values()].map((levels) => levels.toSorted((a, b) => b.rows - a.rows));
}

export interface Levels {
  readonly strides: readonly number[];
  /** size of the input; from the rows where the input's own is open, as then they were exported for a square */
  readonly size: InputSize;
}

const usualStrides = [8, 16, 32, 64, 128];

/** The strides of grids that have these rows, `anchors` a cell; null if there are none. */
export function levelsOf(picture: Picture, rows: readonly number[], anchors: number): Levels | null {
  const strides = usualStrides.slice(0, rows.length);
  const side = Math.sqrt(rows[0]! / anchors) * strides[0]!;
  const isSized = picture.widthPx > 0 && picture.heightPx > 0;
  const size = isSized ? picture : rows[0]! > 0 ? { widthPx: side, heightPx: side } : { widthPx: -1, heightPx: -1 };
  const fits = rows.every((count, level) => {
    const cells = Math.ceil(size.widthPx / strides[level]!) * Math.ceil(size.heightPx / strides[level]!);
    return count === -1 || count === anchors * cells;
  });
  return fits && strides.length === rows.length
    ? { strides, size: { widthPx: size.widthPx, heightPx: size.heightPx } }
    : null;
}

/** The levels as one tensor [1, N, k]. */
export function joinLevels(head: Head, levels: readonly LevelOutput[]): string {
  const { build } = head;
  const parts = levels.map(({ name, columns }) => reshape(build, head.output(name), [1, -1, columns]));
  return parts.length === 1 ? parts[0]! : build.add('Concat', parts, { axis: { int: 1 } });
}

/** The five key points of rows, (offset + cell) · stride. */
export function pointsOnGrid(head: Head, levels: readonly LevelOutput[], cells: readonly GridRow[]): HeadPoints {
  const { build } = head;
  const pointsOf = (index: string) => {
    const ofIndex = (tensor: string) => build.add('Gather', [tensor, index], { axis: { int: 0 } });
    const table = (columns: number, valuesOf: (cell: GridRow) => readonly number[]) =>
      ofIndex(build.floats([cells.length, columns], cells.flatMap(valuesOf)));
    const offsets = ofIndex(reshape(build, joinLevels(head, levels), [-1, 10]));
    const inCells = build.add('Add', [
      offsets,
      table(10, ({ x, y }) => Array.from({ length: 5 }, () => [x, y]).flat()),
    ]);
    return build.add('Mul', [inCells, table(1, ({ stride }) => [stride])]);
  };
  return { count: 5, unit: 'pixels', pointsOf };
}
