import { describe, expect, it } from 'vitest';
import * as edit from './edit-config.ts';
import { parseMachineConfig } from '../parse/parse-machine-config.ts';
import { sampleConfigText } from '../share/sample-config.ts';

/** Lines of the sample that an edit changed, added or took away. */
function changedLines(text: string): { gone: string[]; come: string[] } {
  const before = sampleConfigText.split('\n');
  const after = text.split('\n');
  return {
    gone: before.filter((line) => !after.includes(line)).map((line) => line.trim()),
    come: after.filter((line) => !before.includes(line)).map((line) => line.trim()),
  };
}
const service = (text: string) => parseMachineConfig(text).config.visionServices[0];
const name = 'detector';

describe('edits of a vision service change their own lines only', () => {
  it.each([
    [
      'the default',
      edit.setDefaultConfidence(sampleConfigText, name, 0.75),
      { gone: ['"default_minimum_confidence": 0.5'], come: ['"default_minimum_confidence": 0.75'] },
    ],
    [
      'the camera',
      edit.setCameraName(sampleConfigText, name, 'webcam'),
      { gone: ['"camera_name": "tuned-camera",'], come: ['"camera_name": "webcam",'] },
    ],
    [
      'no camera',
      edit.setCameraName(sampleConfigText, name, ''),
      { gone: ['"camera_name": "tuned-camera",'], come: [] },
    ],
    [
      'mean and deviation',
      edit.setMeanStd(sampleConfigText, name, [0, 0, 0], [0.5, 0.5, 0.5]),
      { gone: ['"input_image_mean_value": [0.5, 0.5, 0.5],'], come: ['"input_image_mean_value": [0, 0, 0],'] },
    ],
    [
      'BGR',
      edit.setBgr(sampleConfigText, name, true),
      {
        gone: ['"default_minimum_confidence": 0.5'],
        come: ['"default_minimum_confidence": 0.5,', '"input_image_bgr": true'],
      },
    ],
    [
      'how a model is fed and read, at once',
      edit.setModelAttributes(sampleConfigText, name, {
        remapInputNames: { images: 'image' },
        remapOutputNames: { boxes: 'location' },
        boxOrder: [0, 1, 2, 3],
        bgr: true,
        meanValue: [0, 0, 0],
        stdDev: [1, 1, 1],
      }),
      {
        gone: [
          '"input_image_mean_value": [0.5, 0.5, 0.5],',
          '"input_image_std_dev": [0.5, 0.5, 0.5],',
          '"default_minimum_confidence": 0.5',
        ],
        come: [
          '"input_image_mean_value": [0, 0, 0],',
          '"input_image_std_dev": [1, 1, 1],',
          '"default_minimum_confidence": 0.5,',
          '"remap_input_names": {',
          '"images": "image"',
          '},',
          '"remap_output_names": {',
          '"boxes": "location"',
          '},',
          '"xmin_ymin_xmax_ymax_order": [0, 1, 2, 3],',
          '"input_image_bgr": true',
        ],
      },
    ],
    ['what of it is left out', edit.setModelAttributes(sampleConfigText, name, {}), { gone: [], come: [] }],
    ['BGR off, which it is', edit.setBgr(sampleConfigText, name, false), { gone: [], come: [] }],
    [
      'the box order',
      edit.setBoxOrder(sampleConfigText, name, [0, 1, 2, 3]),
      {
        gone: ['"default_minimum_confidence": 0.5'],
        come: ['"default_minimum_confidence": 0.5,', '"xmin_ymin_xmax_ymax_order": [0, 1, 2, 3]'],
      },
    ],
  ])('%s', (_, text, expected) => {
    expect(changedLines(text)).toEqual(expected);
  });

  it('takes the remap away with its last line', () => {
    const remapped = edit.setRemap(sampleConfigText, name, 'output', { boxes: 'location' });
    expect(service(remapped)?.remapOutputNames).toEqual({ boxes: 'location' });
    expect(edit.setRemap(remapped, name, 'output', {})).toBe(sampleConfigText);
  });

  it('edits the key that the machine reads, whatever its case', () => {
    const odd = sampleConfigText.replace('default_minimum', 'Default_Minimum');
    expect(edit.setDefaultConfidence(odd, name, 0.25)).toBe(odd.replace('": 0.5\n', '": 0.25\n'));
  });

  it('says which resource is missing', () => {
    expect(() => edit.setBgr(sampleConfigText, 'nobody', true)).toThrow('no vision service named "nobody"');
  });
});

