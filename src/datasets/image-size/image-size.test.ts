import { encode as encodePng } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { flatJpeg } from '../../../tests/flat-jpeg.ts';
import { contentOf } from '../content.ts';
import type { Content } from '../dataset-item.ts';
import { readExifOrientation, type Orientation } from './exif-orientation.ts';
import { readImageHeader, readImageSize } from './read-image-size.ts';
import { statedPicture } from './turned-with-picture.ts';
import { storedBox, uprightBox } from './upright-box.ts';

const jpeg = flatJpeg({ widthPx: 16, heightPx: 8 });
const png = encodePng({ width: 5, height: 3, data: new Uint8Array(45), channels: 3 });
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

function tiff(orientation: number, littleEndian: boolean): number[] {
  const two = (value: number) => (littleEndian ? [value, 0] : [0, value]);
  const four = (value: number) => (littleEndian ? [value, 0, 0, 0] : [0, 0, 0, value]);
  const tag = littleEndian ? [0x12, 0x01] : [0x01, 0x12];
  return [
    ...ascii(littleEndian ? 'II' : 'MM'),
    ...two(42),
    ...four(8),
    ...two(1),
    ...tag,
    ...two(3),
    ...four(1),
    ...two(orientation),
    0,
    0,
    0,
    0,
    0,
    0,
  ];
}

function withSegment(marker: number, body: readonly number[]): Uint8Array {
  const length = body.length + 2;
  return Uint8Array.from([0xff, 0xd8, 0xff, marker, length >> 8, length & 255, ...body, ...jpeg.subarray(2)]);
}

function webp(chunk: string, body: readonly number[]): Uint8Array {
  return Uint8Array.from([
    ...ascii('RIFF'),
    0,
    0,
    0,
    0,
    ...ascii('WEBP'),
    ...ascii(chunk),
    0,
    0,
    0,
    0,
    ...body,
    ...new Uint8Array(20),
  ]);
}

describe('readImageHeader', () => {
  it.each([
    ['a JPEG', jpeg, 'jpeg', 16, 8],
    ['a PNG', png, 'png', 5, 3],
    ['a WebP with losses', webp('VP8 ', [0x30, 1, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0xe0, 0x41]), 'webp', 640, 480],
    ['a WebP without losses', webp('VP8L', [0x2f, 0x7f, 0xc2, 0x77, 0x00]), 'webp', 640, 480],
    ['an extended WebP', webp('VP8X', [0, 0, 0, 0, 0x7f, 0x02, 0x00, 0xdf, 0x01, 0x00]), 'webp', 640, 480],
  ])('reads the size of %s', (_, bytes, kind, widthPx, heightPx) => {
    expect(readImageHeader(bytes)).toMatchObject({ kind, sizePx: { widthPx, heightPx }, orientation: 1 });
  });

  it.each([
    [1, 16, 8],
    [3, 16, 8],
    [5, 8, 16],
    [6, 8, 16],
    [8, 8, 16],
    [9, 16, 8], // not an orientation
  ])('turns a JPEG of orientation %i as it is shown: %i×%i', (orientation, widthPx, heightPx) => {
    for (const littleEndian of [true, false]) {
      const bytes = withSegment(0xe1, [...ascii('Exif'), 0, 0, ...tiff(orientation, littleEndian)]);
      expect(readImageHeader(bytes)).toMatchObject({
        stored: { widthPx: 16, heightPx: 8 },
        sizePx: { widthPx, heightPx },
      });
    }
  });

  it('turns a PNG by its eXIf chunk', () => {
    const body = tiff(6, false);
    const chunk = [0, 0, 0, body.length, ...ascii('eXIf'), ...body, 0, 0, 0, 0];
    const bytes = Uint8Array.from([...png.subarray(0, 33), ...chunk, ...png.subarray(33)]);
    expect(readImageHeader(bytes)).toMatchObject({ sizePx: { widthPx: 3, heightPx: 5 }, orientation: 6 });
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['a GIF', Uint8Array.from([...ascii('GIF89a'), 1, 0, 1, 0, ...new Uint8Array(40)])],
    ['a JPEG that is all thumbnail', Uint8Array.of(0xff, 0xd8, 0xff, 0xd9, 0, 0, 0, 0, 0, 0, 0)],
    ['a JPEG cut off', jpeg.subarray(0, 20)],
    ['a size of 0', webp('VP8 ', [0x30, 1, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0])],
  ])('gives null for %s', (_, bytes) => {
    expect(readImageHeader(bytes)).toBeNull();
  });

  it('never throws on damaged bytes', () => {
    for (const whole of [withSegment(0xe1, [...ascii('Exif'), 0, 0, ...tiff(6, true)]), png]) {
      for (let at = 0; at < whole.length; at++) {
        const damaged = whole.slice();
        damaged[at] = 0xff;
        expect(() => readImageHeader(damaged)).not.toThrow();
        expect(() => readImageHeader(whole.subarray(0, at))).not.toThrow();
      }
    }
  });
});

