import { describe, expect, it } from 'vitest';
import { Pen, quotient, toleranceFor } from './pen.ts';

describe('toleranceFor', () => {
  it.each([
    [24, 1, 32, 16],
    [25, 1, 64, 32],
    [1, 120, 64, 32],
    [1, 121, 128, 64],
  ])('of a picture of %i×%i is %i and %i', (widthPx, heightPx, quadratic, cubic) => {
    expect(toleranceFor(widthPx, heightPx)).toEqual({ quadratic, cubic });
  });
});

describe('Pen', () => {
  it.each([
    [20, [26, -15, 56, -25, 89, -28, 126, -25, 165, -15, 208, 0, 253, 21, 303, 50]],
    [100, [56, -25, 126, -25, 208, 0, 303, 50]],
  ])('cuts a quadratic curve into chords, in a picture of %i px', (sizePx, points) => {
    const pen = new Pen(0, 0, toleranceFor(sizePx, sizePx));
    pen.quadraticTo(101, -77, 303, 50);
    expect(pen.contour).toEqual([0, 0, ...points]);
  });

  it('cuts a cubic curve into chords', () => {
    const pen = new Pen(0, 0, toleranceFor(200, 200));
    pen.cubicTo(-101, 77, 303, 50, 11, -401);
    expect(pen.contour).toEqual([0, 0, -16, 22, 0, 32, 35, 24, 77, -3, 109, -55, 118, -136, 90, -250, 11, -401]);
  });

  it('cuts a cubic curve that bends both ways by how far it leaves its chord', () => {
    const pen = new Pen(0, 0, toleranceFor(200, 200));
    pen.cubicTo(0, 600, 0, -600, 0, 0);
    const ys = [0, 91, 146, 170, 168, 144, 104, 54, 0, -54, -104, -144, -168, -170, -146, -91, 0];
    expect(pen.contour).toEqual(ys.flatMap((y) => [0, y]));
  });
});

it.each([
  [7, 2, 3],
  [-7, 2, -3],
  [-63, 64, 0],
  [-64, 64, -1],
])('quotient of %i and %i is %i', (a, b, expected) => {
  expect(quotient(a, b) + 0).toBe(expected);
});
