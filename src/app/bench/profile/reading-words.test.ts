import { expect, it } from 'vitest';
import { readingWords } from './reading-words.ts';

it('says that planes are read', () => {
  expect(readingWords('')).toContain('planes (Y, U, V) are read');
});

it('says why colours are', () => {
  expect(readingWords('its frames are BGRX')).toMatch(/makes colours of every frame.* because its frames are BGRX\.$/);
});
