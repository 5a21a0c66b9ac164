import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// While one runs, also in steps, WebKit composes the whole window for each frame of the screen: without a graphics card that takes
// the time in which a model is started. A clock moves what moves without an end (Progress.svelte).
it('animates nothing by CSS without an end', () => {
  const animations = globSync('src/app/**/*.{svelte,css}').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/animation[^;{}]*\binfinite\b/g)].map(
      ([animation]) => `${path}: ${animation}`,
    ),
  );
  expect(animations).toEqual([]);
});
