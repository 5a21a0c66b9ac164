import { expect, it } from 'vitest';
import { resourceApis, type ResourceHealth } from './live-machine.ts';
import { unbuiltResources } from './unbuilt-resources.ts';

const { camera, vision, mlmodel } = resourceApis;
const of = (api: string, name: string, isReady: boolean, error = ''): ResourceHealth => ({
  api,
  name,
  isReady,
  error,
  updatedAtMs: 1,
  revision: '',
});

it.each([
  ['nothing, where all are ready', [of(camera, 'cam', true), of(vision, 'v', true)], []],
  [
    'the machine’s own reason',
    [of(camera, 'cam', true), of(vision, 'v', false, 'resource build error: no model [m]')],
    ['Its vision service “v” is not built: resource build error: no model [m]'],
  ],
  ['what is still under way', [of(mlmodel, 'm', false)], ['Its model service “m” is not built yet.']],
  [
    'each of several',
    [of(camera, 'a', false, 'no device'), of(camera, 'b', false)],
    ['Its camera “a” is not built: no device', 'Its camera “b” is not built yet.'],
  ],
  ['nothing of what the bench never asks', [of('rdk:component:arm', 'arm', false, 'no power')], []],
])('says %s', (_, resources, words) => {
  expect(unbuiltResources({ isRunning: true, revision: '', resources })).toEqual(words);
});