describe('label confidences', () => {
  it('find a label in any case, and leave a default where it is', () => {
    const one = edit.setLabelConfidence(sampleConfigText, name, 'Dog', 0.4);
    const two = edit.setLabelConfidence(edit.setLabelConfidence(one, name, 'cat', 0.3), name, 'DOG', 0.6);
    expect(service(two)?.labelConfidences).toEqual({ Dog: 0.6, cat: 0.3 });
    expect(service(two)?.defaultMinimumConfidence).toBe(0.5);
  });

  it('are of another label where only Unicode folding, which is for keys, would make it the same', () => {
    const one = edit.setLabelConfidence(sampleConfigText, name, 'bus', 0.4);
    expect(service(edit.setLabelConfidence(one, name, 'bu\u017f', 0.3))?.labelConfidences).toEqual({
      bus: 0.4,
      'bu\u017f': 0.3,
    });
  });

  it('go away with the last label', () => {
    const one = edit.setLabelConfidence(sampleConfigText, name, 'dog', 0.4);
    expect(edit.setLabelConfidence(one, name, 'dog', null)).not.toContain('label_confidences');
    const all = edit.setAllLabelConfidences(sampleConfigText, name, { dog: 0.4, cat: 0.5 });
    expect(service(all)?.labelConfidences).toEqual({ dog: 0.4, cat: 0.5 });
    expect(edit.setAllLabelConfidences(all, name, {})).toBe(sampleConfigText);
  });

  it.each([
    ['all of them stay', { a: 10, b: 100, c: 1 }, '{"a":1.0e1, "b" : 100.00,\t"c":1}'],
    ['one changes', { a: 10, b: 100, c: 0.5 }, '{"a":1.0e1, "b" : 100.00,\t"c":0.5}'],
    ['the first goes', { b: 100, c: 1 }, '{"b" : 100.00,\t"c":1}'],
    ['one in the middle goes', { a: 10, c: 1 }, '{"a":1.0e1,\t"c":1}'],
    ['the last two go', { a: 10 }, '{"a":1.0e1}'],
    ['one goes, one changes, and two come', { b: 2, c: 1, d: 0.1, e: 0.2 }, '{"b" : 2,\t"c":1, "d": 0.1, "e": 0.2}'],
    ['the last goes, and one comes', { a: 10, b: 100, d: 0.1 }, '{"a":1.0e1, "b" : 100.00, "d": 0.1}'],
    ['none of them stays', { d: 0.1 }, '{ "d": 0.1 }'],
  ])('keep every character of those that stay: %s', (_, labels, expected) => {
    const given = '{"a":1.0e1, "b" : 100.00,\t"c":1}';
    const of = (list: string): string =>
      sampleConfigText.replace('"default_minimum_confidence": 0.5', `"label_confidences": ${list}`);
    expect(edit.setAllLabelConfidences(of(given), name, labels)).toBe(of(expected));
  });

  it('taking off a label that is not there changes nothing', () => {
    expect(edit.setLabelConfidence(sampleConfigText, name, 'dog', null)).toBe(sampleConfigText);
  });
});

describe('new resources', () => {
  it('are buildable and leave the others as they were', () => {
    const camera = edit.addTransformCamera(sampleConfigText, { name: 'second', source: 'webcam' });
    const { config, problems } = parseMachineConfig(camera);
    expect(problems).toEqual([]);
    expect(config.cameras.map((entry) => entry.name)).toEqual(['webcam', 'tuned-camera', 'second']);
    expect(config.visionServices).toEqual(parseMachineConfig(sampleConfigText).config.visionServices);
  });

  it('start a configuration from nothing', () => {
    const text = edit.addTransformCamera('{}', { name: 'c', source: 'webcam' });
    expect(parseMachineConfig(text).config.cameras).toHaveLength(1);
  });

  it.each([
    ['v', 'v'],
    ['webcam', 'webcam-2'],
  ])('get a free name: %s → %s', (wanted, expected) => {
    expect(edit.freeName(sampleConfigText, wanted)).toBe(expected);
  });
});
