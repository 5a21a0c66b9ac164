import { expect, it } from 'vitest';
import { RefreshLoop } from './refresh-loop.ts';

it('reads once more for all that changed while it read', async () => {
  const rests: number[] = [];
  let reads = 0;
  let finish = (): void => undefined;
  const loop = new RefreshLoop(
    () => {
      reads++;
      return reads === 1 ? new Promise((resolve) => (finish = resolve)) : Promise.resolve();
    },
    async (ms) => void rests.push(ms),
  );
  const first = loop.refresh();
  const others = [loop.refresh(), loop.refresh()];
  expect(reads).toBe(1);
  finish();
  await Promise.all([first, ...others]);
  expect([reads, rests.length]).toEqual([2, 1]);
  expect(rests[0]).toBeGreaterThanOrEqual(100);
});
