import { describe, expect, it } from 'vitest';
import { addColorDetector, readColorDetector, setColorAttributes, setPickedColor } from './edit-color.ts';
import { changedResources, exportPatch } from '../share/export-config.ts';
import { parseMachineConfig } from '../parse/parse-machine-config.ts';

const textOf = (attributes: object) =>
  JSON.stringify(
    { services: [{ name: 'c', api: 'rdk:service:vision', model: 'color_detector', attributes }] },
    null,
    2,
  );
const attributesIn = (text: string) =>
  (JSON.parse(text) as { services: { attributes: unknown }[] }).services.at(-1)!.attributes;

describe('setColorAttributes', () => {
  it('writes under the key that the machine reads, and leaves the rest', () => {
    const text = textOf({ Detect_Color: '#ff0000', hue_tolerance_pct: 0.1, extra: 1 });
    const edited = setColorAttributes(text, 'c', { detect_color: '#00ff00', segment_size_px: 20 });
    expect(attributesIn(edited)).toEqual({
      Detect_Color: '#00ff00',
      hue_tolerance_pct: 0.1,
      extra: 1,
      segment_size_px: 20,
    });
  });

  it('refuses a service that is none', () => {
    expect(() => setColorAttributes('{"services":[]}', 'c', { label: 'x' })).toThrow('no colour detector named "c"');
  });
});

describe('setPickedColor', () => {
  const bright = { saturation: 0.5, value: 0.6 };

  it.each<[string, object, { saturation: number; value: number }, object]>([
    ['leaves cut-offs that are reached', {}, bright, {}],
    ['leaves one that is reached exactly', {}, { saturation: 0.2, value: 0.3 }, {}],
    [
      'lowers the defaults below what is reached',
      {},
      { saturation: 0.15, value: 0.2 },
      { saturation_cutoff_pct: 0.14, value_cutoff_pct: 0.19 },
    ],
    ['lowers one that is written', { value_cutoff_pct: 0.9 }, bright, { value_cutoff_pct: 0.59 }],
    ['keeps a higher one that is reached', { value_cutoff_pct: 0.55 }, bright, { value_cutoff_pct: 0.55 }],
    ['raises those that are lower to the defaults', { saturation_cutoff_pct: 0.05, Value_Cutoff_Pct: 0.1 }, bright, {}],
    [
      'leaves one that is written as the default',
      { saturation_cutoff_pct: 0.2 },
      bright,
      { saturation_cutoff_pct: 0.2 },
    ],
    ['does not write a default that is not there', { value_cutoff_pct: 0 }, bright, {}],
    [
      'raises one no further than is reached',
      { saturation_cutoff_pct: 0.05 },
      { saturation: 0.15, value: 1 },
      { saturation_cutoff_pct: 0.14 },
    ],
    ['writes never 0, which is not set', {}, { saturation: 0.004, value: 1 }, { saturation_cutoff_pct: 0.01 }],
  ])('%s', (_, attributes, reached, written) => {
    const edited = setPickedColor(textOf(attributes), 'c', { detect_color: '#123456' }, reached);
    expect(attributesIn(edited)).toEqual({ detect_color: '#123456', ...written });
  });

  it('refuses a service that is none', () => {
    expect(() => setPickedColor('{"services":[]}', 'c', { detect_color: '#123456' }, bright)).toThrow('named "c"');
  });
});

describe('addColorDetector', () => {
  it('adds one that the machine builds, under a free name, and it is exported', () => {
    const one = addColorDetector(
      '{"components":[{"name":"cam","api":"rdk:component:camera","model":"webcam"}]}',
      'cam',
    );
    const two = addColorDetector(one.text, '');
    expect([one.name, two.name]).toEqual(['colour-detector', 'colour-detector-2']);
    const { config, problems } = parseMachineConfig(two.text);
    expect(problems).toEqual([]);
    expect(config.visionServices.map(({ name, cameraName }) => [name, cameraName])).toEqual([
      ['colour-detector', 'cam'],
      ['colour-detector-2', ''],
    ]);
    expect(changedResources(one.text, two.text)).toEqual(['colour-detector-2']);
    expect(JSON.stringify(exportPatch('{}', two.text))).toContain('detect_color');
  });
});

describe('readColorDetector', () => {
  it('gives what is written beside the rule, and no rule where the machine refuses it', () => {
    const valid = { detect_color: '#ff0000', hue_tolerance_pct: 0.1 };
    expect(readColorDetector(valid).rule).toMatchObject({ label: 'red' });
    expect(readColorDetector({ ...valid, detect_color: '#888888' })).toMatchObject({
      attributes: { detect_color: '#888888', hue_tolerance_pct: 0.1, segment_size_px: 0 },
      rule: null,
    });
    expect(readColorDetector({ ...valid, detect_color: 5 })).toMatchObject({
      attributes: { detect_color: '' },
      rule: null,
    });
  });
});
