import { describe, expect, it } from 'vitest';
import { readPcd } from './read-pcd.ts';

const encode = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer as ArrayBuffer;

const header = (fields: string, types: string, count: number, data: string): string => {
  const ones = fields
    .split(' ')
    .map(() => '1')
    .join(' ');
  const fours = fields
    .split(' ')
    .map(() => '4')
    .join(' ');
  return `# .PCD v.7\nVERSION .7\nFIELDS ${fields}\nSIZE ${fours}\nTYPE ${types}\nCOUNT ${ones}\nWIDTH ${count}\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS ${count}\nDATA ${data}\n`;
};

const points = [
  [1, 2, 3],
  [-1, 0.5, 4],
  [Number.NaN, 0, 0],
  [0, -2, 8],
];
const expected = { count: 3, leftOutCount: 1, bounds: { min: [-1, -2, 3], max: [1, 2, 8] } };

function binary(): ArrayBuffer {
  const head = new Uint8Array(encode(header('x y z intensity', 'F F F F', 4, 'binary')));
  const bytes = new Uint8Array(head.length + 4 * 16);
  bytes.set(head);
  const view = new DataView(bytes.buffer, head.length);
  points.forEach((point, at) =>
    [...point, at / 4].forEach((value, i) => view.setFloat32(at * 16 + i * 4, value, true)),
  );
  return bytes.buffer;
}

/** A file of binary_compressed: its fields lie one after the other; LZF may keep runs as they are: length − 1, then the bytes. */
function compressed(): ArrayBuffer {
  const fields = [0, 1, 2].flatMap((axis) => points.map((point) => point[axis]!));
  const raw = new Uint8Array(new Float32Array(fields).buffer);
  const runs: number[] = [];
  for (let at = 0; at < raw.length; at += 32) {
    const run = raw.subarray(at, at + 32);
    runs.push(run.length - 1, ...run);
  }
  const head = new Uint8Array(encode(header('x y z', 'F F F', 4, 'binary_compressed')));
  const bytes = new Uint8Array(head.length + 8 + runs.length);
  bytes.set(head);
  const view = new DataView(bytes.buffer);
  view.setUint32(head.length, runs.length, true);
  view.setUint32(head.length + 4, raw.length, true);
  bytes.set(runs, head.length + 8);
  return bytes.buffer;
}

describe('a PCD file', () => {
  it('is read as text', () => {
    const text = header('x y z', 'F F F', 4, 'ascii') + points.map((point) => point.join(' ')).join('\n');
    const cloud = readPcd(encode(text));
    expect(cloud).toMatchObject(expected);
    expect([...cloud.positions]).toEqual([1, 2, 3, -1, 0.5, 4, 0, -2, 8]);
    expect([cloud.colors, cloud.intensities]).toEqual([null, null]);
  });

  it('is read as bytes, with its intensity', () => {
    const cloud = readPcd(binary());
    expect(cloud).toMatchObject(expected);
    expect([...cloud.intensities!]).toEqual([0, 0.25, 0.75]);
  });

  it('is read compressed', () => {
    expect(readPcd(compressed())).toMatchObject(expected);
  });

  it('has its colours', () => {
    const red = 255 * 65536;
    const text = header('x y z rgb', 'F F F U', 2, 'ascii') + `0 0 0 ${red}\n1 1 1 255\n`;
    const colors = [...readPcd(encode(text)).colors!].map((value) => Math.round(value * 100) / 100);
    expect(colors).toEqual([1, 0, 0, 0, 0, 1]);
  });

  it.each([
    ['', 'does not begin'],
    ['ply\nformat ascii', 'does not begin'],
    [header('x y z', 'F F F', 1, 'ascii') + 'nan nan nan\n', 'None of its points'],
    [header('intensity', 'F', 1, 'ascii') + '1\n', 'no x, y and z'],
    [header('x y z', 'F F F', 1000, 'binary') + 'abcdefgh', '1,000 points need 12,000 bytes, and 8 are there'],
    [header('x y z', 'F F F', 9, 'binary_compressed') + 'abcdefgh', 'ends too soon, or is packed'],
    [header('x y z', 'F F F', 1, 'binary').replace('SIZE', 'SIZES') + 'a'.repeat(99), 'do not go together'],
  ])('%#: says what is wrong with another', (text, words) => {
    expect(() => readPcd(encode(text))).toThrow(words);
  });
});
