import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../json/json-document.ts';
import { parseMachineConfig } from '../../parse/parse-machine-config.ts';
import { attributeSchemaAt, valueSuggestions } from '../../parse/schema-at.ts';
import { lint } from '../lint.ts';
import { conditionalSample, fixed, found, validConditional, type Row } from '../test-samples.ts';

const code = 'conditional-camera';
const previewed = ['info filter_service'];
const without = (key: keyof typeof validConditional) => ({ ...validConditional, [key]: undefined });
const clean = (value: object): unknown => JSON.parse(JSON.stringify(value));

describe(code, () => {
  it.each<Row>([
    ['one that is built', {}, previewed, validConditional],
    [
      'no window at all, which its module takes',
      { window_seconds_before: 0 },
      previewed,
      { ...validConditional, window_seconds_before: 0 },
    ],
    ['no camera', { camera: undefined }, ['error camera'], clean(without('camera'))],
    [
      'no service',
      { Filter_Service: '', filter_service: undefined },
      ['error Filter_Service'],
      clean({ ...without('filter_service'), Filter_Service: '' }),
    ],
    ['a frequency below 0', { image_frequency: -1 }, ['error image_frequency'], validConditional],
    ['a window below 0', { window_seconds_after: -1 }, ['error window_seconds_after'], validConditional],
    ['both spellings of the windows', { window_seconds: 3 }, ['error window_seconds'], validConditional],
    [
      'both windows at once',
      { window_seconds: 3, window_seconds_before: 0 },
      previewed,
      { ...validConditional, window_seconds: 3, window_seconds_before: 0 },
    ],
    ['a cool-down below 0', { cooldown_s: -2 }, ['error cooldown_s'], validConditional],
    ['a part of a second', { cooldown_s: -0.9 }, previewed, { ...validConditional, cooldown_s: -0.9 }],
    ['a service that is not there', { filter_service: 'gaet' }, ['warning filter_service'], validConditional],
    ['a vision service’s name', { filter_service: 'model' }, ['warning filter_service'], validConditional],
    ['a wrong type, which another rule says', { cooldown_s: 'x' }, [], { ...validConditional, cooldown_s: 'x' }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = conditionalSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it('is silent of a service that a fragment may bring, and says who decides', () => {
    const { text } = conditionalSample({ filter_service: 'gaet' });
    const said = lint(text.replace('{', '{"fragments":["f"],')).filter((finding) => finding.code === code);
    expect(said.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'info The service gaet decides at run time what kept keeps. It does not run here: nothing is previewed.',
    ]);
  });
});

describe('a conditional camera elsewhere', () => {
  it('passes frames on, as the camera below gives them', () => {
    expect(parseMachineConfig(conditionalSample({}).text).config.cameras).toContainEqual({
      kind: 'filtered',
      name: 'kept',
      source: 'webcam',
    });
  });

  it.each([
    ['camera-source', { camera: 'wecbam' }, ['error camera']],
    ['camera-source', { camera: 'kept' }, ['error camera']],
    ['camera-source', { camera: '' }, []],
    ['unknown-key', { filter_servce: 'gate' }, ['warning filter_servce']],
    ['wrong-type', { cooldown_s: 'x' }, ['error cooldown_s']],
    ['filter-refused', { vision_services: [] }, []],
    ['filter-silent', {}, []],
  ])('%s of %j', (rule, attributes, findings) => {
    expect(found(rule, conditionalSample(attributes))).toEqual(findings);
  });

  it('alone is refused for what its module cannot decode', () => {
    const [finding] = lint(conditionalSample({ cooldown_s: 'x' }).text).filter((one) => one.code === 'wrong-type');
    expect(finding!.message).not.toContain('whole configuration');
  });

  it('is completed', () => {
    const { text, path } = conditionalSample({});
    expect(attributeSchemaAt(parseDocument(text), [...path, 'filter_service'])?.doc).toContain('DoCommand');
    expect(attributeSchemaAt(parseDocument(text), [...path, 'debug', 'x'])).toBeUndefined();
    expect(valueSuggestions(text, [...path, 'filter_service'])).toEqual(['gate']);
    expect(valueSuggestions(text, [...path, 'camera'])).toEqual(['webcam']);
  });
});
