import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import { hostOf } from '../../../remote/live-machine/host-of.ts';

/** Where a model runs: "WASM", "WebGPU", or the host of the live machine. */
export function backendText({ backend, runsAt }: Pick<ModelDescription, 'backend' | 'runsAt'>): string {
  if (backend === 'live') return hostOf(runsAt);
  return backend === 'webgpu' ? 'WebGPU' : 'WASM';
}
