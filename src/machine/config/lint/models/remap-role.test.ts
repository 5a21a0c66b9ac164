import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'remap-role';

describe(code, () => {
  it.each<Row>([
    [
      'a misspelt role',
      { remap_output_names: { boxes: 'locations', s: 'score' } },
      ['warning remap_output_names.boxes'],
      { mlmodel_name: 'model', remap_output_names: { boxes: 'location', s: 'score' } },
    ],
    [
      'a role that no one asks for',
      { remap_input_names: { size: 'orig_target_sizes' } },
      ['warning remap_input_names.size'],
      { mlmodel_name: 'model', remap_input_names: {} },
    ],
    [
      'a role given twice',
      { remap_output_names: { a: 'score', b: 'score' } },
      ['error remap_output_names.b'],
      { mlmodel_name: 'model', remap_output_names: { a: 'score' } },
    ],
    [
      'all roles',
      { remap_output_names: { a: 'location', b: 'category', c: 'score', d: 'probability' } },
      [],
      { mlmodel_name: 'model', remap_output_names: { a: 'location', b: 'category', c: 'score', d: 'probability' } },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
