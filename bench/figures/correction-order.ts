import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadMachine } from '../../src/cli/shared/load-machine.ts';
import { readTruth } from '../../src/cli/evaluate/read-truth.ts';
import { seeFrames, type SeenFrames } from '../../src/cli/evaluate/see-frames.ts';
import { readCocoResults, readCocoTruth } from '../../src/evidence/evaluation/coco/read-coco.ts';
import {
  worthOfCorrecting,
  type OtherOpinion,
  type UncorrectedImages,
} from '../../src/evidence/evaluation/correct/correction-worth.ts';
import { chancesOf, drawOrder } from '../../src/evidence/evaluation/correct/draw-order.ts';
import { estimateCorrectedF1 } from '../../src/evidence/evaluation/correct/estimate-corrected-f1.ts';
import { countByImage, type ImageCounts } from '../../src/evidence/evaluation/correct/image-counts.ts';
import { knownSums } from '../../src/evidence/evaluation/correct/known-sums.ts';
import { stoppedEstimate } from '../../src/evidence/evaluation/correct/stopped-estimate.ts';
import type { DetectionSet, EvaluationSpace, TruthSet } from '../../src/evidence/evaluation/evaluation.ts';
import type { Estimate } from '../../src/evidence/evaluation/intervals/ratio-interval.ts';
import { seededNumbers } from '../../src/evidence/evaluation/intervals/seeded-numbers.ts';
import { matchBoxes } from '../../src/evidence/evaluation/match/match-boxes.ts';
import { sweepLabels, type LabelSweep } from '../../src/evidence/evaluation/sweep/label-sweep.ts';
import { metricsAt } from '../../src/evidence/evaluation/sweep/metrics-at.ts';
import type { Figure, Measurement } from '../figure.ts';
import { sharedModelPath, sharedPicture } from '../shared-data.ts';

const orders = 300;
/** widths of the 95 % interval of F1 that a person may want */
const widths = [0.3, 0.25, 0.2, 0.15];
const models = ['yolox_nano_416', 'deimv2_hgnetv2_atto_coco', 'nanodet_m_320'];
const coveredAfter = [10, 15, 20, 30];

/** What one model says of the set, at the threshold of its best F1. */
interface Scene {
  readonly name: string;
  readonly space: EvaluationSpace;
  readonly detections: DetectionSet;
  readonly sweeps: readonly LabelSweep[];
  readonly threshold: number;
}

export const figure: Figure = {
  title: `corrections until F1's interval is narrow, in the order of worth against random order, ${orders} orders each`,
  limitMinutes: 20,
  async measure({ root, note, at }) {
    if (!existsSync(new URL('../shared/data/', `file://${root}`))) {
      note('skipped: the models and photographs of ../shared/data are not here');
      return [];
    }
    const scenes: Scene[] = [];
    for (const model of models) {
      at(model);
      scenes.push(await seenBy(model, root));
    }
    at('drawing orders');
    const shares = scenes.flatMap((scene, one) => {
      const other = scenes[one === 0 ? 1 : 0]!;
      return [measure(scene, null, note), measure(scene, other, note)];
    });
    note('of a set whose scores say nothing (results of pycocotools’ example, with random scores):');
    measure(await fakeResults(), null, note);
    const [alone, withOther] = [shares.filter((_, place) => place % 2 === 0), shares.filter((_, place) => place % 2 === 1)];
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const percent = (name: string, of: readonly Outcome[], atMost?: number): Measurement => ({
      name: `corrections against random order, ${name}`,
      value: 100 * mean(of.map(({ share }) => share)),
      unit: '%',
      ...(atMost !== undefined && { atMost }),
    });
    return [
      percent(`${models[0]} alone`, [alone[0]!], 70),
      percent('all models, each alone', alone),
      percent('all models, each with what another says', withOther),
      { name: 'interval holds F1, the least often', value: 100 * Math.min(...shares.map(({ covered }) => covered)), unit: '%', atLeast: 93 },
      { name: 'what is stated on stopping holds F1, the least often', value: 100 * Math.min(...shares.map(({ stopped }) => stopped)), unit: '%', atLeast: 92 },
    ];
  },
}; // prettier-ignore

