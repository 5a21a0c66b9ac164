import { expect, it } from 'vitest';
import { settingsWords } from './settings-words.ts';

const labels = { path: 'pets.txt', file: { labels: ['cat', 'dog'], from: 'pets.txt' } };
const set = (vision: object) => ({ vision: { ...vision }, file: null });

it.each([
  [null, ''],
  [{ settings: null, labels: null }, ''],
  [{ settings: set({ default_minimum_confidence: 0.4 }), labels }, 'from 0.4, 2 labels'],
  [{ settings: set({ label_confidences: { cat: 1 }, input_image_bgr: true }), labels: null }, '1 label threshold, BGR'],
])('%j', (record, words) => {
  expect(settingsWords(record)).toBe(words);
});
