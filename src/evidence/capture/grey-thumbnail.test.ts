import { expect, it } from 'vitest';
import { randomFrame, randomSource, randomYuvFrame } from '../../../tests/random-frame.ts';
import { glanceAt } from '../../machine/vision/yuv/yuv-to-rgba.ts';
import { greyGlancePx, greyThumbnail } from './grey-thumbnail.ts';

it.each([
  [333, 77],
  [5, 3],
])('sees in a glance at planes of %i×%i what it sees in all their colours', (widthPx, heightPx) => {
  const frame = randomYuvFrame(randomSource(widthPx), 'i420', widthPx, heightPx);
  expect(greyThumbnail(glanceAt(frame, greyGlancePx))).toEqual(greyThumbnail(frame.pixels()));
});

it('tells frames apart, and a frame from itself not', () => {
  const [one, other] = [1, 2].map((seed) => randomFrame(randomSource(seed), 'rgba8', 40, 30, 'opaque'));
  expect(greyThumbnail(one!)).toEqual(greyThumbnail(one!));
  expect(greyThumbnail(one!)).not.toEqual(greyThumbnail(other!));
});