describe('an orientation', () => {
  const entry = (tag: number, value: number) => [tag >> 8, tag & 255, 0, 3, 0, 0, 0, 1, 0, value, 0, 0];
  const directory = (count: number, ...entries: number[][]) => [
    ...ascii('MM'),
    ...[0, 42, 0, 0, 0, 8, 0, count],
    ...entries.flat(),
  ];
  const orientation = (tiff: readonly number[]) => readExifOrientation(Uint8Array.from(tiff));

  it.each([
    ['behind other tags', directory(3, entry(0x010f, 9), entry(0x0110, 3), entry(0x0112, 6)), 6],
    ['of the highest number', directory(1, entry(0x0112, 8)), 8],
    ['of the lowest number', directory(1, entry(0x0112, 1)), 1],
    ['behind the tags that are counted', directory(1, entry(0x0110, 3), entry(0x0112, 6)), 1],
    ['of 0', directory(1, entry(0x0112, 0)), 1],
    ['of 9', directory(1, entry(0x0112, 9)), 1],
    ['that breaks off', directory(1, entry(0x0112, 6)).slice(0, -1), 1],
    ['of another byte order', [0x49, ...directory(1, entry(0x0112, 6)).slice(1)], 1],
    ['of no byte order', [0x4d, 0x49, ...directory(1, entry(0x0112, 6)).slice(2)], 1],
    ['in a directory beyond the end', [...ascii('MM'), 0, 42, 0, 0, 0, 99, ...Array<number>(12).fill(0)], 1],
    ['in a directory that begins at the end', [...ascii('MM'), 0, 42, 0, 0, 0, 13, ...Array<number>(6).fill(0)], 1],
    ['of nothing', [], 1],
  ])('%s', (_, tiff, expected) => {
    expect(orientation(tiff)).toBe(expected);
  });

  it('counts only before the pixels of a PNG, and only where its chunk is whole', () => {
    const body = tiff(6, false);
    const exif = [0, 0, 0, body.length, ...ascii('eXIf'), ...body, 0, 0, 0, 0];
    const other = [0, 0, 0, 2, ...ascii('tEXt'), 7, 7, 0, 0, 0, 0];
    const pixels = [0, 0, 0, 0, ...ascii('IDAT'), 0, 0, 0, 0];
    const of = (...chunks: number[][]) =>
      readImageHeader(Uint8Array.from([...png.subarray(0, 33), ...chunks.flat()]))?.orientation;
    expect(of(other, exif, pixels)).toBe(6);
    expect(of(exif)).toBe(6);
    expect(of(pixels, exif)).toBe(1);
    expect(of(exif.slice(0, -1))).toBe(1);
  });

  it('counts in a JPEG behind other segments and fill bytes, and only of EXIF', () => {
    const of = (...segments: (readonly [marker: number, body: readonly number[]])[]) =>
      readImageHeader(
        Uint8Array.from([
          ...[0xff, 0xd8, 0xff, 0xff],
          ...segments.flatMap(([marker, body]) => [0xff, marker, 0, body.length + 2, ...body]),
          ...jpeg.subarray(2),
        ]),
      );
    const exif = [...ascii('Exif'), 0, 0, ...tiff(6, true)];
    const other = [...ascii('http'), 0, 0, ...tiff(6, true)];
    expect(of([0xe0, [1, 2]], [0xe1, exif])).toMatchObject({ orientation: 6, sizePx: { widthPx: 8, heightPx: 16 } });
    expect(of([0xe2, exif])).toMatchObject({ orientation: 1, sizePx: { widthPx: 16, heightPx: 8 } });
    expect(of([0xe1, other])).toMatchObject({ orientation: 1 });
    expect(of([0xe1, exif.slice(0, 12)])).toMatchObject({ orientation: 1 });
  });
});

