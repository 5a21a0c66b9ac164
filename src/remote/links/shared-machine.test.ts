import { describe, expect, it, onTestFinished } from 'vitest';
import { deferred } from '../../../tests/deferred.ts';
import { LinkError } from '../live-machine/link-error.ts';
import type { ModelHost } from '../live-machine/live-machine.ts';
import { shareMachine, sharedMachine } from './shared-machine.ts';

const { signal } = new AbortController();
const tensors = { x: { dtype: 'float32', shape: [2], data: Float32Array.of(1, 2) } } as const;
let names = 0;

function share(changes: Partial<ModelHost> = {}) {
  const machine: ModelHost = {
    health: async () => ({ isRunning: true, revision: 'r1', resources: [] }),
    modelMetadata: async (name) => ({ name, type: '', inputs: [], outputs: [] }),
    infer: async (_, given) => given,
    close: () => undefined,
    ...changes,
  };
  const name = `test-${++names}`;
  const end = shareMachine(machine, name);
  const [one, two] = [sharedMachine(name), sharedMachine(name)];
  onTestFinished(() => {
    for (const side of [one, two]) side.close();
    end();
  });
  return { one, two, end };
}

describe('a machine that the page alone can ask', () => {
  it('answers its workers, each its own question', async () => {
    const { one, two } = share();
    const answers = await Promise.all([
      one.modelMetadata('a', signal),
      two.modelMetadata('b', signal),
      one.infer('a', tensors, signal),
    ]);
    expect(answers).toEqual([
      { name: 'a', type: '', inputs: [], outputs: [] },
      { name: 'b', type: '', inputs: [], outputs: [] },
      tensors,
    ]);
    expect(await one.health(signal)).toMatchObject({ revision: 'r1' });
  });

  it('gets and gives tensors alone, not the memory that they are views of', async () => {
    const view = { x: { dtype: 'uint8', shape: [3], data: Uint8Array.of(0, 1, 2, 3, 4).subarray(1, 4) } } as const;
    const shared = { x: { dtype: 'uint8', shape: [2], data: new Uint8Array(new SharedArrayBuffer(2)) } } as const;
    const { one } = share({
      infer: async (_, given) => (expect(given['x']!.data.buffer.byteLength).toBe(given['x']!.data.length), view),
    });
    const { x } = await one.infer('a', view, signal);
    expect([...(x!.data as Uint8Array)]).toEqual([1, 2, 3]);
    expect(x!.data.buffer.byteLength).toBe(3);
    await one.infer('a', shared as never, signal);
  });

  it('fails in its own words', async () => {
    const { one } = share({ infer: () => Promise.reject(new LinkError('busy', 'Too much.', 'Wait.')) });
    await expect(one.infer('a', tensors, signal)).rejects.toMatchObject({
      code: 'busy',
      message: 'Too much.',
      cure: 'Wait.',
    });
  });

  it('ends a call that its caller left, and no other', async () => {
    const seen = deferred<AbortSignal>();
    const other = deferred<typeof tensors>();
    const { one, two } = share({
      infer(name, _, given) {
        if (name === 'other') return other.promise;
        seen.resolve(given);
        return new Promise((_resolve, reject) =>
          given.addEventListener('abort', () => reject(new LinkError('cancelled', 'Ended.', ''))),
        );
      },
    });
    const leave = new AbortController();
    const left = one.infer('left', tensors, leave.signal);
    const stays = two.infer('other', tensors, signal);
    const given = await seen.promise;
    leave.abort();
    await expect(left).rejects.toMatchObject({ code: 'no-answer' });
    await expect.poll(() => given.aborted).toBe(true);
    other.resolve(tensors);
    expect(await stays).toEqual(tensors);
  });

  it('once left, fails who waits and who asks later', async () => {
    const { one, end } = share({ infer: () => new Promise(() => undefined) });
    const waits = one.infer('a', tensors, signal);
    await one.health(signal);
    end();
    await expect(waits).rejects.toMatchObject({ code: 'no-answer', message: 'The page left the machine.' });
    await expect(one.health(signal)).rejects.toMatchObject({ code: 'no-answer' });
  });
});
