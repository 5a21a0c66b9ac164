import { expect, it } from 'vitest';
import { gatheredReads } from './gathered-reads.ts';

const { signal } = new AbortController();

/** A host that has these items; each call waits until it is let go. */
function host(...there: string[]) {
  const calls: (readonly string[])[] = [];
  const signals: AbortSignal[] = [];
  const gates: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];
  const read = gatheredReads<string>(async (ids, callSignal) => {
    calls.push(ids);
    signals.push(callSignal);
    await new Promise<void>((resolve, reject) => gates.push({ resolve, reject }));
    callSignal.throwIfAborted();
    return ids.every((id) => there.includes(id)) ? ids.map((id) => `item ${id}`) : null;
  });
  const letGo = (call: number): Promise<void> =>
    expect
      .poll(() => gates[call])
      .toBeDefined()
      .then(() => gates[call]!.resolve());
  return { calls, signals, gates, read, letGo };
}

it('reads at once, and together what is wanted meanwhile', async () => {
  const { read, calls, letGo } = host('a', 'b', 'c');
  const items = Promise.all(['a', 'b', 'c'].map((id) => read(id, signal)));
  await letGo(0);
  await letGo(1);
  expect(await items).toEqual(['item a', 'item b', 'item c']);
  expect(calls).toEqual([['a'], ['b', 'c']]);
});

it('asks for each alone where one is not there', async () => {
  const { read, calls, letGo } = host('a', 'c');
  const items = Promise.all(['a', 'b', 'c'].map((id) => read(id, signal)));
  for (const call of [0, 1]) await letGo(call);
  await expect.poll(() => calls.length).toBe(3);
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls.length).toBe(3); // one after the other
  for (const call of [2, 3]) await letGo(call);
  expect(await items).toEqual(['item a', null, 'item c']);
  expect(calls).toEqual([['a'], ['b', 'c'], ['b'], ['c']]);
});

it('tells all who wait for a call that it failed, and reads again', async () => {
  const { read, gates, letGo } = host('a', 'b', 'c');
  const [a, b, c] = ['a', 'b', 'c'].map((id) => read(id, signal));
  await letGo(0);
  await a;
  await expect.poll(() => gates.length).toBe(2);
  gates[1]!.reject(new Error('It broke off.'));
  await expect(b).rejects.toThrow('It broke off.');
  await expect(c).rejects.toThrow('It broke off.');
  const again = read('a', signal);
  await letGo(2);
  expect(await again).toBe('item a');
});

it('breaks a call off only when nobody waits for it any more', async () => {
  const { read, signals, letGo } = host('a', 'b', 'c');
  const [first, second] = [new AbortController(), new AbortController()];
  const a = read('a', signal);
  const both = Promise.allSettled([read('b', first.signal), read('c', second.signal)]);
  await letGo(0);
  await a;
  await expect.poll(() => signals.length).toBe(2);
  first.abort();
  expect(signals[1]!.aborted).toBe(false);
  second.abort();
  expect(signals[1]!.aborted).toBe(true);
  await letGo(1);
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
