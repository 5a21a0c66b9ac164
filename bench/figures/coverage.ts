import { planJudging, precisionJudged, strataAround } from '../../src/evidence/evaluation/choose/plan-judging.ts';
import { seededDraws } from '../../tests/evaluation/seeded-frames.ts';
import { allAlike, bursts, correctedOn, crowds, rareLabel } from '../../tests/evaluation/correction-coverage.ts';
import { alarmsOn } from '../../tests/evaluation/drift-coverage.ts';
import { falselyCertifiedOn } from '../../tests/evaluation/certificate-coverage.ts';
import { promisesOn } from '../../tests/evaluation/promise-coverage.ts';
import { worlds } from '../../tests/evaluation/seeded-worlds.ts';
import { statedOn, type Stated, type StatedRuns } from '../../tests/evaluation/stated-coverage.ts';
import { falseVerdictsOn } from '../../tests/evaluation/verdict-coverage.ts';
import type { Figure, Measurement } from '../figure.ts';

// How often what is stated holds. A 95 % interval is stated where no "too few" stands beside it; of all answers at most
// 6.5 % may be stated and wrong, and where at least half are stated, 93.5 % of those hold.
const runs = 1000;
const atMostWrong = 6.5;
/** How far below its level, in %, chance takes an interval that holds in 93.5 % of cases, once in 100 times of so many runs. */
const chanceOf = (count: number): number => 233 * Math.sqrt((0.065 * 0.935) / count);
const chance = chanceOf(runs);

/** Each goal with the figure that it is judged by. */
const goals: readonly Pick<StatedRuns, 'goal' | 'figure'>[] = [
  { goal: { kind: 'best-f1' }, figure: 'f1' },
  { goal: { kind: 'precision', atLeast: 0.9 }, figure: 'precision' },
  { goal: { kind: 'recall', atLeast: 0.85 }, figure: 'recall' },
  { goal: { kind: 'cost', missedCost: 3 }, figure: 'f1' },
  { goal: { kind: 'false-per-hour', atMost: 720, framesPerSecond: 1 }, figure: 'falsePerImage' },
];

const names = Object.keys(worlds) as (keyof typeof worlds)[];

/** Few units elsewhere would be wrong themselves, by more than an interval of 160 units bears. */
const elsewhereOf = (name: keyof typeof worlds): number => (name === 'video' ? 30_000 : 60_000);

const share = (count: number, of: number): number => (of === 0 ? 0 : (100 * count) / of);

const areMostStated = ({ stated, runs: all }: Stated): boolean => 2 * stated >= all;

/** Runs on until chance explains little: what falls short of the level at first is asked five times as often. */
function statedSurely(name: keyof typeof worlds, asked: Omit<StatedRuns, 'runs'>): Stated {
  const first = statedOn(name, { ...asked, runs });
  const judged = areMostStated(first) ? first.stated : first.runs;
  if (share(first.wrong, judged) <= atMostWrong) return first;
  const more = statedOn(name, { ...asked, firstRun: runs + 1, runs: 4 * runs });
  return {
    runs: first.runs + more.runs,
    stated: first.stated + more.stated,
    wrong: first.wrong + more.wrong,
    bias: (first.bias * first.runs + more.bias * more.runs) / (first.runs + more.runs),
  };
}

function chosen(at: (place: string) => void): Measurement[] {
  const measured: Measurement[] = [];
  for (const name of names) {
    for (const unitCount of [10, 20, 40, 80, 160]) {
      for (const { goal, figure } of goals) {
        at(`at ${goal.kind}, ${unitCount} of ${name}`);
        const elsewhereCount = elsewhereOf(name);
        const said = statedSurely(name, { goal, figure, unitCount, elsewhereCount });
        const { runs: all, stated, wrong } = said;
        const what = `${name}, ${unitCount} units, ${goal.kind}`;
        measured.push({
          name: `${what}: stated and wrong`,
          value: share(wrong, all),
          unit: '%',
          atMost: atMostWrong + chanceOf(all),
        });
        if (areMostStated(said))
          measured.push({
            name: `${what}: stated, and holds`,
            value: share(stated - wrong, stated),
            unit: '%',
            atLeast: 93.5 - chanceOf(stated),
          });
      }
    }
  }
  return measured;
}

