import { encode } from 'fast-png';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setAllLabelConfidences } from '../../src/config/edit-config.ts';
import { DetectionSetBuilder, TruthSetBuilder } from '../../src/evaluation/build-sets.ts';
import { chooseThreshold } from '../../src/evaluation/choose/choose-threshold.ts';
import { chooseCut, type Goal } from '../../src/evaluation/choose/goal.ts';
import { seededNumbers } from '../../src/evaluation/intervals/seeded-numbers.ts';
import { matchBoxes } from '../../src/evaluation/match/match-boxes.ts';
import { sweepLabels, type LabelSweep } from '../../src/evaluation/sweep/label-sweep.ts';
import { fixedDetector } from '../models.ts';
import { hasOracleModels, openOracle, type Oracle, type OracleQuestion } from './oracle.ts';

const labels = ['cat', 'dog', 'hat'];
const imageCount = 6;
const side = 20;
const goals: readonly Goal[] = [
  { kind: 'best-f1' },
  { kind: 'precision', atLeast: 0.8 },
  { kind: 'recall', atLeast: 0.6 },
  { kind: 'cost', missedCost: 3 },
  { kind: 'false-per-hour', atMost: 1800, framesPerSecond: 1 },
];

/** Boxes of an image, a grid cell each, so that the place tells which one it is. */
interface Row {
  readonly cell: number;
  readonly label: number;
  readonly score: number;
  readonly isTrue: boolean;
}

/** Scores that are hard to part: neighbours in float32, steps of a quantised model, the ends of the range. */
const score: Readonly<Record<string, (next: () => number) => number>> = {
  'neighbours in float32': (next) => Math.fround(0.7) + (next() % 5) * 2 ** -24,
  'steps of 1/256': (next) => (next() % 257) / 256,
  'any in float32': (next) => Math.fround(next() / 2 ** 32),
  'near 0 and 1': (next) => Math.fround(next() % 2 === 0 ? 2 ** -(1 + (next() % 30)) : 1 - 2 ** -(1 + (next() % 24))),
};

function rowsOf(next: () => number, scoreOf: (next: () => number) => number): Row[] {
  return Array.from({ length: 25 }, (_, cell) => {
    const isTrue = next() % 2 === 0;
    return { cell, label: next() % labels.length, score: scoreOf(next), isTrue };
  });
}

const boxOf = (cell: number) => [side * (cell % 5), side * Math.floor(cell / 5), side - 4, side - 4] as const;

/** The machine's boxes are in whole pixels. */
const cellOf = ([x, y]: readonly number[]): number => Math.round(x! / side) + 5 * Math.round(y! / side);

function sweepsOf(images: readonly (readonly Row[])[]): LabelSweep[] {
  const [truth, found] = [new TruthSetBuilder(), new DetectionSetBuilder()];
  for (const [image, rows] of images.entries()) {
    for (const { cell, label, score: own, isTrue } of rows) {
      if (isTrue) truth.add(image, label, boxOf(cell));
      found.add(image, label, boxOf(cell), own);
    }
  }
  return sweepLabels(matchBoxes(truth.build(), found.build(), { imageCount, labels }));
}

describe.skipIf(!hasOracleModels())(
  'thresholds that are chosen by a goal, on the machine (skipped without ../shared/machine-oracle or Python’s onnxruntime)',
  () => {
    let oracle: Oracle;
    let folder = '';
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sightglass-chosen-'));
      oracle = await openOracle();
    });
    afterAll(async () => {
      await oracle.close();
      await rm(folder, { recursive: true });
    });

    const frame = encode({ width: 100, height: 100, channels: 3, data: new Uint8Array(30_000) });

    async function modelOf(name: string, rows: readonly Row[]): Promise<string> {
      const path = join(folder, `${name}.onnx`);
      const boxes = rows.map(({ cell }) => {
        const [x, y, width, height] = boxOf(cell);
        return [y, x, y + height, x + width].map((at) => at / 100);
      });
      const categories = rows.map(({ label }) => label);
      const scores = rows.map((row) => row.score);
      const input = { dtype: 'uint8', heightPx: 4, widthPx: 4 } as const;
      await writeFile(path, fixedDetector({ input, boxes, categories, scores }));
      return path;
    }

    it.each(Object.keys(score))('keep exactly the boxes that were counted, scores %s', async (kind) => {
      const labelPath = join(folder, 'labels.txt');
      await writeFile(labelPath, `${labels.join('\n')}\n`);
      const attributes = { mlmodel_name: 'm', label_path: labelPath };
      const vision = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes };
      const bare = JSON.stringify({ services: [vision] });
      const questions: OracleQuestion[] = [];
      const counted: string[][] = [];
      for (const [seed, goal] of goals.entries()) {
        const next = seededNumbers(1000 * seed + kind.length);
        const images = Array.from({ length: imageCount }, () => rowsOf(next, score[kind]!));
        const sweeps = sweepsOf(images);
        const chosen = sweeps.flatMap((sweep) => chooseThreshold(sweep, imageCount, goal) ?? []);
        const written = Object.fromEntries(chosen.map(({ label, threshold }) => [labels[label]!, threshold]));
        const config: unknown = JSON.parse(setAllLabelConfidences(bare, 'v', written));
        for (const [image, rows] of images.entries()) {
          const models = { v: await modelOf(`${seed}-${image}`, rows) };
          questions.push({ op: 'detect', vision: 'v', camera: '', frames: [frame], config, models });
          counted.push(
            chosen
              .flatMap(({ label }) => {
                const sweep = sweeps[label]!;
                const { kept } = chooseCut(sweep, goal, imageCount);
                return Array.from({ length: kept }, (_, at) => at)
                  .filter((at) => sweep.image[at] === image)
                  .map((at) => {
                    const { cell, score: own } = rows[sweep.row[at]! - image * rows.length]!;
                    return `${labels[label]} ${own} in cell ${cell}`;
                  });
              })
              .sort(),
          );
        }
      }
      const answers = await oracle.ask(questions);
      const machine = answers.map(({ error, frames: [seen] }) => {
        expect([error, seen?.error ?? null]).toEqual([null, null]);
        return seen!.results.map(({ label, score: own, box }) => `${label} ${own} in cell ${cellOf(box!)}`).sort();
      });
      expect(machine).toEqual(counted);
      expect(counted.flat().length).toBeGreaterThan(50);
    });
  },
);
