import { afterEach, expect, it, vi } from 'vitest';
import { noTimings } from '../../../tests/no-timings.ts';
import type { FrameResult, FrameTimings, ShownFrame } from '../protocol.ts';
import { FrameSchedule } from './frame-schedule.ts';

afterEach(() => void vi.useRealTimers());

const picture = { close: () => undefined } as unknown as ImageBitmap;
const shown = {
  picture,
  isReduced: false,
  result: { timings: { inferenceMs: 40 }, stages: [] },
} as unknown as ShownFrame;
const info = { name: 'camera', index: 0, timestampMs: 0 };

/** A schedule over a fake worker that takes 40 ms per frame, with a record of the announced results. */
function schedule() {
  vi.useFakeTimers({ now: 0, toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const results: FrameResult[] = [];
  const answer = (): Promise<ShownFrame> => new Promise((resolve) => setTimeout(() => resolve(shown), 40));
  const frames = new FrameSchedule(
    { run: answer, rerun: answer, redraw: () => Promise.resolve(null) },
    { onResult: (result) => results.push(result), onStall: () => undefined, onFailure: () => undefined },
  );
  const marks = () => results.map(({ offeredAtMs, givenAtMs, answeredAtMs }) => [offeredAtMs, givenAtMs, answeredAtMs]);
  return { frames, marks };
}

it('says when a frame came, went to the worker and came back', async () => {
  const { frames, marks } = schedule();
  void frames.show(new Blob(), info);
  await vi.advanceTimersByTimeAsync(10);
  void frames.show(new Blob(), info); // waits for the previous frame
  await vi.advanceTimersByTimeAsync(100);
  expect(marks()).toEqual([
    [0, 0, 40],
    [10, 40, 80],
  ]);
});

it('counts a frame that runs again from there on', async () => {
  const { frames, marks } = schedule();
  void frames.show(new Blob(), info);
  await vi.advanceTimersByTimeAsync(500);
  void frames.showAgain();
  await vi.advanceTimersByTimeAsync(100);
  expect(marks()).toEqual([
    [0, 0, 40],
    [500, 500, 540],
  ]);
});

it('draws nothing again of a source that was left', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const redrawn: number[] = [];
  const answer = (): Promise<ShownFrame> => Promise.resolve({ ...shown, isReduced: true });
  const frames = new FrameSchedule(
    { run: answer, rerun: answer, redraw: ({ runId }) => (redrawn.push(runId), Promise.resolve(null)) },
    { onResult: () => undefined, onStall: () => undefined, onFailure: () => undefined },
  );
  frames.stage.within = { widthPx: 640, heightPx: 360 };
  await frames.show(new Blob(), info);
  frames.changeSource();
  frames.stage.within = null;
  expect(redrawn).toEqual([]);
});

it.each<[string, Partial<FrameTimings>, number?]>([
  ['the model is at it', { inferenceMs: 100 }],
  ['a GPU is at it, mostly at its steps', { inferenceMs: 10, transformMs: 75, preprocessMs: 15, isGpuTimed: true }],
  ['another service runs after it', { inferenceMs: 40 }, 60],
])('has one frame ready, and no more, while %s', async (_, timings, besideMs = 0) => {
  vi.useFakeTimers({ now: 0, toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const underWay: number[] = [];
  let [given, freeAtMs] = [0, 0];
  const answer = async (): Promise<ShownFrame> => {
    underWay.push(++given);
    freeAtMs = Math.max(performance.now(), freeAtMs) + 100;
    await new Promise((resolve) => setTimeout(resolve, freeAtMs - performance.now()));
    given--;
    return { ...shown, result: { ...shown.result, timings: { ...noTimings, ...timings }, besideMs } };
  };
  const frames = new FrameSchedule(
    { run: answer, rerun: answer, redraw: () => Promise.resolve(null) },
    { onResult: () => undefined, onStall: () => undefined, onFailure: () => undefined },
  );
  for (let frame = 0; frame < 60; frame++) {
    void frames.show(new Blob(), info);
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(Math.max(...underWay)).toBe(2);
});

it('shows no frame after a newer one: what comes back too late is closed', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const closed: string[] = [];
  const asked: ((name: string) => void)[] = [];
  const answer = (): Promise<ShownFrame> =>
    new Promise((resolve) => {
      asked.push((name) => {
        const bitmap = (part: string) => ({ close: () => closed.push(`${part} of ${name}`) }) as unknown as ImageBitmap;
        const stages = [{ thumbnail: bitmap('thumbnail') }];
        resolve({ ...shown, picture: bitmap('picture'), result: { ...shown.result, stages } } as unknown as ShownFrame);
      });
    });
  const told: FrameResult[] = [];
  const frames = new FrameSchedule(
    { run: answer, rerun: answer, redraw: () => Promise.resolve(null) },
    { onResult: (result) => told.push(result), onStall: () => undefined, onFailure: () => undefined },
  );
  const first = frames.show(new Blob(), info);
  asked[0]!('the first');
  await first;
  const older = frames.show(new Blob(), info);
  const newer = frames.show(new Blob(), info);
  expect(asked).toHaveLength(3); // two frames run at the same time
  asked[2]!('the newer');
  expect(await newer).not.toBeNull();
  closed.length = 0; // ignore the first frame's picture, which the newer one has replaced
  asked[1]!('the older');
  expect(await older).toBeNull();
  expect(closed).toEqual(['picture of the older', 'thumbnail of the older']);
  expect(told).toHaveLength(2);
});

it.each<[string, (frames: FrameSchedule) => void, string[]]>([
  ['a still that the dead worker had is given to the next', () => undefined, ['run still']],
  ['a source that was left is not', (frames) => frames.changeSource(), []],
  ['a still that is on its way already is not given twice', (frames) => void frames.showAgain(), ['run still']],
])('after a restart: %s', async (_, before, expected) => {
  const asked: string[] = [];
  const answer = (what: string) => (): Promise<ShownFrame> => (asked.push(what), Promise.resolve(shown));
  const frames = new FrameSchedule(
    { run: answer('run still'), rerun: answer('rerun'), redraw: () => Promise.resolve(null) },
    { onResult: () => undefined, onStall: () => undefined, onFailure: () => undefined },
  );
  await frames.show(new Blob(), info);
  asked.length = 0;
  frames.forgetWorker();
  before(frames);
  frames.restoreStill();
  await frames.showAgain();
  expect(asked.filter((what) => what !== 'rerun')).toEqual(expected);
});

it('does not show the result of a source that was left while it ran', async () => {
  let answer!: (frame: ShownFrame) => void;
  const promise = new Promise<ShownFrame>((resolve) => (answer = resolve));
  const frames = new FrameSchedule(
    { run: () => promise, rerun: () => promise, redraw: () => Promise.resolve(null) },
    {
      onResult: () => expect.unreachable('a result of the source that was left'),
      onStall: () => undefined,
      onFailure: () => undefined,
    },
  );
  const run = frames.show(new Blob(), info);
  frames.changeSource();
  answer(shown);
  expect(await run).toBeNull();
});
