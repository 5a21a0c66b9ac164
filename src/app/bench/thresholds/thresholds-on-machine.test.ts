import { encode } from 'fast-png';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigState } from '../config/config-state.svelte.ts';
import { ThresholdsState } from './thresholds-state.svelte.ts';
import { DetectionSetBuilder, TruthSetBuilder } from '../../../evidence/evaluation/build-sets.ts';
import { chooseThreshold } from '../../../evidence/evaluation/choose/choose-threshold.ts';
import type { Goal } from '../../../evidence/evaluation/choose/goal.ts';
import { matchBoxes } from '../../../evidence/evaluation/match/match-boxes.ts';
import { keptAt, sweepLabels } from '../../../evidence/evaluation/sweep/label-sweep.ts';
import { fixedDetector } from '../../../../tests/models.ts';
import { nothingPresent } from '../../../../tests/present-setup.ts';
import { diceOf, type Dice } from '../../../../tests/oracle/cases/dice.ts';
import { hasOracleModels, openOracle, type Oracle, type OracleQuestion } from '../../../../tests/oracle/oracle.ts';

const labels = ['cup', 'Dog', 'zebra crossing'];
const imageCount = 8;
const goals: readonly Goal[] = [
  { kind: 'best-f1' },
  { kind: 'precision', atLeast: 0.8 },
  { kind: 'recall', atLeast: 0.7 },
  { kind: 'cost', missedCost: 3 },
  { kind: 'false-per-hour', atMost: 9000, framesPerSecond: 5 },
];

interface Row {
  readonly label: number;
  readonly score: number;
  readonly isTrue: boolean;
}

/** The next float32 above or below: what a threshold must still part. */
function neighbour(score: number, by: number): number {
  const bits = new Int32Array(Float32Array.of(score).buffer);
  bits[0]! += by;
  return Math.min(1, Math.max(0, new Float32Array(bits.buffer)[0]!));
}

/** Scores with ties, of a quantized model, of two decimals that float32 rounds, at the ends, and next to each other. */
function rowsOf(dice: Dice): Row[] {
  const centre = Math.fround(dice.decimal(0.05, 0.95, 2));
  const score = (): number =>
    dice.pick([
      () => dice.whole(0, 256) / 256,
      () => Math.fround(dice.decimal(0, 1, 2)),
      () => Math.fround(dice.pick([0.1, 0.3, 0.7, 0.9])),
      () => neighbour(centre, dice.whole(-2, 2)),
      () => Math.fround(dice.next()),
      () => dice.pick([0, 1, neighbour(0, 1), neighbour(1, -1)]),
    ])();
  return dice.list(dice.whole(4, 60), () => {
    const seen = score();
    return { label: dice.whole(0, labels.length - 1), score: seen, isTrue: dice.chance(0.2 + 0.6 * seen) };
  });
}

/** The rows as an evaluation counts them: every box has a place of its own, and some objects are missed. */
function sweepsOf(rows: readonly Row[], dice: Dice) {
  const [truth, found] = [new TruthSetBuilder(), new DetectionSetBuilder()];
  for (const [at, { label, score, isTrue }] of rows.entries()) {
    const box = [50 * at, 0, 40, 40] as const;
    found.add(at % imageCount, label, box, score);
    if (isTrue) truth.add(at % imageCount, label, box);
  }
  for (let at = dice.whole(0, 4); at > 0; at--) truth.add(at, dice.whole(0, 1), [50 * at, 900, 40, 40]);
  return sweepLabels(matchBoxes(truth.build(), found.build(), { imageCount, labels }));
}

const serviceText = JSON.stringify({
  components: [{ name: 'cam', api: 'rdk:component:camera', model: 'webcam', attributes: {} }],
  services: [
    {
      name: 'finder',
      api: 'rdk:service:vision',
      model: 'mlmodel',
      attributes: { mlmodel_name: 'model', default_minimum_confidence: 0.35 },
    },
  ],
});

interface Case {
  readonly name: string;
  readonly set: number;
  readonly config: unknown;
  /** places of the rows that the evaluation counts as kept */
  readonly counted: readonly number[];
}

/** Chooses by a goal, and writes the thresholds as the page does. */
function chosenCase(rows: readonly Row[], set: number, goal: Goal, others: 'keep' | 'drop', dice: Dice): Case | null {
  const sweeps = sweepsOf(rows, dice);
  const choices = sweeps.flatMap((sweep) => chooseThreshold(sweep, imageCount, goal) ?? []);
  if (choices.length === 0) return null;
  const config = new ConfigState();
  config.importText(serviceText);
  const thresholds = new ThresholdsState(config, () => [], () => labels, nothingPresent); // prettier-ignore
  thresholds.setEach(Object.fromEntries(choices.map(({ label, threshold }) => [labels[label]!, threshold])), others);
  const counted = sweeps.flatMap((sweep) => {
    const choice = choices.find(({ label }) => label === sweep.label);
    const kept = choice ? keptAt(sweep, choice.threshold) : others === 'keep' ? keptAt(sweep, 0.35) : 0;
    if (choice) expect(kept).toBe(choice.seen.truePositives + choice.seen.falsePositives);
    return Array.from(sweep.row.subarray(0, kept));
  });
  const name = `set ${set}, ${goal.kind}, others ${others}: ${JSON.stringify(config.filter.labelConfidences)}`;
  return { name, set, config: JSON.parse(config.text), counted: counted.sort((a, b) => a - b) };
}

describe.skipIf(!hasOracleModels())(
  'chosen thresholds on the machine (skipped without ../shared/machine-oracle or Python’s onnxruntime)',
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

    it('keeps there exactly the boxes that were counted here', { timeout: 600_000 }, async () => {
      const labelPath = join(folder, 'labels.txt');
      await writeFile(labelPath, labels.join('\n'));
      const frame = encode({ width: 101, height: 20, channels: 3, data: new Uint8Array(101 * 20 * 3) });
      const cases: Case[] = [];
      const questions: OracleQuestion[] = [];
      for (let set = 0; cases.length < 1000; set++) {
        const rows = rowsOf(diceOf(7, set));
        const model = join(folder, `${set}.onnx`);
        // Each row's left edge on the frame is its number.
        const boxes = rows.map((_, at) => [0, (at + 0.5) / 100, 0.5, (at + 1.5) / 100]);
        const categories = rows.map(({ label }) => label);
        await writeFile(model, fixedDetector({ boxes, categories, scores: rows.map(({ score }) => score) }));
        for (const [at, goal] of goals.entries()) {
          const chosen = chosenCase(rows, set, goal, (set + at) % 2 ? 'keep' : 'drop', diceOf(8, set));
          if (!chosen) continue;
          cases.push(chosen);
          const models = { finder: model };
          const asked = { config: chosen.config, models, modelLabels: labelPath, frames: [frame] };
          questions.push({ op: 'detect', vision: 'finder', camera: '', ...asked });
        }
      }
      const answers = await oracle.ask(questions);
      const differences = cases.flatMap(({ name, counted }, at) => {
        const { error, frames } = answers[at]!;
        const kept = frames[0]?.results.map(({ box }) => box![0]) ?? [];
        const failed = error ?? frames[0]?.error ?? null;
        return failed === null && JSON.stringify(kept) === JSON.stringify(counted)
          ? []
          : [{ name, failed, kept, counted }];
      });
      const boxes = cases.reduce((sum, { counted }) => sum + counted.length, 0);
      expect(differences).toEqual([]);
      expect(cases.length).toBeGreaterThanOrEqual(1000);
      expect(boxes).toBeGreaterThan(cases.length);
    });
  },
);
