import { describe, expect, it } from 'vitest';
import { lint } from '../lint.ts';
import { outcome, recorderText, type RecorderRow } from './test-recorder.ts';
import { fixedText, machine } from '../test-samples.ts';

const code = 'capture-off';
const at = 'services[2].service_configs[0].attributes.capture_methods[0]';

describe(code, () => {
  it.each<RecorderRow>([
    ['nothing off', () => {}, []],
    ['no data manager', ({ config }) => config.services.pop(), [`warning ${at}`]],
    [
      'a data manager that captures nothing',
      ({ manager }) => (manager.attributes['Capture_Disabled'] = true),
      ['warning services[3].attributes.Capture_Disabled'],
    ],
    ['a data manager that captures', ({ manager }) => (manager.attributes['capture_disabled'] = false), []],
    [
      'two data managers, the first of which came with the recorder',
      ({ config, manager }) => config.services.push({ ...manager, name: 'second' }),
      ['error services[3]'],
    ],
    [
      'two data managers, the second of which came with the recorder',
      ({ config, manager }) => config.services.splice(3, 0, { ...manager, name: 'first' }),
      ['error services[4]'],
    ],
    [
      'two data managers of which none came with the recorder',
      ({ config, manager }) => {
        manager.attributes['capture_dir'] = '/data';
        config.services.push({ ...manager, name: 'second' });
      },
      ['error services[4]'],
    ],
    [
      'two data managers, of which the one that stays captures nothing',
      ({ config, manager }) =>
        config.services.push({ ...manager, name: 'second', attributes: { capture_disabled: true } }),
      ['error services[3]', 'warning services[4].attributes.capture_disabled'],
    ],
    ['a method that is off', ({ method }) => (method['disabled'] = true), [`warning ${at}.disabled`]],
    ['a rate of 0', ({ method }) => (method['capture_frequency_hz'] = 0), [`warning ${at}.capture_frequency_hz`]],
    ['no rate', ({ method }) => delete method['capture_frequency_hz'], [`warning ${at}.capture_frequency_hz`]],
    ['a rate that is not a number', ({ method }) => (method['capture_frequency_hz'] = '1'), []],
  ])('%s', (_, change, found) => {
    expect(outcome(code, recorderText(change))).toEqual({ found, left: 0 });
  });

  it('is switched on once a second', () => {
    const text = recorderText(({ method }) => (method['capture_frequency_hz'] = 0));
    expect(fixedText(code, text)).toContain('"capture_frequency_hz": 1,');
  });

  it.each<[string, RecorderRow[1], string]>([
    ['a fragment', ({ config }) => (config.fragments = ['a']), 'a fragment brings one'],
    [
      'the rest of a part',
      ({ config }) => delete config.components,
      'the rest of the configuration, which is not shown here, has one',
    ],
  ])('says that %s may bring the data manager, and adds none', (_, change, unless) => {
    const text = recorderText((sample) => {
      sample.config.services.pop();
      change(sample);
    });
    const [finding] = lint(text).filter((one) => one.code === code);
    expect(finding?.message).toBe(`There is no data manager, so nothing is captured unless ${unless}.`);
    expect([finding?.severity, finding?.fix]).toEqual(['info', undefined]);
  });

  it('adds a data manager, also beside remotes, which bring none', () => {
    const text = recorderText(({ config }) => {
      config.services.pop();
      Object.assign(config, { remotes: [{ name: 'arm' }] });
    });
    expect(outcome(code, text)).toEqual({ found: [`warning ${at}`], left: 0 });
  });

  it('needs no data manager where nothing is captured', () => {
    expect(outcome(code, machine([], [])).found).toEqual([]);
  });
});
