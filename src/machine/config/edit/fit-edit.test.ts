import { describe, expect, it } from 'vitest';
import { writeFitted, type FittedEntries } from './fit-edit.ts';
import { parseMachineConfig } from '../parse/parse-machine-config.ts';

const bytes: FittedEntries = {
  services: [
    {
      name: 'm',
      api: 'rdk:service:mlmodel',
      model: 'viam:mlmodel:onnx-cpu',
      attributes: { model_path: 'net.fitted.onnx', label_path: 'net.fitted.labels.txt' },
    },
    {
      name: 'v',
      api: 'rdk:service:vision',
      model: 'mlmodel',
      attributes: { mlmodel_name: 'm', input_image_bgr: true, default_minimum_confidence: 0.25 },
    },
  ],
};
const place = {
  vision: 'eye',
  modelFile: 'net.fitted.onnx',
  labelFile: 'net.fitted.labels.txt',
  labels: ['Cat', 'dog'],
};

const textOf = (eye: object, model: object | null = { model_path: '/models/old.tflite' }, rest: object = {}) =>
  JSON.stringify({
    ...rest,
    services: [
      ...(model
        ? [{ name: 'net', api: 'rdk:service:mlmodel', model: 'viam:mlmodel-tflite:tflite_cpu', attributes: model }]
        : []),
      { name: 'eye', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'net', ...eye } },
    ],
  });
const servicesOf = (text: string) =>
  (JSON.parse(text) as { services: { name: string; model: string; attributes: object }[] }).services;
const attributesOf = (text: string, name: string) => servicesOf(text).find((entry) => entry.name === name)?.attributes;

describe('writing a fitted model into a configuration', () => {
  it('leaves labels and thresholds alone where the same model was written anew', () => {
    const eye = { label_path: 'mine.txt', default_minimum_confidence: 0.6, input_image_std_dev: [1, 1, 1] };
    const edited = writeFitted(textOf(eye), bytes, { ...place, isSameModel: true });
    expect(attributesOf(edited, 'eye')).toEqual({
      mlmodel_name: 'net',
      label_path: 'mine.txt',
      default_minimum_confidence: 0.6,
      input_image_bgr: true,
    });
    expect(attributesOf(edited, 'net')).toMatchObject({ model_path: '/models/net.fitted.onnx' });
  });

  it('replaces the model and what said how the former one was fed and read', () => {
    const eye = {
      camera_name: 'cam',
      input_image_mean_value: [1, 2, 3],
      input_image_std_dev: [1, 1, 1],
      xmin_ymin_xmax_ymax_order: [1, 0, 3, 2],
      remap_input_names: { x: 'image' },
      remap_output_names: {},
    };
    const edited = writeFitted(textOf(eye), bytes, place);
    expect(servicesOf(edited)[0]).toEqual({
      name: 'net',
      api: 'rdk:service:mlmodel',
      model: 'viam:mlmodel:onnx-cpu',
      attributes: { model_path: '/models/net.fitted.onnx', label_path: '/models/net.fitted.labels.txt' },
    });
    expect(attributesOf(edited, 'eye')).toEqual({
      mlmodel_name: 'net',
      camera_name: 'cam',
      input_image_bgr: true,
      default_minimum_confidence: 0.25,
    });
    expect(parseMachineConfig(edited).problems).toEqual([]);
  });

  it('names no labels where the classes have no names', () => {
    const before = textOf({ label_path: 'mine.txt' }, { model_path: 'old.onnx', label_path: 'old.txt' });
    const edited = writeFitted(before, bytes, { ...place, labelFile: null, labels: null });
    expect(edited).not.toContain('label_path');
  });

  it.each([
    ['a minimum of another model', { default_minimum_confidence: 0.6 }, { default_minimum_confidence: 0.25 }],
    ['a minimum of 0', { default_minimum_confidence: 0 }, { default_minimum_confidence: 0.25 }],
    ['a list with one of its labels', { label_confidences: { cat: 0.3 } }, { label_confidences: { cat: 0.3 } }],
    ['a list of another model', { label_confidences: { face: 0.3 } }, { default_minimum_confidence: 0.25 }],
  ])('leaves what shows its boxes, of %s', (_, eye, expected) => {
    const { mlmodel_name, input_image_bgr, label_path, ...kept } = attributesOf(
      writeFitted(textOf(eye), bytes, place),
      'eye',
    ) as Record<string, unknown>;
    expect([mlmodel_name, input_image_bgr, label_path, kept]).toEqual(['net', true, undefined, expected]);
  });

  it('leaves a minimum that was chosen for a file of the same name', () => {
    const before = textOf({ default_minimum_confidence: 0.6 }, { model_path: '/models/net.fitted.onnx' });
    const edited = writeFitted(before, bytes, place);
    expect(attributesOf(edited, 'eye')).toMatchObject({ default_minimum_confidence: 0.6 });
  });

  it('adds the model service that a whole configuration lacks', () => {
    const edited = writeFitted(textOf({}, null, { components: [] }), bytes, place);
    expect(attributesOf(edited, 'net')).toEqual({ model_path: 'net.fitted.onnx', label_path: 'net.fitted.labels.txt' });
    expect(attributesOf(edited, 'eye')).toMatchObject({ mlmodel_name: 'net' });
  });

  it('adds none that a part may have elsewhere', () => {
    const edited = writeFitted(textOf({}, null), bytes, place);
    expect(servicesOf(edited).map(({ name }) => name)).toEqual(['eye']);
    expect(attributesOf(edited, 'eye')).toMatchObject({ label_path: 'net.fitted.labels.txt' });
  });

  it('adds both services where there is no vision service, under names that are free', () => {
    const edited = writeFitted('{"services": [{"name": "m", "api": "x:y:z"}]}', bytes, place);
    expect(servicesOf(edited).map(({ name }) => name)).toEqual(['m', 'm-2', 'v']);
    expect(attributesOf(edited, 'v')).toMatchObject({ mlmodel_name: 'm-2' });
    expect(parseMachineConfig(edited).config.visionServices).toHaveLength(1);
  });
});
