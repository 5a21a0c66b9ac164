import { describe, expect, it } from 'vitest';
import { filterSample, fixed, found, validFilter, type Row } from '../test-samples.ts';

const code = 'filter-silent';
const service = validFilter.vision_services[0]!;
const services = (...vision_services: readonly object[]) => ({ ...validFilter, vision_services });

describe(code, () => {
  it.each<Row>([
    ['a camera that filters', {}, [], validFilter],
    ['a camera that is refused', { vision_services: [], camera: '' }, [], { ...services(), camera: '' }],
    ['no service', { vision_services: [] }, ['warning vision_services'], services()],
    [
      'only an inhibiting service',
      services({ ...service, inhibit: true }),
      ['warning vision_services'],
      services({ ...service, inhibit: true }),
    ],
    [
      'a service that is asked for nothing',
      services({ vision: 'vision' }),
      ['warning vision_services[0]'],
      services({ vision: 'vision' }),
    ],
    [
      'one that inhibits, whose name another accepts by',
      services(service, { vision: 'vision', inhibit: true }),
      ['warning vision_services[1]'],
      services(service, { vision: 'vision', inhibit: true }),
    ],
    [
      'a map that a later one for the same service replaces',
      services({ ...service, classifications: { sunny: 0.2 } }, { ...service, objects: { cat: 0.1 } }),
      ['warning vision_services[0].objects'],
      services({ vision: 'vision', classifications: { sunny: 0.2 } }, { ...service, objects: { cat: 0.1 } }),
    ],
    [
      'the same service, once inhibiting',
      services(service, { ...service, inhibit: true }),
      [],
      services(service, { ...service, inhibit: true }),
    ],
    [
      'scores that nothing exceeds',
      services({ vision: 'vision', objects: { dog: 1, cat: 0.99 }, classifications: { '*': 30 } }),
      ['warning vision_services[0].objects.dog', 'warning vision_services[0].classifications["*"]'],
      services({ vision: 'vision', objects: { dog: 0.5, cat: 0.99 }, classifications: { '*': 0.5 } }),
    ],
    ['1000 images a second', { image_frequency: 1000 }, [], { ...validFilter, image_frequency: 1000 }],
    ['more', { image_frequency: 1001 }, ['warning image_frequency'], { ...validFilter, image_frequency: 1000 }],
    ['a buffer of one', { image_frequency: 0.17 }, [], { ...validFilter, image_frequency: 0.17 }],
    [
      'a buffer of nothing',
      { image_frequency: 0.16 },
      ['warning image_frequency'],
      { ...validFilter, image_frequency: 1 },
    ],
    [
      'a buffer of nothing, where nothing before counts',
      { image_frequency: 0.1, window_seconds_before: 0, window_seconds_after: 1 },
      [],
      { ...validFilter, image_frequency: 0.1, window_seconds_before: 0, window_seconds_after: 1 },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = filterSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
