import { describe, expect, it } from 'vitest';
import { lint } from './lint.ts';
import { outcome, recorderText, type RecorderRow } from './test-recorder.ts';
import { fixedText, machine } from './test-samples.ts';

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
      'two data managers',
      ({ config, manager }) => config.services.push({ ...manager, name: 'second' }),
      ['error services[4]'],
    ],
    ['a method that is off', ({ method }) => (method['disabled'] = true), [`warning ${at}.disabled`]],
    ['a rate of 0', ({ method }) => (method['capture_frequency_hz'] = 0), [`warning ${at}.capture_frequency_hz`]],
    ['no rate', ({ method }) => delete method['capture_frequency_hz'], [`warning ${at}.capture_frequency_hz`]],
    ['a rate that is no number', ({ method }) => (method['capture_frequency_hz'] = '1'), []],
  ])('%s', (_, change, found) => {
    expect(outcome(code, recorderText(change))).toEqual({ found, left: 0 });
  });

  it('is switched on once a second', () => {
    const text = recorderText(({ method }) => (method['capture_frequency_hz'] = 0));
    expect(fixedText(code, text)).toContain('"capture_frequency_hz": 1,');
  });

  it('says that a fragment may bring the data manager', () => {
    const text = recorderText(({ config }) => {
      config.services.pop();
      config.fragments = ['a'];
    });
    const [finding] = lint(text).filter((one) => one.code === code);
    expect(finding?.message).toBe(
      'There is no data manager, so that nothing is captured unless a fragment brings one.',
    );
  });

  it('needs no data manager where nothing is captured', () => {
    expect(outcome(code, machine([], [])).found).toEqual([]);
  });
});
