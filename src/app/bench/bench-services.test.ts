import { expect, it } from 'vitest';
import { addColorDetector } from '../../machine/config/edit/edit-color.ts';
import { addRecorder } from '../../machine/config/edit/edit-recorder.ts';
import { benchServices } from './bench-services.ts';
import { ConfigState } from './config/config-state.svelte.ts';

const text = JSON.stringify({
  components: [{ name: 'cam', api: 'rdk:component:camera', model: 'webcam', attributes: {} }],
  services: [
    {
      name: 'watch',
      api: 'rdk:service:vision',
      model: 'mlmodel',
      attributes: { mlmodel_name: 'm', camera_name: 'cam', label_confidences: { cat: 0.4 } },
    },
  ],
});

function open() {
  const config = new ConfigState();
  config.importText(addRecorder(text, 'watch', { name: 'watch-recorder', threshold: 0.05, rateHz: 1, camera: 'cam' }));
  return { config, services: benchServices(config) };
}

it('names the service that a recorder copies, with its thresholds', () => {
  const { services } = open();
  expect(services.all.map(({ name }) => name)).toEqual(['watch', 'watch-recorder']);
  const watch = { name: 'watch', rule: { defaultMinimumConfidence: 0, labelConfidences: { cat: 0.4 } } };
  expect([services.tunedBy('watch-recorder'), services.tunedBy('watch'), services.tunedBy('other')]).toEqual([
    watch,
    watch,
    null,
  ]);
});

it('has the text that runs, also while another is typed', () => {
  const { config, services } = open();
  const { text: running } = config;
  config.typeText('{');
  expect(services.configText).toBe(running);
});

it('writes thresholds as one step of undo', () => {
  const { config, services } = open();
  const before = config.text;
  expect(services.write('watch', { defaultMinimumConfidence: 0.7, labelConfidences: {} })).toBe(true);
  expect(services.tunedBy('watch')?.rule).toEqual({ defaultMinimumConfidence: 0.7, labelConfidences: {} });
  expect(config.undoLabel).toBe('Thresholds of watch');
  config.undo();
  expect(config.text).toBe(before);
  services.write('watch', { defaultMinimumConfidence: 0.7, labelConfidences: { dog: 0.2 } });
  expect(services.tunedBy('watch')?.rule).toEqual({ defaultMinimumConfidence: 0, labelConfidences: { dog: 0.2 } });
});

it('writes nothing into a configuration that cannot be read', () => {
  const { config, services } = open();
  config.typeText('{');
  expect(services.write('watch', { defaultMinimumConfidence: 0.7, labelConfidences: {} })).toBe(false);
  expect(config.text).toBe('{');
});

it('leaves out colour detectors, whose scores no threshold tells apart', () => {
  const { config, services } = open();
  config.edit('Add a colour detector', (before) => addColorDetector(before, 'cam').text);
  expect(config.config.visionServices).toHaveLength(3);
  expect(services.all.map(({ name }) => name)).toEqual(['watch', 'watch-recorder']);
});
