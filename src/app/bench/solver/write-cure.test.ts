import { expect, it } from 'vitest';
import type { Cure } from '../../../models/fit/solver/cure.ts';
import { parseMachineConfig } from '../../../machine/config/parse/parse-machine-config.ts';
import { writeCure } from './write-cure.ts';

const nothing: Cure = {
  edits: { attributes: {}, labelConfidences: null, needs: [], fitOptions: {} },
  labels: null,
  filter: null,
  turnDegs: 0,
};
const vision = {
  name: 'v',
  api: 'rdk:service:vision',
  model: 'mlmodel',
  attributes: { mlmodel_name: 'm', camera_name: 'cam', label_confidences: { widget: 0.5 } },
};
const camera = { name: 'cam', api: 'rdk:component:camera', model: 'webcam', attributes: {} };
const transform = {
  name: 'cut',
  api: 'rdk:component:camera',
  model: 'transform',
  attributes: { source: 'cam', pipeline: [{ type: 'crop', attributes: { x_max_px: 0.5, y_max_px: 0.5 } }] },
};
const text = JSON.stringify({ components: [camera, transform], services: [vision] });
const write = (cure: Partial<Cure>, place: { readonly name: string; readonly isTransform: boolean } | null) =>
  parseMachineConfig(writeCure({ text, disabled: [] }, { ...nothing, ...cure }, { service: 'v', camera: place }).text)
    .config;

it('writes attributes and a filter at once', () => {
  const edits = { ...nothing.edits, attributes: { boxOrder: [0, 1, 2, 3] as const, bgr: true } };
  const filter = { defaultMinimumConfidence: 0.4, labelConfidences: {} };
  const [service] = write({ edits, filter }, null).visionServices;
  expect(service).toMatchObject({ boxOrder: [0, 1, 2, 3], bgr: true, ...filter });
});

it('turns frames by a last step of the camera that the service looks through', () => {
  const { cameras, visionServices } = write({ turnDegs: 90 }, { name: 'cut', isTransform: true });
  expect(cameras.find(({ name }) => name === 'cut')).toMatchObject({
    pipeline: [{ type: 'crop' }, { type: 'rotate', attributes: { angleDegs: 90 } }],
  });
  expect(visionServices[0]!.cameraName).toBe('cam');
});

it('puts a camera that turns before one that cannot', () => {
  const { cameras, visionServices } = write({ turnDegs: 180 }, { name: 'cam', isTransform: false });
  const { cameraName } = visionServices[0]!;
  expect(cameras.find(({ name }) => name === cameraName)).toMatchObject({
    source: 'cam',
    pipeline: [{ type: 'rotate', attributes: { angleDegs: 180 } }],
  });
});
