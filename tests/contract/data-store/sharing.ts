import { describe, expect, it } from 'vitest';
import type { DataStore } from '../../../src/data-service/ports/data-store.ts';
import { anonymousReceipt, binaryFilter, binaryRecord, clientReceipt, idsOf, scanOf } from './captures.ts';
import { readBlob } from '../../read-blob.ts';
import { recordedFrame, resultFilter, scannedFrames } from './results.ts';
import type { Subject } from './store-under-test.ts';

async function* content(...bytes: readonly number[]): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from(bytes);
}

export function describeSharing(subject: Subject): void {
  async function two(skip: () => void): Promise<readonly [DataStore, DataStore]> {
    const { store, openAgain } = subject();
    if (openAgain === null) skip();
    return [store, await openAgain!()];
  }

  describe('data that several have open', () => {
    it('is seen by the others, streams that are new to them included', async ({ skip }) => {
      const [one, other] = await two(skip);
      await one.binary.insert([binaryRecord('a', { componentName: 'x' })], anonymousReceipt());
      await other.binary.insert([binaryRecord('b', { componentName: 'y' })], anonymousReceipt());
      await one.binary.edit('org', ['b'], (record) => ({ ...record, tags: ['t'] }));
      for (const store of [one, other]) {
        expect(idsOf(await store.binary.page(scanOf(binaryFilter())))).toEqual(['a', 'b']);
        expect(idsOf(await store.binary.page(scanOf(binaryFilter({ tags: ['t'] }))))).toEqual(['b']);
      }
    });

    it('has the bytes of a record for the others', async ({ skip }) => {
      const [one, other] = await two(skip);
      const { address, sha256, sizeBytes } = await one.blobs.put(content(1, 2, 3), new AbortController().signal);
      const record = binaryRecord('a', { blobAddress: address, sha256, sizeBytes });
      await one.binary.insert([record], anonymousReceipt());
      expect((await other.binary.get('org', ['a']))[0]).toEqual(record);
      for await (const chunk of readBlob(other.blobs, address, null)) expect([...chunk]).toEqual([1, 2, 3]);
    });

    it('loses none of the writes that meet', async ({ skip }) => {
      const stores = await two(skip);
      await stores[0].binary.insert([binaryRecord('shared')], anonymousReceipt());
      const writes = Array.from({ length: 30 }, async (_, n) => {
        const { binary } = stores[n % 2]!;
        await binary.insert([binaryRecord(`id-${n}`, { componentName: `camera-${n % 5}` })], anonymousReceipt());
        await binary.edit('org', ['shared'], (record) => ({ ...record, tags: [...record.tags, `tag-${n}`] }));
      });
      await Promise.all(writes);
      expect((await stores[1].binary.summarize(binaryFilter())).count).toBe(31);
      expect((await stores[0].binary.get('org', ['shared']))[0]!.tags).toHaveLength(30);
    });

    it('has no results of before what another wrote', async ({ skip }) => {
      const [one, other] = await two(skip);
      const frame = (id: string, score: number) => recordedFrame(id, { dog: score }, { timeRequested: 7 });
      const scoresOf = async ({ results }: DataStore) =>
        (await scannedFrames(results, resultFilter())).map(([, ...found]) => found.map(([, score]) => score));
      await one.binary.insert([frame('a', 0.1)], anonymousReceipt());
      expect(await scoresOf(other)).toEqual([[0.1]]);
      await one.binary.insert([frame('b', 0.2)], anonymousReceipt());
      expect(await scoresOf(other)).toEqual([[0.1], [0.2]]);
      await other.binary.edit('org', ['a'], (record) => ({ ...record, ...frame('a', 0.3) }));
      expect(await scoresOf(one)).toEqual([[0.2], [0.3]]);
      await one.binary.delete('org', ['b']);
      expect(await scoresOf(other)).toEqual([[0.3]]);
    });

    it('takes an upload once, whoever gets it', async ({ skip }) => {
      const stores = await two(skip);
      const outcomes = await Promise.allSettled(
        stores.map(({ binary }, n) => binary.insert([binaryRecord(`id-${n}`)], clientReceipt('up'))),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect((await stores[0].binary.summarize(binaryFilter())).count).toBe(1);
    });
  });
}
