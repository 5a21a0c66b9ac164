import { describe, expect, it } from 'vitest';
import { outcome, recorderText, type RecorderRow } from './test-recorder.ts';

const code = 'recorder-threshold';
const found = ['warning services[2].attributes.default_minimum_confidence'];

describe(code, () => {
  it.each<RecorderRow>([
    ['below the default', () => {}, []],
    ['at the default', ({ recorder }) => (recorder.attributes['default_minimum_confidence'] = 0.5), found],
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
});
