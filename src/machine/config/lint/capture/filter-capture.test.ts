import { describe, expect, it } from 'vitest';
import { lint } from '../lint.ts';
import { filterSample, fixedText } from '../test-samples.ts';

/** A filtered camera, a transform camera on it, and what the data manager captures of one of them or of the vision service. */
function captured(of: 'kept' | 'vision', capture: object, manager: object = {}): string {
  const config = JSON.parse(filterSample({}).text) as Record<'components' | 'services', Record<string, unknown>[]>;
  const turned = { source: 'kept', pipeline: [{ type: '' }] };
  config.components.push({ name: 'turned', api: 'rdk:component:camera', model: 'transform', attributes: turned });
  const entry = [...config.components, ...config.services].find(({ name }) => name === of)!;
  entry['service_configs'] = [{ type: 'data_manager', attributes: { capture_methods: [capture] } }];
  config.services.push({ name: 'data', api: 'rdk:service:data_manager', model: 'builtin', attributes: manager });
  return JSON.stringify(config, null, 2);
}
const camera = (method: string, more: object = {}) => captured('kept', { method, capture_frequency_hz: 2, ...more });
const service = (camera_name: string, manager: object = {}) =>
  captured(
    'vision',
    { method: 'CaptureAllFromCamera', capture_frequency_hz: 2, additional_params: { camera_name } },
    manager,
  );
const said = (code: string, text: string) =>
  lint(text)
    .filter((finding) => finding.code === code)
    .map(({ severity, message }) => `${severity} ${message}`);
const control = { capture_control_sensor: { name: 'switch', key: 'captures' } };

describe('filter-capture', () => {
  it('mends a capture of one image of several', () => {
    const text = camera('ReadImage');
    expect(said('filter-capture', text)).toHaveLength(1);
    expect(fixedText('filter-capture', text)).toBe(camera('GetImages'));
    for (const method of ['GetImages', 'DoCommand']) expect(said('filter-capture', camera(method))).toEqual([]);
  });

  it('says that a vision service behind it captures not every frame, but behind a transform camera does', () => {
    expect(said('filter-capture', service('kept'))).toEqual([
      'warning Not every frame is captured: kept gives the images that it keeps, and vision takes the first of each time alone.',
    ]);
    // Whoever captures a service there may mean to: only for a recorder is it mended.
    expect(fixedText('filter-capture', service('kept'))).toBe(service('kept'));
    expect(said('filter-capture', service('turned'))).toEqual([]);
    const other = service('kept').replace('CaptureAllFromCamera', 'GetDetections');
    expect(said('filter-capture', other)).toEqual([]);
    expect(said('filter-capture', service('webcam'))).toEqual([]);
  });
});

describe('behind a conditional camera', () => {
  const conditional = (text: string) =>
    text
      .replace('viam:camera:filtered-camera', 'viam:camera:conditional-camera')
      .replace(/"vision_services": \[[^]*?\],\n/, '"filter_service": "gate",\n');

  it('not every frame is captured either, and no number is given', () => {
    expect(said('filter-capture', conditional(camera('ReadImage')))).toHaveLength(1);
    expect(said('filter-capture', conditional(service('kept')))).toHaveLength(1);
    expect(said('capture-cost', conditional(service('kept')))).toEqual([
      'info The machine asks vision 2 times a second. How many pictures of it are kept is decided at run time, by the conditional camera kept.',
    ]);
    expect(said('capture-off', conditional(camera('GetImages', { disabled: true })))).toHaveLength(1);
  });
});

describe('capture-cost behind a filtered camera', () => {
  const byFilter = (name: string) =>
    `info The machine asks ${name} 2 times a second. How many pictures of it are kept is decided at run time, by the filtered camera kept.`;

  it('gives no number', () => {
    expect(said('capture-cost', camera('GetImages'))).toEqual([byFilter('kept')]);
    expect(said('capture-cost', service('kept'))).toEqual([byFilter('vision')]);
    expect(said('capture-cost', service('turned'))[0]).toContain('GB a day');
    expect(said('capture-cost', camera('DoCommand'))).toEqual([]);
  });

  it('names the sensor that decides how often, also without a filter', () => {
    const bySensor =
      'info The machine asks vision 2 times a second. How often pictures of it are kept is decided at run time, by the sensor switch.';
    expect(said('capture-cost', service('webcam', control))).toEqual([bySensor]);
    expect(said('capture-cost', service('kept', control))).toEqual([bySensor]);
  });

  it.each([
    ['no name', { key: 'captures' }],
    ['no key', { name: 'switch' }],
    ['an empty key', { name: 'switch', key: '' }],
    ['another type', 'switch'],
  ])('does not count a sensor of %s', (_, capture_control_sensor) => {
    expect(said('capture-cost', service('webcam', { capture_control_sensor }))[0]).toContain('GB a day');
  });
});

describe('capture-off', () => {
  it('looks at captures of filtered cameras', () => {
    expect(said('capture-off', camera('GetImages'))).toEqual([]);
    expect(said('capture-off', camera('GetImages', { disabled: true }))).toEqual([
      'warning Nothing of kept is captured while disabled is true.',
    ]);
    expect(said('capture-off', camera('GetImages', { capture_frequency_hz: 0 }))).toHaveLength(1);
  });

  it.each([
    ['disabled', { disabled: true }, 'disabled'],
    ['at a rate of 0', { capture_frequency_hz: 0 }, 'capture_frequency_hz'],
    ['without a rate', { capture_frequency_hz: undefined }, 'capture_frequency_hz'],
  ])('says that a sensor decides, of a capture %s', (_, change, at) => {
    const text = captured('kept', { method: 'GetImages', capture_frequency_hz: 2, ...change }, control);
    const [finding] = lint(text).filter(({ code }) => code === 'capture-off');
    expect(finding).toMatchObject({
      severity: 'info',
      message: 'Whether kept is captured is decided at run time, by the sensor switch.',
    });
    expect(finding!.path.at(-1)).toBe(at);
    expect(finding!.fix).toBeUndefined();
  });

  it('still says that the data manager captures nothing', () => {
    const text = captured(
      'kept',
      { method: 'GetImages', capture_frequency_hz: 2 },
      { ...control, capture_disabled: true },
    );
    expect(said('capture-off', text)).toEqual(['warning Nothing is captured while capture_disabled is true.']);
  });
});
