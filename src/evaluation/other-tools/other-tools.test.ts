import { expect, test } from 'vitest';
import { seededSet } from '../../../tests/coco-golden/seeded-sets.ts';
import answers from '../../../tests/ultralytics-golden/answers.json' with { type: 'json' };
import { cocoMatching } from '../coco/coco-metrics.ts';
import { readCocoResults, readCocoTruth } from '../coco/read-coco.ts';
import { matchBoxes } from '../match/match-boxes.ts';
import { explainTools } from './explain-tools.ts';
import { ultralyticsFigures } from './ultralytics.ts';

const sets = answers.sets as unknown as Readonly<Record<string, readonly [number, number, number, number, number]>>;

function read(seed: number) {
  const { truth, results } = seededSet(seed);
  const file = readCocoTruth(truth);
  // As the golden script does: Ultralytics sorts equal scores in no fixed order.
  const apart = results.map((result, at) => ({ ...result, score: result.score * 0.9 + 0.05 - at * 1e-6 }));
  return { ...file, detections: readCocoResults(apart, file).detections };
}

test.each(Object.keys(sets).map(Number))('says of seed %i what Ultralytics says', (seed) => {
  const { truth, detections, space } = read(seed);
  const plain = { ...truth, crowd: new Uint8Array(truth.count) };
  const matches = matchBoxes(plain, detections, space, { ...cocoMatching, maxDetections: Infinity });
  const { mAP50, mAP, precision, recall, f1 } = ultralyticsFigures(matches)!;
  for (const [at, value] of [mAP50, mAP, precision, recall, f1].entries()) {
    expect(Math.abs(value - sets[seed]![at]!), `${answers.figures[at]!}: ${value}`).toBeLessThan(1e-9);
  }
});

test('attributes every gap to rules that sum to it', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const { truth, detections, space } = read(seed);
    for (const { from, to, rules } of explainTools(
      truth,
      detections,
      space,
      new Float64Array(space.labels.length).fill(0.5),
    )) {
      const sum = rules.reduce((total, { gap }) => total + gap, 0);
      expect(sum).toBeCloseTo(to.value - from.value, 12);
    }
  }
});

test('explains nothing where there is no truth', () => {
  expect(ultralyticsFigures([])).toBeNull();
});
