import { expect, it } from 'vitest';
import { CrashRow } from './crash-row.ts';

it('counts crashes soon after a start, and pauses longer after each', () => {
  const row = new CrashRow();
  let nowMs = 5;
  const lived = (ms: number) => {
    row.started(nowMs);
    nowMs += ms;
    return [row.crashed(nowMs), row.pauseMs];
  };
  expect(lived(0)).toEqual([1, 0]);
  expect(lived(9_999)).toEqual([2, 200]);
  expect(lived(1)).toEqual([3, 400]);
  expect(lived(10_000)).toEqual([1, 0]);
  for (let crash = 2; crash < 30; crash++) lived(0);
  expect(lived(0)).toEqual([30, 30_000]);
});
