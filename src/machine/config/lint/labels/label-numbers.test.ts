import { describe, expect, it } from 'vitest';
import { displayPath } from '../../json/json-path.ts';
import type { LintFacts } from '../rule/finding.ts';
import { fixedText, machine } from '../test-samples.ts';
import { lint } from '../lint.ts';

const code = 'label-numbers';
const offered: LintFacts = { vision: { offeredLabels: ['Person', 'broccoli'], modelFileName: 'yolo.onnx' } };

function config(confidences: object, model: object, step: object | null = null): string {
  const camera = { source: 'webcam', pipeline: step ? [{ type: 'detections', attributes: step }] : [{ type: '' }] };
  return machine(
    [{ name: 'tuned', api: 'rdk:component:camera', model: 'transform', attributes: camera }],
    [
      {
        name: 'vision',
        api: 'rdk:service:vision',
        model: 'mlmodel',
        attributes: { mlmodel_name: 'model', label_confidences: confidences },
      },
    ],
    model,
  );
}
const paths = (text: string, facts?: LintFacts): string[] =>
  lint(text, facts)
    .filter((finding) => finding.code === code)
    .map(({ severity, path }) => `${severity} ${displayPath(path)}`);

describe(code, () => {
  it.each([
    ['names and no label file', { person: 0.5, '1': 0.5 }, {}, ['warning services[1].attributes.label_confidences']],
    ['index numbers', { 0: 0.5, 12: 0.5 }, {}, []],
    ['a number that no index is written as', { '01': 0.5 }, {}, ['warning services[1].attributes.label_confidences']],
    ['names and a label file that is not here', { person: 0.5 }, { label_path: '/l.txt' }, []],
    ['an empty label_path', { person: 0.5 }, { label_path: '' }, ['warning services[1].attributes.label_confidences']],
    ['no list', {}, {}, []],
  ])('%s', (_, confidences, model, findings) => {
    expect(paths(config(confidences, model))).toEqual(findings);
  });

  it('reports valid_labels of a step too, and not those of a service that is none of these', () => {
    const step = { detector_name: 'vision', valid_labels: ['person'] };
    const found = ['warning components[1].attributes.pipeline[0].attributes.valid_labels'];
    expect(paths(config({}, {}, step))).toEqual(found);
    expect(paths(config({}, {}, { ...step, valid_labels: ['0', 7] }))).toEqual([]);
    expect(paths(config({}, {}, { ...step, detector_name: 'color' }))).toEqual([]);
  });

  it('names a label file beside the model where the model offers the labels', () => {
    const mended = JSON.parse(fixedText(code, config({ PERSON: 0.5 }, { model_path: '/m/x.onnx' }), offered));
    expect(mended.services[0].attributes).toEqual({ model_path: '/m/x.onnx', label_path: '/m/yolo.labels.txt' });
  });

  it('has no fix where the model does not offer them', () => {
    const text = config({ aeroplane: 0.5 }, {});
    expect(paths(text, offered)).toHaveLength(1);
    expect(fixedText(code, text, offered)).toBe(text);
  });

  it('says nothing where a fragment may bring the model service', () => {
    const { services, ...rest } = JSON.parse(config({ person: 0.5 }, {}));
    const open = { ...rest, services: services.slice(1), fragments: ['x'] };
    expect(paths(JSON.stringify(open))).toEqual([]);
    expect(paths(JSON.stringify({ ...open, fragments: [] }))).toHaveLength(1);
  });
});
