import { expect, it } from 'vitest';
import { LiveStream } from './live-stream.ts';
import { WorkerCrash } from './worker-errors.ts';

/** Reads a stream of two frames, each passed to `show`; returns the reported failures. */
async function failuresOf(show: (stream: LiveStream) => Promise<null>): Promise<unknown[]> {
  const failures: unknown[] = [];
  const stream: LiveStream = new LiveStream({
    show: () => show(stream),
    room: () => undefined,
    onFrame: () => undefined,
    onStats: () => undefined,
    onFailure: (error) => failures.push(error),
    onEnd: () => undefined,
  });
  const frames = new ReadableStream<VideoFrame>({
    start(controller) {
      for (const timestamp of [0, 33_000]) controller.enqueue({ timestamp } as VideoFrame);
    },
  });
  const following = stream.follow(frames, { name: 'camera' });
  await new Promise(setImmediate);
  await stream.stop();
  await following;
  return failures;
}

it('says why a frame gave nothing', async () => {
  const refusal = new Error('the planes could not be read');
  expect(await failuresOf(() => Promise.reject(refusal))).toEqual([refusal, refusal]);
});

it('says nothing of a frame that was overtaken, nor of one that the worker died under, which is announced', async () => {
  expect(await failuresOf(() => Promise.resolve(null))).toEqual([]);
  expect(await failuresOf(() => Promise.reject(new WorkerCrash('gone')))).toEqual([]);
});

it('says nothing of a frame of a stream that was left', async () => {
  const failLater = async (stream: LiveStream): Promise<never> => {
    await stream.stop();
    throw new Error('too late');
  };
  expect(await failuresOf(failLater)).toEqual([]);
});
