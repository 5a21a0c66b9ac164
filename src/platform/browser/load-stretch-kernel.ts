import kernelUrl from '../../../build/pixels.wasm?url';
import { referenceStretchKernel } from '../../vision/preprocess/preprocess.ts';
import type { StretchKernel } from '../../vision/preprocess/stretch-kernel.ts';
import { WasmStretchKernel } from '../wasm-kernel.ts';

/** The WebAssembly kernel; where it cannot be had (no SIMD, a file that is missing) the reference, which is only slower. */
export async function loadStretchKernel(): Promise<StretchKernel> {
  try {
    const response = await fetch(kernelUrl);
    return new WasmStretchKernel(await WebAssembly.compile(await response.arrayBuffer()), referenceStretchKernel);
  } catch {
    return referenceStretchKernel;
  }
}
