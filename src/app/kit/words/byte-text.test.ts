import { expect, it } from 'vitest';
import { byteText } from './byte-text.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1035982, '1.04 MB'],
  [622_411, '622 kB'],
  [26_800_000, '26.8 MB'],
  [2_147_483_648, '2.15 GB'],
])('%i bytes are %s', (bytes, text) => expect(byteText(bytes)).toBe(text));
