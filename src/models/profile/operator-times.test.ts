import { expect, it } from 'vitest';
import { summarizeRuns, type NodeTime, type ProfiledRun } from './operator-times.ts';

const node = (name: string, operator: string, ms: number, onGpu = false): NodeTime => ({
  node: name,
  operator,
  ms,
  onGpu,
});
const run = (ms: number, ...nodes: readonly NodeTime[]): ProfiledRun => ({ ms, nodes });

it('sums nodes up by operator, the slowest first, by the median of each node', () => {
  const times = summarizeRuns([
    run(20, node('c1', 'Conv', 2), node('up', 'Resize', 6), node('c2', 'Conv', 1)),
    run(90, node('c1', 'Conv', 70), node('up', 'Resize', 6), node('c2', 'Conv', 1)),
    run(22, node('c1', 'Conv', 2), node('up', 'Resize', 6.5), node('c2', 'Conv', 1.5)),
  ]);
  expect(times).toEqual({
    runs: 3,
    run: { medianMs: 22, p95Ms: 90 },
    operators: [
      { operator: 'Resize', onGpu: false, count: 1, medianMs: 6, share: 6 / 9 },
      { operator: 'Conv', onGpu: false, count: 2, medianMs: 3, share: 3 / 9 },
    ],
    nodes: [
      { node: 'up', operator: 'Resize', onGpu: false, medianMs: 6, share: 6 / 9 },
      { node: 'c1', operator: 'Conv', onGpu: false, medianMs: 2, share: 2 / 9 },
      { node: 'c2', operator: 'Conv', onGpu: false, medianMs: 1, share: 1 / 9 },
    ],
  });
});

it('adds up what runs more than once in a run', () => {
  const times = summarizeRuns([run(9, node('body', 'Add', 1), node('body', 'Add', 2), node('body', 'Add', 3))]);
  expect(times.operators).toEqual([{ operator: 'Add', onGpu: false, count: 1, medianMs: 6, share: 1 }]);
});

it('keeps what the CPU does of a model on the GPU apart', () => {
  const times = summarizeRuns([run(9, node('a', 'Slice', 1, true), node('b', 'Slice', 3))]);
  expect(times.operators.map(({ onGpu, count, share }) => ({ onGpu, count, share }))).toEqual([
    { onGpu: false, count: 1, share: 0.75 },
    { onGpu: true, count: 1, share: 0.25 },
  ]);
});

it('says how long runs took where the runtime tells of no operator', () => {
  expect(summarizeRuns([run(5), run(7)])).toEqual({
    runs: 2,
    run: { medianMs: 5, p95Ms: 7 },
    operators: [],
    nodes: [],
  });
  expect(summarizeRuns([run(5, node('a', 'Identity', 0))]).operators[0]!.share).toBe(0);
});
