import { binaryPages } from '../pages/binary-pages.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import {
  datasetIdsOf,
  everyFileOf,
  everyReadingOf,
  type BinaryFilter,
  type TabularFilter,
} from '../ports/capture-filter.ts';
import type { BinaryRecord, Interval, Micros } from '../ports/stored-captures.ts';
import { serviceActor } from '../ports/audit-store.ts';
import { clocksWereSet } from '../ports/clock.ts';
import type { DataStore } from '../ports/data-store.ts';
import { deleteBinary } from './delete-binary.ts';
import { batchRows } from './go-on-deleting.ts';

/** How long data is kept after its capture, ms; null: until somebody deletes it. */
export interface Retention {
  /** pictures and other files that are in no dataset */
  readonly filesMs: number | null;
  readonly readingsMs: number | null;
  /** who changed what, after the change */
  readonly auditMs: number | null;
}

export interface DeletedCounts {
  readonly files: number;
  readonly readings: number;
}

const hourMicros = 3600 * 1e6;

/**
 * Deletes data of all organizations that is older than its retention, with the receipts of its uploads, and rows of the audit by
 * a rule of their own.
 * @param dependencies the store, by whose time data is old
 * @param retention how long files, readings and rows of the audit are kept, in milliseconds; null: for ever
 * @param signal ends the deletion between two batches
 * @returns how many files and readings were deleted
 * @example
 * import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
 * const { signal } = new AbortController();
 * await deleteOutdated({ store: memoryDataStore({ now: () => 0 }) }, { filesMs: 1000, readingsMs: null, auditMs: null }, signal); // => { files: 0, readings: 0 }
 */
export async function deleteOutdated(
  { store }: Pick<DataServiceDependencies, 'store'>,
  { filesMs, readingsMs, auditMs }: Retention,
  signal: AbortSignal,
): Promise<DeletedCounts> {
  const now = await store.now();
  const endOf = (keptMs: number | null): Micros => (keptMs === null ? -Infinity : now - keptMs * 1000);
  const ends = { files: endOf(filesMs), readings: endOf(readingsMs) };
  const counts = await deleteBefore(inOneCall(store), ends, signal);
  // An upload of that age, sent again, would be deleted by the rule. A receipt does not say whether it is of files or readings.
  await store.receipts.deleteBefore(Math.min(ends.files, ends.readings));
  if (auditMs !== null) await deleteAuditBefore(store, endOf(auditMs), signal);
  return counts;
}

async function deleteAuditBefore({ access, audit }: DataStore, end: Micros, signal: AbortSignal): Promise<void> {
  for (const { id } of await access.listOrganizations()) {
    for (let deleted = batchRows; deleted === batchRows;) {
      signal.throwIfAborted();
      deleted = await audit.deleteBefore(id, end, batchRows);
    }
  }
}

/**
 * Deletes the oldest data of all organizations, one hour at a time, until there is enough room or nothing more may be
 * deleted.
 * @param store all stores of the service
 * @param isEnough whether there is enough room now
 * @param signal ends the deletion between two batches
 * @returns how many files and readings were deleted
 * @example
 * const { signal } = new AbortController();
 * await deleteOldest({}, async () => true, signal); // => { files: 0, readings: 0 }
 */
export async function deleteOldest(
  store: DataStore,
  isEnough: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<DeletedCounts> {
  const total = { files: 0, readings: 0 };
  let call: DataStore | null = null;
  while (!(await isEnough())) {
    const oldest = await oldestTime(store, signal);
    if (oldest === null) break;
    const end = (Math.floor(oldest / hourMicros) + 1) * hourMicros;
    const { files, readings } = await deleteBefore((call ??= inOneCall(store)), { files: end, readings: end }, signal);
    total.files += files;
    total.readings += readings;
  }
  return total;
}

/** The same store, whose audit sums all that a rule deletes in this run. */
const inOneCall = (store: DataStore): DataStore => ({ ...store, ...store.as(serviceActor) });

async function deleteBefore(
  store: DataStore,
  ends: { readonly files: Micros; readonly readings: Micros },
  signal: AbortSignal,
): Promise<DeletedCounts> {
  const counts = { files: 0, readings: 0 };
  for (const { id } of await store.access.listOrganizations()) {
    for await (const records of binaryPages(store.binary, filesOf(id, before(ends.files)), signal)) {
      const ids = records.filter(mayGo).map((record) => record.id);
      counts.files += await deleteBinary(store, id, ids);
    }
    for (let deleted = batchRows; deleted === batchRows; counts.readings += deleted) {
      signal.throwIfAborted();
      deleted = await store.tabular.delete(readingsOf(id, before(ends.readings)), batchRows);
    }
  }
  return counts;
}

/** Capture time of the oldest data that may be deleted; null: there is none. */
async function oldestTime(store: DataStore, signal: AbortSignal): Promise<Micros | null> {
  let oldest = Infinity;
  for (const { id } of await store.access.listOrganizations()) {
    for await (const records of binaryPages(store.binary, filesOf(id, before(oldest)), signal)) {
      const first = records.find(mayGo);
      if (first === undefined) continue;
      oldest = first.timeRequested;
      break;
    }
    const filter = readingsOf(id, before(oldest));
    const [first] = await store.tabular.page({ filter, order: 'ascending', after: null, limit: 1 });
    if (first !== undefined) oldest = first.timeRequested;
  }
  return oldest === Infinity ? null : oldest;
}

/** A file in a dataset is kept as long as it is a member, since it is meant for training. */
const mayGo = ({ tags }: BinaryRecord): boolean => datasetIdsOf(tags).length === 0;

/** Data dated by a clock that was never set has an unknown age: only people delete it. */
const before = (end: Micros): Interval => ({
  start: clocksWereSet,
  end: end === Infinity ? null : Math.max(end, clocksWereSet),
});

const filesOf = (organizationId: string, interval: Interval): BinaryFilter => ({
  ...everyFileOf(organizationId),
  interval,
});

const readingsOf = (organizationId: string, interval: Interval): TabularFilter => ({
  ...everyReadingOf(organizationId),
  interval,
});
