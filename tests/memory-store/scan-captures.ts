import type { CaptureFilter, Position, Scan } from '../../src/data-service/ports/capture-filter.ts';
import { positionOf } from '../../src/data-service/ports/capture-filter.ts';
import type { Micros } from '../../src/data-service/ports/stored-captures.ts';
import { byText } from '../../src/data-service/ports/name-order.ts';

/** A page in the order of (time requested, id), found by sorting; other stores use an index. */
export function scanCaptures<Capture extends { readonly id: string; readonly timeRequested: Micros }>(
  captures: Iterable<Capture>,
  { order, after, limit }: Scan<CaptureFilter>,
  matches: (capture: Capture) => boolean,
): Capture[] {
  const sign = order === 'ascending' ? 1 : -1;
  const compare = (a: Position, b: Position): number => sign * (a.time - b.time || byText(a.id, b.id));
  return [...captures]
    .filter((capture) => matches(capture) && (after === null || compare(positionOf(capture), after) > 0))
    .sort((a, b) => compare(positionOf(a), positionOf(b)))
    .slice(0, limit);
}
