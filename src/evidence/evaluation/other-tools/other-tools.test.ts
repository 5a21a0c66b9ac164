import { describe, expect, test } from 'vitest';
import { seededSet } from '../../../../tests/coco-golden/seeded-sets.ts';
import supervision from '../../../../tests/supervision-golden/answers.json' with { type: 'json' };
import ultralytics from '../../../../tests/ultralytics-golden/answers.json' with { type: 'json' };
import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
import { cocoMatching } from '../coco/coco-metrics.ts';
import { readCocoResults, readCocoTruth } from '../coco/read-coco.ts';
import { matchBoxes } from '../match/match-boxes.ts';
import { evaluateBoxes } from '../summary/summarize.ts';
import { ratesOf } from '../sweep/label-sweep.ts';
import { explainTools } from './explain-tools.ts';
import { supervisionFigures } from './supervision.ts';
import { ultralyticsConfusion } from './ultralytics-confusion.ts';
import { ultralyticsFigures } from './ultralytics.ts';

type Sets<T> = Readonly<Record<string, T>>;
const sets = ultralytics.sets as unknown as Sets<readonly [number, number, number, number, number]>;
const confusion = ultralytics.confusion as unknown as Sets<readonly (readonly number[])[]>;
const bySupervision = supervision.sets as unknown as Sets<
  readonly { readonly f1: number; readonly labels: Readonly<Record<string, number>> }[]
>;

function read(seed: number) {
  const { truth, results } = seededSet(seed);
  const file = readCocoTruth(truth);
  // The golden scripts set scores apart in the same way: the tools sort equal scores in no fixed order.
  const apart = results.map((result, at) => ({ ...result, score: result.score * 0.9 + 0.05 - at * 1e-6 }));
  return { ...file, detections: readCocoResults(apart, file).detections, categories: truth.categories };
}

const expectClose = (got: number, wanted: number, name: string): void =>
  expect(Math.abs(got - wanted), `${name}: ${got} instead of ${wanted}`).toBeLessThan(1e-9);

describe('Ultralytics', () => {
  test.each(Object.keys(sets).map(Number))('says of seed %i what we say', (seed) => {
    const { truth, detections, space } = read(seed);
    const plain = { ...truth, crowd: new Uint8Array(truth.count) };
    const matches = matchBoxes(plain, detections, space, { ...cocoMatching, maxDetections: Infinity });
    const { mAP50, mAP, precision, recall, f1 } = ultralyticsFigures(matches)!;
    for (const [at, value] of [mAP50, mAP, precision, recall, f1].entries())
      expectClose(value, sets[seed]![at]!, ultralytics.figures[at]!);
  });

  test.each(Object.keys(confusion).map(Number))('draws of seed %i the confusion matrix that we draw', (seed) => {
    const { truth, detections, space } = read(seed);
    const { size, counts, truePositives, falsePositives, missed } = ultralyticsConfusion(truth, detections, space);
    // The tool's rows are results, its columns truth.
    const rows = Array.from({ length: size }, (_, result) =>
      Array.from({ length: size }, (_, label) => counts[label * size + result]!),
    );
    expect(rows).toEqual(confusion[seed]);
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    const right = sum(rows.map((row, at) => (at < size - 1 ? row[at]! : 0)));
    expect([truePositives, falsePositives]).toEqual([right, sum(rows.slice(0, -1).flat()) - right]);
    expect(missed).toBe(truth.count - right);
  });
});

describe('supervision', () => {
  test.each(Object.keys(bySupervision).map(Number))('says of seed %i what we say', (seed) => {
    const { truth, detections, space, categories } = read(seed);
    for (const [at, threshold] of supervision.thresholds.entries()) {
      const said = bySupervision[seed]![at]!;
      const { f1, perLabel } = supervisionFigures(
        truth,
        detections,
        space,
        new Float64Array(space.labels.length).fill(threshold),
      );
      expectClose(f1, said.f1, `weighted F1 at ${threshold}`);
      for (const [label, counts] of perLabel.entries()) {
        const { id } = categories.find(({ name }) => name === space.labels[label])!;
        expectClose((counts && ratesOf(counts).f1) ?? 0, said.labels[id] ?? 0, `F1 of ${id} at ${threshold}`);
      }
    }
  });
});

