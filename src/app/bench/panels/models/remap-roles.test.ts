import { describe, expect, it } from 'vitest';
import { tensorOf, withTensor } from './remap-roles.ts';

const remap = { boxes: 'location', scores: 'score' };

describe('remap roles', () => {
  it('reads the map backwards', () => {
    expect([tensorOf(remap, 'location'), tensorOf(remap, 'category')]).toEqual(['boxes', '']);
  });

  it.each([
    ['a new role', 'category', 'classes', { boxes: 'location', scores: 'score', classes: 'category' }],
    ['another tensor', 'location', 'out', { scores: 'score', out: 'location' }],
    ['a tensor that had another role', 'location', 'scores', { scores: 'location' }],
    ['no tensor', 'score', '', { boxes: 'location' }],
  ])('gives %s', (_, role, tensor, expected) => {
    expect(withTensor(remap, role, tensor)).toEqual(expected);
  });
});
