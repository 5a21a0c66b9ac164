import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { expect, it } from 'vitest';
import { notesOf } from './notes-of.ts';

const changelog =
  '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.2.3 – 2026-11-01\n\n### Added\n\n- a\n\n## [1.2.2] - 2026-10-01\n\n- b\n\n## 1.2.1 –\n';

it.each([
  ['v1.2.3', '1.2.3', '### Added\n\n- a'],
  ['v1.2.2', '1.2.2', '- b'],
])('%s has its section', (tag, version, notes) => {
  expect(notesOf(tag, version, changelog)).toBe(notes);
});

it.each([
  ['v1.2.3', '1.2.2', 'package.json has version 1.2.2'],
  ['', '1.2.2', 'The tag is missing'],
  ['v1.2', '1.2', 'no section 1.2'],
  ['v1.2.1', '1.2.1', 'says nothing of 1.2.1'],
])('%s of package %s is refused', (tag, version, words) => {
  expect(() => notesOf(tag, version, changelog)).toThrow(words);
});

it.each(['release', 'pages', 'test'])('the workflow %s is YAML whose scripts exist', (name) => {
  const text = readFileSync(`.github/workflows/${name}.yml`, 'utf8');
  expect(Object.keys(parse(text) as object)).toContain('jobs');
  for (const [, script] of text.matchAll(/node (scripts\/[\w/-]+\.ts)/g))
    expect(() => readFileSync(script!)).not.toThrow();
});

it('CHANGELOG.md has words for each version, the newest first', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  const versions = Array.from(text.matchAll(/^## (?!Unreleased$)(.*)$/gm), ([, title]) => title!);
  expect(versions.filter((title) => !/^\d+\.\d+\.\d+ – \d{4}-\d\d-\d\d$/.test(title))).toEqual([]);
  const numbers = versions.map((title) => title.split(' ')[0]!);
  expect(numbers).toEqual(numbers.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true })));
  const dates = versions.map((title) => title.split(' ')[2]!);
  expect(dates).toEqual(dates.toSorted().toReversed());
  for (const number of numbers) expect(notesOf(`v${number}`, number, text)).toMatch(/^- /m);
});