describe('explainTools', () => {
  const explained = (seed: number) => {
    const { truth, detections, space } = read(seed);
    const thresholds = new Float64Array(space.labels.length).fill(0.5);
    const evaluated = evaluateBoxes(truth, detections, space, thresholds, 'field');
    return { ...explainTools({ truth, detections, space }, evaluated, thresholds), evaluated, seed };
  };

  test('attributes every gap to rules that sum to it', () => {
    for (let seed = 1; seed <= 60; seed++) {
      for (const { from, to, rules } of explained(seed).gaps) {
        const sum = rules.reduce((total, { gap }) => total + gap, 0);
        expect(sum).toBeCloseTo(to.value - from.value, 12);
      }
    }
  });

  test('starts from the figures that it explains, and ends at what the tools say', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { gaps, perLabel, evaluated } = explained(seed);
      const { total, metrics } = evaluated.summary;
      if (gaps.length === 0) continue;
      const [ap, f1, weighed, best, right, wrong, missed] = gaps;
      expect([ap!.from.value, f1!.from.value, weighed!.from.value]).toEqual([metrics.AP50, total.f1, total.f1]);
      expect([right, wrong, missed].map((gap) => gap!.from.value)).toEqual([
        total.truePositives,
        total.falsePositives,
        total.missed,
      ]);
      expectClose(weighed!.to.value, bySupervision[seed]![2]!.f1, 'supervision');
      expectClose(best!.to.value, perLabel.reduce((sum, one) => sum + one.best, 0) / perLabel.length, 'best');
      const said = sets[seed];
      if (!said) continue;
      expectClose(ap!.to.value, said[0], 'mAP50');
      expectClose(f1!.to.value, said[4], 'F1');
      const matrix = confusion[seed]!;
      expect(right!.to.value).toBe(matrix.reduce((sum, row, at) => sum + (at + 1 < matrix.length ? row[at]! : 0), 0));
    }
  });

  test('gives each rule what it alone changes', () => {
    const truth = new TruthSetBuilder();
    for (const x of [0, 100, 200, 300, 400]) truth.add(0, 0, [x, 0, 10, 10]);
    truth.add(0, 0, [500, 0, 10, 10], { isCrowd: true });
    const found = new DetectionSetBuilder();
    found.add(0, 0, [0, 0, 10, 10], 0.9); // right by every rule
    found.add(0, 0, [100, 0, 10, 10], 0.3); // by a lower threshold
    found.add(0, 0, [200, 0, 10, 10], 0.25); // not even by that
    found.add(0, 0, [300, 0, 10, 4.7], 0.9); // by a smaller overlap
    found.add(0, 0, [400, 0, 10, 10], 0.8); // not where another label may take the truth
    found.add(0, 1, [400, 0, 10, 10], 0.85);
    found.add(0, 0, [500, 0, 10, 10], 0.9); // on a crowd
    const boxes = { truth: truth.build(), detections: found.build(), space: { imageCount: 1, labels: ['cat', 'dog'] } };
    const evaluated = evaluateBoxes(boxes.truth, boxes.detections, boxes.space, [0.5, 0.5]);
    const { gaps } = explainTools(boxes, evaluated, [0.5, 0.5]);
    const gapsOf = (figure: string) => gaps.find((gap) => gap.figure === figure)!;
    const partsOf = (figure: string) => gapsOf(figure).rules.map(({ gap }) => gap);
    expect([gapsOf('Right boxes').from.value, ...partsOf('Right boxes')]).toEqual([2, 1, 1, 1, -1]);
    expect([gapsOf('False boxes').from.value, ...partsOf('False boxes')]).toEqual([2, 0, 0, -1, 1]);
    expect([gapsOf('Missed boxes').from.value, ...partsOf('Missed boxes')]).toEqual([3, 0, -1, -1, 1]);
    const [, f1, weighed] = gaps;
    // Dog has no truth: the mean over labels leaves its false result out.
    expect(f1!.rules[0]!.gap).toBeCloseTo(4 / 8 - 4 / 9, 12);
    expect(weighed!.rules[0]!.gap).toBeCloseTo(4 / 8 - 4 / 9, 12);
    expect(gaps.map(({ from, to }) => [from.tool, to.tool])).toEqual([
      ['COCO', 'Ultralytics 8.4'],
      ['Counts at the current thresholds', 'Ultralytics 8.4'],
      ['Counts at the current thresholds', 'Roboflow’s supervision 0.31'],
      ['Counts at the current thresholds', 'Best F1 of each label (as Roboflow’s sweep)'],
      ['Counts at the current thresholds', 'Confusion matrix of Ultralytics 8.4'],
      ['Counts at the current thresholds', 'Confusion matrix of Ultralytics 8.4'],
      ['Counts at the current thresholds', 'Confusion matrix of Ultralytics 8.4'],
    ]);
  });

  test('says what each tool says of a label', () => {
    const { perLabel, evaluated } = explained(1);
    expect(perLabel.map(({ label }) => label)).toEqual(
      evaluated.summary.perLabel.flatMap(({ truth }, label) => (truth > 0 ? [label] : [])),
    );
    for (const { label, counted, best, ultralytics: theirs, supervision: ofSupervision } of perLabel) {
      expect(counted).toBe(evaluated.summary.perLabel[label]!.f1);
      expect(best).toBeGreaterThanOrEqual(counted ?? 0);
      expect(theirs).not.toBeNull();
      expect(ofSupervision).not.toBeNull();
    }
  });
});

test('explains nothing where there is no truth', () => {
  expect(ultralyticsFigures([])).toBeNull();
  const found = new DetectionSetBuilder();
  found.add(0, 0, [0, 0, 10, 10], 0.9);
  const space = { imageCount: 1, labels: ['cat'] };
  const boxes = { truth: new TruthSetBuilder().build(), detections: found.build(), space };
  const evaluated = evaluateBoxes(boxes.truth, boxes.detections, space, [0.5]);
  expect(explainTools(boxes, evaluated, [0.5])).toEqual({ gaps: [], perLabel: [] });
});
