import { describe, expect, it } from 'vitest';
import { transformCamera, visionServiceConfig } from '../../../../tests/machine-configs.ts';
import { serviceBeside, type TunedService } from './service-beside.ts';

const smaller = { type: 'resize', attributes: { widthPx: 4, heightPx: 2 } } as const;
const service = (name: string, cameraName: string) => visionServiceConfig({ name, cameraName });
const tuned: TunedService = {
  config: {
    cameras: [
      { kind: 'source', name: 'front' },
      { kind: 'source', name: 'back' },
      transformCamera('front-small', 'front', smaller),
      transformCamera('broken', 'nowhere', smaller),
    ],
    visionServices: [
      service('tuned', 'front'),
      service('same', 'front'),
      service('small', 'front-small'),
      service('behind', 'back'),
      service('any', ''),
      service('elsewhere', 'not-here'),
      service('lost', 'broken'),
    ],
  },
  visionName: 'tuned',
  cameraName: 'front',
  comesAfterSteps: false,
};

describe('a service beside the tuned one', () => {
  it.each([
    ['same', 'front'],
    ['small', 'front-small'],
    ['any', null],
  ])('%s sees the same frames, through %s', (visionName, cameraName) => {
    expect(serviceBeside(tuned, visionName)).toEqual({ visionName, cameraName });
  });

  it.each([
    ['behind', 'other-camera', 'back'],
    ['elsewhere', 'other-camera', 'not-here'],
    ['lost', 'other-camera', 'broken'],
    ['unknown', 'no-service', ''],
  ])('%s does not: %s', (visionName, why, theirs) => {
    expect(serviceBeside(tuned, visionName)).toEqual({ why, theirs, ours: 'front' });
  });

  it('is told apart by the cameras that the services name where the tuned one gets the bare source', () => {
    expect(serviceBeside({ ...tuned, cameraName: null }, 'behind')).toMatchObject({ why: 'other-camera' });
    expect(serviceBeside({ ...tuned, cameraName: null, visionName: 'any' }, 'behind')).toMatchObject({
      cameraName: 'back',
    });
  });

  it('gets the frames of a live machine that has run the steps only if it needs the same', () => {
    const live = { ...tuned, comesAfterSteps: true };
    expect(serviceBeside(live, 'same')).toEqual({ visionName: 'same', cameraName: null });
    expect(serviceBeside(live, 'small')).toMatchObject({ why: 'after-steps', theirs: 'front-small', ours: 'front' });
  });
});
