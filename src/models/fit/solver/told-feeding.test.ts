import { describe, expect, it } from 'vitest';
import type { StatedFeeding } from '../../../machine/vision/inference/stated-feeding.ts';
import { asBytes, asSigned, asUnits } from '../../../machine/vision/preprocess/normalizations.ts';
import type { InputInterpretation } from '../interpretations/interpretation.ts';
import type { Change } from './hypothesis.ts';
import { listFeedings } from './list-hypotheses.ts';
import { departures, letterboxWorth, stretchOf, toldWords, toldWorth } from './told-feeding.ts';

const fed = (
  bgr: boolean,
  { mean, stdDev }: { mean: readonly number[]; stdDev: readonly number[] },
): InputInterpretation => ({ bgr, meanValue: mean, stdDev, fit: 'stretch' });
const range = { meanValue: asUnits.mean, stdDev: asUnits.stdDev };
const said = (source: StatedFeeding['source'], bgr: boolean | null = true): StatedFeeding => ({
  source,
  guess: null,
  familyName: source === 'family' ? 'YOLOX' : '',
  bgr,
  range,
});

describe('what an input differs in from what is said', () => {
  it.each<[InputInterpretation, readonly string[]]>([
    [fed(true, asUnits), []],
    [fed(false, asUnits), ['colours']],
    [fed(true, asSigned), ['range']],
    [fed(false, asBytes), ['colours', 'range']],
  ])('%j: %j', (input, differs) => expect(departures(input, said('fitted'))).toEqual(differs));

  it('is nothing where nothing is said', () => {
    expect(departures(fed(false, asUnits), said('exporter', null))).toEqual([]);
    expect(departures(fed(true, asBytes), { ...said('fitted'), range: null })).toEqual([]);
  });
});

describe('what the word is worth', () => {
  const right = fed(true, asUnits);
  const wrong = fed(false, asUnits);
  const worth = (source: StatedFeeding['source'], present: InputInterpretation, input: InputInterpretation) =>
    toldWorth(input, { said: said(source), present });

  it('takes nothing from what feeds as is said', () => {
    expect(worth('fitted', wrong, right)).toBe(1);
    expect(toldWorth(wrong, null)).toBe(1);
  });

  it('takes most by a contradicted file, less by its exporter’s words, least by a family', () => {
    const [fitted, exporter, family] = (['fitted', 'exporter', 'family'] as const).map((one) =>
      worth(one, wrong, wrong),
    );
    expect(fitted!).toBeLessThan(exporter!);
    expect(exporter!).toBeLessThan(family!);
    expect(family!).toBeLessThan(1);
  });

  it('takes less where the configuration follows the fitted file: both may be wrong', () => {
    expect(worth('fitted', right, wrong)).toBeGreaterThan(worth('fitted', wrong, wrong));
    expect(worth('fitted', right, wrong)).toBeLessThan(1);
  });

  it('counts colours and range apart', () => {
    const both = fed(false, asSigned);
    expect(worth('fitted', both, both)).toBeCloseTo(
      worth('fitted', both, fed(false, asUnits)) * worth('fitted', both, fed(true, asSigned)),
    );
  });
});

describe('the feeding that is said', () => {
  it('is of no weight where it is a guess', () => {
    const told = { said: { ...said('fitted'), guess: 'A guess.' }, present: fed(true, asUnits) };
    expect(toldWorth(fed(false, asSigned), told)).toBe(1);
  });

  it('is among those that are tried, though no usual one is it', () => {
    const present = fed(true, asUnits);
    const own = { meanValue: [0.1, 0.2, 0.3], stdDev: [0.4, 0.5, 0.6] };
    const told = { said: { ...said('fitted', false), range: own }, present };
    const [, next] = listFeedings(present, 'float32', told);
    expect(next).toEqual({
      feeding: { input: { ...present, ...own, bgr: false }, turnDegs: 0 },
      changes: ['colours', 'range'],
    });
    const withoutIt = listFeedings(present, 'float32', null);
    expect(listFeedings(present, 'float32', { said: said('fitted'), present })).toEqual(withoutIt);
  });

  it.each<[StatedFeeding, string]>([
    [said('fitted'), 'The model file says that it is fed BGR colours and values from 0 to 1'],
    [said('exporter', null), 'The model file says that it is fed values from 0 to 1'],
    [said('family', false), 'Models of the kind YOLOX are usually fed RGB colours and values from 0 to 1'],
    [{ ...said('fitted', false), range: null }, 'The model file says that it is fed RGB colours'],
    [{ ...said('family'), guess: 'A guess.' }, 'That it is fed BGR colours and values from 0 to 1 is only a guess'],
  ])('in words: %#', (one, words) => expect(toldWords(one)).toBe(words));
});

describe('what is said of a letterbox', () => {
  const worth = (letterbox: StatedFeeding['letterbox'], stretch: number, changes: readonly Change[]) => {
    const feeding = said('fitted');
    const told = { said: letterbox === undefined ? feeding : { ...feeding, letterbox }, present: fed(true, asUnits) };
    return letterboxWorth(changes, told, stretch);
  };
  const grey = { border: 114, at: 'centre' } as const;

  it('speaks against a service that stretches frames, and for a border', () => {
    expect(worth(grey, 1.8, [])).toBeLessThan(0.5);
    expect(worth(grey, 1.8, ['letterbox'])).toBeGreaterThan(1);
    expect(worth(grey, 1.8, ['letterbox', 'box-order'])).toBe(1);
  });

  it('leaves other causes alone, of which one can be mended without another graph', () => {
    expect(worth(grey, 1.8, ['range'])).toBe(1);
  });

  it('says nothing of frames that have nearly the shape of the input', () => {
    expect(worth(grey, 1.1, [])).toBe(1);
    expect(worth(grey, 1.1, ['letterbox'])).toBe(worth(undefined, 1.8, ['letterbox']));
  });

  it('speaks against a border where pictures were stretched in training', () => {
    expect(worth(null, 1.8, ['letterbox'])).toBeLessThan(worth(undefined, 1.8, ['letterbox']));
    expect(worth(null, 1.8, [])).toBe(1);
  });

  it.each([
    [160, 90, 16 / 9],
    [90, 160, 16 / 9],
    [100, 100, 1],
  ])('measures how frames of %i×%i are stretched', (widthPx, heightPx, stretch) => {
    const sizes = { inputWidthPx: 64, inputHeightPx: 64 };
    expect(stretchOf({ widthPx, heightPx }, sizes)).toBeCloseTo(stretch, 9);
  });
});
