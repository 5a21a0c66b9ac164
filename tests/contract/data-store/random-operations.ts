import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryDataStore } from '../../memory-store/memory-data-store.ts';
import { datasetTag, type BinaryFilter, type Scan } from '../../../src/data-service/ports/capture-filter.ts';
import { recordedMethod } from '../../../src/data-service/ports/result-store.ts';
import type { StructObject } from '../../../src/data-service/ports/stored-captures.ts';
import type { DataStore } from '../../../src/data-service/ports/data-store.ts';
import type { StoredIndex } from '../../../src/data-service/ports/index-store.ts';
import { StoreError } from '../../../src/data-service/ports/store-error.ts';
import { testClock } from './blobs.ts';
import {
  anonymousReceipt,
  binaryFilter,
  binaryRecord,
  box,
  clientReceipt,
  tabularFilter,
  tabularRow,
} from './captures.ts';
import { resultFilter, scannedFrames } from './results.ts';
import { sequenceOf } from './sequences.ts';
import { unpacked } from './unpacked.ts';
import { auditFilter } from './audit.ts';
import type { StoreUnderTest } from './store-under-test.ts';

type Operation = (store: DataStore) => Promise<unknown>;

// Few different values, so that collisions are frequent.
const time = fc.integer({ min: 0, max: 6 }).map((n) => n * 5 * 60 * 1_000_000);
const part = fc.constantFrom('p1', 'p2', 'p3');
const component = fc.constantFrom('front', 'back');
const methodName = fc.constantFrom('ReadImage', recordedMethod);
const mimeType = fc.constantFrom('image/jpeg', 'video/mp4');
const tags = fc.uniqueArray(fc.constantFrom('red', 'blue', datasetTag('d1'), datasetTag('d2')), { maxLength: 3 });
const labels = fc.uniqueArray(fc.constantFrom('dog', 'cat'), { maxLength: 2 });
const boxes = fc.uniqueArray(
  fc.record({ label: fc.constantFrom('dog', 'cat'), confidence: fc.constantFrom(0.25, 0.5, null) }),
  { maxLength: 2, selector: ({ label }) => label },
);
const boxesOf = (all: readonly { readonly label: string; readonly confidence: number | null }[]) =>
  all.map(({ label, confidence }) => ({ ...box(label), confidence }));
const id = fc.integer({ min: 0, max: 30 }).map((n) => `id-${n}`);
const organizationId = fc.constantFrom('org', 'org', 'org', 'other');
const payload = fc
  .constantFrom(1, -0, Number.NaN, Infinity, 'x,]', '\0', '\ud800', null)
  .map((temp): StructObject => ({ readings: { temp } }));
const bound = fc.option(time, { nil: null });

const filter: fc.Arbitrary<BinaryFilter> = fc
  .record({
    organizationId,
    partId: fc.constantFrom('', '', 'p1', 'p2'),
    componentName: fc.constantFrom('', '', 'front'),
    mimeTypes: fc.uniqueArray(mimeType),
    tags: fc.oneof(fc.constant([]), tags),
    boxLabels: fc.oneof(fc.constant([]), labels),
    datasetId: fc.constantFrom('', '', 'd1'),
    tagged: fc.constantFrom('either', 'either', 'tagged', 'untagged'),
    interval: fc.record({ start: bound, end: bound }),
    includeInternal: fc.boolean(),
  })
  .map(binaryFilter);

const scan: fc.Arbitrary<Scan<BinaryFilter>> = fc.record({
  filter,
  order: fc.constantFrom('ascending', 'descending'),
  after: fc.option(fc.record({ time, id }), { nil: null }),
  limit: fc.integer({ min: 1, max: 8 }),
});

const binaryChanges = fc.record({
  sizeBytes: fc.constantFrom(0, 1, 100, 250),
  organizationId,
  partId: part,
  componentName: component,
  mimeType,
  tags,
  timeRequested: time,
  internal: fc.boolean(),
  methodName,
  boundingBoxes: boxes.map(boxesOf),
});

