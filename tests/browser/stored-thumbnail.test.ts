import { flushSync, mount, unmount } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { afterEach, expect, it } from 'vitest';
import StoredThumbnail from '../../src/app/captures/StoredThumbnail.svelte';

let close: () => void = () => undefined;
afterEach(() => close());

/** Shows the thumbnail of a row. Lists replace the whole row object when they read it again. */
function show(id: string) {
  document.body.replaceChildren();
  const rows = new SvelteMap([['row', { id }]]);
  const asked: string[] = [];
  const props = {
    store: {
      thumbnail: async (wantedId: string) => {
        asked.push(wantedId);
        return new Blob([wantedId], { type: 'image/jpeg' });
      },
      content: async () => null,
    },
    get id() {
      return rows.get('row')!.id;
    },
  };
  const thumbnail = mount(StoredThumbnail, { target: document.body, props });
  close = () => void unmount(thumbnail);
  return {
    asked,
    readAgain(nextId: string): void {
      rows.set('row', { id: nextId });
      flushSync();
    },
  };
}
const picture = () => document.querySelector('img');

it('stays when its list is read again, and goes when its row is of another capture', async () => {
  const { asked, readAgain } = show('one');
  await expect.poll(picture).not.toBeNull();
  const { src } = picture()!;
  readAgain('one');
  expect(picture()?.src).toBe(src);
  expect(asked).toEqual(['one']);
  readAgain('other');
  await expect.poll(() => picture()?.src ?? src).not.toBe(src);
  expect(asked).toEqual(['one', 'other']);
});
