import { expect, it } from 'vitest';
import type { ReplayOrder } from '../../src/replay/replay.ts';
import { storedColumns, type StoredFrame } from '../../tests/stored-columns.ts';
import { createReplayApi } from './api.ts';

const order: ReplayOrder = {
  span: { startMs: 0, endMs: 100_000 },
  rule: { defaultMinimumConfidence: 0.5, labelConfidences: {} },
  other: null,
  events: { atLeast: 1, ofFrames: 1, quietMs: 0 },
  gapMs: null,
  labelled: [],
};

it('filters what was appended, and forgets it when the next begins', async () => {
  const api = createReplayApi();
  await api.begin();
  expect(
    await api.append(
      storedColumns(
        [
          [0, [0, 0.4]],
          [1000, [0, 0.6]],
        ],
        ['cat'],
      ),
    ),
  ).toBe(2);
  expect(await api.append(storedColumns([[2000, [0, 0.9]]], ['dog']))).toBe(3);
  const { names, side } = await api.replay(order);
  expect([names, side.keptCount]).toEqual([['cat', 'dog'], 2]);
  await api.begin();
  expect((await api.replay(order)).frameCount).toBe(0);
});

it('says that nothing is held instead of answering about nothing', async () => {
  const api = createReplayApi();
  await expect(api.append(storedColumns([], []))).rejects.toThrow('No captures are read.');
  await expect(api.replay(order)).rejects.toThrow('No captures are read.');
});

it('lists at most 20,000 events for the page, counts all of them, and has all in the report', async () => {
  const api = createReplayApi();
  await api.begin();
  const frames = Array.from({ length: 40_010 }, (_, at): StoredFrame => (at % 2 ? [at] : [at, [0, 0.9]]));
  await api.append(storedColumns(frames, ['cat']));
  const { side } = await api.replay(order);
  expect([side.events.length, side.eventCounts[0]]).toEqual([20_000, 20_005]);
  const csv = await api.report(order, { title: 'Hall', facts: [] }, 'csv');
  expect(csv.trim().split('\r\n')).toHaveLength(20_006);
});
