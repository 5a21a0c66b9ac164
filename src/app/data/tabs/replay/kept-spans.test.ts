import { expect, it } from 'vitest';
import { memoryStorage } from '../../../../../tests/memory-storage.ts';
import { recallSpans, rememberSpans } from './kept-spans.ts';

const quiet = { label: null, startMs: 0, endMs: 1000 };
const cup = { label: 'cup', startMs: 2000, endMs: 3000 };

it('keeps the spans of each service apart', () => {
  const memory = memoryStorage();
  expect(rememberSpans(memory, 'part watch', [quiet, cup])).toBe(true);
  expect(rememberSpans(memory, 'part other', [cup])).toBe(true);
  expect(rememberSpans(memory, 'part other', [])).toBe(true);
  expect([recallSpans(memory, 'part watch'), recallSpans(memory, 'part other')]).toEqual([[quiet, cup], []]);
});

it('says when the browser keeps nothing', () => {
  const full = {
    ...memoryStorage(),
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(rememberSpans(full, 'part watch', [quiet])).toBe(false);
});

it('leaves out what is no span', () => {
  const memory = memoryStorage();
  const kept = { a: [quiet, null, { label: 1, startMs: 0, endMs: 1 }, { label: null, startMs: 5, endMs: 5 }], b: 'x' };
  memory.setItem('sightglass:replay-spans', JSON.stringify(kept));
  expect([recallSpans(memory, 'a'), recallSpans(memory, 'b')]).toEqual([[quiet], []]);
});
