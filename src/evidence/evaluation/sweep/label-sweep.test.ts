import { describe, expect, test } from 'vitest';
import { seededSet } from '../../../../tests/coco-golden/seeded-sets.ts';
import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
import { readCocoResults, readCocoTruth } from '../coco/read-coco.ts';
import { seededNumbers } from '../intervals/seeded-numbers.ts';
import type { DetectionSet, TruthSet } from '../evaluation.ts';
import { matchBoxes } from '../match/match-boxes.ts';
import { confusionMatrix } from './confusion-matrix.ts';
import { errorsByKind } from './error-kinds.ts';
import { countsOfBest, cutsOf, keptAt, ratesOf, sweepLabels, thresholdOfCut } from './label-sweep.ts';
import { metricsAt } from './metrics-at.ts';
import { settleBoxes } from './settle-boxes.ts';

function read(seed: number) {
  const set = seededSet(seed);
  const file = readCocoTruth(set.truth);
  return { ...file, detections: readCocoResults(set.results, file).detections };
}

/** The results that thresholds keep, as a set of their own. */
function keptOf(detections: DetectionSet, thresholds: Float64Array): DetectionSet {
  const rows = [...detections.score.keys()].filter(
    (row) => detections.score[row]! >= thresholds[detections.label[row]!]!,
  );
  return {
    count: rows.length,
    image: Uint32Array.from(rows, (row) => detections.image[row]!),
    label: Uint32Array.from(rows, (row) => detections.label[row]!),
    box: Float64Array.from(rows.flatMap((row) => [...detections.box.subarray(4 * row, 4 * row + 4)])),
    score: Float64Array.from(rows, (row) => detections.score[row]!),
  };
}

const seeds = Array.from({ length: 50 }, (_, at) => at + 1);

describe('sweepLabels', () => {
  test.each(seeds)('gives at 100 random thresholds what a whole evaluation gives, seed %i', (seed) => {
    const { truth, detections, space } = read(seed);
    const sweeps = sweepLabels(matchBoxes(truth, detections, space));
    const next = seededNumbers(1000 + seed);
    for (let time = 0; time < 100; time++) {
      const thresholds = Float64Array.from(space.labels, () => (next() % 1001) / 1000);
      const { perLabel, total } = metricsAt(sweeps, thresholds);
      const whole = sweepLabels(matchBoxes(truth, keptOf(detections, thresholds), space));
      for (const [label, sweep] of whole.entries()) {
        expect(perLabel[label]).toMatchObject(countsOfBest(sweep, sweep.score.length));
      }
      const sum = perLabel.reduce((count, { truePositives }) => count + truePositives, 0);
      expect(total.truePositives).toBe(sum);
    }
  });

  test('writes thresholds that keep exactly the boxes that were counted', () => {
    for (const seed of seeds) {
      const { truth, detections, space } = read(seed);
      for (const sweep of sweepLabels(matchBoxes(truth, detections, space))) {
        for (const cut of cutsOf(sweep)) expect(keptAt(sweep, thresholdOfCut(sweep, cut))).toBe(cut);
      }
    }
  });

  test('parts float32 scores that are neighbours', () => {
    const score = Float64Array.of(Math.fround(0.7) + 2 ** -24, Math.fround(0.7), Math.fround(0.3));
    expect(cutsOf({ score })).toEqual(Uint32Array.of(0, 1, 2, 3));
    expect(keptAt({ score }, thresholdOfCut({ score } as never, 1))).toBe(1);
    expect(thresholdOfCut({ score } as never, 2)).toBe(0.5);
    expect(thresholdOfCut({ score } as never, 3)).toBe(0.3);
  });

  test('lets no score in that is lower than all that were seen', () => {
    const lowestOf = (...score: number[]): number => thresholdOfCut({ score: Float64Array.from(score) }, score.length);
    expect([lowestOf(0.9, 0.3711), lowestOf(0.5), lowestOf(0.004), lowestOf(-2.345)]).toEqual([0.37, 0.5, 0, -2.35]);
    expect(thresholdOfCut({ score: new Float64Array(0) }, 0)).toBe(0);
  });
});

describe('ratesOf', () => {
  test('is null where there is nothing to divide by', () => {
    expect(ratesOf({ truePositives: 0, falsePositives: 0, missed: 0 })).toEqual({
      precision: null,
      recall: null,
      f1: null,
    });
    expect(ratesOf({ truePositives: 3, falsePositives: 1, missed: 1 })).toEqual({
      precision: 0.75,
      recall: 0.75,
      f1: 0.75,
    });
  });
});

/** Boxes of one image as columns. */
function boxes(rows: readonly (readonly [label: number, x: number, score: number])[]): DetectionSet & TruthSet {
  const zeros = () => new Uint8Array(rows.length);
  return {
    count: rows.length,
    image: new Uint32Array(rows.length),
    label: Uint32Array.from(rows, ([label]) => label),
    box: Float64Array.from(rows.flatMap(([, x]) => [x, 0, 10, 10])),
    score: Float64Array.from(rows, ([, , score]) => score),
    area: new Float64Array(rows.length).fill(100),
    crowd: zeros(),
    ignore: zeros(),
  };
}

