import type { GraphLoader } from './graph-loader.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface GraphBench {
  readonly graph: GraphLoader;
}
