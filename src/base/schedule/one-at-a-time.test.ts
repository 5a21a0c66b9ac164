import { describe, expect, it } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

describe('oneAtATime', () => {
  it('starts a task only when the one before has ended', async () => {
    const turn = oneAtATime();
    const log: string[] = [];
    const task = (name: string, waits: number) => async () => {
      log.push(`${name} starts`);
      for (let i = 0; i < waits; i++) await Promise.resolve();
      log.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([turn(task('a', 5)), turn(task('b', 0)), turn(task('c', 2))])).toEqual(['a', 'b', 'c']);
    expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  });

  it('goes on after a failure, which stays with its own caller', async () => {
    const turn = oneAtATime();
    const failing = turn(() => Promise.reject(new Error('broken')));
    const next = turn(async () => 'fine');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('fine');
  });
});
