import { expect, it } from 'vitest';
import { openThumbnails } from '../../src/platform/browser/indexed-db/idb-thumbnails.ts';

it('does not hold up who deletes them, and finds none from then on', async () => {
  const name = `thumbnails-${crypto.randomUUID()}`;
  const kept = openThumbnails(10, 10, name);
  await kept.put(new Map([['a', 'data:,a']]));
  expect(await kept.find(['a', 'b'])).toEqual(new Map([['a', 'data:,a']]));
  await new Promise<void>((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase(name);
    deleting.onsuccess = () => resolve();
    deleting.onblocked = () => reject(new Error('The thumbnails do not let go of their database.'));
  });
  await kept.put(new Map([['b', 'data:,b']]));
  expect(await kept.find(['a', 'b'])).toEqual(new Map());
});
