import { expect, it } from 'vitest';
import type { PlanReport } from '../../../../workers/vision/protocol.ts';
import type { SeenFrame } from '../session/seen-frame.ts';
import { hasClasses } from './has-classes.ts';

const unable = { able: false, tensors: [], warnings: [], reason: 'no', code: 'raw-head' };
const report = (detector: object, classifier: object): PlanReport => ({
  detector: { ...unable, ...detector },
  classifier: { ...unable, ...classifier },
  problems: [],
});
const values = (count: number): SeenFrame => ({
  detections: null,
  classifications: { labels: [], score: new Float64Array(count) },
});
const boxes = (...labels: string[]): SeenFrame => ({
  detections: {
    count: labels.length,
    labels: ['7', ...labels],
    labelIndex: Uint32Array.from(labels.keys(), (at) => at + 1),
    score: new Float64Array(labels.length),
  },
  classifications: null,
});
const head = report({}, { able: true, code: 'no-classes' });
const classifier = report({}, { able: true, code: '' });
const detector = report({ able: true, code: '' }, { code: 'tensor-not-found' });

it.each([
  ['a raw head that the machine takes for a classifier', head, values(4536), false],
  ['a raw head before a frame', head, undefined, false],
  ['a classifier', classifier, values(1001), true],
  ['a classifier of ImageNet-21k', classifier, values(21_841), true],
  ['hundreds of thousands of values before the probe is known', null, values(301_665), false],
  ['a detector', detector, boxes('0', '79'), true],
  ['a detector whose categories are other numbers', detector, boxes('0', '231371'), false],
  [
    'a detector beside nonsense',
    report({ able: true, code: '' }, { able: true, code: 'no-classes' }),
    boxes('1'),
    true,
  ],
  ['nothing yet', null, undefined, true],
])('%s: %#', (_, of, latest, expected) => {
  expect(hasClasses(of, latest, null)).toBe(expected);
});

it.each([
  ['as many values as labels', head, values(4536), 4536, true],
  ['the values of a raw head, with the labels of its classes', head, values(301_665), 80, false],
  ['the same before the probe is known', null, values(301_665), 80, false],
  ['a raw head before a frame', head, undefined, 80, false],
  ['boxes', detector, boxes('person'), 80, true],
  ['nothing yet', null, undefined, 80, true],
] as const)('with a list of labels, %s: %#', (_, of, latest, labelCount, expected) => {
  expect(hasClasses(of, latest, labelCount)).toBe(expected);
});
