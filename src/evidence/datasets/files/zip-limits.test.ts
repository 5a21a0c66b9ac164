import { describe, expect, it } from 'vitest';
import { ZipLimits } from './zip-limits.ts';

const file = (packedBytes: number, unpackedBytes: number) => ({ path: 'a.json', packedBytes, unpackedBytes });

function check(files: readonly ReturnType<typeof file>[], archiveBytes: number): void {
  const limits = new ZipLimits(archiveBytes);
  limits.listed(files.length);
  for (const one of files) limits.add(one);
}

describe('the limits of a zip', () => {
  it.each([
    ['pictures of 10 GB', Array.from({ length: 10_000 }, () => file(1e6, 1e6)), 1e10],
    ['a COCO file that shrinks fifty times', [file(20e6, 1e9)], 20e6],
    ['a small file of zeros', [file(1000, 1e6)], 2000],
    ['256 MB out of nothing', [file(1, 256 * 1024 * 1024)], 1],
    ['two hundred times as much', [file(2e6, 4e8)], 2e6],
    ['half a million files', Array.from({ length: 500_000 }, () => file(1, 1)), 1e6],
  ])('takes %s', (_, files, archiveBytes) => {
    expect(() => check(files, archiveBytes)).not.toThrow();
  });

  it.each([
    [
      'one file of zeros',
      [file(1e6, 1e9)],
      1e6,
      'a.json in the zip would unpack from 1.0 MB to 1000 MB, which no dataset does.',
    ],
    [
      'a byte above 256 MB out of nothing',
      [file(1, 256 * 1024 * 1024 + 1)],
      1,
      'a.json in the zip would unpack from 0.0 MB to 268 MB',
    ],
    [
      'more than two hundred times as much',
      [file(10e6, 2e9 + 1)],
      10e6,
      'a.json in the zip would unpack from 10 MB to 2000 MB',
    ],
    [
      'files that share their bytes',
      Array.from({ length: 1000 }, () => file(1e6, 1e8)),
      2e6,
      'The zip would unpack from 2.0 MB to 500 MB',
    ],
    [
      'half a million files and one',
      Array.from({ length: 500_001 }, () => file(0, 0)),
      1e8,
      'The zip has more than 500000 files, which is the most that is read. Split it.',
    ],
  ])('refuses %s', (_, files, archiveBytes, message) => {
    expect(() => check(files, archiveBytes)).toThrow(
      expect.objectContaining({ code: 'zip-bomb', message: expect.stringContaining(message) as string }),
    );
  });
});
