import { expect, it } from 'vitest';
import { faultOf } from './check-box-shape.ts';

const size = { widthPx: 100, heightPx: 50 };

it.each([
  ['the whole picture', [0, 0, 1, 1], null],
  ['one pixel', [0.5, 0.5, 0.51, 0.52], null],
  ['half a pixel wide', [0.5, 0, 0.505, 1], 'tiny'],
  ['half a pixel high', [0, 0.5, 1, 0.51], 'tiny'],
  ['no width', [0.5, 0, 0.5, 1], 'degenerate'],
  ['no height', [0, 0.5, 1, 0.5], 'degenerate'],
  ['x in the wrong order', [0.6, 0, 0.5, 1], 'degenerate'],
  ['y in the wrong order', [0, 0.6, 1, 0.5], 'degenerate'],
  ['no number', [NaN, 0, 1, 1], 'degenerate'],
  ['out to the left', [-0.1, 0, 0.5, 1], 'outside'],
  ['out above', [0, -0.1, 1, 0.5], 'outside'],
  ['out to the right', [0.5, 0, 1.1, 1], 'outside'],
  ['out below', [0, 0.5, 1, 1.1], 'outside'],
])('of a box with %s', (_, [xMin, yMin, xMax, yMax], fault) => {
  const box = {
    label: 'a',
    xMinNormalized: xMin!,
    yMinNormalized: yMin!,
    xMaxNormalized: xMax!,
    yMaxNormalized: yMax!,
  };
  expect(faultOf(box, size)).toBe(fault);
  expect(faultOf(box, null)).toBe(fault === 'tiny' ? null : fault);
});
