import type { Verdict } from './verdict.ts';

/**
 * Sums up what several frames say of one model. A wrong reading shows itself on every frame, so one frame on which the
 * model may well be right outweighs the others; one on which it cannot be right outweighs those on which it sees nothing.
 * @param verdicts one a frame
 * @returns the verdict of all, with what was seen, each sentence once; unsure where there is no frame
 * @example
 * const unsure = { kind: 'unsure', seen: ['No box.'], notes: [] };
 * framesVerdict([unsure, { kind: 'refused', seen: ['All boxes have one size.'], notes: [] }]).kind; // => 'refused'
 * framesVerdict([unsure, unsure]).seen; // => ['No box.']
 */
export function framesVerdict(verdicts: readonly Verdict[]): Verdict {
  const kind =
    (['plausible', 'refused'] as const).find((one) => verdicts.some((verdict) => verdict.kind === one)) ?? 'unsure';
  const deciding = verdicts.filter((verdict) => verdict.kind === kind);
  const once = (key: 'seen' | 'notes') => [...new Set(deciding.flatMap((verdict) => verdict[key]))];
  return { kind, seen: once('seen'), notes: once('notes') };
}
