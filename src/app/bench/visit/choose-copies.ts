import type { VisitSource } from '../../../platform/ports/source-store.ts';

const MOST_BYTES = 1e9;
/** the part of the browser's storage quota for copies; captures, models and the data area need the rest */
const SHARE = 0.2;
/** the budget if the browser does not tell its quota */
const UNMEASURED_BYTES = 100e6;

/** The most bytes that copies of pictures and videos may use in this browser, for all tabs. `quotaBytes`: null = unknown. */
export function copyBudget(quotaBytes: number | null): number {
  return quotaBytes === null ? UNMEASURED_BYTES : Math.min(MOST_BYTES, Math.floor(quotaBytes * SHARE));
}

/**
 * Chooses the sources that are copied: the newest first, and of one drop the first files first, as long as they fit. A
 * source that does not fit is skipped, so that one huge file does not exclude the others.
 */
export function chooseCopies<Source extends VisitSource>(sources: readonly Source[], budgetBytes: number): Source[] {
  let leftBytes = budgetBytes;
  const chosen = new Set<Source>();
  for (const source of sources.toSorted((a, b) => b.cameAtMs - a.cameAtMs)) {
    if (source.byteLength > leftBytes) continue;
    chosen.add(source);
    leftBytes -= source.byteLength;
  }
  return sources.filter((source) => chosen.has(source));
}
