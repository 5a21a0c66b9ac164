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
const nothing = report({}, {});
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
  ['a head of many tensors', nothing, undefined, false],
  ['nothing yet', null, undefined, true],
])('%s: %#', (_, of, latest, expected) => {
  expect(hasClasses(of, latest, false)).toBe(expected);
});

it('says classes by a list of labels, but none where the model gives nothing', () => {
  expect(hasClasses(head, values(4536), true)).toBe(true);
  expect(hasClasses(nothing, undefined, true)).toBe(false);
});
