import { describe, expect, it } from 'vitest';
import { type Orientation } from './exif-orientation.ts';
import { storedBox, uprightBox } from './upright-box.ts';

describe('uprightBox', () => {
  // The stored picture's top left quarter in the upright picture, for each orientation.
  it.each([
    [1, 0, 0],
    [2, 0.5, 0],
    [3, 0.5, 0.5],
    [4, 0, 0.5],
    [5, 0, 0],
    [6, 0.5, 0],
    [7, 0.5, 0.5],
    [8, 0, 0.5],
  ])('turns by orientation %i', (orientation, x, y) => {
    const box = { label: 'a', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 0.5 };
    expect(uprightBox(box, orientation as Orientation)).toMatchObject({
      xMinNormalized: x,
      yMinNormalized: y,
      xMaxNormalized: x + 0.5,
      yMaxNormalized: y + 0.5,
    });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8] as const)('is undone by storedBox for orientation %i', (orientation) => {
    const box = { label: 'a', xMinNormalized: 0.125, yMinNormalized: 0.25, xMaxNormalized: 0.5, yMaxNormalized: 0.875 };
    expect(storedBox(uprightBox(box, orientation), orientation)).toEqual(box);
  });

  it('swaps sides where the picture is turned by a quarter', () => {
    const box = { label: 'a', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.1, yMaxNormalized: 1 };
    expect(uprightBox(box, 6)).toMatchObject({
      xMinNormalized: 0,
      xMaxNormalized: 1,
      yMinNormalized: 0,
      yMaxNormalized: 0.1,
    });
    expect(uprightBox(box, 8)).toMatchObject({
      xMinNormalized: 0,
      xMaxNormalized: 1,
      yMinNormalized: 0.9,
      yMaxNormalized: 1,
    });
  });
});
