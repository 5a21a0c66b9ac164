import { describe, expect, it } from 'vitest';
import { captureCost, costWords, rateWords } from './capture-cost.ts';
import { listEntries } from '../parse/config-entries.ts';
import { parseDocument } from '../json/json-document.ts';

const camera = (name: string, model: string, attributes: object) => ({
  name,
  api: 'rdk:component:camera',
  model,
  attributes,
});
const step = (type: string, attributes: object) => ({ type, attributes });
const entries = (...steps: readonly object[]) =>
  listEntries(
    parseDocument(
      JSON.stringify({
        components: [
          camera('cam', 'webcam', { width_px: 1000, height_px: 500 }),
          camera('fake', 'fake', { Width: 320, height: 240 }),
          camera('open', 'webcam', { width_px: 640 }),
          camera('tuned', 'transform', { source: 'cam', pipeline: steps }),
          camera('far', 'transform', { source: 'elsewhere', pipeline: steps }),
        ],
      }),
    ),
  );
const sizeOf = (name: string, ...steps: readonly object[]) => {
  const { size, isSizeKnown } = captureCost(entries(...steps), name, 1, null);
  return isSizeKnown ? `${size.widthPx}×${size.heightPx}` : null;
};
const resize = step('resize', { width_px: 300, height_px: 200 });

describe('the size of a picture', () => {
  it.each([
    ['a webcam', 'cam', [], '1000×500'],
    ['a camera with other keys', 'fake', [], '320×240'],
    ['a camera with half a size', 'open', [], null],
    ['no camera', 'nothing', [], null],
    ['steps that keep it', 'tuned', [step('', {}), step('rotate', { angle_degs: 90 })], '1000×500'],
    ['a resize', 'tuned', [resize], '300×200'],
    ['a resize behind a camera that is not here', 'far', [resize], '300×200'],
    ['a crop by shares', 'tuned', [step('crop', { x_min_px: 0.5, x_max_px: 1, y_max_px: 0.25 })], '500×125'],
    ['a crop by pixels', 'tuned', [step('crop', { x_min_px: 10, x_max_px: 110, y_max_px: 9999 })], '100×500'],
    ['a crop of a resized picture', 'tuned', [resize, step('crop', { x_max_px: 0.5, y_max_px: 1 })], '150×200'],
    ['a crop that is only drawn', 'tuned', [step('crop', { x_max_px: 0.5, overlay_crop_box: true })], '1000×500'],
    ['a crop of nothing known', 'far', [step('crop', { x_max_px: 0.5, y_max_px: 0.5 })], null],
    ['an empty crop', 'tuned', [step('crop', {})], null],
  ])('%s', (_, name, steps, size) => {
    expect(sizeOf(name, ...steps)).toBe(size);
  });
});

describe('the cost', () => {
  it('goes by what the text says, then by what was seen', () => {
    const seen = { camera: null, widthPx: 100, heightPx: 100, bytes: null };
    expect(captureCost(entries(), 'cam', 2, seen)).toEqual({
      callsPerSecond: 2,
      bytesPerPicture: 88_535,
      bytesPerHour: 637_452_000,
      size: { widthPx: 1000, heightPx: 500 },
      isSizeKnown: true,
    });
    expect(captureCost(entries(), 'open', 2, seen).bytesPerPicture).toBe(4709);
  });

  const seen = { widthPx: 100, heightPx: 100, bytes: 1234 };
  it.each([
    ['of the camera itself', 'open', { ...seen, camera: 'open' }, '1.2 kB', 'of pictures of 100 × 100'],
    [
      'of the camera itself, without bytes',
      'open',
      { ...seen, camera: 'open', bytes: null },
      '4.7 kB',
      'of pictures of 100 × 100',
    ],
    ['of the camera itself, beside the text', 'cam', { ...seen, camera: 'cam' }, '1.2 kB', 'of pictures of 1000 × 500'],
    ['of another camera', 'open', { ...seen, camera: 'cam' }, '4.7 kB', 'if a picture is 100 × 100'],
    ['of another camera, beside the text', 'cam', { ...seen, camera: 'open' }, '89 kB', 'of pictures of 1000 × 500'],
    ['of no camera', 'open', { ...seen, camera: null }, '4.7 kB', 'if a picture is 100 × 100'],
  ])('goes by pictures %s', (_, camera, pictures, bytes, size) => {
    expect(costWords(captureCost(entries(), camera, 1, pictures))).toContain(`${size} (${bytes}).`);
  });

  it('is nothing at no rate', () => {
    expect(captureCost(entries(), 'cam', -1, null)).toMatchObject({ callsPerSecond: 0, bytesPerHour: 0 });
  });

  it.each([
    [1, 'About 320 MB an hour, 7.6 GB a day, of pictures of 1000 × 500 (89 kB).'],
    [0.0001, 'About 32 kB an hour, 760 kB a day, of pictures of 1000 × 500 (89 kB).'],
    [0.000001, 'About 320 bytes an hour, 7.6 kB a day, of pictures of 1000 × 500 (89 kB).'],
    [100_000, 'About 32000 GB an hour, 760000 GB a day, of pictures of 1000 × 500 (89 kB).'],
  ])('in words at %s Hz', (rateHz, words) => {
    expect(costWords(captureCost(entries(), 'cam', rateHz, null))).toBe(words);
  });

  it.each([
    [0.5, 'once in 2 seconds'],
    [1.5, '1.5 times a second'],
    [29.97, '30 times a second'],
  ])('a rate of %s in words', (hertz, words) => {
    expect(rateWords(hertz)).toBe(words);
  });
});
