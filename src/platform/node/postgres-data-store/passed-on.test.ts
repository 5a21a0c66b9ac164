import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { gathered } from '../../../../tests/dataset-fixture.ts';
import { passedOn } from './passed-on.ts';

/** Work that passes numbers on, and notes when each was passed. */
function counting(to: number) {
  const passed: number[] = [];
  const values = passedOn<number>(async (pass) => {
    for (let n = 0; n < to; n++) {
      await pass(n);
      passed.push(n);
    }
  });
  return { passed, values };
}

describe('values that are passed on', () => {
  it('come in their order, all of them', async () => {
    const { values } = counting(5);
    expect(await gathered(values)).toEqual([0, 1, 2, 3, 4]);
    expect(await gathered(counting(0).values)).toEqual([]);
  });

  it('are one more than was taken: work does not run ahead', async () => {
    const { passed, values } = counting(10);
    for (const taken of [0, 1, 2]) {
      expect((await values.next()).value).toBe(taken);
      await setImmediate();
      expect(passed.at(-1)).toBe(taken + 1);
    }
    await values.return(undefined);
  });

  it('end with the failure of the work, behind those that it passed before', async () => {
    const values = passedOn<number>(async (pass) => {
      await pass(1);
      throw new Error('the database is gone');
    });
    expect((await values.next()).value).toBe(1);
    await expect(values.next()).rejects.toThrow('the database is gone');
  });

  it('end the work where nobody takes the rest, and are over when it is', async () => {
    let cleanedUp = false;
    const values = passedOn<number>(async (pass) => {
      try {
        for (let n = 0; ; n++) await pass(n);
      } finally {
        await setImmediate();
        cleanedUp = true;
      }
    });
    for await (const value of values) if (value === 3) break;
    expect(cleanedUp).toBe(true);
  });
});
