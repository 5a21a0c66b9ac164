import { zlibSync } from 'fflate';
import { expect, it } from 'vitest';
import { headerChunk, lastChunk, pngOf, type PngShape } from '../../../tests/png-chunks.ts';
import { decodePng } from './png.ts';

const noPixels = (shape: Pick<PngShape, 'widthPx' | 'heightPx'>) =>
  pngOf([headerChunk({ ...shape, bitDepth: 8, colourType: 2 }), ['IDAT', zlibSync(Uint8Array.of(0))], lastChunk]);

it.each([
  ['too-large', noPixels({ widthPx: 100_000, heightPx: 100_000 })],
  ['damaged', noPixels({ widthPx: 0, heightPx: 1 })],
  ['damaged', noPixels({ widthPx: 4, heightPx: 4 })],
])('refuses a PNG as %s, in the words of all stills', (code, png) => {
  expect(() => decodePng(png)).toThrow(expect.objectContaining({ name: 'ImageDecodeError', code }));
});
