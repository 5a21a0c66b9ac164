import { planJudging, precisionJudged, strataAround } from '../../src/evaluation/choose/plan-judging.ts';
import { seededDraws } from '../../tests/evaluation/seeded-frames.ts';
import { worlds } from '../../tests/evaluation/seeded-worlds.ts';
import { statedOn, type StatedRuns } from '../../tests/evaluation/stated-coverage.ts';
import type { Figure, Measurement } from '../figure.ts';

// How often what is stated holds. A 95 % interval is stated where no "too few" stands beside it; of all answers at most
// 6.5 % may be stated and wrong, and where at least half are stated, 93.5 % of those hold.
const runs = 1000;
const atMostWrong = 6.5;
/** Of 1,000 runs of an interval that holds in 93.5 % of cases, chance leaves so much less once in 100 times. */
const chance = 1.8;

/** Each goal with the figure that it is judged by. */
const goals: readonly Pick<StatedRuns, 'goal' | 'figure'>[] = [
  { goal: { kind: 'best-f1' }, figure: 'f1' },
  { goal: { kind: 'precision', atLeast: 0.9 }, figure: 'precision' },
  { goal: { kind: 'recall', atLeast: 0.85 }, figure: 'recall' },
  { goal: { kind: 'cost', missedCost: 3 }, figure: 'f1' },
  { goal: { kind: 'false-per-hour', atMost: 720, framesPerSecond: 1 }, figure: 'falsePerImage' },
];

function chosen(at: (place: string) => void): Measurement[] {
  const measured: Measurement[] = [];
  for (const name of Object.keys(worlds) as (keyof typeof worlds)[]) {
    for (const unitCount of [10, 20, 40, 80, 160]) {
      for (const { goal, figure } of goals) {
        at(`at ${goal.kind}, ${unitCount} of ${name}`);
        const elsewhereCount = name === 'video' ? 10_000 : 60_000;
        const { runs: all, stated, wrong } = statedOn(name, { goal, figure, unitCount, runs, elsewhereCount });
        const what = `${name}, ${unitCount} units, ${goal.kind}`;
        const share = (count: number, of: number): number => (of === 0 ? 0 : (100 * count) / of);
        measured.push({
          name: `${what}: stated and wrong`,
          value: share(wrong, all),
          unit: '%',
          atMost: atMostWrong + chance,
        });
        if (2 * stated >= all)
          measured.push({
            name: `${what}: stated, and holds`,
            value: share(stated - wrong, stated),
            unit: '%',
            atLeast: 93.5 - chance,
          });
      }
    }
  }
  return measured;
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

export const figure: Figure = {
  title: 'how often the stated intervals hold, in worlds with clusters, bursts, crowds, rare labels and video',
  limitMinutes: 60,
  measure: ({ at }) => Promise.resolve([...chosen(at), ...judged(at)]),
};
