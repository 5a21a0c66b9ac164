import { describe, expect, it } from 'vitest';
import type { LintFacts } from '../rule/finding.ts';
import { type Row, fixed, found, visionSample, tensor } from '../test-samples.ts';

const code = 'remap-tensor';

describe(code, () => {
  it.each<Row>([
    [
      'a misspelt tensor',
      { remap_output_names: { box: 'location', scores: 'score', classes: 'category' } },
      ['error remap_output_names.box'],
      { mlmodel_name: 'model', remap_output_names: { boxes: 'location', scores: 'score', classes: 'category' } },
    ],
    [
      'a tensor of another model',
      { remap_input_names: { data_0: 'image' } },
      ['error remap_input_names.data_0'],
      { mlmodel_name: 'model', remap_input_names: {} },
    ],
    [
      'a reversed line, which has a finding of its own',
      { remap_output_names: { location: 'boxes' } },
      [],
      { mlmodel_name: 'model', remap_output_names: { location: 'boxes' } },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const facts: LintFacts = {
      vision: {
        inputs: [tensor('input', 1, 3, 8, 8)],
        outputs: [tensor('boxes', 1, 9, 4), tensor('scores', 1, 9), tensor('classes', 1, 9)],
      },
    };
    const sample = visionSample(attributes);
    expect(found(code, sample, facts)).toEqual(findings);
    expect(fixed(code, sample, facts)).toEqual(afterFix);
  });

  it.each<Row>([
    [
      'any tensor of an unknown model',
      { remap_output_names: { x: 'location' } },
      [],
      { mlmodel_name: 'model', remap_output_names: { x: 'location' } },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
