import { expect, it } from 'vitest';
import { stableHash, stablePart } from './stable-hash.ts';

// computed by int(sha256(text).hexdigest()[:13], 16) in Python
it.each([
  ['', 0xe3b0c44298fc1],
  ['abc', 0xba7816bf8f01c],
])('hashes %j to %i', (text, hash) => {
  expect(stableHash(text)).toBe(hash);
  expect(stablePart(text)).toBe(hash / 2 ** 52);
});
