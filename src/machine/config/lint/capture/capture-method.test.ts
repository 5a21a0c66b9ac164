import { describe, expect, it } from 'vitest';
import { outcome, recorderText, type RecorderRow } from './test-recorder.ts';

const code = 'capture-method';
const methods = 'services[2].service_configs[0].attributes.capture_methods';
const at = `${methods}[0]`;
const params = `${at}.additional_params`;

describe(code, () => {
  it.each<RecorderRow>([
    ['a method that the machine has', () => {}, []],
    ['DoCommand', ({ method }) => (method['method'] = 'DoCommand'), []],
    ['a method that it has not', ({ method }) => (method['method'] = 'GetDetections'), [`error ${at}.method`]],
    ['another case', ({ method }) => (method['method'] = 'captureallfromcamera'), [`error ${at}.method`]],
    ['a method that is no text', ({ method }) => (method['method'] = 1), [`error ${at}.method`]],
    ['a rate as text', ({ method }) => (method['capture_frequency_hz'] = '1'), [`error ${at}.capture_frequency_hz`]],
    ['a rate of null', ({ method }) => (method['capture_frequency_hz'] = null), []],
    ['disabled as text', ({ method }) => (method['disabled'] = 'no'), [`error ${at}.disabled`]],
    ['a list of parameters', ({ method }) => (method['additional_params'] = []), [`error ${params}`]],
    ['no camera', ({ params: given }) => delete given['camera_name'], [`error ${params}.camera_name`]],
    ['no parameters', ({ method }) => delete method['additional_params'], [`error ${params}.camera_name`]],
    ['an empty camera, so that of the service', ({ params: given }) => (given['camera_name'] = ''), []],
    ['a camera that is missing', ({ params: given }) => (given['camera_name'] = 'x'), [`error ${params}.camera_name`]],
    [
      'a camera that may come from elsewhere',
      ({ params: given, config }) => {
        given['camera_name'] = 'x';
        config.fragments = ['a'];
      },
      [`warning ${params}.camera_name`],
    ],
    [
      'parameters that nothing reads',
      ({ method }) => {
        method['method'] = 'DoCommand';
        delete method['additional_params'];
      },
      [],
    ],
    [
      'a minimum above 1',
      ({ params: given }) => (given['min_confidence_score'] = 1.5),
      [`error ${params}.min_confidence_score`],
    ],
    [
      'a negative minimum',
      ({ params: given }) => (given['min_confidence_score'] = -0.1),
      [`error ${params}.min_confidence_score`],
    ],
    [
      'a minimum above the threshold',
      ({ params: given }) => (given['min_confidence_score'] = 0.5),
      [`warning ${params}.min_confidence_score`],
    ],
    [
      'a minimum above the lowest label',
      ({ params: given, recorder }) => {
        given['min_confidence_score'] = 0.5;
        Object.assign(recorder.attributes, { default_minimum_confidence: 0.9, label_confidences: { cat: 0.2 } });
      },
      [`warning ${params}.min_confidence_score`],
    ],
    [
      'a minimum below all labels',
      ({ params: given, recorder }) => {
        given['min_confidence_score'] = 0.5;
        delete recorder.attributes['default_minimum_confidence'];
        recorder.attributes['label_confidences'] = { person: 0.7 };
      },
      [],
    ],
    [
      'a minimum of a service that is no recorder, which may be meant',
      ({ params: given }) => {
        given['min_confidence_score'] = 0.5;
        delete given['recorder_of'];
      },
      [`info ${params}.min_confidence_score`],
    ],
    [
      'a minimum of another model, whose scores are not known',
      ({ params: given, recorder }) => {
        given['min_confidence_score'] = 0.5;
        Object.assign(recorder, { model: 'viam:vision:color' });
      },
      [],
    ],
    ['a minimum at the threshold', ({ params: given }) => (given['min_confidence_score'] = 0.05), []],
    [
      'a minimum without a threshold',
      ({ params: given, recorder }) => {
        given['min_confidence_score'] = 0.05;
        delete recorder.attributes['default_minimum_confidence'];
      },
      [`warning ${params}.min_confidence_score`],
    ],
    [
      'methods that are no list',
      ({ recorder }) => (recorder.service_configs![0]!.attributes.capture_methods = {}),
      [`error ${methods}`],
    ],
    [
      'of another service',
      ({ recorder, method }) => {
        recorder.service_configs![0]!.type = 'slam';
        method['method'] = 'GetDetections';
      },
      [],
    ],
    [
      'of a data manager by its whole name',
      ({ recorder, method }) => {
        recorder.service_configs![0]!.type = 'rdk:service:data_manager';
        method['method'] = 'GetDetections';
      },
      [`error ${at}.method`],
    ],
  ])('%s', (_, change, found) => {
    expect(outcome(code, recorderText(change))).toEqual({ found, left: 0 });
  });

  it.each([undefined, ''])('has no fix for the camera %o where the service names none', (camera) => {
    const text = recorderText(({ params: given, recorder }) => {
      given['camera_name'] = camera;
      delete recorder.attributes['camera_name'];
    });
    expect(outcome(code, text)).toEqual({ found: [`error ${params}.camera_name`], left: 1 });
  });
});
