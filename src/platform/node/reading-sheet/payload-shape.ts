import type { PathTree, StructObject, StructValue } from '../../../data-service/face/captures.ts';

/**
 * The form of a payload without its values: objects keep their names in order, and whatever is no object is a leaf, the
 * number of the column that holds its value.
 */
export type PayloadShape = number | readonly (readonly [name: string, shape: PayloadShape])[];

/** Past this many the payloads of one sheet have little in common, and each is one value. */
const mostShapes = 16;

export interface SplitPayloads {
  readonly shapes: readonly PayloadShape[];
  /** for each payload, the place of its shape */
  readonly shapeOf: readonly number[];
  /** the values of each column, of those payloads whose shape has it */
  readonly columns: readonly (readonly StructValue[])[];
}

/** Takes payloads apart into shapes and columns. */
export function splitPayloads(payloads: readonly StructObject[]): SplitPayloads {
  const columns: StructValue[][] = [];
  const columnOf = new Map<string, number>();
  const shapes = new Map<string, { readonly place: number; readonly shape: PayloadShape }>();
  const shapeOf: number[] = [];
  for (const payload of payloads) {
    const leaves: StructValue[] = [];
    const key = collectLeaves(payload, leaves);
    if (key === null) return wholePayloads(payloads);
    let known = shapes.get(key);
    if (known === undefined) {
      if (shapes.size === mostShapes) return wholePayloads(payloads);
      known = { place: shapes.size, shape: shapeWith(payload, '', columnOf) };
      shapes.set(key, known);
      while (columns.length < columnOf.size) columns.push([]);
    }
    shapeOf.push(known.place);
    for (const [index, column] of leafColumns(known.shape).entries()) columns[column]!.push(leaves[index]!);
  }
  return { shapes: Array.from(shapes.values(), ({ shape }) => shape), shapeOf, columns };
}

/** Each payload as a single leaf. */
const wholePayloads = (payloads: readonly StructObject[]): SplitPayloads => ({
  shapes: [0],
  shapeOf: payloads.map(() => 0),
  columns: [payloads],
});

const isObject = (value: StructValue): value is StructObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Equal texts for equal shapes; null for a name that no object literal can have. */
function collectLeaves(value: StructValue, leaves: StructValue[]): string | null {
  if (!isObject(value)) {
    leaves.push(value);
    return '';
  }
  let key = '{';
  for (const name of Object.keys(value)) {
    const below = name === '__proto__' ? null : collectLeaves(value[name]!, leaves);
    if (below === null) return null;
    key += `${name.length}:${name}${below}`;
  }
  return `${key}}`;
}

/** Leaves of one path share a column, whatever shape they are of. */
function shapeWith(value: StructValue, path: string, columnOf: Map<string, number>): PayloadShape {
  if (isObject(value)) {
    return Object.keys(value).map((name) => [name, shapeWith(value[name]!, `${path}${name.length}:${name}`, columnOf)]);
  }
  if (!columnOf.has(path)) columnOf.set(path, columnOf.size);
  return columnOf.get(path)!;
}

const columnsOfShape = new WeakMap<object, readonly number[]>();

/** The columns of a shape's leaves, in order. */
export function leafColumns(shape: PayloadShape): readonly number[] {
  if (typeof shape === 'number') return [shape];
  let columns = columnsOfShape.get(shape);
  if (columns === undefined) {
    columns = shape.flatMap(([, below]) => leafColumns(below));
    columnsOfShape.set(shape, columns);
  }
  return columns;
}

/** The part of a shape that is wanted, in the order of the tree where that names fields; undefined where there is none. */
export function pickShape(shape: PayloadShape, tree: PathTree): PayloadShape {
  if (tree === 'all' || typeof shape === 'number') return shape;
  const byName = new Map(shape);
  return [...tree].flatMap(([name, below]) => {
    const found = byName.get(name);
    return found === undefined ? [] : [[name, pickShape(found, below)] as const];
  });
}

/** Makes the value of a shape for the row at an index of full columns. */
export function shapeReader(
  shape: PayloadShape,
  column: (index: number) => ArrayLike<StructValue | undefined>,
): (row: number) => StructValue {
  if (typeof shape === 'number') {
    const values = column(shape);
    return (row) => values[row]!;
  }
  const names = shape.map(([name]) => name);
  const readers = shape.map(([, below]) => shapeReader(below, column));
  return (row) => {
    const value: Record<string, StructValue> = {};
    for (let index = 0; index < names.length; index++) value[names[index]!] = readers[index]!(row);
    return value;
  };
}
