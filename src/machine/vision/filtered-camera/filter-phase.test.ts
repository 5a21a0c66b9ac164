import { expect, it } from 'vitest';
import { filterPhase } from './filter-phase.ts';
import type { FilterRule } from './filter-rule.ts';
import { filterStart, filterStep } from './filter-step.ts';

const rule: FilterRule = {
  camera: 'cam',
  inhibitors: [],
  acceptors: [],
  beforeMs: 0,
  afterMs: 2000,
  cooldownMs: 3000,
  imageFrequencyHz: 1,
  ringSize: 6,
};

it('is waiting until a trigger', () => {
  expect(filterPhase(filterStart(), 0)).toEqual({ kind: 'waiting', leftMs: 0 });
});

it.each([
  [1000, 'window', 2000],
  [2500, 'window', 500],
  [3000, 'window', 0],
  [3001, 'cooldown', 2999],
  [6000, 'cooldown', 0],
  [6001, 'waiting', 0],
])('%s ms after a trigger at 1000 is %s with %s ms left', (timeMs, kind, leftMs) => {
  const { state } = filterStep(rule, filterStart(), {
    kind: 'capture',
    timeMs: 1000,
    images: [{ image: 1, seen: {} }],
  });
  expect(filterPhase(state, timeMs)).toEqual({ kind, leftMs });
});
