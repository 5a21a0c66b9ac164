import { describe, expect, it } from 'vitest';
import { parseDocument, valueAt } from '../../json/json-document.ts';
import type { ServiceFacts } from '../rule/finding.ts';
import { lint } from '../lint.ts';
import { fixedText, machine, tensor, visionSample } from '../test-samples.ts';

const code = 'other-model';
const model = { fileName: 'yolox.onnx' };

function textOf(modelPath: string, ...more: readonly object[]): string {
  const service = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'model' } };
  return machine([], [service, ...more], { model_path: modelPath });
}

const found = (text: string, facts: ServiceFacts, more = {}) =>
  lint(text, { v: facts, ...more })
    .filter((finding) => finding.code === code)
    .map(({ pointer, severity, message, fix }) => ({ pointer, severity, message, mend: fix?.title }));

const differs = {
  pointer: '/services/0/attributes/model_path',
  severity: 'warning',
  message:
    'The configuration describes people.onnx; the model here is yolox.onnx. What is set for one model is seldom right for another.',
  mend: 'Name yolox.onnx',
};

describe(code, () => {
  it.each([
    ['the file that runs', '/m/yolox.onnx', { modelFileName: model.fileName }],
    ['a model of which nothing is known', '/m/people.onnx', {}],
    [
      'the file that runs under another name',
      '/m/a.onnx',
      { modelFileName: 'b.onnx', modelSha256: '1', modelMeant: { path: '/m/a.onnx', sha256: '1' } },
    ],
  ])('is silent for %s', (_, path, facts) => {
    expect(found(textOf(path), facts)).toEqual([]);
  });

  it('names both files, and writes the one that runs', () => {
    const text = textOf('/m/people.onnx');
    const facts = { modelFileName: model.fileName };
    expect(found(text, facts)).toEqual([differs]);
    const mended = parseDocument(fixedText(code, text, { v: facts }));
    expect(valueAt(mended, ['services', 0, 'attributes', 'model_path'])).toBe('/m/yolox.onnx');
  });

  it('says it once for two services that run one model service', () => {
    const other = { name: 'w', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'model' } };
    const facts = { modelFileName: model.fileName };
    expect(found(textOf('/m/people.onnx', other), facts, { w: facts })).toEqual([differs]);
    expect(found(textOf('/m/people.onnx', other), facts, { w: { modelFileName: 'people.onnx' } })).toEqual([differs]);
  });

  it('goes by the hash that is known of a path, and not of another path', () => {
    const facts = {
      modelFileName: 'people.onnx',
      modelSha256: '1',
      modelMeant: { path: '/m/people.onnx', sha256: '2' },
    };
    const [finding] = found(textOf('/m/people.onnx'), facts);
    expect(finding).toMatchObject({ message: expect.stringContaining('the bytes of the file are others') as string });
    expect(finding?.mend).toBeUndefined();
    expect(found(textOf('/other/people.onnx'), facts)).toEqual([]);
  });

  it('stands at mlmodel_name where the text does not show the model service', () => {
    const { text } = visionSample({ mlmodel_name: 'gone', remap_output_names: { dets: 'location' } });
    const facts = { vision: { modelFileName: 'yolox.onnx', outputs: [tensor('boxes', 1, 9, 4)] } };
    const [finding] = lint(text, facts).filter((one) => one.code === code);
    expect(finding).toMatchObject({ pointer: '/services/1/attributes/mlmodel_name', severity: 'warning' });
    expect(finding?.message).toContain(
      'The configuration describes another model; the model here is yolox.onnx, and it has no output "dets"',
    );
  });
});
