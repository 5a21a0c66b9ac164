import type { Spread } from './frame-times.ts';
import { quantileOf } from './quantile.ts';

/** One operator of a model's graph in one run. */
export interface NodeTime {
  /** name of the node in the graph; where the runtime made one of several, the first one's */
  readonly node: string;
  /** "Conv", "Resize", …, as the runtime calls it after its own rewriting */
  readonly operator: string;
  readonly onGpu: boolean;
  readonly ms: number;
}

/** One run of a model, operator by operator. */
export interface ProfiledRun {
  readonly ms: number;
  readonly nodes: readonly NodeTime[];
}

/** What all nodes of one operator take of a run. */
export interface OperatorShare {
  readonly operator: string;
  readonly onGpu: boolean;
  /** nodes of the graph */
  readonly count: number;
  readonly medianMs: number;
  /** share of the sum over all operators, 0..1 */
  readonly share: number;
}

export interface NodeShare {
  readonly node: string;
  readonly operator: string;
  readonly onGpu: boolean;
  readonly medianMs: number;
  readonly share: number;
}

/** Where a model's time goes. */
export interface OperatorTimes {
  /** how many runs it is of */
  readonly runs: number;
  readonly run: Spread;
  /** shares of all operators, the slowest first; [] where the runtime tells of none */
  readonly operators: readonly OperatorShare[];
  readonly nodes: readonly NodeShare[];
}

/** Sums runs up by node and by operator: medians over the runs. */
export function summarizeRuns(runs: readonly ProfiledRun[]): OperatorTimes {
  const byNode = new Map<string, { first: NodeTime; ms: Float64Array }>();
  for (const [run, { nodes }] of runs.entries()) {
    for (const time of nodes) {
      const key = `${time.onGpu} ${time.operator} ${time.node}`;
      const known = byNode.get(key) ?? { first: time, ms: new Float64Array(runs.length) };
      byNode.set(key, known);
      known.ms[run]! += time.ms; // the body of a loop runs more than once
    }
  }
  const medians = [...byNode.values()].map(({ first, ms }) => ({ ...first, medianMs: quantileOf(ms.sort(), 0.5) }));
  const sumMs = medians.reduce((sum, { medianMs }) => sum + medianMs, 0);
  const nodes = medians
    .map(({ node, operator, onGpu, medianMs }) => ({ node, operator, onGpu, medianMs, share: part(medianMs, sumMs) }))
    .sort(slowestFirst);
  const whole = Float64Array.from(runs, ({ ms }) => ms).sort();
  return {
    runs: runs.length,
    run: { medianMs: quantileOf(whole, 0.5), p95Ms: quantileOf(whole, 0.95) },
    operators: byOperator(nodes, sumMs),
    nodes,
  };
}

function byOperator(nodes: readonly NodeShare[], sumMs: number): OperatorShare[] {
  const groups = new Map<string, OperatorShare>();
  for (const { operator, onGpu, medianMs } of nodes) {
    const key = `${onGpu} ${operator}`;
    const before = groups.get(key) ?? { operator, onGpu, count: 0, medianMs: 0, share: 0 };
    const ms = before.medianMs + medianMs;
    groups.set(key, { ...before, count: before.count + 1, medianMs: ms, share: part(ms, sumMs) });
  }
  return [...groups.values()].sort(slowestFirst);
}

const part = (ms: number, ofMs: number): number => (ofMs > 0 ? ms / ofMs : 0);

const slowestFirst = (a: { readonly medianMs: number }, b: { readonly medianMs: number }): number =>
  b.medianMs - a.medianMs;
