import { plainEventRule } from '../../src/evidence/events/event-rule.ts';
import { replayInTwo, type ReplayOrder } from '../../src/evidence/replay/replay.ts';
import type { ResultColumns } from '../../src/evidence/replay/result-columns.ts';
import { randomSource } from '../../tests/random-frame.ts';
import { median, medianRatio, type Figure } from '../figure.ts';

const rounds = 5;
const frameCount = 3_024_000;
const labelCount = 8;
const intervalMs = 200;
/** The events that the page lists at most. */
const mostListed = 20_000;
const secondMs = 1000;

export const figure: Figure = {
  title: 'a week of captures, 5 a second (3.0 M frames, about 2 results each), replayed after a threshold moved',
  async measure({ note, at }) {
    const columns = weekOfCaptures();
    const [pictures, once, usual, both, bare]: number[][] = [[], [], [], [], []];
    let kept = 0;
    replayInTwo(columns, orderOf(0.5, false)); // what is counted once is counted
    for (let round = 0; round < rounds; round++) {
      at(`in round ${round + 1}`);
      const threshold = 0.3 + 0.1 * round;
      const order = orderOf(threshold, false);
      const whole = (asked: ReplayOrder) => timeOf(() => replayInTwo(columns, asked, mostListed).events());
      pictures!.push(timeOf(() => (kept = replayInTwo(columns, order).picture.side.keptCount)));
      once!.push(whole(order));
      usual!.push(whole({ ...order, events: plainEventRule }));
      both!.push(whole(orderOf(threshold, true)));
      const bareKept = { count: 0 };
      bare!.push(timeOf(() => (bareKept.count = keptByBareLoop(columns, threshold))));
      if (bareKept.count !== kept)
        throw new Error(`The bare loop keeps ${bareKept.count} results, the replay ${kept}.`);
    }
    note(`${columns.scores.length} results; the last threshold keeps ${kept}`);
    return [
      {
        name: 'kept results over time, which are shown first',
        value: median(pictures!) / secondMs,
        unit: 's',
        atMost: 0.1,
      },
      { name: 'all of it: filter, timeline, events', value: median(once!) / secondMs, unit: 's', atMost: 0.4 },
      { name: 'the same, each frame with a label an event', value: median(usual!) / secondMs, unit: 's', atMost: 0.4 },
      { name: 'two configurations and their differences', value: median(both!) / secondMs, unit: 's', atMost: 0.8 },
      { name: 'kept results over time, over a bare loop', value: medianRatio(pictures!, bare!), unit: '×' },
      { name: 'all of it over a bare loop', value: medianRatio(once!, bare!), unit: '×' },
      { name: 'a bare loop that filters and counts by label and hour', value: median(bare!) / secondMs, unit: 's' },
    ];
  },
};

function weekOfCaptures(): ResultColumns {
  const random = randomSource(1);
  const starts = new Uint32Array(frameCount + 1);
  for (let frame = 0; frame < frameCount; frame++) starts[frame + 1] = starts[frame]! + Math.floor(5 * random());
  const resultCount = starts[frameCount]!;
  return {
    timesMs: Float64Array.from({ length: frameCount }, (_, frame) => frame * intervalMs),
    starts,
    labels: Uint32Array.from({ length: resultCount }, () => Math.floor(labelCount * random())),
    scores: Float64Array.from({ length: resultCount }, () => Math.fround(random())),
    names: Array.from({ length: labelCount }, (_, label) => `label ${label}`),
  };
}

function orderOf(threshold: number, isCompared: boolean): ReplayOrder {
  const rule = { defaultMinimumConfidence: threshold, labelConfidences: {} };
  return {
    span: { startMs: 0, endMs: frameCount * intervalMs },
    rule,
    other: isCompared ? { ...rule, defaultMinimumConfidence: threshold + 0.05 } : null,
    events: { atLeast: 3, ofFrames: 5, beginScore: 0.5, endBelow: 2, quietMs: 3_600_000 },
    gapMs: null,
    labelled: [],
  };
}

function keptByBareLoop({ timesMs, starts, labels, scores }: ResultColumns, threshold: number): number {
  const counts = new Uint32Array(labelCount * 168);
  let kept = 0;
  for (let frame = 0; frame < timesMs.length; frame++) {
    const hour = Math.floor(timesMs[frame]! / 3_600_000);
    for (let at = starts[frame]!; at < starts[frame + 1]!; at++) {
      if (!(scores[at]! >= threshold)) continue;
      const cell = labels[at]! * 168 + hour;
      counts[cell] = counts[cell]! + 1;
      kept++;
    }
  }
  return kept;
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
