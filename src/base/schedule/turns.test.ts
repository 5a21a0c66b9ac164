import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('of calls at the same time go on one at a time, and others come between', async () => {
  const told: string[] = [];
  const calls = ['a', 'b', 'c'].map(async (call) => {
    const turns = new Turns();
    for (let turn = 0; turn < 2; turn++) {
      await turns.next();
      told.push(call);
    }
  });
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await setImmediate();
      if (told.at(-1) !== 'others') told.push('others');
    }
  })();
  await Promise.all(calls);
  isOver = true;
  await others;
  const turns = told.filter((one) => one !== 'others');
  expect(turns).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  expect(told.some((one, at) => one !== 'others' && (told[at + 1] ?? 'others') !== 'others')).toBe(false);
});
