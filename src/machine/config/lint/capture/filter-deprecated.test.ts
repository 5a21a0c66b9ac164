import { describe, expect, it } from 'vitest';
import { applyFix } from '../apply-fix.ts';
import { lint } from '../lint.ts';
import { filterSample, fixed, fixedText, found, validFilter, type Row } from '../test-samples.ts';

const code = 'filter-deprecated';
const old = { vision: 'vision', vision_services: null };

describe(code, () => {
  it.each<Row>([
    ['today’s spelling', {}, [], validFilter],
    [
      'vision and its maps',
      { ...old, objects: { dog: 0.5 }, Classifications: { sunny: 0.2 } },
      ['warning vision'],
      {
        ...validFilter,
        vision_services: [{ vision: 'vision', objects: { dog: 0.5 }, classifications: { sunny: 0.2 } }],
      },
    ],
    ['vision alone', old, ['warning vision'], { ...validFilter, vision_services: [{ vision: 'vision' }] }],
    ['maps beside services', { objects: { dog: 0.5 } }, ['warning objects'], validFilter],
    [
      'maps and both spellings, which is refused',
      { vision: 'vision', objects: {} },
      [],
      { ...validFilter, vision: 'vision', objects: {} },
    ],
    [
      'both windows at once',
      { window_seconds: 3, window_seconds_before: 0 },
      ['warning window_seconds'],
      { ...validFilter, window_seconds_before: 3, window_seconds_after: 3 },
    ],
    ['a window of 0', { window_seconds: 0.9 }, [], { ...validFilter, window_seconds: 0.9 }],
    [
      'no second at all, which is refused',
      { window_seconds: 0.9, window_seconds_before: 0 },
      [],
      { ...validFilter, window_seconds: 0.9, window_seconds_before: 0 },
    ],
    ['two windows, which is refused', { window_seconds: 3 }, [], { ...validFilter, window_seconds: 3 }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = filterSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it.each(['erh:camera:filtered-camera', 'erh:camera:filtered_camera'])('renames the model %s', (model) => {
    const { text } = filterSample({});
    const before = text.replace('viam:camera:filtered-camera', model);
    const [finding] = lint(before).filter((one) => one.code === code);
    expect(finding!.pointer).toBe('/components/1/model');
    expect(fixedText(code, before)).toBe(text);
  });

  it('keeps everything else as it was written', () => {
    const { text } = filterSample({ ...old, objects: { dog: 0.5 }, debug: true });
    const spaced = text.replace('"debug": true', '"debug":   true');
    const [finding] = lint(spaced).filter((one) => one.code === code);
    expect(applyFix(spaced, finding!.fix!)).toContain('"debug":   true');
  });
});
