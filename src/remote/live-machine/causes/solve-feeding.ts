import type { ProofExample } from '../prove-frames.ts';
import { sameModelTolerance } from '../compare-answers.ts';
import { unfiltered } from './confirm-cause.ts';
import { rowsOf, type Row } from './paired-rows.ts';
import { changed, type AttributeCause } from './service-cause.ts';
import type { ServiceTrials, TriedService } from './try-services.ts';

/** Each frame costs a run of the model for each number, in each iteration. */
const mostFrames = 3;
const mostIterations = 14;
/** Step of a difference quotient, for a mean and for the logarithm of a deviation. */
const derivativeStep = 0.01;

/** The numbers to solve for: one number for all channels, or one each, of the mean, of the deviation, or of both. */
const unknowns = [
  { mean: 1, deviation: 0 },
  { mean: 0, deviation: 1 },
  { mean: 3, deviation: 0 },
  { mean: 0, deviation: 3 },
  { mean: 3, deviation: 3 },
] as const;

/**
 * Solves for a mean and a deviation other than the usual ones, under which the model here gives the machine's scores: by the
 * Levenberg-Marquardt method, from the scores of rows at the same place. Gives services with them, rounded to few digits first; [] where
 * there are none.
 */
export async function solveFeeding(
  frames: readonly ProofExample[],
  trials: ServiceTrials,
): Promise<readonly AttributeCause[]> {
  const { present, inputs } = trials;
  if (inputs[0]?.dtype === 'uint8') return [];
  const told = frames.filter(({ there }) => rowsOf(there).length > 0).toSorted((a, b) => rowsOf(b.there).length - rowsOf(a.there).length); // prettier-ignore
  const ports = { answers: trials.answers, frames: told.slice(0, mostFrames) };
  for (const asked of unknowns) {
    const solved = await solve(present, asked, ports);
    if (solved) return roundings(present, solved);
  }
  const bgr = !present.config.bgr;
  const turned = { ...present, config: { ...present.config, bgr } };
  const solved = await solve(turned, unknowns.at(-1)!, ports);
  return solved ? roundings(present, { ...solved, bgr }) : [];
}

type Asked = (typeof unknowns)[number];
type Feeding = Pick<TriedService['config'], 'meanValue' | 'stdDev'>;
interface Frames extends Pick<ServiceTrials, 'answers'> {
  readonly frames: readonly ProofExample[];
}

async function solve(service: TriedService, asked: Asked, frames: Frames): Promise<Feeding | null> {
  const { meanValue, stdDev } = service.config;
  const feedingOf = (step: readonly number[]): Feeding => ({
    meanValue: asked.mean === 0 ? meanValue : [0, 1, 2].map((channel) => meanValue[channel]! + step[asked.mean === 1 ? 0 : channel]!), // prettier-ignore
    stdDev: asked.deviation === 0 ? stdDev : [0, 1, 2].map((channel) => stdDev[channel]! * Math.exp(step[asked.mean + (asked.deviation === 1 ? 0 : channel)]!)), // prettier-ignore
  });
  const apart = (steps: readonly (readonly number[])[]) => scoresApart(service, steps.map(feedingOf), frames);
  const size = asked.mean + asked.deviation;
  let at = new Array<number>(size).fill(0);
  let [now] = await apart([at]);
  if (!now || now.length < size) return null;
  for (let [iteration, damping] = [0, 1e-3]; iteration < mostIterations; iteration++) {
    if (largestOf(now) < sameModelTolerance / 20) break;
    const moved = await apart(nudged(at));
    if (moved.some((one) => one === null || one.length !== now!.length)) return null;
    const slopes = moved.map((one) => one!.map((value, row) => (value - now![row]!) / derivativeStep));
    const dampings = [damping / 30, damping, damping * 30, damping * 900];
    const steps = dampings.map((more) => stepOf(slopes, now!, more));
    const next = await apart(steps.map((step) => at.map((value, one) => value + step[one]!)));
    const costs = next.map((one) => (one && one.length === now!.length ? costOf(one) : Infinity));
    const best = costs.indexOf(Math.min(...costs));
    if (!(costs[best]! < costOf(now))) return null;
    if (iteration === 5 && costs[best]! > 0.5 * costOf(now) && largestOf(next[best]!) > 0.05) return null;
    at = at.map((value, one) => value + steps[best]![one]!);
    now = next[best]!;
    damping = dampings[best]!;
  }
  if (!(largestOf(now) < sameModelTolerance)) return null;
  const ends = await apart(nudged(at));
  return areDetermined(ends.map((one) => one!.map((value, row) => value - now![row]!))) ? feedingOf(at) : null;
}

/** The same numbers, each raised by `derivativeStep` in turn. */
const nudged = (numbers: readonly number[]): readonly (readonly number[])[] =>
  numbers.map((_, one) => numbers.map((value, other) => (other === one ? value + derivativeStep : value)));

/** A number of whose effect on the scores the others explain all but this share is not determined: other numbers give the same scores. */
const leastOwnShare = 1e-5;

