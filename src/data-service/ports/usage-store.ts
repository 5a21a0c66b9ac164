import type { Organization } from './access-store.ts';
import { byteWords } from './byte-words.ts';
import type { Summary } from './capture-filter.ts';
import { StoreError } from './store-error.ts';

/**
 * What an organization stores. A byte is what a client sent of it: of a file its `sizeBytes`, once for each row, also where two
 * rows have the same bytes; of a reading its `sizeBytes`, which are those of its payload on the wire. So every store counts the same.
 *
 * `labelling` is what people make of these, as the store keeps it: tasks with their boxes, comments, schemes, and who changed what
 * (`countedChanges`), where tags and boxes are once more; and of what is kept of files beside their bytes, boxes of uploads among that, what
 * is beyond `freeDescriptionBytes` of each. Its bytes are the store's own. A store in a browser, where no quota is set, leaves those of files out. What a store needs beside that (its indexes, the
 * reserve of a disk) is not counted.
 */
export interface Usage {
  readonly files: Summary;
  readonly readings: Summary;
  readonly labelling: Summary;
}

/**
 * What organizations store, at any time equal to what counting all of their rows would give. Stores keep counters, which change in
 * the transaction that changes rows, so that asking reads no rows and a crash leaves both or neither.
 *
 * A quota (`Organization.quotaBytes`) bounds all three together, to which the routes hold each call (`withinQuotas`). `insert` of files and
 * of readings holds these two to it by itself, to the byte: rows after which an
 * organization would store more than its quota are refused with `resource-exhausted`, and nothing of the call is kept. What is exactly as
 * large as the room that is left is taken. Where one process at a time writes, nothing passes the quota; where many hosts share a
 * store, uploads that are committed at the same moment do not see each other, and may pass it by those.
 */
export interface UsageStore {
  /** In the order of the ids; of an organization that stores nothing, or that is not known, zero. */
  of(organizationIds: readonly string[]): Promise<readonly Usage[]>;
}

const nothing: Summary = { count: 0, totalSizeBytes: 0 };

export const noUsage: Usage = { files: nothing, readings: nothing, labelling: nothing };

/**
 * What counts against the quota of an organization.
 * @param usage what it stores
 * @returns bytes of all together
 * @example
 * const labelling = { count: 1, totalSizeBytes: 5 };
 * usedBytes({ files: { count: 1, totalSizeBytes: 70 }, readings: { count: 3, totalSizeBytes: 30 }, labelling }); // => 105
 */
export const usedBytes = (usage: Usage): number => sentBytes(usage) + usage.labelling.totalSizeBytes;

/**
 * The bytes of it that clients have sent, which every store counts alike.
 * @param usage what an organization stores
 * @returns bytes of files and readings together
 * @example
 * const labelling = { count: 1, totalSizeBytes: 5 };
 * sentBytes({ files: { count: 1, totalSizeBytes: 70 }, readings: { count: 3, totalSizeBytes: 30 }, labelling }); // => 100
 */
export const sentBytes = ({ files, readings }: Pick<Usage, 'files' | 'readings'>): number =>
  files.totalSizeBytes + readings.totalSizeBytes;

/**
 * Says why an organization may add nothing more to what it has.
 * @param quotaBytes what it may store; undefined: it has no quota
 * @param storedBytes what it stores
 * @returns an error of code `resource-exhausted` in words; null: it may
 * @example
 * quotaRefusal(100, 99); // => null
 * quotaRefusal(100, 100).code; // => 'resource-exhausted'
 */
export const quotaRefusal = (quotaBytes: number | undefined, storedBytes: number): StoreError | null =>
  quotaBytes === undefined || storedBytes < quotaBytes
    ? null
    : new StoreError(
        'resource-exhausted',
        `The organization stores ${byteWords(storedBytes)}, and its quota is ${byteWords(quotaBytes)}. Nothing of the call was kept. ` +
          'Delete data, which makes room at once, or ask the administrator of the service for a larger quota; then try again.',
      );

/**
 * Holds an upload to the quota of its organization: for every store within the transaction that adds it.
 * @param quotaBytes what the organization may store; undefined: it has no quota
 * @param storedBytes what it stores without the upload
 * @param addedBytes of the upload
 * @throws StoreError `resource-exhausted` that says what is used, what the quota is and what to do
 * @example
 * requireQuota(100, 60, 40);
 * requireQuota(100, 60, 41); // throws: The organization stores 60 B of its quota of 100 B, and 41 B more do not fit.
 */
export function requireQuota(quotaBytes: number | undefined, storedBytes: number, addedBytes: number): void {
  if (quotaBytes === undefined || storedBytes + addedBytes <= quotaBytes) return;
  throw new StoreError(
    'resource-exhausted',
    `The organization stores ${byteWords(storedBytes)} of its quota of ${byteWords(quotaBytes)}, and ${byteWords(addedBytes)} more do not fit. ` +
      'Nothing of the call was kept. Delete data, which makes room at once, or ask the administrator of the service for a larger quota; then send it again.',
  );
}

/**
 * Gives an organization another quota.
 * @param organization as it is
 * @param quotaBytes what it may store; null: as much as there is room for
 * @returns as it shall be
 * @example
 * withQuota({ id: 'a', name: 'A', timeCreated: 1, quotaBytes: 5 }, null); // => { id: 'a', name: 'A', timeCreated: 1 }
 */
export function withQuota(
  { quotaBytes: _former, ...organization }: Organization,
  quotaBytes: number | null,
): Organization {
  return quotaBytes === null ? organization : { ...organization, quotaBytes };
}

/**
 * Sums rows up, as they add to what each organization stores.
 * @param rows files or readings, of any organizations
 * @returns how many of them each organization has, and their bytes
 * @example
 * sumByOrganization([{ organizationId: 'a', sizeBytes: 5 }]).get('a'); // => { count: 1, totalSizeBytes: 5 }
 */
export function sumByOrganization(
  rows: readonly { readonly organizationId: string; readonly sizeBytes: number }[],
): ReadonlyMap<string, Summary> {
  const sums = new Map<string, Summary>();
  for (const { organizationId, sizeBytes } of rows) {
    const { count, totalSizeBytes } = sums.get(organizationId) ?? noUsage.files;
    sums.set(organizationId, { count: count + 1, totalSizeBytes: totalSizeBytes + sizeBytes });
  }
  return sums;
}
