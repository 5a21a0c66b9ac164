import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const theme = readFileSync('src/app/theme.css', 'utf8');
const components = globSync('src/app/**/*.svelte').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const utilities = Array.from(
  theme.slice(theme.indexOf('* Utility classes')).matchAll(/^\.([\w.\\-]+) \{/gm),
  ([, name]) => name!.replaceAll('\\', ''),
);

/** The classes that a component styles itself. */
const ownClasses = (text: string): string[] =>
  Array.from(text.slice(text.indexOf('<style>')).matchAll(/^ [^{}:;]*\{/gm)).flatMap(([selector]) =>
    Array.from(selector.matchAll(/\.([a-z][\w-]*)/g), ([, name]) => name!),
  );

it('has no utility class that no component uses', () => {
  const words = new Set(components.flatMap(({ text }) => text.split('<style>')[0]!.split(/[\s'"`]+/)));
  expect(utilities.length).toBeGreaterThan(50);
  expect(utilities.filter((name) => !words.has(name))).toEqual([]);
});

it('has no utility class that a component gives another meaning', () => {
  const taken = components.flatMap(({ path, text }) =>
    ownClasses(text)
      .filter((name) => utilities.includes(name))
      .map((name) => `${path}: .${name}`),
  );
  expect(taken).toEqual([]);
});

describe('dark colours', () => {
  interface Token {
    readonly name: string;
    readonly light: string;
    readonly dark: string;
  }
  // A line's colour is neither behind a text nor of one.
  const tokens = Array.from(
    theme.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g),
    ([, name, light, dark]): Token => ({ name: name!, light: light!, dark: dark! }),
  ).filter(({ name }) => !/(^|-)line/.test(name));

  it.each([4.5, 3])('give each text the contrast of %s that it has in light ones', (least) => {
    const grounds = tokens.filter(({ name }) => !name.startsWith('text'));
    expect([tokens.length, grounds.length]).toEqual([19, 15]);
    const worse = tokens.flatMap((text) =>
      grounds
        .filter((behind) => contrast(text.light, behind.light) >= least && contrast(text.dark, behind.dark) < least)
        .map((behind) => `${text.name} on ${behind.name}`),
    );
    expect(worse).toEqual([]);
  });

  it('are chosen by the tokens alone, except where a test looks at both', () => {
    const choosing = components.filter(({ text }) => text.includes('light-dark(')).map(({ path }) => path);
    expect(choosing.sort()).toEqual([
      'src/app/bench/graph/GraphDialog.svelte', // tests/e2e/fit-model.test.ts
      'src/app/bench/profile/ProfileBar.svelte', // tests/browser/profile.test.ts, as the next
      'src/app/bench/profile/StageTable.svelte',
    ]);
  });

  it('leave no text of theirs on a ground that is the same in both', () => {
    const grounds = components.flatMap(({ path, text }) =>
      Array.from(text.slice(text.indexOf('<style>')).matchAll(/\{([^{}]*)\}/g), ([, block]) => block!)
        .filter(
          (block) => /background(-color)?: (#|rgb)/.test(block) && !/(^|\s)color: (#|rgb|transparent)/.test(block),
        )
        .map(() => path),
    );
    expect([...new Set(grounds)].sort()).toEqual([
      'src/app/bench/backends/TensorPictures.svelte', // a canvas
      'src/app/bench/panels/transforms/CropTool.svelte', // a handle
      'src/app/data/shared/grid/PictureCell.svelte', // a tick
      'src/app/data/tabs/datasets/split/SplitBadge.svelte', // white letters on each of its hues
      'src/app/data/tabs/datasets/split/SplitPane.svelte', // pieces of a bar
      'src/app/data/tabs/point-clouds/PointCloudView.svelte', // words of a colour of their own
    ]);
  });
});

/** The contrast of two colours as WCAG 2.2 has it: 1 to 21. */
function contrast(first: string, second: string): number {
  const [darker, lighter] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