/** Whether the scores determine each number: by what remains of its effect after Gram-Schmidt orthogonalisation. */
function areDetermined(effects: readonly (readonly number[])[]): boolean {
  const own: (readonly number[])[] = [];
  for (const effect of effects) {
    const left = own.reduce((rest, one) => {
      const share = product(rest, one) / product(one, one);
      return rest.map((value, row) => value - share * one[row]!);
    }, effect);
    if (!(product(left, left) > leastOwnShare * product(effect, effect))) return false;
    own.push(left);
  }
  return true;
}

/** For each feeding, the score here less the machine's, of every row of all frames; null: it cannot be run. */
async function scoresApart(
  { config, labels }: TriedService,
  feedings: readonly Feeding[],
  { frames, answers }: Frames,
): Promise<(readonly number[] | null)[]> {
  const apart: (number[] | null)[] = feedings.map(() => []);
  for (const { image, there } of frames) {
    const said = await answers(
      image,
      feedings.map((feeding) => unfiltered({ labels, config: { ...config, ...feeding } })),
      there,
    );
    for (const [at, answer] of said.entries()) {
      if (!answer || !apart[at]) apart[at] = null;
      else apart[at].push(...rowsApart(rowsOf(answer), rowsOf(there), labels));
    }
  }
  return apart;
}

/** Each of the machine's rows beside the row here of its place, or, of a classifier, of its label. */
function rowsApart(here: readonly Row[], there: readonly Row[], labels: readonly string[] | null): number[] {
  const sorted = (rows: readonly Row[]): number[] => rows.map(({ score }) => score).toSorted((a, b) => b - a);
  const nameOf = ({ label }: Row): string => labels?.[Number(label)] ?? label;
  const isNamed = there.every(({ label }) => here.some((row) => nameOf(row) === label));
  if (there[0] && !('xMin' in there[0]) && !isNamed) {
    const scores = sorted(here);
    return sorted(there).map((score, at) => (scores[at] ?? 0) - score);
  }
  return there.map((row) => {
    const partner = 'xMin' in row ? nearest(row, here) : here.find((one) => nameOf(one) === row.label);
    return (partner?.score ?? 0) - row.score;
  });
}

function nearest(row: Extract<Row, { readonly xMin: number }>, here: readonly Row[]): Row | undefined {
  let [best, least] = [undefined as Row | undefined, Infinity];
  for (const one of here) {
    if (!('xMin' in one)) continue;
    const apart = (['xMin', 'yMin', 'xMax', 'yMax'] as const).reduce((sum, edge) => sum + Math.abs(one[edge] - row[edge]), 0); // prettier-ignore
    // among rows at the same place, the one with the nearest score
    const distance = apart + Math.abs(one.score - row.score);
    if (distance < least) [best, least] = [one, distance];
  }
  return best;
}

const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, row) => sum + value * b[row]!, 0);
const costOf = (apart: readonly number[]): number => product(apart, apart);
const largestOf = (apart: readonly number[]): number =>
  apart.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** The step that the normal equations give with so much damping, at most .4 in each number. */
function stepOf(slopes: readonly (readonly number[])[], apart: readonly number[], damping: number): number[] {
  const matrix = slopes.map((one, at) => [
    ...slopes.map(
      (other, column) => product(one, other) * (column === at ? 1 + damping : 1) + (column === at ? 1e-12 : 0),
    ),
    -product(one, apart),
  ]);
  for (let pivot = 0; pivot < matrix.length; pivot++) {
    for (let row = 0; row < matrix.length; row++) {
      if (row === pivot) continue;
      const factor = matrix[row]![pivot]! / matrix[pivot]![pivot]!;
      matrix[row] = matrix[row]!.map((value, column) => value - factor * matrix[pivot]![column]!);
    }
  }
  const step = matrix.map((row, at) => row[matrix.length]! / row[at]!);
  const most = largestOf(step);
  return most > 0.4 ? step.map((value) => (value * 0.4) / most) : step;
}

/** Solved for together, a mean or a deviation is off by up to this much: one that is nearer to the present value counts as unchanged. */
const solvedWithin = 0.02;

/** The same feeding with what is all but the present one, in few digits, then in more. */
function roundings(
  present: TriedService,
  { meanValue, stdDev, ...more }: Feeding & { readonly bgr?: boolean },
): readonly AttributeCause[] {
  const kept = (values: readonly number[], now: readonly number[]): readonly number[] =>
    values.every((value, channel) => Math.abs(value - now[channel]!) < solvedWithin) ? now : values;
  const { config } = present;
  const [mean, deviation] = [kept(meanValue, config.meanValue), kept(stdDev, config.stdDev)];
  const solved: readonly Feeding[] = [
    { meanValue: mean, stdDev: deviation },
    { meanValue: mean, stdDev },
    { meanValue, stdDev: deviation },
    { meanValue, stdDev },
  ];
  const rounded = (values: readonly number[], now: readonly number[], unit: number): readonly number[] =>
    values === now ? now : values.map((value) => Math.round(value * unit) / unit);
  return solved.flatMap((one) =>
    [100, 1000, 10_000, 1e6].map((unit) =>
      changed(present, {
        ...more,
        meanValue: rounded(one.meanValue, config.meanValue, unit),
        stdDev: rounded(one.stdDev, config.stdDev, unit),
      }),
    ),
  );
}
