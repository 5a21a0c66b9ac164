import { describe, expect, it } from 'vitest';
import type { BlobStore, ByteRange } from '../../../src/data-service/ports/blob-store.ts';
import { readBlob } from '../../read-blob.ts';
import type { Subject } from './store-under-test.ts';

const never = new AbortController().signal;

async function* chunksOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function readAll(blobs: BlobStore, address: string, range: ByteRange | null = null): Promise<number[]> {
  const bytes: number[] = [];
  for await (const chunk of readBlob(blobs, address, range)) bytes.push(...chunk);
  return bytes;
}

async function addressesIn(blobs: BlobStore): Promise<string[]> {
  const addresses: string[] = [];
  for await (const { address } of blobs.list()) addresses.push(address);
  return addresses;
}

export function describeBlobs(subject: Subject): void {
  const blobs = () => subject().store.blobs;

  describe('blobs', () => {
    it('are told with their hash, and named each apart', async () => {
      const abc = new Uint8Array([97, 98, 99]);
      const stored = await blobs().put(chunksOf(abc.subarray(0, 1), new Uint8Array(), abc.subarray(1)), never);
      const again = await blobs().put(chunksOf(abc), never);
      // FIPS 180-2, appendix B.1
      const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
      expect([stored, again]).toMatchObject(Array(2).fill({ sha256, sizeBytes: 3 }));
      expect(again.address).not.toBe(stored.address);
      await blobs().delete(again.address);
      expect(await readAll(blobs(), stored.address)).toEqual([97, 98, 99]);
      expect(await addressesIn(blobs())).toEqual([stored.address]);
    });

    it.each([
      [null, [1, 2, 3, 4, 5]],
      [{ start: 0, end: 5 }, [1, 2, 3, 4, 5]],
      [{ start: 1, end: 3 }, [2, 3]],
      [{ start: 4, end: 5 }, [5]],
      [{ start: 2, end: 2 }, []],
    ])('read the range %o', async (range, expected) => {
      const { address } = await blobs().put(chunksOf(Uint8Array.of(1, 2), Uint8Array.of(3, 4, 5)), never);
      expect(await readAll(blobs(), address, range)).toEqual(expected);
    });

    it('may be empty, and larger than a chunk', async () => {
      const empty = await blobs().put(chunksOf(), never);
      expect(empty.sizeBytes).toBe(0);
      expect(await readAll(blobs(), empty.address)).toEqual([]);
      const part = Uint8Array.from({ length: 1_300_000 }, (_, n) => n % 251);
      // larger than any buffer that a store may fill before it starts to write
      const large = await blobs().put(chunksOf(...Array<Uint8Array>(8).fill(part)), never);
      expect(large.sizeBytes).toBe(10_400_000);
      let length = 0;
      for await (const chunk of readBlob(blobs(), large.address, null)) {
        expect(chunk.length).toBeLessThanOrEqual(1 << 20);
        expect(chunk[0]).toBe((length % part.length) % 251);
        length += chunk.length;
      }
      expect(length).toBe(10_400_000);
      for await (const chunk of readBlob(blobs(), large.address, null)) {
        expect(chunk.length).toBeGreaterThan(0);
        break; // ends early
      }
    });

    it('leave nothing when their content fails or the caller gives up', async () => {
      const failure = new Error('connection lost');
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield Uint8Array.of(1);
        throw failure;
      }
      await expect(blobs().put(broken(), never)).rejects.toBe(failure);

      const patience = new AbortController();
      const reason = new Error('cancelled');
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield Uint8Array.of(1);
        patience.abort(reason);
        yield Uint8Array.of(2);
      }
      await expect(blobs().put(slow(), patience.signal)).rejects.toBe(reason);
      expect(await addressesIn(blobs())).toEqual([]);
    });

    it('are not found once deleted; deleting again is no error', async () => {
      const { address } = await blobs().put(chunksOf(Uint8Array.of(1)), never);
      await blobs().delete(address);
      await blobs().delete(address);
      await expect(readAll(blobs(), address)).rejects.toMatchObject({ code: 'not-found', subject: address });
      const outside = '../../etc/passwd';
      await expect(readAll(blobs(), outside)).rejects.toMatchObject({ code: 'not-found' });
      await blobs().delete(outside);
    });

    it('keep their bytes for who has opened them', async () => {
      const { address } = await blobs().put(chunksOf(Uint8Array.of(1, 2, 3, 4)), never);
      const blob = (await blobs().open(address))!;
      expect(blob.sizeBytes).toBe(4);
      await blobs().delete(address);
      expect(await blobs().open(address)).toBeNull();
      expect([...(await blob.read({ start: 1, end: 3 }))]).toEqual([2, 3]);
      expect([...(await blob.read({ start: 0, end: 4 }))]).toEqual([1, 2, 3, 4]);
      await blob.close();
      await blob.close();
    });

    it('tell when they were put', async () => {
      await blobs().put(chunksOf(Uint8Array.of(1)), never);
      // a store that several hosts share tells the age by its own clock, which goes on
      for await (const { timeStored } of blobs().list()) {
        expect(timeStored).toBeLessThanOrEqual(testNow);
        expect(timeStored).toBeGreaterThan(testNow - 60e6);
      }
    });

    it('are put many at a time', async () => {
      const stored = await Promise.all(
        Array.from({ length: 40 }, (_, n) => blobs().put(chunksOf(Uint8Array.of(n)), never)),
      );
      for (const [n, { address }] of stored.entries()) expect(await readAll(blobs(), address)).toEqual([n]);
      expect((await addressesIn(blobs())).sort()).toEqual(stored.map(({ address }) => address).sort());
    });
  });
}

/** The clock's time in every store under test. */
export const testNow = 1_760_000_000_123_000;
export const testClock = { now: () => testNow };