/** Promises of recall may be broken in so many of all runs, and certificates be false in so many. */
const brokenAtMost = 0.1;
const atMostBroken = 100 * brokenAtMost + 1.5 + chance;

function promised(at: (place: string) => void): Measurement[] {
  return names.flatMap((name) =>
    [40, 80, 160].flatMap((unitCount) =>
      [0.6, 0.8].flatMap((recall): Measurement[] => {
        at(`at recall ${recall} promised, ${unitCount} of ${name}`);
        const promise = { recall, brokenAtMost, unitCount, runs: runs / 2, elsewhereCount: elsewhereOf(name) / 3 };
        const { meanOverImages, pooled } = promisesOn(name, promise);
        const what = `recall ${recall} promised on ${unitCount} units of ${name}`;
        return [
          { name: `${what}, mean over images: broken`, value: share(meanOverImages.broken, promise.runs), unit: '%', atMost: atMostBroken },
          { name: `${what}, all objects: broken`, value: share(pooled.broken, promise.runs), unit: '%', atMost: atMostBroken },
        ];
      }),
    ),
  );
} // prettier-ignore

function certified(at: (place: string) => void): Measurement[] {
  return names.flatMap((name) =>
    [20, 30, 60, 160].flatMap((unitCount) =>
      (['recall', 'precision'] as const).map((figure): Measurement => {
        at(`at certified ${figure}, ${unitCount} of ${name}`);
        const asked = { figure, confidence: 1 - brokenAtMost, unitCount, runs, elsewhereCount: elsewhereOf(name) / 2 };
        return {
          name: `${figure} certified on ${unitCount} units of ${name}: false`,
          value: (100 * falselyCertifiedOn(name, asked)) / runs,
          unit: '%',
          atMost: atMostBroken,
        };
      }),
    ),
  );
}

/** Verdicts on models that are equally good: a table with any is false, and that is held to 5 %. */
function compared(at: (place: string) => void): Measurement[] {
  const tables = 400;
  const atMost = atMostWrong + chanceOf(tables);
  return names.flatMap((name) =>
    [20, 40].flatMap((unitCount): Measurement[] => {
      at(`at verdicts on 20 labels, ${unitCount} of ${name}`);
      const { ofAll, ofLabels } = falseVerdictsOn(name, { labelCount: 20, unitCount, tables });
      const what = `20 labels of equal models on ${unitCount} units of ${name}`;
      return [
        { name: `${what}: tables with a verdict on a label`, value: (100 * ofLabels) / tables, unit: '%', atMost },
        { name: `${what}: tables with one on all together`, value: (100 * ofAll) / tables, unit: '%', atMost },
      ];
    }),
  );
}

/** Populations of boxes: how many, of how many distinct scores, and how their precision rises with the score. */
const populations = [
  { name: '5,000 boxes', count: 5000, values: null, power: 4, steepness: 7, middle: 0.45 },
  { name: '200 boxes', count: 200, values: null, power: 4, steepness: 7, middle: 0.45 },
  { name: '60 boxes', count: 60, values: null, power: 2, steepness: 7, middle: 0.45 },
  { name: '200 boxes of 8 scores', count: 200, values: 8, power: 2, steepness: 7, middle: 0.45 },
  { name: '5,000 boxes of 8 scores', count: 5000, values: 8, power: 4, steepness: 7, middle: 0.45 },
  { name: '2,000 boxes of 256 scores', count: 2000, values: 256, power: 4, steepness: 7, middle: 0.45 },
  { name: '5,000 boxes, nearly all right', count: 5000, values: null, power: 2, steepness: 14, middle: 0.3 },
  { name: '5,000 boxes, mostly wrong', count: 5000, values: null, power: 4, steepness: 5, middle: 0.8 },
] as const;