const operation = (nextId: () => string): fc.Arbitrary<Operation> =>
  fc.oneof(
    fc
      .tuple(fc.array(binaryChanges, { maxLength: 4 }), fc.option(fc.constantFrom('u1', 'u2', 'u3')))
      .map(([all, uploadId]): Operation => (store) => {
        const records = all.map((changes) => binaryRecord(nextId(), changes));
        return store.binary.insert(records, uploadId === null ? anonymousReceipt() : clientReceipt(uploadId));
      }),
    scan.map(
      (one): Operation =>
        (store) =>
          store.binary.page(one),
    ),
    filter.map(
      (one): Operation =>
        (store) =>
          store.binary.summarize(one),
    ),
    filter.map(
      (one): Operation =>
        (store) =>
          store.binary.distinctTags(one),
    ),
    filter.map(
      (one): Operation =>
        (store) =>
          store.binary.distinctBoxLabels(one),
    ),
    fc.tuple(organizationId, fc.uniqueArray(id, { maxLength: 3 }), tags, boxes).map(
      ([organization, ids, newTags, newBoxes]): Operation =>
        ({ binary }) =>
          binary.edit(organization, ids, (record) => ({ ...record, tags: newTags, boundingBoxes: boxesOf(newBoxes) })),
    ),
    fc.tuple(organizationId, fc.array(id, { maxLength: 3 })).map(
      ([organization, ids]): Operation =>
        ({ binary }) =>
          binary.delete(organization, ids),
    ),
    fc
      .record({
        organizationId,
        partId: part,
        serviceName: component,
        interval: fc.record({ start: bound, end: bound }),
      })
      .map(
        (changes): Operation =>
          ({ results }) =>
            scannedFrames(results, resultFilter(changes)),
      ),
    fc.constantFrom('d1', 'd2').map((dataset): Operation => async ({ datasets }) => {
      if ((await datasets.get('org', [dataset])).length > 0) return;
      await datasets.create({ id: dataset, organizationId: 'org', name: dataset, type: 'binary', timeCreated: 1 });
    }),
    fc.tuple(organizationId, fc.constantFrom('d1', 'd2')).map(
      ([organization, dataset]): Operation =>
        ({ datasets }) =>
          datasets.delete(organization, dataset),
    ),
    fc
      .array(fc.record({ organizationId, partId: part, timeRequested: time, timeSynced: time, tags, payload }), {
        maxLength: 4,
      })
      .map(
        (all): Operation =>
          ({ tabular }) =>
            tabular.insert(
              all.map((changes) => tabularRow(nextId(), changes)),
              anonymousReceipt(),
            ),
      ),
    scan.map(({ filter: { mimeTypes: _m, boxLabels: _b, datasetId: _d, ...shared }, ...rest }): Operation => {
      const rows = tabularFilter(shared);
      return async ({ tabular }) => [
        await tabular.page({ ...rest, filter: rows }),
        await tabular.summarize(rows),
        unpacked(await tabular.packedPage({ ...rest, filter: rows }, [])),
      ];
    }),
    fc.tuple(bound, organizationId).map(
      ([end, organization]): Operation =>
        ({ tabular }) =>
          tabular.delete(tabularFilter({ organizationId: organization, interval: { start: null, end } }), 1000),
    ),
    ...sequenceOperations(nextId),
    // the bytes of labelling are those of each store's own rows
    fc.constant<Operation>(async ({ usage }) =>
      (await usage.of(['org', 'other'])).map((of) => ({ ...of, labelling: of.labelling.count })),
    ),
    fc
      .tuple(organizationId, fc.option(fc.integer({ min: 0, max: 1200 })))
      .map(([organization, quotaBytes]): Operation => async ({ access }) => {
        const entry = { id: organization, name: organization, timeCreated: 1 };
        if ((await access.getOrganization(organization)) === null) await access.createOrganization(entry);
        await access.setQuota(organization, quotaBytes);
      }),
    fc.constant<Operation>(async ({ indexes }) => {
      const [known] = await indexes.list('org', payloadIndex.collection);
      if (known) await indexes.delete('org', payloadIndex.collection, payloadIndex.name);
      else await indexes.create(payloadIndex);
    }),
    fc.tuple(organizationId, fc.record({ timeSynced: time, id }), fc.integer({ min: 1, max: 5 })).map(
      ([organization, after, limit]): Operation =>
        ({ tabular }) =>
          tabular.arrivals(organization, after, limit),
    ),
  );

