import { describe, expect, it } from 'vitest';
import { InferenceError } from '../../../src/machine/vision/errors/inference-error.ts';
import type { InferenceSession } from '../../../src/machine/vision/inference/inference-session.ts';
import { toGpu } from '../../../src/machine/vision/gpu/gpu-frame.ts';
import type { InputSpec } from '../../../src/machine/vision/preprocess/input-spec.ts';
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
const anyInput = {} as InputSpec; // the sessions here look at none
const noClock = () => 0;
const answer = { y: { dtype: 'float32', shape: [1], data: Float32Array.of(7) } } as const;

describe('FallbackSession', () => {
  it('runs a frame that lost its device again elsewhere, and stays there', async () => {
    const gpu = sessionOf(() => Promise.reject(new InferenceError('device-lost', 'gone')));
    const cpu = sessionOf(() => Promise.resolve(answer));
    let opened = 0;
    const session = new FallbackSession(gpu, () => Promise.resolve((opened++, cpu)), noClock);
    expect(await session.run({})).toBe(answer);
    expect(await session.run({})).toBe(answer);
    await session.moveToCpu();
    expect([opened, gpu.released]).toEqual([1, 1]);
  });

  it.each(['out-of-memory', 'runtime'] as const)(
    'leaves a GPU that fails with "%s" at what the CPU can do',
    async (code) => {
      const gpu = sessionOf(() => Promise.reject(new InferenceError(code, 'the driver')));
      const cpu = sessionOf(() => Promise.resolve(answer));
      const reasons: string[] = [];
      const session = new FallbackSession(
        gpu,
        () => Promise.resolve(cpu),
        noClock,
        (reason) => reasons.push(reason),
      );
      expect(await session.run({})).toBe(answer);
      expect([gpu.released, cpu.released, reasons]).toEqual([1, 0, ['the driver']]);
      expect(await session.run({})).toBe(answer);
      await session.release();
      expect([gpu.released, cpu.released]).toEqual([1, 1]);
    },
  );

  it('stays on the GPU where the CPU fails too: the model is to blame', async () => {
    const failing = () => Promise.reject(new InferenceError('runtime', 'Concat of 3 and 4'));
    const [gpu, cpu] = [sessionOf(failing), sessionOf(failing)];
    const reasons: string[] = [];
    const session = new FallbackSession(
      gpu,
      () => Promise.resolve(cpu),
      noClock,
      (reason) => reasons.push(reason),
    );
    await expect(session.run({})).rejects.toMatchObject({ message: 'Concat of 3 and 4' });
    expect([gpu.released, cpu.released, reasons]).toEqual([0, 1, []]);
  });

  it('takes frames until it loses its device, and runs the frame that lost it as a tensor', async () => {
    const frame = toGpu({ format: 'rgba8', widthPx: 1, heightPx: 1, samples: new Uint8ClampedArray(4) });
    const ran = { results: answer, shape: [1, 3, 1, 1], pictures: [], packMs: 1, runMs: 2, notCaptured: '' };
    const outcomes = [() => Promise.resolve(ran), () => Promise.reject(new InferenceError('device-lost', 'gone'))];
    const gpu = {
      ...sessionOf(() => Promise.reject(new Error('never asked'))),
      gpu: { refusal: '', run: () => outcomes.shift()!(), inspect: () => Promise.reject(new Error('never asked')) },
    };
    const cpu = sessionOf(() => Promise.resolve(answer));
    const session = new FallbackSession(gpu, () => Promise.resolve(cpu), noClock);
    const intake = session.gpu!;
    expect(await intake.run(frame, anyInput)).toBe(ran);
    await expect(intake.run(frame, anyInput)).rejects.toMatchObject({ code: 'device-lost' });
    expect(session.gpu).toBeNull();
    expect(await session.run({})).toBe(answer);
    expect(new FallbackSession(cpu, () => Promise.resolve(cpu), noClock).gpu).toBeNull();
  });

  it('keeps frames away for a while from a GPU that fails at one, and takes tensors', async () => {
    const clock = { ms: 0 };
    const full = () => Promise.reject(new InferenceError('out-of-memory', 'It is full.'));
    const gpu = { ...sessionOf(() => Promise.resolve(answer)), gpu: { refusal: '', run: full, inspect: full } };
    const session = new FallbackSession(
      gpu,
      () => Promise.reject(new Error('never asked')),
      () => clock.ms,
    );
    const frame = toGpu({ format: 'rgba8', widthPx: 1, heightPx: 1, samples: new Uint8ClampedArray(4) });
    await expect(session.gpu!.run(frame, anyInput)).rejects.toMatchObject({ code: 'out-of-memory' });
    expect(session.gpu!.refusal).toBe('the GPU failed on a frame, and is tried again in 1 s. It said: It is full.');
    expect(await session.run({})).toBe(answer);
    clock.ms = 1000;
    expect(session.gpu!.refusal).toBe('');
  });

  it('tries the CPU again at the next frame where it could not be opened when the device was lost', async () => {
    const gpu = sessionOf(() => Promise.reject(new InferenceError('device-lost', 'gone')));
    const cpu = sessionOf(() => Promise.resolve(answer));
    const openings = [() => Promise.reject(new Error('The file was busy.')), () => Promise.resolve(cpu)];
    const session = new FallbackSession(gpu, () => openings.shift()!(), noClock);
    await expect(session.run({})).rejects.toThrow('The file was busy.');
    expect(await session.run({})).toBe(answer);
  });

  it('leaves any other error to the caller', async () => {
    const session = new FallbackSession(
      sessionOf(() => Promise.reject(new InferenceError('shape-mismatch', 'no'))),
      () => Promise.reject(new Error('never asked')),
      noClock,
    );
    await expect(session.run({})).rejects.toMatchObject({ code: 'shape-mismatch' });
  });

  it('is released once, and runs no more', async () => {
    const only = sessionOf(() => Promise.resolve(answer));
    const session = new FallbackSession(only, () => Promise.resolve(only), noClock);
    await session.release();
    await session.release();
    expect(only.released).toBe(1);
    await expect(session.run({})).rejects.toMatchObject({ code: 'runtime' });
  });
});