/** Judged around 0.5, and asked at thresholds from 0.3 to 0.85. */
function judged(at: (place: string) => void): Measurement[] {
  const line = 0.5;
  const thresholds = [0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.85];
  return populations.flatMap(({ name, count, values, power, steepness, middle }) =>
    [20, 40].map((budget): Measurement => {
      at(`at ${budget} judged of ${name}`);
      const covered = thresholds.map(() => ({ held: 0, said: 0 }));
      for (let seed = 1; seed <= runs / 2; seed++) {
        const { uniform } = seededDraws(seed);
        const stepped = (score: number): number => (values === null ? score : Math.ceil(score * values) / values);
        const scores = Float64Array.from({ length: count }, () => stepped(uniform() ** power));
        const isRight = Array.from(scores, (score) => uniform() < 1 / (1 + Math.exp(-steepness * (score - middle))));
        const plan = planJudging(scores, strataAround(scores, line), budget, Float64Array.from(scores, uniform));
        const judgements = plan.drawn.map((box) => ({ ...box, isRight: isRight[box.row]! }));
        for (const [place, threshold] of thresholds.entries()) {
          const estimate = precisionJudged(plan, judgements, threshold);
          if (!estimate) continue;
          let [kept, right] = [0, 0];
          for (const [row, score] of scores.entries()) {
            if (score < threshold) continue;
            kept++;
            if (isRight[row]) right++;
          }
          covered[place]!.said++;
          if (estimate.low - 1e-9 <= right / kept && right / kept <= estimate.high + 1e-9) covered[place]!.held++;
        }
      }
      const shares = covered.filter(({ said }) => said > runs / 10).map(({ held, said }) => (100 * held) / said);
      const value = Math.min(...shares);
      return {
        name: `${budget} judged of ${name}: holds at the worst threshold`,
        value,
        unit: '%',
        atLeast: 93.5 - 2 * chance,
      };
    }),
  );
}

/** Sets of which some images are corrected, drawn by what that is worth: few of many boxes, bursts, a rare label, all alike. */
const corrections = { crowds, bursts, 'a rare label': rareLabel, 'all alike': allAlike };

function corrected(at: (place: string) => void): Measurement[] {
  return Object.entries(corrections).flatMap(([name, draw]) =>
    [8, 12, 20, 40].map((count): Measurement => {
      at(`at ${count} images corrected, ${name}`);
      const { stated, wrong } = correctedOn(draw, { imageCount: 80, count, runs: runs / 2 });
      return {
        name: `F1 of 80 images of which ${count} are corrected, ${name}: holds where it is stated`,
        value: stated === 0 ? 100 : (100 * (stated - wrong)) / stated,
        unit: '%',
        atLeast: 93.5 - 2 * chance,
      };
    }),
  );
}

/** Comparisons of halves of one world, at the level that is asked. */
function alarmed(at: (place: string) => void): Measurement[] {
  const comparisons = 300;
  return (['single images', 'clips', 'rare labels'] as const).flatMap((world) =>
    [0.05, 0.2].map((level): Measurement => {
      at(`at drift alarms, level ${level}, ${world}`);
      return {
        name: `drift between halves of ${world} at a level of ${level}: alarms`,
        value: (100 * alarmsOn(world, { level, comparisons })) / comparisons,
        unit: '%',
        // Once in 100 times, chance makes so much more of 300 comparisons.
        atMost: 100 * (level + 0.015 + 2.33 * Math.sqrt((level * (1 - level)) / comparisons)),
      };
    }),
  );
}

export const figure: Figure = {
  title:
    'how often what is stated holds, of thresholds, promises, certificates, verdicts, judgements, corrections and drift, in worlds with clusters, bursts, crowds, rare labels and video',
  limitMinutes: 120,
  measure: ({ at }) =>
    Promise.resolve([
      ...chosen(at),
      ...promised(at),
      ...certified(at),
      ...compared(at),
      ...judged(at),
      ...corrected(at),
      ...alarmed(at),
    ]),
};
