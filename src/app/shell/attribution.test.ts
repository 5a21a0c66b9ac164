import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAttribution } from './attribution.ts';

it('reads every row of ATTRIBUTION.md whole', () => {
  const works = parseAttribution(readFileSync('ATTRIBUTION.md', 'utf8'));
  expect(works.map(({ name }) => name)).toContain('BlazeFace');
  for (const work of works) {
    expect(
      Object.values(work).every((cell) => cell.length > 0),
      work.name,
    ).toBe(true);
    expect(work.source).toMatch(/^https:/);
  }
});
