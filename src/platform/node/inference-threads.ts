import { availableParallelism } from 'node:os';

/** How many threads a model runs on: more than these gain little on the models of a machine. */
export const inferenceThreads = Math.min(4, availableParallelism());
