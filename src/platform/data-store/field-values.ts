import type { FieldHint, StructValue } from '../../data-service/face/captures.ts';
import { type IndexedCollection, type StoredIndex, StoreError } from '../../data-service/face/stores.ts';

/** What an index of a client is ordered by. Types are apart, as in MongoDB: no bound reaches from one into another. */
export type IndexedValue = number | string | boolean;

/** Options that change how an index is built, not what a query finds. */
const harmlessOptions: readonly string[] = ['name', 'background', 'sparse', 'v'];

/**
 * The field that an index speeds up searches by: the first of its key; of readings one that lies in `data`.
 * @throws StoreError unsupported for an index that would speed up nothing, and why
 */
export function indexedPath({ collection, key, name, options }: StoredIndex): string {
  const refuse = (why: string): StoreError =>
    new StoreError('unsupported', `The index ${name} cannot be made: ${why}.`, { subject: name });
  const path = key[0]?.path ?? '';
  if (collection.kind === 'hot-store' && !path.startsWith('data.')) {
    throw refuse(
      `"${path}" is not a field of data; times, parts, components, methods, locations and tags are indexed always`,
    );
  }
  const unknown = Object.keys(JSON.parse(options || '{}') as object).find(
    (option) => !harmlessOptions.includes(option),
  );
  if (unknown !== undefined) throw refuse(`the option "${unknown}" is not supported`);
  return path;
}

export const collectionKey = (collection: IndexedCollection): string =>
  collection.kind === 'hot-store' ? collection.kind : `${collection.kind}/${collection.pipelineId}`;

/** The pipeline whose sink it is. */
export function sinkOf(collection: IndexedCollection): string {
  if (collection.kind === 'hot-store') throw new Error('The hot store is not a sink of a pipeline.');
  return collection.pipelineId;
}

/**
 * All that a condition on the dotted path could be met by, each once: through arrays at every level, by element and by
 * position. Rather too many than too few, since callers test the rows.
 */
export function valuesAt(document: StructValue, path: string): ReadonlySet<IndexedValue> {
  const values = new Set<IndexedValue>();
  collect(document, path.split('.'), values);
  return values;
}

function collect(value: StructValue, [name, ...rest]: readonly string[], values: Set<IndexedValue>): void {
  if (isList(value)) {
    for (const element of value) collect(element, name === undefined ? [] : [name, ...rest], values);
    if (name !== undefined && Object.hasOwn(value, name)) collect(value[Number(name)]!, rest, values);
  } else if (name === undefined) {
    // NaN is no key anywhere; where it is compared at all, it is below every number
    if (typeof value === 'number') values.add(Number.isNaN(value) ? -Infinity : value + 0);
    else if (typeof value === 'string' || typeof value === 'boolean') values.add(value);
  } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, name)) {
    collect((value as Readonly<Record<string, StructValue>>)[name]!, rest, values);
  }
}

const isList = (value: StructValue): value is readonly StructValue[] => Array.isArray(value);

/**
 * Hints that an index on `path` answers, the narrowest kind first. Bounds of two hints are never joined: different
 * elements of one array may meet them.
 */
export function usableHints(hints: readonly FieldHint[], path: string): readonly FieldHint[] {
  const isEquality = ({ from, to }: FieldHint): boolean => from !== null && from.value === to?.value;
  const usable = hints.filter(({ from, to, ...hint }) => hint.path === path && isIndexed((from ?? to)?.value));
  return usable.toSorted((a, b) => Number(isEquality(b)) - Number(isEquality(a)));
}

const isIndexed = (value: StructValue | undefined): value is IndexedValue =>
  typeof value === 'number' ? !Number.isNaN(value) : typeof value === 'string' || typeof value === 'boolean';
