import { describe, expect, it } from 'vitest';
import type { Frame } from '../frame/frame.ts';
import { crop } from './crop.ts';
import { refuseDepthOverlay } from './depth-picture.ts';
import { resizeNearest } from './resize.ts';
import { rotate } from './rotate.ts';

const samples = Uint16Array.from([1, 2, 3, 4].flatMap((gray) => [256 * gray, 256 * gray, 256 * gray, 0xffff]));
const depth: Frame = { format: 'rgba16', widthPx: 4, heightPx: 1, samples, isDepth: true };
const reds = ({ samples: all }: Frame) => [...all].filter((_, i) => i % 4 === 0);

describe('a depth picture', () => {
  it.each([
    [0, [1, 2, 3, 4]],
    [180, [4, 3, 2, 1]],
    [180.9, [4, 3, 2, 1]],
    [90.7, [1, 2, 3, 4]],
    [-90, [4, 3, 2, 1]],
    [270, [4, 3, 2, 1]],
    [-0.9, [1, 2, 3, 4]],
  ])('turned by %d is turned by whole quarters', (angleDegs, grays) => {
    expect(reds(rotate(depth, { angleDegs }))).toEqual(grays);
  });

  it.each([45, 360, -180, -270, 450, 1, 359])('is not turned by %d', (angleDegs) => {
    expect(() => rotate(depth, { angleDegs })).toThrow(expect.objectContaining({ code: 'depth-picture' }));
  });

  it('stays one through every step', () => {
    const window = { xMin: 0, yMin: 0, xMax: 2, yMax: 1, overlayCropBox: false };
    for (const made of [
      crop(depth, window),
      resizeNearest(depth, { widthPx: 2, heightPx: 2 }),
      rotate(depth, { angleDegs: 90 }),
    ])
      expect(() => rotate(made, { angleDegs: 45 })).toThrow(expect.objectContaining({ code: 'depth-picture' }));
  });

  it('says by which angle it is not turned', () => {
    expect(() => rotate(depth, { angleDegs: 45.5 })).toThrow(/by 45\.5 its runtime fails or hangs/);
  });

  it('has no crop box drawn on it', () => {
    expect(() => refuseDepthOverlay(depth)).toThrow(expect.objectContaining({ code: 'depth-picture' }));
    refuseDepthOverlay({ format: 'rgba16', widthPx: 4, heightPx: 1, samples });
  });
});
