import { zlibSync } from 'fflate';
import { encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import {
  chunkBytes,
  headerChunk,
  lastChunk,
  pngOf as pngOfChunks,
  type PngChunk,
  type PngShape,
} from '../../../../tests/png-chunks.ts';
import { decodePng } from './decode-png.ts';

const anySize = (): void => {};
const decoded = (png: Uint8Array) => decodePng(png, anySize);
const samplesOf = (png: Uint8Array) => [...decoded(png).samples];
const refused = expect.objectContaining({ name: 'PngError' }) as Error;

const pngOf = (shape: PngShape, chunks: readonly PngChunk[]) => pngOfChunks([headerChunk(shape), ...chunks, lastChunk]);
const chunk = (type: string, ...body: number[]): PngChunk => [type, Uint8Array.from(body)];
const rows = (...bytes: number[]): PngChunk => ['IDAT', zlibSync(Uint8Array.from(bytes))];
const shapeOf = (colourType: number, bitDepth: number, widthPx = 1, heightPx = 1): PngShape => ({
  colourType,
  bitDepth,
  widthPx,
  heightPx,
});
const onePixel = shapeOf(0, 8);
const gray77 = rows(0, 77);

describe('the samples of a PNG', () => {
  it('are RGBA as it is, not premultiplied', () => {
    const data = Uint8Array.of(10, 20, 30, 0, 200, 100, 50, 128);
    const frame = decoded(encode({ width: 2, height: 1, data, channels: 4, depth: 8 }));
    expect(frame).toMatchObject({ format: 'rgba8', widthPx: 2, heightPx: 1 });
    expect([...frame.samples]).toEqual([...data]);
  });

  it.each([
    [0, [0x01, 0x02], [0x0102, 0x0102, 0x0102, 0xffff]],
    [2, [0x01, 0x02, 0xff, 0xfe, 0x80, 0x00], [0x0102, 0xfffe, 0x8000, 0xffff]],
    [4, [0x01, 0x02, 0xff, 0xfe], [0x0102, 0x0102, 0x0102, 0xfffe]],
    [6, [0x01, 0x02, 0xff, 0xfe, 0x80, 0x00, 0x12, 0x34], [0x0102, 0xfffe, 0x8000, 0x1234]],
  ])('keep 16 bits: colour type %i', (colourType, bytes, expected) => {
    const frame = decoded(pngOf(shapeOf(colourType, 16), [rows(0, ...bytes)]));
    expect(frame.format).toBe('rgba16');
    expect([...frame.samples]).toEqual(expected);
    expect(frame.isDepth).toBe(colourType === 0 ? true : undefined);
  });

  it.each([
    ['gray', 0, [7], [7, 7, 7, 255]],
    ['gray with alpha', 4, [7, 9], [7, 7, 7, 9]],
    ['true colour', 2, [1, 2, 3], [1, 2, 3, 255]],
  ] as const)('repeat gray and fill alpha: %s', (_, colourType, bytes, expected) => {
    expect(samplesOf(pngOf(shapeOf(colourType, 8), [rows(0, ...bytes)]))).toEqual(expected);
  });

  it.each([
    [1, 0b10100000, [255, 0, 255]],
    [2, 0b00011100, [0, 85, 255]],
    [4, 0b00001111, [0, 255]],
  ])('spread gray of %i bits over 0..255', (bitDepth, byte, grays) => {
    const png = pngOf(shapeOf(0, bitDepth, grays.length), [rows(0, byte)]);
    expect(samplesOf(png)).toEqual(grays.flatMap((gray) => [gray, gray, gray, 255]));
  });

  it.each([
    ['none', 0, [5, 7, 9]],
    ['the pixel to the left', 1, [5, 12, 21]],
    ['the pixel above', 2, [15, 27, 39]],
    ['the average of both', 3, [10, 22, 35]],
    ['the nearest of left, above and above left', 4, [15, 27, 39]],
  ])('are added to what the filter of the row says: %s', (_, filter, expected) => {
    const png = pngOf(shapeOf(0, 8, 3, 2), [rows(0, 10, 20, 30, filter, 5, 7, 9)]);
    expect(samplesOf(png).filter((_, i) => i >= 12 && i % 4 === 0)).toEqual(expected);
  });

  it('lie where the passes of an interlaced picture put them, of any depth', () => {
    // 2 × 2 pixels: the first of pass 1, then pass 6 to its right, then the row of pass 7.
    const interlaced = { ...shapeOf(0, 2, 2, 2), interlaced: 1 };
    const png = pngOf(interlaced, [rows(0, 0b01000000, 0, 0b10000000, 0, 0b11010000)]);
    expect(samplesOf(png).filter((_, i) => i % 4 === 0)).toEqual([85, 170, 255, 85]);
  });

  it('do not depend on profiles and gamma, readable or not, or on chunks that are not known', () => {
    const odd = [chunk('gAMA', 0, 0, 0, 1), chunk('iCCP', 1, 2, 3), chunk('ABCD', 1), chunk('sBIT', 1)];
    expect(samplesOf(pngOf(onePixel, [...odd, gray77]))).toEqual([77, 77, 77, 255]);
  });
});

describe('a palette', () => {
  const palette = chunk('PLTE', 1, 2, 3, 4, 5, 6, 7, 8, 9);

  it('gives colours with their alpha, rows starting on a byte', () => {
    const png = pngOf(shapeOf(3, 2, 3, 2), [palette, chunk('tRNS', 0, 100), rows(0, 0b00011000, 0, 0b10010000)]);
    expect(decoded(png).format).toBe('rgba16'); // the machine stretches paletted images at 16 bits
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

  it('is opaque black past its end, but for the alphas that tRNS names there', () => {
    const png = pngOf(shapeOf(3, 8, 3), [palette, chunk('tRNS', 255, 255, 255, 40), rows(0, 3, 9, 0)]);
    expect(samplesOf(png).map((sample) => sample / 257)).toEqual([0, 0, 0, 40, 0, 0, 0, 255, 1, 2, 3, 255]);
  });

  it('beside true colour is a suggestion that changes nothing', () => {
    const png = pngOf(shapeOf(2, 8, 2), [chunk('PLTE', 1, 2, 3), rows(0, 200, 100, 50, 10, 20, 30)]);
    expect(decoded(png).format).toBe('rgba8');
    expect(samplesOf(png)).toEqual([200, 100, 50, 255, 10, 20, 30, 255]);
  });
});

describe('one transparent colour', () => {
  it('is that of true colour', () => {
    const transparent = chunk('tRNS', 0, 1, 0, 2, 0, 3);
    const png = pngOf(shapeOf(2, 8, 3), [transparent, rows(0, 1, 2, 3, 1, 2, 4, 3, 2, 1)]);
    expect(samplesOf(png)).toEqual([1, 2, 3, 0, 1, 2, 4, 255, 3, 2, 1, 255]);
  });

  it.each([
    [4, [0, 3], 0x35, [51, 0, 85, 255]],
    [4, [1, 3], 0x35, [51, 0, 85, 255]], // where the value is above the range, its low byte counts
    [4, [0, 0x13], 0x35, [51, 255, 85, 255]],
    [2, [0, 3], 0b11010000, [255, 0, 85, 255]],
    [1, [0, 1], 0b10000000, [255, 0, 0, 255]],
    [8, [9, 7], 7, [7, 0]],
  ])('is that of gray of %i bits, by its low byte %o', (bitDepth, said, byte, expected) => {
    const png = pngOf(shapeOf(0, bitDepth, expected.length / 2), [chunk('tRNS', ...said), rows(0, byte)]);
    expect(samplesOf(png).filter((_, i) => i % 4 > 1)).toEqual(expected);
  });

  it('is all of 16 bits, and makes a depth picture an ordinary one', () => {
    const png = pngOf(shapeOf(0, 16, 2), [chunk('tRNS', 1, 2), rows(0, 1, 2, 9, 2)]);
    expect(samplesOf(png)).toEqual([0x0102, 0x0102, 0x0102, 0, 0x0902, 0x0902, 0x0902, 0xffff]);
    expect(decoded(png).isDepth).toBeUndefined();
  });
});

describe('what is taken though it is odd', () => {
  const packed = zlibSync(Uint8Array.of(0, 77));
  const part = (from: number, to?: number): PngChunk => ['IDAT', packed.subarray(from, to)];
  it.each<[string, PngChunk[]]>([
    ['pixels in many chunks, some empty', [chunk('IDAT'), part(0, 1), part(1, 5), chunk('IDAT'), part(5)]],
    [
      'more chunks of pixels than pixels, later ones too',
      [part(0), chunk('IDAT', 1, 2), chunk('tEXt'), chunk('IDAT', 3)],
    ],
    ['a few bytes after the stream', [['IDAT', Uint8Array.from([...packed, 1, 2, 3])]]],
    ['a preset dictionary that is empty', [chunk('IDAT', 0x78, 0xbb, 0, 0, 0, 1, ...packed.subarray(2))]],
    ['a window that is too small', [chunk('IDAT', 0x08, 0x1d, ...packed.subarray(2))]],
  ])('%s', (_, chunks) => {
    expect(samplesOf(pngOf(onePixel, chunks))).toEqual([77, 77, 77, 255]);
  });

  it('anything after the last chunk', () => {
    const whole = pngOf(onePixel, [gray77]);
    expect(samplesOf(Uint8Array.from([...whole, 1, 2, 3, ...chunkBytes(chunk('IDAT', 1))]))).toHaveLength(4);
  });
});

describe('what is refused', () => {
  const packed = zlibSync(Uint8Array.of(0, 77));
  const palette = chunk('PLTE', 1, 2, 3);
  const rgb = [shapeOf(2, 8), rows(0, 1, 2, 3)] as const;
  const indexed = [shapeOf(3, 8), rows(0, 0)] as const;
  const withChanged = (from: number): PngChunk[] => {
    const changed = packed.slice();
    changed[from < 0 ? packed.length + from : from]! ^= 1;
    return [['IDAT', changed]];
  };

  it.each<[string, PngShape, PngChunk[]]>([
    ['a palette picture without a palette', shapeOf(3, 8), [rows(0, 0)]],
    ['a palette of gray', onePixel, [palette, gray77]],
    ['a palette of gray with alpha', shapeOf(4, 8), [palette, rows(0, 1, 2)]],
    ['two palettes', indexed[0], [palette, palette, indexed[1]]],
    ['a palette of no colours', indexed[0], [chunk('PLTE'), indexed[1]]],
    ['a palette of a colour and a half', indexed[0], [chunk('PLTE', 1, 2, 3, 4), indexed[1]]],
    ['a palette of more colours than indices', shapeOf(3, 1), [chunk('PLTE', 1, 2, 3, 4, 5, 6, 7, 8, 9), rows(0, 0)]],
    ['a suggested palette of 257 colours', rgb[0], [['PLTE', new Uint8Array(771)], rgb[1]]],
    ['a palette after the pixels', rgb[0], [rgb[1], palette]],
    ['a palette after the transparent colour', rgb[0], [chunk('tRNS', 0, 1, 0, 2, 0, 3), palette, rgb[1]]],
    ['alphas before the palette', indexed[0], [chunk('tRNS', 1), palette, indexed[1]]],
    ['257 alphas', indexed[0], [palette, ['tRNS', new Uint8Array(257)], indexed[1]]],
    ['a transparent gray of one byte', onePixel, [chunk('tRNS', 7), gray77]],
    ['a transparent gray of three bytes', onePixel, [chunk('tRNS', 0, 7, 0), gray77]],
    ['a transparent colour of one byte', rgb[0], [chunk('tRNS', 7), rgb[1]]],
    ['a transparent colour beside alpha', shapeOf(6, 8), [chunk('tRNS', 0, 1, 0, 2, 0, 3), rows(0, 1, 2, 3, 4)]],
    ['two transparent colours', onePixel, [chunk('tRNS', 0, 7), chunk('tRNS', 0, 7), gray77]],
    ['a transparent colour after the pixels', onePixel, [gray77, chunk('tRNS', 0, 7)]],
    ['two headers', onePixel, [headerChunk(onePixel), gray77]],
    ['no pixels', onePixel, []],
    ['a filter that there is not', onePixel, [rows(5, 77)]],
    ['too few pixels', onePixel, [rows(0)]],
    ['too many pixels', onePixel, [rows(0, 77, 0)]],
    ['another checksum of the stream', onePixel, withChanged(-1)],
    ['a stream that is none', onePixel, withChanged(0)],
    ['a block of a kind that there is not', onePixel, [chunk('IDAT', 0x78, 0x9c, 7)]],
    ['a preset dictionary', onePixel, [chunk('IDAT', 0x78, 0xbb, 0, 0, 0, 2, ...packed.subarray(2))]],
    [
      'pixels that another chunk breaks off',
      onePixel,
      [['IDAT', packed.subarray(0, 5)], chunk('tEXt'), ['IDAT', packed.subarray(5)]],
    ],
    ['many bytes after the stream', onePixel, [['IDAT', Uint8Array.from([...packed, ...new Uint8Array(5000)])]]],
    ['a way of interlacing that there is not', { ...onePixel, interlaced: 2 }, [gray77]],
  ])('%s', (_, shape, chunks) => {
    expect(() => decoded(pngOf(shape, chunks))).toThrow(refused);
  });

  it.each([
    [2, 4],
    [6, 4],
    [4, 2],
    [3, 16],
    [0, 3],
    [1, 8],
    [7, 8],
  ])('colour type %i with %i bits a sample', (colourType, bitDepth) => {
    const png = pngOf(shapeOf(colourType, bitDepth), [palette, ['IDAT', zlibSync(new Uint8Array(9))]]);
    expect(() => decoded(png)).toThrow(/which no PNG has/);
  });

  it('a file that is cut off anywhere', () => {
    const whole = pngOf(onePixel, [chunk('tEXt', 1), gray77]);
    for (let length = 0; length < whole.length; length++) {
      expect(() => decoded(whole.subarray(0, length))).toThrow(refused);
    }
  });

  it('a chunk that changed since it was saved', () => {
    const data = Uint8Array.from({ length: 3 * 64 }, (_, i) => i);
    const png = encode({ width: 8, height: 8, data, channels: 3, depth: 8 });
    const changed = png.slice();
    changed[changed.length - 20]! ^= 1; // in the last bytes of IDAT
    expect(() => decoded(changed)).toThrow(/IDAT chunk has another checksum/);
  });

  it('a last chunk with a body', () => {
    expect(() => decoded(pngOfChunks([headerChunk(onePixel), gray77, chunk('IEND', 1)]))).toThrow(refused);
  });

  it('a size that the file cannot hold, before memory is taken for it', () => {
    const large = shapeOf(6, 16, 7000, 9000);
    expect(() => decoded(pngOf(large, [rows(0, 1, 2)]))).toThrow(/too few bytes/);
  });

  it('a size that the caller refuses, before anything else is read', () => {
    const png = pngOfChunks([headerChunk(shapeOf(0, 8, 5, 6))]);
    const check = (widthPx: number, heightPx: number) => {
      throw new Error(`${widthPx}×${heightPx}`);
    };
    expect(() => decodePng(png, check)).toThrow('5×6');
  });
});
