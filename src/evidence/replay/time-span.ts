/** From `startMs` until before `endMs`, in milliseconds since 1970. */
export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** How many milliseconds of a span others cover, which do not overlap each other. */
export function coveredMs(span: TimeSpan, others: readonly TimeSpan[]): number {
  return others.reduce((sum, other) => sum + overlapMs(span, other), 0);
}

/** How long two spans have in common; 0: they do not meet. */
export function overlapMs(one: TimeSpan, other: TimeSpan): number {
  return Math.max(0, Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs));
}
