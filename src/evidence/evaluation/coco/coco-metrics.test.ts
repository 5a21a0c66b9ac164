import { describe, expect, test } from 'vitest';
import answers from '../../../../tests/coco-golden/answers.json' with { type: 'json' };
import { seededSet } from '../../../../tests/coco-golden/seeded-sets.ts';
import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
import { evaluateCoco, type CocoFigure } from './coco-metrics.ts';
import { readCocoResults, readCocoTruth } from './read-coco.ts';

const said = answers as unknown as {
  readonly figures: readonly CocoFigure[];
  readonly sets: Readonly<
    Record<string, { readonly figures: readonly (number | null)[]; readonly labels: readonly (number | null)[] }>
  >;
};

function expectClose(got: number | null, wanted: number | null, name: string): void {
  if (wanted === null) expect(got, name).toBeNull();
  else expect(Math.abs(got! - wanted), `${name}: ${got} instead of ${wanted}`).toBeLessThan(1e-12);
}

describe('evaluateCoco', () => {
  const seeds = Object.keys(said.sets).map(Number);

  test('has at least 300 answers of pycocotools to compare with', () => {
    expect(seeds.length).toBeGreaterThanOrEqual(300);
  });

  test.each(seeds)('says of seed %i what pycocotools says', (seed) => {
    const set = seededSet(seed);
    const file = readCocoTruth(set.truth);
    const { detections } = readCocoResults(set.results, file);
    const { metrics, perLabel } = evaluateCoco(file.truth, detections, file.space);
    const { figures, labels } = said.sets[seed]!;
    for (const [at, figure] of said.figures.entries()) expectClose(metrics[figure], figures[at]!, figure);
    for (const [at, { label, AP }] of perLabel.entries()) expectClose(AP, labels[at]!, label);
  });

  test('shows the false results of labels without truth apart', () => {
    const truth = new TruthSetBuilder();
    truth.add(0, 0, [0, 0, 10, 10]);
    const detections = new DetectionSetBuilder();
    detections.add(0, 0, [0, 0, 10, 10], 0.9);
    detections.add(0, 1, [0, 0, 10, 10], 0.8);
    const space = { imageCount: 1, labels: ['person', 'dog'] };
    const { metrics, perLabel, falseWithoutTruth } = evaluateCoco(truth.build(), detections.build(), space);
    expect(metrics.AP).toBeCloseTo(1, 12);
    expect(perLabel[1]).toMatchObject({ label: 'dog', truth: 0, AP: null, AP50: null, detections: 1 });
    expect(falseWithoutTruth).toBe(1);
  });

  test('gives null, never -1, where nothing is there', () => {
    const space = { imageCount: 1, labels: ['person'] };
    const { metrics } = evaluateCoco(new TruthSetBuilder().build(), new DetectionSetBuilder().build(), space);
    expect(Object.values(metrics)).toEqual(Array(12).fill(null));
  });

  test('reads the `ignore` field only by the rule that says so', () => {
    const truth = new TruthSetBuilder();
    truth.add(0, 0, [0, 0, 10, 10]);
    truth.add(0, 0, [50, 50, 10, 10], { isIgnored: true });
    const detections = new DetectionSetBuilder();
    detections.add(0, 0, [0, 0, 10, 10], 0.9);
    const space = { imageCount: 1, labels: ['person'] };
    const given = [truth.build(), detections.build(), space] as const;
    expect(evaluateCoco(...given).perLabel[0]!.truth).toBe(2);
    expect(evaluateCoco(...given, 'field').perLabel[0]!.truth).toBe(1);
  });
});
