import { describe, expect, it } from 'vitest';
import { applyFix } from '../apply-fix.ts';
import { lint } from '../lint.ts';
import { filterSample, fixed, found, validFilter, type Row } from '../test-samples.ts';

const code = 'filter-refused';
const service = validFilter.vision_services[0]!;

describe(code, () => {
  it.each<Row>([
    ['a camera that is built', {}, [], validFilter],
    ['no camera', { camera: '' }, ['error camera'], validFilter],
    ['no service', { vision_services: null }, ['error vision_services'], { ...validFilter, vision_services: null }],
    ['both spellings', { vision: 'vision' }, ['error vision'], validFilter],
    [
      'both spellings, one without a service',
      { Vision: 'vision', vision_services: [], objects: { dog: 0.5 } },
      ['error Vision'],
      { camera: 'webcam', window_seconds_before: 2, Vision: 'vision', objects: { dog: 0.5 } },
    ],
    ['a frequency below 0', { image_frequency: -1 }, ['error image_frequency'], validFilter],
    [
      'no window',
      { window_seconds_before: 0.9 },
      ['error window_seconds_before'],
      { ...validFilter, window_seconds_before: 5, window_seconds_after: 5 },
    ],
    ['a window below 0', { window_seconds_after: -1 }, ['error window_seconds_after'], validFilter],
    ['both windows', { window_seconds: 2 }, ['error window_seconds'], validFilter],
    ['a cool-down below 0', { Cooldown_S: -1 }, ['error Cooldown_S'], validFilter],
    [
      'a service without a name',
      { vision_services: [service, { objects: { dog: 0.5 } }] },
      ['error vision_services[1].vision'],
      { ...validFilter, vision_services: [service, { ...service, objects: { dog: 0.5 } }] },
    ],
    ['what is of another type', { camera: 7, cooldown_s: -1 }, [], { ...validFilter, camera: 7, cooldown_s: -1 }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = filterSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it('says what is refused, and changes nothing but the mended value', () => {
    const { text } = filterSample({ cooldown_s: -3, debug: true });
    const [finding] = lint(text).filter((one) => one.code === code);
    expect(finding!.message).toBe('cooldown_s is below 0: the machine does not build the camera.');
    expect(applyFix(text, finding!.fix!)).toBe(text.replace(/\s*"cooldown_s": -3,/, ''));
  });

  it('uses no name where several could be meant', () => {
    const { text } = filterSample({ vision_services: [{ vision: '', objects: { dog: 0.5 } }] });
    const other = JSON.stringify({ name: 'other', api: 'rdk:service:vision', model: 'mlmodel' });
    const several = text.replace('"services": [', `"services": [${other},`);
    expect(lint(several).find((one) => one.code === code)!.fix).toBeUndefined();
  });
});
