import type { TensorInfo } from '../vision/tensor/tensor.ts';
import { describe, expect, it } from 'vitest';
import { listEntries } from './parse/config-entries.ts';
import { describesModel, otherModelWords, type MeantModel, type RunningModel } from './describes-model.ts';
import { parseDocument } from './json/json-document.ts';
import { tensor } from './lint/test-samples.ts';

const people = '/models/people.onnx';

function match(modelPath: unknown, model: RunningModel, meant?: MeantModel, attributes: object = {}) {
  const services = [
    { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: { model_path: modelPath } },
    { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', ...attributes } },
  ];
  const found = describesModel(listEntries(parseDocument(JSON.stringify({ services }))), 'v', model, meant);
  return found.says === 'differs' ? otherModelWords(found, 'on the stage is') : [found.says, 'by' in found && found.by];
}

const boxes: readonly TensorInfo[] = [tensor('boxes', 1, 9, 4)];
const scores: readonly TensorInfo[] = [tensor('scores', 1, 9)];
const yolox = { fileName: 'yolox.onnx' };

describe('by the name of the file', () => {
  it.each([
    [people, 'people.onnx'],
    ['people.onnx', 'people.onnx'],
    ['C:\\models\\people.onnx', 'people.onnx'],
    ['${packages.ml_model.people}/people.onnx', 'people.onnx'],
    ['/m/caf\u00e9.onnx', 'cafe\u0301.onnx'],
  ])('%s describes %s', (path, fileName) => {
    expect(match(path, { fileName })).toEqual(['same', 'file-name']);
  });

  it.each([people, 'C:\\models\\people.onnx', '${packages.ml_model.people}/people.onnx'])(
    '%s does not describe another file, whatever else is alike',
    (path) => {
      const words = 'The configuration describes people.onnx; on the stage is yolox.onnx.';
      expect(match(path, { ...yolox, outputs: boxes }, { outputs: boxes })).toBe(words);
    },
  );

  it('is taken back by tensors and classes that are known to be others', () => {
    const model = { fileName: 'people.onnx', inputs: scores, outputs: boxes, classCount: 80 };
    expect(match(people, model, { inputs: scores, outputs: boxes, classCount: 81 })).toEqual(['same', 'file-name']);
    expect(match(people, model, { classCount: 2 })).toBe(
      'The configuration describes another people.onnx; on the stage is people.onnx, and it has 80 classes instead of 2.',
    );
    expect(match(people, model, { inputs: [tensor('scores', 1, 320)], outputs: scores })).toBe(
      'The configuration describes another people.onnx; on the stage is people.onnx, and ' +
        'its input "scores" is float32 1×9 instead of float32 1×320, it has no output "scores" (it has boxes).',
    );
    expect(match(people, model, { inputs: [tensor('scores', 1, -1)] })).toEqual(['same', 'file-name']);
  });

  it('holds beside a remap of a tensor that the file lacks, which is a mistake of its own', () => {
    const attributes = { remap_output_names: { bxes: 'location' } };
    expect(match(people, { fileName: 'people.onnx', outputs: boxes }, {}, attributes)).toEqual(['same', 'file-name']);
  });
});

describe('by the hash', () => {
  it('holds under another name', () => {
    expect(match(people, { ...yolox, sha256: 'ab' }, { sha256: 'ab' })).toEqual(['same', 'hash']);
  });

  it('differs under the same name', () => {
    expect(match(people, { fileName: 'people.onnx', sha256: 'ab' }, { sha256: 'cd' })).toBe(
      'The configuration describes another people.onnx; on the stage is people.onnx, and the bytes of the file are others.',
    );
    expect(match(people, { ...yolox, sha256: 'ab' }, { sha256: 'cd' })).toBe(
      'The configuration describes people.onnx; on the stage is yolox.onnx.',
    );
  });

  it('needs both', () => {
    expect(match(people, { fileName: 'people.onnx', sha256: 'ab' })).toEqual(['same', 'file-name']);
    expect(match(people, { fileName: 'people.onnx', sha256: '' }, { sha256: 'cd' })).toEqual(['same', 'file-name']);
  });
});

describe.each([undefined, 7, '', '/models/', '${packages.ml_model.people}'])('without a file, as in %j', (path) => {
  it('cannot tell where nothing is known', () => {
    expect(match(path, yolox)).toEqual(['cannot-tell', false]);
    expect(match(path, { ...yolox, outputs: boxes }, {}, { remap_output_names: { boxes: 'location' } })).toEqual([
      'cannot-tell',
      false,
    ]);
  });

  it('goes by the tensors that are remapped', () => {
    const attributes = { remap_output_names: { dets: 'location' } };
    expect(match(path, { ...yolox, outputs: boxes }, {}, attributes)).toBe(
      'The configuration describes another model; on the stage is yolox.onnx, and it has no output "dets" (it has boxes).',
    );
    expect(match(path, yolox, {}, attributes)).toEqual(['cannot-tell', false]);
  });

  it('goes by what is known of the model that is meant', () => {
    const known = { inputs: scores, outputs: boxes };
    expect(match(path, { ...yolox, ...known }, known)).toEqual(['same', 'structure']);
    expect(match(path, { ...yolox, ...known }, { outputs: boxes })).toEqual(['cannot-tell', false]);
    expect(match(path, { fileName: '', ...known }, { classCount: 3 })).toEqual(['cannot-tell', false]);
    expect(match(path, { fileName: '', ...known, classCount: 9 }, { classCount: 3 })).toBe(
      'The configuration describes another model; on the stage is a model of a machine, and it has 9 classes instead of 3.',
    );
  });
});

it('says nothing of a service or a model service that the text does not show', () => {
  const entries = listEntries(parseDocument('{}'));
  expect(describesModel(entries, 'v', yolox)).toEqual({ says: 'cannot-tell', meant: '' });
});
