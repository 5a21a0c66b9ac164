import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// Where no graphics card is, an animation of each frame of the screen took half of the time in which WebKit starts a model.
it('draws what moves without an end in few steps a second', () => {
  const animations = globSync('src/app/**/*.{svelte,css}').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/animation:[^;]*\binfinite\b[^;]*/g)].map(([animation]) => animation),
  );
  expect(animations).not.toEqual([]);
  for (const animation of animations) {
    const [, seconds, steps] = /([\d.]+)s steps\((\d+)\)/.exec(animation) ?? [];
    expect(Number(steps) / Number(seconds), animation).toBeLessThanOrEqual(12);
  }
});
