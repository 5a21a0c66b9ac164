import { expect, it } from 'vitest';
import type { RawDetections } from '../results/detections.ts';
import { serviceFilter } from './service-filter.ts';

const labels = ['cat', 'Dog'];
const boxes: RawDetections = {
  count: 4,
  labels,
  labelIndex: Uint32Array.of(0, 1, 0, 1),
  score: Float64Array.of(0.9, 0.6, 0.4, NaN),
  box: new Int32Array(16),
  frameWidthPx: 10,
  frameHeightPx: 10,
  boxSpace: 'proportional',
  droppedNaN: 0,
};
const classes = { labels, score: Float64Array.of(0.4, 0.6) };

it.each([
  ['no rule', 0, {}, [0, 1, 2, 3], ['Dog', 'cat'], null],
  ['a lowest score', 0.5, {}, [0, 1], ['Dog'], { reason: 'below-threshold', score: 0.4, threshold: 0.5 }],
  ['a list of labels, which alone decides', 0.9, { CAT: 0.4 }, [0, 2], ['cat'], null],
  ['a list without a label', 0, { dog: 0.6 }, [1], ['Dog'], { reason: 'label-not-listed', threshold: Infinity }],
])('filters rows and classes alike by %s', (_, defaultMinimumConfidence, labelConfidences, kept, names, drop) => {
  const filter = serviceFilter({ defaultMinimumConfidence, labelConfidences });
  const rows = filter.rows(boxes);
  expect([...rows.kept]).toEqual(kept);
  expect([...rows.dropped]).toEqual([0, 1, 2, 3].filter((row) => !kept.includes(row)));
  expect(filter.classes(classes, 2).map(({ label }) => label)).toEqual(names);
  expect(filter.dropOf(boxes, 2)).toEqual(drop && expect.objectContaining(drop));
});

it('gives the top n of the classes that pass, all in label order for 0', () => {
  const filter = serviceFilter({ defaultMinimumConfidence: 0, labelConfidences: {} });
  expect(filter.classes(classes, 1)).toEqual([{ label: 'Dog', score: 0.6 }]);
  expect(filter.classes(classes, 0).map(({ label }) => label)).toEqual(labels);
});
