import { expect, it } from 'vitest';
import { runSetup } from '../../../tests/footage-frames.ts';
import { whyAnotherRun, type RunSetup } from './run-setup.ts';

it.each<[Partial<RunSetup>, RegExp]>([
  [{ source: { ...runSetup.source, sha256: 'f'.repeat(64) } }, /to another video \("clip.mp4", SHA-256 aaaaaaaaaaaa….*ffffff/],
  [{ source: { ...runSetup.source, kind: 'folder' } }, /another folder/],
  [{ serviceName: 'cars' }, /vision service "pets"/],
  [{ cameraName: 'small' }, /camera is none/],
  [{ models: { pets: { ...runSetup.models['pets']!, sha256: '0' } } }, /model of "pets" was "pets.onnx"/],
  [{ models: { ...runSetup.models, cars: runSetup.models['pets']! } }, /model of "cars" was none/],
  [{ models: { pets: { ...runSetup.models['pets']!, labelsSha256: '0' } } }, /labels of "pets"/],
  [{ models: { pets: { ...runSetup.models['pets']!, backend: 'webgpu' } } }, /backend of "pets" was not noted/],
  [{ models: { pets: { ...runSetup.models['pets']!, runtime: 'ONNX Runtime 1, native' } } }, /ran on what is not noted, and not on ONNX Runtime 1, native/],
  [{ configKey: '0' }, /configuration differs/],
  [{ choice: { ...runSetup.choice, every: 3 } }, /every was 1/],
  [{ choice: { ...runSetup.choice, toMs: 3 } }, /to, in ms, was not given/],
  [{ version: '2.0.0' }, /Sightglass 1.0.0/],
])('another run: %j', (change, words) => {
  expect(whyAnotherRun(runSetup, { ...runSetup, ...change })).toMatch(words);
}); // prettier-ignore

it('is the same run under other thresholds, and of a file with another name', () => {
  const source = { ...runSetup.source, name: 'copy.mp4' };
  const filter = { defaultMinimumConfidence: 0.9, labelConfidences: {} };
  expect(whyAnotherRun(runSetup, { ...runSetup, source, filter, configText: '{ }' })).toBeNull();
});
