import { expect, it } from 'vitest';
import { parseLabelLine } from './parse-label-line.ts';

it.each([
  ['a box', ' 3  0.5\t0.5 0.25 0.5 ', 0, [0.375, 0.25, 0.625, 0.75], undefined, false],
  ['a box of no size', '0 .5 .5 0 0', 0, [0.5, 0.5, 0.5, 0.5], undefined, false],
  ['a confidence', '0 .5 .5 1 1 .75', 0, [0, 0, 1, 1], 0.75, false],
  ['key points of the right number', '0 .5 .5 1 1 .1 .2 2', 3, [0, 0, 1, 1], undefined, false],
  ['a confidence beside key points', '0 .5 .5 1 1 .75', 3, [0, 0, 1, 1], 0.75, false],
  ['columns of another number, a polygon', '0 .5 .5 1 1 .1 .2 2', 4, [0.1, 0.2, 1, 1], 2, true],
  ['a triangle', '0 .5 .1 .9 .4 .2 .6', 0, [0.2, 0.1, 0.9, 0.6], undefined, true],
  ['a triangle and a confidence', '0 .5 .1 .9 .4 .2 .6 .7', 0, [0.2, 0.1, 0.9, 0.6], 0.7, true],
])('reads %s', (_, text, keyPointColumns, corners, confidence, isPolygon) => {
  const classNumber = text.startsWith(' 3') ? 3 : 0;
  expect(parseLabelLine(text, keyPointColumns)).toEqual({ classNumber, corners, confidence, isPolygon });
});

it.each([
  ['0 .5 .5 1', 'A box has 5 columns (class, x, y, width, height) or 6 with a confidence, not 4.'],
  ['0', 'A box has 5 columns (class, x, y, width, height) or 6 with a confidence, not 1.'],
  ['0 .5 .5 1 -0.1', 'The box is 1 wide and -0.1 high; neither can be below 0.'],
  ['0 .5 .5 -0.1 1', 'The box is -0.1 wide and 1 high; neither can be below 0.'],
  [`0 .5 ${'x'.repeat(50)} 1 1`, `Column 3 is not a number, but “${'x'.repeat(40)}”.`],
  ['Infinity .5 .5 1 1', 'Column 1 is not a number, but “Infinity”.'],
])('says what is wrong with %j', (text, message) => {
  expect(parseLabelLine(text, 0)).toBe(message);
});
