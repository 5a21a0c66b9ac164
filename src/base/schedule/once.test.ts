import { expect, it } from 'vitest';
import { once } from './once.ts';

it('loads once, again after a failure, and again when it is to forget', async () => {
  let loads = 0;
  const get = once(async () => {
    loads += 1;
    if (loads === 1) throw new Error('not yet');
    return loads;
  });
  await expect(get()).rejects.toThrow('not yet');
  expect([await get(), await get()]).toEqual([2, 2]);
  get.forget();
  expect(await get()).toBe(3);
});
