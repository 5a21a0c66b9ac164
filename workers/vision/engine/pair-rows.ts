import type { Tensor } from '../../../src/machine/vision/face/feeding.ts';
import { apart, magnitudesOf, valueAt } from './tensor-values.ts';

type Tensors = Readonly<Record<string, Tensor>>;

/** Finds the index in the other run's output of the value at index i of an output; −1: the other run left that detection out. */
export type PairOf = (name: string, i: number) => number;

/** An output that says something of each detection. */
interface Column {
  readonly name: string;
  readonly one: Tensor;
  readonly other: Tensor;
  readonly valuesARow: number;
  readonly magnitudeAt: (i: number) => number;
}

/** Share of rows at the end of a list that may be other detections: none in lists of fewer than fifty. */
const cutShare = 0.02;

/**
 * Pairs the rows of two runs' lists of detections. In a list by score, rounding decides the order of detections with nearly equal scores,
 * and which of them is cut off at the end. Outputs that are no such list are paired index by index.
 * @param toleratedShare how far values of one row may differ, as a share of the values that they lie among
 */
export function pairRows(a: Tensors, b: Tensors, toleratedShare: number): PairOf {
  const list = detectionsOf(a, b);
  if (!list) return (_, i) => i;
  const { columns, score, count } = list;
  const isSame = (row: number, otherRow: number) =>
    columns.every(({ one, other, valuesARow, magnitudeAt }) => {
      for (let k = 0; k < valuesARow; k++) {
        const i = row * valuesARow + k;
        const difference = apart(valueAt(one, i), valueAt(other, otherRow * valuesARow + k));
        if (difference > toleratedShare * magnitudeAt(i)) return false;
      }
      return true;
    });
  const pairs = Int32Array.from({ length: count }, (_, row) => row);
  const unlike = [...pairs].filter((row) => !isSame(row, row));
  const left = [...unlike];
  const cut: number[] = [];
  for (const row of unlike) {
    const at = left.findIndex((otherRow) => isSame(row, otherRow));
    if (at >= 0) pairs[row] = left.splice(at, 1)[0]!;
    else cut.push(row);
  }
  const isAtEnd = (scores: Tensor) => (row: number) =>
    apart(valueAt(scores, row), valueAt(score.one, count - 1)) <= toleratedShare;
  const mayBeCut = cut.length <= cutShare * count && cut.every(isAtEnd(score.one)) && left.every(isAtEnd(score.other));
  if (!mayBeCut) return (_, i) => i;
  for (const row of cut) pairs[row] = -1;
  const rowSizes = new Map(columns.map(({ name, valuesARow }) => [name, valuesARow]));
  return (name, i) => {
    const valuesARow = rowSizes.get(name);
    if (valuesARow === undefined) return i;
    const row = pairs[Math.floor(i / valuesARow)]!;
    return row < 0 ? -1 : row * valuesARow + (i % valuesARow);
  };
}

/** null: the outputs are no list of boxes with falling scores. */
function detectionsOf(a: Tensors, b: Tensors) {
  const boxes = Object.values(a).find(({ shape }) => sidesOf(shape).length === 2 && shape.at(-1) === 4);
  const count = boxes ? sidesOf(boxes.shape)[0]! : 0;
  const columns = Object.entries(a)
    .filter(([, { shape }]) => sidesOf(shape).length <= 2 && sidesOf(shape)[0] === count)
    .map(([name, one]): Column => {
      const valuesARow = one.data.length / count;
      return { name, one, other: b[name]!, valuesARow, magnitudeAt: magnitudesOf(one) };
    });
  const score = columns.find(({ one, valuesARow }) => valuesARow === 1 && one.dtype.startsWith('float') && falls(one));
  return score ? { columns, score, count } : null;
}

/** The shape without a batch side of 1. */
function sidesOf(shape: readonly number[]): readonly number[] {
  return shape[0] === 1 && shape.length > 1 ? shape.slice(1) : shape;
}

function falls(tensor: Tensor): boolean {
  for (let i = 1; i < tensor.data.length; i++) if (!(valueAt(tensor, i) <= valueAt(tensor, i - 1))) return false;
  return valueAt(tensor, 0) > valueAt(tensor, tensor.data.length - 1);
}
