import { describe, expect, it } from 'vitest';
import { correctedScene, seeded } from '../../../../tests/corrected-scene.ts';
import { DetectionSetBuilder } from '../build-sets.ts';
import { worthOfCorrecting } from './correction-worth.ts';
import { chancesOf, drawOrder } from './draw-order.ts';
import { estimateCorrectedF1 } from './estimate-corrected-f1.ts';

const imageCount = 60;
/** Images with few or many boxes. The more there is, the less clear it is: images that come first are not like the others. */
const scene = correctedScene(imageCount, 5, (random) => {
  const objects = Math.ceil(12 * random() ** 3);
  return { objects, clarity: 1.1 - 0.06 * objects + 0.2 * random(), missed: objects / 3 };
});

const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((all, value) => all + value, 0);
const { counts, known, worth, f1: trueF1 } = scene;
const alike = worth.map(() => 1);

/** Draws an order anew and estimates from its first images. */
function estimated(trial: number, by: readonly number[], count: number, sums: readonly Float64Array[]) {
  const random = seeded(1000 + trial);
  const lots = Float64Array.from(by, random);
  const order = drawOrder(by, lots);
  const chances = chancesOf(by, lots, order, count);
  return {
    chances,
    estimate: estimateCorrectedF1({ images: order.subarray(0, count), chances, counts, total: imageCount }, sums)!,
  };
}
const trials = Array.from({ length: 300 }, (_, trial) => trial);

it('knows how likely each image was to be drawn: weighed so, the drawn ones stand for all', () => {
  for (const count of [10, 30]) {
    const stand = trials.map((trial) => sum(estimated(trial, worth, count, []).chances.map((chance) => 1 / chance)));
    expect(sum(stand) / trials.length / imageCount).toBeCloseTo(1, 1);
  }
});

describe.each([
  ['in the order of worth', worth, known],
  ['in the order of worth, nothing else known', worth, []],
])('%s', (_, by, sums) => {
  it.each([12, 30])('covers the F1 of all images by %s of them, and is not biased', (count) => {
    const found = trials.map((trial) => estimated(trial, by, count, sums).estimate);
    const covered = found.filter(({ low, high }) => low <= trueF1 && trueF1 <= high).length;
    // 95 %, less the standard deviation of so many trials.
    expect(covered / trials.length).toBeGreaterThanOrEqual(0.9375);
    expect(sum(found.map(({ value }) => value)) / trials.length).toBeCloseTo(trueF1, 1.7);
  });
});

it('is sharper than random order, and sharper again by what is known of all images', () => {
  const width = (by: readonly number[], sums: readonly Float64Array[]): number =>
    sum(trials.map((trial) => estimated(trial, by, 20, sums).estimate).map(({ low, high }) => high - low));
  const random = width(alike, []);
  expect(width(worth, []) / random).toBeLessThan(0.9);
  expect(width(worth, known) / random).toBeLessThan(0.75);
});

it('is exact once every image is corrected, and says nothing of seven', () => {
  const { estimate } = estimated(1, worth, imageCount, known);
  expect([estimate.value, estimate.low, estimate.high]).toEqual(Array(3).fill(expect.closeTo(trueF1, 12)));
  const width = (count: number): number => {
    const { high, low } = estimated(1, worth, count, []).estimate;
    return high - low;
  };
  expect(width(imageCount - 3)).toBeLessThan(width(20) / 5);
  expect(estimated(1, worth, 7, known).estimate).toBeNull();
  expect(estimated(1, worth, 8, known).estimate).not.toBeNull();
});

it('does without what adds nothing: a column of zeros, and one twice', () => {
  const twice = [...known, known[0], new Float64Array(imageCount)];
  const [given, plain] = [estimated(3, worth, 20, twice).estimate, estimated(3, worth, 20, known).estimate];
  expect(given.value).toBeCloseTo(plain.value, 9);
});

it('keeps an interval where all that was corrected is right', () => {
  const right = { ...counts, truePositives: counts.kept, truth: counts.kept };
  const lots = Float64Array.from(alike, seeded(1));
  const order = drawOrder(alike, lots);
  const chances = chancesOf(alike, lots, order, 10);
  const { value, low } = estimateCorrectedF1(
    { images: order.subarray(0, 10), chances, counts: right, total: imageCount },
    [],
  )!;
  expect(value).toBe(1);
  expect(low).toBeLessThan(0.8);
});

it('finds images worth more where boxes are unsure, models disagree, a label is rare or the scene is new', () => {
  const space = { imageCount: 5, labels: ['cup', 'fork'] };
  const found = new DetectionSetBuilder();
  for (const image of [0, 1, 2, 3, 4]) {
    const score = image === 1 ? 0.55 : 0.95;
    const side = image === 4 ? 400 : 20;
    found.add(image, image === 2 ? 1 : 0, [0, 0, side, side], score);
  }
  const other = { kept: [1, 1, 1, 3, 1], agreed: [1, 1, 1, 0, 1] };
  const worthOf = (isCorrected: ArrayLike<number> | null) =>
    worthOfCorrecting({ space, detections: found.build(), thresholds: [0.5, 0.5], other, isCorrected });
  const of = worthOf(null);
  const first = (part: 'uncertain' | 'rare' | 'disagreeing') =>
    of.map((one) => one[part]).indexOf(Math.max(...of.map((one) => one[part])));
  expect([first('uncertain'), first('rare'), first('disagreeing')]).toEqual([1, 2, 3]);
  expect(of.map(({ disagreeing }) => disagreeing)).toEqual([0, 0, 0, 4, 0]);
  expect(of[2]!.rare).toBe(1);
  expect(of[0]!.rare).toBe(1 / 4);
  // Image 4 has the largest box, until it is the corrected one.
  expect(of[4]!.novel).toBeGreaterThan(of[0]!.novel);
  expect(worthOf([0, 0, 0, 0, 1])[4]!.novel).toBe(0);
  for (const { worth: all } of of) expect(all).toBeGreaterThanOrEqual(1);
});
