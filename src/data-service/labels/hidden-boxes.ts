import type { Principal } from '../ports/principal.ts';
import type { BinaryStore } from '../ports/binary-store.ts';
import { matchesBinary, positionOf, type BinaryFilter, type Scan, type Summary } from '../ports/capture-filter.ts';
import type { DataStore } from '../ports/data-store.ts';
import { taskBytes } from '../ports/label-store.ts';
import { byText } from '../ports/name-order.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import { pagesOf, seenPage } from '../pages/pages-of.ts';
import { Turns } from '../../base/schedule/turns.ts';
import { mayReview } from './may-review.ts';
import { taskPages } from './task-pages.ts';

// An annotator with a blind task of an image does not see what others, or vision services, have said is on it: that may be the ground truth
// by which the annotator is measured. For this caller it is as if it was not there, also in a filter, a count or a list of labels.

type Stores = Pick<DataStore, 'binary' | 'labels'>;

/** What callers ask of files. */
export type SeenFiles = Pick<BinaryStore, 'get' | 'page' | 'summarize' | 'distinctTags' | 'distinctBoxLabels'>;

/** Files, and tasks, that are read at a time. */
const readAtOnce = 500;

/**
 * Files as a caller may see them.
 * @param stores the files, and the caller's tasks, which are read only where the caller is an annotator
 * @param principal who asks
 */
export function filesSeenBy(stores: Stores, principal: Principal): SeenFiles {
  const { binary, labels } = stores;
  if (mayReview(principal)) return binary;

  async function seen<Found extends BinaryRecord | null>(records: readonly Found[]): Promise<readonly Found[]> {
    const told = records.flatMap((record) => (record !== null && isLabelled(record) ? [record.id] : []));
    if (told.length === 0) return records;
    const tasks = await labels.assignments(principal.organizationId, principal.actor, told);
    const hidden = new Set(tasks.flatMap(({ isBlind, binaryDataId }) => (isBlind ? [binaryDataId] : [])));
    return records.map((record) =>
      record !== null && hidden.has(record.id) ? { ...record, boundingBoxes: [], classifications: [] } : record,
    );
  }

  const page = (scan: Scan<BinaryFilter>): Promise<readonly BinaryRecord[]> =>
    seenPage(
      (after, limit) => binary.page({ ...scan, after, limit }),
      async (files) => (await seen(files)).filter((file) => matchesBinary(scan.filter, file)),
      positionOf,
      scan.after,
      scan.limit,
    );

  async function distinct(
    filter: BinaryFilter,
    textsOf: (file: BinaryRecord) => readonly string[],
  ): Promise<readonly string[]> {
    const texts = new Set<string>();
    const read = (after: Scan<BinaryFilter>['after']) => page({ filter, order: 'ascending', after, limit: readAtOnce });
    for await (const files of pagesOf(read, readAtOnce, positionOf)) {
      for (const file of files) for (const text of textsOf(file)) texts.add(text);
    }
    return [...texts].sort(byText);
  }

  return {
    get: async (organizationId, ids) => seen(await binary.get(organizationId, ids)),
    page,
    async summarize(filter) {
      const all = await binary.summarize(filter);
      return filter.boxLabels.length === 0 ? all : without(all, await hiddenMatches(stores, principal, filter));
    },
    distinctTags: (filter) =>
      filter.boxLabels.length === 0 ? binary.distinctTags(filter) : distinct(filter, ({ tags }) => tags),
    async distinctBoxLabels(filter) {
      if (filter.boxLabels.length > 0) return distinct(filter, labelsOf);
      const names: string[] = [];
      for (const name of await binary.distinctBoxLabels(filter)) {
        const [bearer] = await page({
          filter: { ...filter, boxLabels: [name] },
          order: 'ascending',
          after: null,
          limit: 1,
        });
        if (bearer !== undefined) names.push(name);
      }
      return names;
    },
  };
}

/**
 * The images of which an annotator does not see the labels, a page after the other; none where the caller may review. They come as they are
 * stored.
 */
export async function* hiddenFiles(
  { binary, labels }: Stores,
  principal: Principal,
): AsyncGenerator<readonly BinaryRecord[], void> {
  if (mayReview(principal)) return;
  const { organizationId, actor: assignee } = principal;
  const own = { organizationId, assignee, locationId: null, partId: null };
  const filter = { ...own, state: '', datasetId: '', binaryDataId: '' } as const;
  const turns = new Turns();
  for await (const page of taskPages(labels, filter, readAtOnce)) {
    // to read a byte is about one unit of work
    if (turns.spend(page.reduce((bytes, task) => bytes + taskBytes(task), 0))) await turns.next();
    const ids = page.flatMap(({ isBlind, binaryDataId }) => (isBlind ? [binaryDataId] : []));
    yield (await binary.get(organizationId, ids)).filter((file) => file !== null);
  }
}

async function hiddenMatches(stores: Stores, principal: Principal, filter: BinaryFilter): Promise<Summary> {
  let [count, totalSizeBytes] = [0, 0];
  for await (const files of hiddenFiles(stores, principal)) {
    for (const file of files) {
      if (!matchesBinary(filter, file)) continue;
      count++;
      totalSizeBytes += file.sizeBytes;
    }
  }
  return { count, totalSizeBytes };
}

/** The rest of `all`; nothing, where files were deleted or labelled between the two counts. */
const without = (all: Summary, hidden: Summary): Summary => ({
  count: Math.max(0, all.count - hidden.count),
  totalSizeBytes: Math.max(0, all.totalSizeBytes - hidden.totalSizeBytes),
});

const labelsOf = ({ boundingBoxes }: BinaryRecord): readonly string[] => boundingBoxes.map(({ label }) => label);

const isLabelled = ({ boundingBoxes, classifications }: BinaryRecord): boolean =>
  boundingBoxes.length > 0 || classifications.length > 0;
