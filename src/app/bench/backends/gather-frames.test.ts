import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { gatherFrames } from './gather-frames.ts';

type GivenBench = Parameters<typeof gatherFrames>[0];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream on the stage, whose frames the test lets come. */
function stream(isStreaming = true) {
  const listeners = new Set<(result: FrameResult) => void>();
  const bench = {
    sources: { kind: 'camera', isStreaming, title: 'Webcam' },
    session: { current: { frame: { name: 'webcam' } } },
    vision: {
      currentFrame: async () => new Blob(['now']),
      capture: async ({ index }: { index: number }) => (index === 2 ? null : { content: new Blob([`${index}`]) }),
      onResult: (listener: (result: FrameResult) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  } as unknown as GivenBench;
  const come = async (index: number) => {
    for (const listener of listeners) listener({ frame: { name: 'webcam', index, timestampMs: 0 } } as FrameResult);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { bench, come, listeners };
}

it('takes the frames of a stream that follow, but for those that went by', async () => {
  const { bench, come, listeners } = stream();
  const counts: number[] = [];
  const gathering = gatherFrames(bench, 3, (count) => counts.push(count), AbortSignal.any([]));
  for (const index of [1, 2, 3, 4, 5]) await come(index);
  expect((await gathering).map(({ name }) => name)).toEqual(['webcam 1', 'webcam 3', 'webcam 4']);
  expect([counts, listeners.size]).toEqual([[1, 2, 3], 0]);
});

it('is content with what came where the stream ends', async () => {
  const { bench, come, listeners } = stream();
  const gathering = gatherFrames(bench, 3, () => undefined, AbortSignal.any([]));
  await vi.advanceTimersByTimeAsync(4000);
  await come(1);
  await vi.advanceTimersByTimeAsync(4000);
  await come(3);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await gathering).toHaveLength(2);
  expect(listeners.size).toBe(0);
});

it('ends with the signal, and listens no longer', async () => {
  const { bench, come, listeners } = stream();
  const abort = new AbortController();
  const gathering = gatherFrames(bench, 3, () => undefined, abort.signal);
  await come(1);
  abort.abort(new Error('cancelled'));
  await expect(gathering).rejects.toThrow('cancelled');
  expect(listeners.size).toBe(0);
});

it('takes no frame that is read once it has ended, and none at all where it was cancelled before', async () => {
  const { bench, come, listeners } = stream();
  const read: ((kept: unknown) => void)[] = [];
  Object.assign(bench.vision, { capture: () => new Promise((resolve) => read.push(resolve)) });
  const counts: number[] = [];
  const gathering = gatherFrames(bench, 3, (count) => counts.push(count), AbortSignal.any([]));
  await come(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await gathering).toEqual([]);
  read[0]!({ content: new Blob(['late']) });
  await vi.advanceTimersByTimeAsync(0);
  expect(counts).toEqual([]);
  const cancelled = gatherFrames(bench, 3, () => undefined, AbortSignal.abort(new Error('cancelled')));
  await expect(cancelled).rejects.toThrow('cancelled');
  expect(listeners.size).toBe(0);
});

it('takes the frame of a stream that stands', async () => {
  const [picture] = await gatherFrames(stream(false).bench, 9, () => undefined, AbortSignal.any([]));
  expect([picture!.name, await picture!.content.text()]).toEqual(['webcam', 'now']);
});
