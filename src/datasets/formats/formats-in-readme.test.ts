import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { datasetFormats, importTitles } from '../dataset-formats.ts';

/** "A, B and C" */
const listed = (titles: readonly string[]): string => `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`;

it('are those of which the README tells, out and in', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
  const out = Object.values(datasetFormats).map(({ title }) => title);
  const onlyIn = Object.values(importTitles).filter((title) => !out.includes(title));
  const told = /Build datasets [^.]*\./.exec(readme)?.[0];
  expect(told).toBe(`Build datasets from them, and take those out as ${listed(out)}; ${listed(onlyIn)} come in, too.`);
});
