import { describe, expect, it } from 'vitest';
import { InferenceError, type InferenceSession } from '../../../src/vision/inference/inference-session.ts';
import { FallbackSession } from './fallback-session.ts';

function sessionOf(run: InferenceSession['run']): InferenceSession & { released: number } {
  const session = {
    inputs: [],
    outputs: [],
    released: 0,
    run,
    release: () => {
      session.released++;
      return Promise.resolve();
    },
  };
  return session;
}
const answer = { y: { dtype: 'float32', shape: [1], data: Float32Array.of(7) } } as const;

describe('FallbackSession', () => {
  it('runs a frame that lost its device again elsewhere, and stays there', async () => {
    const gpu = sessionOf(() => Promise.reject(new InferenceError('device-lost', 'gone')));
    const cpu = sessionOf(() => Promise.resolve(answer));
    let opened = 0;
    const session = new FallbackSession(gpu, () => Promise.resolve((opened++, cpu)));
    expect(await session.run({})).toBe(answer);
    expect(await session.run({})).toBe(answer);
    await session.deviceLost();
    expect([opened, gpu.released]).toEqual([1, 1]);
  });

  it('leaves any other error to the caller', async () => {
    const session = new FallbackSession(
      sessionOf(() => Promise.reject(new InferenceError('shape-mismatch', 'no'))),
      () => Promise.reject(new Error('never asked')),
    );
    await expect(session.run({})).rejects.toMatchObject({ code: 'shape-mismatch' });
  });

  it('is released once, and runs no more', async () => {
    const only = sessionOf(() => Promise.resolve(answer));
    const session = new FallbackSession(only, () => Promise.resolve(only));
    await session.release();
    await session.release();
    expect(only.released).toBe(1);
    await expect(session.run({})).rejects.toMatchObject({ code: 'runtime' });
  });
});
