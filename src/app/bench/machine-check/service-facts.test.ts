import { describe, expect, it } from 'vitest';
import { serviceFacts } from './service-facts.ts';

const tuned = { visionName: 'red', visionNames: ['red', 'green'], tunesColor: true };

describe('serviceFacts', () => {
  it.each([
    ['the one that is tuned', 'red', false],
    ['another one of the configuration', 'green', true],
    ['one that the configuration does not have: names differ there', 'eyes', false],
  ])('of %s', (_, asked, isOther) => {
    expect(serviceFacts(tuned, asked)).toEqual({ isOther, isColorDetector: true });
    expect(serviceFacts({ ...tuned, tunesColor: false }, asked)).toEqual({ isOther, isColorDetector: false });
  });
});
