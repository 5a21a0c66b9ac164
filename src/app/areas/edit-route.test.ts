import { expect, it } from 'vitest';
import { editedId, editRest } from './edit-route.ts';

it.each(['local/local/abc', 'a', 'ä b?/%'])('comes back from the address of %j', (id) => {
  expect(editedId(editRest(id))).toBe(id);
});

it.each(['', '/', '?tags=a', '/abc', '/abc/edit/', '/a/b/edit', '/%/edit'])('%j is another address', (rest) => {
  expect(editedId(rest)).toBeNull();
});
