import { describe, expect, it } from 'vitest';
import { displayPath } from '../json/json-path.ts';
import { parseMachineConfig, refusalsOfAll } from './parse-machine-config.ts';

describe('what makes the machine refuse the whole configuration', () => {
  const source = { name: 'c', api: 'rdk:component:camera', model: 'webcam' };
  const good = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } };
  const refused = (component: unknown): string[] => {
    const parsed = parseMachineConfig(JSON.stringify({ components: [component], services: [good] }));
    expect(parsed.config.visionServices).toHaveLength(1); // the rest runs on
    return refusalsOfAll(parsed).map(({ path }) => displayPath(path));
  };
  const transform = (attributes: unknown): unknown => ({ ...source, model: 'transform', attributes });
  const step = (raw: unknown): unknown => transform({ source: 'w', pipeline: [raw] });

  it.each<[string, unknown, string[]]>([
    ['an attribute of a transform camera', transform({ source: 5, pipeline: [{}] }), ['attributes.source']],
    [
      'intrinsic parameters',
      transform({ source: 'w', pipeline: [{}], intrinsic_parameters: { width_px: '640' } }),
      ['attributes.intrinsic_parameters.width_px'],
    ],
    [
      'distortion parameters',
      transform({ source: 'w', pipeline: [{}], distortion_parameters: { rk1: '0' } }),
      ['attributes.distortion_parameters.rk1'],
    ],
    ['the type of a step', step({ type: 5 }), ['attributes.pipeline[0].type']],
    [
      'a step whose attributes are no object',
      step({ type: 'crop', attributes: 5 }),
      ['attributes.pipeline[0].attributes'],
    ],
    ['attributes that are no object', transform([1]), ['attributes']],
    ['those of any resource', { ...source, model: 'acme:cam:one', attributes: [1] }, ['attributes']],
    ['an attribute of a webcam', { ...source, attributes: { width_px: '640' } }, ['attributes.width_px']],
    ['of a fake camera', { ...source, model: 'rdk:builtin:fake', attributes: { width: '640' } }, ['attributes.width']],
    [
      'of an image_file camera',
      { ...source, model: 'image_file', attributes: { color_image_file_path: 5 } },
      ['attributes.color_image_file_path'],
    ],
    ['a name that is no text', { ...source, name: 5 }, ['name']],
    ['depends_on that is no list', { ...source, depends_on: 'x' }, ['depends_on']],
    ['depends_on with a number', { ...source, depends_on: ['x', 1] }, ['depends_on']],
  ])('%s', (_, component, paths) => {
    expect(refused(component)).toEqual(paths.map((path) => `components[0].${path}`));
  });

  it.each([
    [
      'what stands in the attributes of a step: it fails with the camera',
      step({ type: 'resize', attributes: { width_px: '640' } }),
    ],
    ['an empty pipeline', transform({ source: 'w', pipeline: [] })],
    ['a negative size', transform({ source: 'w', pipeline: [{}], intrinsic_parameters: { width_px: -1 } })],
    ['attributes of a module', { ...source, model: 'acme:cam:one', attributes: { width_px: '640' } }],
    ['null anywhere', { ...source, attributes: { width_px: null }, depends_on: null, namespace: null }],
  ])('is not %s', (_, component) => {
    expect(refused(component)).toEqual([]);
  });

  it('is a section that is no list', () => {
    expect(refusalsOfAll(parseMachineConfig('{"services":{}}'))).toHaveLength(1);
  });
});

describe('camera_name', () => {
  const web = { name: 'web', api: 'rdk:component:camera', model: 'webcam' };
  const transform = (name: string, source: string, pipeline: unknown[] = [{}]) => ({
    name,
    api: 'rdk:component:camera',
    model: 'transform',
    attributes: { source, pipeline },
  });
  const built = (cameraName: string, rest: object) => {
    const attributes = { mlmodel_name: 'm', Camera_Name: cameraName };
    const service = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes };
    const { config, problems } = parseMachineConfig(JSON.stringify({ services: [service], ...rest }));
    const [problem] = problems.filter(({ resource }) => resource === 'v');
    return config.visionServices.length === 1 ? 'built' : `${problem?.code} ${displayPath(problem?.path ?? [])}`;
  };
  const missing = 'no-such-camera services[0].attributes.Camera_Name';

  it.each([
    ['a camera', 'web', { components: [web] }, 'built'],
    ['none', '', { components: [] }, 'built'],
    ['a transform camera', 't', { components: [transform('t', 'web'), web] }, 'built'],
    ['a camera that does not exist', 'zz', { components: [web] }, missing],
    ['one that cannot be built', 't', { components: [web, transform('t', 'web', [])] }, missing],
    ['one whose source does not exist', 't', { components: [transform('t', 'zz')] }, missing],
    ['one of a circle', 't', { components: [transform('t', 'u'), transform('u', 't')] }, missing],
    ['what a fragment may bring', 'zz', { components: [web], fragments: ['x'] }, 'built'],
    ['what a remote may bring', 'zz', { components: [web], remotes: [{}] }, 'built'],
    ['what a part does not show', 'zz', {}, 'built'],
  ])('%s', (_, cameraName, rest, expected) => {
    expect(built(cameraName, rest)).toBe(expected);
  });
});
