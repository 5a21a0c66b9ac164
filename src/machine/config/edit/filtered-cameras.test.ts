import { describe, expect, it } from 'vitest';
import {
  addFilteredCamera,
  setFilterCapture,
  setFilterLine,
  setFilterNumber,
  type FilteredCameraSettings,
} from './edit-filtered-camera.ts';
import { filteredCameras } from './filtered-cameras.ts';
import { parseDocument } from '../json/json-document.ts';
import { sampleConfigText } from '../share/sample-config.ts';

const settings: FilteredCameraSettings = {
  camera: 'webcam',
  vision: 'detector',
  kind: 'objects',
  scores: { face: 0.5 },
  secondsBefore: 2,
  secondsAfter: 3,
  rateHz: 2,
};
const added = addFilteredCamera(sampleConfigText, settings);
const read = (text: string) => filteredCameras(parseDocument(text));
const textOf = (attributes: object, also: object = {}) =>
  JSON.stringify({
    components: [{ name: 'f', api: 'rdk:component:camera', model: 'viam:camera:filtered-camera', attributes, ...also }],
  });
const captured = (method: object) => ({
  service_configs: [{ type: 'data_manager', attributes: { capture_methods: [method] } }],
});
const eyes = { vision: 'eyes', objects: { dog: 0.5 } };

describe('filteredCameras', () => {
  it('reads back what addFilteredCamera writes', () => {
    const [camera, ...others] = read(added.text);
    expect(others).toEqual([]);
    expect(camera).toMatchObject({ name: added.name, refusal: '', captureHz: 2 });
    expect(camera!.rule).toEqual({
      camera: 'webcam',
      inhibitors: [],
      acceptors: [{ vision: 'detector', inhibit: false, classifications: {}, objects: { face: 0.5 } }],
      beforeMs: 2000,
      afterMs: 3000,
      cooldownMs: 0,
      imageFrequencyHz: 2,
      ringSize: 30,
    });
  });

  it.each<[string, object, object, object]>([
    ['no window', { camera: 'c', vision_services: [eyes] }, {}, { rule: null, captureHz: 0 }],
    ['a wrong type', { camera: 7 }, {}, { rule: null }],
    [
      'a capture that is off',
      {},
      captured({ method: 'ReadImage', disabled: true, capture_frequency_hz: 1 }),
      { captureHz: 0 },
    ],
    ['a capture of something else', {}, captured({ method: 'DoCommand', capture_frequency_hz: 1 }), { captureHz: 0 }],
    ['the other method', {}, captured({ method: 'ReadImage', capture_frequency_hz: 0.5 }), { captureHz: 0.5 }],
    ['no rate', {}, captured({ method: 'ReadImage', capture_frequency_hz: -1 }), { captureHz: 0 }],
  ])('reads one with %s', (_, attributes, also, expected) => {
    expect(read(textOf(attributes, also))[0]).toMatchObject(expected);
  });

  it('gives each its own capture', () => {
    const camera = (name: string, rate: number) => ({
      name,
      api: 'rdk:component:camera',
      model: 'viam:camera:filtered-camera',
      attributes: {},
      ...captured({ method: 'GetImages', capture_frequency_hz: rate }),
    });
    const webcam = { ...camera('c', 9), model: 'webcam' };
    const both = read(JSON.stringify({ components: [webcam, camera('slow', 0.5), camera('fast', 4)] }));
    expect(both.map(({ name, captureHz }) => [name, captureHz])).toEqual([
      ['slow', 0.5],
      ['fast', 4],
    ]);
  });

  it('says why the machine does not build one', () => {
    expect(read(textOf({ camera: 7 }))[0]!.refusal).toContain('camera');
    expect(read(textOf({ camera: 'c', vision_services: [eyes] }))[0]!.refusal).not.toBe('');
  });
});

