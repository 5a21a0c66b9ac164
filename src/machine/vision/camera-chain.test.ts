import { describe, expect, it } from 'vitest';
import { transformCamera } from '../../../tests/machine-configs.ts';
import type { CameraConfig, TransformStep } from '../config/parse/machine-config.ts';
import { cameraChain } from './camera-chain.ts';

const rotate = (angleDegs: number): TransformStep => ({ type: 'rotate', attributes: { angleDegs } });

const cameras: CameraConfig[] = [
  { kind: 'source', name: 'webcam' },
  transformCamera('near', 'webcam', rotate(1), rotate(2)),
  transformCamera('far', 'near', rotate(3)),
  transformCamera('a', 'b', rotate(0)),
  transformCamera('b', 'a', rotate(0)),
  transformCamera('self', 'self', rotate(0)),
  transformCamera('lost', 'nowhere', rotate(0)),
  transformCamera('rootless', '', rotate(0)),
  transformCamera('empty', 'webcam'),
];

describe('cameraChain', () => {
  it('ends at once at a source camera', () => {
    expect(cameraChain(cameras, 'webcam')).toEqual({ sourceName: 'webcam', steps: [], cropsToEven: false });
  });

  it('collects the steps of all transform cameras, the one nearest the source first', () => {
    const { sourceName, steps } = cameraChain(cameras, 'far');
    expect(sourceName).toBe('webcam');
    expect(steps).toEqual([
      { camera: 'near', position: 0, step: rotate(1) },
      { camera: 'near', position: 1, step: rotate(2) },
      { camera: 'far', position: 0, step: rotate(3) },
    ]);
  });

  it('passes through filtered cameras, which are no built-in webcam to who reads them', () => {
    const filtered: CameraConfig[] = [
      { kind: 'source', name: 'webcam', builtIn: true },
      { kind: 'filtered', name: 'kept', source: 'webcam' },
      transformCamera('turned', 'kept', rotate(90)),
      { kind: 'filtered', name: 'last', source: 'turned' },
      { kind: 'filtered', name: 'circle', source: 'circle' },
    ];
    expect(cameraChain(filtered, 'last')).toEqual({
      sourceName: 'webcam',
      steps: [{ camera: 'turned', position: 0, step: rotate(90) }],
      cropsToEven: false,
    });
    expect(cameraChain(filtered, 'kept')).toEqual({ sourceName: 'webcam', steps: [], cropsToEven: false });
    expect(() => cameraChain(filtered, 'circle')).toThrow('circle ← circle');
  });

  it.each([
    ['webcam', false], // no transform camera reads it
    ['turned', true],
    ['turnedAtLast', true],
    ['overTurned', true],
    ['passed', false],
    ['turnedOverPassed', false], // who reads the webcam only passes its frames through
    ['turnedOfModule', false],
  ])('crops odd sizes of a built-in webcam to even on the way to "%s": %s', (name, cropsToEven) => {
    const pass: TransformStep = { type: '' };
    const sources: CameraConfig[] = [
      { kind: 'source', name: 'webcam', builtIn: true },
      { kind: 'source', name: 'module' },
      transformCamera('turned', 'webcam', rotate(90)),
      transformCamera('turnedAtLast', 'webcam', pass, rotate(90)),
      transformCamera('overTurned', 'turned', pass),
      transformCamera('passed', 'webcam', pass),
      transformCamera('turnedOverPassed', 'passed', rotate(90)),
      transformCamera('turnedOfModule', 'module', rotate(90)),
    ];
    expect(cameraChain(sources, name).cropsToEven).toBe(cropsToEven);
  });

  it('knows no camera where there are none', () => {
    expect(() => cameraChain([], 'a')).toThrow('There is no camera "a". Cameras in the configuration: none.');
  });

  it.each([
    ['nobody', 'nobody'],
    ['lost', 'nowhere'],
    ['a', 'a'],
    ['rootless', 'rootless'],
    ['empty', 'empty'],
  ])('says of "%s" that "%s" is what is wrong', (name, resource) => {
    expect(() => cameraChain(cameras, name)).toThrow(expect.objectContaining({ name: 'MachineError', resource }));
  });

  it.each([
    ['nobody', 'unknown-camera', /no camera "nobody"\. Cameras in the configuration: "webcam", /],
    ['lost', 'unknown-camera', /no camera "nowhere", the source of "lost"/],
    ['a', 'camera-cycle', /a ← b ← a/],
    ['self', 'camera-cycle', /self ← self/],
    ['rootless', 'empty-source', /"rootless" has no source/],
    ['empty', 'empty-pipeline', /"empty" has an empty pipeline/],
  ])('refuses "%s" with %s', (name, code, message) => {
    expect(() => cameraChain(cameras, name)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});
