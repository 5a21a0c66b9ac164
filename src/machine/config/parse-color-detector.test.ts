import { describe, expect, it } from 'vitest';
import { parseMachineConfig } from './parse-machine-config.ts';

const valid = { detect_color: '#336699', hue_tolerance_pct: 0.3 };

function parse(attributes: unknown, components: readonly object[] = []) {
  const service = { name: 'blue', api: 'rdk:service:vision', model: 'color_detector', attributes };
  return parseMachineConfig(JSON.stringify({ components, services: [service] }));
}

describe('a color_detector', () => {
  it('has the machine’s defaults, also for 0 and an empty label', () => {
    const color = { tolerance: 0.3, saturationCutoff: 0.2, valueCutoff: 0.3, minAreaPx: 5000, label: 'light-blue' };
    const zeros = { saturation_cutoff_pct: 0, value_cutoff_pct: 0, segment_size_px: 0, label: '' };
    for (const attributes of [valid, { ...valid, ...zeros }]) {
      const [service] = parse(attributes).config.visionServices;
      expect(service).toMatchObject({ name: 'blue', cameraName: '', color });
      expect(service!.color!.hueDeg).toBeCloseTo(210, 2);
    }
  });

  it('takes what is given, and cuts off the fraction of an area', () => {
    const given = { saturation_cutoff_pct: 0.1, value_cutoff_pct: 0.15, segment_size_px: 40.9, label: 'ball' };
    const color = { saturationCutoff: 0.1, valueCutoff: 0.15, minAreaPx: 40, label: 'ball' };
    expect(parse({ ...valid, ...given }).config.visionServices[0]).toMatchObject({ color });
    expect(parse({ ...valid, segment_size_px: 0.9 }).config.visionServices[0]!.color!.minAreaPx).toBe(5000);
    expect(parse({ ...valid, segment_size_px: -3 }).config.visionServices[0]!.color!.minAreaPx).toBe(-3);
    expect(parse({ ...valid, hue_tolerance_pct: 1 }).config.visionServices).toHaveLength(1);
  });

  it.each<[title: string, attributes: object, code: string, key: string]>([
    ['no colour', { detect_color: undefined }, 'bad-color', 'detect_color'],
    ['a short form', { detect_color: '#e52' }, 'bad-color', 'detect_color'],
    ['no sign', { detect_color: '336699' }, 'bad-color', 'detect_color'],
    ['black', { detect_color: '#000000' }, 'grey-color', 'detect_color'],
    ['grey', { detect_color: '#808080' }, 'grey-color', 'detect_color'],
    ['so pale that its saturation is cut off to 0', { detect_color: '#ffffff' }, 'grey-color', 'detect_color'],
    ['paler than the default', { detect_color: '#ffd0d0' }, 'pale-color', 'detect_color'],
    ['paler than its own cut-off', { saturation_cutoff_pct: 0.7 }, 'pale-color', 'detect_color'],
    ['darker than the default', { detect_color: '#4c0000' }, 'dark-color', 'detect_color'],
    ['darker than its own cut-off', { value_cutoff_pct: 0.7 }, 'dark-color', 'detect_color'],
    ['no tolerance', { hue_tolerance_pct: 0 }, 'bad-hue-tolerance', 'hue_tolerance_pct'],
    ['a tolerance below 0', { hue_tolerance_pct: -0.1 }, 'bad-hue-tolerance', 'hue_tolerance_pct'],
    ['a tolerance above 1', { hue_tolerance_pct: 1.01 }, 'bad-hue-tolerance', 'hue_tolerance_pct'],
    ['a saturation above 1', { saturation_cutoff_pct: 1.5 }, 'bad-cutoff', 'saturation_cutoff_pct'],
    ['a saturation below 0', { saturation_cutoff_pct: -0.1 }, 'bad-cutoff', 'saturation_cutoff_pct'],
    ['a value above 1', { value_cutoff_pct: 30 }, 'bad-cutoff', 'value_cutoff_pct'],
    [
      'grey before its tolerance is looked at',
      { detect_color: '#888888', hue_tolerance_pct: 0 },
      'grey-color',
      'detect_color',
    ],
    [
      'the tolerance before a cut-off',
      { hue_tolerance_pct: 0, value_cutoff_pct: 2 },
      'bad-hue-tolerance',
      'hue_tolerance_pct',
    ],
  ])('is refused for %s', (_, attributes, code, key) => {
    const { config, problems } = parse({ ...valid, ...attributes });
    expect(config.visionServices).toEqual([]);
    expect(problems.map((problem) => [problem.code, problem.path.at(-1), problem.refusesAll])).toEqual([
      [code, key, undefined],
    ]);
  });

  it('is built where its colour is as high as its cut-offs', () => {
    const cutoffs = { saturation_cutoff_pct: 170 / 255, value_cutoff_pct: 0.6 };
    expect(parse({ ...valid, ...cutoffs }).config.visionServices).toHaveLength(1);
  });

  it('makes the machine refuse the whole configuration for a value of another type', () => {
    const { problems } = parse({ ...valid, segment_size_px: '100' });
    expect(problems).toMatchObject([
      { code: 'bad-attributes', refusesAll: true, path: ['services', 0, 'attributes', 'segment_size_px'] },
    ]);
  });

  it('is not built without its camera', () => {
    const { config, problems } = parse({ ...valid, camera_name: 'cam' });
    expect(config.visionServices).toEqual([]);
    expect(problems).toMatchObject([{ resource: 'blue', code: 'no-such-camera' }]);
    const camera = { name: 'cam', api: 'rdk:component:camera', model: 'webcam' };
    expect(parse({ ...valid, camera_name: 'cam' }, [camera]).config.visionServices).toMatchObject([
      { cameraName: 'cam' },
    ]);
  });
});
