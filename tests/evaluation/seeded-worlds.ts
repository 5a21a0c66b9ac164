import type { Units } from '../../src/evidence/evaluation/choose/choose-threshold.ts';
import type { LabelSweep } from '../../src/evidence/evaluation/sweep/label-sweep.ts';
import { logistic, seededDraws, seededSweep, sweepOf, type SimulatedRow } from './seeded-frames.ts';

/** The detections of a label on simulated units, and which images belong together. */
export interface SimulatedUnits {
  readonly sweep: LabelSweep;
  readonly imageCount: number;
  readonly units: Units;
}

/** Where frames come from: a world draws as many units as asked, the same for the same seed. */
export type World = (seed: number, unitCount: number) => SimulatedUnits;

const eachImage = (count: number): Units => ({ count, ofImage: Uint32Array.from({ length: count }, (_, at) => at) });

interface ImageDraws {
  readonly uniform: () => number;
  readonly normal: () => number;
  readonly found: (score: number) => void;
  readonly wrong: (score: number) => void;
  readonly missed: () => void;
}

/** A world of single images, each drawn by itself. */
function imageWorld(drawImage: (draws: ImageDraws) => void): World {
  return (seed, unitCount) => {
    const { uniform, normal } = seededDraws(seed);
    const rows: SimulatedRow[] = [];
    const truthImage: number[] = [];
    for (let image = 0; image < unitCount; image++) {
      drawImage({
        uniform,
        normal,
        found: (score) => {
          truthImage.push(image);
          rows.push({ score, image, outcome: 1 });
        },
        wrong: (score) => rows.push({ score, image, outcome: 0 }),
        missed: () => truthImage.push(image),
      });
    }
    return { sweep: sweepOf(rows, truthImage), imageCount: unitCount, units: eachImage(unitCount) };
  };
}

function drawObjects(draws: ImageDraws, truths: number, falses: number, hardness: number): void {
  const { uniform, normal, found, wrong, missed } = draws;
  for (let at = 0; at < truths; at++) {
    if (uniform() < 0.93) found(logistic(1.2 - hardness + 1.1 * normal()));
    else missed();
  }
  for (let at = 0; at < falses; at++) wrong(logistic(-1.2 + hardness + 1.1 * normal()));
}

/** Images that differ much: in some nearly all goes wrong together. */
const cluster = imageWorld((draws) => {
  const { uniform, normal } = draws;
  drawObjects(draws, 1 + Math.floor(4 * uniform()), Math.floor(5 * uniform()), 1.3 * normal());
});

/** One image in ten has a dozen sure false boxes, such as a pattern that is taken for the thing. */
const burst = imageWorld((draws) => {
  const { uniform, normal, wrong } = draws;
  drawObjects(draws, 1 + Math.floor(4 * uniform()), Math.floor(3 * uniform()), 0.5 * normal());
  if (uniform() < 0.1) for (let at = 0; at < 12; at++) wrong(logistic(2 + normal()));
});

/** Most images have one or two objects, some have dozens, and the crowded ones are harder. */
const crowd = imageWorld((draws) => {
  const { uniform, normal } = draws;
  const size = Math.min(60, Math.ceil(1.3 * Math.exp(0.9 * normal())));
  drawObjects(draws, size, Math.floor(size * uniform()), 0.4 * Math.log(size) + 0.4 * normal());
});

/** The label is on one image in eight. */
const rare = imageWorld((draws) => {
  const { uniform, normal } = draws;
  drawObjects(draws, uniform() < 0.125 ? 1 : 0, uniform() < 0.1 ? 1 : 0, 0.5 * normal());
});

/** A model that hardly errs: an object in fifty is missed, a false box in fifty images. */
const sure = imageWorld(({ uniform, normal, found, missed, wrong }) => {
  for (let at = 0; at < 2; at++)
    if (uniform() < 0.98) found(logistic(3 + 0.7 * normal()));
    else missed();
  if (uniform() < 0.02) wrong(logistic(normal()));
});

const clipFrames = 10;

/**
 * Clips of ten frames with the same objects. A clip is easy or hard as a whole, an object is seen in all of its frames
 * or hardly, and in one clip of ten a thing that is none is taken for one in every frame.
 */
const video: World = (seed, unitCount) => {
  const { uniform, normal } = seededDraws(seed);
  const rows: SimulatedRow[] = [];
  const truthImage: number[] = [];
  for (let clip = 0; clip < unitCount; clip++) {
    const hardness = 0.6 * normal();
    const objects = Array.from({ length: 1 + Math.floor(3 * uniform()) }, () => 2 - hardness + 1.1 * normal());
    const persistent = uniform() < 0.1 ? 2 + 0.5 * normal() : null;
    for (let frame = 0; frame < clipFrames; frame++) {
      const image = clip * clipFrames + frame;
      for (const logit of objects) {
        truthImage.push(image);
        if (uniform() < 0.96) rows.push({ score: logistic(logit + 0.4 * normal()), image, outcome: 1 });
      }
      if (persistent !== null) rows.push({ score: logistic(persistent + 0.3 * normal()), image, outcome: 0 });
      if (uniform() < 0.3) rows.push({ score: logistic(-1.5 + hardness + normal()), image, outcome: 0 });
    }
  }
  const imageCount = unitCount * clipFrames;
  const ofImage = Uint32Array.from({ length: imageCount }, (_, image) => Math.floor(image / clipFrames));
  return { sweep: sweepOf(rows, truthImage), imageCount, units: { count: unitCount, ofImage } };
};

const plain: World = (seed, unitCount) => ({
  sweep: seededSweep(seed, unitCount),
  imageCount: unitCount,
  units: eachImage(unitCount),
});

/** Worlds in which an interval has to hold what it says. */
export const worlds = { plain, cluster, burst, crowd, rare, sure, video } satisfies Record<string, World>;
