import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'remap-direction';

describe(code, () => {
  it.each<Row>([
    [
      'role first',
      { remap_output_names: { location: 'boxes', score: 'scores' } },
      ['error remap_output_names.location', 'error remap_output_names.score'],
      { mlmodel_name: 'model', remap_output_names: { boxes: 'location', scores: 'score' } },
    ],
    [
      'role first on the input',
      { remap_input_names: { image: 'input' } },
      ['error remap_input_names.image'],
      { mlmodel_name: 'model', remap_input_names: { input: 'image' } },
    ],
    [
      'tensor first',
      { remap_output_names: { boxes: 'location', score: 'score' } },
      [],
      { mlmodel_name: 'model', remap_output_names: { boxes: 'location', score: 'score' } },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
