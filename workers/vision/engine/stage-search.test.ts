import { expect, it } from 'vitest';
import type { ReadFrame } from '../../../src/vision/yuv/yuv-frame.ts';
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
  });
  frames.replace(asked!);
  const feeds = search.modelFeeds();
  frames.replace(later!);
  expect(recycled).toEqual([]);
  build(null);
  expect(await feeds).toBeNull();
  expect(recycled).toEqual([asked!.frame]);
});
