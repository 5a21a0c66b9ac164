import { DetectionSetBuilder, TruthSetBuilder } from '../src/evidence/evaluation/build-sets.ts';
import { worthOfCorrecting, type UncorrectedImages } from '../src/evidence/evaluation/correct/correction-worth.ts';
import { countByImage } from '../src/evidence/evaluation/correct/image-counts.ts';
import { knownSums } from '../src/evidence/evaluation/correct/known-sums.ts';
import { seededNumbers } from '../src/evidence/evaluation/intervals/seeded-numbers.ts';
import { matchBoxes } from '../src/evidence/evaluation/match/match-boxes.ts';
import { sweepLabels } from '../src/evidence/evaluation/sweep/label-sweep.ts';
import { metricsAt } from '../src/evidence/evaluation/sweep/metrics-at.ts';

/** Numbers above 0 and below 1. */
export const seeded = (seed: number): (() => number) => {
  const next = seededNumbers(seed);
  return () => (next() + 0.5) / 2 ** 32;
};

/** Draws an image: how many objects it has, how clear they are, and how many of them no box is near. */
type DrawImage = (random: () => number) => { objects: number; clarity: number; missed: number };

/** Images whose boxes are right as often as their scores say, and of which other objects are missed. */
export function correctedScene(imageCount: number, seed: number, drawImage: DrawImage) {
  const random = seeded(seed);
  const [truth, found] = [new TruthSetBuilder(), new DetectionSetBuilder()];
  for (let image = 0; image < imageCount; image++) {
    const { objects, clarity, missed } = drawImage(random);
    for (let at = 0; at < 2 * objects; at++) {
      const score = Math.min(1, clarity * random());
      const box = [100 * at, 0, 50, 50] as const;
      found.add(image, 0, box, score);
      if (random() < score) truth.add(image, 0, box);
    }
    for (let at = 0; at < missed; at++) truth.add(image, 0, [100 * at, 500, 50, 50]);
  }
  const space = { imageCount, labels: ['cup'] };
  const detections = found.build();
  const thresholds = [0.4];
  const sweeps = sweepLabels(matchBoxes(truth.build(), detections, space));
  const counts = countByImage(sweeps, thresholds, imageCount);
  const images: UncorrectedImages = { space, detections, thresholds, other: null, isCorrected: null };
  const worth = worthOfCorrecting(images).map((one) => one.worth);
  return { counts, known: knownSums(images), worth, f1: metricsAt(sweeps, thresholds).total.f1! };
}
