import { describe, expect, it } from 'vitest';
import { runInTurn, runNow, step, type Steps } from './steps.ts';

/** Adds what is asked for, and takes -1 for what cannot be had. */
function* sum(ask: (n: number) => number | Promise<number>, said: string[]): Steps<number> {
  let total = 0;
  for (const n of [1, 2, 3]) {
    try {
      total += yield* step(() => ask(n));
    } catch (error) {
      said.push((error as Error).message);
      total -= 1;
    }
  }
  return total;
}

const refuse = (n: number): number => {
  if (n === 2) throw new Error('no two');
  return n * 10;
};

describe('steps', () => {
  it('are run to their end at once, or awaited one by one, with the same result', async () => {
    expect(runNow(sum((n) => n * 10, []))).toBe(60);
    expect(await runInTurn(sum(async (n) => n * 10, []))).toBe(60);
    expect(await runInTurn(sum((n) => n * 10, []))).toBe(60);
  });

  it('begin when those before them have ended', async () => {
    const order: string[] = [];
    const ask = async (n: number): Promise<number> => {
      order.push(`begin ${n}`);
      await Promise.resolve();
      order.push(`end ${n}`);
      return n;
    };
    await runInTurn(sum(ask, []));
    expect(order).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  });

  it('catch what one of them throws, or pass it on', async () => {
    const [now, later]: [string[], string[]] = [[], []];
    expect(runNow(sum(refuse, now))).toBe(39);
    expect(await runInTurn(sum(async (n) => refuse(n), later))).toBe(39);
    expect([now, later]).toEqual([['no two'], ['no two']]);
    const all = (): Steps<number> => step(() => refuse(2));
    expect(() => runNow(all())).toThrow('no two');
    await expect(runInTurn(all())).rejects.toThrow('no two');
  });
});
