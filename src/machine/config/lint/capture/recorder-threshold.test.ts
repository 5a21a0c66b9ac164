import { describe, expect, it } from 'vitest';
import { lint } from '../lint.ts';
import { outcome, recorderText, type RecorderRow } from './test-recorder.ts';
import { fixedText } from '../test-samples.ts';

const code = 'recorder-threshold';
const found = ['warning services[2].attributes.default_minimum_confidence'];

describe(code, () => {
  it.each<RecorderRow>([
    ['below the default', () => {}, []],
    ['at the default', ({ recorder }) => (recorder.attributes['default_minimum_confidence'] = 0.5), found],
    [
      'at the lowest label, without a default',
      ({ vision, recorder }) => {
        delete vision.attributes['default_minimum_confidence'];
        vision.attributes['label_confidences'] = { cat: 0.05 };
        recorder.attributes['default_minimum_confidence'] = 0.05;
      },
      found,
    ],
    ['above a label', ({ vision }) => (vision.attributes['label_confidences'] = { cat: 0.9, dog: 0.04 }), found],
    ['below all labels', ({ vision }) => (vision.attributes['label_confidences'] = { cat: 0.9, dog: 0.06 }), []],
    ['a service that reports everything', ({ vision }) => (vision.attributes['default_minimum_confidence'] = 0), found],
    [
      'both without a filter',
      ({ vision, recorder }) => {
        delete vision.attributes['default_minimum_confidence'];
        recorder.attributes['default_minimum_confidence'] = 0;
      },
      [],
    ],
    [
      'a service that is gone',
      ({ vision, recorder }) => {
        vision.name = 'renamed';
        recorder.attributes['default_minimum_confidence'] = 0.9;
      },
      [],
    ],
  ])('%s', (_, change, expected) => {
    expect(outcome(code, recorderText(change))).toEqual({ found: expected, left: 0 });
  });

  it.each([
    ['alone', { Label_Confidences: { cat: 0.01 } }],
    ['beside a default', { label_confidences: { cat: 0.7, dog: 0.6 }, default_minimum_confidence: 0.9 }],
  ])('warns of a list of labels %s, because the machine drops all others', (_, thresholds) => {
    const text = recorderText(({ recorder }) => {
      delete recorder.attributes['default_minimum_confidence'];
      Object.assign(recorder.attributes, thresholds);
    });
    const list = Object.keys(thresholds)[0]!;
    expect(outcome(code, text)).toEqual({ found: [`warning services[2].attributes.${list}`], left: 0 });
    expect(lint(text).find((finding) => finding.code === code)?.message).toBe(
      'recorder records no label that is not in its label_confidences. One low threshold for all labels records them all.',
    );
    expect(JSON.parse(fixedText(code, text)).services[2].attributes).toEqual({
      mlmodel_name: 'model',
      camera_name: 'webcam',
      default_minimum_confidence: 0.05,
    });
  });

  it('takes an empty list for none', () => {
    const text = recorderText(({ recorder }) => (recorder.attributes['label_confidences'] = {}));
    expect(outcome(code, text)).toEqual({ found: [], left: 0 });
  });
});
