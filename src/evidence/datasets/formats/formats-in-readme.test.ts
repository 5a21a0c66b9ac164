import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { datasetFormats, importTitles, type FormatTraits } from '../dataset-formats.ts';

/** "A, B and C" */
const listed = (titles: readonly string[]): string => `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`;

it('are those of which the README tells, out and in', () => {
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
  const out = Object.values(datasetFormats).map(({ title }) => title);
  const onlyIn = Object.values(importTitles).filter((title) => !out.includes(title));
  const told = /Export them as [^.]*\. Import [^.]*\./.exec(readme)?.[0];
  expect(told).toBe(`Export them as ${listed(out)}. Import these and ${listed(onlyIn)}.`);
});

const kept: Readonly<Record<keyof FormatTraits['keeps'], string>> = {
  confidence: 'confidence',
  classifications: 'classifications',
  tags: 'tags',
  capturedAt: 'time of capture',
  origin: 'origin',
  tracks: 'tracks',
  areas: 'areas of masks',
  crowds: 'crowds',
};

it('have a row each in docs/formats.md with what they keep, and those that only come in are named', () => {
  const page = readFileSync(new URL('../../../../docs/formats.md', import.meta.url), 'utf8');
  for (const { title, layout, keeps } of Object.values(datasetFormats)) {
    const words = Object.entries(kept).flatMap(([key, word]) => (keeps[key as keyof typeof kept] ? [word] : []));
    expect(page).toContain(`| ${title} | ${layout} | ${words.join(', ') || '–'} |`);
  }
  const out = Object.values(datasetFormats).map(({ title }) => title);
  const onlyIn = Object.values(importTitles).filter((title) => !out.includes(title));
  expect(page).toContain(`These come in only: ${onlyIn.join(', ')}.`);
});
