import { describe, expect, it } from 'vitest';
import { jpeg, png, ascii, tiff } from '../../../../tests/image-headers.ts';
import { readExifOrientation } from './exif-orientation.ts';
import { readImageHeader } from './read-image-size.ts';

describe('an orientation', () => {
  const entry = (tag: number, value: number) => [tag >> 8, tag & 255, 0, 3, 0, 0, 0, 1, 0, value, 0, 0];
  const directory = (count: number, ...entries: number[][]) => [
    ...ascii('MM'),
    0,
    42,
    0,
    0,
    0,
    8,
    0,
    count,
    ...entries.flat(),
  ];
  const orientation = (tiff: readonly number[]) => readExifOrientation(Uint8Array.from(tiff))?.orientation ?? 1;

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
          0xff,
          0xd8,
          0xff,
          0xff,
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
    const second = [...ascii('Exif'), 0, 0, ...tiff(3, true)];
    expect(of([0xe1, exif], [0xe1, second])).toMatchObject({ orientation: 6 });
  });
});
