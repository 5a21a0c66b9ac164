import { describe, expect, it } from 'vitest';
import type { RawDetections } from '../../../machine/vision/results/detections.ts';
import { followBox } from './follow-box.ts';

type Row = [label: number, xMin: number, yMin: number, xMax: number, yMax: number];

function detections(...rows: Row[]): RawDetections {
  return {
    count: rows.length,
    labels: ['cat', 'dog'],
    labelIndex: Uint32Array.from(rows, ([label]) => label),
    score: new Float64Array(rows.length).fill(0.5),
    box: Int32Array.from(rows.flatMap(([, ...box]) => box)),
    frameWidthPx: 100,
    frameHeightPx: 100,
    boxSpace: 'proportional',
    droppedNaN: 0,
  };
}

describe('followBox', () => {
  it('takes the box that overlaps most, wherever the model lists it', () => {
    const before = detections([0, 10, 10, 29, 29]);
    expect(followBox(before, 0, detections([0, 60, 60, 79, 79], [0, 16, 10, 35, 29], [0, 12, 10, 31, 29]))).toBe(2);
  });

  it('does not change over to another label', () => {
    expect(followBox(detections([0, 10, 10, 29, 29]), 0, detections([1, 10, 10, 29, 29]))).toBeNull();
  });

  it('lets go where less than 0.3 is shared', () => {
    const before = detections([0, 0, 0, 9, 9]);
    expect(followBox(before, 0, detections([0, 5, 0, 14, 9]))).toBe(0); // 50 of 150
    expect(followBox(before, 0, detections([0, 6, 0, 15, 9]))).toBeNull(); // 40 of 160
  });

  it('keeps the first of equal boxes and boxes without area', () => {
    const point = detections([0, 5, 5, 5, 5], [0, 5, 5, 5, 5]);
    expect(followBox(point, 1, point)).toBe(0);
  });

  it('answers null for a row that is not there', () => {
    expect(followBox(detections(), 0, detections([0, 0, 0, 9, 9]))).toBeNull();
  });
});