const sequenceOperations = (nextId: () => string): fc.Arbitrary<Operation>[] => [
  fc.tuple(organizationId, fc.constantFrom(1, 2)).map(
    ([organization, timeCreated]): Operation =>
      ({ sequences }) =>
        sequences.create(sequenceOf(nextId(), { organizationId: organization, timeCreated })),
  ),
  fc
    .tuple(
      fc.record({ organizationId, datasetId: fc.constantFrom('', 'd1') }),
      fc.option(fc.record({ time: fc.constantFrom(1, 2), id }), { nil: null }),
      fc.integer({ min: 1, max: 4 }),
    )
    .map(([one, after, limit]): Operation => async ({ sequences }) => [
      await sequences.list(one, after, limit),
      await sequences.count(one),
    ]),
  fc.tuple(organizationId, fc.uniqueArray(id, { minLength: 1, maxLength: 2 }), fc.subarray(['d1', 'd2'])).map(
    ([organization, ids, datasetIds]): Operation =>
      ({ sequences }) =>
        sequences.edit(organization, ids, (one) => ({ ...one, datasetIds })),
  ),
  fc.tuple(organizationId, id).map(
    ([organization, one]): Operation =>
      ({ sequences }) =>
        sequences.delete(organization, one),
  ),
];

const payloadIndex: StoredIndex = {
  organizationId: 'org',
  collection: { kind: 'hot-store' },
  name: 'by-temp',
  key: [{ path: 'data.readings.temp', direction: 1 }],
  options: '',
  createdBy: 'customer',
  timeCreated: 0,
};

/** Each night ten times as many calls, from a seed of its own, which a failure names. */
const isNightly = typeof process !== 'undefined' && Boolean(process.env['NIGHTLY']); // it runs in a browser, too
const [seed, amount] = isNightly ? [Date.now() % 2 ** 31, 10] : [20_251, 1];

/** Makes the same random calls on this store and on the memory store. All answers and errors must be equal. */
export function describeRandomOperations(open: () => Promise<StoreUnderTest>): void {
  it('answers random calls as the reference in memory does', { timeout: 60_000 * amount }, async () => {
    const twice = fc.array(fc.integer({ min: 0, max: 1 << 30 }), { minLength: 60, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(twice, async (seeds) => {
        const subject = await open();
        const reference = memoryDataStore(testClock);
        try {
          for (const [step, seedOfStep] of seeds.entries()) {
            const outcomes = [];
            for (const store of [reference, subject.store]) {
              let n = step * 4;
              const [one] = fc.sample(
                operation(() => `id-${n++}`),
                { seed: seedOfStep, numRuns: 1 },
              );
              outcomes.push(await outcomeOf(one!(store)));
            }
            expect(outcomes[1], `step ${step}`).toEqual(outcomes[0]);
          }
          expect(await auditOf(subject.store)).toEqual(await auditOf(reference));
        } finally {
          await subject.close();
        }
      }),
      { seed, numRuns: 24 * amount },
    );
  });
}

/** What the audit says, without what is a store's own: ids, and by how many turns readings were deleted. */
async function auditOf({ audit }: DataStore): Promise<unknown> {
  const rows = await Promise.all(
    ['org', 'other'].flatMap((organizationId) =>
      [true, false].map((each) => audit.page(auditFilter({ organizationId, each }), null, 10_000)),
    ),
  );
  const all = rows.flat();
  const readings = all.filter(({ what }) => what === 'readings').map(({ before }) => before!['count'] as number);
  const others = all
    .filter(({ what }) => what !== 'readings')
    .map(({ id: _, time: _time, ...row }) => JSON.stringify(row));
  return { readings: readings.reduce((sum, count) => sum + count, 0), others: others.sort() };
}

async function outcomeOf(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { code: error.code, subject: error.subject };
  }
}
