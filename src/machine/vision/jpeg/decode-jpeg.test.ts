import { describe, expect, it } from 'vitest';
import { decoded, three } from '../../../../tests/decoded-jpeg.ts';
import { adobe, ascii, flatJpeg, jfif, segment } from '../../../../tests/flat-jpeg.ts';
import type { Frame } from '../frame/frame.ts';
import { decodeJpeg } from './decode-jpeg.ts';

/** The first three samples of a pixel. */
function pixel({ samples, widthPx }: Frame, x: number, y: number): number[] {
  return [...samples.subarray(4 * (y * widthPx + x), 4 * (y * widthPx + x) + 3)];
}

describe('decodeJpeg', () => {
  it.each([
    ['4:4:4', 1, 1, 1, 1],
    ['4:4:4 with two blocks of each', 2, 1, 2, 1],
    ['4:4:0', 1, 2, 1, 1],
    ['4:2:2', 2, 1, 1, 1],
    ['4:2:0', 2, 2, 1, 1],
    ['4:2:2 with luma and chroma twice as high', 2, 2, 1, 2],
    ['4:1:1', 4, 1, 1, 1],
    ['4:1:0', 4, 2, 1, 1],
  ])('replicates chroma of %s', (_, wide, high, chromaWide, chromaHigh) => {
    const level = (from: number) => (column: number, row: number) => from + 5 * column + 11 * row;
    const chroma = { blocksWide: chromaWide, blocksHigh: chromaHigh };
    const frame = decoded(
      flatJpeg({
        widthPx: 53,
        heightPx: 37,
        components: [
          { id: 1, blocksWide: wide, blocksHigh: high, level: level(1) },
          { id: 2, ...chroma, level: level(90) },
          { id: 3, ...chroma, level: level(130) },
        ],
      }),
    );
    expect(frame).toMatchObject({ format: 'ycbcr8', widthPx: 53, heightPx: 37 });
    const blockWide = (8 * wide) / chromaWide;
    const blockHigh = (8 * high) / chromaHigh;
    for (let y = 0; y < 37; y++) {
      for (let x = 0; x < 53; x++) {
        const [column, row] = [Math.floor(x / blockWide), Math.floor(y / blockHigh)];
        const luma = level(1)(Math.floor(x / 8), Math.floor(y / 8));
        expect(pixel(frame, x, y)).toEqual([luma, level(90)(column, row), level(130)(column, row)]);
      }
    }
  });

  it.each([
    ['baseline', 0xc0],
    ['extended', 0xc1],
  ])('decodes gray, %s, whatever its sampling factors say', (_, frameMarker) => {
    const level = (column: number, row: number) => 10 + 20 * column + 70 * row;
    const components = [{ id: 7, blocksWide: 2, blocksHigh: 2, level }];
    const frame = decoded(flatJpeg({ widthPx: 20, heightPx: 12, components, frameMarker }));
    expect(frame).toMatchObject({ format: 'rgba8', widthPx: 20, heightPx: 12 });
    expect(pixel(frame, 19, 0)).toEqual([50, 50, 50]);
    expect(pixel(frame, 7, 11)).toEqual([80, 80, 80]);
    expect(frame.samples.filter((_, i) => i % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
  });

  it.each([
    ['no marker', [], [1, 2, 3], 'ycbcr8'],
    ['components named R, G, B', [], [...ascii('RGB')], 'rgba8'],
    ['components named r, g, b', [], [...ascii('rgb')], 'ycbcr8'],
    ['Adobe that says RGB', [adobe(0)], [1, 2, 3], 'rgba8'],
    ['Adobe that says YCbCr, components named R, G, B', [adobe(1)], [...ascii('RGB')], 'rgba8'],
    ['Adobe that says YCbCr', [adobe(1)], [1, 2, 3], 'ycbcr8'],
    ['Adobe cut short', [[0xee, adobe(0)[1].slice(0, 11)]], [1, 2, 3], 'ycbcr8'],
    ['the later of two Adobe markers', [adobe(1), adobe(0)], [1, 2, 3], 'rgba8'],
    ['JFIF before components named R, G, B', [jfif], [...ascii('RGB')], 'ycbcr8'],
    ['JFIF before Adobe', [jfif, adobe(0)], [1, 2, 3], 'ycbcr8'],
    ['an APP0 of another name after JFIF', [jfif, [0xe0, ascii('JFXX\0')], adobe(0)], [1, 2, 3], 'rgba8'],
    ['an APP0 too short for a name after JFIF', [jfif, [0xe0, [0]], adobe(0)], [1, 2, 3], 'ycbcr8'],
  ] as const)('tells YCbCr from RGB by %s', (_, segments, ids, format) => {
    const frame = decoded(flatJpeg({ components: three([10, 20, 30], [...ids]), segments }));
    expect(frame.format).toBe(format);
    expect(pixel(frame, 15, 7)).toEqual([10, 20, 30]);
  });

  // Go 1.25's image/jpeg and image/color: inks stored inverted, 16-bit arithmetic.
  it.each([
    ['CMYK', 0, [200, 100, 50, 255], [51400, 25700, 12850]],
    ['CMYK with black', 0, [200, 100, 50, 128], [25800, 12900, 6450]],
    ['YCCK', 2, [76, 85, 255, 255], [257, 65535, 65535]],
    ['YCCK with black', 2, [100, 128, 128, 77], [12028, 12028, 12028]],
  ])('makes light of %s', (_, transform, levels, rgb) => {
    const components = levels.map((level, k) => ({ id: k + 1, level: () => level }));
    const frame = decoded(flatJpeg({ components, segments: [adobe(transform)] }));
    expect(frame.format).toBe('rgba16'); // the machine stretches inks at 16 bits
    expect(pixel(frame, 15, 7)).toEqual(rgb);
    expect(frame.samples[3]).toBe(65535);
  });

  it('replicates halved inks, and not the first and the black one', () => {
    const full = { blocksWide: 2, blocksHigh: 2 };
    const frame = decoded(
      flatJpeg({
        widthPx: 16,
        heightPx: 16,
        segments: [adobe(0)],
        components: [
          { id: 1, ...full, level: (column, row) => 100 + 10 * column + row },
          { id: 2, level: () => 50 },
          { id: 3, level: () => 60 },
          { id: 4, ...full, level: (column) => (column === 0 ? 255 : 0) },
        ],
      }),
    );
    expect(pixel(frame, 7, 15)).toEqual([101 * 257, 50 * 257, 60 * 257]);
    expect(pixel(frame, 8, 15)).toEqual([0, 0, 0]);
  });

  it('goes on after each restart marker, from the eighth to the first', () => {
    const components = [{ id: 1, level: (column: number) => 20 * column }];
    const frame = decoded(flatJpeg({ widthPx: 96, components, restartInterval: 1 }));
    for (let column = 0; column < 12; column++) expect(pixel(frame, 8 * column, 0)[0]).toBe(20 * column);
  });

  it('passes over what lies before a restart marker, save another marker', () => {
    const whole = [...flatJpeg({ restartInterval: 1 })];
    const at = whole.lastIndexOf(0xd0) - 1;
    const withBytes = (...bytes: number[]) => Uint8Array.from([...whole.slice(0, at), ...bytes, ...whole.slice(at)]);
    expect(pixel(decoded(withBytes(1, 2, 3)), 15, 7)).toEqual([128, 128, 128]);
    expect(pixel(decoded(withBytes(0xff, 0, 0xff)), 15, 7)).toEqual([128, 128, 128]);
    expect(() => decoded(withBytes(0xff, 0xd1))).toThrow('restart marker 0');
  });

  it('passes over fill bytes, stray bytes, comments and applications’ data', () => {
    const exif = [...ascii('Exif'), 0, 0, ...ascii('MM'), 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6];
    const plain = [...flatJpeg({ components: three([1, 2, 3]) })];
    const bytes = Uint8Array.from([
      ...plain.slice(0, 2),
      0x12,
      0xff,
      0x00,
      0xff,
      0xff,
      0xff,
      ...segment(0xe1, exif).slice(1),
      ...segment(0xfe, ascii('hello')),
      ...plain.slice(2, -2),
      0xff,
      0xd3,
      0x55,
      ...plain.slice(-2),
    ]);
    expect(decoded(bytes)).toEqual(decoded(Uint8Array.from(plain)));
  });

  it('leaves what no scan brings at 0', () => {
    const [gray] = [flatJpeg({ components: three([200, 1, 1]) })];
    const scan = gray.lastIndexOf(0xda) - 1;
    const alone = Uint8Array.from([
      ...gray.slice(0, scan),
      ...segment(0xda, [1, 1, 0, 0, 63, 0]),
      // Two blocks: 1000 01001000 0 (+72), 0000 0 (the same).
      0b01111001,
      0b00000000,
      0b01111111,
      0xff,
      0xd9,
    ]);
    expect(pixel(decoded(alone), 15, 7)).toEqual([200, 0, 0]);
  });

  it('reads of a component that is scanned alone only blocks that reach into the picture', () => {
    const chroma = [2, 3].map((id) => ({ id, level: () => 1 }));
    const luma = { id: 1, blocksWide: 2, blocksHigh: 2, level: () => 1 };
    const whole = flatJpeg({ widthPx: 8, heightPx: 8, components: [luma, ...chroma] });
    const alone = Uint8Array.from([
      ...whole.slice(0, whole.lastIndexOf(0xda) - 1),
      ...segment(0xda, [1, 1, 0, 0, 63, 0]),
      // One block of four, 0111 1001000 0 (+72), and no code behind it.
      0b01111001,
      0b00001111,
      0xff,
      0xd9,
    ]);
    expect(pixel(decoded(alone), 7, 7)).toEqual([200, 0, 0]);
  });

  it('takes factors of 16 bits, and several tables in one segment', () => {
    const plain = [...flatJpeg({ components: three([200, 1, 77]) })];
    const scan = plain.lastIndexOf(0xda) - 1;
    const wide = (name: number, factor: number) => [
      0x10 | name,
      ...Array.from({ length: 64 }, () => [0, factor]).flat(),
    ];
    const tables = segment(0xdb, [...wide(1, 99), ...wide(0, 8)]);
    const bytes = Uint8Array.from([...plain.slice(0, scan), ...tables, ...plain.slice(scan)]);
    expect(decoded(bytes)).toEqual(decoded(Uint8Array.from(plain)));
  });

  it('reads progressive scans that bring one coefficient', () => {
    const whole = flatJpeg({ frameMarker: 0xc2 });
    const bytes = Uint8Array.from([
      ...whole.slice(0, whole.lastIndexOf(0xda) - 1),
      // The level of both blocks, 0000; then the first wave across: 0, a value of one bit, and 1.
      ...segment(0xda, [1, 1, 0, 0, 0, 0]),
      0b00000000,
      ...segment(0xc4, [0x10, 1, ...new Uint8Array(15), 0x01]),
      ...segment(0xda, [1, 1, 0, 1, 1, 0]),
      0b01011111,
      0xff,
      0xd9,
    ]);
    const frame = decoded(bytes);
    for (const left of [0, 8]) {
      const [first, last] = [left, left + 7].map((x) => pixel(frame, x, 7)[0]);
      expect([first, last]).toEqual([129, 127]);
    }
  });

  it('takes four Huffman tables of a kind where the picture is no baseline one', () => {
    const plain = [...flatJpeg({ components: three([200, 1, 77]), frameMarker: 0xc1 })];
    const scan = plain.lastIndexOf(0xda) - 1;
    const tables = [2, 3, 0x12, 0x13].flatMap((name) => [name, 1, ...new Uint8Array(15), 0]);
    const bytes = Uint8Array.from([...plain.slice(0, scan), ...segment(0xc4, tables), ...plain.slice(scan)]);
    expect(decoded(bytes)).toEqual(decoded(Uint8Array.from(plain)));
  });

  it('asks about the size before anything is decoded', () => {
    const asked: number[][] = [];
    const cut = flatJpeg({ widthPx: 24, heightPx: 9 }).subarray(0, 200);
    const refuse = (...size: number[]) => {
      asked.push(size);
      throw new TypeError('too large');
    };
    expect(() => decodeJpeg(cut, refuse)).toThrow(TypeError);
    expect(asked).toEqual([[24, 9]]);
  });
});
