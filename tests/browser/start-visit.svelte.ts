import type { VisitState } from '../../src/app/bench/visit/visit-state.svelte.ts';

/** Begins a visit as the bench does. Returns what ends it. */
export function startVisit(visit: VisitState): () => void {
  return $effect.root(() => visit.begin());
}
