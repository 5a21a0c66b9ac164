import { noTimings } from '../../../../tests/no-timings.ts';
import { describe, expect, it } from 'vitest';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { SeenScores } from './seen-scores.ts';

type Row = readonly [label: number, score: number];

const result = (labels: readonly string[], ...rows: readonly Row[]): FrameResult => ({
  frame: { name: 'frame', index: 0, timestampMs: 0 },
  stages: [],
  problems: [],
  classifications: null,
  timings: noTimings,
  detections: {
    count: rows.length,
    labels,
    labelIndex: Uint32Array.from(rows, ([label]) => label),
    score: Float64Array.from(rows, ([, score]) => score),
    box: new Int32Array(4 * rows.length),
    frameWidthPx: 64,
    frameHeightPx: 48,
    boxSpace: 'proportional',
    droppedNaN: 0,
  },
});

const labels = ['cat', 'Dog'];
const first = result(labels, [0, 0.41], [1, 0.9]);
const second = result([...labels], [0, 0.7], [0, 1.5]);
const off = { defaultMinimumConfidence: 0, labelConfidences: {} };

const total = (bins: Uint32Array): number => bins.reduce((sum, count) => sum + count, 0);

describe('SeenScores', () => {
  it('follows frames that come and go', () => {
    const scores = new SeenScores();
    scores.update([first, second]);
    expect(scores.labels()).toEqual(['cat', 'Dog']);
    expect([total(scores.bins('cat')), total(scores.bins('dog')), total(scores.bins(null))]).toEqual([3, 1, 4]);
    expect(scores.bins('cat')[49]).toBe(1);
    scores.update([second]);
    expect(scores.labels()).toEqual(['cat']);
    expect(total(scores.bins(null))).toBe(2);
    scores.update([]);
    expect(scores.frameCount).toBe(0);
    expect(total(scores.bins(null))).toBe(0);
  });

  it('counts exactly when a frame in between leaves, and when the oldest do', () => {
    const scores = new SeenScores();
    const third = result(labels, [1, 0.5], [0, 0.75]);
    const half = { ...off, defaultMinimumConfidence: 0.5 };
    scores.update([first, second, third]);
    scores.update([first, third]);
    expect(Object.fromEntries(scores.counts(half))).toEqual({ cat: { kept: 1, seen: 2 }, dog: { kept: 2, seen: 2 } });
    scores.update([third, second]);
    expect(Object.fromEntries(scores.counts({ ...half, defaultMinimumConfidence: 0.71 }))).toEqual({
      cat: { kept: 2, seen: 3 },
      dog: { kept: 0, seen: 1 },
    });
  });

  it.each([
    ['no filter', off, { cat: '3/3', dog: '1/1' }],
    ['the default', { ...off, defaultMinimumConfidence: 0.7 }, { cat: '2/3', dog: '1/1' }],
    ['a list, unlisted labels dropped', { ...off, labelConfidences: { DOG: 0.9 } }, { cat: '0/3', dog: '1/1' }],
  ])('counts what %s keeps', (_, rule, expected) => {
    const scores = new SeenScores();
    scores.update([first, second]);
    const counts = [...scores.counts(rule)].map(([label, { kept, seen }]) => [label, `${kept}/${seen}`]);
    expect(Object.fromEntries(counts)).toEqual(expected);
  });

  it('counts classifications by class', () => {
    const scores = new SeenScores();
    const { detections: _, ...rest } = first;
    scores.update([{ ...rest, detections: null, classifications: { labels, score: Float64Array.of(0.2, 0.8) } }]);
    expect(scores.counts({ ...off, defaultMinimumConfidence: 0.5 }).get('dog')).toEqual({ kept: 1, seen: 1 });
    expect(total(scores.bins('cat'))).toBe(1);
  });
});