interface Outcome {
  /** corrections over those of random order, mean of the widths */
  readonly share: number;
  /** the least often that the interval held F1 after so many corrections */
  readonly covered: number;
  /** the least often that what is stated held F1 where correcting stopped at one of the widths */
  readonly stopped: number;
}

function measure(scene: Scene, other: Scene | null, note: (text: string) => void): Outcome {
  const { space, sweeps, detections, threshold, name } = scene;
  const thresholds = new Float64Array(space.labels.length).fill(threshold);
  const counts = countByImage(sweeps, thresholds, space.imageCount);
  const opinion = other && opinionOf(other, scene);
  const images: UncorrectedImages = { space, detections, thresholds, other: opinion, isCorrected: null };
  const known = knownSums(images);
  const worth = worthOfCorrecting(images).map((one) => one.worth);
  const f1 = metricsAt(sweeps, thresholds).total.f1!;
  const [ours, random] = [drawMany(worth, counts, known, f1), drawMany(worth.map(() => 1), counts, [], f1)];
  const percents = (of: readonly number[]): string => of.map((share) => (100 * share).toFixed(0)).join(', ');
  const text = (of: ReturnType<typeof drawMany>): string =>
    `${of.needed.map((needed) => needed.toFixed(1)).join(', ')} (edits ${of.edits.map((edits) => edits.toFixed(0)).join(', ')}; holds ${percents(of.covered)} % after ${coveredAfter.join(', ')}; stated on stopping, ${percents(of.stopped)} %)`;
  const shares = ours.needed.map((needed, at) => needed / random.needed[at]!);
  note(`${name}${other ? ` with ${other.name}` : ''}, F1 ${f1.toFixed(3)} at ${threshold}; corrections until ${widths.join(', ')} wide:`);
  note(`  by worth ${text(ours)}`);
  note(`  random   ${text(random)}; by worth ${shares.map((share) => `${(100 * share).toFixed(0)} %`).join(', ')} of that`);
  return { share: shares.reduce((sum, share) => sum + share, 0) / shares.length, covered: Math.min(...ours.covered), stopped: Math.min(...ours.stopped) };
} // prettier-ignore

/** Draws orders and corrects image by image, as a person would who stops once the interval is narrow enough. */
function drawMany(worth: readonly number[], counts: ImageCounts, known: readonly Float64Array[], f1: number) {
  const next = seededNumbers(7);
  const [needed, edits, stopped] = [widths.map(() => 0), widths.map(() => 0), widths.map(() => 0)];
  const covered = coveredAfter.map(() => 0);
  const holds = ({ low, high }: Estimate): number => (low - 1e-9 <= f1 && f1 <= high + 1e-9 ? 1 / orders : 0);
  const wrongOf = (image: number): number =>
    counts.kept[image]! + counts.truth[image]! - 2 * counts.truePositives[image]!;
  for (let trial = 0; trial < orders; trial++) {
    const lots = Float64Array.from(worth, () => (next() + 0.5) / 2 ** 32);
    const order = drawOrder(worth, lots);
    const estimates: (Estimate | null)[] = [null];
    const open = new Set(widths.keys());
    let edited = 0;
    for (let count = 1; count <= order.length; count++) {
      edited += wrongOf(order[count - 1]!);
      const chances = chancesOf(worth, lots, order, count);
      const said = estimateCorrectedF1(
        { images: order.subarray(0, count), chances, counts, total: worth.length },
        known,
      );
      estimates.push(said);
      const place = coveredAfter.indexOf(count);
      if (said && place >= 0) covered[place]! += holds(said);
      for (const at of open) {
        const stated = stoppedEstimate((after) => estimates[after]!, count, worth.length, widths[at]!);
        if (!stated) continue;
        stopped[at]! += holds(stated);
        needed[at]! += count / orders;
        edits[at]! += edited / orders;
        open.delete(at);
      }
    }
  }
  return { needed, edits, covered, stopped };
}

