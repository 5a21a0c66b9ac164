import type { Order } from '../../../../data-service/face/captures.ts';

/** The part of idb's object stores and indexes that reading a range needs. */
export interface RangeSource<Value> {
  getAll(query: IDBKeyRange, count: number): Promise<Value[]>;
  openCursor(
    query: IDBKeyRange,
    direction: IDBCursorDirection,
  ): Promise<{ readonly value: Value; continue(): Promise<unknown> } | null>;
}

/** Up to `limit` values in order. One request where the browser can, since a cursor asks once for each value. */
export async function readRange<Value>(
  source: RangeSource<Value>,
  keys: IDBKeyRange,
  order: Order,
  limit: number,
): Promise<Value[]> {
  if (order === 'ascending') return source.getAll(keys, limit);
  // `direction` came with getAllRecords (https://w3c.github.io/IndexedDB/#dictdef-idbgetalloptions)
  if ('getAllRecords' in IDBObjectStore.prototype) {
    const options = { query: keys, count: limit, direction: 'prev' };
    return (source.getAll as unknown as (all: typeof options) => Promise<Value[]>).call(source, options);
  }
  const values: Value[] = [];
  let cursor = await source.openCursor(keys, 'prev');
  while (cursor !== null && values.length < limit) {
    values.push(cursor.value);
    cursor = values.length < limit ? ((await cursor.continue()) as typeof cursor) : null;
  }
  return values;
}
