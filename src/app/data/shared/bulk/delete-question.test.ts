import { describe, expect, it } from 'vitest';
import { entryOf, parcelOf } from '../../../../../tests/contract/capture-entries.ts';
import { startTime, uploadPicture } from '../../../../../tests/data-service-fixture.ts';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { memoryCaptureStore } from '../../../../../tests/memory-capture-store.ts';
import { memoryOutboxStore } from '../../../../../tests/memory-outbox-store.ts';
import { DeleteQuestion } from './delete-question.svelte.ts';

/** Three images, of which the first is a capture that is kept here. */
async function open() {
  const { context, service, said } = await openDataTab();
  const ids = [];
  for (const pixels of ['a', 'b', 'c']) ids.push(await uploadPicture(service.owner, {}, startTime, pixels));
  const captures = memoryCaptureStore();
  await captures.put([parcelOf('kept'), parcelOf('other')]);
  const outboxStore = memoryOutboxStore();
  const entry = entryOf('1', { state: 'sent', serverId: ids[0]! });
  await outboxStore.add([{ ...entry, content: { ...entry.content, captureId: 'kept' } as never }]);
  const host = { captures, outboxStore, outbox: { remove: (some: readonly string[]) => outboxStore.remove(some) } };
  const access = { open: async () => ({ captures: { host } }) };
  const question = new DeleteQuestion({ ...context, captures: access } as never);
  const state = async () => ({
    images: Number((await service.owner.data.binaryDataByFilter({ dataRequest: {}, countOnly: true })).count),
    captures: (await captures.page(null, 9)).map(({ id }) => id).sort(),
    entries: (await outboxStore.page(null, null, 9)).length,
  });
  return { question, ids: ids as [string, string, string], state, said };
}

describe('images that are deleted', () => {
  it('are asked about where they are captures, too, and the captures go with them', async () => {
    const { question, ids, state } = await open();
    await question.begin(new Set(ids), 'image', () => undefined);
    expect([question.pending.count, question.asked?.captureIds.size]).toEqual([0, 1]);
    await question.answer('both');
    expect([question.asked, question.pending.count]).toEqual([null, 3]);
    expect(await state()).toEqual({ images: 3, captures: ['kept', 'other'], entries: 1 });
    await question.pending.now();
    expect(await state()).toEqual({ images: 0, captures: ['other'], entries: 0 });
  });

  it('leave the captures where the person wants these, or undoes it', async () => {
    const { question, ids, state } = await open();
    await question.begin(new Set(ids), 'image', () => undefined);
    await question.answer('both');
    question.pending.undo();
    await question.begin(new Set(ids), 'image', () => undefined);
    await question.answer('files');
    await question.pending.now();
    expect(await state()).toEqual({ images: 0, captures: ['kept', 'other'], entries: 1 });
  });

  it('stay where the person thinks better of it', async () => {
    const { question, ids, state } = await open();
    await question.begin(new Set(ids), 'image', () => undefined);
    await question.answer('none');
    expect([question.asked, question.pending.count]).toEqual([null, 0]);
    expect((await state()).images).toBe(3);
  });

  it('are not asked about where none is a capture', async () => {
    const { question, ids, state } = await open();
    await question.begin(new Set([ids[1]]), 'image', () => undefined);
    expect([question.asked, question.pending.count]).toEqual([null, 1]);
    await question.pending.now();
    expect(await state()).toEqual({ images: 2, captures: ['kept', 'other'], entries: 1 });
  });
});
