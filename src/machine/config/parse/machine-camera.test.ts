import { describe, expect, it } from 'vitest';
import { withMachineCamera } from './machine-camera.ts';
import { parseMachineConfig } from './parse-machine-config.ts';
import { runKey } from '../run-key.ts';

const cameraOf = (model: string) => ({ name: model, api: 'rdk:component:camera', model, attributes: {} });
const builtIn = (model: string): boolean => {
  const [camera] = parseMachineConfig(JSON.stringify({ components: [cameraOf(model)] })).config.cameras;
  return camera!.kind === 'source' && camera!.builtIn === true;
};

describe('the machine’s camera', () => {
  it.each([
    ['webcam', true],
    ['fake', true],
    ['rdk:builtin:webcam', true],
    ['rdk:builtin:fake', true],
    ['image_file', false],
    ['viam:camera:webcam', false],
    ['acme:webcam:fake', false],
    ['', false],
  ])('of model "%s" is a built-in webcam: %s', (model, expected) => expect(builtIn(model)).toBe(expected));

  it('is of the kind that a person says, and a frame runs again for it', () => {
    const attributes = { source: 'fake', pipeline: [{ type: 'rotate', attributes: { angle_degs: 90 } }] };
    const components = [cameraOf('fake'), cameraOf('image_file'), { ...cameraOf('transform'), attributes }];
    const { config } = parseMachineConfig(JSON.stringify({ components }));
    expect(withMachineCamera(config, null)).toBe(config);
    const [webcams, modules] = [withMachineCamera(config, 'webcam'), withMachineCamera(config, 'module')];
    const transform = config.cameras[2];
    expect(webcams.cameras).toEqual([
      { kind: 'source', name: 'fake', builtIn: true },
      { kind: 'source', name: 'image_file', builtIn: true },
      transform,
    ]);
    expect(modules.cameras).toEqual([
      { kind: 'source', name: 'fake' },
      { kind: 'source', name: 'image_file' },
      transform,
    ]);
    expect(new Set([config, webcams, modules].map((one) => runKey(one))).size).toBe(3);
  });
});
