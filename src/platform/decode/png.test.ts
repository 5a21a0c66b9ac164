import { zlibSync } from 'fflate';
import { encode } from 'fast-png';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodePng } from './png.ts';

/** A PNG built chunk by chunk, for what the encoder does not write. */
function pngOf(
  { widthPx, heightPx, bitDepth, colourType, interlaced = 0 }: Record<string, number>,
  chunks: readonly [string, Uint8Array][],
): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, widthPx!);
  view.setUint32(4, heightPx!);
  header.set([bitDepth!, colourType!, 0, 0, interlaced!], 8);
  const parts = ([['IHDR', header], ...chunks, ['IEND', new Uint8Array(0)]] as [string, Uint8Array][]).map(
    ([type, body]) => {
      const chunk = new Uint8Array(12 + body.length);
      new DataView(chunk.buffer).setUint32(0, body.length);
      chunk.set(
        [...type].map((letter) => letter.charCodeAt(0)),
        4,
      );
      chunk.set(body, 8);
      new DataView(chunk.buffer).setUint32(8 + body.length, crc32(chunk.subarray(4, 8 + body.length)));
      return chunk;
    },
  );
  return Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...parts.flatMap((part) => [...part])]);
}

const rows = (...bytes: number[]): [string, Uint8Array] => ['IDAT', zlibSync(Uint8Array.from(bytes))];
const samplesOf = (png: Uint8Array) => [...decodePng(png).samples];

