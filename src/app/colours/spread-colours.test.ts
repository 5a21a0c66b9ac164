import { expect, it } from 'vitest';
import { colourDistance, contrast, inkOn } from './colour-distance.ts';
import { PALETTE, spreadColours } from './spread-colours.ts';

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

it('moves only what is free and looks like what is there', () => {
  const home: Readonly<Record<string, string>> = {
    'chosen too': '#ff4b00',
    chosen: '#ff4b00',
    alike: '#ff4c01',
    own: '#4bc3f0',
    same: '#4bc3f0',
  };
  const moved = spreadColours(Object.keys(home), {
    colourOf: (label) => home[label]!,
    isFree: (label) => !label.startsWith('chosen'),
  });
  expect([...moved.keys()]).toEqual(['alike', 'same']);
  for (const colour of moved.values())
    for (const there of ['#ff4b00', '#4bc3f0']) expect(colourDistance(colour, there)).toBeGreaterThan(0.2);
});

it('leaves labels alike where there are more of them than colours', () => {
  const labels = Array.from({ length: 40 }, (_, at) => String(at));
  const moved = spreadColours(labels, { colourOf: () => PALETTE[0]!, isFree: () => true });
  expect(moved.size).toBe(PALETTE.length - 1);
});
