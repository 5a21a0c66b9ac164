import { expect, it } from 'vitest';
import { transformCamera, visionServiceConfig } from '../../../../tests/machine-configs.ts';
import type { MachineConfig, TransformStep } from '../parse/machine-config.ts';
import { setupOf as setupOfPresent } from './setup-of.ts';

const setupOf = (config: MachineConfig, visionName: string, steps: TransformStep[], labels: string[] | null) =>
  setupOfPresent({ config, visionName, steps, labels });
const half: TransformStep = { type: 'resize', attributes: { widthPx: 4, heightPx: 2 } };
const draws = (serviceName: string): TransformStep => ({
  type: 'detections',
  attributes: { serviceName, confidenceThreshold: 0, validLabels: [] },
});
const config = (tuned = {}, other = {}): MachineConfig => ({
  cameras: [transformCamera('small', 'cam', half)],
  visionServices: [visionServiceConfig({ name: 'tuned', ...tuned }), visionServiceConfig({ name: 'other', ...other })],
});
const before = setupOf(config(), 'tuned', [half], ['cat']);

it('stays the same where only thresholds and other services change', () => {
  expect(setupOf(config({ labelConfidences: { cat: 0.3 } }), 'tuned', [half], ['cat'])).toBe(before);
  expect(setupOf(config({ defaultMinimumConfidence: 0.3 }, { bgr: true }), 'tuned', [half], ['cat'])).toBe(before);
});

it.each<[string, string]>([
  ['another attribute', setupOf(config({ bgr: true }), 'tuned', [half], ['cat'])],
  ['another step', setupOf(config(), 'tuned', [half, half], ['cat'])],
  ['other labels', setupOf(config(), 'tuned', [half], ['dog'])],
  ['no labels', setupOf(config(), 'tuned', [half], null)],
  ['another service', setupOf(config(), 'other', [half], ['cat'])],
])('differs by %s', (_, after) => {
  expect(after).not.toBe(before);
});

it('differs by the thresholds of a service that a step draws', () => {
  const drawn = (minimum: number) =>
    setupOf(config({}, { defaultMinimumConfidence: minimum }), 'tuned', [draws('other')], null);
  expect(drawn(0.3)).not.toBe(drawn(0.4));
});