describe('the frame header of a JPEG', () => {
  const withMarker = (marker: number) =>
    readImageHeader(Uint8Array.of(0xff, 0xd8, 0xff, marker, 0, 11, 8, 0x01, 0x02, 0x03, 0x04, 1, 1, 0x11, 0));

  it.each([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc9, 0xcb, 0xcd, 0xcf])('is %i', (marker) => {
    expect(withMarker(marker)).toMatchObject({ stored: { widthPx: 0x304, heightPx: 0x102 } });
  });

  it.each([0xbf, 0xc4, 0xc8, 0xcc, 0xd0, 0xda, 0xd9, 0xfe])('is not %i', (marker) => {
    expect(withMarker(marker)).toBeNull();
  });

  it.each([
    [0xff, 0xd8, 0x00, 0xc0, 0, 11, 8, 1, 2, 3, 4],
    [0xff, 0xd7, 0xff, 0xc0, 0, 11, 8, 1, 2, 3, 4],
    [0xfe, 0xd8, 0xff, 0xc0, 0, 11, 8, 1, 2, 3, 4],
    [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 1, 2, 3],
  ])('is not in %j', (...bytes) => {
    expect(readImageHeader(Uint8Array.from(bytes))).toBeNull();
  });

  it('may end with the bytes', () => {
    const bytes = Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 1, 2, 3, 4);
    expect(readImageHeader(bytes)).toMatchObject({ stored: { widthPx: 0x304, heightPx: 0x102 } });
  });

  it.each([
    ['no width', [1, 2, 0, 0]],
    ['no height', [0, 0, 3, 4]],
  ])('with %s is none', (_, size) => {
    expect(readImageHeader(Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, ...size))).toBeNull();
  });
});

describe('statedPicture', () => {
  const across = {
    stored: { widthPx: 16, heightPx: 8 },
    sizePx: { widthPx: 8, heightPx: 16 },
    orientation: 6,
  } as const;
  const header = { kind: 'jpeg', ...across } as const;
  const square = { ...header, stored: { widthPx: 8, heightPx: 8 }, sizePx: { widthPx: 8, heightPx: 8 } };
  it.each([
    ['the stored size of a picture that is shown across', across.stored, header, across.sizePx, 6],
    ['its shown size', across.sizePx, header, across.sizePx, 1],
    ['its width alone', { widthPx: 16, heightPx: 9 }, header, { widthPx: 16, heightPx: 9 }, 1],
    ['its height alone', { widthPx: 15, heightPx: 8 }, header, { widthPx: 15, heightPx: 8 }, 1],
    ['the size of a square', square.stored, square, square.sizePx, 1],
    ['the stored size of one upside down', across.stored, { ...header, orientation: 3 as const }, across.stored, 1],
    ['no size', null, header, across.sizePx, 1],
    ['a size of an unknown picture', across.stored, null, across.stored, 1],
    ['nothing of an unknown picture', null, null, null, 1],
  ])('takes %s', (_, stated, of, sizePx, orientation) => {
    expect(statedPicture(stated, of)).toEqual({ sizePx, orientation });
  });
});

