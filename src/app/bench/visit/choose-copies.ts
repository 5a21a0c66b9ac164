import type { VisitSource } from '../../../ports/source-store.ts';

const MOST_BYTES = 1e9;
/** of what the browser gives the page: captures, models and the data area need the rest */
const SHARE = 0.2;
/** where the browser does not say how much it gives */
const UNMEASURED_BYTES = 100e6;

/** How many bytes copies of pictures and videos may take in this browser, over all its tabs. `quotaBytes`: null = not known. */
export function copyBudget(quotaBytes: number | null): number {
  return quotaBytes === null ? UNMEASURED_BYTES : Math.min(MOST_BYTES, Math.floor(quotaBytes * SHARE));
}

/**
 * Which sources get a copy: those that came last, of one drop the first, each that still fits. One that alone is larger than
 * the budget takes nothing from the others.
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
