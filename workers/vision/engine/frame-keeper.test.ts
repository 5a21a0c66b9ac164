import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/machine/vision/frame/frame.ts';
import { pixelsOf } from '../../../src/machine/vision/gpu/gpu-frame.ts';
import { FrameKeeper } from './frame-keeper.ts';
import type { PictureIo } from '../../../src/platform/ports/picture-io.ts';

const frameOf = (grey: number): Frame => ({
  format: 'rgba8',
  widthPx: 1,
  heightPx: 1,
  samples: Uint8ClampedArray.of(grey, grey, grey, 255),
});
const infoOf = (index: number) => ({ name: 'webcam', index, timestampMs: index });
const jpeg = { mediaType: 'image/jpeg', quality: 0.5 } as const;

/** A keeper whose encoders end when they are told, and write the first sample. */
function startKeeper() {
  const released: number[] = [];
  const encoding: (() => void)[] = [];
  const pictures = {
    compress: async (frame, quality) => {
      if (quality === jpeg.quality) await new Promise<void>((end) => encoding.push(end));
      return new Blob([String(pixelsOf(frame).samples[0])], { type: 'image/jpeg' });
    },
  } as Partial<PictureIo> as PictureIo;
  const keeper = new FrameKeeper({
    pictures,
    sha256: async (bytes) => new TextDecoder().decode(bytes),
    onRelease: (frame) => released.push(pixelsOf(frame).samples[0]!),
  });
  const hold = (index: number) => keeper.hold({ frame: frameOf(index), info: infoOf(index), original: null });
  return { keeper, released, encoding, hold };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('FrameKeeper', () => {
  it('holds the frames of the last four results: three may be under way to the page', async () => {
    const { keeper, released, encoding, hold } = startKeeper();
    for (const index of [0, 1, 2, 3]) hold(index);
    expect(released).toEqual([]);
    const oldest = keeper.keep(infoOf(0), jpeg);
    hold(4);
    hold(5);
    expect(released).toEqual([1]); // 0 is being encoded
    expect(await keeper.keep(infoOf(1), jpeg)).toBeNull();
    encoding.shift()!();
    expect((await oldest)!.sha256).toBe('0');
    expect(released).toEqual([1, 0]);
  });

  it('takes frames with one name and number apart by their time', async () => {
    const { keeper, hold, encoding } = startKeeper();
    hold(1);
    expect(await keeper.keep({ ...infoOf(1), timestampMs: 9 }, jpeg)).toBeNull();
    const kept = keeper.keep({ ...infoOf(1), takenAtMs: 5 }, jpeg);
    encoding.shift()!();
    expect((await kept)!.info.index).toBe(1);
  });

  it('encodes two at a time, in order, and drops none', async () => {
    const { keeper, encoding, released } = startKeeper();
    const order: string[] = [];
    const all = Array.from({ length: 30 }, async (_, index) => {
      const kept = await keeper.encode({ frame: frameOf(index), info: infoOf(index), original: null }, jpeg);
      order.push(kept.sha256);
    });
    for (let ended = 0; ended < 30; ended++) {
      expect(encoding.length).toBe(Math.min(2, 30 - ended));
      encoding.shift()!();
      await settle();
    }
    await Promise.all(all);
    expect(order).toEqual(Array.from({ length: 30 }, (_, index) => String(index)));
    expect(released).toHaveLength(30);
  });

  it('keeps the bytes of a file, under the type that they have', async () => {
    const { keeper } = startKeeper();
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1);
    const original = new Blob([png], { type: 'image/jpeg' });
    keeper.hold({ frame: frameOf(0), info: infoOf(0), original });
    const kept = await keeper.keep(infoOf(0), jpeg);
    expect([kept!.content.type, kept!.encoding]).toEqual(['image/png', 'original']);
    expect(new Uint8Array(await kept!.content.arrayBuffer())).toEqual(png);
  });
});
