import { expect, it } from 'vitest';
import { mediaTypeOf } from './media-type.ts';

it.each([
  ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0], 'image/png'],
  ['image/png', [0x89, 0x50, 0x4e, 0x47], ''],
  ['image/webp', [...'RIFF....WEBP'].map((letter) => letter.charCodeAt(0)), 'image/jpeg'],
  ['image/tiff', [0x49, 0x49, 0x2a, 0], 'image/tiff'],
  ['application/octet-stream', [], ''],
])('tells %s by its first bytes, else by what was declared', (expected, bytes, declared) => {
  expect(mediaTypeOf(Uint8Array.from(bytes), declared)).toBe(expected);
});
