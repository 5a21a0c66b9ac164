import { describe, expect, it } from 'vitest';
import { displayPath } from '../../json/json-path.ts';
import { lint } from '../lint.ts';
import { fixedText, machine, validColor } from '../test-samples.ts';

const code = 'color-score';

/** A transform camera that draws what a service finds, a colour detector `red` or a service with a model. */
function textOf(name: string, type: string, attributes: object): string {
  const key = type === 'detections' ? 'detector_name' : 'classifier_name';
  const pipeline = [{ type, attributes: { [key]: name, ...attributes } }];
  const camera = { name: 'drawn', api: 'rdk:component:camera', model: 'transform' };
  const vision = { api: 'rdk:service:vision' };
  return machine(
    [{ ...camera, attributes: { source: 'webcam', pipeline } }],
    [
      { ...vision, name: 'vision', model: 'mlmodel', attributes: { mlmodel_name: 'model' } },
      { ...vision, name: 'red', model: 'color_detector', attributes: validColor },
    ],
  );
}
const findingsOf = (text: string) => lint(text).filter((finding) => finding.code === code);

describe(code, () => {
  it.each<[title: string, name: string, type: string, attributes: object]>([
    ['no threshold', 'red', 'detections', {}],
    ['a threshold of 0', 'red', 'detections', { confidence_threshold: 0 }],
    ['one above 1, which drops everything', 'red', 'detections', { confidence_threshold: 1.5 }],
    ['one that is no number', 'red', 'detections', { confidence_threshold: '0.5' }],
    ['a service with a model', 'vision', 'detections', { confidence_threshold: 0.5 }],
    ['a service that is not there', 'green', 'detections', { confidence_threshold: 0.5 }],
    ['a step that fails anyway', 'red', 'classifications', { confidence_threshold: 0.5 }],
  ])('leaves alone %s', (_, name, type, attributes) => {
    expect(findingsOf(textOf(name, type, attributes))).toEqual([]);
  });

  it.each([0.5, 1])('finds a threshold of %s, and takes it away', (confidence_threshold) => {
    const text = textOf('red', 'detections', { confidence_threshold });
    expect(findingsOf(text).map(({ severity, path }) => `${severity} ${displayPath(path)}`)).toEqual([
      'info components[1].attributes.pipeline[0].attributes.confidence_threshold',
    ]);
    const after = fixedText(code, text);
    expect(findingsOf(after)).toEqual([]);
    expect(after).not.toContain('confidence_threshold');
  });
});
