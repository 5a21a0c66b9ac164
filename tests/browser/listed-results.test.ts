import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { ResultsState } from '../../src/app/bench/results/results-state.svelte.ts';
import { ViewState } from '../../src/app/bench/view/view-state.svelte.ts';
import type { RawDetections } from '../../src/machine/vision/results/detections.ts';
import type { FrameResult } from '../../workers/vision/protocol.ts';
import { noTimings } from '../no-timings.ts';
import { countChanges, Given } from './given.svelte.ts';

/** A frame with three boxes, one of which has a score below 0.5. */
function frame(index: number): FrameResult {
  const detections: RawDetections = {
    count: 3,
    labels: ['cat'],
    labelIndex: new Uint32Array(3),
    score: Float64Array.of(0.9, 0.41, 0.55),
    box: new Int32Array(12).map((_, at) => at + index),
    frameWidthPx: 100,
    frameHeightPx: 80,
    boxSpace: 'absolute',
    droppedNaN: 0,
  };
  const info = { name: 'Webcam', index, timestampMs: index };
  return { frame: info, stages: [], detections, classifications: null, problems: [], timings: noTimings };
}

it('lists what a rule of before keeps while the stage follows the one in force', () => {
  const [before, now] = [0.5, 0.4].map((defaultMinimumConfidence) => ({
    defaultMinimumConfidence,
    labelConfidences: {},
  }));
  const [rule, listedRule] = [new Given(before!), new Given(before!)];
  const current = frame(1);
  const view = new ViewState({ getItem: () => null, setItem: () => undefined });
  const results = new ResultsState(
    { current },
    view,
    () => rule.current,
    () => [],
  );
  const listed = results.listing({ current }, () => listedRule.current);
  const tables = countChanges(() => [listed.rows, listed.labelsHere]);
  const kept = () => (flushSync(), [results, listed].map(({ rows }) => [...rows.kept]));
  expect(kept()).toEqual([
    [0, 2],
    [0, 2],
  ]);
  rule.current = now!;
  expect(kept()).toEqual([
    [0, 1, 2],
    [0, 2],
  ]);
  expect([results, listed].map((of) => of.dropReason(1) === '')).toEqual([true, false]);
  expect(tables.count()).toBe(1);
  listedRule.current = now!;
  expect(kept()[1]).toEqual([0, 1, 2]);
  expect(listed.rows).toBe(results.rows);
  expect(tables.count()).toBe(2);
  tables.stop();
});

it('filters a frame once, and gives panels nothing new while the stage goes on', () => {
  const [first, second] = [frame(1), frame(2)];
  const rule = new Given({ defaultMinimumConfidence: 0.5, labelConfidences: {} });
  const [stage, panels] = [new Given<FrameResult>(first), new Given<FrameResult>(first)];
  const view = new ViewState({ getItem: () => null, setItem: () => undefined });
  let filtered = 0;
  const results = new ResultsState(
    stage,
    view,
    () => rule.current,
    () => [],
    () => filtered++,
  );
  const listed = results.listing(panels, () => rule.current);
  const drawn = countChanges(() => [results.rows, results.ghosts]);
  const tables = countChanges(() => [listed.rows, listed.labelsHere]);
  const told = () => {
    flushSync();
    return { drawn: drawn.count(), tables: tables.count(), filtered };
  };
  expect(told()).toEqual({ drawn: 1, tables: 1, filtered: 1 });
  stage.current = second;
  expect(told()).toEqual({ drawn: 2, tables: 1, filtered: 2 });
  panels.current = second;
  expect(told()).toEqual({ drawn: 2, tables: 2, filtered: 2 });
  expect(listed.rows).toBe(results.rows);
  rule.current = { defaultMinimumConfidence: 0.4, labelConfidences: {} };
  expect(told()).toEqual({ drawn: 3, tables: 3, filtered: 3 });
  expect([...listed.rows.kept]).toEqual([0, 1, 2]);
  drawn.stop();
  tables.stop();
});