describe('a WebP', () => {
  const lossy = webp('VP8 ', [0x30, 1, 0, 0x9d, 0x01, 0x2a, 0x80, 0xc2, 0xe0, 0x41]);
  it('has a scale beside its size, which does not count', () => {
    expect(readImageHeader(lossy)).toMatchObject({ sizePx: { widthPx: 640, heightPx: 480 } });
  });

  it.each([
    ['cut off', lossy.subarray(0, 29)],
    ['of another container', lossy.with(0, 0x41)],
    ['of another kind', lossy.with(8, 0x41)],
    ['of another chunk', lossy.with(15, 0x41)],
    ['with losses, without their start code', lossy.with(23, 0x41)],
    ['without losses, without their signature', webp('VP8L', [0x2e, 0x7f, 0xc2, 0x77, 0x00])],
  ])('%s is none', (_, bytes) => {
    expect(readImageHeader(bytes)).toBeNull();
  });

  it('may be thirty bytes short', () => {
    expect(readImageHeader(lossy.subarray(0, 30))).toMatchObject({ kind: 'webp' });
  });
});

describe('readImageSize', () => {
  it('reads on where a profile lies before the size, and no more than it must otherwise', async () => {
    const profile = Array.from({ length: 60_000 }, () => 0);
    let large = withSegment(0xe2, profile);
    large = Uint8Array.from([
      ...large.subarray(0, 2),
      ...withSegment(0xe2, profile).subarray(2, 60_006),
      ...large.subarray(2),
    ]);
    expect(await readImageSize(contentOf(large))).toMatchObject({ sizePx: { widthPx: 16, heightPx: 8 } });
    let chunks = 0;
    const endless: Content = {
      sizeBytes: null,
      async *read() {
        for (;;) yield chunks++ === 0 ? Uint8Array.from([...jpeg, ...new Uint8Array(65_536)]) : new Uint8Array(65_536);
      },
    };
    expect(await readImageSize(endless)).toMatchObject({ kind: 'jpeg' });
    expect(chunks).toBe(1);
  });
});

describe('uprightBox', () => {
  // The stored picture's left top quarter, by where orientation puts row 0 and column 0.
  it.each([
    [1, 0, 0],
    [2, 0.5, 0],
    [3, 0.5, 0.5],
    [4, 0, 0.5],
    [5, 0, 0],
    [6, 0.5, 0],
    [7, 0.5, 0.5],
    [8, 0, 0.5],
  ])('turns by orientation %i', (orientation, x, y) => {
    const box = { label: 'a', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 0.5 };
    expect(uprightBox(box, orientation as Orientation)).toMatchObject({
      xMinNormalized: x,
      yMinNormalized: y,
      xMaxNormalized: x + 0.5,
      yMaxNormalized: y + 0.5,
    });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8] as const)('is undone by storedBox for orientation %i', (orientation) => {
    const box = { label: 'a', xMinNormalized: 0.125, yMinNormalized: 0.25, xMaxNormalized: 0.5, yMaxNormalized: 0.875 };
    expect(storedBox(uprightBox(box, orientation), orientation)).toEqual(box);
  });

  it('swaps sides where the picture is turned by a quarter', () => {
    const box = { label: 'a', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.1, yMaxNormalized: 1 };
    expect(uprightBox(box, 6)).toMatchObject({
      xMinNormalized: 0,
      xMaxNormalized: 1,
      yMinNormalized: 0,
      yMaxNormalized: 0.1,
    });
    expect(uprightBox(box, 8)).toMatchObject({
      xMinNormalized: 0,
      xMaxNormalized: 1,
      yMinNormalized: 0.9,
      yMaxNormalized: 1,
    });
  });
});
