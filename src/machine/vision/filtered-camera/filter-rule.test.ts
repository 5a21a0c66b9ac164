import { describe, expect, it } from 'vitest';
import { filterRule } from './filter-rule.ts';

const missing = { classifications: null, objects: null };
const valid = {
  ...missing,
  camera: 'cam',
  vision: '',
  vision_services: [{ ...missing, vision: 'eyes', objects: { dog: 0.5 }, inhibit: false }],
  window_seconds: 0,
  window_seconds_before: 2,
  window_seconds_after: 3,
  image_frequency: 0,
  cooldown_s: 0,
  debug: false,
};
const deprecated = { vision: 'eyes', vision_services: null };

describe('filterRule', () => {
  it('reads what is given, in ms, and takes an image a second for 0', () => {
    expect(filterRule({ ...valid, cooldown_s: 4 })).toEqual({
      camera: 'cam',
      inhibitors: [],
      acceptors: [{ vision: 'eyes', inhibit: false, classifications: {}, objects: { dog: 0.5 } }],
      beforeMs: 2000,
      afterMs: 3000,
      cooldownMs: 4000,
      imageFrequencyHz: 1,
      ringSize: 15,
    });
  });

  it('reads the deprecated spellings', () => {
    const old = { ...valid, ...deprecated, objects: { cat: 0.1 }, classifications: { sunny: 0.2 } };
    const windows = { window_seconds: 2, window_seconds_before: 0, window_seconds_after: 0 };
    expect(filterRule({ ...old, ...windows })).toMatchObject({
      inhibitors: [],
      acceptors: [{ vision: 'eyes', classifications: { sunny: 0.2 }, objects: { cat: 0.1 } }],
      beforeMs: 2000,
      afterMs: 2000,
      ringSize: 6,
    });
  });

  it('ignores labels beside vision_services', () => {
    expect(filterRule({ ...valid, objects: { cat: 0.1 } })).toMatchObject({ acceptors: [{ objects: { dog: 0.5 } }] });
  });

  it.each([
    ['cut off', 0.3, 4],
    ['below one image', 0.06, 0],
    ['faster', 2.5, 37],
  ])('has a ring buffer of three windows: %s', (_, image_frequency, ringSize) => {
    expect(filterRule({ ...valid, image_frequency })).toMatchObject({ imageFrequencyHz: image_frequency, ringSize });
  });

  it('tells inhibiting services from accepting ones, in order', () => {
    const service = (vision: string, inhibit: boolean) => ({ ...missing, vision, inhibit });
    const services = [service('a', false), service('b', true), service('c', false), service('d', true)];
    const rule = filterRule({ ...valid, vision_services: services });
    expect(rule).toMatchObject({
      inhibitors: [{ vision: 'b' }, { vision: 'd' }],
      acceptors: [{ vision: 'a' }, { vision: 'c' }],
    });
  });

  it('asks a service that is listed twice with the last of each map, of its kind', () => {
    const eyes = { ...missing, vision: 'eyes', inhibit: false };
    const vision_services = [
      { ...eyes, objects: { dog: 0.1 } },
      { ...eyes, classifications: { sunny: 0.2 } },
      { ...eyes, objects: { cat: 0.3 } },
      { ...eyes, inhibit: true, objects: { car: 0.4 } },
    ];
    const merged = { objects: { cat: 0.3 }, classifications: { sunny: 0.2 } };
    expect(filterRule({ ...valid, vision_services })).toMatchObject({
      acceptors: [merged, merged, merged],
      inhibitors: [{ objects: { car: 0.4 }, classifications: {} }],
    });
    const emptied = [vision_services[0]!, { ...eyes, objects: {} }];
    expect(filterRule({ ...valid, vision_services: emptied })).toMatchObject({ acceptors: [{ objects: {} }, {}] });
  });

  it('takes an empty list of services, which lets everything through', () => {
    expect(filterRule({ ...valid, vision_services: [] })).toMatchObject({ acceptors: [], inhibitors: [] });
  });

  it.each<[title: string, attributes: Partial<typeof valid> | object, code: string, path: unknown[]]>([
    ['no camera', { camera: '' }, 'no-camera', ['camera']],
    ['no service', { vision_services: null }, 'no-vision-service', ['vision_services']],
    ['both spellings', { vision: 'eyes' }, 'two-spellings', ['vision']],
    ['both spellings, one empty', { vision: 'eyes', vision_services: [] }, 'two-spellings', ['vision']],
    ['a frequency below 0', { image_frequency: -0.1 }, 'negative-frequency', ['image_frequency']],
    ['no window', { window_seconds_before: 0, window_seconds_after: 0 }, 'no-window', ['window_seconds_before']],
    ['a window below 0', { window_seconds: -1 }, 'negative-window', ['window_seconds']],
    ['one before', { window_seconds_before: -1 }, 'negative-window', ['window_seconds_before']],
    ['one after', { window_seconds_after: -1 }, 'negative-window', ['window_seconds_after']],
    [
      'both windows',
      { window_seconds: 1, window_seconds_before: 1, window_seconds_after: 0 },
      'two-windows',
      ['window_seconds'],
    ],
    [
      'both windows after',
      { window_seconds: 1, window_seconds_before: 0, window_seconds_after: 1 },
      'two-windows',
      ['window_seconds'],
    ],
    ['a cool-down below 0', { cooldown_s: -1 }, 'negative-cooldown', ['cooldown_s']],
    [
      'a service without a name',
      { vision_services: [...valid.vision_services, { ...missing, vision: '', inhibit: true }] },
      'unnamed-vision-service',
      ['vision_services', 1, 'vision'],
    ],
    ['the camera first', { camera: '', vision_services: null }, 'no-camera', ['camera']],
    [
      'a negative window before two',
      { window_seconds: 1, window_seconds_after: -1 },
      'negative-window',
      ['window_seconds_after'],
    ],
    [
      'the cool-down before a name',
      { cooldown_s: -1, vision_services: [{ ...missing, vision: '', inhibit: false }] },
      'negative-cooldown',
      ['cooldown_s'],
    ],
  ])('is refused for %s', (_, attributes, code, path) => {
    expect(filterRule({ ...valid, ...attributes })).toMatchObject({ code, path });
  });
});
