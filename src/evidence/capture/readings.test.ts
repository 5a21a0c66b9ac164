import { expect, it } from 'vitest';
import { readingOf, type Measured } from './readings.ts';

const frame: Measured = {
  timeRequestedMs: 1,
  timeReceivedMs: 2,
  source: { kind: 'live', name: 'webcam', index: 7, timestampMs: 0 },
  detections: null,
  classifications: null,
  timings: null,
  rawCount: null,
};
const box = (label: string, score: number) => ({ label, score, xMin: 0, yMin: 0, xMax: 1, yMax: 1 });

it('counts by label, in names that a query can say', () => {
  const detections = [box('cat', 0.5), box('a.b', 0.75), box('cat', 0.25)];
  expect(readingOf({ ...frame, detections, rawCount: 9 }).readings).toEqual({
    source: 'webcam',
    frame: 7,
    detections: 3,
    raw_detections: 9,
    counts: { cat: 2, a_b: 1 },
    max_score: 0.75,
  });
  expect(readingOf({ ...frame, detections: [] }).readings).toMatchObject({
    detections: 0,
    counts: {},
    max_score: null,
  });
});

it('names the best class, and all of them', () => {
  const classifications = [
    { label: 'day', score: 0.25 },
    { label: 'night', score: 0.75 },
  ];
  expect(readingOf({ ...frame, classifications }).readings).toMatchObject({
    class: 'night',
    class_score: 0.75,
    classifications: { day: 0.25, night: 0.75 },
  });
});
