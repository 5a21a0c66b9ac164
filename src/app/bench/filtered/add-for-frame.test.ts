import { expect, it } from 'vitest';
import { filteredCameras } from '../../../machine/config/edit/filtered-cameras.ts';
import { sampleConfigText } from '../../../machine/config/share/sample-config.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { addForFrame } from './add-for-frame.ts';

function added(labels: readonly string[], kept: readonly string[], classifies = false, text = sampleConfigText) {
  const config = new ConfigState();
  config.importText(text);
  const some = {} as never;
  const results = {
    classifications: classifies ? some : null,
    detections: classifies ? null : some,
    labelsHere: new Map(labels.map((label) => [label, 1])),
    isLabelKept: (label: string) => kept.includes(label),
  };
  const thresholds = { thresholdOf: (label: string) => (label === 'cat' ? 0.8 : 0.2) };
  addForFrame({ config, pictures: null, results, serviceName: 'detector', thresholds });
  const { camera, vision_services: services } = filteredCameras(config.parsed.document)[0]!.attributes;
  return { config, camera, services };
}

it('waits for what is kept on the frame, from its thresholds on', () => {
  const { services } = added(['cat', 'dog', 'car'], ['cat', 'dog']);
  expect(services).toMatchObject([{ vision: 'detector', objects: { cat: 0.8, dog: 0.5 }, classifications: null }]);
  expect(added(['cat'], ['cat'], true).services).toMatchObject([{ classifications: { cat: 0.8 }, objects: null }]);
});

it('waits for any label where nothing is kept', () =>
  expect(added(['cat'], []).services).toMatchObject([{ objects: { '*': 0.5 } }]));

it('filters the camera of the service, else the first', () => {
  const { config, camera } = added([], []);
  expect([camera, config.cameraName]).toEqual(['tuned-camera', 'tuned-camera']);
  const without = sampleConfigText.replace('"camera_name"', '"no_camera"');
  expect(added([], [], false, without).camera).toBe(config.cameraNames[0]);
});

it('says why the configuration has no place for it', () => {
  expect(() => added([], [], false, '{ "components": 1 }')).toThrow('components');
});
