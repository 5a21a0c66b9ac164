import { expect, test } from 'vitest';
import { seededSet } from '../../../../tests/coco-golden/seeded-sets.ts';
import answers from '../../../../tests/tide-golden/answers.json' with { type: 'json' };
import { cocoMatching, cocoMetrics } from '../coco/coco-metrics.ts';
import { readCocoResults, readCocoTruth } from '../coco/read-coco.ts';
import { matchBoxes } from '../match/match-boxes.ts';
import { errorsByKind, type ErrorKind } from './error-kinds.ts';

const kinds = answers.kinds as readonly ErrorKind[];
const sets = answers.sets as Readonly<
  Record<string, { readonly AP50: number; readonly counts: readonly number[]; readonly gains: readonly number[] }>
>;

/** Reads as the golden script does: without crowds, and without results of labels that have no truth. */
function read(seed: number) {
  const { truth, results } = seededSet(seed);
  const annotations = truth.annotations.filter(({ iscrowd }) => iscrowd === 0);
  const labels = new Set(annotations.map(({ category_id }) => category_id));
  const file = readCocoTruth({ ...truth, annotations });
  const found = results
    .map((result, at) => ({ ...result, score: result.score * 0.9 + 0.05 - at * 1e-6 }))
    .filter(({ category_id }) => labels.has(category_id));
  return { ...file, detections: readCocoResults(found, file).detections };
}

test('there are at least 40 answers of TIDE, with every kind of error', () => {
  const all = Object.values(sets);
  expect(all.length).toBeGreaterThanOrEqual(40);
  for (const [at] of kinds.entries()) expect(all.some(({ counts }) => counts[at]! > 0)).toBe(true);
});

test.each(Object.keys(sets).map(Number))('tells the errors of seed %i apart as TIDE does', (seed) => {
  const { truth, detections, space } = read(seed);
  const matches = matchBoxes(truth, detections, space, { ...cocoMatching, maxDetections: Infinity });
  const said = sets[seed]!;
  const told = errorsByKind(truth, detections, space, matches).kinds;
  expect(kinds.map((kind) => told[kind].count)).toEqual(said.counts);
  for (const [at, kind] of kinds.entries()) {
    // TIDE takes what is lost by mending as nothing.
    const gain = Math.max(0, told[kind].gain!);
    expect(Math.abs(gain - said.gains[at]!), `${kind}: ${gain} instead of ${said.gains[at]}`).toBeLessThan(1e-9);
  }
  const { AP50 } = cocoMetrics(matches, space.labels).metrics;
  expect(Math.abs(AP50! - said.AP50)).toBeLessThan(1e-9);
});
