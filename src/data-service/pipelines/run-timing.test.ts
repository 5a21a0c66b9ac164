import { expect, it } from 'vitest';
import * as timing from './run-timing.ts';

// What clients and other hosts of the same store count on; a change of one is a change of how pipelines behave.
it('keeps the times of runs', () => {
  const inMinutes = Object.entries(timing).flatMap(([name, value]) =>
    name === 'runLimitMs' || name === 'maxSinkDocuments' ? [] : [[name, value / 60e6] as const],
  );
  expect(Object.fromEntries(inMinutes)).toEqual({
    startDelay: 2,
    startedLease: 10,
    scheduledLease: 3,
    insertDelay: 20 / 60,
    visibilityDelay: 0.5,
    clockTolerance: 5,
    arrivalsOverlap: 60,
  });
  expect([timing.runLimitMs, timing.maxSinkDocuments]).toEqual([300_000, 10_000]);
});
