import { describe, expect, it, vi } from 'vitest';
import { ByteBudget } from './byte-budget.ts';

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for bytes and notes when they are had. */
function ask(budget: ByteBudget, who: string, bytes: number, log: string[], signal = never) {
  const asked = budget.hold(who, bytes, signal);
  void asked.then(
    (held) => log.push(`${who} ${held ? 'has' : 'has not'} ${bytes}`),
    (error: unknown) => log.push(`${who} left: ${String(error)}`),
  );
  return asked;
}

describe('a budget of 90 bytes', () => {
  it('is held together, and who finds no room waits in turn', async () => {
    const [budget, log] = [new ByteBudget(90, 1000), [] as string[]];
    const first = await ask(budget, 'a', 50, log);
    void ask(budget, 'b', 50, log);
    void ask(budget, 'c', 10, log);
    await settled();
    expect(log).toEqual(['a has 50']);
    expect([budget.total, budget.waiting]).toEqual([50, 2]);
    first!.release();
    await settled();
    expect(log).toEqual(['a has 50', 'b has 50', 'c has 10']);
    first!.release();
    expect([budget.total, budget.waiting]).toEqual([60, 0]);
  });

  it('gives nobody alone more than two thirds, and who waits for its own stops nobody', async () => {
    const [budget, log] = [new ByteBudget(90, 1000), [] as string[]];
    const first = await ask(budget, 'a', 60, log);
    void ask(budget, 'a', 1, log);
    void ask(budget, 'b', 30, log);
    await settled();
    expect(log).toEqual(['a has 60', 'b has 30']);
    first!.keep(59);
    await settled();
    expect(log.at(-1)).toBe('a has 1');
  });

  it('takes what is larger than a share for a whole one', async () => {
    const [budget, log] = [new ByteBudget(90, 1000), [] as string[]];
    const held = await ask(budget, 'a', 1e9, log);
    expect(budget.total).toBe(60);
    held!.keep(100);
    expect(budget.total).toBe(60);
    held!.keep(20);
    expect(budget.total).toBe(20);
    held!.keep(30);
    expect(budget.total).toBe(20);
  });

  it('is not waited for longer than may be, and those behind go on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [budget, log] = [new ByteBudget(90, 1000), [] as string[]];
    await ask(budget, 'a', 50, log);
    void ask(budget, 'b', 60, log);
    vi.advanceTimersByTime(500);
    void ask(budget, 'c', 40, log);
    vi.advanceTimersByTime(499);
    await settled();
    expect(log).toEqual(['a has 50']);
    vi.advanceTimersByTime(1);
    await settled();
    expect(log).toEqual(['a has 50', 'b has not 60', 'c has 40']);
    vi.useRealTimers();
  });

  it('is left by who goes, and not taken by who has gone', async () => {
    const [budget, log] = [new ByteBudget(90, 1000), [] as string[]];
    const held = await ask(budget, 'a', 60, log);
    const [waiting, late] = [new AbortController(), new AbortController()];
    void ask(budget, 'b', 60, log, waiting.signal);
    void ask(budget, 'c', 60, log, late.signal);
    waiting.abort('enough');
    await settled();
    expect(log).toEqual(['a has 60', 'b left: enough']);
    held!.release();
    late.abort('too late');
    await settled();
    expect(log.at(-1)).toBe('c left: too late');
    expect([budget.total, budget.waiting]).toEqual([0, 0]);
    await expect(budget.hold('d', 1, AbortSignal.abort('gone'))).rejects.toBe('gone');
  });
});
