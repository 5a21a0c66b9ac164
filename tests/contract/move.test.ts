import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareInstallations } from '../../src/data-service/move/compare-installations.ts';
import { copyInstallation } from '../../src/data-service/move/copy-installation.ts';
import type { MovedStore } from '../../src/data-service/move/moved-store.ts';
import { everythingOf } from '../../src/data-service/ports/capture-filter.ts';
import { rowKinds, type InstallationRows, type RowKind } from '../../src/data-service/ports/installation-rows.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { collect } from '../data-service-fixture.ts';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { hasPostgres, withoutPostgres } from '../postgres/postgres-server.ts';
import { postgresStores } from '../postgres/postgres-stores.ts';
import { readBlob } from '../read-blob.ts';
import { testClock } from './data-store/blobs.ts';
import { anonymousReceipt, tabularRow } from './data-store/captures.ts';
import {
  filesOf,
  fillInstallation,
  organizationIds,
  putFile,
  readingsOfEach,
  uploadIds,
} from './filled-installation.ts';

interface OpenedTarget {
  readonly store: MovedStore;
  close(): Promise<void>;
}

async function openSqlite(): Promise<OpenedTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-move-'));
  const store = await openSqliteDataStore(folder, testClock);
  return {
    store,
    async close() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

let counter = 0;
const ids = { next: () => `move-${++counter}` };
const quiet = { say: () => undefined, print: () => undefined };
const copy = (source: MovedStore, target: MovedStore) => copyInstallation(source, target, ids, quiet);

async function compare(source: MovedStore, target: MovedStore) {
  const lines: Record<string, unknown>[] = [];
  const { differences, ...counts } = await compareInstallations(source, target, {
    say: () => undefined,
    print: (line) => lines.push({ ...line }),
  });
  const named = lines.filter(({ difference }) => difference !== undefined);
  expect(named).toHaveLength(differences);
  return { named, counts };
}

/** All that a store answers, by its ports; blobs by their bytes. */
async function answersOf(store: MovedStore) {
  const { access, usage, datasets, deletions, savedQueries, pipelines, indexes, receipts, binary, tabular, blobs } =
    store;
  const never = (): Promise<never> => Promise.reject(new Error('There is such a secret.'));
  const unknown = new Uint8Array();
  const ofEach = async (organizationId: string) => {
    const everything = everythingOf(organizationId);
    const order = { order: 'ascending', after: null, limit: 10_000 } as const;
    const filter = { ...everything, mimeTypes: [], boxLabels: [], datasetId: '' };
    const files = await binary.page({ filter, ...order });
    const bytes = await Promise.all(
      files.map(async ({ blobAddress }) => Buffer.concat(await collect(readBlob(blobs, blobAddress, null))).toString()),
    );
    return {
      members: await binary.summarize({ ...filter, tags: ['seen'], boxLabels: ['bird'] }),
      files: files.map((file, n) => ({ ...file, blobAddress: bytes[n] })),
      readings: await tabular.page({ filter: { ...everything, additionalParameters: null }, ...order }),
      locations: await access.listLocations(organizationId),
      parts: await access.listParts(organizationId),
      keys: await access.listKeys(organizationId),
      user: await access.getDatabaseUser(organizationId),
      datasets: await datasets.list(organizationId),
      queries: await savedQueries.list(organizationId, 10),
      deletions: await deletions!.list(organizationId),
      pipelines: await pipelines.list(organizationId),
      indexes: await indexes.list(organizationId, { kind: 'hot-store' }),
      receipts: await Promise.all(uploadIds.map((id) => receipts.get(organizationId, id))),
    };
  };
  const window = { start: null, end: null };
  return {
    organizations: await access.listOrganizations(),
    // the bytes of labelling are those of each store's own rows
    usage: (await usage.of(organizationIds)).map((of) => ({ ...of, labelling: of.labelling.count })),
    renewals: [await access.tokenRenewal('token-0'), await access.tokenRenewal('token-1')],
    secrets: [
      await access.installationSecret('access-tokens', unknown).catch(never),
      await access.installationSecret('signed-urls', unknown).catch(never),
    ],
    each: await Promise.all(organizationIds.map(ofEach)),
    runs: await Promise.all(['p', 'q'].map((id) => pipelines.runs(id, null, 100))),
    latest: await Promise.all(['p', 'q'].map((id) => pipelines.latestRuns(id, window, 100))),
    sinks: await Promise.all(['p', 'q'].map((id) => pipelines.sink(id, null, 1000))),
    sinkIndexes: await indexes.list('org', { kind: 'pipeline-sink', pipelineId: 'p' }),
  };
}

async function orphansOf({ binary, blobs }: MovedStore): Promise<readonly string[]> {
  const addresses = (await collect(blobs.list())).map(({ address }) => address);
  return binary.unownedBlobs(addresses);
}

/** A store whose rows are copied otherwise. */
const withRows = (store: MovedStore, changes: Partial<InstallationRows>): MovedStore => ({
  ...store,
  rows: { ...store.rows, ...changes },
});

/** A store that fails at a step, before or after it is done. */
function failingAt(store: MovedStore, step: number, after: boolean): MovedStore {
  let steps = 0;
  const failing = <Values extends readonly unknown[], T>(work: (...values: Values) => Promise<T>) => {
    return async (...values: Values): Promise<T> => {
      const isLast = ++steps === step;
      if (steps > step || (isLast && !after)) throw new Error('the process was killed');
      const result = await work(...values);
      if (isLast) throw new Error('the process was killed');
      return result;
    };
  };
  return {
    ...store,
    blobs: { ...store.blobs, put: failing(store.blobs.put) },
    binary: { ...store.binary, insert: failing(store.binary.insert) },
    tabular: { ...store.tabular, insert: failing(store.tabular.insert) },
    indexes: { ...store.indexes, create: failing(store.indexes.create) },
    rows: { ...store.rows, add: failing(store.rows.add) as InstallationRows['add'], clear: failing(store.rows.clear) },
  };
}

/** Tests of a move from SQLite into `open`, and from there into SQLite. */
function describeMove(open: () => Promise<OpenedTarget>): void {
  let source: OpenedTarget;
  let target: OpenedTarget;
  let opened: OpenedTarget[];
  beforeEach(async () => {
    [source, target] = [await openSqlite(), await open()];
    opened = [source, target];
    await fillInstallation(source.store);
  });
  afterEach(async () => {
    for (const { close } of opened) await close();
  });

  it('copies everything, there and back, and says that it is equal', async () => {
    await source.store.access.setQuota('org', 10); // less than it stores
    const before = await answersOf(source.store);
    expect(before.usage[1]).toMatchObject({ files: { count: filesOf.other }, readings: { count: readingsOfEach } });
    expect(before.each[0]!.files).toHaveLength(filesOf.org);
    expect(before.each[1]!.readings).toHaveLength(readingsOfEach);
    expect(before.latest.flat().map(({ id }) => id)).toEqual(['a-second', 'c-open', 'd-other']);
    await copy(source.store, target.store);
    expect(await answersOf(target.store)).toEqual(before);
    const { named, counts } = await compare(source.store, target.store);
    expect([named, counts]).toEqual([
      [],
      { files: filesOf.org + filesOf.other, fileBytes: expect.any(Number), readings: 2 * readingsOfEach },
    ]);

    const back = await openSqlite();
    opened.push(back);
    await copy(target.store, back.store);
    expect(await answersOf(back.store)).toEqual(before);
    expect((await compare(target.store, back.store)).named).toEqual([]);
    expect((await compare(source.store, back.store)).named).toEqual([]);
  });

  it('names each kind of rows that is not whole, and runs in another order', async () => {
    await copy(source.store, target.store);
    async function* lessOne<Kind extends RowKind>(kind: Kind) {
      for await (const rows of target.store.rows.pages(kind)) yield rows.slice(1);
    }
    const whole = await compare(source.store, withRows(target.store, { pages: lessOne }));
    expect(new Set(whole.named.map(({ collection }) => collection))).toEqual(new Set(rowKinds));
    async function* backwards<Kind extends RowKind>(asked: Kind) {
      for await (const rows of target.store.rows.pages(asked)) yield asked === 'run' ? rows.toReversed() : rows;
    }
    const { named } = await compare(source.store, withRows(target.store, { pages: backwards }));
    expect(named).toMatchObject([{ collection: 'run', organizationId: 'org' }]);
  });

  it('names each capture that is missing, too much or other, and each file with other bytes', async () => {
    await copy(source.store, target.store);
    const { blobs } = target.store;
    const { binary, tabular } = target.store.as(null);
    const file = (n: number) => `org/loc/file-${n}-of-org`;
    await binary.delete('org', [file(1)]);
    await binary.edit('other', ['other/loc/file-2-of-other'], (record) => ({ ...record, tags: [] }));
    const at = { ...everythingOf('org'), interval: { start: 5, end: 6 }, additionalParameters: null };
    await tabular.delete(at, 1000);
    await tabular.insert([tabularRow('more')], anonymousReceipt());
    const [lost] = await binary.get('org', [file(3)]);
    await blobs.delete(lost!.blobAddress);
    const { named } = await compare(source.store, target.store);
    expect(
      new Set(
        named.map(({ collection, id, difference }) => `${String(collection)} ${String(id)} ${String(difference)}`),
      ),
    ).toEqual(
      new Set([
        `files ${file(1)} missing`,
        'files other/loc/file-2-of-other other',
        `files ${file(3)} lost`,
        ...[15, 16, 17].map((n) => `readings org-${n} missing`),
        'readings more not in the source',
      ]),
    );
  });

  it('goes on from wherever it was interrupted, and leaves no bytes that nobody owns', async () => {
    const before = await answersOf(source.store);
    let interrupted = 0;
    for (let step = 1; interrupted < 100; step += 1 + interrupted) {
      const failing = failingAt(target.store, step, interrupted % 2 === 0);
      const failure = await copy(source.store, failing).catch((error: unknown) => error);
      if (failure === undefined) break;
      expect(failure).toMatchObject({ message: 'the process was killed' });
      interrupted++;
    }
    expect(interrupted).toBeGreaterThan(8);
    expect(await answersOf(target.store)).toEqual(before);
    expect((await compare(source.store, target.store)).named).toEqual([]);
    expect(await orphansOf(target.store)).toEqual([]);
  });

  it('copies no file again that is there, and follows what was changed meanwhile', async () => {
    await copy(source.store, target.store);
    const { binary, tabular, access } = source.store;
    const file = (n: number) => `org/loc/file-${n}-of-org`;
    await binary.delete('org', [file(1)]);
    await binary.edit('org', [file(2)], (record) => ({ ...record, tags: ['other'] }));
    await binary.insert([await putFile(source.store, 'org', 'a new one', 3)], anonymousReceipt());
    const at = { ...everythingOf('org'), interval: { start: 5, end: 6 }, additionalParameters: null };
    await tabular.delete(at, 1000);
    const late = ['late 4', 'before 5', 'z-after 5'].map((id) => tabularRow(id, { timeRequested: Number(id.at(-1)) }));
    await tabular.insert(late, anonymousReceipt());
    await access.deleteKey('key-0');
    await access.renameOrganization('org', 'another name');
    let puts = 0;
    const counting: MovedStore = {
      ...target.store,
      blobs: {
        ...target.store.blobs,
        put(content, signal) {
          puts++;
          return target.store.blobs.put(content, signal);
        },
      },
    };
    await copy(source.store, counting);
    expect(puts).toBe(2);
    expect(await answersOf(target.store)).toEqual(await answersOf(source.store));
    expect((await compare(source.store, target.store)).named).toEqual([]);
    expect(await orphansOf(target.store)).toEqual([]);
  });

  it('reads each capture of both once where it goes on', async () => {
    await copy(source.store, target.store);
    const { binary, tabular } = target.store;
    await binary.delete('org', ['org/loc/file-1-of-org', 'org/loc/file-2-of-org']);
    const at = { ...everythingOf('org'), interval: { start: 5, end: 6 }, additionalParameters: null };
    expect(await tabular.delete(at, 1000)).toBe(3);
    const read = { source: [0, 0], target: [0, 0] };
    const counting = (store: MovedStore, counts: number[]): MovedStore => ({
      ...store,
      binary: {
        ...store.binary,
        async page(scan) {
          const page = await store.binary.page(scan);
          counts[0]! += page.length;
          return page;
        },
      },
      tabular: {
        ...store.tabular,
        async page(scan) {
          const page = await store.tabular.page(scan);
          // one alone is asked for its time
          if (scan.limit > 1) counts[1]! += page.length;
          return page;
        },
      },
    });
    await copy(counting(source.store, read.source), counting(target.store, read.target));
    const [files, readings] = [filesOf.org + filesOf.other, 2 * readingsOfEach];
    expect(read).toEqual({ source: [files, readings], target: [files - 2, readings - 3] });
    expect((await compare(source.store, target.store)).named).toEqual([]);
  });

  it('copies files again whose bytes the target has lost, or has in part', async () => {
    await copy(source.store, target.store);
    const before = await answersOf(source.store);
    const records = await target.store.binary.get('org', ['org/loc/file-3-of-org', 'org/loc/file-69-of-org']);
    const [lost, cut] = records.map((record) => record!.blobAddress);
    await target.store.blobs.delete(lost!);
    const { open } = target.store.blobs;
    const cutting: MovedStore = {
      ...target.store,
      blobs: {
        ...target.store.blobs,
        async open(address) {
          const blob = await open(address);
          return blob !== null && address === cut ? { ...blob, sizeBytes: 1 } : blob;
        },
      },
    };
    await copy(source.store, cutting);
    expect(await answersOf(target.store)).toEqual(before);
    expect((await compare(source.store, cutting)).named).toEqual([]);
    expect(await orphansOf(target.store)).toEqual([]);
  });

  it('leaves out files whose bytes the source has lost, and names them', async () => {
    const [lost] = await source.store.binary.get('org', ['org/loc/file-9-of-org']);
    await source.store.blobs.delete(lost!.blobAddress);
    await copy(source.store, target.store);
    const { named, counts } = await compare(source.store, target.store);
    expect(named).toEqual([{ collection: 'files', organizationId: 'org', id: lost!.id, difference: 'missing' }]);
    expect(counts.files).toBe(filesOf.org + filesOf.other - 1);
  });
}

describe('a move between folders', () => describeMove(openSqlite));

describe.skipIf(!hasPostgres)(`a move between a folder and PostgreSQL (${withoutPostgres})`, () => {
  const stores = postgresStores(() => memoryDataStore(testClock).blobs);
  describeMove(() => stores.open());
});
