import { describe, expect, it } from 'vitest';
import { listEntries } from './config-entries.ts';
import { nameLabelFile } from '../edit/edit-config.ts';
import { parseDocument } from '../json/json-document.ts';
import { besideModel, labelFileName, labelFileOf } from './label-file.ts';

const config = (vision: object, model: object | null) =>
  JSON.stringify({
    services: [
      { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', ...vision } },
      ...(model ? [{ name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: model }] : []),
    ],
  });
const entriesOf = (text: string) => listEntries(parseDocument(text));
const named = (text: string) => {
  const file = labelFileOf(entriesOf(text), 'v');
  return file && `${file.namedBy.name} ${file.path}`;
};

describe('labelFileOf', () => {
  it.each([
    ['nobody names one', {}, {}, null],
    ['the model service', {}, { label_path: '/m.txt' }, 'm /m.txt'],
    ['the vision service first', { label_path: '/v.txt' }, { label_path: '/m.txt' }, 'v /v.txt'],
    ['an empty path names none', { label_path: '' }, { label_path: '/m.txt' }, 'm /m.txt'],
    ['the vision service, whatever the case of its key', { Label_Path: '/v.txt' }, {}, 'v /v.txt'],
    ['a path that is no text', {}, { label_path: 5 }, null],
    ['the model service is not shown', {}, null, null],
  ])('%s', (_, vision, model, expected) => {
    expect(named(config(vision, model))).toBe(expected);
  });

  it('is null for a service that is not there', () => {
    expect(labelFileOf(entriesOf(config({}, { label_path: '/m.txt' })), 'w')).toBeNull();
  });
});

describe('besideModel', () => {
  it.each([
    [{ model_path: '/home/pi/yolo.onnx' }, '/home/pi/a.txt'],
    [{ model_path: 'C:\\models\\yolo.onnx' }, 'C:\\models\\a.txt'],
    [{ model_path: '${packages.ml_model.yolo}/yolo.onnx' }, 'a.txt'],
    [
      { model_path: '${packages.ml_model.yolo}/yolo.onnx', label_path: '${packages.ml_model.yolo}/a.txt' },
      '${packages.ml_model.yolo}/a.txt',
    ],
    [{ model_path: '${packages.ml_model.yolo}/a.txt' }, '${packages.ml_model.yolo}/a.txt'],
    [{ model_path: '/home/${environment.USER}/yolo.onnx' }, '/home/${environment.USER}/a.txt'],
    [{ model_path: 'yolo.onnx' }, 'a.txt'],
    [{}, 'a.txt'],
    [null, 'a.txt'],
  ])('%j → %s', (model, path) => {
    expect(besideModel(entriesOf(config({}, model)), 'v', 'a.txt')).toBe(path);
  });
});

it.each([
  ['yolo.onnx', 'yolo.labels.txt'],
  ['a.b.onnx', 'a.b.labels.txt'],
  ['.onnx', 'model.labels.txt'],
])('labelFileName(%s) is %s', (model, labels) => {
  expect(labelFileName(model)).toBe(labels);
});

describe('nameLabelFile', () => {
  it.each([
    ['into the model service', {}, {}, 'm /new.txt'],
    ['where the model service names one', {}, { label_path: '/old.txt' }, 'm /new.txt'],
    ['where the vision service names one, which goes first', { label_path: '/old.txt' }, {}, 'v /new.txt'],
    ['into the vision service where no model service is shown', {}, null, 'v /new.txt'],
  ])('writes %s', (_, vision, model, expected) => {
    expect(named(nameLabelFile(config(vision, model), 'v', '/new.txt'))).toBe(expected);
  });

  it.each([
    ['the model service', {}, { label_path: '/m.txt' }],
    ['both', { label_path: '/v.txt' }, { label_path: '/m.txt' }],
    ['neither', {}, {}],
  ])('takes the name away from %s', (_, vision, model) => {
    const text = nameLabelFile(config(vision, model), 'v', '');
    expect(named(text)).toBeNull();
    expect(text).toBe(config({}, {}));
  });
});
