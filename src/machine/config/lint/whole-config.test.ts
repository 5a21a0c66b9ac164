import { describe, expect, it } from 'vitest';
import { displayPath } from '../json/json-path.ts';
import { lint } from './lint.ts';
import { fixedText, machine } from './test-samples.ts';

const camera = (name: string, source: string, ...types: string[]) => ({
  name,
  api: 'rdk:component:camera',
  model: 'transform',
  attributes: { source, pipeline: types.map((type) => ({ type, attributes: { detector_name: 'v', angle_degs: 90 } })) },
});
const vision = (name: string, attributes: object = {}) => ({
  name,
  api: 'rdk:service:vision',
  model: 'mlmodel',
  attributes: { mlmodel_name: 'model', ...attributes },
});
const paths = (code: string, text: string): string[] =>
  lint(text)
    .filter((finding) => finding.code === code)
    .map(({ severity, path }) => `${severity} ${displayPath(path)}`.trim());

describe('config-shape', () => {
  it.each([
    ['a list at the root', '[]', ['error'], '[]'],
    ['services as an object', '{"services":{"name":"v"}}', ['error services'], '{"services":[{"name":"v"}]}'],
    ['an entry that is no object', '{"components":[1]}', ['error components[0]'], '{"components":[]}'],
    ['neither section', '{}', [], '{}'],
  ])('%s', (_, text, findings, afterFix) => {
    expect(paths('config-shape', text)).toEqual(findings);
    expect(fixedText('config-shape', text)).toBe(afterFix);
  });
});

describe('duplicate-key', () => {
  it.each([
    ['{"services":[],"services":[]}', ['warning services'], '{"services":[]}'],
    ['{"a":{"b":1,"c":2,"b":3}}', ['warning a.b'], '{"a":{"c":2,"b":3}}'],
    ['{"a":{"b":1},"b":3}', [], '{"a":{"b":1},"b":3}'],
  ])('%s', (text, findings, afterFix) => {
    expect(paths('duplicate-key', text)).toEqual(findings);
    expect(fixedText('duplicate-key', text)).toBe(afterFix);
  });
});

describe('resource-name', () => {
  it('reports a name that is missing or taken in its kind', () => {
    const text = machine([camera('webcam', 'webcam', 'rotate')], [vision(''), vision('webcam')]);
    expect(paths('resource-name', text)).toEqual(['error components[1].name', 'error services[1].name']);
    const mended = fixedText('resource-name', text);
    expect(paths('resource-name', mended)).toEqual([]);
    expect(mended).toContain('"webcam-2"');
  });
});

describe('camera-draws', () => {
  const drawn = camera('drawn', 'webcam', 'rotate', 'detections');
  const after = camera('after', 'drawn', 'rotate');
  it.each([
    ['a camera that draws', 'drawn', ['warning services[1].attributes.camera_name'], 'webcam'],
    ['a camera behind one that draws', 'after', ['warning services[1].attributes.camera_name'], 'webcam'],
    ['a camera without marks', 'webcam', [], 'webcam'],
  ])('%s', (_, name, findings, afterFix) => {
    const text = machine([drawn, after], [vision('v', { camera_name: name })]);
    expect(paths('camera-draws', text)).toEqual(findings);
    expect(JSON.parse(fixedText('camera-draws', text)).services[1].attributes.camera_name).toBe(afterFix);
  });
});

describe('camera-draws of captures', () => {
  const pipelineOf = camera('drawn', 'webcam', 'detections');
  const captured = (camera_name: unknown, own: string, recorder: object = {}, model = 'mlmodel') => {
    const additional_params = { camera_name, ...recorder };
    const capture_methods = [{ method: 'CaptureAllFromCamera', additional_params }];
    const service_configs = [{ type: 'data_manager', attributes: { capture_methods } }];
    return machine([pipelineOf], [{ ...vision('v', { camera_name: own }), model, service_configs }]);
  };
  const ofCapture =
    'warning services[1].service_configs[0].attributes.capture_methods[0].additional_params.camera_name';
  const ofService = 'warning services[1].attributes.camera_name';
  const recorder = { recorder_of: 'v' };
  it.each([
    ['that draws', captured('drawn', 'webcam'), [ofCapture]],
    ['that draws, as the service', captured('drawn', 'drawn'), [ofService, ofCapture]],
    ['that draws, of a recorder', captured('drawn', 'webcam', recorder), [ofCapture]],
    ['without marks, of a recorder that is asked by the capture only', captured('webcam', 'drawn', recorder), []],
    ['without marks, of a service that others ask', captured('webcam', 'drawn'), [ofService]],
    ['of the recorder itself, which draws', captured('', 'drawn', recorder), [ofService]],
    ['that is no text', captured(1, 'webcam'), []],
    ['that draws, of a service without this model', captured('drawn', 'webcam', {}, 'color'), []],
  ])('reports one %s', (_, text, findings) => {
    expect(paths('camera-draws', text)).toEqual(findings);
    expect(paths('camera-draws', fixedText('camera-draws', text))).toEqual([]);
  });
});

describe('camera-source', () => {
  it('reports every camera of a circle', () => {
    const text = machine([camera('a', 'b', 'rotate'), camera('b', 'a', 'rotate')], []);
    expect(paths('camera-source', text)).toEqual([
      'error components[1].attributes.source',
      'error components[2].attributes.source',
    ]);
  });
});

describe('names that fragments or remotes may bring', () => {
  it.each(['fragments', 'remotes'])('are no errors beside %s', (section) => {
    const config = { ...JSON.parse(machine([], [vision('v', { camera_name: 'far' })])), [section]: ['x'] };
    expect(paths('camera-name', JSON.stringify(config))).toEqual(['warning services[1].attributes.camera_name']);
    expect(paths('mlmodel-name', JSON.stringify({ ...config, services: config.services.slice(1) }))).toEqual([]);
  });
});
