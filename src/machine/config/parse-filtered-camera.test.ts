import { describe, expect, it } from 'vitest';
import { decodeFilteredCamera } from './parse-filtered-camera.ts';

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
