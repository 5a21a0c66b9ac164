import { expect, it } from 'vitest';
import type { ReadFrame } from '../../../src/machine/vision/yuv/yuv-frame.ts';
import { StageFrames, type SourceFrame } from './stage-frames.ts';

const sourceOf = (frameId: number) => ({ frameId, frame: { frameId } as unknown as ReadFrame }) as SourceFrame;

function bench(held: readonly ReadFrame[] = []) {
  const recycled: ReadFrame[] = [];
  const frames = new StageFrames(
    { recycle: (frame) => void recycled.push(frame) },
    { frames: held, holds: (frame) => held.includes(frame) },
  );
  return { frames, recycled };
}
const [first, second] = [sourceOf(1), sourceOf(2)];

it('recycles the frame before, once nothing runs on it', async () => {
  const { frames, recycled } = bench();
  frames.replace(first);
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  const held = frames.whileHeld(first.frame, promise);
  frames.replace(second);
  expect([frames.source, recycled]).toEqual([second, []]);
  resolve();
  await held;
  expect(recycled).toEqual([first.frame]);
});

it('leaves a later frame in place, and pixels that are kept', () => {
  const { frames, recycled } = bench([second.frame]);
  frames.replace(second);
  frames.replace(first);
  expect(frames.source).toBe(second);
  frames.replace(sourceOf(3));
  expect(recycled).toEqual([]);
  expect(frames.heldBeside(first.frame)).toEqual([second.frame]);
  expect(frames.heldBeside(second.frame)).toEqual([]);
});

it('forgets the frame before where the newest cannot be read, and no other', () => {
  const { frames, recycled } = bench();
  frames.replace(first);
  frames.announce(3);
  frames.giveUp(2);
  expect(frames.source).toBe(first);
  frames.giveUp(3);
  expect([frames.source, recycled]).toEqual([null, [first.frame]]);
  frames.replace(sourceOf(3));
  frames.giveUp(3); // the frame was read, but its run has failed
  expect(frames.source).not.toBeNull();
});
