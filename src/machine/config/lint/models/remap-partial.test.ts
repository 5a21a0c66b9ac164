import { describe, expect, it } from 'vitest';
import type { LintFacts } from '../rule/finding.ts';
import { type Row, fixed, found, visionSample, tensor } from '../test-samples.ts';

const code = 'remap-partial';

describe(code, () => {
  it.each<Row>([
    [
      'a location alone',
      { remap_output_names: { boxes: 'location' } },
      ['warning remap_output_names'],
      { mlmodel_name: 'model' },
    ],
    [
      'location and score of an unknown model',
      { remap_output_names: { boxes: 'location', s: 'score' } },
      [],
      { mlmodel_name: 'model', remap_output_names: { boxes: 'location', s: 'score' } },
    ],
    [
      'probability alone',
      { remap_output_names: { p: 'probability' } },
      [],
      { mlmodel_name: 'model', remap_output_names: { p: 'probability' } },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it.each<Row>([
    [
      'no category beside flat scores',
      { remap_output_names: { boxes: 'location', scores: 'score' } },
      ['warning remap_output_names'],
      { mlmodel_name: 'model' },
    ],
    [
      'all three',
      { remap_output_names: { boxes: 'location', scores: 'score', classes: 'category' } },
      [],
      { mlmodel_name: 'model', remap_output_names: { boxes: 'location', scores: 'score', classes: 'category' } },
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
      'a missing role that stands in the model by name',
      { remap_output_names: { boxes: 'location' } },
      ['warning remap_output_names'],
      { mlmodel_name: 'model', remap_output_names: { boxes: 'location', score: 'score' } },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const facts: LintFacts = { vision: { outputs: [tensor('boxes', 1, 9, 4), tensor('score', 1, 9, 80)] } };
    const sample = visionSample(attributes);
    expect(found(code, sample, facts)).toEqual(findings);
    expect(fixed(code, sample, facts)).toEqual(afterFix);
  });
});
