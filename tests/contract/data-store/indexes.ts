import { describe, expect, it } from 'vitest';
import type { StructValue } from '../../../src/data-service/ports/stored-captures.ts';
import type { StoredIndex } from '../../../src/data-service/ports/index-store.ts';
import type { FieldHint } from '../../../src/data-service/ports/tabular-store.ts';
import { anonymousReceipt, idsOf, scanOf, tabularFilter, tabularRow } from './captures.ts';
import type { Subject } from './store-under-test.ts';

const collection = { kind: 'hot-store' } as const;
const path = 'data.readings.temp';

export const temperatureIndex: StoredIndex = {
  organizationId: 'org',
  collection,
  name: 'temp_1',
  options: '{}',
  createdBy: 'customer',
  timeCreated: 1,
  key: [{ path, direction: 1 }],
};

/** Rows with temperatures of every type that a client can send, each with a different time. */
export const temperatures: readonly (readonly [id: string, temp: StructValue])[] = [
  ['one', 1],
  ['two', 2],
  ['minus', -5],
  ['nan', NaN],
  ['text', 'warm'],
  ['empty', ''],
  ['true', true],
  ['false', false],
  ['null', null],
  ['list', [7, { c: 2 }, 'warm']],
  ['nested', { c: 9 }],
];

export const rowOf = ([id, temp]: (typeof temperatures)[number], index: number) =>
  tabularRow(id, { timeRequested: index, payload: { readings: { temp } } });

const exactly = (value: StructValue): FieldHint => ({
  path,
  from: { value, inclusive: true },
  to: { value, inclusive: true },
});

/** Index hints, with the rows that every store must return for them. */
export const hinted: readonly (readonly [string, FieldHint, readonly string[]])[] = [
  ['equal to a number', exactly(2), ['two']],
  ['equal to a text', exactly('warm'), ['text', 'list']],
  ['equal to the empty text', exactly(''), ['empty']],
  ['equal to true', exactly(true), ['true']],
  ['above a number', { path, from: { value: 1, inclusive: false }, to: null }, ['two', 'list']],
  ['from a number', { path, from: { value: 1, inclusive: true }, to: null }, ['one', 'two', 'list']],
  ['below a number', { path, from: null, to: { value: 1, inclusive: false } }, ['minus']],
  ['up to a text', { path, from: null, to: { value: 'warm', inclusive: true } }, ['text', 'empty', 'list']],
  ['in an element', { ...exactly(2), path: `${path}.c` }, ['list']],
  ['at a position', { ...exactly(7), path: `${path}.0` }, ['list']],
];

export function describeIndexes(subject: Subject): void {
  describe('client indexes', () => {
    const create = (changes: Partial<StoredIndex> = {}) =>
      subject()
        .store.indexes.create({ ...temperatureIndex, ...changes })
        .then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({ name: 'StoreError', code: 'unsupported' });
            return false;
          },
        );

    it('are kept by the store that uses them, or refused in words', async () => {
      const { indexes } = subject().store;
      const created = await create();
      expect(await indexes.list('org', collection)).toEqual(created ? [temperatureIndex] : []);
      expect(await indexes.list('other', collection)).toEqual([]);
      expect(await indexes.list('org', { kind: 'pipeline-sink', pipelineId: 'p' })).toEqual([]);
      if (created) await expect(indexes.create(temperatureIndex)).rejects.toMatchObject({ code: 'already-exists' });
      if (created) await indexes.delete('org', collection, 'temp_1');
      const missing = indexes.delete('org', collection, 'temp_1');
      await expect(missing).rejects.toMatchObject({ code: 'not-found', subject: 'temp_1' });
      expect(await create()).toBe(created);
    });

    it.each(hinted)('lose no row whose field is %s', async (_, hint, expected) => {
      const { tabular } = subject().store;
      const rows = temperatures.map(rowOf);
      await tabular.insert(rows.slice(0, 5), anonymousReceipt());
      for (const suffix of ['', '.c', '.0']) {
        await create({ name: `temp${suffix}_1`, key: [{ path: path + suffix, direction: 1 }] });
      }
      await tabular.insert(rows.slice(5), anonymousReceipt());
      for (const order of ['ascending', 'descending'] as const) {
        const found = idsOf(await tabular.pageByHints(scanOf(tabularFilter(), { order }), [hint]));
        const all = idsOf(await tabular.page(scanOf(tabularFilter(), { order })));
        expect(found).toEqual(expect.arrayContaining([...expected]));
        expect(found).toEqual(all.filter((id) => found.includes(id)));
      }
    });

    it('answer pages as the rows are now', async () => {
      const { tabular } = subject().store;
      await create();
      const twos = Array.from({ length: 7 }, (_, n) => rowOf([`two-${n}`, 2], n));
      await tabular.insert(twos, anonymousReceipt());
      await tabular.delete(tabularFilter({ interval: { start: 2, end: 3 } }), 10);
      const page = (after: { time: number; id: string } | null) =>
        tabular.pageByHints(scanOf(tabularFilter(), { limit: 4, after }), [exactly(2)]);
      expect(idsOf(await page(null))).toEqual(['two-0', 'two-1', 'two-3', 'two-4']);
      expect(idsOf(await page({ time: 4, id: 'two-4' }))).toEqual(['two-5', 'two-6']);
    });
  });
}
