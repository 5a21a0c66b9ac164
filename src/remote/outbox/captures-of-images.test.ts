import { expect, it } from 'vitest';
import { entryOf, parcelOf } from '../../../tests/contract/capture-entries.ts';
import { memoryCaptureStore } from '../../../tests/memory-capture-store.ts';
import { capturesOfImages, removeCaptures } from './captures-of-images.ts';
import { memoryOutboxStore } from '../../../tests/memory-outbox-store.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import { browserTarget } from './outbox-target.ts';

/** Captures a, b and c, of which the entries tell what became of them. */
async function open(entries: readonly (Partial<OutboxEntry> & { id: string; of: string })[]) {
  const captures = memoryCaptureStore();
  await captures.put(['a', 'b', 'c'].map((id) => parcelOf(id)));
  const store = memoryOutboxStore();
  await store.add(
    entries.map(({ id, of, ...changes }) => {
      const entry = entryOf(id, changes);
      return { ...entry, content: { ...entry.content, captureId: of } as OutboxEntry['content'] };
    }),
  );
  const steps: string[] = [];
  const outbox = {
    async remove(ids: readonly string[]) {
      steps.push(`entries ${ids.join(', ')}`);
      await store.remove(ids);
    },
  };
  const kept = {
    get: (id: string) => captures.get(id),
    async remove(ids: readonly string[]) {
      steps.push(`captures ${ids.join(', ')}`);
      await captures.remove(ids);
    },
  };
  return { ports: { captures: kept, outbox, store }, captures, store, steps };
}

const sent = { state: 'sent' } as const;

it('finds the captures that images are copies of, at the target that is asked about', async () => {
  const { ports } = await open([
    { id: '1', of: 'a', ...sent, serverId: 'image a' },
    { id: '2', of: 'b', ...sent, serverId: 'image b', targetId: 'server' },
    { id: '3', of: 'c', ...sent, serverId: 'image c' },
    { id: '4', of: 'gone', ...sent, serverId: 'image of a capture that was deleted' },
  ]);
  const images = new Set(['image a', 'image b', 'image of a capture that was deleted', 'another']);
  expect(await capturesOfImages(ports, images, browserTarget.id)).toEqual(new Map([['image a', 'a']]));
  expect(await capturesOfImages(ports, images, 'server')).toEqual(new Map([['image b', 'b']]));
});

it('removes captures with all entries of theirs, those that say they were sent last', async () => {
  const { ports, captures, store, steps } = await open([
    { id: '1', of: 'a', ...sent, serverId: 'image a' },
    { id: '2', of: 'a', state: 'waiting', targetId: 'server' },
    { id: '3', of: 'b', state: 'waiting', targetId: 'server' },
  ]);
  await removeCaptures(ports, ['a']);
  expect(steps).toEqual(['entries 2', 'captures a', 'entries 1']);
  expect((await captures.page(null, 9)).map(({ id }) => id).sort()).toEqual(['b', 'c']);
  expect((await store.page(null, null, 9)).map(({ id }) => id)).toEqual(['3']);
});
