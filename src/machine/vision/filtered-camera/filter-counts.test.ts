import { expect, it } from 'vitest';
import type { SeenByServices } from './decide-image.ts';
import { FilterTally } from './filter-counts.ts';
import type { FilterRule, FilterService } from './filter-rule.ts';
import { filterStart, filterStep, type FilterEvent } from './filter-step.ts';

const eyes: FilterService = { vision: 'eyes', inhibit: false, classifications: {}, objects: { dog: 0.5, '*': 0.8 } };
const ears: FilterService = { vision: 'ears', inhibit: true, classifications: { night: 0.5 }, objects: {} };
const rule: FilterRule = {
  camera: 'cam',
  inhibitors: [ears],
  acceptors: [eyes],
  beforeMs: 1000,
  afterMs: 0,
  cooldownMs: 500,
  imageFrequencyHz: 1,
  ringSize: 3,
};
const seen = (night: number, ...detections: [string, number][]): SeenByServices => ({
  ears: { classifications: [{ label: 'night', score: night }], detections: null },
  eyes: { classifications: null, detections: detections.map(([label, score]) => ({ label, score })) },
});

it('counts calls, images, each line of the rule, and what the module counts', () => {
  const events: FilterEvent<number>[] = [
    { kind: 'background', timeMs: 0, images: [1] },
    capture(500, 2, seen(0, ['dog', 0.6], ['dog', 0.7], ['cat', 0.9])),
    { kind: 'background', timeMs: 500, images: [9] },
    capture(600, 3, seen(0, ['dog', 1])),
    capture(1100, 4, seen(0.9, ['dog', 1])),
    capture(1200, 5, seen(0, ['cat', 0.7])),
    capture(1300, 6, {}),
    capture(2000, 1, seen(0, ['dog', 0.6])),
  ];
  let state = filterStart<number>();
  const tally = new FilterTally(rule);
  const before = tally.counts;
  for (const event of events) {
    const step = filterStep(rule, state, event);
    state = step.state;
    tally.add(step.outcome);
  }
  expect(before).toEqual(new FilterTally(rule).counts);
  expect(tally.counts).toEqual({
    captures: { window: 0, cooldown: 1, triggered: 2, 'held-back': 2, failed: 1 },
    images: { accepted: 2, inhibited: 1, nothing: 1, failed: 1 },
    given: 4,
    lines: [
      { vision: 'ears', inhibit: true, kind: 'classifications', key: 'night', score: 0.5, images: 1 },
      { vision: 'eyes', inhibit: false, kind: 'objects', key: 'dog', score: 0.5, images: 2 },
      { vision: 'eyes', inhibit: false, kind: 'objects', key: '*', score: 0.8, images: 1 },
    ],
    stats: {
      accepted: { total: 4, vision: { dog: 3, cat: 1 } },
      rejected: { total: 2, vision: { night: 1, 'no vision services triggered': 1 } },
    },
  });
});

it('lists the lines of a service once, also where it is named twice', () => {
  const twice = { ...rule, inhibitors: [], acceptors: [eyes, eyes] };
  expect(new FilterTally(twice).counts.lines.map(({ key }) => key)).toEqual(['dog', '*']);
});

function capture(timeMs: number, image: number, says: SeenByServices): FilterEvent<number> {
  return { kind: 'capture', timeMs, images: [{ image, seen: says }] };
}
