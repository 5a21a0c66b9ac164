import { expect, it } from 'vitest';
import { cliFolder, config as others, run } from '../../../tests/cli-folder.ts';

const { at, write } = cliFolder();
const blueish = {
  name: 'blueish',
  api: 'rdk:service:vision',
  model: 'color_detector',
  attributes: { detect_color: '#0a141e', hue_tolerance_pct: 0.1, value_cutoff_pct: 0.05, segment_size_px: 20 },
};

async function through(cooldown_s: number) {
  const attributes = { camera: 'webcam', vision_services: [], window_seconds_after: 1, cooldown_s };
  const webcam = { name: 'webcam', api: 'rdk:component:camera', model: 'webcam' };
  const kept = { name: 'kept', api: 'rdk:component:camera', model: 'viam:camera:filtered-camera', attributes };
  const config = { ...others, components: [webcam, kept], services: [blueish] };
  const path = await write(`filtered-${cooldown_s}.json`, JSON.stringify(config));
  return run(['detect', '--config', path, '--vision', 'blueish', '--camera', 'kept', at('a.png')]);
}

it('sees every frame through a filtered camera', async () => {
  const { code, lines } = await through(1);
  expect([code, lines]).toMatchObject([0, [{ width: 8, height: 4, detections: [{ label: 'light-blue' }] }]]);
});

it('refuses a filtered camera that its module does not build', async () => {
  await expect(through(-1)).rejects.toThrow('"kept": its module refuses cooldown_s -1: negative cooldown');
});
