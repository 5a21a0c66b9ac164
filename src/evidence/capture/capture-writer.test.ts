import { describe, expect, it } from 'vitest';
import { CaptureStoreError } from './capture-store.ts';
import { CaptureWriter } from './capture-writer.ts';
import type { CaptureParcel } from './capture.ts';

const parcel = (id: string): CaptureParcel => ({ capture: { id } }) as CaptureParcel;

/** A store that takes what it is told to take, and notes its transactions. */
function storeThat(refuses: (ids: readonly string[]) => boolean) {
  const writes: string[][] = [];
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  return {
    writes,
    release: () => release(),
    async put(parcels: readonly CaptureParcel[]) {
      await gate;
      const ids = parcels.map(({ capture }) => capture.id);
      if (refuses(ids)) throw new CaptureStoreError('full', 'No room.');
      writes.push(ids);
    },
  };
}

describe('CaptureWriter', () => {
  it('writes together what came while it wrote, in order, and loses none of a burst', async () => {
    const store = storeThat(() => false);
    const writer = new CaptureWriter(store);
    const ids = Array.from({ length: 300 }, (_, at) => String(at));
    const kept = ids.map((id) => writer.keep(parcel(id)));
    expect(writer.waitingCount).toBe(300);
    store.release();
    await Promise.all(kept);
    expect(store.writes.flat()).toEqual(ids);
    expect(store.writes).toHaveLength(7); // the first alone, then fifty at a time
    expect(writer.waitingCount).toBe(0);
  });

  it('keeps what a full disk refused in hand, and the others out of it', async () => {
    let room = false;
    const store = storeThat((ids) => !room && ids.includes('big'));
    const writer = new CaptureWriter(store);
    store.release();
    const results = await Promise.allSettled(['a', 'big', 'b'].map((id) => writer.keep(parcel(id))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(writer.unsaved.map(({ capture }) => capture.id)).toEqual(['big']);
    await expect(writer.retry()).rejects.toMatchObject({ code: 'full' });
    expect(writer.unsaved).toHaveLength(1);
    room = true;
    await writer.retry();
    expect([writer.unsaved, store.writes.flat()]).toEqual([[], ['a', 'b', 'big']]);
  });

  it('gives up what was downloaded', async () => {
    const store = storeThat(() => true);
    const writer = new CaptureWriter(store);
    store.release();
    await writer.keep(parcel('a')).catch(() => undefined);
    writer.discard('a');
    expect(writer.unsaved).toEqual([]);
  });
});
