import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { adobe, ascii, flatJpeg, jfif, segment, type FlatComponent } from '../../../tests/flat-jpeg.ts';
import { randomSource } from '../../../tests/random-frame.ts';
import type { Frame } from '../frame.ts';
import { toRgba8 } from '../frame-formats.ts';
import { decodeJpeg } from './decode-jpeg.ts';
import { JpegError } from './jpeg-error.ts';

const folder = new URL('../../../tests/jpegs/', import.meta.url);
const file = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)));
/** What Go 1.25's image/jpeg makes of the files; tests/jpegs/README.md says how this was made. */
const golden = JSON.parse(readFileSync(new URL('decoded.json', folder), 'utf8')) as {
  readonly whole: Readonly<Record<string, { readonly format: Frame['format']; readonly sha256: string }>>;
  /** null: refused */
  readonly damaged: readonly (readonly [name: string, change: Change, sha256: string | null])[];
};
type Change = { readonly cutTo: number } | { readonly set: readonly (readonly [at: number, byte: number])[] };

const anySize = () => {};
/** Of 8-bit samples; a picture of inks has 16-bit ones, whose high bytes Go's 8-bit colours are. */
const sha256 = (frame: Frame) => {
  const { samples } = frame.format === 'rgba16' ? toRgba8(frame) : frame;
  return createHash('sha256').update(samples).digest('hex');
};

function decoded(bytes: Uint8Array): Frame {
  return decodeJpeg(bytes, anySize);
}

function decodedOrNull(bytes: Uint8Array): Frame | null {
  try {
    return decoded(bytes);
  } catch (error) {
    if (error instanceof JpegError) return null;
    throw error;
  }
}

function changed(bytes: Uint8Array, change: Change): Uint8Array {
  if ('cutTo' in change) return bytes.subarray(0, change.cutTo);
  const copy = bytes.slice();
  for (const [at, byte] of change.set) copy[at] = byte;
  return copy;
}

/** The first three samples of a pixel. */
function pixel({ samples, widthPx }: Frame, x: number, y: number): number[] {
  return [...samples.subarray(4 * (y * widthPx + x), 4 * (y * widthPx + x) + 3)];
}

/** Y, Cb and Cr, or whatever three components are, a level each. */
function three(levels: readonly [number, number, number], ids = [1, 2, 3]): FlatComponent[] {
  return levels.map((level, k) => ({ id: ids[k]!, level: () => level }));
}

