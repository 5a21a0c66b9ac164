import { expect, it } from 'vitest';
import { pngHeader } from '../../../../tests/dataset-fixture.ts';
import { exifTurn } from './exif-turn.ts';

it.each([
  [1, ''],
  [3, 'by half a turn'],
  [6, 'by a quarter turn clockwise'],
  [8, 'by a quarter turn anticlockwise'],
])('says how orientation %d turns a picture', async (orientation, words) => {
  const bytes = pngHeader(40, 30, orientation) as Uint8Array<ArrayBuffer>;
  expect(await exifTurn(new Blob([bytes]))).toBe(words);
});

it('says nothing of what is no picture', async () => {
  expect(await exifTurn(new Blob(['hello']))).toBe('');
});
