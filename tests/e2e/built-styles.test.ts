import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('gives browsers without light-dark() their colours', () => {
  const files = readdirSync('dist/assets').filter((name) => /\.(css|js)$/.test(name));
  const texts = files.map((name) => ({ name, text: readFileSync(`dist/assets/${name}`, 'utf8') }));
  // The build writes it as two custom properties that prefers-color-scheme and data-theme choose from; in scripts it stays.
  expect(texts.filter(({ text }) => text.includes('light-dark(')).map(({ name }) => name)).toEqual([]);
  expect(texts.some(({ text }) => /--surface-0:\s*var\(--[\w-]+,\s*#eceef0\)/.test(text))).toBe(true);
});
