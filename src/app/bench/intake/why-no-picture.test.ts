import { expect, it } from 'vitest';
import { whyNoPicture } from './why-no-picture.ts';

const bytes = (...start: readonly (number | string)[]): Blob =>
  new Blob([
    Uint8Array.from(start.flatMap((part) => (typeof part === 'string' ? [...part].map((c) => c.charCodeAt(0)) : part))),
  ]);
const never = (): Promise<boolean> => Promise.reject(new Error('asked'));

it.each([
  ['a JPEG', bytes(0xff, 0xd8, 0xff)],
  ['a PNG', bytes(0x89, 'PNG')],
  ['a WebP', bytes('RIFF', 0, 0, 0, 0, 'WEBP')],
  ['a GIF', bytes('GIF89a')],
  ['a BMP', bytes('BM', 1, 2)],
])('takes %s without a look at its pixels', async (_, file) => {
  expect(await whyNoPicture(file, never)).toBeNull();
});

it('asks the browser of what is unknown', async () => {
  const icon = bytes(0, 0, 1, 0);
  expect(await whyNoPicture(icon, () => Promise.resolve(true))).toBeNull();
  expect(await whyNoPicture(icon, () => Promise.resolve(false))).toMatch(/^These bytes are not a picture/);
});

it.each([
  ['a text', bytes('no picture'), /^These bytes are not a picture/],
  ['a drawing', bytes('<svg xmlns="http://www.w3.org/2000/svg">'), /SVG drawing/],
  ['a TIFF', bytes('II*', 0), /This is a TIFF file/],
])('says what %s is', async (_, file, why) => {
  expect(await whyNoPicture(file, () => Promise.resolve(false))).toMatch(why);
});