describe('decodePng', () => {
  it('takes RGBA as it is, not premultiplied', () => {
    const data = Uint8Array.of(10, 20, 30, 0, 200, 100, 50, 128);
    const frame = decodePng(encode({ width: 2, height: 1, data, channels: 4, depth: 8 }));
    expect(frame).toMatchObject({ format: 'rgba8', widthPx: 2, heightPx: 1 });
    expect([...frame.samples]).toEqual([...data]);
  });

  it('keeps 16 bits a sample', () => {
    const data = Uint16Array.of(0x0102, 0xfffe, 0x8000);
    const frame = decodePng(encode({ width: 1, height: 1, data, channels: 3, depth: 16 }));
    expect(frame.format).toBe('rgba16');
    expect([...frame.samples]).toEqual([0x0102, 0xfffe, 0x8000, 0xffff]);
  });

  it.each([
    ['gray', { channels: 1, data: Uint8Array.of(7) }, [7, 7, 7, 255]],
    ['gray with alpha', { channels: 2, data: Uint8Array.of(7, 9) }, [7, 7, 7, 9]],
    ['true colour', { channels: 3, data: Uint8Array.of(1, 2, 3) }, [1, 2, 3, 255]],
  ] as const)('repeats gray and fills alpha: %s', (_, image, expected) => {
    expect(samplesOf(encode({ width: 1, height: 1, depth: 8, ...image }))).toEqual(expected);
  });

  it.each([
    [1, 0b10100000, [255, 0, 255]],
    [2, 0b00011100, [0, 85, 255]],
    [4, 0b00001111, [0, 255]],
  ])('spreads gray of %i bits over 0..255', (bitDepth, byte, grays) => {
    const png = pngOf({ widthPx: grays.length, heightPx: 1, bitDepth, colourType: 0 }, [rows(0, byte)]);
    expect(samplesOf(png)).toEqual(grays.flatMap((gray) => [gray, gray, gray, 255]));
  });

  it('looks colours up in the palette, with their alpha, rows starting on a byte', () => {
    const palette: [string, Uint8Array] = ['PLTE', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9)];
    const png = pngOf({ widthPx: 3, heightPx: 2, bitDepth: 2, colourType: 3 }, [
      palette,
      ['tRNS', Uint8Array.of(0, 100)],
      rows(0, 0b00011000, 0, 0b10010000),
    ]);
    expect(decodePng(png).format).toBe('rgba16'); // the machine stretches paletted images at 16 bits
    expect(samplesOf(png).map((sample) => sample / 257)).toEqual(
      [
        [1, 2, 3, 0],
        [4, 5, 6, 100],
        [7, 8, 9, 255],
        [7, 8, 9, 255],
        [4, 5, 6, 100],
        [1, 2, 3, 0],
      ].flat(),
    );
  });

  it('takes opaque black for an index past the palette', () => {
    const png = pngOf({ widthPx: 2, heightPx: 1, bitDepth: 8, colourType: 3 }, [
      ['PLTE', Uint8Array.of(1, 2, 3)],
      rows(0, 9, 0),
    ]);
    expect(samplesOf(png)).toEqual([0, 0, 0, 255, 1, 2, 3, 255].map((sample) => sample * 257));
  });

  it('makes the one colour of tRNS transparent', () => {
    const transparent: [string, Uint8Array] = ['tRNS', Uint8Array.of(0, 1, 0, 2, 0, 3)];
    const threePixels = pngOf({ widthPx: 3, heightPx: 1, bitDepth: 8, colourType: 2 }, [
      transparent,
      rows(0, 1, 2, 3, 1, 2, 4, 3, 2, 1),
    ]);
    expect(samplesOf(threePixels)).toEqual([1, 2, 3, 0, 1, 2, 4, 255, 3, 2, 1, 255]);
    const onePixel = pngOf({ widthPx: 1, heightPx: 1, bitDepth: 8, colourType: 2 }, [transparent, rows(0, 1, 2, 3)]);
    expect(samplesOf(onePixel)).toEqual([1, 2, 3, 0]);
    const gray = pngOf({ widthPx: 2, heightPx: 1, bitDepth: 4, colourType: 0 }, [
      ['tRNS', Uint8Array.of(0, 3)],
      rows(0, 0x35),
    ]);
    expect(samplesOf(gray)).toEqual([51, 51, 51, 0, 85, 85, 85, 255]);
  });

  it('ignores profiles and gamma, readable or not', () => {
    const png = pngOf({ widthPx: 1, heightPx: 1, bitDepth: 8, colourType: 0 }, [
      ['gAMA', Uint8Array.of(0, 0, 0, 1)],
      ['iCCP', Uint8Array.of(1, 2, 3)],
      rows(0, 77),
    ]);
    expect(samplesOf(png)).toEqual([77, 77, 77, 255]);
  });

  it('refuses pixels that changed since they were saved', () => {
    const data = Uint8Array.from({ length: 3 * 64 }, (_, i) => i);
    const png = encode({ width: 8, height: 8, data, channels: 3, depth: 8 });
    const changed = png.slice();
    changed[changed.length - 20]! ^= 1; // in the last bytes of IDAT
    expect(() => decodePng(changed)).toThrow(expect.objectContaining({ code: 'damaged' }));
  });

  it.each([
    ['too-large', pngOf({ widthPx: 100_000, heightPx: 100_000, bitDepth: 8, colourType: 2 }, [rows(0)])],
    ['damaged', pngOf({ widthPx: 0, heightPx: 1, bitDepth: 8, colourType: 2 }, [rows(0)])],
    ['damaged', pngOf({ widthPx: 4, heightPx: 4, bitDepth: 8, colourType: 2 }, [rows(0, 1, 2)])],
    ['damaged', pngOf({ widthPx: 1, heightPx: 1, bitDepth: 8, colourType: 0 }, [['IDAT', new Uint8Array(80_000)]])],
    ['unsupported-format', pngOf({ widthPx: 9, heightPx: 9, bitDepth: 1, colourType: 0, interlaced: 1 }, [rows(0)])],
    ['damaged', encode({ width: 1, height: 1, data: Uint8Array.of(1, 2, 3), channels: 3 }).subarray(0, 50)],
  ])('refuses with %s', (code, png) => {
    expect(() => decodePng(png)).toThrow(expect.objectContaining({ name: 'ImageDecodeError', code }));
  });
});
