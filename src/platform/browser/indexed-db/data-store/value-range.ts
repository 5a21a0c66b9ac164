import type { FieldHint } from '../../../../data-service/face/captures.ts';
import type { IndexedValue } from '../../../data-store/field-values.ts';

/** The keys `[index, value, …]` that a hint is met by; null where nothing can lie between its bounds. */
export function valueRange(index: number, { from, to }: FieldHint): IDBKeyRange | null {
  const first = from && storedValue(from.value as IndexedValue);
  const last = to && storedValue(to.value as IndexedValue);
  const [least, beyond] = ends[typeof (first ?? last) as keyof typeof ends];
  // an array is beyond all that begin with it, and an empty one after a value is beyond all entries of the value
  const lower = [index, first ?? least, ...(from?.inclusive === false ? [[]] : [])];
  const upper = [index, last ?? beyond, ...(to?.inclusive ? [[]] : [])];
  return indexedDB.cmp(lower, upper) < 0 ? IDBKeyRange.bound(lower, upper) : null;
}

/** Where the keys of a type begin, and where those of the next type do: numbers, texts, arrays. */
const ends = { number: [-Infinity, ''], string: ['', []], object: [[], [2]] } as const;

/** Truth values are no keys; as arrays they are apart from numbers. */
export const storedValue = (value: IndexedValue): number | string | number[] =>
  typeof value === 'boolean' ? [Number(value)] : value;
