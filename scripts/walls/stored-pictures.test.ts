import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/**
 * A stored picture is shown as it is stored, by one way: its bytes lose their EXIF orientation before a browser sees them
 * (src/evidence/datasets/image-size/without-orientation.ts). The browser's own options mean other things in other browsers.
 */
const oneWay = /\b(asStored|withoutOrientation)\(/;

/** Files that give the browser something to show or to decode that is no stored picture, or that was made so before. */
const others: Readonly<Record<string, string>> = {
  'src/app/bench/intake/why-no-picture.ts': 'whether it can be decoded at all',
  'src/app/kit/layout/save-file.ts': 'what is downloaded',
  'src/platform/browser/media/load-video.ts': 'a video, which is turned as its file says',
  'workers/datasets/engine/picture-scans.ts': 'near duplicates are found of upright pictures',
  'workers/thumbnails/draw-thumbnail.ts': 'workers/thumbnails/api.ts takes the orientation away',
  'workers/vision/client/burst.ts': 'frames',
  'workers/vision/client/stage-canvas.ts': 'a canvas',
};

const sources = globSync(['src/**/*.{ts,svelte,css}', 'workers/**/*.ts'])
  .filter((path) => !/\.test\.ts$|^src\/gen\//.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '') }));

it('no picture is turned back by an option of the browser', () => {
  const asking = sources.filter(({ text }) => /imageOrientation|image-orientation/.test(text));
  expect(asking.map(({ path }) => path)).toEqual([]);
});

it('each place that shows or decodes a stored picture does it the one way', () => {
  const shown = sources.filter(({ text }) => /createObjectURL\(|createImageBitmap\(/.test(text));
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter(({ path, text }) => !(path in others) && !oneWay.test(text)).map(({ path }) => path)).toEqual([]);
  expect(Object.keys(others).filter((path) => !shown.some((one) => one.path === path))).toEqual([]);
});
