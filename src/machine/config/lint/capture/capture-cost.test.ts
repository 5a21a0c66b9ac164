import { describe, expect, it } from 'vitest';
import type { LintFacts } from '../rule/finding.ts';
import { lint } from '../lint.ts';
import { recorderText, type RecorderSample } from './test-recorder.ts';

const code = 'capture-cost';
const messageOf = (change?: (sample: RecorderSample) => void, facts?: LintFacts) =>
  lint(recorderText(change), facts).find((finding) => finding.code === code)?.message;
const seen = { pictures: { camera: 'webcam', widthPx: 100, heightPx: 100, bytes: 5000 } };

describe(code, () => {
  it('says how often the machine is called, and how many bytes that makes', () => {
    expect(messageOf()).toBe(
      'The machine calls recorder once a second and keeps the picture, beside all calls of vision. About 220 MB an hour, 5.3 GB a day, if a picture is 640 × 480 (61 kB).',
    );
  });

  it('reckons by what was seen of the service that is copied, else of the captured one', () => {
    expect(messageOf(undefined, { vision: seen })).toContain('About 18 MB an hour');
    expect(messageOf(undefined, { recorder: seen })).toContain('About 18 MB an hour');
    expect(messageOf(undefined, { other: seen })).toContain('About 220 MB an hour');
  });

  it('takes the camera of the service where the capture names none', () => {
    const unnamed = ({ params }: RecorderSample) => (params['camera_name'] = '');
    expect(messageOf(unnamed, { vision: seen })).toContain('About 18 MB an hour');
  });

  it('reckons by the size that the text gives the captured camera', () => {
    const message = messageOf(({ config }) => {
      const [webcam] = config.components as { attributes: object }[];
      webcam!.attributes = { width_px: 100, height_px: 100 };
    });
    expect(message).toContain('of pictures of 100 × 100');
  });

  it('reckons for captures that are no recorder', () => {
    const message = messageOf(({ params }) => delete params['recorder_of']);
    expect(message).toMatch(/^The machine calls recorder once a second and keeps the picture\. About 220 MB an hour/);
  });

  it.each<[string, (sample: RecorderSample) => void]>([
    ['another method', ({ method }) => (method['method'] = 'DoCommand')],
    ['a capture that is off', ({ method }) => (method['disabled'] = true)],
    ['no rate', ({ method }) => (method['capture_frequency_hz'] = 0)],
    ['a rate that is not a number', ({ method }) => (method['capture_frequency_hz'] = '1')],
  ])('says nothing of %s', (_, change) => {
    expect(messageOf(change)).toBeUndefined();
  });
});
