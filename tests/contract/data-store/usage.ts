import { describe, expect, it } from 'vitest';
import type { DataStore } from '../../../src/data-service/ports/data-store.ts';
import type { Usage } from '../../../src/data-service/ports/usage-store.ts';
import {
  anonymousReceipt,
  binaryFilter,
  binaryRecord,
  box,
  clientReceipt,
  idsOf,
  scanOf,
  tabularFilter,
  tabularRow,
} from './captures.ts';
import { labelComment, labelTask } from './labels.ts';
import type { Subject } from './store-under-test.ts';

type Captures = Pick<Usage, 'files' | 'readings'>;

const usage = (files: readonly [number, number], readings: readonly [number, number]): Captures => ({
  files: { count: files[0], totalSizeBytes: files[1] },
  readings: { count: readings[0], totalSizeBytes: readings[1] },
});

export function describeUsage(subject: Subject): void {
  const store = (): DataStore => subject().store;
  const capturesOf = async ({ usage: { of } }: DataStore, ...ids: readonly string[]): Promise<readonly Captures[]> =>
    (await of(ids)).map(({ files, readings }) => ({ files, readings }));
  const used = (...organizationIds: readonly string[]) =>
    capturesOf(store(), ...(organizationIds.length === 0 ? ['org'] : organizationIds));
  const labelling = async (organizationId = 'org') => (await store().usage.of([organizationId]))[0]!.labelling;
  const full = { name: 'StoreError', code: 'resource-exhausted' };
  const storeFile = (id: string, sizeBytes: number, organizationId = 'org') =>
    store().binary.insert([binaryRecord(id, { sizeBytes, organizationId })], anonymousReceipt());
  const storeReading = (id: string, sizeBytes: number) =>
    store().tabular.insert([tabularRow(id, { sizeBytes })], anonymousReceipt());
  async function withQuota(quotaBytes: number | null): Promise<void> {
    await store().access.createOrganization({ id: 'org', name: 'org', timeCreated: 1 });
    await store().access.setQuota('org', quotaBytes);
  }

  describe('what an organization stores', () => {
    it('is counted of each by itself, system data and members of datasets included', async () => {
      expect(await used()).toEqual([usage([0, 0], [0, 0])]);
      await storeFile('a', 100);
      await store().binary.insert(
        [
          binaryRecord('b', { sizeBytes: 20, internal: true, tags: ['t'] }),
          binaryRecord('c', { sizeBytes: 3, organizationId: 'other' }),
        ],
        anonymousReceipt(),
      );
      await storeReading('r', 7);
      await store().tabular.insert(
        [tabularRow('s', { sizeBytes: 5, tags: ['t'] }), tabularRow('t', { sizeBytes: 1, organizationId: 'other' })],
        anonymousReceipt(),
      );
      expect(await used('org', 'nobody', 'other')).toEqual([
        usage([2, 120], [2, 12]),
        usage([0, 0], [0, 0]),
        usage([1, 3], [1, 1]),
      ]);
      expect(await used('other', 'other')).toEqual([usage([1, 3], [1, 1]), usage([1, 3], [1, 1])]);
    });

    it('stays the same with other annotations, and without what was refused', async () => {
      await storeFile('a', 100);
      await store().binary.edit('org', ['a'], (record) => ({ ...record, tags: ['t'] }));
      await store().binary.insert([binaryRecord('b')], clientReceipt('up'));
      await expect(store().binary.insert([binaryRecord('c')], clientReceipt('up'))).rejects.toMatchObject({
        code: 'already-exists',
      });
      await expect(
        store().binary.insert([binaryRecord('d', { tags: ['SVC_DATASET_none'] })], anonymousReceipt()),
      ).rejects.toMatchObject({ code: 'not-found' });
      expect(await used()).toEqual([usage([2, 200], [0, 0])]);
    });

    it('is less by what is deleted, once', async () => {
      for (const id of ['a', 'b', 'c']) await storeFile(id, 100);
      await store().binary.delete('other', ['a']);
      await store().binary.delete('org', ['a', 'a', 'x']);
      await store().binary.delete('org', ['a', 'b']);
      expect(await used()).toEqual([usage([1, 100], [0, 0])]);
    });

    it('is less by readings that are deleted, of a part, by age and tagged ones too, however many', async () => {
      const rows = Array.from({ length: 3000 }, (_, n) =>
        tabularRow(`r-${n}`, {
          timeRequested: n,
          sizeBytes: 1 + (n % 3),
          partId: n % 2 ? 'p' : 'q',
          tags: n % 50 ? [] : ['t'],
        }),
      );
      const bytesOf = (kept: typeof rows) => kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      await store().tabular.insert(rows.slice(0, 2500), anonymousReceipt());
      await store().tabular.insert(rows.slice(2500), anonymousReceipt());
      expect(await used()).toEqual([usage([0, 0], [3000, bytesOf(rows)])]);
      const end = 2750;
      await store().tabular.delete(tabularFilter({ interval: { start: 10, end }, partId: 'p' }), 10_000);
      const kept = rows.filter(
        ({ timeRequested, partId }) => timeRequested < 10 || timeRequested >= end || partId === 'q',
      );
      expect(await used()).toEqual([usage([0, 0], [kept.length, bytesOf(kept)])]);
      await store().tabular.delete(tabularFilter({ tags: ['t'] }), 10_000);
      const untagged = kept.filter(({ tags }) => tags.length === 0);
      expect(await used()).toEqual([usage([0, 0], [untagged.length, bytesOf(untagged)])]);
      await store().tabular.delete(tabularFilter(), 10_000);
      expect(await used()).toEqual([usage([0, 0], [0, 0])]);
    });

    it('is what those who write at once have stored and deleted together', async () => {
      const hosts = [store(), (await subject().openAgain?.()) ?? store()];
      await Promise.all(
        Array.from({ length: 40 }, async (_, n) => {
          const { binary, tabular } = hosts[n % 2]!;
          await binary.insert([binaryRecord(`a-${n}`, { sizeBytes: n })], anonymousReceipt());
          await tabular.insert([tabularRow(`b-${n}`, { sizeBytes: 2 * n })], anonymousReceipt());
          if (n % 4 === 0) await binary.delete('org', [`a-${n}`]);
        }),
      );
      const deleted = 10 * 18; // 0 + 4 + … + 36
      expect(await capturesOf(hosts[1]!, 'org')).toEqual([usage([30, 780 - deleted], [40, 1560])]);
    });
  });

  describe('what people make of captures', () => {
    const boxes = Array.from({ length: 100 }, (_, n) => ({ ...box('cat'), id: `box-${n}` }));

    it('is counted with its boxes, texts and who changed it, until it is deleted', async () => {
      const { labels, binary, datasets } = store();
      expect(await labelling()).toEqual({ count: 0, totalSizeBytes: 0 });
      await storeFile('f', 100);
      expect(await labelling()).toEqual({ count: 0, totalSizeBytes: 0 });
      const grown: number[] = [];
      const steps: readonly (() => Promise<unknown>)[] = [
        () => labels.addTasks([labelTask('t', { isBlind: true })]),
        () => labels.editTasks('org', ['t'], ({ task, image }) => ({ task: { ...task, boxes, version: 2 }, image })),
        () => labels.addComment(labelComment('c', { text: 'x'.repeat(1000) })),
        () => binary.edit('org', ['f'], (record) => ({ ...record, tags: ['y'.repeat(1000)] })),
        () => datasets.create({ id: 'd', organizationId: 'org', name: 'cups', type: 'binary', timeCreated: 1 }),
        () =>
          labels.putScheme({
            organizationId: 'org',
            datasetId: 'd',
            version: 1,
            labels: [
              { name: 'cat', color: '', description: 'z'.repeat(1000), attributes: [], exampleBinaryDataId: '' },
            ],
          }),
      ];
      for (const step of steps) {
        const { totalSizeBytes } = await labelling();
        await step();
        grown.push((await labelling()).totalSizeBytes - totalSizeBytes);
      }
      const least = [200, 2 * 10_000, 2 * 1000, 1000, 50, 2 * 1000]; // the kept bytes and the row of the audit
      expect(grown.map((bytes, at) => bytes >= least[at]!)).toEqual(grown.map(() => true));
      expect((await labelling()).count).toBe(3 + 6);
      expect(await labelling('other')).toEqual({ count: 0, totalSizeBytes: 0 });
      await labels.deleteScheme('org', 'd');
      await binary.delete('org', ['f']); // with its task and its comment
      expect((await labelling()).count).toBe(7); // the row of the deleted file is not counted
      expect(await store().audit.deleteBefore('org', 2 ** 52, 100)).toBe(8);
      expect(await labelling()).toEqual({ count: 0, totalSizeBytes: 0 });
    });

    it('is counted also where boxes come with files', async ({ skip }) => {
      if (store().people === null) return skip('a store in a browser has no quota');
      const { binary } = store();
      await storeFile('plain', 1);
      const many = ['f', 'g'].map((id) => binaryRecord(id, { sizeBytes: 1, boundingBoxes: boxes }));
      await binary.insert(many, anonymousReceipt());
      const before = await labelling();
      expect(before.count).toBe(0);
      expect(before.totalSizeBytes).toBeGreaterThan(2 * 9000);
      await binary.edit('org', ['f'], (record) => ({ ...record, boundingBoxes: boxes.slice(0, 1) }));
      const { totalSizeBytes } = await labelling();
      await binary.delete('org', ['g']);
      expect(totalSizeBytes - (await labelling()).totalSizeBytes).toBeCloseTo(before.totalSizeBytes / 2, -3);
      await binary.delete('org', ['f', 'plain']);
      await store().audit.deleteBefore('org', 2 ** 52, 100);
      expect(await labelling()).toEqual({ count: 0, totalSizeBytes: 0 });
    });

    it('keeps boxes of a task in the audit as what differs', async () => {
      const { labels, audit } = store();
      await storeFile('f', 100);
      await labels.addTasks([labelTask('t', { isBlind: true, boxes })]);
      const others = [...boxes.slice(1), { ...boxes[0]!, label: 'dog' }];
      await labels.editTasks('org', ['t'], ({ task, image }) => ({ task: { ...task, boxes: others }, image }));
      const filter = { each: true, organizationId: 'org', actor: null, what: 'task', objectId: 'f' } as const;
      const rows = await audit.page({ ...filter, interval: { start: null, end: null } }, null, 10);
      const row = rows.find(({ before }) => before !== null); // rows of one time come in any order
      expect([row!.before, row!.after].map((fields) => JSON.parse(fields!['boxes'] as string))).toEqual([
        [boxes[0]],
        [{ ...boxes[0], label: 'dog' }],
      ]);
    });
  });

  describe('a quota', () => {
    it('is of an organization that is there, and goes with it', async () => {
      await expect(store().access.setQuota('org', 5)).rejects.toMatchObject({ code: 'not-found', subject: 'org' });
      await withQuota(5);
      await store().access.renameOrganization('org', 'another');
      const organization = { id: 'org', name: 'another', timeCreated: 1 };
      expect(await store().access.getOrganization('org')).toEqual({ ...organization, quotaBytes: 5 });
      await store().access.setQuota('org', null);
      expect(await store().access.listOrganizations()).toEqual([organization]);
    });

    it('takes what fits to the last byte, of files and readings together, and not one byte more', async () => {
      await withQuota(200);
      await storeFile('a', 90);
      await storeReading('r', 10);
      await expect(storeFile('b', 101)).rejects.toMatchObject({
        ...full,
        message: expect.stringMatching(/stores 100 B of its quota of 200 B, and 101 B more do not fit\..*Delete data/s),
      });
      await expect(storeReading('s', 101)).rejects.toMatchObject(full);
      await storeFile('b', 60);
      await storeReading('s', 40);
      expect(await used()).toEqual([usage([2, 150], [2, 50])]);
      await expect(storeReading('t', 1)).rejects.toMatchObject(full);
      await storeFile('empty', 0);
    });

    it('keeps nothing of what it refuses, which can be sent again once there is room', async () => {
      await withQuota(150);
      await storeFile('a', 100);
      const two = [binaryRecord('b', { sizeBytes: 30 }), binaryRecord('c', { sizeBytes: 30, componentName: 'new' })];
      await expect(store().binary.insert(two, clientReceipt('up'))).rejects.toMatchObject(full);
      expect(await store().receipts.get('org', 'up')).toBeNull();
      expect(idsOf(await store().binary.page(scanOf(binaryFilter())))).toEqual(['a']);
      expect(await used()).toEqual([usage([1, 100], [0, 0])]);
      await store().binary.delete('org', ['a']);
      await store().binary.insert(two, clientReceipt('up'));
      expect(await used()).toEqual([usage([2, 60], [0, 0])]);
    });

    it('is of one organization: others store what they like', async () => {
      await withQuota(50);
      await storeFile('a', 50);
      await storeFile('b', 1000, 'other');
      await store().access.createOrganization({ id: 'other', name: 'other', timeCreated: 1 });
      await storeFile('c', 1000, 'other');
      await expect(storeFile('d', 1)).rejects.toMatchObject(full);
    });

    it('that is lowered below what is stored leaves it, and takes no more until that is less', async () => {
      await withQuota(null);
      for (const id of ['a', 'b', 'c']) await storeFile(id, 100);
      await store().access.setQuota('org', 150);
      await expect(storeFile('d', 1)).rejects.toMatchObject(full);
      await store().binary.delete('org', ['b']);
      await expect(storeFile('d', 1)).rejects.toMatchObject(full);
      await store().binary.delete('org', ['c']);
      await storeFile('d', 50);
      await store().access.setQuota('org', null);
      await storeFile('e', 1000);
    });
  });
}
