import { expect, it } from 'vitest';
import type { RunRecord } from '../../../platform/ports/result-store.ts';
import { differenceWords, otherRun, otherThresholds, thresholdsOfFile, type RunFacts } from './other-side.ts';

const service = (name: string, attributes: object = {}) => ({
  name,
  api: 'rdk:service:vision',
  model: 'mlmodel',
  attributes: { mlmodel_name: 'm', ...attributes },
});
const text = (...services: readonly object[]) => JSON.stringify({ services });

const present: RunFacts = {
  serviceName: 'face',
  modelName: 'float.onnx',
  sha256: 'aa',
  backend: 'WASM',
  configText: text(service('face', { default_minimum_confidence: 0.5 })),
};

it.each<[string, Partial<RunFacts>, string]>([
  ['another model', { modelName: 'int8.onnx', sha256: 'bb' }, 'model int8.onnx'],
  ['other bytes under the same name', { sha256: 'bb' }, 'another model named float.onnx'],
  ['another backend', { backend: 'WebGPU' }, 'on WebGPU instead of WASM'],
  ['another service', { serviceName: 'hand' }, 'service hand'],
  [
    'another setting',
    { configText: text(service('face', { default_minimum_confidence: 0.5, input_image_bgr: true })) },
    'face: input_image_bgr true',
  ],
  [
    'more settings than are told',
    { configText: text(service('face', { default_minimum_confidence: 0.5, a: 1, b: 2, c: 3, d: 4 })) },
    'face: a 1 · face: b 2 · 2 other settings more',
  ],
  ['thresholds alone', { configText: text(service('face', { default_minimum_confidence: 0.7 })) }, 'other thresholds'],
  ['nothing that is seen here', {}, 'other labels or another source camera'],
])('says of a run what differs: %s', (_, change, words) => {
  expect(differenceWords(present, { ...present, ...change })).toBe(words);
});

it('tells a run with its images and its end, and filters it by its own thresholds', () => {
  const record: RunRecord = {
    ...present,
    backend: 'WebGPU',
    key: 'k',
    datasetId: 'd',
    imageCount: 40,
    endedMs: Date.UTC(2026, 2, 28, 23, 50),
  };
  expect(otherRun(record, present)).toMatchObject({
    key: 'k',
    title: 'float.onnx · face',
    words: 'on WebGPU instead of WASM · 40 images, 2026-03-28 23:50 UTC',
    rule: { defaultMinimumConfidence: 0.5 },
  });
});

it('offers the thresholds of the other services of a configuration, as the same run filtered again', () => {
  const picky = service('picky', { label_confidences: { face: 0.8 } });
  const [only, ...more] = otherThresholds(text(service('face'), picky), '', present);
  expect(more).toEqual([]);
  expect(only).toMatchObject({
    key: null,
    title: 'Thresholds of picky',
    words: 'the same run, filtered again: thresholds of 1 label',
    modelName: 'float.onnx',
    rule: { labelConfidences: { face: 0.8 } },
  });
});

it('takes thresholds of a file, also of an entry alone, and refuses one that has none', () => {
  const file = thresholdsOfFile(text(service('face', { default_minimum_confidence: 0.25 })), 'old.json', present);
  expect(file.map(({ title, words }) => [title, words])).toEqual([
    ['Thresholds of face in old.json', 'the same run, filtered again: from 0.25 up, for every label'],
  ]);
  expect(thresholdsOfFile(JSON.stringify(service('face')), 'entry.json', present)).toHaveLength(1);
  expect(() => thresholdsOfFile('[]', 'list.json', present)).toThrow('list.json has no vision service');
  for (const broken of ['', '{ "services": [', 'no JSON'])
    expect(() => thresholdsOfFile(broken, 'bad.json', present)).toThrow('bad.json is not JSON, or has mistakes in it.');
});
