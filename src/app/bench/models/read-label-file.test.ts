import { expect, it } from 'vitest';
import { readLabelFile } from './read-label-file.ts';

it('reads a label a line', async () => {
  expect(await readLabelFile(new Blob(['cat\ndog\n']))).toEqual(['cat', 'dog']);
});

it('takes no file of bytes for labels', async () => {
  expect(await readLabelFile(new Blob([Uint8Array.of(8, 7, 18, 0, 10, 65)]))).toBeNull();
});
