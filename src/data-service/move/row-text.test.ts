import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captureText, rowText } from './row-text.ts';

const values = [
  null,
  true,
  false,
  0,
  -0,
  1,
  NaN,
  Infinity,
  -Infinity,
  '',
  '1',
  'null',
  'x01',
  '\0',
  '\ud800',
  [],
  [1],
  ['1'],
  [[1]],
  [1, 2],
  ['1,2'],
  {},
  { a: 1 },
  { a: '1' },
  { b: 1 },
  { a: 1, b: 2 },
  { a: { b: 1 } },
  { '"a"': 1 },
  Uint8Array.of(),
  Uint8Array.of(1),
  Uint8Array.of(0, 1),
];

describe('the text of a row', () => {
  it('is another one for each other value', () => {
    expect(new Set(values.map(rowText)).size).toBe(values.length);
  });

  it('is the same whatever the order of fields, the kind of bytes and fields without a value', () => {
    expect(rowText({ a: 1, b: [{ d: 2, c: 3 }] })).toBe(rowText({ b: [{ c: 3, d: 2 }], a: 1 }));
    expect(rowText(Buffer.from([1, 255]))).toBe(rowText(Uint8Array.of(1, 255)));
    expect(rowText({ a: 1, b: undefined })).toBe(rowText({ a: 1 }));
  });

  it('parts what JSON parts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const isEqual = fc.stringify(one) === fc.stringify(other);
        if (isEqual) expect(rowText(one)).toBe(rowText(other));
        expect(rowText(structuredClone(one))).toBe(rowText(one));
      }),
      { seed: 20261130 },
    );
  });

  it('of a capture is without the address of its bytes', () => {
    const file = { id: 'a', blobAddress: '1', tags: ['x'] };
    expect(captureText(file as never)).toBe(captureText({ ...file, blobAddress: '2' } as never));
    expect(captureText(file as never)).not.toBe(captureText({ ...file, tags: [] } as never));
  });
});
