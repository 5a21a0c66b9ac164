import { describe, expect, it } from 'vitest';
import type { Actor, AuditFilter, AuditRow } from '../../../src/data-service/ports/audit-store.ts';
import { datasetTag } from '../../../src/data-service/ports/capture-filter.ts';
import type { BinaryRecord } from '../../../src/data-service/ports/stored-captures.ts';
import { auditFilter } from './audit.ts';
import { testNow } from './blobs.ts';
import { anonymousReceipt, binaryRecord, box, tabularFilter, tabularRow } from './captures.ts';
import type { Subject } from './store-under-test.ts';

const ada: Actor = { kind: 'key', id: 'ada', name: 'Ada' };
const bob: Actor = { kind: 'key', id: 'bob', name: 'Bob' };
const dataset = { id: 'd', organizationId: 'org', name: 'birds', type: 'binary', timeCreated: 5 } as const;
const tagging = (record: BinaryRecord): BinaryRecord => ({ ...record, tags: [...record.tags, 'seen'] });
const idsOf = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `f${String(from + n).padStart(3, '0')}`);

/** What the audit shows of a call that works in batches, each of which is a write. */
export function describeAuditOfCalls(subject: Subject): void {
  const listed = (filter: Partial<AuditFilter> = {}): Promise<readonly AuditRow[]> =>
    subject().store.audit.page(auditFilter({ each: false, ...filter }), null, 1000);
  const each = (filter: Partial<AuditFilter> = {}) => listed({ ...filter, each: true });
  const fill = async (count: number, changes: (n: number) => Partial<BinaryRecord> = () => ({})): Promise<void> => {
    const records = idsOf(count).map((id, n) => binaryRecord(id, changes(n)));
    await subject().store.as(null).binary.insert(records, anonymousReceipt());
  };

  /** Each key tags files in several writes, and another key changes something between any two of them. */
  async function history(): Promise<void> {
    const { store, setTime } = subject();
    await fill(60);
    for (let call = 0; call < 6; call++) {
      const { binary } = store.as(call % 2 === 0 ? ada : bob);
      for (let batch = 0; batch < call; batch++) {
        await setTime(testNow + (call * 10 + batch) * 1e6);
        await binary.edit('org', idsOf(call * 2, batch * call * 2), (record) => ({ ...record, tags: [`t${call}`] }));
        const between = { ...dataset, id: `d${call}-${batch}`, name: `set ${call} ${batch}` };
        await store.as(bob).datasets.create(between);
      }
    }
  }

  describe('the audit of a call', () => {
    it('is one row for all of its writes, at the time of the first, that says how many changed and what', async () => {
      const { store, setTime } = subject();
      await fill(25);
      const { binary } = store.as(ada);
      for (const [batch, from] of [0, 10, 20].entries()) {
        await setTime(testNow + batch * 1e6);
        await binary.edit('org', idsOf(from === 20 ? 5 : 10, from), tagging);
        if (batch === 1) await store.as(bob).datasets.create(dataset);
      }
      expect(await listed()).toMatchObject([
        { actor: bob, what: 'dataset', time: testNow + 1e6 },
        {
          organizationId: 'org',
          actor: ada,
          what: 'tags',
          objectId: '',
          objectName: '',
          before: { tags: [] },
          after: { tags: ['seen'] },
          count: 25,
          time: testNow,
        },
      ]);
      const singly = await each({ what: 'tags' });
      expect(singly.map(({ objectId }) => objectId).toSorted()).toEqual(idsOf(25));
      for (const row of singly) expect([row.time, row.count, row.actor]).toEqual([testNow, undefined, ada]);
      expect(await listed({ objectId: 'f012' })).toEqual(singly.filter(({ objectId }) => objectId === 'f012'));
    });

    it('is one row for the readings that all of its writes delete', async () => {
      const { store, setTime } = subject();
      const rows = Array.from({ length: 7 }, (_, n) => tabularRow(`r${n}`, { timeRequested: 10 + n }));
      await store.tabular.insert(rows, anonymousReceipt());
      const { tabular } = store.as(ada);
      const filter = tabularFilter({ partId: 'part', interval: { start: null, end: 16 } });
      for (let [deleted, second] = [3, 0]; deleted === 3; second++) {
        await setTime(testNow + second * 1e6);
        deleted = await tabular.delete(filter, 3);
      }
      const [row, ...others] = await listed();
      expect(others).toEqual([]);
      const before = { count: 6, partId: 'part', end: 16 };
      expect(row).toMatchObject({ what: 'readings', objectId: '', before, after: null, time: testNow });
      expect(await each()).toEqual([row]);
    });

    it('says of deleted files what they have in common, and how many bytes they had', async () => {
      const { store } = subject();
      await fill(5, (n) => ({ partId: 'part', mimeType: n < 4 ? 'image/jpeg' : 'image/png', tags: [`t${n % 2}`] }));
      const { binary } = store.as(ada);
      await binary.delete('org', idsOf(3));
      await binary.delete('org', idsOf(2, 3));
      const before = {
        partId: 'part',
        sizeBytes: 500,
        tags: ['t0', 't1'],
        timeRequested: binaryRecord('').timeRequested,
      };
      expect(await listed()).toMatchObject([{ what: 'file', count: 5, after: null }]);
      expect((await listed())[0]!.before).toEqual(before);
    });

    it('says no less and no more than what was done when it fails in its midst', async () => {
      const { store } = subject();
      await fill(9);
      const { binary, datasets } = store.as(ada);
      await datasets.create(dataset);
      const failing = async (from: number): Promise<void> => {
        const left = binary.edit('org', [...idsOf(2, from), 'none'], tagging);
        await expect(left).rejects.toMatchObject({ code: 'not-found' });
      };
      await failing(0); // before anything of it is there
      await binary.edit('org', idsOf(1), tagging);
      await failing(1);
      expect(await listed({ what: 'tags' })).toMatchObject([{ objectId: 'f000' }]);
      expect((await listed({ what: 'tags' }))[0]).not.toHaveProperty('count');
      await binary.edit('org', idsOf(3, 1), tagging);
      await failing(4);
      expect(await listed({ what: 'tags' })).toMatchObject([{ objectId: '', count: 4 }]);
      expect((await each({ what: 'tags' })).map(({ objectId }) => objectId).toSorted()).toEqual(idsOf(4));
    });

    it('tells what is new, what has changed and what is gone, of each kind', async () => {
      const { store } = subject();
      await fill(3);
      const own = store.as(ada);
      for (const id of ['d', 'e', 'f']) await own.datasets.create({ ...dataset, id, name: id });
      await own.binary.edit('org', idsOf(3), (record) => ({ ...record, tags: [datasetTag('d')] }));
      await own.binary.edit('org', idsOf(3), (record) => ({ ...record, tags: [] }));
      await own.datasets.delete('org', 'd');
      await own.datasets.delete('org', 'e');
      await own.datasets.rename('org', 'f', 'left');
      const short = (await listed()).map(({ what, count, before, after }) => [what, count, before, after]);
      const tags = [datasetTag('d')];
      expect(new Set(short.map((row) => JSON.stringify(row)))).toEqual(
        new Set([
          JSON.stringify(['dataset', 3, null, { type: 'binary' }]),
          JSON.stringify(['dataset', 2, { type: 'binary' }, null]),
          JSON.stringify(['dataset', undefined, { name: 'f' }, { name: 'left' }]),
          JSON.stringify(['tags', 6, { tags }, { tags }]),
        ]),
      );
    });

    it('has the name that all its objects have, and no box of any', async () => {
      const { store } = subject();
      await fill(2, () => ({ fileName: 'front.jpg' }));
      const { binary } = store.as(ada);
      for (const label of ['cup', 'mug'])
        await binary.edit('org', idsOf(2), (record) => ({ ...record, boundingBoxes: [box(label)] }));
      const [{ what, objectName, before, after, count }] = (await listed()) as [AuditRow];
      expect([what, objectName, before, after, count]).toEqual(['boxes', 'front.jpg', {}, {}, 4]);
    });

    it('is a row for each organization, and says in none what was changed in another', async () => {
      const { store } = subject();
      const own = store.as(ada);
      for (const id of ['org', 'other'])
        await store.as(null).access.createOrganization({ id, name: id, timeCreated: 1 });
      for (const byte of [1, 2]) await own.access.replaceInstallationSecret('signed-urls', Uint8Array.of(byte));
      for (const organizationId of ['org', 'other']) {
        expect(await listed({ organizationId })).toMatchObject([{ organizationId, what: 'secret', count: 2 }]);
        expect(await each({ organizationId })).toMatchObject([{ organizationId }, { organizationId }]);
      }
    });

    it('is not that of another one: each write through the store itself is a call', async () => {
      const { store } = subject();
      await fill(4);
      for (const from of [0, 2]) await store.as(ada).binary.edit('org', idsOf(2, from), tagging);
      for (const from of [0, 2]) await store.binary.delete('org', idsOf(2, from));
      const short = (await listed()).map(({ what, actor, count }) => `${what} by ${actor.kind}: ${count}`);
      expect(short.toSorted()).toEqual([...Array(2).fill('file by service: 2'), ...Array(2).fill('tags by key: 2')]);
    });

    it('lists at most a hundred texts, and no more once there were more', async () => {
      const { store } = subject();
      await fill(120);
      const { binary } = store.as(ada);
      const tagged = async (count: number, from: number): Promise<unknown> => {
        await binary.edit('org', idsOf(count, from), (record) => ({ ...record, tags: [record.id] }));
        return (await listed())[0]!.after;
      };
      expect(await tagged(100, 0)).toEqual({ tags: idsOf(100) });
      expect(await tagged(10, 100)).toEqual({});
      expect(await tagged(10, 110)).toEqual({});
      expect(await listed()).toMatchObject([{ count: 120 }]);
    });

    it.each<readonly [string, Partial<AuditFilter>, number]>([
      ['anyone', {}, 5 + 15],
      ['a key', { actor: ada }, 2],
      ['a key and a thing', { actor: bob, what: 'tags' }, 3],
      ['a thing', { what: 'tags' }, 5],
      ['a span', { interval: { start: testNow + 30e6, end: testNow + 50e6 } }, 2 + 7],
      ['anyone, singly', { each: true }, 2 + 8 + 18 + 32 + 50 + 15],
      ['an object', { objectId: 'f003' }, 4],
    ])('is listed among those of %s, the newest first, in pages of any size', async (_, filter, count) => {
      await history();
      const all = await listed(filter);
      expect(all).toHaveLength(count);
      for (const limit of [1, 2, 7, 50]) {
        const found: AuditRow[] = [];
        for (;;) {
          const last = found.at(-1);
          const after = last ? { time: last.time, id: last.id } : null;
          const page = await subject().store.audit.page(auditFilter({ each: false, ...filter }), after, limit);
          expect(page.length).toBeLessThanOrEqual(limit);
          found.push(...page);
          if (page.length < limit) break;
        }
        expect(found).toEqual(all);
      }
    });

    it('goes by age as a whole', async () => {
      const { store, setTime } = subject();
      await fill(4);
      const { binary } = store.as(ada);
      await setTime(testNow);
      await binary.edit('org', idsOf(2), tagging);
      await setTime(testNow + 5e6);
      await binary.edit('org', idsOf(2, 2), tagging);
      expect(await store.audit.deleteBefore('org', testNow + 1e6, 3)).toBe(3);
      expect(await listed()).toMatchObject([{ count: 4 }]);
      expect(await store.audit.deleteBefore('org', testNow + 1e6, 10)).toBe(2);
      expect(await listed()).toEqual([]);
    });
  });
}