describe('addFilteredCamera', () => {
  it('adds a data manager and the module once', () => {
    const twice = addFilteredCamera(added.text, settings);
    const { components, services, modules } = JSON.parse(twice.text);
    expect(twice.name).toBe('webcam-filtered-2');
    expect(components.map(({ name }: { name: string }) => name)).toContain('webcam-filtered-2');
    expect(services.filter(({ api }: { api: string }) => api === 'rdk:service:data_manager')).toHaveLength(1);
    expect(modules.filter(({ module_id: id }: { module_id: string }) => id === 'viam:filtered-camera')).toHaveLength(1);
  });
});

describe('edits of a filtered camera', () => {
  const attributes = { camera: 'c', vision_services: [eyes, { ...eyes, inhibit: true }], window_seconds_after: 1 };
  const attributesOf = (text: string) => JSON.parse(text).components[0].attributes;

  it('set a number under the key that is there', () => {
    const edited = setFilterNumber(textOf({ Cooldown_S: 3 }), 'f', 'cooldown_s', 4);
    expect(attributesOf(edited)).toEqual({ Cooldown_S: 4 });
  });

  it('set a line of the service that is meant, and remove it', () => {
    const line = { vision: 'eyes', inhibits: true, kind: 'objects', label: 'cat' } as const;
    const edited = setFilterLine(textOf(attributes), 'f', line, 0.9);
    expect(attributesOf(edited).vision_services).toEqual([
      eyes,
      { vision: 'eyes', objects: { dog: 0.5, cat: 0.9 }, inhibit: true },
    ]);
    expect(setFilterLine(edited, 'f', line, null)).toBe(textOf(attributes));
  });

  it('set the last map of a service, which is the one that the module reads', () => {
    const line = { vision: 'eyes', inhibits: false, kind: 'objects', label: 'dog' } as const;
    const services = [eyes, { vision: 'eyes', objects: { dog: 0.2 } }, { vision: 'eyes', classifications: {} }];
    const [, second, last] = attributesOf(
      setFilterLine(textOf({ ...attributes, vision_services: services }), 'f', line, 0.3),
    ).vision_services;
    expect([second.objects, last.objects]).toEqual([{ dog: 0.3 }, undefined]);
  });

  it('keep the deprecated spelling', () => {
    const line = { vision: 'eyes', inhibits: false, kind: 'objects', label: 'dog' } as const;
    const text = textOf({ camera: 'c', vision: 'eyes', objects: { dog: 0.5 }, window_seconds: 2 });
    expect(attributesOf(setFilterLine(text, 'f', line, 0.3)).objects).toEqual({ dog: 0.3 });
  });

  it.each([
    ['ears', false, { vision: 'ears', objects: { dog: 0.3 } }],
    ['eyes', true, { vision: 'eyes', objects: { dog: 0.3 }, inhibit: true }],
  ])('ask %s, inhibiting: %s, where the camera does not yet', (vision, inhibits, expected) => {
    const text = textOf({ ...attributes, vision_services: [eyes] });
    const line = { vision, inhibits, kind: 'objects', label: 'dog' } as const;
    const edited = setFilterLine(text, 'f', line, 0.3);
    expect(attributesOf(edited).vision_services).toEqual([eyes, expected]);
    expect(setFilterLine(text, 'f', line, null)).toBe(text);
  });

  it('throw where the deprecated spelling has no place for a line', () => {
    const line = { vision: 'eyes', inhibits: true, kind: 'objects', label: 'dog' } as const;
    const text = textOf({ camera: 'c', vision: 'eyes', objects: { dog: 0.5 }, window_seconds: 2 });
    expect(() => setFilterLine(text, 'f', line, 0.3)).toThrow('deprecated spelling');
  });

  it.each([
    ['changes the rate of a capture', captured({ method: 'ReadImage', capture_frequency_hz: 1 }), 'ReadImage'],
    ['adds a capture', {}, 'GetImages'],
  ])('%s', (_, also, method) => {
    const edited = setFilterCapture(textOf(attributes, also), 'f', 5);
    expect(read(edited)[0]).toMatchObject({ captureHz: 5 });
    expect(edited).toContain(`"method":"${method}"`);
  });

  it('throw where there is no such camera', () => {
    expect(() => setFilterNumber('{}', 'f', 'cooldown_s', 1)).toThrow('no filtered camera named "f"');
  });
});
