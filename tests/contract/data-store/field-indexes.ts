import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anonymousReceipt, idsOf, scanOf, tabularFilter } from './captures.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { hinted, rowOf, temperatureIndex, temperatures } from './indexes.ts';

/** The contract tests for a store that builds its clients' indexes. */
export function describeFieldIndexes(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`an index of a client ${name}`, () => {
    let opened: StoreUnderTest;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    it.each(hinted.filter(([, { path }]) => path === temperatureIndex.key[0]!.path))(
      'leaves out the other rows where the field is %s',
      async (kind, hint, expected) => {
        const { indexes, tabular } = opened.store;
        await indexes.create(temperatureIndex);
        await tabular.insert(temperatures.map(rowOf), anonymousReceipt());
        const found = idsOf(await tabular.pageByHints(scanOf(tabularFilter()), [hint]));
        // NaN sorts below all numbers, so the index returns it as a candidate, which the query then rejects.
        const candidates = kind === 'below a number' ? [...expected, 'nan'] : expected;
        expect([...found].sort()).toEqual([...candidates].sort());
      },
    );

    it.each([
      [{ key: [{ path: 'component_name', direction: 1 }] }, /"component_name" is not a field of data.*indexed always/],
      [{ options: '{"unique":true}' }, /option "unique" is not supported/],
    ] as const)('is refused where it would speed up nothing: %o', async (changes, message) => {
      const create = opened.store.indexes.create({ ...temperatureIndex, ...changes });
      await expect(create).rejects.toMatchObject({ code: 'unsupported', message: expect.stringMatching(message) });
    });
  });
}
