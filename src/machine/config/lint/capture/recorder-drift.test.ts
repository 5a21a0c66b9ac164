import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../json/json-document.ts';
import { recorders } from '../../edit/recorder.ts';
import { applyFix } from '../apply-fix.ts';
import { lint } from '../lint.ts';
import { outcome, recorderText, type RecorderRow, type RecorderSample } from './test-recorder.ts';
import { fixedText } from '../test-samples.ts';

const code = 'recorder-drift';
const drifted = ['warning services[2]'];
const messageOf = (change: (sample: RecorderSample) => void) =>
  lint(recorderText(change)).find((finding) => finding.code === code)?.message;

/** Gives the service a camera that draws, and records another. */
function draw({ vision, recorder, params, config }: RecorderSample, recorded: string): void {
  const pipeline = [{ type: 'detections', attributes: { detector_name: 'vision' } }];
  const attributes = { source: 'webcam', pipeline };
  config.components!.push({ name: 'drawn', api: 'rdk:component:camera', model: 'transform', attributes });
  for (const service of [vision, recorder]) service.attributes['camera_name'] = 'drawn';
  params['camera_name'] = recorded;
}

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
    ['no captured camera, so that of the recorder', ({ params }) => (params['camera_name'] = ''), []],
    [
      'no captured camera, and another one of the recorder',
      ({ params, recorder }) => {
        params['camera_name'] = '';
        recorder.attributes['camera_name'] = 'other';
      },
      drifted,
    ],
    ...[false, null, 0, '', [], {}].map((zero): RecorderRow => [
      `${JSON.stringify(zero)} where the service has nothing`,
      ({ recorder }) => (recorder.attributes['remap_input_names'] = zero),
      [],
    ]),
    [
      'false where the service has true',
      ({ vision, recorder }) => {
        vision.attributes['input_image_bgr'] = true;
        recorder.attributes['input_image_bgr'] = false;
      },
      drifted,
    ],
    ['zeros', ({ recorder }) => (recorder.attributes['input_image_mean_value'] = [0, 0, 0]), drifted],
    ['the camera before the one that draws', (sample) => draw(sample, 'webcam'), []],
    ['a camera that draws', (sample) => draw(sample, 'drawn'), []],
    ['another camera than those', (sample) => draw(sample, 'other'), drifted],
    [
      'a second capture of the same service',
      ({ recorder, method, vision }) => {
        recorder.service_configs![0]!.attributes.capture_methods = [method, method];
        vision.attributes['mlmodel_name'] = 'other';
      },
      drifted,
    ],
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

  it('copies again the camera before the one that draws', () => {
    const text = recorderText((sample) => draw(sample, 'other'));
    expect(recorders(parseDocument(fixedText(code, text)))[0]?.camera).toBe('webcam');
  });

  it('mends each of two recorders of one name by itself', () => {
    const text = recorderText(({ config, recorder }) => {
      const second = structuredClone(recorder);
      second.attributes['input_image_bgr'] = true;
      const [first] = recorder.service_configs![0]!.attributes.capture_methods as Record<
        string,
        Record<string, unknown>
      >[];
      first!['additional_params']!['recorder_of'] = 'gone';
      config.services.splice(3, 0, second);
    });
    expect(outcome(code, text)).toEqual({
      found: [
        'warning services[2].service_configs[0].attributes.capture_methods[0].additional_params.recorder_of',
        'warning services[3]',
      ],
      left: 0,
    });
    const fixes = lint(text).flatMap((finding) => (finding.code === code ? [applyFix(text, finding.fix!)] : []));
    const { services } = JSON.parse(text) as RecorderSample['config'];
    expect((JSON.parse(fixes[0]!) as RecorderSample['config']).services).toEqual(services.toSpliced(2, 1));
    const again = structuredClone(services);
    delete again[3]!.attributes['input_image_bgr'];
    expect((JSON.parse(fixes[1]!) as RecorderSample['config']).services).toEqual(again);
  });

  it('names what differs, the camera once', () => {
    expect(messageOf(({ vision }) => Object.assign(vision.attributes, { label_path: 'l', camera_name: 'x' }))).toBe(
      'recorder is no longer a copy of vision: they differ in camera_name, label_path. What it records is not what vision sees.',
    );
    expect(messageOf(({ params }) => (params['camera_name'] = 'other'))).toContain(
      'differ in the camera that is captured.',
    );
  });
});
