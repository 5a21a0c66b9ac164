import { expect, it } from 'vitest';
import { plainEventRule } from '../../src/evidence/events/event-rule.ts';
import { storedColumns, type StoredFrame } from '../../tests/stored-columns.ts';
import { joined, type ReplayOrder } from '../../src/evidence/replay/replay.ts';
import { createReplayApi } from './api.ts';

const order: ReplayOrder = {
  span: { startMs: 0, endMs: 100_000 },
  rule: { defaultMinimumConfidence: 0.5, labelConfidences: {} },
  other: null,
  events: plainEventRule,
  gapMs: null,
  labelled: [],
};

type Api = ReturnType<typeof createReplayApi>;
const whole = async (api: Api, reading: number, asked: ReplayOrder) =>
  joined(await api.picture(reading, asked), await api.events(reading));

it('filters what was appended, and forgets it when the next begins', async () => {
  const api = createReplayApi();
  const reading = await api.begin();
  expect(
    await api.append(
      reading,
      storedColumns(
        [
          [0, [0, 0.4]],
          [1000, [0, 0.6]],
        ],
        ['cat'],
      ),
    ),
  ).toBe(2);
  expect(await api.append(reading, storedColumns([[2000, [0, 0.9]]], ['dog']))).toBe(3);
  const { names, side } = await whole(api, reading, order);
  expect([names, side.keptCount]).toEqual([['cat', 'dog'], 2]);
  expect((await whole(api, await api.begin(), order)).frameCount).toBe(0);
});

it('says of what was appended since the last answer what it says of all', async () => {
  const api = createReplayApi();
  const reading = await api.begin();
  await api.append(reading, storedColumns([[0, [0, 0.6]], [60_000]], ['cat']));
  expect(await whole(api, reading, order)).toMatchObject({ lowestScore: 0.6, gapMs: 600_000, resultCount: 1 });
  await api.append(reading, storedColumns([[60_100, [0, 0.2]], [60_200], [60_300]], ['cat']));
  expect(await whole(api, reading, order)).toMatchObject({ lowestScore: 0.2, gapMs: 10_000, resultCount: 2 });
});

it('refuses who began earlier, instead of answering with the captures of another', async () => {
  const api = createReplayApi();
  const first = await api.begin();
  const second = await api.begin();
  const refusal = 'Other captures were read meanwhile. Read the captures again.';
  await expect(api.append(first, storedColumns([[0]], []))).rejects.toThrow(refusal);
  await expect(whole(api, first, order)).rejects.toThrow(refusal);
  await expect(api.report(first, order, { title: 'Hall', facts: [] }, 'csv')).rejects.toThrow(refusal);
  expect((await whole(api, second, order)).frameCount).toBe(0);
});

it('finds events behind their picture alone, and those of the last one', async () => {
  const api = createReplayApi();
  const reading = await api.begin();
  await api.append(reading, storedColumns([[0, [0, 0.6]]], ['cat']));
  await expect(api.events(reading)).rejects.toThrow('behind their picture');
  await api.picture(reading, order);
  await api.picture(reading, { ...order, rule: { defaultMinimumConfidence: 0.9, labelConfidences: {} } });
  expect((await api.events(reading)).side.eventCounts).toEqual(Uint32Array.of(0));
  await expect(api.events(await api.begin())).rejects.toThrow('behind their picture');
});

it('says that nothing is held instead of answering about nothing', async () => {
  const api = createReplayApi();
  await expect(api.append(1, storedColumns([], []))).rejects.toThrow('No captures are held.');
  await expect(whole(api, 1, order)).rejects.toThrow('No captures are held.');
});

it('lists at most 20,000 events for the page, counts all of them, and has all in the report', async () => {
  const api = createReplayApi();
  const reading = await api.begin();
  const frames = Array.from({ length: 40_010 }, (_, at): StoredFrame => (at % 2 ? [at] : [at, [0, 0.9]]));
  await api.append(reading, storedColumns(frames, ['cat']));
  const { side } = await whole(api, reading, order);
  expect([side.events.frame.length, side.eventCounts[0]]).toEqual([20_000, 20_005]);
  const last = { label: 'cat', startMs: 40_000, endMs: 50_000 };
  const labelled = await whole(api, reading, { ...order, labelled: [last] });
  expect([labelled.side.events.frame.length, labelled.side.alarms[0]!.foundSpans]).toEqual([20_000, 1]);
  const csv = await api.report(reading, order, { title: 'Hall', facts: [] }, 'csv');
  expect(csv.trim().split('\r\n')).toHaveLength(20_006);
});

it('merges gaps that the page could not draw apart, counts all of them, and has all in the report', async () => {
  const api = createReplayApi();
  const reading = await api.begin();
  await api.append(
    reading,
    storedColumns(
      Array.from({ length: 10_000 }, (_, at): StoredFrame => [at * 10]),
      [],
    ),
  );
  const { gaps, gapCount } = await whole(api, reading, { ...order, gapMs: 5 });
  const lengthMs = gaps.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  expect([gaps.length, lengthMs, gapCount]).toEqual([4000, 100_000, 10_000]);
  const report = await api.report(reading, { ...order, gapMs: 5 }, { title: 'Hall', facts: [] }, 'json');
  expect((JSON.parse(report) as { gaps: unknown[] }).gaps).toHaveLength(10_000);
});
