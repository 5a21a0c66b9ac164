import { expect, it } from 'vitest';
import { colourDistance, contrast, inkOn } from './colour-distance.ts';
import { PALETTE, colourApart } from './colour-palette.ts';

it('has colours that look apart, each seen on any picture by its rim, with text that is read', () => {
  for (const [at, colour] of PALETTE.entries()) {
    for (const other of PALETTE.slice(at + 1))
      expect(colourDistance(colour, other), `${colour} ${other}`).toBeGreaterThan(0.095);
    expect(inkOn(colour)).toBe('#0b0d0f');
    expect(contrast(colour, inkOn(colour))).toBeGreaterThan(7);
  }
});

it.each([
  ['#000000', '#ffffff', 1, 21],
  ['#7f7f7f', '#7f7f7f', 0, 1],
  ['#ff0000', '#00ff00', 0.52, 2.92],
])('%s and %s are %d apart, with a contrast of %d', (a, b, distance, ratio) => {
  expect(colourDistance(a, b)).toBeCloseTo(distance, 2);
  expect(contrast(a, b)).toBeCloseTo(ratio, 1);
});

it.each([
  ['#000080', '#ffffff'],
  ['#ffff00', '#0b0d0f'],
])('rims %s with %s', (colour, ink) => {
  expect(inkOn(colour)).toBe(ink);
});

it.each([
  ['stays where none looks like it', '#4bc3f0', ['#ff4b00'], true],
  ['moves far from one that does', '#ff4c01', ['#ff4b00', '#4bc3f0'], false],
])('%s', (_, colour, used, stays) => {
  const apart = colourApart(colour, used);
  expect(apart === colour).toBe(stays);
  for (const other of used) expect(colourDistance(apart, other)).toBeGreaterThan(0.2);
});
