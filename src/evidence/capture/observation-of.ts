import type { RawResults } from '../../machine/vision/face/results.ts';
import type { Observation } from './capture-policy.ts';
import type { FilteredResult } from './filtered-result.ts';

/** What capture rules read of a frame's results at a time. */
export function observationOf(
  { detections, classifications, raw, grey }: Pick<FilteredResult, 'detections' | 'classifications' | 'raw' | 'grey'>,
  nowMs: number,
): Observation {
  return {
    nowMs,
    seen: [...(detections ?? []), ...(classifications ?? [])],
    scored: { [Symbol.iterator]: () => scoredOf(raw) },
    grey,
  };
}

function* scoredOf({ detections, classifications }: RawResults): Generator<{ label: string; score: number }> {
  for (let row = 0; row < (detections?.count ?? 0); row++) {
    yield { label: detections!.labels[detections!.labelIndex[row]!]!, score: detections!.score[row]! };
  }
  for (const [row, score] of classifications?.score.entries() ?? []) {
    yield { label: classifications!.labels[row]!, score };
  }
}
