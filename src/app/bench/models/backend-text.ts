import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import { hostOf } from '../../../live-machine/machine-address.ts';

/** Where a model runs: "WASM", "WebGPU", or the host of the live machine. */
export function backendText({ backend, runsAt }: Pick<ModelDescription, 'backend' | 'runsAt'>): string {
  if (backend === 'live') return hostOf(runsAt);
  return backend === 'webgpu' ? 'WebGPU' : 'WASM';
}

/** A time as short as it is read: "4.2 ms", "180 ms". */
export const wholeMs = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
