import { expect, it } from 'vitest';
import { sineAndCosine } from './sine-cosine.ts';

it.each([0, 0.01, 23.154, 44.999, 45, 60, 89.99, 90, 135, 180, 210.5, 269, 300, 359.99])(
  'is sine and cosine of %d°',
  (degrees) => {
    const radians = (Math.PI * degrees) / 180;
    const [sine, cosine] = sineAndCosine(radians);
    expect(Math.abs(sine - Math.sin(radians))).toBeLessThan(2e-16);
    expect(Math.abs(cosine - Math.cos(radians))).toBeLessThan(2e-16);
  },
);

it('rounds as the machine does where engines of JavaScript round otherwise', () => {
  // Math.cos gives …474 here; a frame turned by 45° shows the last bit.
  expect(sineAndCosine((Math.PI * 315) / 180)).toEqual([-0.7071067811865477, 0.7071067811865475]);
});
