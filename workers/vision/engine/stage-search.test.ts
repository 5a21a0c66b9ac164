import { expect, it, vi } from 'vitest';
import { fixedSession, float32, imageInput } from '../../../tests/fixed-session.ts';
import type { Frame } from '../../../src/machine/vision/frame/frame.ts';
import { referenceStretchKernel } from '../../../src/machine/vision/preprocess/preprocess.ts';
import type { ReadFrame } from '../../../src/machine/vision/yuv/yuv-frame.ts';
import type { ThreadedRuntime } from '../../inference/client.ts';
import type { PlanRunner } from './plan-runner.ts';
import { Projector } from './projector.ts';
import { StageFrames, type SourceFrame } from './stage-frames.ts';
import { StageSearch } from './stage-search.ts';

it('keeps the frame that it was asked about while the service is built, and gives it back once', async () => {
  const recycled: ReadFrame[] = [];
  const pictures = { recycle: (frame: ReadFrame) => void recycled.push(frame) };
  const frames = new StageFrames(pictures, { frames: [], holds: () => false });
  const [asked, later] = [1, 2].map((frameId) => ({ frameId, frame: {} as ReadFrame }) as SourceFrame);
  let build = (_: null): void => undefined;
  const search = new StageSearch({
    runtime: {} as ThreadedRuntime,
    runner: { tunedService: () => new Promise((built) => (build = built)) } as unknown as PlanRunner,
    projector: new Projector({} as never),
    frames,
    pictures: {} as never,
  });
  frames.replace(asked!);
  const feeds = search.modelFeeds();
  frames.replace(later!);
  expect(recycled).toEqual([]);
  build(null);
  expect(await feeds).toBeNull();
  expect(recycled).toEqual([asked!.frame]);
});

it('feeds a labelled picture, after the camera’s steps, to a model of its own, which it closes', async () => {
  const frameOf = (value: number): Frame => ({
    format: 'rgba8',
    widthPx: 4,
    heightPx: 4,
    samples: Uint8ClampedArray.from({ length: 64 }, (_, at) => (at % 4 === 3 ? 255 : value)),
  });
  const [picture, cropped] = [frameOf(255), frameOf(128)];
  const session = fixedSession(imageInput([1, 4, 4, 3]), { probability: float32([1, 2], [0.25, 0.75]) });
  const release = vi.fn(() => Promise.resolve());
  const open = vi.fn(() => Promise.resolve({ ...session, release }));
  const run = vi.fn(() => Promise.resolve({ stages: [{ frame: picture }, { frame: cropped }] }));
  const pipelinePorts = {
    stretchKernel: referenceStretchKernel,
    turn: (task: () => unknown) => task(),
    nowMs: () => 0,
  };
  const search = new StageSearch({
    runtime: { open } as unknown as ThreadedRuntime,
    runner: { run, pipelinePorts } as unknown as PlanRunner,
    projector: new Projector({} as never),
    frames: {} as StageFrames,
    pictures: { read: () => Promise.resolve(picture) },
  });
  const labelled = {
    model: new Blob([Uint8Array.of(1, 2, 3)]),
    picture: new Blob(['a picture']),
    kind: 'classifications',
    present: { bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' },
    isFedByOptions: false,
    answer: { category: 1, box: null },
  } as const;
  const { inputs, tried } = await search.tryFeedings(labelled, () => undefined, new AbortController().signal);
  expect(inputs.map(({ bgr }) => bgr)).toEqual([false, true]);
  expect(tried).toEqual([Array(3).fill(0.75), Array(3).fill(0.75)]);
  expect(open).toHaveBeenCalledWith(Uint8Array.of(1, 2, 3), 'wasm');
  expect(run).toHaveBeenCalledWith(picture);
  expect(session.feeds[0]!['image']!.data[0]).toBe(128);
  expect(release).toHaveBeenCalledOnce();

  const giving = new AbortController();
  giving.abort(new Error('Given up.'));
  await expect(search.tryFeedings(labelled, () => undefined, giving.signal)).rejects.toThrow('Given up.');
  expect(release).toHaveBeenCalledTimes(2);
});
