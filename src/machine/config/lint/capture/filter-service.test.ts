import { describe, expect, it } from 'vitest';
import { filterSample, fixed, found, validFilter, type Row } from '../test-samples.ts';

const code = 'filter-service';
const wrong = [{ vision: 'visoin', objects: { dog: 0.5 } }];

describe(code, () => {
  it.each<Row>([
    ['a service that is there', {}, [], validFilter],
    ['one that is not', { vision_services: wrong }, ['warning vision_services[0].vision'], validFilter],
    [
      'the deprecated spelling',
      { vision_services: null, vision: 'visoin' },
      ['warning vision'],
      { ...validFilter, vision_services: null, vision: 'vision' },
    ],
    ['no name, which is refused', { vision_services: [{}] }, [], { ...validFilter, vision_services: [{}] }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = filterSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it('is silent where a fragment may bring the service', () => {
    const { text, path } = filterSample({ vision_services: wrong });
    expect(found(code, { text: text.replace('{', '{"fragments":["f"],'), path })).toEqual([]);
  });
});
