import type { Capture } from './capture.ts';

/** One row of what the bench measured, as a sensor's reading. Values survive JSON. */
export interface Reading {
  readonly timeRequestedMs: number;
  readonly timeReceivedMs: number;
  readonly readings: Readonly<Record<string, ReadingValue>>;
}

export type ReadingValue = string | number | boolean | null | { readonly [name: string]: ReadingValue };

/** The fields of a result that become a reading. */
export type Measured = Pick<
  Capture,
  'timeRequestedMs' | 'timeReceivedMs' | 'detections' | 'classifications' | 'timings' | 'source'
> & { readonly rawCount: number | null };

/**
 * Converts one frame's counts, latencies and classifications to a tabular row. Dots and dollars in labels, which
 * queries cannot name, become underscores.
 */
export function readingOf(frame: Measured): Reading {
  const { detections, classifications, timings, source, timeRequestedMs, timeReceivedMs, rawCount } = frame;
  const [best] = classifications?.toSorted((a, b) => b.score - a.score) ?? [];
  return {
    timeRequestedMs,
    timeReceivedMs,
    readings: {
      source: source.name,
      frame: source.index,
      ...(detections && {
        detections: detections.length,
        ...(rawCount !== null && { raw_detections: rawCount }),
        counts: countByLabel(detections),
        max_score: detections.length === 0 ? null : Math.max(...detections.map(({ score }) => score)),
      }),
      ...(best && {
        class: best.label,
        class_score: best.score,
        classifications: Object.fromEntries(classifications!.map(({ label, score }) => [fieldName(label), score])),
      }),
      ...(timings && { inference_ms: timings.inferenceMs, total_ms: timings.totalMs }),
    },
  };
}

function countByLabel(detections: readonly { readonly label: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { label } of detections) counts[fieldName(label)] = (counts[fieldName(label)] ?? 0) + 1;
  return counts;
}

function fieldName(label: string): string {
  return label.replace(/[.$\0]/g, '_') || 'unlabelled';
}
