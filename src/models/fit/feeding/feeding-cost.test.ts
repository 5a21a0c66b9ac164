import { describe, expect, it } from 'vitest';
import { yoloV8Model } from '../../../../tests/fit/yolo-v8-model.ts';
import { openSession } from '../../../platform/node/open-session.ts';
import { patternFrame } from '../../../machine/vision/frame/pattern-frame.ts';
import { referenceStretchKernel } from '../../../machine/vision/preprocess/preprocess.ts';
import { buildVisionService } from '../../../machine/vision/vision-service.ts';
import { feedingTrial } from '../feeding-trial.ts';
import { decodedRows } from '../interpretations/decoded-rows.ts';
import { plainService } from '../solver/try-feedings.ts';
import { feedingCost } from './feeding-cost.ts';
import { machineFeedings } from './machine-feedings.ts';
import type { FeedingRecipe, Placing } from './recipe.ts';
import { seenByRecipe } from './recipe-runs.ts';

/** A model that finds the same two boxes in any picture, in pixels of its input of 64×64. */
const source = yoloV8Model([
  { centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] },
  { centreX: 50, centreY: 40, width: 8, height: 12, scores: [0.2, 0.7] },
]);
const frame = patternFrame('rgba8', 128, 96);
const recipe = (placing: Placing, resampler: FeedingRecipe['resampler'] = 'opencv linear'): FeedingRecipe => ({
  resampler,
  placing,
  bgr: false,
  meanValue: [0, 0, 0],
  stdDev: [1, 1, 1],
});
const middle: Placing = { kind: 'crop', share: 1, cut: 'after' };
const border: Placing = { kind: 'letterbox', at: 'centre', sizes: 'round', odd: 'after', border: 0 };
const kindsOf = (of: FeedingRecipe) => machineFeedings(source, {}, of, frame).map(({ kind }) => kind);

describe('machineFeedings', () => {
  it('lists the machine’s own feeding and what comes nearer to the recipe', () => {
    expect(kindsOf(recipe(middle))).toEqual(['as it is', 'crop']);
    expect(kindsOf(recipe(border))).toEqual(['as it is', 'padding']);
    expect(kindsOf(recipe({ kind: 'stretch' }))).toEqual(['as it is']);
    expect(kindsOf(recipe({ kind: 'stretch' }, 'pillow nearest'))).toEqual(['as it is', 'resize']);
  });

  it('cuts out what the recipe shows, in shares of the frame', () => {
    const { step } = machineFeedings(source, {}, recipe(middle), frame)[1]!;
    // 128×96 becomes 85×64, of which round(10.5) = 10 columns lie before the middle.
    expect(step).toMatchObject({ type: 'crop', attributes: { xMin: 10 / 85, yMin: 0, xMax: 74 / 85, yMax: 1 } });
  });

  it('pads with the recipe’s border', () => {
    const { fitted } = machineFeedings(source, {}, recipe(border), frame)[1]!.fit!;
    expect(fitted.options).toMatchObject({ letterbox: 'pad' });
    expect(fitted.preprocessing.letterbox).toEqual({ border: 0, at: 'centre' });
  });
});

const wide = patternFrame('rgba8', 128, 48);

describe('feedingCost', () => {
  it.each([middle, border])('says what is lost by stretching, and that the mend wins it back: %o', async (placing) => {
    const session = await openSession(feedingTrial(source, {}).model);
    const { input } = buildVisionService(plainService, { session, labels: null });
    const model = { session, input, reader: { kind: 'detections', read: decodedRows } } as const;
    const ports = { stretchKernel: { stretchToTensor: () => expect.unreachable() }, turn: <T>(task: () => Promise<T>) => task(), nowMs: () => 0 }; // prettier-ignore
    const { box, category } = (await seenByRecipe(model, recipe(placing), wide, ports)).rows!;
    const things = Array.from(category, (one, row) => {
      const [xMin, yMin, xMax, yMax] = box.subarray(4 * row) as unknown as [number, number, number, number];
      return { category: one, box: [xMin, yMin, xMax, yMax] as const };
    });
    const [own, mend] = await feedingCost({
      model,
      recipe: recipe(placing),
      feedings: machineFeedings(source, {}, recipe(placing), wide),
      pictures: [{ frame: wide, things }],
      labels: null,
      open: openSession,
      ports: { ...ports, stretchKernel: referenceStretchKernel },
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
    await session.release();
    expect(own!.gain).toBeNull();
    expect(own!.loss.averagePrecision.first).toBeCloseTo(1);
    expect(own!.loss.averagePrecision.second).toBeLessThan(0.9);
    expect(own!.loss.counts.same).toBeLessThan(2);
    expect(mend!.loss.counts).toMatchObject({ same: 2, vanished: 0, appeared: 0, moved: 0 });
    expect(mend!.gain!.averagePrecision.difference!.value).toBeGreaterThan(0);
    // One picture decides nothing.
    expect(mend!.gain!.averagePrecision.verdict).toBe('cannot tell');
  });

  it.each([
    [true, 1],
    [false, 0.5],
  ])('counts what is found on a box as false unless that box is left out: %o', async (isLeftOut, averagePrecision) => {
    const twoCats = yoloV8Model([
      { centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.8, 0.1] },
      { centreX: 50, centreY: 40, width: 8, height: 12, scores: [0.9, 0.1] },
    ]);
    const square = patternFrame('rgba8', 64, 64);
    const session = await openSession(feedingTrial(twoCats, {}).model);
    const { input } = buildVisionService(plainService, { session, labels: null });
    const thing = { category: 0, box: [12 / 64, 26 / 64, 28 / 64, 34 / 64] as const };
    const other = { category: 0, box: [46 / 64, 34 / 64, 54 / 64, 46 / 64] as const };
    const [own] = await feedingCost({
      model: { session, input, reader: { kind: 'detections', read: decodedRows } },
      recipe: recipe({ kind: 'stretch' }),
      feedings: machineFeedings(twoCats, {}, recipe({ kind: 'stretch' }), square),
      pictures: [{ frame: square, things: [thing], ...(isLeftOut && { ignored: [other] }) }],
      labels: null,
      open: openSession,
      ports: { stretchKernel: referenceStretchKernel, turn: (task) => task(), nowMs: () => 0 },
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
    await session.release();
    expect(own!.loss.averagePrecision.second).toBeCloseTo(averagePrecision);
  });
});
