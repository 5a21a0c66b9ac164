import { expect, it } from 'vitest';
import { labelColour } from './label-colours.ts';

it('gives a label one colour, in any case', () => {
  expect(labelColour('Person')).toBe(labelColour('person'));
});

it('spreads eighty labels over the whole palette', () => {
  const colours = new Set(Array.from({ length: 80 }, (_, index) => labelColour(`label ${index}`)));
  expect(colours.size).toBe(12);
});
