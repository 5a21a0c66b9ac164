import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Frame } from '../../machine/vision/frame/frame.ts';
import { readFrameFile, writePngFile } from './frame-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frame-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

const eightBit = (...samples: number[]): Frame => ({
  format: 'rgba8',
  widthPx: samples.length / 4,
  heightPx: 1,
  samples: Uint8ClampedArray.from(samples),
});

describe('frame files', () => {
  it.each<[string, Frame]>([
    ['opaque', eightBit(1, 2, 3, 255, 250, 251, 252, 255)],
    ['transparent, colours kept under zero alpha', eightBit(9, 8, 7, 0, 200, 100, 50, 128)],
    [
      '16 bits',
      { format: 'rgba16', widthPx: 1, heightPx: 2, samples: Uint16Array.from([1, 256, 65535, 65535, 0, 7, 300, 9]) },
    ],
  ])('come back as they were written: %s', async (name, frame) => {
    const path = join(folder, `${name}.png`);
    await writePngFile(path, frame);
    expect(await readFrameFile(path)).toEqual(frame);
    expect((await readdir(folder)).filter((file) => file.endsWith('.part'))).toEqual([]);
  });

  it('says what a file is that is no picture', async () => {
    const path = join(folder, 'notes.png');
    await writeFile(path, 'hello, not a picture');
    await expect(readFrameFile(path)).rejects.toMatchObject({
      code: 'unsupported-format',
      message: expect.stringContaining('68 65 6c 6c 6f'),
    });
  });

  it('says that a file is empty', async () => {
    const path = join(folder, 'empty.png');
    await writeFile(path, '');
    await expect(readFrameFile(path)).rejects.toThrow(/empty/);
  });

  it('passes a missing file on as the file system says it', async () => {
    await expect(readFrameFile(join(folder, 'nowhere.png'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
