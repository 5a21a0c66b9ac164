import { sharesMemory } from './shares-memory.ts';

/** More threads than this gain little on the models of a machine, and starve the page. */
const mostThreads = 4;

/** Half of the cores, as ONNX Runtime itself would: the others read and pack the next frame, and draw the page. */
export function wasmThreads(): number {
  return sharesMemory() ? Math.min(mostThreads, Math.ceil(navigator.hardwareConcurrency / 2)) : 1;
}
