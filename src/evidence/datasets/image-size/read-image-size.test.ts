import { describe, expect, it } from 'vitest';
import { jpeg, png, ascii, tiff, withSegment } from '../../../../tests/image-headers.ts';
import { contentOf } from '../item/content.ts';
import type { Content } from '../item/dataset-item.ts';
import { readImageHeader, readImageSize } from './read-image-size.ts';

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

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 12, 15])('takes a file for no PNG whose byte %i is another', (at) => {
    expect(readImageHeader(png.with(at, png[at]! ^ 1))).toBeNull();
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