describe('confusionMatrix', () => {
  test('holds on its diagonal what the other figures count as found', () => {
    for (const seed of seeds) {
      const { truth, detections, space } = read(seed);
      const matches = matchBoxes(truth, detections, space);
      const thresholds = new Float64Array(space.labels.length).fill(0.4);
      const { perLabel } = metricsAt(sweepLabels(matches), thresholds);
      const { counts, size } = confusionMatrix(truth, detections, space, settleBoxes(matches, truth, thresholds));
      for (const [label, { truePositives, falsePositives, missed }] of perLabel.entries()) {
        const row = counts.subarray(label * size, (label + 1) * size);
        const column = Array.from({ length: size }, (_, at) => counts[at * size + label]!);
        expect(row[label]).toBe(truePositives);
        expect(row.reduce((sum, count) => sum + count, 0)).toBe(truePositives + missed);
        expect(column.reduce((sum, count) => sum + count, 0)).toBe(truePositives + falsePositives);
      }
    }
  });

  test('matches a label to its own before it looks across labels', () => {
    const truth = boxes([[0, 0, 0], [1, 100, 0], [0, 200, 0]]); // prettier-ignore
    const detections = boxes([[1, 0, 0.9], [0, 1, 0.8], [0, 100, 0.7], [1, 300, 0.6]]); // prettier-ignore
    const space = { imageCount: 1, labels: ['cat', 'dog'] };
    const matches = matchBoxes(truth, detections, space);
    const { counts } = confusionMatrix(truth, detections, space, settleBoxes(matches, truth, [0, 0]));
    // cat: one found, one missed; dog: seen as cat; two dogs on background
    expect([...counts]).toEqual([1, 0, 1, 1, 0, 0, 0, 2, 0]);
  });
});

describe('errorsByKind', () => {
  const space = { imageCount: 1, labels: ['cat', 'dog'] };

  test('names each kind once', () => {
    const truth = boxes([[0, 0, 0], [0, 100, 0], [1, 200, 0], [0, 300, 0], [1, 400, 0]]); // prettier-ignore
    const detections = boxes([
      [0, 0, 0.9], // true
      [0, 1, 0.8], // twice
      [0, 106, 0.7], // place: overlap 0.25
      [0, 200, 0.6], // class
      [0, 900, 0.5], // background
      [0, 406, 0.4], // both
    ]);
    const { errors, kinds } = errorsByKind(truth, detections, space, matchBoxes(truth, detections, space));
    expect(errors.map(({ kind, truthRow }) => [kind, truthRow])).toEqual([
      ['twice', 0],
      ['place', 1],
      ['class', 2],
      ['background', -1],
      ['both', 4],
      ['missed', 3],
      ['missed', 4],
    ]);
    for (const { gain } of Object.values(kinds)) expect(gain).toBeGreaterThanOrEqual(0);
    expect(kinds.class.gain).toBeGreaterThan(0.2); // the dog is found
  });

  test('has TIDE’s bounds: 0.5 of truth that is found is a wrong place, 0.1 of another label is background', () => {
    const truth = new TruthSetBuilder();
    truth.add(0, 0, [0, 0, 10, 10]);
    truth.add(0, 0, [100, 0, 10, 10]);
    const found = new DetectionSetBuilder();
    found.add(0, 0, [0, 0, 10, 10], 0.9);
    found.add(0, 0, [0, 0, 10, 5], 0.8); // 0.5
    found.add(0, 1, [100, 0, 10, 1], 0.7); // 0.1
    found.add(0, 0, [100, 0, 10, 1], 0.6); // 0.1
    const sets = [truth.build(), found.build(), space] as const;
    expect(errorsByKind(...sets, matchBoxes(...sets)).errors.map(({ kind }) => kind)).toEqual([
      'place',
      'background',
      'place',
    ]);
  });

  test('leaves a label out of the mean once its missed truth is mended away and it has no results', () => {
    const truth = boxes([[0, 0, 0], [1, 100, 0]]); // prettier-ignore
    const found = boxes([[0, 0, 0.9]]); // prettier-ignore
    const { kinds } = errorsByKind(truth, found, space, matchBoxes(truth, found, space));
    expect(kinds.missed.gain).toBeCloseTo(0.5, 12);
    const worse = boxes([[0, 0, 0.9], [1, 900, 0.8]]); // prettier-ignore
    const still = errorsByKind(truth, worse, space, matchBoxes(truth, worse, space)).kinds;
    expect(still.missed.gain).toBe(0);
  });

  test('gains nothing where nothing is wrong', () => {
    const truth = boxes([[0, 0, 0]]);
    const detections = boxes([[0, 0, 0.9]]);
    const { errors, kinds } = errorsByKind(truth, detections, space, matchBoxes(truth, detections, space));
    expect(errors).toEqual([]);
    expect(Object.values(kinds).every(({ gain }) => gain === 0)).toBe(true);
  });
});
