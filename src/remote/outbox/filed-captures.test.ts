import { describe, expect, it } from 'vitest';
import { parcelOf } from '../../../tests/contract/capture-entries.ts';
import { memoryCaptureStore } from '../../../tests/memory-capture-store.ts';
import { fileEarlierCaptures, filedCaptures } from './filed-captures.ts';
import { memoryOutboxStore } from '../../../tests/memory-outbox-store.ts';
import { browserTarget } from './outbox-target.ts';
import { Outbox } from './outbox.ts';

function openFiling() {
  const store = memoryOutboxStore();
  const captures = memoryCaptureStore();
  let serial = 0;
  const keys = {
    give: async () => undefined,
    get: async () => null,
    isKept: async () => false,
    forget: async () => undefined,
  };
  const sha256 = async (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const randomId = () => `random-${String(++serial).padStart(9, '0')}`;
  const outbox = new Outbox({ store, captures, keys, sha256, randomId, nowMs: () => ++serial });
  const failures: unknown[] = [];
  const ports = { captures, outbox, store, onFailure: (error: unknown) => failures.push(error) };
  const queued = async () =>
    (await store.page(null, null, 200)).map(({ targetId, content }) => [
      targetId,
      content.kind === 'capture' ? content.captureId : '',
      content.kind === 'capture' ? content.boxes.length : 0,
    ]);
  return { ports, captures, store, filed: filedCaptures(ports), queued, failures };
}

describe('captures', () => {
  it('are on their way into the data of this browser as they are kept, and again when they are corrected', async () => {
    const { filed, captures, queued } = openFiling();
    const parcel = parcelOf('a');
    await filed.put([parcel]);
    await expect.poll(queued).toEqual([[browserTarget.id, 'a', parcel.capture.boxes.length]]);
    expect(await captures.get('a')).toEqual(await filed.get('a'));
    const box = { id: 'b', label: 'cup', confidence: null };
    const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
    await filed.correct('a', { boxes: [{ ...box, ...corners }] }, 5);
    await expect.poll(async () => (await queued())[0]).toEqual([browserTarget.id, 'a', 1]);
    expect(await filed.correct('nobody', { boxes: [] }, 6)).toBe(null);
    expect((await queued()).length).toBe(2);
  });

  it('are otherwise those that are kept', async () => {
    const { filed, captures } = openFiling();
    let changes = 0;
    const stop = filed.onChange(() => changes++);
    await captures.put([parcelOf('a'), parcelOf('b')]);
    expect(changes).toBe(1);
    stop();
    expect(await (await filed.content('a'))?.text()).toBe('pixels of a');
    expect(await (await filed.thumbnail('a'))?.text()).toBe('small a');
    expect(await filed.raw('a')).toEqual(parcelOf('a').raw);
    expect(await filed.page(null, 9)).toEqual(await captures.page(null, 9));
    expect(await filed.sizeBytes()).toBe(await captures.sizeBytes());
    await filed.remove(['a']);
    expect([await filed.count(), await captures.get('a'), changes]).toEqual([1, null, 1]);
  });

  it('are kept where they cannot be filed, and filed with the next visit', async () => {
    const { ports, captures, queued, failures } = openFiling();
    const down = { sendCaptures: () => Promise.reject(new Error('down')) };
    await filedCaptures({ ...ports, outbox: down }).put([parcelOf('a')]);
    await expect.poll(() => failures).toHaveLength(1);
    expect([await captures.count(), await queued()]).toEqual([1, []]);
    await fileEarlierCaptures(ports);
    expect((await queued()).map(([, id]) => id)).toEqual(['a']);
  });

  it('of before are filed once, as many as there are', async () => {
    const { ports, captures, queued, store } = openFiling();
    const ids = Array.from({ length: 120 }, (_, at) => `c${String(at).padStart(3, '0')}`);
    await captures.put(ids.map((id) => parcelOf(id)));
    await fileEarlierCaptures(ports);
    expect((await queued()).map(([, id]) => id).sort()).toEqual(ids);
    let asked = 0;
    const counting = { ofCapture: (id: string) => (asked++, store.ofCapture(id)) };
    await fileEarlierCaptures({ ...ports, store: counting });
    expect([asked, (await queued()).length]).toEqual([50, 120]);
  });
});
