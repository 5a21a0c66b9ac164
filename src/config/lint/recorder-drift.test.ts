import { describe, expect, it } from 'vitest';
import { lint } from './lint.ts';
import { outcome, recorderText, type RecorderRow, type RecorderSample } from './test-recorder.ts';

const code = 'recorder-drift';
const drifted = ['warning services[2]'];
const messageOf = (change: (sample: RecorderSample) => void) =>
  lint(recorderText(change)).find((finding) => finding.code === code)?.message;

describe(code, () => {
  it.each<RecorderRow>([
    ['a copy', () => {}, []],
    ['other thresholds', ({ vision }) => (vision.attributes['Label_Confidences'] = { cat: 0.2 }), []],
    [
      'a key in another case',
      ({ vision }) => {
        delete vision.attributes['camera_name'];
        vision.attributes['Camera_Name'] = 'webcam';
      },
      [],
    ],
    ['another model', ({ vision }) => (vision.attributes['mlmodel_name'] = 'other'), drifted],
    ['an attribute more', ({ recorder }) => (recorder.attributes['input_image_bgr'] = true), drifted],
    ['another camera', ({ params }) => (params['camera_name'] = 'other'), drifted],
    [
      'a camera where the service has none',
      ({ vision, recorder }) => {
        delete vision.attributes['camera_name'];
        delete recorder.attributes['camera_name'];
      },
      [],
    ],
    [
      'a service that names no camera in its text',
      ({ vision, recorder }) => {
        vision.attributes['camera_name'] = '';
        recorder.attributes['camera_name'] = '';
      },
      [],
    ],
    [
      'a service that is gone',
      ({ vision }) => (vision.name = 'renamed'),
      ['warning services[2].service_configs[0].attributes.capture_methods[0].additional_params.recorder_of'],
    ],
  ])('%s', (_, change, found) => {
    expect(outcome(code, recorderText(change))).toEqual({ found, left: 0 });
  });

  it('names what differs, the camera once', () => {
    expect(messageOf(({ vision }) => Object.assign(vision.attributes, { label_path: 'l', camera_name: 'x' }))).toBe(
      'recorder is no copy of vision any more: they differ in camera_name, label_path. What it records is not what vision sees.',
    );
    expect(messageOf(({ params }) => (params['camera_name'] = 'other'))).toContain(
      'differ in the camera that is captured.',
    );
  });
});
