import type { SQLInputValue } from 'node:sqlite';
import type { FieldHint } from '../../../data-service/face/captures.ts';
import type { IndexedValue } from '../../data-store/field-values.ts';

/** The condition on `value` that a hint is in a table of an index, with its parameters. */
export function valuesWithin({ from, to }: FieldHint): {
  readonly condition: string;
  readonly values: readonly SQLInputValue[];
} {
  const first = from && storedValue(from.value as IndexedValue);
  const last = to && storedValue(to.value as IndexedValue);
  // SQLite orders numbers before texts before blobs, https://sqlite.org/datatype3.html#comparisons
  const [least, beyond] = ends[typeof (first ?? last) as keyof typeof ends] ?? ends.object;
  return {
    condition: `value ${from && !from.inclusive ? '>' : '>='} ? AND value ${to?.inclusive ? '<=' : '<'} ?`,
    values: [first ?? least, last ?? beyond],
  };
}

/** Where the values of a type begin, and where those of the next type do. */
const ends = {
  number: [-Infinity, ''],
  string: ['', new Uint8Array()],
  object: [new Uint8Array(), Uint8Array.of(2)],
} as const;

/** Truth values as blobs, apart from numbers. */
export const storedValue = (value: IndexedValue): number | string | Uint8Array =>
  typeof value === 'boolean' ? Uint8Array.of(Number(value)) : value;
