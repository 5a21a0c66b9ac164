import kernelUrl from '../../../build/pixels.wasm?url&no-inline';
import type { StretchKernel } from '../../vision/preprocess/stretch-kernel.ts';
import { WasmStretchKernel } from '../wasm-kernel.ts';

/** Fetches and compiles the pixel kernel. Rejects where the browser has no WebAssembly SIMD: the reference then does its work. */
export async function loadWasmKernel(reference: StretchKernel): Promise<WasmStretchKernel> {
  return new WasmStretchKernel(await WebAssembly.compileStreaming(fetch(kernelUrl)), reference);
}
