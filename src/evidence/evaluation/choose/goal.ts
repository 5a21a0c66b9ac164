import { countsOfBest, cutsOf, ratesOf, type Counts, type LabelSweep } from '../sweep/label-sweep.ts';

/** What a threshold is chosen for. */
export type Goal =
  | { readonly kind: 'best-f1' }
  /** at least so much precision, with the most recall */
  | { readonly kind: 'precision'; readonly atLeast: number }
  /** at least so much recall, with the most precision */
  | { readonly kind: 'recall'; readonly atLeast: number }
  /** the least cost, where a missed object costs so many false boxes */
  | { readonly kind: 'cost'; readonly missedCost: number }
  /** at most so many false boxes in an hour of video, with the most recall */
  | { readonly kind: 'false-per-hour'; readonly atMost: number; readonly framesPerSecond: number };

export interface ChosenCut {
  /** how many of the best results are kept: one of `cutsOf` */
  readonly kept: number;
  /** false: no threshold reaches the goal, and this one comes nearest */
  readonly reaches: boolean;
}

/**
 * Chooses where to cut, on real counts: precision is not smoothed. Of equally good cuts the highest threshold is taken,
 * but for goals that ask for the most recall the one with fewest false boxes.
 *
 * @param sweep of the label; there is truth of it
 * @param goal what for
 * @param imageCount how many images were looked at
 * @returns the cut, and whether it reaches the goal
 * @example chooseCut(sweep, { kind: 'precision', atLeast: 0.9 }, 40).kept;
 */
export function chooseCut(sweep: LabelSweep, goal: Goal, imageCount: number): ChosenCut {
  let best: ChosenCut = { kept: 0, reaches: false };
  let bestWorth: readonly [number, number] = [-Infinity, -Infinity];
  for (const kept of cutsOf(sweep)) {
    const counts = countsOfBest(sweep, kept);
    const worth = worthOf(counts, goal, imageCount);
    if (worth.reaches === best.reaches ? !isMore(worth.order, bestWorth) : best.reaches) continue;
    best = { kept, reaches: worth.reaches };
    bestWorth = worth.order;
  }
  return best;
}

const isMore = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);

function worthOf(
  counts: Counts,
  goal: Goal,
  imageCount: number,
): { readonly reaches: boolean; readonly order: readonly [number, number] } {
  const { truePositives, falsePositives, missed } = counts;
  const { precision, recall, f1 } = ratesOf(counts);
  switch (goal.kind) {
    case 'best-f1':
      return { reaches: true, order: [f1 ?? 0, 0] };
    case 'cost':
      return { reaches: true, order: [-(falsePositives + goal.missedCost * missed), 0] };
    case 'precision': {
      const reaches = precision !== null && precision >= goal.atLeast;
      return { reaches, order: reaches ? [truePositives, -falsePositives] : [precision ?? -1, truePositives] };
    }
    case 'recall': {
      const reaches = recall !== null && recall >= goal.atLeast;
      return { reaches, order: reaches ? [precision ?? 0, truePositives] : [truePositives, -falsePositives] };
    }
    case 'false-per-hour': {
      const reaches = falsePerHour(falsePositives, imageCount, goal.framesPerSecond) <= goal.atMost;
      return { reaches, order: reaches ? [truePositives, -falsePositives] : [-falsePositives, truePositives] };
    }
  }
}

/** How many false boxes an hour of video has, by the frames that were looked at. */
export function falsePerHour(falsePositives: number, imageCount: number, framesPerSecond: number): number {
  return imageCount === 0 ? 0 : (falsePositives / imageCount) * framesPerSecond * 3600;
}
