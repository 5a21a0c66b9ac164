import { expect, it } from 'vitest';
import { colourDistance, contrast, inkOn } from './colour-distance.ts';

it('says the same of a colour however many others were asked for in between', () => {
  const first = [colourDistance('#000000', '#ffffff'), inkOn('#4bc3f0'), inkOn('#202020')];
  for (let blue = 0; blue < 2000; blue++) {
    const colour = `#${(blue * 7919).toString(16).padStart(6, '0').slice(-6)}`;
    const ink = inkOn(colour);
    expect(contrast(colour, ink)).toBeGreaterThanOrEqual(contrast(colour, ink === '#ffffff' ? '#0b0d0f' : '#ffffff'));
    colourDistance(colour, '#808080');
  }
  expect([colourDistance('#000000', '#ffffff'), inkOn('#4bc3f0'), inkOn('#202020')]).toEqual(first);
  expect(first[0]).toBeCloseTo(1, 5);
  expect(first.slice(1)).toEqual(['#0b0d0f', '#ffffff']);
});
