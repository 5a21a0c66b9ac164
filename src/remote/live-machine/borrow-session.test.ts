import { describe, expect, it } from 'vitest';
import { imageInput } from '../../../tests/fixed-session.ts';
import { linkPretended } from '../../../tests/live-machine-fixture.ts';
import { InferenceError } from '../../machine/vision/errors/inference-error.ts';
import type { Tensor } from '../../machine/vision/tensor/tensor.ts';
import { borrowSession } from './borrow-session.ts';
import { LinkError } from './link-error.ts';
import type { LiveMachine, MachineHealth } from './live-machine.ts';

const input = imageInput([1, 2], 'float32');
const y = imageInput([2], 'float32', 'y');
const fed: Tensor = { dtype: 'float32', shape: [1, 2], data: Float32Array.of(1.5, -0) };
const twice = async ({ image }: Readonly<Record<string, Tensor>>): Promise<Record<string, Tensor>> => ({
  y: { dtype: 'float32', shape: [2], data: Float32Array.from(image!.data as Float32Array, (value) => 2 * value) },
});
const linked = (changes: Partial<LiveMachine> = {}): LiveMachine => ({
  ...linkPretended({ model: { inputs: [input], outputs: [y], run: twice } }),
  ...changes,
});
const builtAt = (updatedAtMs: number): MachineHealth => ({
  isRunning: true,
  revision: 'r1',
  resources: [{ api: 'rdk:service:mlmodel', name: 'm', isReady: true, updatedAtMs, revision: 'r1', error: '' }],
});

describe('a borrowed session', () => {
  it('has the tensors of the machine’s model, and gives what a direct call gives', async () => {
    const machine = linked();
    const session = await borrowSession(machine, 'm');
    expect(session.inputs).toEqual([input]);
    expect(session.outputs).toEqual([y]);
    const direct = await machine.infer('m', { image: fed }, new AbortController().signal);
    expect(await session.run({ image: fed })).toEqual(direct);
    expect(direct['y']!.data).toEqual(Float32Array.of(3, -0));
  });

  it('says in words which model it cannot feed', async () => {
    const silent = linkPretended({ model: { inputs: [], outputs: [], run: twice } });
    await expect(borrowSession(silent, 'm')).rejects.toThrow('does not say which tensors it takes');
    const odd = linkPretended({ model: { inputs: [{ ...input, dtype: 'string' }], outputs: [], run: twice } });
    await expect(borrowSession(odd, 'm')).rejects.toThrow('Tensor "image" is of "string"');
  });

  it('says whether the machine answers, and asks it again a second later', async () => {
    let calls = 0;
    let nowMs = 0;
    const gone = new LinkError('no-answer', 'http://robot does not answer.', 'See that it is on.');
    const machine = linked({ infer: () => (calls++, Promise.reject(gone)) });
    const session = await borrowSession(machine, 'm', () => nowMs);
    const failure = { code: 'no-answer', message: 'http://robot does not answer. See that it is on.' };
    await expect(session.run({ image: fed })).rejects.toMatchObject(failure);
    nowMs = 999;
    await expect(session.run({ image: fed })).rejects.toMatchObject(failure);
    expect(calls).toBe(1);
    nowMs = 1000;
    await expect(session.run({ image: fed })).rejects.toBeInstanceOf(InferenceError);
    expect(calls).toBe(2);
  });

  it('asks again at once where the model itself fails', async () => {
    let calls = 0;
    const failed = new LinkError('failed', 'invalid shape', 'Its log says more.');
    const session = await borrowSession(linked({ infer: () => (calls++, Promise.reject(failed)) }), 'm', () => 0);
    await expect(session.run({ image: fed })).rejects.toThrow('invalid shape');
    await expect(session.run({ image: fed })).rejects.toThrow('invalid shape');
    expect(calls).toBe(2);
  });

  it('gives no result of a model that was built anew', async () => {
    let nowMs = 0;
    let health = builtAt(1);
    let looks = 0;
    const machine = linked({ health: () => (looks++, Promise.resolve(health)) });
    const session = await borrowSession(machine, 'm', () => nowMs);
    health = builtAt(2);
    nowMs = 5000;
    await session.run({ image: fed });
    expect(looks).toBe(1);
    nowMs = 5001;
    await expect(session.run({ image: fed })).rejects.toMatchObject({ code: 'model-changed' });
    await expect(session.run({ image: fed })).rejects.toMatchObject({ code: 'model-changed' });
    expect(looks).toBe(2);
  });

  it('looks once for all runs at a time, and takes a model for the same where the look fails', async () => {
    let nowMs = 0;
    let looks = 0;
    let isAway = false;
    const away = new LinkError('no-answer', 'gone', 'wait');
    const health = () => (looks++, isAway ? Promise.reject(away) : Promise.resolve(builtAt(1)));
    const session = await borrowSession(linked({ health }), 'm', () => nowMs);
    nowMs = 5001;
    await Promise.all([1, 2, 3].map(() => session.run({ image: fed })));
    expect(looks).toBe(2);
    isAway = true;
    nowMs = 10_002;
    expect(await session.run({ image: fed })).toHaveProperty('y');
    expect(looks).toBe(3);
  });

  it('runs on a machine that says nothing of its health', async () => {
    const tooOld = new LinkError('too-old', 'unimplemented', 'Update it.');
    const session = await borrowSession(linked({ health: () => Promise.reject(tooOld) }), 'm');
    expect(await session.run({ image: fed })).toHaveProperty('y');
  });

  it('ends the call that is under way when it is released', async () => {
    let asked: AbortSignal | undefined;
    const machine = linked({
      infer: (_name, _tensors, signal) => {
        asked = signal;
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
      },
    });
    const session = await borrowSession(machine, 'm');
    const running = session.run({ image: fed });
    await session.release();
    await expect(running).rejects.toThrow('ended');
    expect(asked!.aborted).toBe(true);
  });
});
