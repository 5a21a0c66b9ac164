import { expect, it } from 'vitest';
import { parcelOf } from '../../../../../tests/contract/capture-entries.ts';
import { memoryCaptureStore } from '../../../../../tests/memory-capture-store.ts';
import { KeptList } from '../../../captures/kept-list.svelte.ts';
import { CaptureChoice } from './capture-choice.svelte.ts';
import { SendForm } from './send-form.svelte.ts';
import { tagsOf } from './tags-of.ts';

async function chooser(leaving: readonly string[] = []) {
  const store = memoryCaptureStore();
  await store.put(['a', 'b', 'c', 'd'].map((id) => parcelOf(id)));
  const list = new KeptList(store);
  await list.refresh();
  return { store, choice: new CaptureChoice(list, store, (id) => leaving.includes(id)) };
}

it('chooses as file managers do, and gives the oldest first', async () => {
  const { choice } = await chooser();
  await choice.choose(0, { extend: false, toggle: false });
  expect(await choice.ids()).toEqual(['d']);
  await choice.choose(2, { extend: true, toggle: false });
  expect(await choice.ids()).toEqual(['b', 'c', 'd']);
  await choice.choose(1, { extend: false, toggle: true });
  expect(await choice.ids()).toEqual(['b', 'd']);
});

it('chooses all, also those that come, without what was taken out or is about to go', async () => {
  const { choice, store } = await chooser(['a']);
  choice.selection.setAll();
  choice.selection.toggle('c');
  await store.put([parcelOf('e')]);
  expect(await choice.ids()).toEqual(['b', 'd', 'e']);
});

it('tags and untags what is chosen', async () => {
  const { choice, store } = await chooser();
  choice.selection.set(['a', 'b', 'gone']);
  expect(await choice.tag(tagsOf(' dusk, belt ,dusk,, '), true, 1)).toBe(2);
  expect((await store.get('b'))!.tags).toEqual(['dusk', 'belt']);
  await choice.tag(['dusk'], false, 1);
  expect((await store.get('a'))!.tags).toEqual(['belt']);
});

it('queues what is chosen with what is to be sent beside it', async () => {
  const { store } = await chooser();
  const asked: unknown[] = [];
  const outbox = {
    sendCaptures: async (captures: readonly { id: string }[], targetId: string, choice: unknown) => {
      asked.push([captures.map(({ id }) => id), targetId, choice]);
      return { entries: captures.map(() => ({})), alreadyThere: 1 };
    },
  };
  const form = new SendForm({ captures: store, outbox } as never);
  form.tagText = 'x';
  form.chooseDataset('elsewhere', { id: 'd2', name: 'Saucers' });
  form.chooseDataset('yard', { id: 'd1', name: 'Cups' });
  form.boxes = 'none';
  form.targetId = 'yard';
  expect(await form.queue(['a', 'gone', 'b'])).toEqual({ queued: 1, alreadyThere: 1 });
  const choice = { tags: ['x'], datasetIds: ['d1'], withBoxes: false, withClasses: true };
  expect(asked).toEqual([[['a', 'b'], 'yard', choice]]);
  expect(form.queueing).toBeNull();
});
