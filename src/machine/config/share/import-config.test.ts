import { describe, expect, it } from 'vitest';
import { importConfig } from './import-config.ts';
import { parseMachineConfig } from '../parse/parse-machine-config.ts';
import { sampleConfigText } from './sample-config.ts';

const entry =
  '{\n  "name": "v",\n  "api": "rdk:service:vision",\n  "model": "mlmodel",\n  "attributes": { "mlmodel_name": "m" }\n}';

describe('importConfig', () => {
  it('takes a whole configuration as it is', () => {
    expect(importConfig(sampleConfigText)).toEqual({ text: sampleConfigText, pastedAs: 'machine' });
  });

  it.each([
    ['a service entry', entry, 'vision-service', 'v'],
    ['a list of entries', `[${entry}]`, 'vision-service', 'v'],
    ['attributes of a service', '{ "mlmodel_name": "m", "label_confidences": {} }', 'vision-service', 'vision'],
  ])('wraps %s', (_, text, pastedAs, name) => {
    const result = importConfig(text);
    expect(result.pastedAs).toBe(pastedAs);
    const { config, problems } = parseMachineConfig(result.text);
    expect(problems).toEqual([]);
    expect(config.visionServices.map((service) => service.name)).toEqual([name]);
  });

  it.each([
    [
      'a camera entry',
      '{ "name": "t", "type": "camera", "model": "transform", "attributes": { "source": "c", "pipeline": [{}] } }',
      't',
    ],
    ['attributes of a camera', '{ "source": "c", "pipeline": [{}] }', 'camera'],
  ])('wraps %s', (_, text, name) => {
    expect(parseMachineConfig(importConfig(text).text).config.cameras[0]).toMatchObject({
      kind: 'transform',
      name,
      source: 'c',
    });
  });

  it.each(['5', '[]', '{"hello": 1}', 'nonsense'])('leaves %j alone', (text) => {
    expect(importConfig(text)).toEqual({ text, pastedAs: 'unknown' });
  });
});
