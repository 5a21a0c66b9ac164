import { describe, expect, it } from 'vitest';
import { ascii, jpeg, png, tiff } from '../../../../tests/image-headers.ts';
import { withoutOrientation } from './without-orientation.ts';

const bytesOf = (...parts: readonly (readonly number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const app1 = (body: readonly number[]): number[] => [0xff, 0xe1, 0, body.length + 8, ...ascii('Exif'), 0, 0, ...body];
const end = [0xff, 0xda, 0, 2, 0xff, 0xd9];
const big = (value: number): number[] => [0, 0, 0, value];
const little = (value: number): number[] => [value, 0, 0, 0];
const chunk = (type: string, body: readonly number[]): number[] => [
  ...big(body.length),
  ...ascii(type),
  ...body,
  0,
  0,
  0,
  0,
];
const riff = (...chunks: readonly (readonly number[])[]): number[] => [
  ...ascii('RIFF'),
  ...little(0),
  ...ascii('WEBP'),
  ...chunks.flat(),
];
const webp = (type: string, body: readonly number[]): number[] => [
  ...ascii(type),
  ...little(body.length),
  ...body,
  ...(body.length % 2 ? [0] : []),
];
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const cases = (orientation: number, littleEndian: boolean): readonly (readonly [string, Uint8Array<ArrayBuffer>])[] => {
  const body = tiff(orientation, littleEndian);
  return [
    ['a JPEG', bytesOf([0xff, 0xd8], app1(body), end)],
    [
      'a JPEG with other segments and fill bytes before it',
      bytesOf([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff], app1(body), end),
    ],
    [
      'a JPEG with two, of which browsers choose one',
      bytesOf([0xff, 0xd8], app1(tiff(1, true)), app1(body), app1(body), end),
    ],
    ['a PNG', bytesOf(signature, chunk('IHDR', Array<number>(13).fill(0)), chunk('eXIf', body), chunk('IDAT', [1]))],
    ['a PNG whose data follow the pixels', bytesOf(signature, chunk('IDAT', [1, 2]), chunk('eXIf', body))],
    ['a WebP', bytesOf(riff(webp('VP8X', Array<number>(10).fill(0)), webp('VP8 ', [1, 2, 3]), webp('EXIF', body)))],
    ['a WebP with the header of a JPEG', bytesOf(riff(webp('EXIF', [...ascii('Exif'), 0, 0, ...body])))],
  ];
};

describe.each([2, 3, 4, 5, 6, 7, 8])('orientation %i', (orientation) => {
  it.each([...cases(orientation, false), ...cases(orientation, true)])(
    'is taken from %s, and nothing else',
    (_, bytes) => {
      const before = bytes.slice();
      const stored = withoutOrientation(bytes);
      expect(bytes).toEqual(before);
      const changed = [...stored.keys()].filter((at) => stored[at] !== bytes[at]);
      expect(changed.length).toBeGreaterThan(0);
      expect(changed.every((at) => stored[at] === 0)).toBe(true);
      expect(stored.length).toBe(bytes.length);
      expect(withoutOrientation(stored)).toBe(stored); // no more is found
    },
  );
});

it.each([
  ['orientation 1', bytesOf([0xff, 0xd8], app1(tiff(1, true)), end)],
  ['a JPEG without EXIF', Uint8Array.from(jpeg)],
  ['a PNG without EXIF', Uint8Array.from(png)],
  ['a JPEG that breaks off in a segment', bytesOf([0xff, 0xd8, 0xff, 0xe1, 0, 40, ...ascii('Exif'), 0])],
  ['another file', bytesOf(ascii('GIF89a'), tiff(6, true))],
  ['nothing', new Uint8Array()],
])('leaves %s as it is', (_, bytes) => {
  expect(withoutOrientation(bytes)).toBe(bytes);
});
