import { describe, expect, it } from 'vitest';
import { encodingLevels, judgeSteps } from './judge-steps.ts';

const camera = { name: 't', sourceName: 'cam', draws: false };
const size = { widthPx: 4, heightPx: 2 };
const pictures = {
  hereSize: size,
  thereSize: size,
  difference: { blockLevels: 0, largestLevels: 0, meanLevels: 0, xPx: 0, yPx: 0, picture: null as never },
  stirLevels: 0,
  isLossless: false,
};
const apart = (blockLevels: number, more: object = {}) => ({
  ...pictures,
  difference: { ...pictures.difference, blockLevels },
  ...more,
});

describe('judgeSteps', () => {
  it.each<[string, Partial<typeof camera>, ReturnType<typeof apart>, object]>([
    ['what encoding explains', {}, apart(encodingLevels), { verdict: 'same' }],
    ['what it does not explain', {}, apart(encodingLevels + 0.1), { verdict: 'differs' }],
    ['anything without loss', {}, apart(0.1, { isLossless: true }), { verdict: 'differs' }],
    ['the noise of the source beside it', {}, apart(encodingLevels + 2, { stirLevels: 2 }), { verdict: 'same' }],
    ['a source that moves', {}, apart(0, { stirLevels: 2.1 }), { verdict: 'not-compared', doubt: 'moves' }],
    ['a source whose size changes', {}, apart(0, { stirLevels: null }), { verdict: 'not-compared', doubt: 'moves' }],
    ['drawings on what was encoded', { draws: true }, apart(24), { verdict: 'not-compared', doubt: 'draws' }],
    ['the same drawings', { draws: true }, apart(1), { verdict: 'same' }],
    ['drawings without loss', { draws: true }, apart(24, { isLossless: true }), { verdict: 'differs' }],
    ['drawings of two sizes', { draws: true }, apart(24, { difference: null }), { verdict: 'differs' }],
    ['drawings on what moves', { draws: true }, apart(24, { stirLevels: 9 }), { doubt: 'moves' }],
  ])('judges %s', (_, more, given, judged) => {
    expect(judgeSteps({ ...camera, ...more }, given)).toMatchObject(judged);
  });

  it('says why drawings tell nothing', () => {
    expect(judgeSteps({ ...camera, draws: true }, apart(24)).words).toBe(
      'the steps of camera “t” (they draw what a service finds, which there saw the frame of cam before it was encoded)',
    );
  });
});
