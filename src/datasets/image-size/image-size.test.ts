import { encode as encodePng } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { flatJpeg } from '../../../tests/flat-jpeg.ts';
import { contentOf } from '../content.ts';
import type { Content } from '../dataset-item.ts';
import type { Orientation } from './exif-orientation.ts';
import { readImageHeader, readImageSize } from './read-image-size.ts';
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