describe('decodeJpeg', () => {
  it.each(Object.entries(golden.whole))(
    'gives the samples of Go 1.25 image/jpeg for %s',
    (name, { format, sha256: hash }) => {
      const frame = decoded(file(name));
      expect(frame).toMatchObject({ format, widthPx: 35, heightPx: 27 });
      expect(sha256(frame)).toBe(hash);
    },
  );

  it.each(golden.damaged)('takes or refuses what Go 1.25 does: %s, %o', (name, change, hash) => {
    const frame = decodedOrNull(changed(file(name), change));
    expect(frame && sha256(frame)).toBe(hash);
  });

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
        ...{ widthPx: 53, heightPx: 37 },
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
        ...{ widthPx: 16, heightPx: 16, segments: [adobe(0)] },
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
      ...[0x12, 0xff, 0x00, 0xff, 0xff, 0xff],
      ...segment(0xe1, exif).slice(1),
      ...segment(0xfe, ascii('hello')),
      ...plain.slice(2, -2),
      ...[0xff, 0xd3, 0x55],
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
      ...[0b01111001, 0b00000000, 0b01111111],
      ...[0xff, 0xd9],
    ]);
    expect(pixel(decoded(alone), 15, 7)).toEqual([200, 0, 0]);
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

  const frameOf = (...body: number[]) => Uint8Array.from([0xff, 0xd8, ...segment(0xc0, body), 0xff, 0xd9]);
  const components = (...factors: number[]) => factors.flatMap((factor, k) => [k + 1, factor, 0]);
  const flat = [...flatJpeg()];
  const before = (marker: number, ...bytes: number[]) => {
    const at = flat.lastIndexOf(marker) - 1;
    return Uint8Array.from([...flat.slice(0, at), ...bytes, ...flat.slice(at)]);
  };
  it.each([
    ['damaged', 'begin', Uint8Array.of(0x89, 0x50)],
    ['damaged', 'no scan', Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)],
    ['damaged', 'no scan', frameOf(8, 0, 8, 0, 8, 1, 1, 0x11, 0)],
    ['damaged', 'ends after', Uint8Array.of(0xff, 0xd8)],
    ['damaged', 'ends after', flatJpeg().subarray(0, -2)],
    ['damaged', 'segment of 1', Uint8Array.of(0xff, 0xd8, 0xff, 0xfe, 0, 1)],
    ['damaged', 'FF02 in place', before(0xda, 0xff, 0x02, 0, 2)],
    ['damaged', 'two frame headers', before(0xda, ...segment(0xc0, [8, 0, 8, 0, 16, 1, 1, 0x11, 0]))],
    ['damaged', 'before its frame header', Uint8Array.of(0xff, 0xd8, ...segment(0xda, [1, 1, 0, 0, 63, 0]))],
    ['damaged', 'says 1 components', frameOf(8, 0, 8, 0, 8, 1, ...components(0x11, 0x11, 0x11))],
    ['damaged', 'id 1', frameOf(8, 0, 8, 0, 8, 3, 1, 0x11, 0, 1, 0x11, 0, 3, 0x11, 0)],
    ['damaged', 'quantization table 4', frameOf(8, 0, 8, 0, 8, 1, 1, 0x11, 4)],
    ['damaged', 'sampled 0×1', frameOf(8, 0, 8, 0, 8, 1, 1, 0x01, 0)],
    ['damaged', 'sampled 1×5', frameOf(8, 0, 8, 0, 8, 1, 1, 0x15, 0)],
    ['damaged', 'quantization table 4', before(0xda, ...segment(0xdb, [4, ...Array.from({ length: 64 }, () => 1)]))],
    ['damaged', 'precision 2', before(0xda, ...segment(0xdb, [0x20, 0, 0, 0]))],
    ['damaged', '3 bytes for', before(0xda, ...segment(0xdb, [0, 1, 2, 3]))],
    ['damaged', 'of class 2', before(0xda, ...segment(0xc4, [0x20, 1, ...new Uint8Array(15), 0]))],
    ['damaged', 'Huffman table 2; 1', before(0xda, ...segment(0xc4, [0x02, 1, ...new Uint8Array(15), 0]))],
    ['damaged', 'of 0 codes', before(0xda, ...segment(0xc4, [0x00, ...new Uint8Array(16)]))],
    ['damaged', 'of 510 codes', before(0xda, ...segment(0xc4, [0x00, 255, 255, ...new Uint8Array(14 + 510)]))],
    ['damaged', 'ends after 3', before(0xda, ...segment(0xc4, [0x00, 1, 0, 0]))],
    ['damaged', '1 symbols', before(0xda, ...segment(0xc4, [0x00, 2, ...new Uint8Array(15), 0]))],
    ['damaged', 'interval of 3', before(0xda, ...segment(0xdd, [0, 0, 0]))],
    ['damaged', 'for 2 of its 1', before(0xda, ...segment(0xda, [2, 1, 0, 2, 0, 0, 63, 0]))],
    ['damaged', 'for 1 of its 1', before(0xda, ...segment(0xda, [1, 1, 0, 0, 63, 0, 0]))],
    ['damaged', 'a component 9', before(0xda, ...segment(0xda, [1, 9, 0, 0, 63, 0]))],
    ['damaged', 'tables 2 and 0', before(0xda, ...segment(0xda, [1, 1, 0x20, 0, 63, 0]))],
    ['damaged', 'tables 0 and 2', before(0xda, ...segment(0xda, [1, 1, 0x02, 0, 63, 0]))],
    ['damaged', 'does not define', before(0xda, ...segment(0xda, [1, 1, 0x11, 0, 63, 0]))],
    ['damaged', 'scan ends early', Uint8Array.from([...flat.slice(0, -4), 0xff, 0xd9])],
    ['unsupported-format', '12 bits', frameOf(12, 0, 8, 0, 8, 1, 1, 0x11, 0)],
    ['unsupported-format', 'no 1, 3 or 4', frameOf(8, 0, 8, 0, 8, 2, ...components(0x11, 0x11))],
    ['unsupported-format', 'sampled 3×1', frameOf(8, 0, 8, 0, 8, 1, 1, 0x31, 0)],
    ['unsupported-format', 'sampled 1×4', frameOf(8, 0, 8, 0, 8, 3, ...components(0x14, 0x11, 0x11))],
    ['unsupported-format', 'sampled 2×1', frameOf(8, 0, 8, 0, 8, 3, ...components(0x11, 0x21, 0x21))],
    ['unsupported-format', 'sampled 1×2', frameOf(8, 0, 8, 0, 8, 3, ...components(0x22, 0x11, 0x12))],
    ['unsupported-format', 'sampled 2×1', frameOf(8, 0, 8, 0, 8, 4, ...components(0x21, 0x11, 0x11, 0x21))],
    ['unsupported-format', 'sampled 4×4', frameOf(8, 0, 8, 0, 8, 4, ...components(0x44, 0x11, 0x11, 0x44))],
    ['unsupported-format', 'sampled 2×2', frameOf(8, 0, 8, 0, 8, 4, ...components(0x22, 0x22, 0x11, 0x22))],
    ['unsupported-format', 'sampled 1×1', frameOf(8, 0, 8, 0, 8, 4, ...components(0x22, 0x11, 0x11, 0x11))],
    ['unsupported-format', 'no Adobe', flatJpeg({ components: [1, 2, 3, 4].map((id) => ({ id, level: () => 1 })) })],
    ['unsupported-format', 'lossless', before(0xda, ...segment(0xc3, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]))],
    ['unsupported-format', 'arithmetic', before(0xda, ...segment(0xc9, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]))],
    ['unsupported-format', 'arithmetic', before(0xda, ...segment(0xcc, [0, 1]))],
    ['unsupported-format', 'arithmetic', before(0xda, ...segment(0xcf, [0]))],
    ['unsupported-format', 'lossless or hierarchical', before(0xda, ...segment(0xc7, [0]))],
    ['unsupported-format', 'uses an extension', before(0xda, ...segment(0xc8, [0]))],
    ['unsupported-format', 'uses an extension', before(0xda, ...segment(0xdd + 1, [0]))],
    ['damaged', 'FFBF in place', before(0xda, ...segment(0xbf, [0]))],
    ['damaged', 'FF0A in place', before(0xda, ...segment(0x0a, [0]))],
    ['unsupported-format', 'number of lines', before(0xd9, ...segment(0xdc, [0, 8]))],
    ['unsupported-format', 'extension', before(0xda, ...segment(0xf0, [0]))],
  ])('refuses as %s, by "%s"', (code, words, bytes) => {
    expect(() => decoded(bytes)).toThrow(
      expect.objectContaining({ name: 'JpegError', code, message: expect.stringContaining(words) }),
    );
  });

  it('refuses more than ten blocks in a unit of a scan', () => {
    const components = [1, 2, 3].map((id) => ({ id, blocksWide: 2, blocksHigh: 2, level: () => 1 }));
    expect(() => decoded(flatJpeg({ components }))).toThrow('12 blocks');
  });

  it.each([
    ['0 to 5', 0, 5, 0, 1],
    ['6 to 5', 6, 5, 0, 1],
    ['1 to 64', 1, 64, 0, 1],
    ['1 to 5', 1, 5, 0, 3],
    ['bit 3 to bit 1', 1, 5, 0x31, 1],
  ])('refuses a progressive scan of %s', (words, first, last, approximation, count) => {
    const bytes = [...flatJpeg({ components: three([1, 2, 3]), frameMarker: 0xc2 })];
    const scan = bytes.lastIndexOf(0xda) - 1;
    const selectors = [1, 0, 2, 0, 3, 0].slice(0, 2 * count);
    const header = segment(0xda, [count, ...selectors, first, last, approximation]);
    expect(() => decoded(Uint8Array.from([...bytes.slice(0, scan), ...header, 0xff, 0xd9]))).toThrow(words);
  });

  it('gives a frame or a JpegError for any damage', () => {
    const random = randomSource(5);
    const below = (limit: number) => Math.floor(random() * limit);
    let taken = 0;
    for (const name of Object.keys(golden.whole)) {
      const whole = file(name);
      for (let round = 0; round < 40; round++) {
        const set = Array.from({ length: 1 + below(4) }, () => [below(whole.length), below(256)] as const);
        const bytes = changed(whole, { set }).subarray(0, round % 4 === 0 ? below(whole.length) : whole.length);
        const frame = decodedOrNull(limited(bytes));
        if (!frame) continue;
        taken++;
        expect(frame.samples).toHaveLength(4 * frame.widthPx * frame.heightPx);
      }
    }
    expect(taken).toBeGreaterThan(100);
  });
});

/** A damaged size may be any: these tests need no gigabytes. */
function limited(bytes: Uint8Array): Uint8Array {
  try {
    decodeJpeg(bytes, (widthPx, heightPx) => {
      if (widthPx * heightPx > 1e6) throw new RangeError('large');
    });
    return bytes;
  } catch (error) {
    return error instanceof RangeError ? bytes.subarray(0, 2) : bytes;
  }
}
