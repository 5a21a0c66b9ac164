import { describe, expect, it } from 'vitest';
import type { RawDetections } from '../results/detections.ts';
import { LabelHistograms } from './label-histograms.ts';

const frame = (labels: readonly string[], rows: readonly (readonly [number, number])[]): RawDetections => ({
  count: rows.length,
  labels,
  labelIndex: Uint32Array.from(rows, ([index]) => index),
  score: Float64Array.from(rows, ([, score]) => score),
  box: new Int32Array(4 * rows.length),
  frameWidthPx: 1,
  frameHeightPx: 1,
  boxSpace: 'proportional',
  droppedNaN: 0,
});

describe('LabelHistograms', () => {
  it.each([
    [0, 0],
    [0.24999, 0],
    [0.25, 1],
    [0.99, 3],
    [1, 3],
    [1.5, 3],
    [-0.5, 0],
  ])('counts %d in bin %i of 4', (score, bin) => {
    const histogram = new LabelHistograms(4);
    histogram.addDetections(frame(['a'], [[0, score]]));
    expect(histogram.scoresOf('a').bins.findIndex((count) => count === 1)).toBe(bin);
  });

  it('gathers labels over frames, whatever their tables, most frequent first', () => {
    const histogram = new LabelHistograms(2);
    histogram.addDetections(
      frame(
        ['a', 'b', 'never'],
        [
          [0, 0.1],
          [1, 0.9],
          [1, NaN],
        ],
      ),
    );
    histogram.addDetections(frame(['b'], [[0, 0.2]]));
    histogram.addClassifications({ labels: ['c', 'a'], score: Float64Array.of(0.6, 0.7) });
    expect(histogram.labels()).toEqual([
      { label: 'a', count: 2, bins: Uint32Array.of(1, 1) },
      { label: 'b', count: 2, bins: Uint32Array.of(1, 1) },
      { label: 'c', count: 1, bins: Uint32Array.of(0, 1) },
    ]);
  });

  it('takes a frame away again, and forgets labels that are gone', () => {
    const histogram = new LabelHistograms(2);
    const first = frame(
      ['a', 'b'],
      [
        [0, 0.1],
        [1, 0.9],
      ],
    );
    histogram.addDetections(first);
    histogram.addDetections(frame(['a'], [[0, 0.9]]));
    histogram.addDetections(first, -1);
    expect(histogram.labels()).toEqual([{ label: 'a', count: 1, bins: Uint32Array.of(0, 1) }]);
  });

  it('has fifty bins where nobody says how many', () => {
    const histogram = new LabelHistograms();
    histogram.addDetections(frame(['a'], [[0, 0.03]]));
    expect(histogram.scoresOf('a').bins).toHaveLength(50);
    expect(histogram.scoresOf('a').bins[1]).toBe(1);
  });

  it('orders labels of one count by name, and reads no row behind the count', () => {
    const histogram = new LabelHistograms(2);
    histogram.addDetections({ ...frame(['b', 'a', 'c'], [[0, 0], [1, 0], [2, 0], [2, 0], [0, 0]]), count: 4 }); // prettier-ignore
    expect(histogram.labels().map(({ label, count }) => [label, count])).toEqual([['c', 2], ['a', 1], ['b', 1]]); // prettier-ignore
  });

  it('takes classifications away again', () => {
    const histogram = new LabelHistograms(2);
    const classifications = { labels: ['a', 'b'], score: Float64Array.of(0.1, 0.9) };
    histogram.addClassifications(classifications);
    histogram.addClassifications(classifications, -1);
    expect(histogram.labels()).toEqual([]);
    expect(histogram.scoresOf('b').bins).toEqual(new Uint32Array(2));
  });

  it('starts again after clear', () => {
    const histogram = new LabelHistograms(2);
    const labels = ['a'];
    histogram.addDetections(frame(labels, [[0, 0.1]]));
    histogram.clear();
    histogram.addDetections(frame(labels, [[0, 0.9]]));
    expect(histogram.scoresOf('a')).toEqual({ label: 'a', count: 1, bins: Uint32Array.of(0, 1) });
  });

  it('is empty for a label that was never seen', () => {
    expect(new LabelHistograms(2).scoresOf('x')).toEqual({ label: 'x', count: 0, bins: new Uint32Array(2) });
  });
});
