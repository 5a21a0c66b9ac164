import { expect, it } from 'vitest';
import { byteWords } from './byte-words.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [820_400_000, '820 MB'],
  [2e9, '2 GB'],
  [3.25e12, '3.3 TB'],
])('says %d', (bytes, words) => expect(byteWords(bytes)).toBe(words));
