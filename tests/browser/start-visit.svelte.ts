import type { VisitState } from '../../src/app/bench/visit/visit-state.svelte.ts';

/** Starts a visit like the bench does. Returns the function that ends it. */
export function startVisit(visit: VisitState): () => void {
  return $effect.root(() => visit.begin());
}
