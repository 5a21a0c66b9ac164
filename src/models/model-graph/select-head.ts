import type { ModelGraph } from '../../machine/vision/face/inference.ts';
import { nearestBefore, type GraphLinks } from './graph-links.ts';

/** More are neither read nor laid out in a moment. */
export const mostShown = 120;
const mostAtFirst = 48;
const leastEach = 4;
const mostEach = 20;

/**
 * The operators shown: of each output the nearest behind it, all that were added with the model's own that they take up, and those that
 * someone unfolded.
 */
export function selectHead(graph: ModelGraph, links: GraphLinks, unfolded: readonly number[]): ReadonlySet<number> {
  const each = Math.min(mostEach, Math.max(leastEach, Math.floor(mostAtFirst / Math.max(1, graph.outputs.length))));
  const heads = graph.outputs.flatMap((name) => nearestBefore([links.makerOf.get(name) ?? []].flat(), links, each));
  const isAdded = (index: number) => graph.operators[index]!.isAdded;
  const added = links.order.filter(isAdded);
  const isOwn = (index: number) => !isAdded(index);
  const takenUp = nearestBefore(added.flatMap((index) => links.before[index]!).filter(isOwn), links, mostEach, isOwn);
  const reached = new Set(links.order);
  const wanted = new Set([...unfolded.filter((index) => reached.has(index)), ...heads, ...takenUp, ...added]);
  return new Set([...wanted].slice(0, mostShown));
}
