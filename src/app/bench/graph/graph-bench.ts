import type { GraphDoor } from './graph-door.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface GraphBench {
  readonly graph: GraphDoor;
}