/** What another model keeps of the same images, and which of the one's boxes it has, too. */
function opinionOf(other: Scene, { space, detections, threshold }: Scene): OtherOpinion {
  const kept = keptOf(other.detections, other.threshold, (label) => space.labels.indexOf(other.space.labels[label]!));
  const zeros = () => new Uint8Array(kept.count);
  const area = Float64Array.from({ length: kept.count }, (_, row) => kept.box[4 * row + 2]! * kept.box[4 * row + 3]!);
  const truth: TruthSet = { ...kept, area, crowd: zeros(), ignore: zeros() };
  const sweeps = sweepLabels(matchBoxes(truth, detections, space));
  const counts = countByImage(sweeps, new Float64Array(space.labels.length).fill(threshold), space.imageCount);
  return { kept: counts.truth, agreed: counts.truePositives };
}

function keptOf(set: DetectionSet, threshold: number, labelOf: (label: number) => number): DetectionSet {
  const rows = Array.from(set.score.keys()).filter((row) => set.score[row]! >= threshold && labelOf(set.label[row]!) >= 0);
  return {
    count: rows.length,
    image: Uint32Array.from(rows, (row) => set.image[row]!),
    label: Uint32Array.from(rows, (row) => labelOf(set.label[row]!)),
    box: Float64Array.from(rows.flatMap((row) => [...set.box.subarray(4 * row, 4 * row + 4)])),
    score: Float64Array.from(rows, (row) => set.score[row]!),
  };
} // prettier-ignore

/** Fits a model by the command line, and runs it on the photographs. */
async function seenBy(model: string, root: string): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'sightglass-bench-'));
  try {
    const out = join(folder, 'fitted.onnx');
    const args = ['fit', sharedModelPath(`${model}.onnx`), '--out', out, '--labels', sharedModelPath('coco80.labels.txt')];
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/sightglass.js'), ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${model} could not be fitted: ${stderr}`);
    const say = (): void => undefined;
    const unnamed = (path: string) => ({ byName: {}, unnamed: path });
    const files = {
      configPath: join(folder, 'fitted.machine.json'),
      modelPaths: unnamed(out),
      labelPaths: unnamed(join(folder, 'fitted.labels.txt')),
      strict: false,
      source: null,
      visionName: 'v',
      cameraName: null,
      runtime: 'wasm',
    } as const;
    const { machine } = await loadMachine(files, say);
    const photographs = new URL('../shared/data/images/coco/instances.json', `file://${root}`).pathname;
    const frames = await readTruth(photographs, null, say);
    return sceneOf(model, await seeFrames({ ...frames, labelPairs: [] }, { machine, visionName: 'v', cameraName: null }, { say, areIndependent: true }));
  } finally {
    rmSync(folder, { recursive: true });
  }
} // prettier-ignore

async function fakeResults(): Promise<Scene> {
  const read = async (name: string): Promise<unknown> =>
    JSON.parse((await sharedPicture(`../evaluation/${name}`)).toString());
  const file = readCocoTruth(await read('truth-100.json'));
  const { detections } = readCocoResults(await read('results-100.json'), file);
  return sceneOf('random scores', { ...file, detections });
}

function sceneOf(
  name: string,
  { truth, detections, space }: Pick<SeenFrames, 'truth' | 'detections' | 'space'>,
): Scene {
  const sweeps = sweepLabels(matchBoxes(truth, detections, space));
  const at = (threshold: number): number =>
    metricsAt(sweeps, new Float64Array(space.labels.length).fill(threshold)).total.f1 ?? 0;
  const [best] = Array.from({ length: 18 }, (_, step) => (step + 1) / 20).toSorted((a, b) => at(b) - at(a));
  return { name, space, detections, sweeps, threshold: best! };
}
