import { expect, it } from 'vitest';
import type { ThresholdEvidence } from '../../../machine/config/evidence/threshold-evidence.ts';
import { nothingPresent } from '../../../../tests/present-setup.ts';
import { shownEvidence } from '../../../machine/config/evidence/evidence-words.ts';
import { setupOf } from '../../../machine/config/evidence/setup-of.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { ConfigStore } from '../config/config-store.ts';
import { ThresholdsState } from './thresholds-state.svelte.ts';

const written: Omit<ThresholdEvidence, 'service' | 'setup'> = {
  dataset: 'Yard',
  images: 40,
  goal: 'precision ≥ 0.9',
  atMs: 0,
  model: { name: 'pets.onnx', sha256: 'ab' },
  version: '1.2.3',
  labels: [
    { label: 'cat', threshold: 0.7, figure: 'precision', expected: { value: 0.931, low: 0.88, high: 0.97 } },
    { label: 'dog', threshold: 0.4, figure: 'F1', expected: null },
  ],
};
const text = 'from 40 images of Yard, precision ≥ 0.9: 0.93 [0.88, 0.97]';

function storage() {
  const kept: Record<string, string> = {};
  return {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void (kept[key] = value),
  };
}

function tuning(stored = storage()) {
  const now = { ...nothingPresent(), visionName: 'detector', sha256: 'ab' };
  const store = new ConfigStore(stored);
  const config = new ConfigState({ store });
  const thresholds = new ThresholdsState(config, () => [], () => ['cat', 'dog'], () => now); // prettier-ignore
  const write = () => thresholds.setEach({ cat: 0.7, dog: 0.4 }, 'keep', { ...written, setup: setupOf(now) });
  const shown = () => shownEvidence(thresholds.evidence, (label) => thresholds.thresholdOf(label), now);
  const of = (wanted: string) => shown().find(({ label }) => label === wanted);
  return { config, thresholds, now, write, store, stored, shown, of };
}

it('says what a threshold stands on, beside it', () => {
  const { of, write, config } = tuning();
  write();
  expect(of('cat')).toEqual({ label: 'cat', text, outdated: '' });
  expect(of('dog')).toMatchObject({ text: 'from 40 images of Yard, precision ≥ 0.9', outdated: '' });
  expect(of('bird')).toBeUndefined();
  expect(config.text).not.toContain('Yard');
});

it('says when that is out of date', () => {
  const { thresholds, now, of, write } = tuning();
  write();
  const why = () => of('cat')!.outdated;
  thresholds.setLabel('dog', 0.5);
  expect(why()).toBe('');
  Object.assign(now, { labels: ['dog', 'cat'] });
  expect(why()).toBe('the service, its labels or its camera’s steps changed since');
  Object.assign(now, { sha256: 'cd' });
  expect(why()).toBe('it was the model pets.onnx then');
  thresholds.setLabel('cat', 0.71);
  expect(why()).toBe('the threshold was 0.7 then');
  thresholds.removeLabel('cat');
  expect(why()).toBe('the label is no longer listed');
});

it('stays with its model while another one has evidence of the same labels, and is there again with it', () => {
  const { thresholds, now, of, shown, write } = tuning();
  write();
  Object.assign(now, { sha256: 'cd' });
  const other = { ...written, dataset: 'Street', model: { name: 'zoo.onnx', sha256: 'cd' }, setup: setupOf(now) };
  thresholds.setEach({ cat: 0.6 }, 'keep', { ...other, labels: [{ ...written.labels[0]!, threshold: 0.6 }] });
  expect(of('cat')).toMatchObject({ text: expect.stringContaining('Street'), outdated: '' });
  expect(of('dog')).toMatchObject({ outdated: 'it was the model pets.onnx then' });
  Object.assign(now, { sha256: 'ab' });
  thresholds.setLabel('cat', 0.7);
  expect(of('cat')).toEqual({ label: 'cat', text, outdated: '' });
  expect(shown().map(({ label }) => label)).toEqual(['cat', 'dog']);
});

it('compares no setup before the model is loaded, whose labels are not known until then', () => {
  const { now, of, write } = tuning();
  write();
  Object.assign(now, { sha256: null, labels: ['dog'] });
  expect(of('cat')!.outdated).toBe('');
  Object.assign(now, { sha256: 'ab' });
  expect(of('cat')!.outdated).not.toBe('');
});

it('is undone and done again together with the thresholds, also after a reload', () => {
  const { config, of, shown, write, store, stored } = tuning();
  write();
  config.undo();
  expect([shown(), config.filter.labelConfidences]).toEqual([[], {}]);
  config.redo();
  expect(of('cat')?.text).toBe(text);
  store.flush();
  const again = tuning(stored);
  expect(again.of('cat')).toEqual({ label: 'cat', text, outdated: '' });
  again.config.undo();
  expect([again.shown(), again.config.filter.labelConfidences]).toEqual([[], {}]);
  again.config.redo();
  expect(again.of('dog')).toBeDefined();
});

it('belongs to the configuration: another one has none, and undo brings it back', () => {
  const { config, of, write } = tuning();
  write();
  config.reset();
  expect(config.evidence).toEqual([]);
  config.undo();
  expect(of('cat')?.text).toBe(text);
});

it('is left out where something else was stored, and the configuration stays', () => {
  const { config, write, store, stored } = tuning();
  write();
  store.flush();
  const saved = JSON.parse(stored.getItem('sightglass.config')!) as object;
  stored.setItem('sightglass.config', JSON.stringify({ ...saved, evidence: [{ service: 1 }], history: undefined }));
  const again = tuning(stored);
  expect([again.config.evidence, again.config.text]).toEqual([[], config.text]);
});
