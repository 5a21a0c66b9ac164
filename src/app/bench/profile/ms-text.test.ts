import { expect, it } from 'vitest';
import { msText, shareText } from './ms-text.ts';

it.each([
  [0, '0.00 ms'],
  [0.043, '0.04 ms'],
  [1, '1.0 ms'],
  [99.94, '99.9 ms'],
  [142.4, '142 ms'],
])('writes %d ms as %s', (ms, text) => expect(msText(ms)).toBe(text));

it.each([
  [0, '0 %'],
  [0.001, '< 1 %'],
  [0.006, '1 %'],
  [1, '100 %'],
])('writes the part %d as %s', (share, text) => expect(shareText(share)).toBe(text));
