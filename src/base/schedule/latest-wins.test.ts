import { describe, expect, it } from 'vitest';
import { LatestWins } from './latest-wins.ts';

/** A job runner whose jobs end when told to. */
function manualRunner() {
  const running = new Map<string, { resolve(result: string): void; reject(error: Error): void }>();
  const discarded: string[] = [];
  const schedule = new LatestWins<string, string>(
    (item) => new Promise((resolve, reject) => running.set(item, { resolve, reject })),
    (item) => discarded.push(item),
  );
  return { schedule, running, discarded };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('LatestWins', () => {
  it('runs one at a time and drops what a newer one overtook', async () => {
    const { schedule, running, discarded } = manualRunner();
    const [first, second, third] = ['a', 'b', 'c'].map((item) => schedule.offer(item));
    expect([...running.keys()]).toEqual(['a']);
    expect(await second).toBeNull();
    expect(discarded).toEqual(['b']);
    running.get('a')!.resolve('A');
    expect(await first).toBe('A');
    await settled();
    running.get('c')!.resolve('C');
    expect(await third).toBe('C');
  });

  it('runs two at a time where two lanes are open, and one again where not', async () => {
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    let lanes = 2;
    const schedule = new LatestWins<string, void>(
      (item) => (started.push(item), new Promise((resolve) => ends.set(item, resolve))),
      () => undefined,
      () => lanes,
    );
    for (const item of ['a', 'b', 'c', 'd']) void schedule.offer(item);
    expect(started).toEqual(['a', 'b']);
    lanes = 1;
    ends.get('a')!();
    await settled();
    expect(started).toEqual(['a', 'b']);
    ends.get('b')!();
    await settled();
    expect(started).toEqual(['a', 'b', 'd']);
  });

  it('goes on after a failure', async () => {
    const { schedule, running } = manualRunner();
    const failing = schedule.offer('a');
    const next = schedule.offer('b');
    running.get('a')!.reject(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await settled();
    running.get('b')!.resolve('B');
    expect(await next).toBe('B');
  });

  it('tells what waits, and gives it up on demand', async () => {
    const { schedule, running, discarded } = manualRunner();
    void schedule.offer('a');
    expect(schedule.waiting).toBeNull();
    const waiting = schedule.offer('b');
    expect(schedule.waiting).toBe(waiting);
    schedule.dropWaiting();
    expect(await waiting).toBeNull();
    expect([discarded, [...running.keys()]]).toEqual([['b'], ['a']]);
  });
});
