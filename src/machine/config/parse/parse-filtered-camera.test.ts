import { describe, expect, it } from 'vitest';
import { machine } from '../lint/test-samples.ts';
import { parseMachineConfig } from './parse-machine-config.ts';
import { decodeFilteredCamera, filteredCameraProblems } from './parse-filtered-camera.ts';

describe('decodeFilteredCamera', () => {
  it('has 0, an empty text and null for what is missing', () => {
    expect(decodeFilteredCamera({})).toEqual({
      value: {
        camera: '',
        vision: '',
        vision_services: null,
        window_seconds: 0,
        image_frequency: 0,
        window_seconds_before: 0,
        window_seconds_after: 0,
        cooldown_s: 0,
        debug: false,
        classifications: null,
        objects: null,
      },
      errors: [],
    });
  });

  it('tells what is empty from what is missing, whatever the case of its key', () => {
    const { value } = decodeFilteredCamera({ Vision_Services: [{ Vision: 'eyes', Objects: {} }, {}], Objects: null });
    expect(value.vision_services).toEqual([
      { vision: 'eyes', objects: {}, classifications: null, inhibit: false },
      { vision: '', objects: null, classifications: null, inhibit: false },
    ]);
    expect(value.objects).toBeNull();
    expect(decodeFilteredCamera({ vision_services: [] }).value.vision_services).toEqual([]);
    expect(decodeFilteredCamera({ vision_services: null }).value.vision_services).toBeNull();
  });

  it('cuts seconds off', () => {
    expect(decodeFilteredCamera({ window_seconds_before: 1.9, cooldown_s: -0.5 }).value).toMatchObject({
      window_seconds_before: 1,
      cooldown_s: 0,
    });
  });

  it('says where a type is wrong', () => {
    const { errors } = decodeFilteredCamera({
      camera: 7,
      Vision_services: [{}, { inhibit: 1, objects: { dog: 'high' } }],
    });
    expect(errors.map(({ path }) => path)).toEqual([
      ['camera'],
      ['Vision_services', 1, 'objects', 'dog'],
      ['Vision_services', 1, 'inhibit'],
    ]);
  });
});

describe('a configuration with a filtered camera', () => {
  const valid = {
    camera: 'webcam',
    vision_services: [{ vision: 'v', objects: { dog: 0.5 } }],
    window_seconds_after: 1,
  };
  const parse = (attributes: unknown, model = 'viam:camera:filtered-camera', camera_name = 'kept') =>
    parseMachineConfig(
      machine(
        [{ name: 'kept', api: 'rdk:component:camera', model, attributes }],
        [
          {
            name: 'v',
            api: 'rdk:service:vision',
            model: 'mlmodel',
            attributes: { mlmodel_name: 'model', camera_name },
          },
        ],
      ),
    );

  it.each(['viam:camera:filtered-camera', 'erh:camera:filtered-camera', 'erh:camera:filtered_camera'])(
    'has it under the model %s',
    (model) => {
      const { config, problems, entries } = parse(valid, model);
      expect(config.cameras.at(-1)).toMatchObject({ kind: 'filtered', name: 'kept', source: 'webcam' });
      expect(config.visionServices.map(({ name }) => name)).toEqual(['v']);
      expect(entries.at(1)!.kind).toBe('filtered-camera');
      expect(problems).toEqual([]);
    },
  );

  it('names what its module refuses, with its place', () => {
    const problems = (attributes: unknown) => filteredCameraProblems(parse(attributes).entries);
    expect(problems(valid)).toEqual([]);
    expect(problems({ ...valid, cooldown_s: -1 })).toEqual([
      {
        resource: 'kept',
        code: 'negative-cooldown',
        message: 'its module refuses cooldown_s -1: negative cooldown',
        path: ['components', 1, 'attributes', 'cooldown_s'],
      },
    ]);
    expect(problems({ ...valid, camera: 7 })).toMatchObject([{ code: 'bad-attributes', resource: 'kept' }]);
  });

  it('is not refused whole for a wrong type in it, but for attributes that are none', () => {
    expect(parse({ ...valid, cooldown_s: '1' }).problems).toEqual([]);
    expect(parse(7).problems[0]).toMatchObject({ refusesAll: true });
  });

  it('passes frames on from the camera that it names in any case', () => {
    expect(parse({ Camera: 'webcam' }).config.cameras.at(-1)).toEqual({
      kind: 'filtered',
      name: 'kept',
      source: 'webcam',
    });
    expect(parse({}).config.cameras.at(-1)).toMatchObject({ source: '' });
  });
});
