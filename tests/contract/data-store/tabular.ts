import { describe, expect, it } from 'vitest';
import type { TabularRow } from '../../../src/data-service/ports/stored-captures.ts';
import { positionOf, type Position } from '../../../src/data-service/ports/capture-filter.ts';
import { packRows } from '../../../src/data-service/ports/packed-readings.ts';
import { anonymousReceipt, clientReceipt, idsOf, scanOf, tabularFilter, tabularRow } from './captures.ts';
import { unpacked } from './unpacked.ts';
import type { Subject } from './store-under-test.ts';

export function describeTabular(subject: Subject): void {
  const tabular = () => subject().store.tabular;
  const insert = (...rows: readonly ReturnType<typeof tabularRow>[]) => tabular().insert(rows, anonymousReceipt());

  describe('tabular rows', () => {
    it('keep numbers that JSON would lose, and any name', async () => {
      const payload = {
        readings: { nan: NaN, low: -Infinity, high: Infinity, zero: -0, list: [null, true, 'x', { deep: 1e-300 }] },
        '': 'unnamed',
        'a.b': 1,
        $where: 2,
        'nul\0': 3,
      };
      const row = tabularRow('a', { payload, additionalParameters: '{"name":"x"}' });
      await insert(row);
      const [found] = await tabular().page(scanOf(tabularFilter()));
      expect(found).toEqual(row);
      expect(Object.is((found!.payload['readings'] as { zero: number }).zero, -0)).toBe(true);
    });

    it('keep a time of the year 10000, which earlier versions took, and are paged beyond it', async () => {
      const rows = [
        tabularRow('late', { timeRequested: 253_402_300_800_000_000, timeReceived: 253_402_300_800_000_000 }),
        tabularRow('later', { timeRequested: 253_402_300_800_000_032 }),
        tabularRow('today'),
      ];
      await insert(...rows);
      const found: TabularRow[] = [];
      for (let after: Position | null = null; ;) {
        const [row]: readonly TabularRow[] = await tabular().page(
          scanOf(tabularFilter(), { order: 'descending', after, limit: 1 }),
        );
        if (row === undefined) break;
        found.push(row);
        after = positionOf(row);
      }
      expect(found).toEqual([rows[1], rows[0], rows[2]]);
      expect(await tabular().summarize(tabularFilter())).toEqual({ count: 3, totalSizeBytes: 30 });
    });

    it('are the same packed', async () => {
      const odd = { readings: { nan: NaN, zero: -0 } };
      const rows = [
        tabularRow('a', { timeRequested: 1, componentName: 'oven' }),
        tabularRow('b', { timeRequested: 2, componentName: 'fridge', payload: odd }),
        tabularRow('c', { timeRequested: 3, componentName: 'oven', tags: ['t'], payload: { text: '],"\0\ud800ü' } }),
        tabularRow('d', { timeRequested: 4, componentName: 'oven', additionalParameters: '{"n":1}' }),
      ];
      await insert(...rows);
      const packed = async (changes: Parameters<typeof tabularFilter>[0], limit = 10) =>
        unpacked(await tabular().packedPage(scanOf(tabularFilter(changes), { limit }), []));
      expect(await packed({})).toEqual(unpacked(packRows(rows)));
      expect((await packed({})).readings.map(({ payload }) => payload)).toEqual(rows.map(({ payload }) => payload));
      expect(await packed({}, 2)).toEqual(unpacked(packRows(rows.slice(0, 2))));
      expect(await packed({ componentName: 'oven' })).toEqual(unpacked(packRows([rows[0]!, rows[2]!, rows[3]!])));
      expect(await packed({ tags: ['t'] })).toEqual(unpacked(packRows([rows[2]!])));
      expect(await packed({ additionalParameters: '{"n":1}' })).toEqual(unpacked(packRows([rows[3]!])));
      expect(await packed({ partId: 'none' })).toEqual({ readings: [], last: null });
    });

    it('are filtered by exact parameters, none being parameters too', async () => {
      await insert(
        tabularRow('a', { timeRequested: 1 }),
        tabularRow('b', { timeRequested: 2, additionalParameters: '{"n":1}' }),
      );
      const page = async (additionalParameters: string | null) =>
        idsOf(await tabular().page(scanOf(tabularFilter({ additionalParameters }))));
      expect(await page(null)).toEqual(['a', 'b']);
      expect(await page('')).toEqual(['a']);
      expect(await page('{"n":1}')).toEqual(['b']);
      expect(await page('{}')).toEqual([]);
      expect(await tabular().summarize(tabularFilter({ additionalParameters: '' }))).toEqual({
        count: 1,
        totalSizeBytes: 10,
      });
    });

    it('keep times to the microsecond, in order, before 1970 and after 2255', async () => {
      const times = [253_402_300_799_000_000, 1_700_000_000_000_001, 1_700_000_000_000_000, 0, -62_135_596_800_000_000];
      await insert(...times.map((timeRequested, n) => tabularRow(`id-${n}`, { timeRequested })));
      const page = await tabular().page(scanOf(tabularFilter(), { order: 'descending' }));
      expect(page.map(({ timeRequested }) => timeRequested)).toEqual(times);
      const rest = await tabular().page(scanOf(tabularFilter(), { order: 'descending', after: positionOf(page[2]!) }));
      expect(idsOf(rest)).toEqual(['id-3', 'id-4']);
    });

    it('of one upload are stored together and once', async () => {
      const receipt = clientReceipt('up', { binaryDataId: '' });
      await tabular().insert([tabularRow('a'), tabularRow('b')], receipt);
      await expect(tabular().insert([tabularRow('c')], receipt)).rejects.toMatchObject({ code: 'already-exists' });
      expect(idsOf(await tabular().page(scanOf(tabularFilter())))).toEqual(['a', 'b']);
    });

    it('are taken up to a time of the store, and not beyond', async () => {
      const { now, oldestWrite } = subject().store;
      const minute = 60_000_000;
      const late = tabular().insert([tabularRow('late')], clientReceipt('up'), (await now()) - 1);
      await expect(late).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('Send it again'),
      });
      await tabular().insert([tabularRow('in time')], clientReceipt('up'), (await now()) + minute);
      expect(idsOf(await tabular().page(scanOf(tabularFilter())))).toEqual(['in time']);
      await tabular().insert([tabularRow('anonymous')], anonymousReceipt(), (await now()) + minute);
      const before = await now();
      expect(await oldestWrite()).toBeGreaterThanOrEqual(before);
    });

    it('are deleted by filter, some at a time', async () => {
      await insert(...Array.from({ length: 7 }, (_, n) => tabularRow(`id-${n}`, { timeRequested: n, tags: ['t'] })));
      await insert(tabularRow('foreign', { organizationId: 'other' }));
      const filter = tabularFilter({ interval: { start: null, end: 5 } });
      expect(await tabular().delete(filter, 3)).toBe(3);
      expect(await tabular().delete(filter, 3)).toBe(2);
      expect(idsOf(await tabular().page(scanOf(tabularFilter({ tags: ['t'] }))))).toEqual(['id-5', 'id-6']);
      expect(await tabular().summarize(tabularFilter({ organizationId: 'other' }))).toMatchObject({ count: 1 });
    });

    it('are deleted as far as they were synced by then', async () => {
      const rows = Array.from({ length: 40 }, (_, n) =>
        tabularRow(`id-${String(n).padStart(2, '0')}`, {
          timeRequested: n,
          timeSynced: n % 4,
          tags: n < 20 ? ['t'] : [],
        }),
      );
      await insert(...rows);
      for (const filter of [tabularFilter({ tags: ['t'] }), tabularFilter()]) {
        for (const limit of [3, 1000]) await tabular().delete(filter, limit, 1);
        const tagged = filter.tags.length > 0;
        const left = rows.filter(({ timeSynced, tags }) => timeSynced > 1 || (tagged && tags.length === 0));
        expect(idsOf(await tabular().page(scanOf(tabularFilter())))).toEqual(idsOf(left));
      }
      expect(await tabular().delete(tabularFilter(), 1000, 1)).toBe(0);
    });

    it('arrive in the order they were synced', async () => {
      await insert(
        tabularRow('late', { timeRequested: 1, timeSynced: 30 }),
        tabularRow('b', { timeRequested: 2, timeSynced: 20 }),
        tabularRow('a', { timeRequested: 3, timeSynced: 20 }),
        tabularRow('foreign', { timeSynced: 25, organizationId: 'other' }),
      );
      expect(await tabular().arrivals('org', { timeSynced: -Infinity, id: '' }, 2)).toEqual([
        { id: 'a', timeRequested: 3, timeSynced: 20 },
        { id: 'b', timeRequested: 2, timeSynced: 20 },
      ]);
      expect(idsOf(await tabular().arrivals('org', { timeSynced: 20, id: 'a' }, 10))).toEqual(['b', 'late']);
      expect(await tabular().arrivals('org', { timeSynced: 30, id: 'late' }, 10)).toEqual([]);
    });

    it('lose none that a hint could mean', async () => {
      await insert(
        ...[1, 2, 3].map((temp) => tabularRow(`t-${temp}`, { timeRequested: temp, payload: { readings: { temp } } })),
      );
      const from = { value: 2, inclusive: true };
      const rows = await tabular().pageByHints(scanOf(tabularFilter()), [
        { path: 'data.readings.temp', from, to: null },
      ]);
      expect(idsOf(rows)).toEqual(expect.arrayContaining(['t-2', 't-3']));
    });
  });
}
