import { expect, it } from 'vitest';
import { parseMachineConfig } from '../../../machine/config/parse/parse-machine-config.ts';
import type { ThresholdEvidence } from '../../../machine/config/evidence/threshold-evidence.ts';
import { evidenceInForce } from './evidence-in-force.ts';

const of = (service: string, sha256: string, thresholds: Readonly<Record<string, number>>): ThresholdEvidence => ({
  service,
  dataset: 'Yard',
  images: 40,
  goal: 'best F1',
  atMs: 0,
  model: { name: `${sha256}.onnx`, sha256 },
  setup: '',
  version: '1',
  labels: Object.entries(thresholds).map(([label, threshold]) => ({ label, threshold, figure: 'F1', expected: null })),
});

const entry = (name: string, attributes: object) => ({
  name,
  api: 'rdk:service:vision',
  model: 'mlmodel',
  attributes: { mlmodel_name: 'm', ...attributes },
});
const { config } = parseMachineConfig(
  JSON.stringify({
    services: [
      entry('tuned', { label_confidences: { cat: 0.3, dog: 0.6 } }),
      entry('other', { default_minimum_confidence: 0.4 }),
    ],
  }),
);
const present = { config, visionName: 'tuned', sha256: 'aa' };

it.each<[string, ThresholdEvidence, ThresholdEvidence[]]>([
  ['thresholds in force', of('tuned', 'aa', { Cat: 0.3, dog: 0.6 }), [of('tuned', 'aa', { Cat: 0.3, dog: 0.6 })]],
  ['one that moved since', of('tuned', 'aa', { cat: 0.3, dog: 0.5 }), [of('tuned', 'aa', { cat: 0.3 })]],
  ['one that is not listed', of('tuned', 'aa', { bird: 0.3 }), []],
  ['another model', of('tuned', 'bb', { cat: 0.3 }), []],
  ['a service that is not tuned', of('other', 'bb', { cat: 0.4 }), [of('other', 'bb', { cat: 0.4 })]],
  ['a service that is gone', of('gone', 'aa', { cat: 0.3 }), []],
])('keeps of %s what is in force', (_, evidence, kept) => {
  expect(evidenceInForce([evidence], present)).toEqual(kept);
});

it('keeps it while no model is loaded', () => {
  const evidence = [of('tuned', 'bb', { cat: 0.3 })];
  expect(evidenceInForce(evidence, { ...present, sha256: null })).toEqual(evidence);
});
