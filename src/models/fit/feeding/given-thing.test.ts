import { describe, expect, it } from 'vitest';
import { parseAnswer, parseThing } from './given-thing.ts';

describe('what is on a picture', () => {
  it.each([
    ['cat', 'cat', null],
    ['cat@1,2,3,4', 'cat', [1, 2, 3, 4]],
    ['boat@-5.83,117.45,626.65,558.59', 'boat', [-5.83, 117.45, 626.65, 558.59]],
    ['boat@-5,-0.25,-1,+7', 'boat', [-5, -0.25, -1, 7]],
    ['cat@1.5e-3,-2.5E+1,3e2,.5', 'cat', [0.0015, -25, 300, 0.5]],
    ['cat@ 1, 2, 3., 4 ', 'cat', [1, 2, 3, 4]],
    ['a@b@1,2,3,4', 'a@b', [1, 2, 3, 4]],
    ['cat@home', 'cat@home', null],
    ['traffic, light', 'traffic, light', null],
  ])('is read of %s', (text, label, boxPx) => {
    expect(parseAnswer(text)).toEqual({ label, boxPx });
  });

  it.each([
    ['cat@3,2,1,4', /^a box that has an area, .* 3 is not left of 1, got "cat@3,2,1,4"\.$/],
    ['cat@1,4,3,-2', /4 is not above -2/],
    ['cat@1,2,3', /^four numbers behind "@", .* 3 of them, got "cat@1,2,3"/],
    ['cat@1,2,3,4,5', /5 of them/],
    ['cat@1,2,three,4', /"three" is not a number/],
    ['cat@1,2,,4', /"" is not a number/],
    ['cat@--1,2,3,4', /"--1" is not a number/],
    ['cat@1,2,nan,inf', /"nan" is not a number/],
    ['cat@5', /1 of them/],
    ['@1,2,3,4', /^a label before "@"/],
  ])('refuses %s, and says why', (text, words) => {
    expect(() => parseAnswer(text)).toThrow(words);
    expect(() => parseThing(`${text}=0.5`)).toThrow(words);
  });

  it.each([
    ['boat@-5.83,117.45,626.65,558.59=0.81', [-5.83, 117.45, 626.65, 558.59], 0.81, 0.0051, 0.0051],
    ['boat@-5,117,626,558=8.1e-1', [-5, 117, 626, 558], 0.81, 1, 0.0051],
    ['boat@1.25e-1,2,3e2,4=1', [0.125, 2, 300, 4], 1, 0.00051, 0.51],
    ['boat@1.25e+1,2,3e2,4=1e0', [12.5, 2, 300, 4], 1, 0.051, 0.51],
  ])('of %s says how near its digits must be met', (text, boxPx, score, boxWithin, scoreWithin) => {
    const thing = parseThing(text);
    expect(thing).toMatchObject({ label: 'boat', boxPx, score });
    expect(thing.within.boxPx).toBeCloseTo(boxWithin, 9);
    expect(thing.within.score).toBeCloseTo(scoreWithin, 9);
  });

  it.each(['cat=7', 'cat=0', 'cat=-0.5', 'cat=high', 'cat@1,2,3,4=nan'])('refuses the score of %s', (text) => {
    expect(() => parseThing(text)).toThrow(/^a score from 0 to 1 behind "=", got "/);
  });
});
