import { describe, expect, it } from 'vitest';
import { displayPath } from '../json/json-path.ts';
import { parseMachineConfig } from './parse-machine-config.ts';

const vision = (attributes: unknown): string =>
  JSON.stringify({ services: [{ name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes }] });

const camera = (attributes: unknown): string =>
  JSON.stringify({ components: [{ name: 't', api: 'rdk:component:camera', model: 'transform', attributes }] });

const steps = (...pipeline: unknown[]): string => camera({ source: 'cam', pipeline });

describe('parseMachineConfig', () => {
  it('reads a vision service with every attribute', () => {
    const { config, problems } = parseMachineConfig(
      vision({
        mlmodel_name: 'm',
        camera_name: 'c',
        remap_input_names: { input: 'image' },
        remap_output_names: { boxes: 'location' },
        xmin_ymin_xmax_ymax_order: [0, 1, 2, 3],
        input_image_mean_value: [0, 0, 0, 9],
        input_image_std_dev: [1, 1, 1],
        input_image_bgr: true,
        default_minimum_confidence: 1.5,
        label_confidences: { Dog: 0.4 },
        label_path: '/l.txt',
      }),
    );
    expect(problems).toEqual([]);
    expect(config.visionServices).toEqual([
      {
        name: 'v',
        mlModelName: 'm',
        cameraName: 'c',
        remapInputNames: { input: 'image' },
        remapOutputNames: { boxes: 'location' },
        boxOrder: [0, 1, 2, 3],
        meanValue: [0, 0, 0, 9],
        stdDev: [1, 1, 1],
        bgr: true,
        defaultMinimumConfidence: 1.5,
        labelConfidences: { Dog: 0.4 },
        labelPath: '/l.txt',
      },
    ]);
  });

  it('fills in what the machine fills in', () => {
    const [service] = parseMachineConfig(vision({ mlmodel_name: 'm', input_image_std_dev: [] })).config.visionServices;
    expect(service).toMatchObject({
      cameraName: '',
      boxOrder: null,
      meanValue: [0.5, 0.5, 0.5],
      stdDev: [0.5, 0.5, 0.5],
      bgr: false,
      defaultMinimumConfidence: 0,
      labelConfidences: {},
    });
  });

  it.each([
    ['no model', {}, ['no-model attributes.mlmodel_name']],
    [
      'too few means',
      { mlmodel_name: 'm', input_image_mean_value: [1, 2] },
      ['too-few-channels attributes.input_image_mean_value'],
    ],
    [
      'a zero deviation',
      { mlmodel_name: 'm', input_image_std_dev: [1, 0, 1] },
      ['zero-deviation attributes.input_image_std_dev'],
    ],
    [
      'a box order with a gap',
      { mlmodel_name: 'm', xmin_ymin_xmax_ymax_order: [0, 1, 2] },
      ['bad-box-order attributes.xmin_ymin_xmax_ymax_order'],
    ],
    ['a wrong type', { mlmodel_name: 5 }, ['bad-attributes attributes.mlmodel_name']],
    [
      "several, in the machine's order",
      { input_image_std_dev: [0], input_image_mean_value: [1] },
      [
        'no-model attributes.mlmodel_name',
        'too-few-channels attributes.input_image_mean_value',
        'too-few-channels attributes.input_image_std_dev',
        'zero-deviation attributes.input_image_std_dev',
      ],
    ],
  ])('refuses a vision service with %s', (_, attributes, expected) => {
    const { config, problems } = parseMachineConfig(vision(attributes));
    expect(config.visionServices).toEqual([]);
    expect(problems.map(({ code, path }) => `${code} ${displayPath(path.slice(2))}`)).toEqual(expected);
    expect(problems.every(({ resource }) => resource === 'v')).toBe(true);
  });

  it.each([
    ['no angle', { type: 'rotate' }, { type: 'rotate', attributes: { angleDegs: 180 } }],
    [
      'null for an angle',
      { type: 'rotate', attributes: { angle_degs: null } },
      { type: 'rotate', attributes: { angleDegs: 0 } },
    ],
    [
      'angle_deg',
      { type: 'rotate', attributes: { angle_deg: 90 } },
      { type: 'rotate', attributes: { angleDegs: 180 } },
    ],
    [
      'Angle_Degs',
      { type: 'rotate', attributes: { Angle_Degs: 90 } },
      { type: 'rotate', attributes: { angleDegs: 180 } },
    ],
    [
      'an angle',
      { type: 'rotate', attributes: { angle_degs: -30.5 } },
      { type: 'rotate', attributes: { angleDegs: -30.5 } },
    ],
    ['no type', {}, { type: '' }],
    [
      'a crop with missing edges',
      { type: 'crop', attributes: { x_max_px: 0.5, y_max_px: 1 } },
      { type: 'crop', attributes: { xMin: 0, yMin: 0, xMax: 0.5, yMax: 1, overlayCropBox: false } },
    ],
    [
      'a size in fractions',
      { type: 'resize', attributes: { width_px: 4.9, height_px: 3 } },
      { type: 'resize', attributes: { widthPx: 4, heightPx: 3 } },
    ],
    [
      'detections',
      { type: 'detections', attributes: { detector_name: 'v', valid_labels: ['dog'] } },
      { type: 'detections', attributes: { serviceName: 'v', confidenceThreshold: 0, validLabels: ['dog'] } },
    ],
    [
      'classifications',
      { type: 'classifications', attributes: { classifier_name: 'v', max_classifications: 2.9 } },
      {
        type: 'classifications',
        attributes: { serviceName: 'v', confidenceThreshold: 0, maxClassifications: 2, validLabels: [] },
      },
    ],
  ])('reads a step with %s', (_, step, expected) => {
    const { config, problems } = parseMachineConfig(steps(step));
    expect(problems).toEqual([]);
    expect(config.cameras[0]).toMatchObject({ kind: 'transform', source: 'cam', pipeline: [expected] });
  });

  it.each([
    ['a negative edge', { type: 'crop', attributes: { x_min_px: -1, x_max_px: 5, y_max_px: 5 } }, 'negative'],
    ['no width', { type: 'crop', attributes: { x_min_px: 5, x_max_px: 5, y_max_px: 5 } }, '0 width'],
    ['no height', { type: 'crop', attributes: { x_max_px: 5 } }, '0 height'],
    ['a resize to 0', { type: 'resize', attributes: { height_px: 5 } }, 'width'],
    ['a negative resize', { type: 'resize', attributes: { width_px: 5, height_px: -5 } }, 'height'],
    ['an unknown step', { type: 'sepia' }, 'unknown transform'],
    ['a removed step', { type: 'undistort' }, 'unknown transform'],
    ['a negative count', { type: 'classifications', attributes: { max_classifications: -1 } }, 'overflows uint'],
  ])('refuses a camera with %s', (_, step, fragment) => {
    const { config, problems } = parseMachineConfig(steps({ type: '' }, step));
    expect(config.cameras).toEqual([]);
    expect(problems[0]?.message).toContain(fragment);
    expect(displayPath(problems[0]?.path ?? [])).toContain('components[0].attributes.pipeline[1]');
  });

  it.each([
    ['an empty pipeline', { source: 'c', pipeline: [] }, 'pipeline has no transforms'],
    ['no source', { pipeline: [{}] }, 'no source camera'],
    ['a negative size', { source: 'c', pipeline: [{}], intrinsic_parameters: { width_px: -1 } }, 'negative dimensions'],
  ])('refuses a camera with %s', (_, attributes, fragment) => {
    expect(
      parseMachineConfig(camera(attributes))
        .problems.map(({ message }) => message)
        .join(),
    ).toContain(fragment);
  });

  it('reads the camera model as configured', () => {
    const attributes = {
      source: 'c',
      pipeline: [{}],
      intrinsic_parameters: { width_px: 4, fx: 1.5 },
      distortion_parameters: { tp2: 0.1 },
    };
    expect(parseMachineConfig(camera(attributes)).config.cameras[0]).toMatchObject({
      intrinsics: { widthPx: 4, heightPx: 0, fx: 1.5, fy: 0, ppx: 0, ppy: 0 },
      distortion: { rk1: 0, rk2: 0, rk3: 0, tp1: 0, tp2: 0.1 },
    });
  });

  it('knows resources by api, by the older type, and by their full model name', () => {
    const { entries } = parseMachineConfig(`{
      "components": [
        { "name": "a", "type": "camera", "model": "rdk:builtin:transform" },
        { "name": "b", "api": "rdk:component:camera", "model": "viam:camera:realsense" },
        { "name": "c", "type": "arm", "model": "transform" }
      ],
      "services": [
        { "name": "d", "type": "vision", "namespace": "rdk", "model": "rdk:builtin:mlmodel" },
        { "name": "e", "api": "rdk:service:vision", "model": "color_detector" },
        { "name": "f", "type": "mlmodel", "model": "tflite_cpu" }
      ]
    }`);
    expect(entries.map(({ kind, name }) => `${name} ${kind}`)).toEqual([
      'a transform-camera',
      'b source-camera',
      'c other',
      'd mlmodel-vision',
      'e color-detector',
      'f mlmodel',
    ]);
  });

  it('keeps the good resources beside a bad one, and what can be read around a mistake', () => {
    const text = `{ // note
      "components": [ { "name": "cam", "type": "camera", "model": "webcam" }, 5 ],
      "services": [
        { "name": "bad", "type": "vision", "model": "mlmodel" },
        { "name": "good", "type": "vision", "model": "mlmodel", "attributes": { "mlmodel_name": "m", } }
      ]
    }`;
    const { config, problems, syntaxErrors } = parseMachineConfig(text);
    expect(config.cameras.map(({ name }) => name)).toEqual(['cam']);
    expect(config.visionServices.map(({ name }) => name)).toEqual(['good']);
    expect(problems.map(({ code }) => code)).toEqual(['bad-shape', 'no-model']);
    expect(syntaxErrors.length).toBeGreaterThan(0);
  });

  it.each(['', '[]', 'nonsense', '{"components": 5}'])('reports %j as no configuration', (text) => {
    expect(parseMachineConfig(text).problems[0]).toMatchObject({ code: 'bad-shape' });
  });
});
