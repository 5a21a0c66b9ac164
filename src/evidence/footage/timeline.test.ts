import { describe, expect, it } from 'vitest';
import { classifiedFrame, failedFrame, footageFrame } from '../../../tests/footage-frames.ts';
import { bucketOf, Timeline } from './timeline.ts';

const rule = (defaultMinimumConfidence: number, labelConfidences: Record<string, number> = {}) => ({
  defaultMinimumConfidence,
  labelConfidences,
});
const span = { fromMs: 0, toMs: 400, bucketCount: 2 };

describe('Timeline', () => {
  it('counts frames and boxes that are kept, and the best score before the filter, by label and bucket', () => {
    const timeline = new Timeline(span, rule(0.5));
    timeline.add(footageFrame(0, [['cat', 0.9], ['cat', 0.6], ['dog', 0.2]])); // prettier-ignore
    timeline.add(footageFrame(1, [['cat', 0.5]]));
    timeline.add(footageFrame(3, [['dog', 0.7]]));
    timeline.add(footageFrame(4, [['cat', 0.4]]));
    const [cat, dog] = timeline.labels();
    expect(cat).toMatchObject({ label: 'cat', threshold: 0.5, kept: 3 });
    expect([...cat!.frames, ...cat!.most]).toEqual([2, 0, 2, 0]);
    expect([...cat!.best]).toEqual([Math.fround(0.9), Math.fround(0.4)]);
    expect([...dog!.frames, ...dog!.best]).toEqual([0, 1, Math.fround(0.2), Math.fround(0.7)]);
  });

  it('has the scores of all results of a label, kept or not, as a histogram', () => {
    const timeline = new Timeline(span, rule(0.8));
    timeline.add(footageFrame(0, [['cat', 0.91], ['cat', 0.61], ['dog', 0.21]])); // prettier-ignore
    timeline.add(footageFrame(1, [['cat', 0.61], ['cat', NaN]])); // prettier-ignore
    timeline.add(footageFrame(9, [['cat', 0.61]])); // beyond the span
    const scores = timeline.labels().map(({ label, scores: bins }) => [label, bins[10], bins[30], bins[45]]);
    expect(scores).toEqual([
      ['cat', 0, 2, 1],
      ['dog', 1, 0, 0],
    ]);
  });

  it('has no score where a label is not found, and takes any number in place of NaN', () => {
    const timeline = new Timeline(span, rule(0));
    timeline.add(footageFrame(0, [['cat', NaN]]));
    timeline.add(footageFrame(1, [['cat', 0.1], ['cat', NaN]])); // prettier-ignore
    const [cat] = timeline.labels();
    expect([...cat!.best]).toEqual([Math.fround(0.1), NaN]);
    expect(cat).toMatchObject({ threshold: -Infinity, kept: 3 });
  });

  it('shows the scores of a label that label_confidences lacks, and keeps none', () => {
    const timeline = new Timeline(span, rule(0, { cat: 0.3 }));
    timeline.add(footageFrame(0, [['dog', 0.9]]));
    expect(timeline.labels()).toMatchObject([{ label: 'dog', threshold: Infinity, kept: 0 }]);
  });

  it('takes the classes of a classifier like boxes, one a label', () => {
    const timeline = new Timeline(span, rule(0.5));
    timeline.add(classifiedFrame(0, { open: 0.8, shut: 0.2 }));
    timeline.add(classifiedFrame(4, { open: 0.3, shut: 0.7 }));
    expect(timeline.labels().map(({ label, frames }) => [label, ...frames])).toEqual([
      ['open', 1, 0],
      ['shut', 0, 1],
    ]);
  });

  it('leaves out frames beyond its span, and those that failed', () => {
    const timeline = new Timeline({ ...span, fromMs: 100 }, rule(0.5));
    for (const frame of [footageFrame(0, [['cat', 0.9]]), footageFrame(5, [['cat', 0.9]]), failedFrame(2)])
      timeline.add(frame);
    expect(timeline.labels()).toEqual([]);
  });
});

it.each([
  [0, 0], [199, 0], [200, 1], [400, 1], [401, null], [-1, null], [NaN, null],
])('puts %d ms into bucket %j', (timeMs, bucket) => {
  expect(bucketOf(span, timeMs)).toBe(bucket);
}); // prettier-ignore

it('puts the only frame of a span without length into the first bucket', () => {
  expect(bucketOf({ fromMs: 7, toMs: 7, bucketCount: 3 }, 7)).toBe(0);
});
