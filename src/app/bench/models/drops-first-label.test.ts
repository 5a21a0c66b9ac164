import { expect, it } from 'vitest';
import { dropsFirstLabel } from './drops-first-label.ts';

it.each([
  ['no list', {}, ['background', 'face'], false],
  ['a list without it', { face: 0.6 }, ['background', 'face'], true],
  ['a list with it, in other letters', { Background: 0.1, face: 0.6 }, ['background', 'face'], false],
  ['numbers without 0', { '1': 0.5 }, null, true],
  ['numbers with 0', { '0': 0.5 }, null, false],
])('%s', (_, list, labels, expected) => {
  expect(dropsFirstLabel(list as Record<string, number>, labels)).toBe(expected);
});
