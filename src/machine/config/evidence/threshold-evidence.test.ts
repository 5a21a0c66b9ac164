import { expect, it } from 'vitest';
import { isEvidence, withEvidence, type ThresholdEvidence } from './threshold-evidence.ts';

const labelOf = (label: string, threshold = 0.5) => ({ label, threshold, figure: 'F1', expected: null });
const evidence = (parts: Partial<ThresholdEvidence> = {}): ThresholdEvidence => ({
  service: 'finder',
  dataset: 'Yard',
  images: 40,
  goal: 'best F1',
  atMs: 0,
  model: { name: 'm.onnx', sha256: 'ab' },
  setup: '1',
  version: '1.0.0',
  labels: [labelOf('cat'), labelOf('dog')],
  ...parts,
});

it('replaces what was known of the same labels of the same service', () => {
  const other = evidence({ service: 'other' });
  const later = evidence({ dataset: 'Street', labels: [labelOf('CAT', 0.7)] });
  const all = withEvidence([other, evidence()], later);
  expect(all).toEqual([other, evidence({ labels: [labelOf('dog')] }), later]);
  const last = evidence({ labels: [labelOf('dog', 0.1)] });
  expect(withEvidence(all, last)).toEqual([other, later, last]);
});

it('takes no other stored value for evidence', () => {
  expect([isEvidence([]), isEvidence([evidence()])]).toEqual([true, true]);
  for (const value of [null, 'x', [null], [{ ...evidence(), service: 1 }], [{ ...evidence(), labels: null }]])
    expect(isEvidence(value)).toBe(false);
});
