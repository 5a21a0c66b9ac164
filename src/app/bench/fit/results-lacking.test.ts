import { expect, it } from 'vitest';
import type { ModelRecognition } from '../../../../workers/fit/client.ts';
import { givesResults } from './gives-results.ts';
import { resultsLacking } from './results-lacking.ts';

const able = { able: true, reason: '' };
const cannot = (reason: string) => ({ able: false, reason });
const family = (result: 'detections' | 'classifications'): ModelRecognition => ({
  kind: 'family',
  id: 'yolo',
  name: 'YOLOv8',
  result,
  classCount: 80,
  size: null,
  feeding: { source: 'family', guess: null, familyName: 'YOLOv8', bgr: false, range: null },
  evidence: [],
});

it.each([
  ['a raw head that passes for a classifier', family('detections'), cannot('a raw head'), able, 'boxes'],
  ['a head of many tensors', family('detections'), cannot('a raw head'), cannot('no "probability"'), 'boxes'],
  ['a classifier', family('classifications'), cannot('no boxes'), cannot('no "probability"'), 'classes'],
  ['a detector that gives boxes', family('detections'), able, cannot('no "probability"'), null],
  ['a classifier that gives classes', family('classifications'), cannot('no boxes'), able, null],
  ['a model that does not run', family('detections'), cannot('no input "image"'), cannot('no input "image"'), null],
  ['an unknown model', { kind: 'unknown' } as ModelRecognition, cannot('no boxes'), able, null],
  ['a model that is not recognised yet', null, cannot('no boxes'), able, null],
])('%s', (_, recognition, detector, classifier, lacking) => {
  expect(resultsLacking(recognition, { detector, classifier }, false)).toBe(lacking);
  expect(resultsLacking(recognition, null, false)).toBeNull();
});

it('gives no boxes yet where the machine refuses the file itself', () => {
  const report = { detector: cannot('2 inputs'), classifier: cannot('2 inputs') };
  expect(resultsLacking(family('detections'), report, true)).toBe('boxes');
  expect(resultsLacking(family('detections'), { detector: able, classifier: cannot('') }, true)).toBeNull();
});

it.each([
  ['a raw head that passes for a classifier', family('detections'), cannot('a raw head'), able, false],
  ['a classifier of a known family', family('classifications'), cannot('no boxes'), able, true],
  ['an unknown model that gives any', { kind: 'unknown' } as ModelRecognition, cannot('no boxes'), able, true],
  ['an unknown model that gives none', { kind: 'unknown' } as ModelRecognition, cannot('a'), cannot('b'), false],
])('gives results or not: %s', (_, recognition, detector, classifier, gives) => {
  expect(givesResults(recognition, { detector, classifier })).toBe(gives);
  expect(givesResults(recognition, null)).toBe(false);
});
